/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From bb.out to gmon.out. */
#include "config.h"

#include "run/command/convert.h"

#include "io/file.h"
#include "io/image/limits.h"
#include "io/profile/bbout.h"
#include "io/profile/gmon_write.h"

#include <stdlib.h>

/* What the data file is to be written for. 0, or -1 with the reason said. */
static int find_target(struct target *target, const struct session_input *input, struct diag *diag)
{
	struct limits limits;
	struct image *image;

	*target = (struct target){ .ptr_size = sizeof(void *),
				   .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };
	if (!input->program_named)
		return 0;
	limits = limits_begin(input->program.path);
	image = image_open(input->program.path, diag);
	if (image)
		*target = image_target(image);
	image_close(image);
	limits_end(&limits);
	return image ? 0 : -1;
}

int blocks_convert(const struct session_input *input, struct output *out, struct arena *mem,
		   struct diag *diag)
{
	struct profile prof = { .files = { 0 } };
	struct file file = { 0 };
	int rc;

	if (find_target(&prof.target, input, diag) < 0)
		return -1;
	if (file_read(&file, "-", NULL, NULL, diag) < 0)
		return -1;
	rc = bbout_read(&prof, (const char *)file.bytes, file.size, "-", mem, diag);
	if (rc == 0)
		rc = gmon_print(&prof, GMON_ANY, out, mem);
	file_free(&file);
	return rc;
}
