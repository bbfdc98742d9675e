/* SPDX-License-Identifier: MIT */
/*
 * x86-64: what unwind/ needs. Registers have numbers of our own: those that survive calls come
 * first. Source of DWARF's numbers: the System V ABI, figure 3.36.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "../x86.h"

#define ARCH_UNWINDS 1

enum {
	REGISTER_RBX,
	REGISTER_FP,
	REGISTER_R12, /* to r15 */
	REGISTER_RA = REGISTER_R12 + 4,
	REGISTER_SP,
	REGISTERS_KEPT,
	REGISTER_RAX = REGISTERS_KEPT,
	REGISTER_RDX,
	REGISTER_RCX,
	REGISTER_RSI,
	REGISTER_RDI,
	REGISTER_R8, /* to r11 */
	REGISTERS = REGISTER_R8 + 4,
};

/* The caller's return address lies on the stack when a function is entered. */
#define ARCH_LINK 0
/* Words from the frame pointer to the frame record {the caller's record, return address}. */
#define ARCH_RECORD 0
/* The frame ends with it. */
#define ARCH_RECORD_ENDS 1
/* The caller's stack pointer minus the CFA, where no rule says otherwise. */
#define ARCH_SP_FROM_CFA 0
/* Whether the return address is the word at the highest address of a frame. */
#define ARCH_RETURN_LAST 1
/* How much stack a function has taken: see x86.h. */
#define ARCH_ROOM x86_room
/* Where call-frame information is wrong: see x86.h. */
#define ARCH_RESTORED       x86_restored
#define ARCH_RESTORED_BYTES X86_RESTORED

/* The number for DWARF's; -1: none. */
static inline int arch_register(uint64_t dwarf)
{
	static const int8_t ours[] = {
		REGISTER_RAX,     REGISTER_RDX,    REGISTER_RCX, REGISTER_RBX,     REGISTER_RSI,
		REGISTER_RDI,     REGISTER_FP,     REGISTER_SP,  REGISTER_R8,      REGISTER_R8 + 1,
		REGISTER_R8 + 2,  REGISTER_R8 + 3, REGISTER_R12, REGISTER_R12 + 1, REGISTER_R12 + 2,
		REGISTER_R12 + 3, REGISTER_RA,
	};

	return dwarf < sizeof(ours) ? ours[dwarf] : -1;
}

static inline void arch_registers(const ucontext_t *context, uintptr_t value[REGISTERS])
{
	static const uint8_t from[REGISTERS] = {
		REG_RBX, REG_RBP, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP, REG_RSP, REG_RAX,
		REG_RDX, REG_RCX, REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
	};

	for (size_t i = 0; i < REGISTERS; i++)
		value[i] = (uintptr_t)context->uc_mcontext.gregs[from[i]];
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

	__asm__("movq %%fs:0, %0" : "=r"(thread));
	return thread;
}

/* The code to which a signal handler returns: mov $rt_sigreturn, %rax; syscall. */
static const uint8_t arch_signal_return[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
/* Offset of its last instruction; before that the stack pointer is unchanged. */
#define ARCH_SIGNAL_LAST 7

/* Then: bytes from the stack pointer to the context, and how many arch_registers() reads. */
#define ARCH_SIGNAL_CONTEXT 0
#define ARCH_CONTEXT_BYTES  (offsetof(ucontext_t, uc_mcontext) + sizeof(gregset_t))

/*
 * Whether a call instruction ends at an address. `end`: after a copy of the 8 bytes before it.
 * *target: the function that it calls, 0 if the call is indirect. *slot: where the function's
 * address is stored, or 0.
 */
static inline bool arch_called(const uint8_t *end, uintptr_t address, uintptr_t *target,
			       uintptr_t *slot)
{
	int32_t distance;

	*slot = 0;
	if (!x86_called(end, address, target))
		return false;
	if (!*target && end[-6] == 0xff && end[-5] == 0x15) {
		__builtin_memcpy(&distance, end - 4, 4);
		*slot = address + (uintptr_t)(intptr_t)distance;
	}
	return true;
}

/* The slot of the PLT entry at an address; 0: there is none. `code`: a copy of its 16 bytes. */
static inline uintptr_t arch_plt_slot(const uint8_t *code, uintptr_t address)
{
	const uint8_t *start = code;
	int32_t distance;

	if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa)
		code += 4;
	code += *code == 0xf2;
	if (code[0] != 0xff || code[1] != 0x25)
		return 0;
	__builtin_memcpy(&distance, code + 2, 4);
	return address + (uintptr_t)(code - start) + 6 + (uintptr_t)(intptr_t)distance;
}

#endif
