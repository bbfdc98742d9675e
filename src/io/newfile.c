/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a file in the directory of its name, if possible without giving it a name until it is
 * complete, then renames it.
 */
#include "config.h"

#include "io/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ALL_RIGHTS = S_IRWXU | S_IRWXG | S_IRWXO, TRIES = 100, PROC_BYTES = 40 };

static int newfile_fail(const struct newfile *file, const char *reason, struct diag *diag)
{
	diag_error(diag, "%s: %s", file->path, reason);
	return -1;
}

/* Why a new file must not replace the one that is there, or NULL. */
static const char *newfile_obstacle(struct newfile *file, const file_ids *inputs)
{
	if (lstat(file->path, &file->old) < 0) {
		file->old.st_mode = 0;
		return errno == ENOENT ? NULL : strerror(errno);
	}
	switch (file->old.st_mode & S_IFMT) {
	case S_IFREG:
		if (fileids_has(inputs, &file->old))
			return "not replaced, as this run reads it";
		return access(file->path, W_OK) < 0 ? strerror(errno) : NULL;
	case S_IFLNK:
		return "is a symbolic link";
	case S_IFDIR:
		return strerror(EISDIR);
	default:
		return "not a regular file";
	}
}

/* Blocks the signals with which users end programs, not those of crashes. */
static void newfile_hold_signals(struct newfile *file)
{
	static const int numbers[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
				       SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2 };
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&held, numbers[i]);
	sigprocmask(SIG_BLOCK, &held, &file->before);
}

static void newfile_let_signals(const struct newfile *file)
{
	sigprocmask(SIG_SETMASK, &file->before, NULL);
}

/* Makes the name in /proc of an open file, which exists even if the file has no other name. */
static void newfile_name_in_proc(const struct newfile *file, char name[PROC_BYTES])
{
	snprintf(name, PROC_BYTES, "/proc/self/fd/%d", file->fd);
}

