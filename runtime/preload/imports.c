/* SPDX-License-Identifier: MIT */
/*
 * Slots by which objects call functions of others. See imports.h.
 *
 * A slot that the loader has filled in has the function's address, whatever its name and version
 * are. One of lazy binding leads into its own object until its first call; its relocation tells the
 * name, and the table of needed versions the version. The loader may fill in such a slot at the
 * same moment: then that one stays as it was.
 */
#include "preload/imports.h"

#include <stdbool.h>
#include <sys/mman.h>

#include "base/dynamic.h"
#include "base/program.h"
#include "base/sys.h"
#include "base/text.h"
#include "state.h"

enum { IMPORTS_VERSION = 0x7fff /* the bits of a symbol's version that are its number */ };

/* What is known of an object. */
struct imports_object {
	const struct dl_phdr_info *info;
	const ElfW(Dyn) * dynamic;
	const ElfW(Sym) * symbols;
	const char *names; /* of symbols and versions */
	struct program code;
	uintptr_t sealed_low, sealed_high; /* pages that the loader has made read-only */
	const struct imports_function *functions;
	size_t n;
};

static const void *imports_table(const struct imports_object *object, int tag)
{
	return (const void *)dynamic_address(object->dynamic, tag, object->info->dlpi_addr);
}

/* Sets which pages are read-only since the object was relocated: whole ones, as loaders do. */
static void imports_find_sealed(struct imports_object *object)
{
	const struct dl_phdr_info *info = object->info;
	const uintptr_t page = gmon.blocks.page;

	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const uintptr_t low = info->dlpi_addr + header->p_vaddr;

		if (header->p_type != PT_GNU_RELRO)
			continue;
		object->sealed_low = low / page * page;
		object->sealed_high = (low + header->p_memsz) / page * page;
	}
}

/* Stores into a slot, if the kernel allows it. */
static void imports_store(const struct imports_object *object, uintptr_t *slot, uintptr_t value)
{
	const uintptr_t page = gmon.blocks.page, at = (uintptr_t)slot / page * page;
	const bool sealed = at >= object->sealed_low && at < object->sealed_high;

	if (sealed && sys_failed(SYS3(SYS_mprotect, at, page, PROT_READ | PROT_WRITE)))
		return;
	__atomic_store_n(slot, value, __ATOMIC_RELAXED);
	if (sealed)
		SYS3(SYS_mprotect, at, page, PROT_READ);
}

/* Returns the name of the version that an object needs of a symbol; NULL: of any. */
static const char *imports_version(const struct imports_object *object, size_t symbol)
{
	const ElfW(Versym) *versions = imports_table(object, DT_VERSYM);
	const ElfW(Verneed) *need = imports_table(object, DT_VERNEED);

	if (!versions)
		return NULL;
	for (size_t n = need ? dynamic_number(object->dynamic, DT_VERNEEDNUM) : 0; n > 0; n--) {
		const ElfW(Vernaux) *version = (const void *)((const char *)need + need->vn_aux);

		for (size_t i = 0; i < need->vn_cnt; i++) {
			if (version->vna_other == (versions[symbol] & IMPORTS_VERSION))
				return object->names + version->vna_name;
			version = (const void *)((const char *)version + version->vna_next);
		}
		need = (const void *)((const char *)need + need->vn_next);
	}
	return NULL;
}

/* Whether a symbol is a function of those that are taken over, and not another one of its name. */
static bool imports_is(const struct imports_object *object, size_t symbol,
		       const struct imports_function *function)
{
	const char *version;

	if (!text_equal(object->names + object->symbols[symbol].st_name, function->name))
		return false;
	version = function->other ? imports_version(object, symbol) : function->name;
	return version && (!function->other || !text_equal(version, function->other));
}

/* Changes the slot of a relocation, if it leads to one of the functions. */
static void imports_lead_one(const struct imports_object *object, const ElfW(Rela) * relocation)
{
	uintptr_t *slot = (uintptr_t *)(object->info->dlpi_addr + relocation->r_offset);
	const unsigned type = (unsigned)ELF64_R_TYPE(relocation->r_info);
	uintptr_t leads;
	bool unbound;

	if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
		return;
	leads = __atomic_load_n(slot, __ATOMIC_RELAXED);
	unbound = type == R_X86_64_JUMP_SLOT && program_has(&object->code, leads);
	for (size_t i = 0; i < object->n; i++) {
		const struct imports_function *function = &object->functions[i];

		if (function->behind &&
		    (leads == function->behind ||
		     (unbound && imports_is(object, ELF64_R_SYM(relocation->r_info), function))))
			imports_store(object, slot, function->ours);
	}
}

/* Does so with a table of relocations, from the `first` one on. */
static void imports_lead_table(const struct imports_object *object, int table, int bytes,
			       size_t first)
{
	const ElfW(Rela) *relocation = imports_table(object, table);
	const size_t n =
		relocation ? dynamic_number(object->dynamic, bytes) / sizeof(*relocation) : 0;

	for (size_t i = first; i < n; i++)
		imports_lead_one(object, &relocation[i]);
}

void imports_lead(const struct dl_phdr_info *info, const struct imports_function *functions,
		  size_t n)
{
	struct imports_object object = {
		.info = info,
		.dynamic = dynamic_section(info),
		.code = { .bias = info->dlpi_addr },
		.functions = functions,
		.n = n,
	};

	if (!program_segments(&object.code, info->dlpi_phdr, info->dlpi_phnum))
		return;
	object.symbols = imports_table(&object, DT_SYMTAB);
	object.names = imports_table(&object, DT_STRTAB);
	imports_find_sealed(&object);
	/* The first ones are of the object itself: there may be very many. */
	imports_lead_table(&object, DT_RELA, DT_RELASZ,
			   dynamic_number(object.dynamic, DT_RELACOUNT));
	imports_lead_table(&object, DT_JMPREL, DT_PLTRELSZ, 0);
}
