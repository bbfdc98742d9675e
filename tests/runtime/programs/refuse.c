/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * refuse SYSTEM-CALL... -- PROGRAM ARGUMENT...: runs PROGRAM, to which the kernel refuses these.
 * Status 77: such a filter cannot be had.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_newfstatat
#define SYS_newfstatat SYS_fstatat64
#endif

enum { MOST = 16, UNAVAILABLE = 77 };

static const struct {
	const char *name;
	unsigned number;
} calls[] = {
	{ "mmap", SYS_mmap },
	{ "timer_create", SYS_timer_create },
	{ "setitimer", SYS_setitimer },
	{ "renameat2", SYS_renameat2 },
	{ "statx", SYS_statx },
	{ "rt_sigaction", SYS_rt_sigaction },
	{ "getcwd", SYS_getcwd },
	{ "tgkill", SYS_tgkill },
	{ "newfstatat", SYS_newfstatat },
	{ "perf_event_open", SYS_perf_event_open },
	{ "ptrace", SYS_ptrace },
	{ "process_vm_readv", SYS_process_vm_readv },
	{ "process_vm_writev", SYS_process_vm_writev },
};

static int add(struct sock_filter *filter, int n, const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, name)) {
			filter[n] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								 calls[i].number, 0, 1);
			filter[n + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
								     SECCOMP_RET_ERRNO | EPERM);
			return 2;
		}
	_exit(99);
}

int main(int argc, char **argv)
{
	struct sock_filter filter[2 * MOST + 2] = { BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr)) };
	struct sock_fprog program = { 1, filter };
	int i = 1;

	for (; i < argc && i <= MOST && strcmp(argv[i], "--"); i++)
		program.len = (unsigned short)(program.len + add(filter, program.len, argv[i]));
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return UNAVAILABLE;
	execv(argv[i + 1], argv + i + 1);
	return 99;
}
