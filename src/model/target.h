/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiled machine: addresses and system calls. */
#ifndef MODEL_TARGET_H
#define MODEL_TARGET_H

#include <stdbool.h>
#include <stdint.h>

/* Sets of system-call numbers: the columns of syscalls.def. */
enum target_calls {
	CALLS_UNKNOWN,
	CALLS_X86_64,
	CALLS_I386,
	CALLS_ARM,
	CALLS_GENERIC, /* aarch64, riscv64 */
	CALLS_S390X,
	CALLS_POWERPC,
	NTARGET_CALLS
};

struct target {
	unsigned ptr_size; /* 4 or 8 bytes */
	bool big_endian;
	bool sign_extend; /* narrow addresses are signed, as on MIPS */
	bool thumb;       /* bit 0 of a return address is the instruction set, as on ARM */
	enum target_calls calls;
};

/*
 * Returns the address truncated to the width of the target's pointers, and sign-extended if the
 * target does that.
 */
static inline uint64_t target_wrap(const struct target *target, uint64_t pc)
{
	if (target->ptr_size == 8)
		return pc;
	return target->sign_extend ? (uint64_t)(int64_t)(int32_t)pc : (uint32_t)pc;
}

#endif
