/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of machines. To add one: doc/howto-add-an-architecture.md. */
#include "config.h"

#include "io/image/machine.h"

#include <elf.h>
#include <string.h>

static const struct machine machines[] = {
	{ EM_X86_64, callscan_x86_64, .unit = 1, .sees_all = true, .arch = "i386", .bits = 64 },
	{ EM_386, callscan_i386, .unit = 1, .sees_all = true, .arch = "i386", .bits = 32 },
	{ EM_IAMCU, callscan_i386, .unit = 1, .sees_all = true },
	{ EM_AARCH64, callscan_aarch64, .unit = 4 },
	{ EM_RISCV, callscan_riscv, .unit = 2 },
	{ EM_ARM, callscan_arm, .unit = 2, .thumb = true },
	{ EM_PPC64, callscan_ppc64, .unit = 4, .entry = { 0, 4, 8 } }, /* the local entry point */
	{ EM_S390, callscan_s390x, .unit = 2 },
	{ EM_MIPS, callscan_mips, .unit = 4, .delay = 4 },
	{ EM_MIPS_RS3_LE, callscan_mips, .unit = 4, .delay = 4 },
	{ EM_SPARC, callscan_sparc, .unit = 4, .delay = 4 },
	{ EM_SPARC32PLUS, callscan_sparc, .unit = 4, .delay = 4 },
	{ EM_SPARCV9, callscan_sparc, .unit = 4, .delay = 4 },
	{ EM_ALPHA, callscan_alpha, .unit = 4,
	  .entry = { 0, 8 } }, /* after the instructions that load GP */
};

enum { NMACHINES = sizeof(machines) / sizeof(machines[0]) };

const struct machine *machine_by_number(unsigned number)
{
	for (size_t i = 0; i < NMACHINES; i++) {
		if (machines[i].number == number)
			return &machines[i];
	}
	return NULL;
}

const struct machine *machine_by_arch(const char *arch, unsigned bits)
{
	for (size_t i = 0; i < NMACHINES; i++) {
		if (machines[i].arch && machines[i].bits == bits &&
		    strcmp(machines[i].arch, arch) == 0)
			return &machines[i];
	}
	return NULL;
}

enum target_calls machine_calls(unsigned number, unsigned bits)
{
	switch (number) {
	case EM_X86_64:
		return CALLS_X86_64;
	case EM_386:
		return CALLS_I386;
	case EM_ARM:
		return CALLS_ARM;
	case EM_AARCH64:
		return CALLS_GENERIC;
	case EM_RISCV:
		return bits == 64 ? CALLS_GENERIC : CALLS_UNKNOWN;
	case EM_S390:
		return bits == 64 ? CALLS_S390X : CALLS_UNKNOWN;
	case EM_PPC:
	case EM_PPC64:
		return CALLS_POWERPC;
	default:
		return CALLS_UNKNOWN;
	}
}
