/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening of output files; one is compared with all files before it. Linear in these. */
#include "config.h"

#include "io/outfiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_name(const struct outfiles *files, const char *name)
{
	for (size_t i = 0; i < files->names.n; i++) {
		if (strcmp(files->names.at[i], name) == 0)
			return true;
	}
	return false;
}

static bool is_used(const struct outfiles *files, const char *name)
{
	struct stat st;

	return has_name(files, name) ||
	       (files->written.n > 0 && lstat(name, &st) == 0 && fileids_has(&files->written, &st));
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

static struct output *open_file(struct output_set *set, const char *name, const char *what,
				unsigned rights)
{
	struct outfiles *files = (struct outfiles *)set;
	const char *chosen = choose_name(files, name);

	files->is_stream = false;
	array_push(files->mem, &files->names) = chosen;
	if (newfile_open(&files->file, chosen, &files->inputs, rights, files->mem, files->diag) <
	    0) {
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
	struct stat st;
	int rc = good ? 0 : -1;

	if (files->is_stream) {
		if (close(files->out.fd) < 0 && good) {
			diag_error(files->diag, "%s: %s", files->out.name, strerror(errno));
			rc = -1;
		}
	} else {
		bool known = fstat(files->file.fd, &st) == 0;

		rc = newfile_close(&files->file, good, files->diag);
		if (rc == 0 && known)
			fileids_add(&files->written, &st, files->mem);
	}
	files->failed = files->failed || rc < 0;
	return rc;
}

void outfiles_start(struct outfiles *files)
{
	files->set = (struct output_set){ open_file, close_file };
}

void outfiles_add_written(struct outfiles *files, const char *name)
{
	array_push(files->mem, &files->names) = name;
	fileids_add_path(&files->written, name, files->mem);
}

void outfiles_drop(struct outfiles *files)
{
	if (!files->is_stream)
		newfile_close(&files->file, false, files->diag);
}

/* N of /dev/fd/N, or -1. */
static int descriptor_named(const char *name)
{
	static const char *const places[] = { "/dev/fd/", "/proc/self/fd/" };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		size_t n = strlen(places[i]);
		const char *digits = name + n;

		if (strncmp(name, places[i], n) == 0 && *digits &&
		    strspn(digits, "0123456789") == strlen(digits) && strlen(digits) < 8)
			return atoi(digits);
	}
	return strcmp(name, "/dev/stderr") == 0 ? STDERR_FILENO : -1;
}

/* A descriptor to write to, or -1 with a reason in errno; *reason has one that errno lacks. */
static int open_stream(const struct outfiles *files, const char *name, const struct stat *st,
		       const char **reason)
{
	int fd = descriptor_named(name);

	if (!S_ISCHR(st->st_mode) && has_name(files, name))
		*reason = "another export goes there";
	else if (S_ISFIFO(st->st_mode) && fileids_has(&files->inputs, st))
		*reason = "not written to, as this run reads it";
	else if (fd >= 0)
		return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	else
		return open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return -1;
}

struct output *outfiles_open_named(struct outfiles *files, const char *name, const char *what,
				   unsigned rights)
{
	const char *reason = NULL;
	struct stat st = { .st_mode = 0 };
	int fd;

	if (descriptor_named(name) < 0 &&
	    (lstat(name, &st) < 0 || !(S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode))))
		return files->set.open(&files->set, name, what, rights);
	fd = open_stream(files, name, &st, &reason);
	if (fd < 0) {
		diag_error(files->diag, "%s: %s", name, reason ? reason : strerror(errno));
		files->failed = true;
		return NULL;
	}
	files->is_stream = true;
	array_push(files->mem, &files->names) = name;
	output_open(&files->out, fd, name, files->diag);
	files->out.terminal = isatty(fd);
	return &files->out;
}
