/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * guest-filters HOW [threads|late]: uses time, forbids itself on pain of death all system calls but
 * to write and to exit, uses time again, and ends with status 7. HOW: prctl, seccomp, strict; none:
 * no filter; probe: asks for what filters there are, as libraries do. Status 77: there are none.
 * With `late' there is a second thread, which gets no signal while the filter is set.
 *
 * With HOW forbids or refuses, it becomes itself with `none' below a filter: on pain of death it
 * must not look at processes as debuggers do, or it gets no timers.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS SECCOMP_RET_KILL
#endif

enum { UNAVAILABLE = 77, ENDS = 7, FIRST_MS = 100, LATE_US = 1000000 };

static const unsigned allowed[] = { SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn,
				    SYS_futex };

static volatile int is_away, is_back;

/* By a count that was measured before, since asking for the time is a system call, too. */
__attribute__((noinline)) static unsigned long use_turns(unsigned long n)
{
	volatile unsigned long turns = 0;

	while (turns < n)
		turns++;
	return turns;
}

static void *use(void *argument)
{
	use_turns((unsigned long)-1);
	return argument;
}

static unsigned long use_ms(long ms)
{
	clock_t start = clock();
	unsigned long n = 0;

	while (clock() - start < ms * (CLOCKS_PER_SEC / 1000))
		n += use_turns(100000);
	return n;
}

/* Who waits for a child of vfork() is sent signals only when that has ended. */
static void *use_late(void *argument)
{
	use_ms(FIRST_MS / 2);
	if (vfork() == 0) {
		is_away = 1;
		usleep(LATE_US);
		_exit(0);
	}
	is_back = 1;
	return use(argument);
}

static int set_filter(const char *how)
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
	if (strcmp(how, "none") == 0)
		return 0;
	if (strcmp(how, "strict") == 0)
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	if (strcmp(how, "probe") == 0) {
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL);
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL);
		return 0;
	}
	if (strcmp(how, "prctl") == 0)
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
			    &program);
}

/* Sets a filter in which some calls have a result of their own. */
static int set_result(const int *calls, int n, unsigned result)
{
	struct sock_filter filter[16] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						   (unsigned)offsetof(struct seccomp_data, nr)) };
	struct sock_fprog program = { 1, filter };

	for (int i = 0; i < n; i++) {
		filter[program.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								     (unsigned)calls[i], 0, 1);
		filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, result);
	}
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static int become_confined(const char *program, const char *how)
{
	static const int looks[] = { SYS_process_vm_readv, SYS_perf_event_open, SYS_ptrace };
	static const int timers[] = { SYS_timer_create, SYS_setitimer };
	enum { NO_SUCH_CALL = 38 };
	int error;

	if (strcmp(how, "forbids") == 0)
		error = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
			set_result(looks, 3, SECCOMP_RET_KILL_PROCESS);
	else
		error = set_result(timers, 2, SECCOMP_RET_ERRNO | NO_SUCH_CALL);
	if (!error)
		execl(program, program, "none", (char *)NULL);
	return UNAVAILABLE;
}

int main(int argc, char **argv)
{
	static const char word[] = "done\n";
	const int late = argc > 2 && strcmp(argv[2], "late") == 0;
	unsigned long turns = use_ms(FIRST_MS);
	pthread_t thread;

	if (argc > 1 && (strcmp(argv[1], "forbids") == 0 || strcmp(argv[1], "refuses") == 0))
		return become_confined(argv[0], argv[1]);
	if (argc > 2)
		pthread_create(&thread, NULL, late ? use_late : use, NULL);
	use_ms(FIRST_MS);
	while (late && !is_away)
		use_turns(1);
	if (argc < 2 || set_filter(argv[1]))
		return UNAVAILABLE;
	use_turns(2 * turns);
	while (late && !is_back)
		use_turns(1);
	if (write(1, word, sizeof(word) - 1) < 0)
		return 1;
	if (strcmp(argv[1], "strict") == 0)
		syscall(SYS_exit, ENDS);
	exit(ENDS);
}
