/* SPDX-License-Identifier: MIT */
/* The system calls that are more than one line. See sys.h. */
#include "sys.h"

#include <unistd.h>

/* Arguments of 64 bits are split in as many ways as there are machines with 32. */
long sys_write_at(int fd, const void *bytes, size_t n, uint64_t offset)
{
#ifdef __LP64__
	return SYS4(SYS_pwrite64, fd, bytes, n, offset);
#else
	uint64_t moved;
	long done = SYS6(SYS__llseek, fd, offset >> 32, offset, &moved, SEEK_SET, 0);

	return sys_failed(done) ? done : sys_write(fd, bytes, n);
#endif
}

long sys_reserve(int fd, uint64_t offset, uint64_t bytes)
{
	static const char zeros[4096];
	long done;

#ifdef __LP64__
	done = SYS4(SYS_fallocate, fd, 0, offset, bytes);
#else
	done = -EOPNOTSUPP;
#endif
	if (done != -EOPNOTSUPP && done != -ENOSYS)
		return done;
	for (uint64_t at = 0; at < bytes; at += sizeof(zeros)) {
		done = sys_write_at(fd, zeros, sizeof(zeros), offset + at);
		if (sys_failed(done))
			return done;
		if (done != sizeof(zeros))
			return -ENOSPC;
	}
	return 0;
}
