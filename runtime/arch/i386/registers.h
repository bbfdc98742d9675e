/* SPDX-License-Identifier: MIT */
/*
 * i386: what unwind/ needs. Registers have numbers of our own: those that survive calls come
 * first. Source of DWARF's numbers: "System V ABI, Intel386 Supplement", 2.4.2.
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
	REGISTER_EBX,
	REGISTER_ESI,
	REGISTER_EDI,
	REGISTER_FP,
	REGISTER_RA,
	REGISTER_SP,
	REGISTERS_KEPT,
	REGISTER_EAX = REGISTERS_KEPT,
	REGISTER_ECX,
	REGISTER_EDX,
	REGISTERS,
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
		REGISTER_EAX, REGISTER_ECX, REGISTER_EDX, REGISTER_EBX, REGISTER_SP,
		REGISTER_FP,  REGISTER_ESI, REGISTER_EDI, REGISTER_RA,
	};

	return dwarf < sizeof(ours) ? ours[dwarf] : -1;
}

static inline void arch_registers(const ucontext_t *context, uintptr_t value[REGISTERS])
{
	static const uint8_t from[REGISTERS] = {
		REG_EBX, REG_ESI, REG_EDI, REG_EBP, REG_EIP, REG_ESP, REG_EAX, REG_ECX, REG_EDX,
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

	__asm__("movl %%gs:0, %0" : "=r"(thread));
	return thread;
}

/*
 * The code to which a signal handler of three arguments returns: mov $rt_sigreturn, %eax; int
 * $0x80.
 */
static const uint8_t arch_signal_return[] = { 0xb8, 0xad, 0, 0, 0, 0xcd, 0x80 };
/* Offset of its last instruction; before that the stack pointer is unchanged. */
#define ARCH_SIGNAL_LAST 5

/* Then: bytes from the stack pointer to the context's address, and how many are read there. */
#define ARCH_SIGNAL_CONTEXT 8
#define ARCH_SIGNAL_POINTER 1
#define ARCH_CONTEXT_BYTES  (offsetof(ucontext_t, uc_mcontext) + sizeof(gregset_t))

/*
 * Whether a call instruction ends at an address. `end`: after a copy of the 8 bytes before it,
 * which is aligned. *target: the function that it calls, 0 if the call is indirect. *slot: where
 * the function's address is stored, or 0.
 */
static inline bool arch_called(const uint8_t *end, uintptr_t address, uintptr_t *target,
			       uintptr_t *slot)
{
	*slot = 0;
	return x86_called(end, address, target);
}

/* The slot of the PLT entry at an address; 0: there is none. `code`: a copy of its 16 bytes. */
static inline uintptr_t arch_plt_slot(const uint8_t *code, uintptr_t address)
{
	(void)code;
	(void)address;
	return 0;
}

#endif
