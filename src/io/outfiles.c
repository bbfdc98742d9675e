/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each output file is compared with all files before it, so the cost is linear in their number. */
#include "config.h"

#include "io/outfiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool outfiles_has_name(const struct outfiles *files, const char *name)
{
	for (size_t i = 0; i < files->names.n; i++) {
		if (strcmp(files->names.at[i], name) == 0)
			return true;
	}
	return false;
}

static bool outfiles_is_used(const struct outfiles *files, const char *name)
{
	struct stat st;

	return outfiles_has_name(files, name) ||
	       (files->written.n > 0 && lstat(name, &st) == 0 && fileids_has(&files->written, &st));
}

/*
 * Returns the name or, if a file of this run has it, the first numbered form of it that none has.
 */
static const char *outfiles_choose_name(struct outfiles *files, const char *name)
{
	size_t size = strlen(name) + 16;
	char *chosen = arena_array(files->mem, char, size);

	snprintf(chosen, size, "%s", name);
	for (unsigned i = 2; outfiles_is_used(files, chosen); i++)
		snprintf(chosen, size, "%s.%u", name, i);
	return chosen;
}

/* Allocates the writer, unless it is there. */
static void outfiles_make_writer(struct outfiles *files)
{
	if (!files->out)
		files->out = arena_unset(files->mem, 1, sizeof(*files->out));
}

static struct output *outfiles_open_file(struct output_set *set, const char *name, const char *what,
					 unsigned rights)
{
	struct outfiles *files = (struct outfiles *)set;
	const char *chosen = outfiles_choose_name(files, name);

	outfiles_make_writer(files);
	files->is_stream = false;
	array_push(files->mem, &files->names) = chosen;
	if (newfile_open(&files->file, chosen, &files->inputs, rights, files->mem, files->diag) <
	    0) {
		files->failed = true;
		return NULL;
	}
	if (strcmp(chosen, name) != 0)
		diag_note(files->diag, "%s is in %s", what, chosen);
	output_open(files->out, files->file.fd, chosen, files->diag);
	return files->out;
}

static int outfiles_close_file(struct output_set *set)
{
	struct outfiles *files = (struct outfiles *)set;
	bool good = output_close(files->out) == 0;
	struct stat st;
	int rc = good ? 0 : -1;

	if (files->is_stream) {
		if (close(files->out->fd) < 0 && good) {
			diag_error(files->diag, "%s: %s", files->out->name, strerror(errno));
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
	files->set = (struct output_set){ outfiles_open_file, outfiles_close_file };
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

/* Returns N if the name is /dev/fd/N, else -1. */
static int outfiles_descriptor_named(const char *name)
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

/*
 * Opens a pipe or device to write to it directly. Returns a descriptor; or -1 with errno or *reason
 * set, or with neither if the file is neither a pipe nor a device.
 */
static int outfiles_open_stream(const struct outfiles *files, const char *name, const char **reason)
{
	int fd = outfiles_descriptor_named(name);
	struct stat st;
	bool is_stream =
		fd >= 0 || (lstat(name, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode)));

	errno = 0;
	if (!is_stream || (fd >= 0 && fstat(fd, &st) < 0))
		return -1;
	if (!S_ISCHR(st.st_mode) && outfiles_has_name(files, name))
		*reason = "another export goes there";
	else if (!S_ISCHR(st.st_mode) && fileids_has(&files->inputs, &st))
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
	int fd;

	outfiles_make_writer(files);
	fd = outfiles_open_stream(files, name, &reason);
	if (fd < 0 && !reason && errno == 0)
		return files->set.open(&files->set, name, what, rights);
	if (fd < 0) {
		diag_error(files->diag, "%s: %s", name, reason ? reason : strerror(errno));
		files->failed = true;
		return NULL;
	}
	files->is_stream = true;
	array_push(files->mem, &files->names) = name;
	output_open(files->out, fd, name, files->diag);
	files->out->terminal = isatty(fd);
	return files->out;
}
