/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine's arch.h for a build with sanitizers: memory is mapped by the C library's calls,
 * which they watch, so that an address that comes back from the kernel is not taken for the same
 * memory as before.
 */
#ifndef SANITIZED_ARCH_H
#define SANITIZED_ARCH_H

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define arch_syscall machine_syscall
#include_next <arch.h>
#undef arch_syscall

static inline long arch_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_mmap) {
		void *at = mmap((void *)a, (size_t)b, (int)c, (int)d, (int)e, f);

		return at == MAP_FAILED ? -errno : (long)at;
	}
	if (number == SYS_munmap)
		return munmap((void *)a, (size_t)b) ? -errno : 0;
	return machine_syscall(number, a, b, c, d, e, f);
}

#endif
