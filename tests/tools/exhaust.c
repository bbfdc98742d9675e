/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exhaust: runs a program again and again, and lets another allocation fail each time.
 *
 *   exhaust [-f FILE] LIBRARY WHAT COMMAND...
 *
 * LIBRARY is tests/faults/failing.c. The first run is undisturbed. Then the first allocation fails,
 * the second, and so on until there are no more; and once more, where all behind the first that
 * fails do so as well.
 *
 * Each run has to end with status 1 and one line on stderr, or to do just what the undisturbed one
 * did. FILE is one that COMMAND writes; it holds "old\n" before each run, and after one that failed
 * this still, or all of the new. No run may leave other files in the current directory. Prints "ok"
 * or "not ok", how many points WHAT has, and the runs that went wrong.
 */
#include "bytes.h"
#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char tool_name[] = "exhaust";

enum { SECONDS = 20, MAX_BYTES = 1 << 20, MAX_SHOWN = 10 };

static const char old_text[] = "old\n";

struct content {
	char bytes[MAX_BYTES];
	size_t n;
};

struct run {
	int status;
	bool reached;
	int nnew; /* files */
	struct content out, err, file;
};

struct job {
	const char *library, *file;
	char **command;
	int out, err;
};

static void read_all(int fd, struct content *content)
{
	ssize_t n;

	content->n = 0;
	while ((n = pread(fd, content->bytes + content->n, MAX_BYTES - content->n,
			  (off_t)content->n)) > 0)
		content->n += (size_t)n;
}

static void write_old(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || write(fd, old_text, sizeof(old_text) - 1) < 0)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

static int count_files(void)
{
	DIR *dir = opendir(".");
	int n = 0;

	while (dir && readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static _Noreturn void become(const struct job *job, long at, bool all, int told)
{
	char number[32];

	snprintf(number, sizeof(number), "%ld", at);
	setenv("FAIL_AT", number, 1);
	snprintf(number, sizeof(number), "%d", told);
	setenv("FAIL_FD", number, 1);
	if (all)
		setenv("FAIL_ALL", "1", 1);
	setenv("LD_PRELOAD", job->library, 1);
	alarm(SECONDS);
	dup2(job->out, 1);
	dup2(job->err, 2);
	execvp(job->command[0], job->command);
	_exit(CHILD_CANNOT_RUN);
}

/* The at'th allocation fails; 0: none. */
static void run(const struct job *job, long at, bool all, struct run *run)
{
	int told[2];
	int nfiles;
	char byte;
	pid_t pid;

	if (pipe(told) != 0 || ftruncate(job->out, 0) != 0 || ftruncate(job->err, 0) != 0)
		die("%s", strerror(errno));
	lseek(job->out, 0, SEEK_SET);
	lseek(job->err, 0, SEEK_SET);
	if (job->file)
		write_old(job->file);
	nfiles = count_files();
	pid = fork();
	if (pid == 0)
		become(job, at, all, told[1]);
	close(told[1]);
	if (pid < 0 || waitpid(pid, &run->status, 0) < 0)
		die("%s", strerror(errno));
	run->reached = read(told[0], &byte, 1) == 1;
	close(told[0]);
	read_all(job->out, &run->out);
	read_all(job->err, &run->err);
	run->nnew = count_files() - nfiles;
	if (job->file) {
		int fd = open(job->file, O_RDONLY);

		read_all(fd, &run->file);
		close(fd);
	}
}

static bool same(const struct content *a, const struct content *b)
{
	return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

static bool is_line(const struct content *text)
{
	return text->n > 0 && memchr(text->bytes, '\n', text->n) == text->bytes + text->n - 1;
}

static bool is_old(const struct content *file)
{
	return file->n == sizeof(old_text) - 1 && memcmp(file->bytes, old_text, file->n) == 0;
}

static const char *wrong(const struct run *r, const struct run *good)
{
	if (WIFSIGNALED(r->status))
		return "a signal";
	if (r->nnew != good->nnew)
		return "a file is left";
	if (r->status == good->status)
		return !same(&r->out, &good->out)     ? "other output without a word"
		       : !same(&r->err, &good->err)   ? "other messages"
		       : !same(&r->file, &good->file) ? "another file without a word"
						      : NULL;
	if (WEXITSTATUS(r->status) != 1)
		return "a status of its own";
	if (!is_line(&r->err))
		return "not one line on stderr";
	if (!same(&r->file, &good->file) && !is_old(&r->file))
		return "the file is neither the old nor the new one";
	return NULL;
}

/* Returns how many points there were; adds to *nwrong. */
static long exhaust(const struct job *job, bool all, const struct run *good, long *nwrong)
{
	struct run *r = xcalloc(1, sizeof(*r));
	long at = 0;

	for (;;) {
		const char *what;

		run(job, ++at, all, r);
		if (!r->reached)
			break;
		what = wrong(r, good);
		if (what && ++*nwrong <= MAX_SHOWN)
			printf("# allocation %ld%s: %s; status %d, stderr: %.*s\n", at,
			       all ? " and all behind it" : "", what, r->status,
			       (int)(r->err.n < 200 ? r->err.n : 200), r->err.bytes);
	}
	free(r);
	return at - 1;
}

int main(int argc, char **argv)
{
	struct job job = { .out = child_scratch_file(), .err = child_scratch_file() };
	struct run *good = xcalloc(1, sizeof(*good));
	long npoints, nwrong = 0;

	if (argc > 2 && strcmp(argv[1], "-f") == 0) {
		job.file = argv[2];
		argc -= 2;
		argv += 2;
	}
	if (argc < 4)
		die("usage: exhaust [-f FILE] LIBRARY WHAT COMMAND...");
	job.library = argv[1];
	job.command = argv + 3;
	run(&job, 0, false, good);
	if (!WIFEXITED(good->status) || WEXITSTATUS(good->status) != 0)
		die("%s: fails without a fault: %.*s", argv[2], (int)good->err.n, good->err.bytes);
	npoints = exhaust(&job, false, good, &nwrong);
	exhaust(&job, true, good, &nwrong);
	printf("%s - %s: %ld points\n", nwrong || !npoints ? "not ok" : "ok", argv[2], npoints);
	free(good);
	return 0;
}
