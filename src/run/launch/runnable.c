/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows the rules of the kernel and the loader, from the first bytes of a file. */
#include "config.h"

#include "run/launch/runnable.h"

#include "base/path.h"
#include "run/launch/misnamed.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { HEAD_BYTES = 4096, SCRIPTS_DEEP = 4 };

/* The beginning of a file, with a NUL added. */
struct head {
	size_t n;
	union {
		char text[HEAD_BYTES + 1];
		ElfW(Ehdr) elf;
	};
};

/* The data of an ELF file that the loader checks. */
struct loading {
	unsigned char class, data; /* as in e_ident */
	unsigned machine;
	bool is_elf;
	char interpreter[PATH_MAX]; /* path of the loader; empty: the file needs none */
};

static bool runnable_read_head(struct head *head, const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, head->text, HEAD_BYTES);

	if (fd >= 0)
		close(fd);
	head->n = n < 0 ? 0 : (size_t)n;
	head->text[head->n] = '\0';
	return n >= 0;
}

/* Looks for the loader's path in the head, where most linkers put the program headers. */
static void runnable_find_loader(struct loading *l, const struct head *head)
{
	const ElfW(Ehdr) *elf = &head->elf;

	for (unsigned i = 0; i < elf->e_phnum; i++) {
		uint64_t at = elf->e_phoff + (uint64_t)i * sizeof(ElfW(Phdr));
		ElfW(Phdr) segment;

		if (elf->e_phoff > head->n || at + sizeof(segment) > head->n)
			return;
		memcpy(&segment, head->text + at, sizeof(segment));
		if (segment.p_type == PT_INTERP && segment.p_offset < head->n)
			snprintf(l->interpreter, sizeof(l->interpreter), "%s",
				 head->text + segment.p_offset);
	}
}

static struct loading runnable_loading(const struct head *head)
{
	const unsigned char own = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	struct loading l = { 0 };

	l.is_elf = head->n >= sizeof(ElfW(Ehdr)) && memcmp(head->elf.e_ident, ELFMAG, SELFMAG) == 0;
	if (!l.is_elf)
		return l;
	l.class = head->elf.e_ident[EI_CLASS];
	l.data = head->elf.e_ident[EI_DATA];
	l.machine = head->elf.e_machine; /* at the same offset in both classes */
	if (l.class == own)
		runnable_find_loader(&l, head);
	return l;
}

/* Returns the path if the file can be run, else NULL with the reason in errno. */
static const char *runnable_at(const char *path, struct stat *st)
{
	if (stat(path, st) < 0)
		return NULL;
	if (S_ISREG(st->st_mode) && access(path, X_OK) == 0)
		return path;
	errno = S_ISDIR(st->st_mode) ? EISDIR : EACCES;
	return NULL;
}

/* Looks for a program in the directories of PATH. */
static const char *runnable_search(const char *name, struct stat *st, struct arena *mem)
{
	const char *list = getenv("PATH");
	int error = ENOENT;

	for (const char *dir = list ? list : "/bin:/usr/bin"; *dir;) {
		size_t n = strcspn(dir, ":");
		size_t bytes = n + strlen(name) + 3;
		char *path = arena_alloc(mem, bytes, 1);

		snprintf(path, bytes, "%.*s%s%s", (int)n, dir, n > 0 ? "/" : "./", name);
		if (runnable_at(path, st))
			return path;
		if (errno == EACCES)
			error = EACCES;
		dir += n + (dir[n] == ':');
	}
	errno = error;
	return NULL;
}

static const char *runnable_named(const char *name, struct stat *st, struct arena *mem)
{
	return strchr(name, '/') ? runnable_at(name, st) : runnable_search(name, st, mem);
}

/*
 * Returns the program that env runs, from the words after its name in a script's first line: the
 * next word, or after -S the first word that sets no variable. NULL if that takes more of env's
 * rules.
 */
static const char *runnable_after_env(const char *line, struct arena *mem)
{
	static const char blanks[] = " \t\r";
	size_t n;

	if (strncmp(line, "-S", 2) == 0) {
		line += 2 + strspn(line + 2, blanks);
		for (n = strcspn(line, " \t\r\n"); memchr(line, '=', n);
		     n = strcspn(line, " \t\r\n")) {
			if (strncmp(line, "PATH=", 5) == 0)
				return NULL;
			line += n + strspn(line + n, blanks);
		}
		if (strcspn(line, "\"'\\$#") < n)
			return NULL;
	} else {
		n = strcspn(line, " \t\n");
	}
	return n > 0 && *line != '-' ? arena_strndup(mem, line, n) : NULL;
}

