/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * interfere CALL N ACTION PROGRAM ARGUMENT...: runs PROGRAM, and ACTION at the N-th system call
 * CALL of it or its children: an error such as ENOSPC, which the call then fails with, or a shell
 * command, which is run before it. N+ means that call and all behind it.
 *
 * ACTION finds the number of the process that calls in the variable CALLER.
 *
 * CALL is a name below. Of mmap, those that load a program are left out: what counts is memory that
 * can be written, anonymous or shared.
 *
 * Ends with PROGRAM's status, and prints a line to stderr first if there was no N-th call. Status
 * 77: this kernel cannot do it.
 */
#include "bytes.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const char tool_name[] = "interfere";

static const struct {
	const char *name;
	int number;
} calls[] = {
	{ "clone", SYS_clone },         { "close", SYS_close },
	{ "fallocate", SYS_fallocate }, { "fsync", SYS_fsync },
	{ "mmap", SYS_mmap },           { "openat", SYS_openat },
	{ "pread64", SYS_pread64 },     { "pwrite64", SYS_pwrite64 },
	{ "read", SYS_read },           { "renameat2", SYS_renameat2 },
#ifdef SYS_rename
	{ "rename", SYS_rename },
#endif
	{ "statx", SYS_statx },         { "unlinkat", SYS_unlinkat },
	{ "write", SYS_write },         { "linkat", SYS_linkat },
	{ "prctl", SYS_prctl },         { "landlock_create_ruleset", 444 },
	{ "landlock_add_rule", 445 },   { "landlock_restrict_self", 446 },
};

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "EACCES", EACCES }, { "EAGAIN", EAGAIN }, { "EDQUOT", EDQUOT },
	{ "EIO", EIO },       { "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC },
	{ "EPERM", EPERM },   { "EINVAL", EINVAL }, { "ENOSYS", ENOSYS },
};

static int call_number(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].number;
	die("no such call: %s", name);
}

/* 0: not the name of an error. */
static int error_number(const char *name)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strcmp(errors[i].name, name) == 0)
			return errors[i].number;
	return 0;
}

/* Makes the kernel ask at each such call of this process and its children; who answers reads the
 * result, a descriptor. */
static int install(int number)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

/* Passes a descriptor (send >= 0), or returns one that was passed, -1: none. sendmsg and recvmsg
 * are calls that nothing is asked about. */
static int pass(int socket, int send)
{
	union control control = { .bytes = { 0 } };
	char byte = 0;
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *head;
	int got = -1;

	message.msg_control = control.bytes;
	message.msg_controllen = sizeof(control.bytes);
	if (send < 0) {
		if (recvmsg(socket, &message, 0) != 1)
			return -1;
		head = CMSG_FIRSTHDR(&message);
		if (head)
			memcpy(&got, CMSG_DATA(head), sizeof(int));
		return got;
	}
	head = CMSG_FIRSTHDR(&message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &send, sizeof(int));
	return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
}

static _Noreturn void become(int socket, int number, char **command)
{
	int listener = install(number);

	if (listener < 0 || pass(socket, listener) < 0)
		_exit(CHILD_UNAVAILABLE);
	/* Whoever runs the tests may have made the shell ignore them, as nohup does. */
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	execvp(command[0], command);
	_exit(CHILD_CANNOT_RUN);
}

/* Whether this call is one to count. */
static bool counts(const struct seccomp_data *data)
{
	if (data->nr != SYS_mmap)
		return true;
	return data->args[2] & PROT_WRITE &&
	       (data->args[3] & MAP_ANONYMOUS ? !(data->args[3] & (MAP_FIXED | MAP_STACK))
					      : (data->args[3] & MAP_SHARED) != 0);
}

struct plan {
	long at;
	bool onward;
	const char *action;
	long ncalls; /* so far */
};

static int act(const char *action, pid_t caller)
{
	char number[32];

	snprintf(number, sizeof(number), "%ld", (long)caller);
	setenv("CALLER", number, 1);
	return system(action);
}

static void answer(int listener, struct plan *plan)
{
	struct seccomp_notif asked = { 0 };
	struct seccomp_notif_resp reply = { 0 };
	bool now;

	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
		return;
	reply.id = asked.id;
	reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	if (counts(&asked.data))
		plan->ncalls++;
	now = counts(&asked.data) &&
	      (plan->ncalls == plan->at || (plan->onward && plan->ncalls > plan->at));
	if (now && error_number(plan->action)) {
		reply.flags = 0;
		reply.error = -error_number(plan->action);
	} else if (now && act(plan->action, (pid_t)asked.pid) != 0) {
		fprintf(stderr, "interfere: %s: failed\n", plan->action);
	}
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

int main(int argc, char **argv)
{
	struct plan plan;
	int sockets[2], listener, status, number;
	pid_t pid;

	if (argc < 5)
		die("usage: interfere CALL N ACTION PROGRAM ARGUMENT...");
	number = call_number(argv[1]);
	plan = (struct plan){ .at = atol(argv[2]), .onward = strchr(argv[2], '+') != NULL };
	plan.action = argv[3];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
		return CHILD_UNAVAILABLE;
	pid = fork();
	if (pid == 0)
		become(sockets[1], number, argv + 4);
	close(sockets[1]);
	listener = pid < 0 ? -1 : pass(sockets[0], -1);
	for (;;) {
		struct pollfd ready = { .fd = listener, .events = POLLIN };

		if (listener < 0 || poll(&ready, 1, -1) < 0 || !(ready.revents & POLLIN))
			break;
		answer(listener, &plan);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return CHILD_UNAVAILABLE;
	if (plan.ncalls < plan.at)
		fprintf(stderr, "interfere: only %ld calls\n", plan.ncalls);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
