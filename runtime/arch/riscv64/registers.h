/* SPDX-License-Identifier: MIT */
/*
 * RISC-V, 64 bits: what unwind/ needs. Registers have numbers of our own: those that survive
 * calls come first. Source of DWARF's numbers: "RISC-V DWARF Specification".
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#define ARCH_UNWINDS 1

enum {
	REGISTER_RA,
	REGISTER_SP,
	REGISTER_FP, /* s0 */
	REGISTER_S1,
	REGISTER_S2, /* to s11 */
	REGISTERS_KEPT = REGISTER_S2 + 10,
	REGISTER_GP = REGISTERS_KEPT,
	REGISTER_TP,
	REGISTER_T0,                   /* to t2 */
	REGISTER_A0 = REGISTER_T0 + 3, /* to a7 */
	REGISTER_T3 = REGISTER_A0 + 8, /* to t6 */
	REGISTERS = REGISTER_T3 + 4,
};

/* The caller's return address is in a register when a function is entered. */
#define ARCH_LINK 1
/* Words from the frame pointer to the frame record {the caller's record, return address}. */
#define ARCH_RECORD (-2)
/* The frame ends with it. */
#define ARCH_RECORD_ENDS 1
/* The caller's stack pointer minus the CFA, where no rule says otherwise. */
#define ARCH_SP_FROM_CFA 0
/* Whether the return address is the word at the highest address of a frame. */
#define ARCH_RETURN_LAST 1

/* The number for DWARF's; -1: none. */
static inline int arch_register(uint64_t dwarf)
{
	static const int8_t ours[] = {
		-1,          REGISTER_RA,     REGISTER_SP,     REGISTER_GP, REGISTER_TP,
		REGISTER_T0, REGISTER_T0 + 1, REGISTER_T0 + 2, REGISTER_FP, REGISTER_S1,
	};

	if (dwarf < sizeof(ours))
		return ours[dwarf];
	if (dwarf < 18)
		return REGISTER_A0 + (int)dwarf - 10;
	if (dwarf < 28)
		return REGISTER_S2 + (int)dwarf - 18;
	return dwarf < 32 ? REGISTER_T3 + (int)dwarf - 28 : -1;
}

static inline void arch_registers(const ucontext_t *context, uintptr_t value[REGISTERS])
{
	for (unsigned i = 1; i < 32; i++)
		value[arch_register(i)] = context->uc_mcontext.__gregs[i];
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

	__asm__("mv %0, tp" : "=r"(thread));
	return thread;
}

/* The code to which a signal handler returns: li a7, rt_sigreturn; ecall. */
static const uint8_t arch_signal_return[] = { 0x93, 0x08, 0xb0, 0x08, 0x73, 0, 0, 0 };
/* Offset of its last instruction; before that the stack pointer is unchanged. */
#define ARCH_SIGNAL_LAST 4

/* Then: bytes from the stack pointer to the context, and how many arch_registers() reads. */
#define ARCH_SIGNAL_CONTEXT 128
#define ARCH_CONTEXT_BYTES  (offsetof(ucontext_t, uc_mcontext) + 32 * sizeof(uint64_t))

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
	if (address % 2)
		return false;
	__builtin_memcpy(&code, end - 4, sizeof(code));
	if ((code & 0xfff) == 0x0ef) { /* jal ra */
		int32_t distance = (int32_t)(code & 0x80000000) >> 11;

		distance |=
			(int32_t)((code & 0xff000) | (code >> 9 & 0x800) | (code >> 20 & 0x7fe));
		*target = address - 4 + (uintptr_t)(intptr_t)distance;
	}
	return *target || (code & 0x7fff) == 0x00e7 /* jalr ra */ ||
	       (code >> 16 & 0xf07f) == 0x9002 /* c.jalr */;
}

/* Whether code is in a PLT entry, before its jump; `at`: a copy of 16 bytes, aligned. */
static inline bool arch_in_plt(const void *at)
{
	uint32_t word[4];

	__builtin_memcpy(word, at, sizeof(word));
	for (size_t i = 0; i < 4; i++) {
		uint32_t code = word[i];

		if (code == 0x000e0367) /* jalr t1, t3 */
			return true;
		if ((code & 0xfff) != 0xe17 && (code & 0xfffff) != 0xe3e03) /* auipc t3; ld t3 */
			return false;
	}
	return false;
}

#endif