/* Opens a file without a name (O_TMPFILE), which can be given one later. */
static int newfile_open_nameless(struct newfile *file, mode_t mode)
{
#ifdef O_TMPFILE
	const char *slash = strrchr(file->path, '/');
	size_t n = slash ? (size_t)(slash + 1 - file->path) : 0;
	char in_proc[PROC_BYTES];

	/* `temporary` has room for a whole name; until that is needed, it holds the directory. */
	memcpy(file->temporary, file->path, n);
	memcpy(file->temporary + n, ".", 2);
	file->fd = open(file->temporary, O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
	if (file->fd < 0)
		return -1;
	newfile_name_in_proc(file, in_proc);
	if (access(in_proc, F_OK) == 0)
		return 0;
	close(file->fd);
#else
	(void)mode;
#endif
	file->fd = -1;
	return -1;
}

static void newfile_choose_name(const struct newfile *file, size_t size, unsigned try)
{
	snprintf(file->temporary, size, "%s.%ld-%u", file->path, (long)getpid(), try);
}

static size_t newfile_name_bytes(const struct newfile *file)
{
	return strlen(file->path) + 48;
}

static int newfile_open_named(struct newfile *file, mode_t mode)
{
	newfile_hold_signals(file);
	for (unsigned try = 0; try < TRIES; try++) {
		newfile_choose_name(file, newfile_name_bytes(file), try);
		file->fd = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (file->fd >= 0 || errno != EEXIST)
			break;
	}
	file->has_name = file->fd >= 0;
	if (!file->has_name)
		newfile_let_signals(file);
	return file->has_name ? 0 : -1;
}

int newfile_open(struct newfile *file, const char *path, const file_ids *inputs, unsigned rights,
		 struct arena *mem, struct diag *diag)
{
	const char *reason;
	mode_t mode;

	*file = (struct newfile){ .path = path, .fd = -1, .rights = rights };
	reason = newfile_obstacle(file, inputs);
	if (reason)
		return newfile_fail(file, reason, diag);
	file->temporary = arena_array(mem, char, newfile_name_bytes(file));
	/* newfile_keep_rights() adds the other permissions of the old file. */
	mode = (file->old.st_mode ? S_IRUSR | S_IWUSR : 0666) & rights;
	if (newfile_open_nameless(file, mode) < 0 && newfile_open_named(file, mode) < 0)
		return newfile_fail(file, strerror(errno), diag);
	return 0;
}

/*
 * Gives the file the owner and permissions of the old one. Without the same group, permissions for
 * that group are dropped. File systems without owners or permissions are accepted.
 */
static void newfile_keep_rights(const struct newfile *file)
{
	mode_t mode = file->old.st_mode & file->rights & ALL_RIGHTS;
	struct stat now;

	if (fstat(file->fd, &now) < 0)
		return;
	if (now.st_uid != file->old.st_uid && fchown(file->fd, file->old.st_uid, (gid_t)-1) == 0)
		now.st_uid = file->old.st_uid;
	if (now.st_gid != file->old.st_gid && fchown(file->fd, (uid_t)-1, file->old.st_gid) < 0)
		mode &= ~(mode_t)S_IRWXG | (mode & S_IRWXO) << 3;
	(void)!fchmod(file->fd, mode);
}

/* Writes the file to disk. Returns 0 or an errno; not every file system supports it. */
static int newfile_put_on_disk(const struct newfile *file)
{
	int rc;

	do
		rc = fsync(file->fd);
	while (rc < 0 && errno == EINTR);
	return rc == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS ? 0 : errno;
}

/* Gives the file its temporary name, since only rename() replaces a file. Returns 0 or an errno. */
static int newfile_give_name(struct newfile *file)
{
	char in_proc[PROC_BYTES];
	int rc = -1;

	newfile_name_in_proc(file, in_proc);
	for (unsigned try = 0; try < TRIES && rc < 0; try++) {
		newfile_choose_name(file, newfile_name_bytes(file), try);
		rc = linkat(AT_FDCWD, in_proc, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW);
		if (rc < 0 && errno != EEXIST)
			break;
	}
	file->has_name = rc == 0;
	return rc < 0 ? errno : 0;
}

/* Completes and closes the file under its temporary name. Returns 0 or an errno. */
static int newfile_complete(struct newfile *file)
{
	int error;

	if (file->old.st_mode)
		newfile_keep_rights(file);
	error = newfile_put_on_disk(file);
	if (!error && !file->has_name)
		error = newfile_give_name(file);
	if (close(file->fd) < 0 && !error)
		error = errno;
	return error;
}

static int newfile_rename(const char *from, const char *to)
{
	return rename(from, to) < 0 ? errno : 0;
}

int newfile_close(struct newfile *file, bool good, struct diag *diag)
{
	int error = 0;

	if (!file->has_name)
		newfile_hold_signals(file);
	if (good)
		error = newfile_complete(file);
	else
		close(file->fd);
	if (good && !error)
		error = newfile_rename(file->temporary, file->path);
	if ((error || !good) && file->has_name)
		unlink(file->temporary);
	newfile_let_signals(file);
	if (error && good)
		newfile_fail(file, strerror(error), diag);
	return error || !good ? -1 : 0;
}

/*
 * Renames both, each being complete under its temporary name. Returns the one that could not be,
 * with an errno; or NULL.
 */
static struct newfile *newfile_rename_pair(struct newfile *file, struct newfile *beside,
					   const char *waiting, int *error)
{
	const char *first = beside->old.st_mode ? waiting : beside->path;

	*error = newfile_rename(beside->temporary, first);
	if (*error)
		return beside;
	beside->has_name = false;
	*error = newfile_rename(file->temporary, file->path);
	if (*error) {
		unlink(first);
		return file;
	}
	file->has_name = false;
	*error = first == waiting ? newfile_rename(waiting, beside->path) : 0;
	return *error ? beside : NULL;
}

int newfile_close_pair(struct newfile *file, struct newfile *beside, const char *waiting,
		       struct diag *diag)
{
	struct newfile *failed = NULL;
	sigset_t before;
	int error, other;

	/* What was held since one of them was opened is let with the first that was. */
	if (!file->has_name)
		newfile_hold_signals(file);
	before = !file->has_name && beside->has_name ? beside->before : file->before;
	error = newfile_complete(file);
	other = newfile_complete(beside);
	if (error || other) {
		failed = error ? file : beside;
		error = error ? error : other;
	} else {
		failed = newfile_rename_pair(file, beside, waiting, &error);
	}
	if (file->has_name)
		unlink(file->temporary);
	if (beside->has_name)
		unlink(beside->temporary);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (failed)
		newfile_fail(failed, strerror(error), diag);
	return failed ? -1 : 0;
}
