/* SPDX-License-Identifier: MIT */
/*
 * RISC-V, 64 bits: what a walk along the stack must know. Registers are numbered anew: those that a
 * called function hands back come first. Source of DWARF's numbers: "RISC-V DWARF Specification".
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
/* A frame record, {the caller's record, return address}: in words from where the register points.
 */
#define ARCH_RECORD (-2)
/* It lies at the end of its frame. */
#define ARCH_RECORD_ENDS 1
/* A called function's frame ends where its caller's begins. */
#define ARCH_SP_IS_CFA 1
/* Whether a function keeps its return address where its frame ends. */
#define ARCH_RETURN_LAST 1

/* Ours for DWARF's; -1: none. */
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

/* A return address without what protects it. */
static inline uintptr_t arch_plain(uintptr_t address)
{
	return address;
}

/* Above the thread's own stack. */
static inline uintptr_t arch_thread(void)
{
	uintptr_t thread;

	__asm__("mv %0, tp" : "=r"(thread));
	return thread;
}

/* The code to which a handler returns: li a7, rt_sigreturn; ecall. */
static const uint8_t arch_signal_return[] = { 0x93, 0x08, 0xb0, 0x08, 0x73, 0, 0, 0 };
/* Its last instruction, before which the stack pointer stays; 0: the code is taken from its start
   only. */
#define ARCH_SIGNAL_LAST 4

/* Where the kernel has put the interrupted context, from the stack pointer, when that code runs;
   and how much of it arch_registers() reads. */
#define ARCH_SIGNAL_CONTEXT 128
#define ARCH_CONTEXT_BYTES  (offsetof(ucontext_t, uc_mcontext) + 32 * sizeof(uint64_t))

/*
 * Whether the instruction before an address is a call. The bytes from 8 before are read. *target:
 * where it goes, or 0 if the instruction does not say; *slot: where that address is kept, or 0.
 */
static inline bool arch_called(uintptr_t address, uintptr_t *target, uintptr_t *slot)
{
	const uint16_t *end = (const uint16_t *)address;
	uint32_t code;

	*target = *slot = 0;
	if (address % 2)
		return false;
	code = end[-2] | (uint32_t)end[-1] << 16;
	if ((code & 0xfff) == 0x0ef) { /* jal ra */
		int32_t distance = (int32_t)(code & 0x80000000) >> 11;

		distance |=
			(int32_t)((code & 0xff000) | (code >> 9 & 0x800) | (code >> 20 & 0x7fe));
		*target = address - 4 + (uintptr_t)(intptr_t)distance;
	}
	return *target || (code & 0x7fff) == 0x00e7 /* jalr ra */ ||
	       (end[-1] & 0xf07f) == 0x9002 /* c.jalr */;
}

/* Whether what is left to run of an entry of a PLT lies at an address; 16 bytes are read. */
static inline bool arch_in_plt(uintptr_t address)
{
	const uint16_t *half = (const uint16_t *)address;

	for (size_t i = 0; i < 8; i += 2) {
		uint32_t code = half[i] | (uint32_t)half[i + 1] << 16;

		if (code == 0x000e0367) /* jalr t1, t3 */
			return true;
		if ((code & 0xfff) != 0xe17 && (code & 0xfffff) != 0xe3e03) /* auipc t3; ld t3 */
			return false;
	}
	return false;
}

#endif
