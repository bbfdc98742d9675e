/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gprof's main() as a function that returns, and what it has to keep to.
 */
#define _GNU_SOURCE 1
#include "fuzz.h"

#define main           gprof_main
#define exit           gprof_exit
#define diag_to_stderr gprof_diag
#define launch_program gprof_launch
#define confine_begin  gprof_confine
int gprof_main(int argc, char **argv);
#include "main.c"
#include "run/command/command.h"
#undef main
#undef exit
#undef diag_to_stderr
#undef launch_program
#undef confine_begin
struct confined confine_begin(const confine_paths *outputs, const struct arena *mem);

#include "base/join.h"
#include "io/source.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static jmp_buf library_exit;
static unsigned nerrors, nlines;

void finding(const char *what)
{
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

void finding_no_memory(void *arg)
{
	(void)arg;
	finding("out of memory");
}

void ignore_line(void *to, const char *line)
{
	(void)to;
	if (getenv("FUZZ_VERBOSE"))
		fprintf(stderr, "%s\n", line);
}

static void count_message(void *to, const char *line)
{
	const char *kind = strchr(line, ' ');

	ignore_line(to, line);
	nlines++;
	if (kind && strncmp(kind, " warning: ", 10) != 0 && strncmp(kind, " note: ", 7) != 0)
		nerrors++;
}

struct diag gprof_diag(const char *program)
{
	(void)program;
	return (struct diag){ .program = "gprof", .sink = count_message };
}

/* Only a lack of memory leads here, and no input that is small is a reason for one. */
void gprof_exit(int status)
{
	(void)status;
	finding("out of memory");
}

/* libiberty, of option files: it has said why. */
void xexit(int status)
{
	nerrors++;
	nlines++;
	longjmp(library_exit, status ? 1 : 2);
}

/* No words of a fuzzer's are to be run. */
int gprof_launch(struct launch *launch, const struct launch_request *request, struct arena *mem,
		 struct diag *diag)
{
	(void)mem;
	launch->status = EXIT_FAILURE;
	diag_error(diag, "%s: is not run", request->command[0]);
	return -1;
}

/* The sandbox is there already. */
struct confined gprof_confine(const confine_paths *outputs, const struct arena *mem)
{
	(void)outputs;
	(void)mem;
	return (struct confined){ 0, 0, 0 };
}

/* One process: the fuzzer looks after crashes. */
bool guard_begin(const char *image, bool pages, int *status, struct diag *diag)
{
	(void)image;
	(void)pages;
	(void)status;
	(void)diag;
	return true;
}

int whole(char **words)
{
	/* The parser moves them. */
	char *argv[128] = { NULL };
	volatile int argc = 0, status = EXIT_FAILURE;

	while (words[argc] && argc + 1 < (int)(sizeof(argv) / sizeof(argv[0]))) {
		argv[argc] = words[argc];
		argc++;
	}
	nerrors = nlines = 0;
	if (setjmp(library_exit) == 0)
		status = gprof_main(argc, argv);
	if (status != EXIT_SUCCESS && status != EXIT_FAILURE && status != COMMAND_CAUSE)
		finding("a status that is neither 0, 1 nor 3");
	/* A file can have the name "warning: ", so that the error looks like one. */
	if (status == EXIT_FAILURE && nlines == 0)
		finding("status 1 without a message");
	if (status == EXIT_SUCCESS && nerrors > 0)
		finding("an error with status 0");
	return status;
}

int memory_file(const void *bytes, size_t n)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || pwrite(fd, bytes, n, 0) != (ssize_t)n) {
		perror("fuzz: a file in memory");
		_exit(EXIT_FAILURE);
	}
	return fd;
}

void fd_path(char path[FD_PATH], int fd)
{
	snprintf(path, FD_PATH, "/proc/self/fd/%d", fd);
}

/* The fuzzer writes to directories that FUZZ_WRITES names, with colons between them, and here. */
static void enter_sandbox(void)
{
	const char *writes = getenv("FUZZ_WRITES");
	struct arena mem = { .no_memory = finding_no_memory };
	confine_paths outputs = { 0 };
	string_array directories = { 0 };

	source_add_path(&directories, writes ? writes : ".", &mem);
	for (size_t i = 0; i < directories.n; i++)
		array_push(&mem, &outputs) = JOIN(&mem, directories.at[i], "/input");
	array_push(&mem, &outputs) = "input";
	confine_begin(&outputs, &mem);
	arena_free(&mem);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int null = open("/dev/null", O_RDWR);

	(void)argc;
	(void)argv;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	close(null);
	unsetenv("GPROF_PATH");
	enter_sandbox();
	return 0;
}
