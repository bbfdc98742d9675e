/* SPDX-License-Identifier: MIT */
/*
 * i386: what a walk along the stack must know. Registers are numbered anew: those that a called
 * function hands back come first. Source of DWARF's numbers: "System V ABI, Intel386 Supplement",
 * 2.4.2.
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
/* A frame record, {the caller's record, return address}: in words from where the register points.
 */
#define ARCH_RECORD 0
/* It lies at the end of its frame. */
#define ARCH_RECORD_ENDS 1
/* A called function's frame ends where its caller's begins. */
#define ARCH_SP_IS_CFA 1
/* Whether a function keeps its return address where its frame ends. */
#define ARCH_RETURN_LAST 1
/* See there. */
#define ARCH_ROOM x86_room

/* Ours for DWARF's; -1: none. */
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

/* A return address without what protects it. */
static inline uintptr_t arch_plain(uintptr_t address)
{
	return address;
}

/* Above the thread's own stack. */
static inline uintptr_t arch_thread(void)
{
	uintptr_t thread;

	__asm__("movl %%gs:0, %0" : "=r"(thread));
	return thread;
}

/* The code to which a handler of three arguments returns: mov $rt_sigreturn, %eax; int $0x80. */
static const uint8_t arch_signal_return[] = { 0xb8, 0xad, 0, 0, 0, 0xcd, 0x80 };
/* Its last instruction, before which the stack pointer stays; 0: the code is taken from its start
   only. */
#define ARCH_SIGNAL_LAST 5

/* Where the address of the interrupted context is, from the stack pointer, when that code runs;
   and how much of the context arch_registers() reads. */
#define ARCH_SIGNAL_CONTEXT 8
#define ARCH_SIGNAL_POINTER 1
#define ARCH_CONTEXT_BYTES  (offsetof(ucontext_t, uc_mcontext) + sizeof(gregset_t))

/*
 * Whether the instruction before an address is a call. The bytes from 8 before are read. *target:
 * where it goes, or 0 if the instruction does not say; *slot: where that address is kept, or 0.
 */
static inline bool arch_called(uintptr_t address, uintptr_t *target, uintptr_t *slot)
{
	*slot = 0;
	return x86_called(address, target);
}

/* If the code at an address, of which 16 bytes are read, is an entry of a PLT: its slot, or 0. */
static inline uintptr_t arch_plt_slot(uintptr_t address)
{
	(void)address;
	return 0;
}

#endif
