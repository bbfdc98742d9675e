/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Landlock's structures and numbers are part of the kernel's interface, the same on all machines,
 * and written down here since Debian 12's headers know only some of them. The filter lists what is
 * refused: a list of what is allowed would end with the next C library.
 */
#include "config.h"

#include "run/launch/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Which machine's system calls the filter knows. 0: there is no filter. */
#if defined(__x86_64__)
#define CONFINE_MACHINE AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define CONFINE_MACHINE AUDIT_ARCH_I386
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CONFINE_MACHINE AUDIT_ARCH_AARCH64
#elif defined(__arm__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CONFINE_MACHINE AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define CONFINE_MACHINE AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CONFINE_MACHINE AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define CONFINE_MACHINE AUDIT_ARCH_S390X
#else
#define CONFINE_MACHINE 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CONFINE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CONFINE_SANITIZED 1
#endif
#endif
#ifndef CONFINE_SANITIZED
#define CONFINE_SANITIZED 0
#endif

enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446 };

enum { ASK_VERSION = 1, RULE_PATH_BENEATH = 1 };

/* Bits of Landlock for what a process may do with files. */
enum {
	MAY_EXECUTE = 1 << 0,
	MAY_WRITE = 1 << 1,
	MAY_REMOVE_DIRECTORY = 1 << 4,
	MAY_REMOVE_FILE = 1 << 5,
	MAY_MAKE_DEVICE = 1 << 6,
	MAY_MAKE_DIRECTORY = 1 << 7,
	MAY_MAKE_FILE = 1 << 8,
	MAY_MAKE_OTHERS = 0x1f << 9, /* sockets, pipes, block devices, links */
	MAY_REFER = 1 << 13,         /* version 2: links and renames between directories */
	MAY_TRUNCATE = 1 << 14,      /* version 3 */
	/* bits of version 6, elsewhere: sockets without files, signals */
	OTHERS_SOCKETS = 1 << 0,
	OTHERS_SIGNALS = 1 << 1,
};

struct landlock_rules {
	uint64_t files;
	uint64_t net;    /* version 4 */
	uint64_t others; /* version 6: what cannot reach other processes */
};

struct landlock_beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

/* In a build for coverage: writes the counts. */
extern void __gcov_dump(void) __attribute__((weak));

/* Returns a set of rules, a descriptor, and what it handles; or -1 with errno set. */
static int confine_make_rules(uint64_t *files)
{
	long version = syscall(LANDLOCK_CREATE, NULL, 0, ASK_VERSION);
	struct landlock_rules rules = { .others = OTHERS_SOCKETS | OTHERS_SIGNALS };
	size_t size = version < 4   ? sizeof(rules.files)
		      : version < 6 ? sizeof(rules.files) + sizeof(rules.net)
				    : sizeof(rules);

	if (version < 1)
		return -1;
	rules.files = MAY_WRITE | MAY_REMOVE_DIRECTORY | MAY_REMOVE_FILE | MAY_MAKE_DEVICE |
		      MAY_MAKE_DIRECTORY | MAY_MAKE_FILE | (MAY_MAKE_OTHERS & ~MAY_REFER);
	if (!CONFINE_SANITIZED)
		rules.files |= MAY_EXECUTE;
	if (version >= 2)
		rules.files |= MAY_REFER;
	if (version >= 3)
		rules.files |= MAY_TRUNCATE;
	*files = rules.files;
	return (int)syscall(LANDLOCK_CREATE, &rules, size, 0);
}

/*
 * Allows to write a file: a pipe or device is opened; anything else gets a new file in its
 * directory. What is not there, or is on no file system (EBADFD), need not be allowed. Returns 0 or
 * an errno.
 */