/* Returns the interpreter that a script's first line names, or NULL. */
static const char *runnable_interpreter(const struct head *head, struct arena *mem)
{
	const char *start = head->text + 2, *name, *after_env = NULL;

	if (head->n < 2 || memcmp(head->text, "#!", 2) != 0)
		return NULL;
	start += strspn(start, " \t");
	name = arena_strndup(mem, start, strcspn(start, " \t\n"));
	start += strlen(name);
	start += strspn(start, " \t");
	if (strcmp(path_base(name), "env") == 0)
		after_env = runnable_after_env(start, mem);
	return after_env ? after_env : name;
}

static int runnable_refuse(const char *name, int error, struct arena *mem, struct diag *diag)
{
	diag_error(diag, "%s: %s%s", name, strerror(error), misnamed_hint(name, error, mem));
	return error == ENOENT || error == ENOTDIR ? RUNNABLE_MISSING : RUNNABLE_REFUSED;
}

int runnable_find(struct runnable *found, const char *command, struct arena *mem, struct diag *diag)
{
	struct head head;
	struct stat st;
	const char *next;

	found->path = runnable_named(command, &st, mem);
	if (!found->path)
		return runnable_refuse(command, errno, mem, diag);
	found->image = found->path;
	for (int i = 0; i < SCRIPTS_DEEP && runnable_read_head(&head, found->image); i++) {
		next = runnable_interpreter(&head, mem);
		if (!next)
			break;
		found->image = runnable_named(next, &st, mem);
		if (!found->image)
			return runnable_refuse(next, errno, mem, diag);
	}
	found->device = st.st_dev;
	found->inode = st.st_ino;
	return 0;
}

/*
 * Whether the loader ignores LD_PRELOAD, because the process would have more rights than its user.
 */
static bool runnable_has_privileges(const char *path)
{
	struct stat st;

	if (getxattr(path, "security.capability", NULL, 0) > 0)
		return true;
	return stat(path, &st) == 0 && ((st.st_mode & S_ISUID && st.st_uid != geteuid()) ||
					(st.st_mode & S_ISGID && st.st_gid != getegid()));
}

/* Whether the file has a note of the Go linker, which is in the first bytes. */
static bool runnable_is_go(const struct head *head)
{
	static const char name[] = "\4\0\0\0Go\0"; /* the type of the note, then its name */

	return memmem(head->text, head->n, name, sizeof(name)) != NULL;
}

bool runnable_takes(const struct runnable *found, const char *library, struct diag *diag)
{
	struct head head;
	struct loading program, own;
	const char *path = found->image;

	if (!runnable_read_head(&head, library)) {
		diag_error(diag, "%s: %s", library, strerror(errno));
		return false;
	}
	own = runnable_loading(&head);
	if (!runnable_read_head(
		    &head, path)) /* the file can be run, but not read, so it cannot be profiled */
		diag_error(diag, "%s: %s", path, strerror(errno));
	program = runnable_loading(&head);
	if (head.n == 0)
		return false;
	if (!program.is_elf)
		diag_error(diag, "%s: neither an executable of this system nor a script with #!",
			   path);
	else if (program.class != own.class || program.data != own.data ||
		 program.machine != own.machine)
		diag_error(diag,
			   "%s: is for another machine than %s: link it with a libgmon.a for that "
			   "one (-pg -lgmon), or take perf record",
			   path, library);
	else if (!program.interpreter[0] && runnable_is_go(&head))
		diag_error(diag,
			   "%s: is a Go program, linked statically: take its own profiler (go tool "
			   "pprof), or perf record",
			   path);
	else if (!program.interpreter[0])
		diag_error(diag,
			   "%s: is linked statically: link it dynamically or with libgmon.a (-pg "
			   "-lgmon), or take perf record",
			   path);
	else if (runnable_has_privileges(path))
		diag_error(diag,
			   "%s: runs with privileges, so the loader preloads no library: profile "
			   "a copy without them, or take perf record as root",
			   path);
	else
		return true;
	return false;
}
