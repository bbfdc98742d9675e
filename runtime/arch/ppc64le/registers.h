/* SPDX-License-Identifier: MIT */
/*
 * 64-bit POWER, little endian: what unwind/ needs. Registers have numbers of our own: those that
 * survive calls come first. Source of DWARF's numbers: "Power Architecture 64-Bit ELF V2 ABI
 * Specification", 2.4.
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
/* The caller's stack pointer minus the CFA, where no rule says otherwise. */
#define ARCH_SP_FROM_CFA 0
/* Whether the return address is the word at the highest address of a frame. */
#define ARCH_RETURN_LAST 0

/* The number for DWARF's; -1: none. */
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

/* A return address without its signature: there are none here. */
static inline uintptr_t arch_plain(uintptr_t address)
{
	return address;
}

/* The thread's control block, which lies above its stack (not so the first thread's). */
static inline uintptr_t arch_thread(void)
{
	uintptr_t thread;

	__asm__("addi %0, 13, -0x7000" : "=r"(thread));
	return thread;
}

/*
 * The code to which a signal handler returns where the kernel does not provide it, as in
 * emulators: li 0, rt_sigreturn; sc. That of the kernel's vDSO, also of QEMU's from 8.2 on, has
 * call-frame information, may have another instruction before, and the context is nearer.
 */
static const uint8_t arch_signal_return[] = { 0xac, 0, 0, 0x38, 0x02, 0, 0, 0x44 };
#define ARCH_SIGNAL_RULED_CONTEXT 128
/* Offset of its last instruction; before that the stack pointer is unchanged. */
#define ARCH_SIGNAL_LAST 4

/* Then: bytes from the stack pointer to the context, and how many arch_registers() reads. */
#define ARCH_SIGNAL_CONTEXT 144
#define ARCH_CONTEXT_BYTES  (offsetof(ucontext_t, uc_mcontext.gp_regs) + 37 * sizeof(uint64_t))

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
	if ((code & 0xfc000003) == 0x48000001) /* bl, a call */
		*target = address - 4 +
			  (uintptr_t)((intptr_t)(int32_t)((code & 0x3fffffc) << 6) >> 6);
	return *target || code == 0x4e800421 /* bctrl */;
}

/* Whether code is in a PLT entry, before its jump; `at`: a copy of 16 bytes, aligned. */
static inline bool arch_in_plt(const void *at)
{
	(void)at;
	return false; /* PLTs have call-frame information here */
}

#endif
