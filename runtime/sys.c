/* SPDX-License-Identifier: MIT */
/* The system call that is more than one line. See sys.h. */
#include "sys.h"

#include <unistd.h>

long sys_reserve(int fd, uint64_t offset, uint64_t bytes)
{
	static const char zeros[4096];
	long done;

#ifdef __LP64__
	done = SYS4(SYS_fallocate, fd, 0, offset, bytes);
#else
	done = -EOPNOTSUPP; /* 64-bit arguments are split in as many ways as there are machines */
#endif
	if (done != -EOPNOTSUPP && done != -ENOSYS)
		return done;
	for (uint64_t at = 0; at < bytes; at += sizeof(zeros)) {
#ifdef __LP64__
		done = SYS4(SYS_pwrite64, fd, zeros, sizeof(zeros), offset + at);
#else
		uint64_t moved;

		done = SYS6(SYS__llseek, fd, (offset + at) >> 32, (offset + at), &moved, SEEK_SET,
			    0);
		if (!sys_failed(done))
			done = sys_write(fd, zeros, sizeof(zeros));
#endif
		if (sys_failed(done))
			return done;
		if (done != sizeof(zeros))
			return -ENOSPC;
	}
	return 0;
}
