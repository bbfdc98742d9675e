/* SPDX-License-Identifier: MIT */
/* What a thread waits for. See awaited.h; proc(5) and xattr(7) have the files. */
#include "wait/awaited.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/stat.h>

#include <gmon_ext.h>

#include "base/readable.h"
#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"

enum { AWAITED_NAME = 64, AWAITED_PROTOCOL = 32, AWAITED_POLLED = 4 };

/* Major numbers of terminals: consoles and serial lines, /dev/tty, and pseudo terminals. */
enum { AWAITED_TTY = 4, AWAITED_OWN_TTY = 5, AWAITED_PTY_FIRST = 128, AWAITED_PTY_LAST = 143 };

/* Calls that may wait for their first argument, a descriptor. */
static bool awaited_has_descriptor(long number)
{
	switch (number) {
	case SYS_read:
	case SYS_readv:
	case SYS_write:
	case SYS_writev:
	case SYS_ioctl:
#ifdef SYS_sendfile
	case SYS_sendfile:
#endif
#ifdef SYS_sendfile64
	case SYS_sendfile64:
#endif
	case SYS_splice:
#ifdef SYS_recvfrom
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_connect:
#endif
#ifdef SYS_recvmmsg
	case SYS_recvmmsg:
#endif
#ifdef SYS_sendmmsg
	case SYS_sendmmsg:
#endif
#ifdef SYS_accept
	case SYS_accept:
#endif
#ifdef SYS_accept4
	case SYS_accept4:
#endif
		return true;
	default:
		return false;
	}
}

static bool awaited_is_poll(long number)
{
#ifdef SYS_poll
	if (number == SYS_poll)
		return true;
#endif
#ifdef SYS_ppoll_time64
	if (number == SYS_ppoll_time64)
		return true;
#endif
#ifdef SYS_ppoll
	return number == SYS_ppoll;
#else
	return false;
#endif
}

/* Of a socket: its name in sockfs is that of the protocol. */
static uint32_t awaited_socket(int32_t tid, uint64_t descriptor)
{
	static const char *const local[] = { "UNIX", "NETLINK", "ALG" };
	char name[AWAITED_NAME], protocol[AWAITED_PROTOCOL + 1];
	struct text path = text_in(name, sizeof(name));
	long n;

	text_add(&path, "/proc/self/task/");
	text_add_number(&path, (uint32_t)tid);
	text_add(&path, "/fd/");
	text_add_number(&path, descriptor);
	n = SYS4(SYS_getxattr, name, "system.sockprotoname", protocol, AWAITED_PROTOCOL);
	if (sys_failed(n))
		return GMON_EXT_AWAITED_SOCKET;
	protocol[n] = '\0';
	for (unsigned i = 0; i < sizeof(local) / sizeof(local[0]); i++) {
		if (text_skip(protocol, local[i]))
			return GMON_EXT_AWAITED_SOCKET;
	}
	return GMON_EXT_AWAITED_NETWORK;
}

static uint32_t awaited_device(uint32_t major)
{
	return major == AWAITED_TTY || major == AWAITED_OWN_TTY ||
			       (major >= AWAITED_PTY_FIRST && major <= AWAITED_PTY_LAST)
		       ? GMON_EXT_AWAITED_TERMINAL
		       : GMON_EXT_AWAITED_DEVICE;
}

static uint32_t awaited_descriptor(int directory, int32_t tid, uint64_t descriptor)
{
	char name[AWAITED_NAME];
	struct text path = text_in(name, sizeof(name));
	struct statx status;

	text_add_number(&path, (uint32_t)tid);
	text_add(&path, "/fd/");
	text_add_number(&path, descriptor);
	/* A file's server that does not answer must not stop the helper. */
	if (sys_failed(
		    SYS6(SYS_statx, directory, name, AT_STATX_DONT_SYNC, STATX_TYPE, &status, 0)))
		return GMON_EXT_AWAITED_UNKNOWN;
	switch (status.stx_mode & S_IFMT) {
	case S_IFREG:
	case S_IFDIR:
	case S_IFBLK:
		return GMON_EXT_AWAITED_FILE;
	case S_IFIFO:
		return GMON_EXT_AWAITED_PIPE;
	case S_IFSOCK:
		return awaited_socket(tid, descriptor);
	case S_IFCHR:
		return awaited_device(status.stx_rdev_major);
	default:
		return GMON_EXT_AWAITED_EVENT; /* files without a type are the kernel's own */
	}
}

/*
 * Returns what a wait for two sorts of descriptors is for. Beside the network, programs have
 * sockets of their own and events by which their other threads wake them up.
 */
static uint32_t awaited_both(uint32_t a, uint32_t b)
{
	uint32_t other = a == GMON_EXT_AWAITED_NETWORK ? b : a;

	if (a == b)
		return a;
	if ((a == GMON_EXT_AWAITED_NETWORK || b == GMON_EXT_AWAITED_NETWORK) &&
	    (other == GMON_EXT_AWAITED_SOCKET || other == GMON_EXT_AWAITED_EVENT))
		return GMON_EXT_AWAITED_NETWORK;
	return GMON_EXT_AWAITED_UNKNOWN;
}

static uint32_t awaited_poll(int directory, int32_t tid, const struct awaited_call *call)
{
	struct pollfd polled[AWAITED_POLLED];
	uint32_t all = GMON_EXT_AWAITED_UNKNOWN;
	bool first = true;

	if (call->argument[1] > AWAITED_POLLED ||
	    !readable_copy(polled, (uintptr_t)call->argument[0],
			   (size_t)call->argument[1] * sizeof(polled[0])))
		return GMON_EXT_AWAITED_UNKNOWN;
	for (uint64_t i = 0; i < call->argument[1]; i++) {
		uint32_t awaited;

		if (polled[i].fd < 0)
			continue;
		awaited = awaited_descriptor(directory, tid, (uint64_t)polled[i].fd);
		all = first ? awaited : awaited_both(all, awaited);
		if (all == GMON_EXT_AWAITED_UNKNOWN)
			break;
		first = false;
	}
	return all;
}

uint32_t awaited_find(int directory, int32_t tid, const struct awaited_call *call)
{
	bool one = awaited_has_descriptor(call->number);

	if ((!one && !awaited_is_poll(call->number)) || sandbox_forbids_looking())
		return GMON_EXT_AWAITED_UNKNOWN;
	/* The kernel shows registers, and takes a descriptor for 32 bits. */
	return one ? awaited_descriptor(directory, tid, (uint32_t)call->argument[0])
		   : awaited_poll(directory, tid, call);
}
