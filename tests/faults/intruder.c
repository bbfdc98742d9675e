/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library to preload that stands in for who has found a hole in a library of gprof's: when the
 * process that reads data writes to standard output, it tries what must not be possible, and says
 * on stderr what was: "intruder: DID what", and at the end "intruder: N tried". It works in the
 * directory INTRUDER, where there is a file `victim`. With INTRUDER_ASKS set it also says
 * "intruder: the kernel lacks PART" of each part of a sandbox that it could not have.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int tried;

static void attempt(const char *what, bool done)
{
	tried++;
	if (done)
		fprintf(stderr, "intruder: DID %s\n", what);
}

static const char *in(const char *name)
{
	static char path[2][4096];
	static int next;

	next = !next;
	snprintf(path[next], sizeof(path[next]), "%s/%s", getenv("INTRUDER"), name);
	return path[next];
}

static bool runs_program(void)
{
	char *words[] = { (char *)"/bin/true", NULL };
	int status = 1;
	pid_t child = fork();

	if (child == 0) {
		execv(words[0], words);
		_exit(1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void attempt_files(void)
{
	attempt("create a file", open(in("new"), O_WRONLY | O_CREAT, 0666) >= 0);
	attempt("write a file", open(in("victim"), O_WRONLY) >= 0);
	attempt("append", open(in("victim"), O_RDWR | O_APPEND) >= 0);
	attempt("open a nameless file", open(in("."), O_RDWR | O_TMPFILE, 0600) >= 0);
	attempt("remove a file", unlink(in("victim")) == 0);
	attempt("rename a file", rename(in("victim"), in("other")) == 0);
	attempt("link a file", link(in("victim"), in("linked")) == 0);
	attempt("make a link", symlink("victim", in("symbolic")) == 0);
	attempt("make a directory", mkdir(in("directory"), 0777) == 0);
	attempt("make a pipe", mkfifo(in("fifo"), 0666) == 0);
}

static void attempt_calls(void)
{
	const char byte = 'x';
	char words[8] = "";
	struct iovec from = { words, 1 }, to = { words, 1 };

	attempt("run a program", runs_program());
	attempt("run one by descriptor", syscall(SYS_execveat, open("/bin/true", O_PATH), "", NULL,
						 NULL, AT_EMPTY_PATH) == 0);
	attempt("open a socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
	attempt("open a local socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
	attempt("trace its parent", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0);
	attempt("write to its parent", process_vm_writev(getppid(), &from, 1, &to, 1, 0) >= 0);
	attempt("type", ioctl(STDIN_FILENO, TIOCSTI, &byte) == 0);
	attempt("use io_uring", syscall(425, 1, words) >= 0 || errno != EPERM);
	attempt("make a user namespace", syscall(SYS_unshare, 0x10000000) == 0);
	attempt("make a program filter", syscall(SYS_bpf, 0, words, 8) >= 0 || errno != EPERM);
#ifdef __x86_64__
	attempt("call by other numbers", syscall(0x40000000 + 39) >= 0 || errno != EPERM);
#endif
}

static void ask_kernel(void)
{
	unsigned refuse = SECCOMP_RET_ERRNO;

	if (syscall(444, NULL, 0, 1) < 1)
		fprintf(stderr, "intruder: the kernel lacks Landlock\n");
	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &refuse) < 0)
		fprintf(stderr, "intruder: the kernel lacks filters\n");
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	ssize_t (*next)(int, const void *, size_t);
	void *found = dlsym(RTLD_NEXT, "write");
	static bool done;

	memcpy(&next, &found, sizeof(next));
	if (!done && getenv("INTRUDER") && n > 0 &&
	    (fd == STDOUT_FILENO || getenv("INTRUDER_ANYWHERE")) && fd != STDERR_FILENO) {
		done = true;
		if (getenv("INTRUDER_ASKS"))
			ask_kernel();
		attempt_files();
		attempt_calls();
		fprintf(stderr, "intruder: %d tried\n", tried);
	}
	return next(fd, bytes, n);
}