static int confine_allow(int rules, uint64_t handled, const char *path, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const char *slash = strrchr(path, '/'), *name = path;
	uint64_t allowed = MAY_WRITE | MAY_TRUNCATE;
	struct landlock_beneath beneath;
	struct stat st;
	int error = 0;

	if (stat(path, &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) {
		name = slash ? arena_strndup(&scratch, path, (size_t)(slash - path) + 1) : ".";
		allowed |= MAY_MAKE_FILE | MAY_REMOVE_FILE;
	}
	beneath.allowed = allowed & handled;
	/* wrap_open.c keeps open() from directories. */
	beneath.fd = openat(AT_FDCWD, name, O_PATH | O_CLOEXEC);
	if (beneath.fd >= 0) {
		if (syscall(LANDLOCK_ADD, rules, RULE_PATH_BENEATH, &beneath, 0) < 0)
			error = errno == EBADFD ? 0 : errno;
		close(beneath.fd);
	}
	arena_free(&scratch);
	return error;
}

static int confine_files(const confine_paths *outputs, const struct arena *mem)
{
	uint64_t handled;
	int rules, error = 0;

	if (__gcov_dump)
		return ENOTSUP;
	rules = confine_make_rules(&handled);
	if (rules < 0)
		return errno;
	for (size_t i = 0; i < outputs->n && !error; i++)
		error = confine_allow(rules, handled, outputs->at[i], mem);
	if (!error && syscall(LANDLOCK_RESTRICT, rules, 0) < 0)
		error = errno;
	close(rules);
	return error;
}

/* System calls that are refused. */
static const unsigned confine_refused[] = {
#if !CONFINE_SANITIZED
	SYS_execve,
	SYS_execveat,
	SYS_ptrace,
	SYS_socket,
	SYS_socketpair,
#endif
#ifdef SYS_socketcall
	SYS_socketcall,
#endif
	SYS_connect,
	SYS_bind,
	SYS_listen,
	SYS_accept4,
	SYS_process_vm_writev,
	SYS_perf_event_open,
	SYS_bpf,
	SYS_userfaultfd,
	SYS_add_key,
	SYS_request_key,
	SYS_keyctl,
	SYS_unshare,
	SYS_setns,
	SYS_mount,
	SYS_umount2,
	SYS_pivot_root,
	SYS_chroot,
	SYS_open_by_handle_at,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_reboot,
	SYS_swapon,
	SYS_swapoff,
	SYS_acct,
	SYS_quotactl,
	SYS_sethostname,
	SYS_setdomainname,
	/* the same on all machines: io_uring, pidfd_getfd, mounts by descriptors */
	425,
	426,
	427,
	428,
	429,
	430,
	431,
	432,
	433,
	438,
	442,
};

enum {
	NREFUSED = sizeof(confine_refused) / sizeof(confine_refused[0]),
	MOST_STATEMENTS = NREFUSED + 16,
	X32_CALLS = 0x40000000,
	/* the half of the second argument in which its value is */
	REQUEST_AT = offsetof(struct seccomp_data, args[1]) +
		     (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0),
};

/*
 * Makes the filter. Each comparison that finds what is refused jumps to the last statement; jumps
 * count the statements that they skip.
 */
static size_t confine_make_filter(struct sock_filter to[MOST_STATEMENTS])
{
	const unsigned refuse = SECCOMP_RET_ERRNO | EPERM;
	size_t n = 0, last = NREFUSED + 10;

#define CONFINE_LOAD(offset) \
	to[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)(offset))
#define CONFINE_TEST(test, value, yes, no)                                                \
	to[n] = (struct sock_filter)BPF_JUMP(BPF_JMP | (test) | BPF_K, (unsigned)(value), \
					     (unsigned char)((yes) ? (yes)-n - 1 : 0),    \
					     (unsigned char)((no) ? (no)-n - 1 : 0)),     \
	n++
	CONFINE_LOAD(offsetof(struct seccomp_data, arch));
	CONFINE_TEST(BPF_JEQ, CONFINE_MACHINE, 0, last);
	CONFINE_LOAD(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	CONFINE_TEST(BPF_JGE, X32_CALLS, last, 0);
#else
	CONFINE_TEST(BPF_JEQ, confine_refused[0], last, 0);
#endif
	for (size_t i = 0; i < NREFUSED; i++)
		CONFINE_TEST(BPF_JEQ, confine_refused[i], last, 0);
	CONFINE_TEST(BPF_JEQ, SYS_ioctl, 0, last - 1);
	CONFINE_LOAD(REQUEST_AT);
	CONFINE_TEST(BPF_JEQ, TIOCSTI, last, 0);
	CONFINE_TEST(BPF_JEQ, TIOCLINUX, last, 0);
	while (n < last)
		to[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	to[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, refuse);
	return n;
}

static int confine_calls(void)
{
	struct sock_filter filter[MOST_STATEMENTS];
	struct sock_fprog program = { .filter = filter };

	if (CONFINE_MACHINE == 0)
		return ENOSYS;
	program.len = (unsigned short)confine_make_filter(filter);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0 ? errno : 0;
}

struct confined confine_begin(const confine_paths *outputs, const struct arena *mem)
{
	const char *wish = getenv("GPROF_SANDBOX");
	struct confined c = { 0, 0, 0 };

	if (wish && strcmp(wish, "no") == 0)
		return (struct confined){ ECANCELED, ECANCELED, ECANCELED };
	/* Without this, the kernel refuses the others. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		c.privileges = errno;
	c.files = confine_files(outputs, mem);
	c.calls = confine_calls();
	return c;
}

static void confine_say_part(const char *what, int error, struct diag *diag)
{
	if (error)
		diag_note(diag, "sandbox: not in force: %s: %s", what, strerror(error));
	else
		diag_note(diag, "sandbox: %s", what);
}

void confine_say(const struct confined *c, const confine_paths *outputs, struct diag *diag)
{
	confine_say_part("no new privileges", c->privileges, diag);
	confine_say_part(outputs->n > 0 ? "files are changed only beside the outputs"
					: "no file is changed",
			 c->files, diag);
	confine_say_part("no programs, sockets, tracing", c->calls, diag);
}
