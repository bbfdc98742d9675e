/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files are written beside their place and renamed. */
#include "config.h"

#include "io/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int fail(const struct newfile *file, const char *reason, struct diag *diag)
{
	diag_error(diag, "%s: %s", file->path, reason);
	return -1;
}

/* What keeps a new file from taking the place of what is there, or NULL. */
static const char *obstacle(struct newfile *file)
{
	if (lstat(file->path, &file->old) < 0) {
		file->old.st_mode = 0;
		return errno == ENOENT ? NULL : strerror(errno);
	}
	switch (file->old.st_mode & S_IFMT) {
	case S_IFREG:
		return access(file->path, W_OK) < 0 ? strerror(errno) : NULL;
	case S_IFLNK:
		return "is a symbolic link";
	case S_IFDIR:
		return strerror(EISDIR);
	default:
		return "not a regular file";
	}
}

static int open_beside(struct newfile *file, struct arena *mem)
{
	size_t size = strlen(file->path) + 48;

	file->temporary = arena_array(mem, char, size);
	for (unsigned try = 0; try < 100; try++) {
		snprintf(file->temporary, size, "%s.%ld-%u", file->path, (long)getpid(), try);
		file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (file->fd >= 0 || errno != EEXIST)
			break;
	}
	return file->fd < 0 ? -1 : 0;
}

int newfile_open(struct newfile *file, const char *path, struct arena *mem, struct diag *diag)
{
	const char *reason;

	file->path = path;
	reason = obstacle(file);
	if (!reason && open_beside(file, mem) < 0)
		reason = strerror(errno);
	return reason ? fail(file, reason, diag) : 0;
}

/*
 * What the group of the old file might do is nothing to another one. A file system that has neither
 * owners nor permissions is as good as ever.
 */
static void keep_rights(const struct newfile *file)
{
	mode_t mode = file->old.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
	struct stat now;

	if (fstat(file->fd, &now) < 0)
		return;
	if (now.st_uid != file->old.st_uid && fchown(file->fd, file->old.st_uid, (gid_t)-1) == 0)
		now.st_uid = file->old.st_uid;
	if (now.st_gid != file->old.st_gid && fchown(file->fd, (uid_t)-1, file->old.st_gid) < 0)
		mode &= ~(mode_t)S_IRWXG | (mode & S_IRWXO) << 3;
	(void)!fchmod(file->fd, mode);
}

int newfile_close(struct newfile *file, bool good, struct diag *diag)
{
	int rc = good ? 0 : -1;

	if (good && file->old.st_mode)
		keep_rights(file);
	if (close(file->fd) < 0 && rc == 0)
		rc = fail(file, strerror(errno), diag);
	if (rc == 0 && rename(file->temporary, file->path) < 0)
		rc = fail(file, strerror(errno), diag);
	if (rc < 0)
		unlink(file->temporary);
	return rc;
}
