/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --bb-convert: block counts as text into the format of gmon.out. */
#include "config.h"

#include "run/command/command.h"

#include "io/file.h"
#include "io/image/limits.h"
#include "io/profile/bbout.h"
#include "io/profile/gmon_write.h"

#include <stdlib.h>

/*
 * Finds out for which machine the data file is to be written. Returns 0, or -1 after saying why
 * not.
 */
static int convert_find_target(struct target *target, const struct session_input *input,
			       struct diag *diag)
{
	struct limits limits;
	struct image *image;

	*target = (struct target){ .ptr_size = sizeof(void *),
				   .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };
	if (!input->program_named)
		return 0;
	limits = limits_begin(input->program.path);
	image = image_open(input->program.path, NULL, diag);
	if (image)
		*target = image_target(image);
	image_close(image);
	limits_end(&limits);
	return image ? 0 : -1;
}

int convert_run(const struct command *c)
{
	struct profile prof = { .files = { 0 } };
	struct file file = { 0 };
	int rc;

	if (convert_find_target(&prof.target, c->data, c->diag) < 0 ||
	    file_read(&file, "-", NULL, NULL, c->diag) < 0)
		return EXIT_FAILURE;
	rc = bbout_read(&prof, (const char *)file.bytes, file.size, "-", c->mem, c->diag);
	if (rc == 0)
		rc = gmon_print(&prof, GMON_ANY, c->report, c->mem);
	file_free(&file);
	return rc < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
