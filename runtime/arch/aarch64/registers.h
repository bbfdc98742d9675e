/* SPDX-License-Identifier: MIT */
/*
 * AArch64: what unwind/ needs. Registers have numbers of our own: those that survive calls come
 * first. Source of DWARF's numbers: "DWARF for the Arm 64-bit Architecture", 4.1.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#define ARCH_UNWINDS 1

enum {
	REGISTER_X19, /* to x28 */
	REGISTER_FP = REGISTER_X19 + 10,
	REGISTER_RA,
	REGISTER_SP,
	REGISTERS_KEPT,
	REGISTER_X0 = REGISTERS_KEPT, /* to x18 */
	REGISTERS = REGISTER_X0 + 19,
};

/* The caller's return address is in a register when a function is entered. */
#define ARCH_LINK 1
/* Words from the frame pointer to the frame record {the caller's record, return address}. */
#define ARCH_RECORD 0
/* It lies anywhere in the frame. */
#define ARCH_RECORD_ENDS 0
/* The caller's stack pointer minus the CFA, where no rule says otherwise. */
#define ARCH_SP_FROM_CFA 0
/* Whether the return address is the word at the highest address of a frame. */
#define ARCH_RETURN_LAST 0

/* The number for DWARF's; -1: none. */
static inline int arch_register(uint64_t dwarf)
{
	if (dwarf < 19)
		return REGISTER_X0 + (int)dwarf;
	return dwarf < 32 ? REGISTER_X19 + (int)dwarf - 19 : -1;
}

static inline void arch_registers(const ucontext_t *context, uintptr_t value[REGISTERS])
{
	for (size_t i = 0; i < 19; i++)
		value[REGISTER_X0 + i] = context->uc_mcontext.regs[i];
	for (size_t i = 19; i < 31; i++)
		value[REGISTER_X19 + i - 19] = context->uc_mcontext.regs[i];
	value[REGISTER_SP] = context->uc_mcontext.sp;
}

/* A return address without its signature: XPACLRI, which does nothing on older machines. */
static inline uintptr_t arch_plain(uintptr_t address)
{
	register uintptr_t x30 __asm__("x30") = address;

	__asm__("hint #7" : "+r"(x30));
	return x30;
}

/* The thread's control block, which lies above its stack (not so the first thread's). */
static inline uintptr_t arch_thread(void)
{
	uintptr_t thread;

	__asm__("mrs %0, tpidr_el0" : "=r"(thread));
	return thread;
}

/* The code to which a signal handler returns: mov x8, #rt_sigreturn; svc #0. */
static const uint8_t arch_signal_return[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 };
/* Offset of its last instruction; before that the stack pointer is unchanged. */
#define ARCH_SIGNAL_LAST 4

/* Then: bytes from the stack pointer to the context, and how many arch_registers() reads. */
#define ARCH_SIGNAL_CONTEXT 128
#define ARCH_CONTEXT_BYTES  (offsetof(ucontext_t, uc_mcontext) + 34 * sizeof(uint64_t))

/*
 * Whether a call instruction ends at an address. `end`: after a copy of the 8 bytes before it,
 * which is aligned. *target: the function that it calls, 0 if the call is indirect. *slot: where
 * the function's address is stored, or 0.
 */
static inline bool arch_called(const uint8_t *end, uintptr_t address, uintptr_t *target,
			       uintptr_t *slot)
{
	uint32_t code;

	*target = *slot = 0;
	if (address % 4)
		return false;
	__builtin_memcpy(&code, end - 4, sizeof(code));
	if (code >> 26 == 0x25) /* bl */
		*target = address - 4 + (uintptr_t)((intptr_t)(int32_t)(code << 6) >> 4);
	return *target ||
	       (code & 0xfffff000) == 0xd63f0000 /* blr, or one that proves a pointer */ ||
	       (code & 0xfefff000) == 0xd63f0000;
}

/* Whether code is in a PLT entry, before its jump; `at`: a copy of 16 bytes, aligned. */
static inline bool arch_in_plt(const void *at)
{
	uint32_t code[4];

	__builtin_memcpy(code, at, sizeof(code));
	for (size_t i = 0; i < 4; i++) {
		if (code[i] == 0xd61f0220) /* br x17 */
			return true;
		if ((code[i] & 0x9f00001f) != 0x90000010 && /* adrp x16 */
		    (code[i] & 0xffc003ff) != 0xf9400211 && /* ldr x17, [x16, ...] */
		    (code[i] & 0xffc003ff) != 0x91000210 && /* add x16, x16, ... */
		    code[i] != 0xd503245f)                  /* bti c */
			return false;
	}
	return false;
}

#endif
