/* SPDX-License-Identifier: MIT */
/*
 * s390x: what unwind/ needs. Registers have numbers of our own: those that survive calls come
 * first. Source of DWARF's numbers: "ELF Application Binary Interface s390x Supplement", 1.6.
 * Leaf functions keep general registers in those for floating point.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#define ARCH_UNWINDS 1

enum {
	REGISTER_R6, /* to r13 */
	REGISTER_RA = REGISTER_R6 + 8,
	REGISTER_SP,
	REGISTERS_KEPT,
	REGISTER_R0 = REGISTERS_KEPT,  /* to r5 */
	REGISTER_F0 = REGISTER_R0 + 6, /* to f15 */
	REGISTERS = REGISTER_F0 + 16,
};

/* The caller's return address is in a register when a function is entered. */
#define ARCH_LINK 1
/*
 * The caller's stack pointer minus the CFA, where no rule says otherwise. Frames overlap, and most
 * functions save it; vDSOs do not.
 */
#define ARCH_SP_FROM_CFA (-160)
/* Whether the return address is the word at the highest address of a frame. */
#define ARCH_RETURN_LAST 0

/* The number for DWARF's; -1: none. */
static inline int arch_register(uint64_t dwarf)
{
	static const uint8_t floating[] = { 0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15 };

	if (dwarf < 6)
		return REGISTER_R0 + (int)dwarf;
	if (dwarf < 16)
		return REGISTER_R6 + (int)dwarf - 6;
	return dwarf < 32 ? REGISTER_F0 + floating[dwarf - 16] : -1;
}

static inline void arch_registers(const ucontext_t *context, uintptr_t value[REGISTERS])
{
	const uint64_t *floating = (const void *)context->uc_mcontext.fpregs.fprs;

	for (size_t i = 0; i < 6; i++)
		value[REGISTER_R0 + i] = context->uc_mcontext.gregs[i];
	for (size_t i = 6; i < 16; i++)
		value[REGISTER_R6 + i - 6] = context->uc_mcontext.gregs[i];
	for (size_t i = 0; i < 16; i++)
		value[REGISTER_F0 + i] = floating[i];
}

/* A return address without its signature: there are none here. */
static inline uintptr_t arch_plain(uintptr_t address)
{
	return address;
}

/* The thread's control block, which lies above its stack (not so the first thread's). */
static inline uintptr_t arch_thread(void)
{
	uintptr_t thread;

	__asm__("ear %0, %%a0\n\tsllg %0, %0, 32\n\tear %0, %%a1" : "=&d"(thread));
	return thread;
}

/* The code to which a signal handler returns: svc rt_sigreturn. */
static const uint8_t arch_signal_return[] = { 0x0a, 0xad };
/* Offset of its last instruction; before that the stack pointer is unchanged. */
#define ARCH_SIGNAL_LAST 0

/* Then: bytes from the stack pointer to the context, and how many arch_registers() reads. */
#define ARCH_SIGNAL_CONTEXT 296
#define ARCH_CONTEXT_BYTES  (offsetof(ucontext_t, uc_mcontext) + sizeof(mcontext_t))

/*
 * Whether a call instruction ends at an address. `end`: after a copy of the 8 bytes before it,
 * which is aligned. *target: the function that it calls, 0 if the call is indirect. *slot: where
 * the function's address is stored, or 0.
 */
static inline bool arch_called(const uint8_t *end, uintptr_t address, uintptr_t *target,
			       uintptr_t *slot)
{
	uint16_t code[3];

	*target = *slot = 0;
	if (address % 2)
		return false;
	__builtin_memcpy(code, end - sizeof(code), sizeof(code));
	if (code[0] == 0xc0e5) { /* brasl %r14 */
		int32_t halves = (int32_t)((uint32_t)code[1] << 16 | code[2]);

		*target = address - 6 + 2 * (uintptr_t)(intptr_t)halves;
	} else if (code[1] == 0xa7e5) { /* bras %r14 */
		*target = address - 4 + 2 * (uintptr_t)(intptr_t)(int16_t)code[2];
	}
	return *target || (code[2] & 0xfff0) == 0x0de0 /* basr %r14 */;
}

/* Whether code is in a PLT entry, before its jump; `at`: a copy of 16 bytes, aligned. */
static inline bool arch_in_plt(const void *at)
{
	const uint16_t *code = at;

	if (code[0] == 0xc010) /* larl %r1 */
		code += 3;
	if (code[0] == 0xe310 && code[1] == 0x1000 && code[2] == 0x0004) /* lg %r1, 0(%r1) */
		code += 3;
	return code[0] == 0x07f1; /* br %r1 */
}

#endif
