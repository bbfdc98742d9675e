/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sandbox [fork]: forbids itself all system calls but some, on pain of death, uses some time, and
 * starts threads, which make calls; or a child does. Status 77: such a filter cannot be had.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hundreds.h"
#include "truth.h"

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS SECCOMP_RET_KILL
#endif

enum { THREADS = 40, CALLS = 1000, UNAVAILABLE = 77 };

/* What threads and stdio need, and a file. */
static const unsigned allowed[] = {
	SYS_read,
	SYS_write,
	SYS_openat,
	SYS_close,
	SYS_newfstatat,
	SYS_mmap,
	SYS_munmap,
	SYS_mprotect,
	SYS_madvise,
	SYS_brk,
	SYS_futex,
	SYS_clone,
#ifdef SYS_clone3
	SYS_clone3,
#endif
#ifdef SYS_rseq
	SYS_rseq,
#endif
	SYS_set_robust_list,
	SYS_rt_sigprocmask,
	SYS_rt_sigaction,
	SYS_rt_sigreturn,
	SYS_prctl,
	SYS_getpid,
	SYS_wait4,
	SYS_exit,
	SYS_exit_group,
};

#define CALLEE(n)                     \
	APART static void f##n(void)  \
	{                             \
		__asm__ volatile(""); \
	}
HUNDRED(CALLEE, 1)

#define CALL(n) f##n();

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void *work(void *argument)
{
	for (int i = 0; i < CALLS; i++)
		leaf();
	HUNDRED(CALL, 1)
	return argument;
}

/* Long enough for some ticks of any clock; without a system call. */
UNCOUNTED static void spin(void)
{
	enum { TURNS = 100000000 };

	for (volatile int i = 0; i < TURNS; i++)
		;
}

UNCOUNTED static void close_sandbox(void)
{
	enum { N = sizeof(allowed) / sizeof(allowed[0]) };
	struct sock_filter filter[2 * N + 2] = { BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr)) };
	struct sock_fprog program = { 1, filter };

	for (int i = 0; i < N; i++) {
		filter[program.len++] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		filter[program.len++] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	filter[program.len++] =
		(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		exit(UNAVAILABLE);
}

int main(int argc, char **argv)
{
	int nthreads = argc > 1 ? 0 : THREADS;

	(void)argv;
	work(NULL);
	arc("main", "work", 1);
	arc(OUTSIDE, "work", (uint64_t)nthreads);
	arc("work", "leaf", (uint64_t)CALLS * (1 + (uint64_t)nthreads));
	fflush(stdout);
	close_sandbox();
	spin();
	for (int i = 0; i < nthreads; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL))
			return 99;
	}
	if (argc > 1) {
		int status = 99;
		pid_t child = fork();

		if (!child) {
			work(NULL);
			exit(0);
		}
		if (waitpid(child, &status, 0) != child || status)
			return 98;
	}
	return 3;
}
