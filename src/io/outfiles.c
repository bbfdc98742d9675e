/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening of output files; a name is compared with those of all files before it. */
#include "config.h"

#include "io/outfiles.h"

#include <stdio.h>
#include <string.h>

static bool is_used(const struct outfiles *files, const char *name)
{
	for (size_t i = 0; i < files->names.n; i++) {
		if (strcmp(files->names.at[i], name) == 0)
			return true;
	}
	return false;
}

/* The name, or the first of its numbered forms that no file of this run has. */
static const char *choose_name(struct outfiles *files, const char *name)
{
	size_t size = strlen(name) + 16;
	char *chosen = arena_array(files->mem, char, size);

	snprintf(chosen, size, "%s", name);
	for (unsigned i = 2; is_used(files, chosen); i++)
		snprintf(chosen, size, "%s.%u", name, i);
	return chosen;
}

static struct output *open_file(struct output_set *set, const char *name, const char *what)
{
	struct outfiles *files = (struct outfiles *)set;
	const char *chosen = choose_name(files, name);

	array_push(files->mem, &files->names) = chosen;
	if (newfile_open(&files->file, chosen, files->mem, files->diag) < 0) {
		files->failed = true;
		return NULL;
	}
	if (strcmp(chosen, name) != 0)
		diag_note(files->diag, "%s is in %s", what, chosen);
	output_open(&files->out, files->file.fd, chosen, files->diag);
	return &files->out;
}

static int close_file(struct output_set *set)
{
	struct outfiles *files = (struct outfiles *)set;
	bool good = output_close(&files->out) == 0;
	int rc = newfile_close(&files->file, good, files->diag);

	files->failed = files->failed || rc < 0;
	return rc;
}

void outfiles_start(struct outfiles *files)
{
	files->set = (struct output_set){ open_file, close_file };
}
