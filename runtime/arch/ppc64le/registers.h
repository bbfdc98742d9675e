/* SPDX-License-Identifier: MIT */
/*
 * 64-bit POWER, little endian: what a walk along the stack must know. Registers are numbered anew:
 * those that a called function hands back come first. Source of DWARF's numbers: "Power
 * Architecture 64-Bit ELF V2 ABI Specification", 2.4.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#define ARCH_UNWINDS 1

enum {
	REGISTER_R14, /* to r31 */
	REGISTER_RA = REGISTER_R14 + 18,
	REGISTER_SP,
	REGISTERS_KEPT,
	REGISTER_R0 = REGISTERS_KEPT,
	REGISTER_R2, /* to r13 */
	REGISTERS = REGISTER_R2 + 12,
};

/* The caller's return address is in a register when a function is entered. */
#define ARCH_LINK 1
/* A called function's frame ends where its caller's begins. */
#define ARCH_SP_IS_CFA 1
/* Whether a function keeps its return address where its frame ends. */
#define ARCH_RETURN_LAST 0

/* Ours for DWARF's; -1: none. */
static inline int arch_register(uint64_t dwarf)
{
	if (dwarf == 65)
		return REGISTER_RA;
	if (dwarf < 2)
		return dwarf ? REGISTER_SP : REGISTER_R0;
	if (dwarf < 14)
		return REGISTER_R2 + (int)dwarf - 2;
	return dwarf < 32 ? REGISTER_R14 + (int)dwarf - 14 : -1;
}

static inline void arch_registers(const ucontext_t *context, uintptr_t value[REGISTERS])
{
	for (unsigned i = 0; i < 32; i++)
		value[arch_register(i)] = context->uc_mcontext.gp_regs[i];
	value[REGISTER_RA] = context->uc_mcontext.gp_regs[36];
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

	__asm__("addi %0, 13, -0x7000" : "=r"(thread));
	return thread;
}

/*
 * The code to which a handler returns where the kernel has no code of its own, as in emulators: li
 * 0, rt_sigreturn; sc. The kernel's has another instruction before, and a rule.
 */
static const uint8_t arch_signal_return[] = { 0xac, 0, 0, 0x38, 0x02, 0, 0, 0x44 };
#define ARCH_SIGNAL_HAS_RULE 1
/* Its last instruction, before which the stack pointer stays; 0: the code is taken from its start
   only. */
#define ARCH_SIGNAL_LAST 4

/* Where the kernel has put the interrupted context, from the stack pointer, when that code runs;
   and how much of it arch_registers() reads. */
#define ARCH_SIGNAL_CONTEXT 144
#define ARCH_CONTEXT_BYTES  (offsetof(ucontext_t, uc_mcontext.gp_regs) + 37 * sizeof(uint64_t))

/*
 * Whether the instruction before an address is a call. The bytes from 8 before are read. *target:
 * where it goes, or 0 if the instruction does not say; *slot: where that address is kept, or 0.
 */
static inline bool arch_called(uintptr_t address, uintptr_t *target, uintptr_t *slot)
{
	uint32_t code;

	*target = *slot = 0;
	if (address % 4)
		return false;
	code = *(const uint32_t *)(address - 4);
	if ((code & 0xfc000003) == 0x48000001) /* bl */
		*target = address - 4 +
			  (uintptr_t)((intptr_t)(int32_t)((code & 0x3fffffc) << 6) >> 6);
	return *target || code == 0x4e800421 /* bctrl */;
}

/* Whether what is left to run of an entry of a PLT lies at an address; 16 bytes are read. */
static inline bool arch_in_plt(uintptr_t address)
{
	(void)address;
	return false; /* the linker describes these */
}

#endif
