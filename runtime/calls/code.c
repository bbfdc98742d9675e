/* SPDX-License-Identifier: MIT */
/* The code of a loaded object. See code.h. */
#include "calls/code.h"

#include <registers.h>

#include "base/sys.h"
#include "base/text.h"
#include "unwind/ehframe.h"

enum { CODE_PLT_BYTES = 16, CODE_PLT_LONGEST = 11 };

static bool code_in(const struct code_segment *segment, size_t n, uintptr_t at, size_t bytes)
{
	for (size_t i = 0; i < n; i++)
		if (at >= segment[i].low && at < segment[i].high && bytes <= segment[i].high - at)
			return true;
	return false;
}

bool code_has(const struct code *code, uintptr_t at, size_t n)
{
	return code_in(code->text, code->ntext, at, n);
}

bool code_is_constant(const struct code *code, uintptr_t slot)
{
	return code_in(&code->constant, 1, slot, sizeof(uintptr_t));
}

uintptr_t code_plt_slot(const struct code *code, uintptr_t at)
{
	uintptr_t slot;

	if (!code_has(code, at, CODE_PLT_BYTES))
		return 0;
	slot = arch_plt_slot((const uint8_t *)at, at);
	return code_in(code->data, code->ndata, slot, sizeof(slot)) ? slot : 0;
}

/* Whether the instructions from the start of a function on say that it was not called there: before
 * the first of them, the frame is not that of a call, or registers are saved already. */
static bool code_is_fragment(struct eh_bytes program)
{
	enum {
		ADVANCE = 0x40,
		NOP = 0,
		ADVANCE_1 = 2,
		ADVANCE_4 = 4,
		UNDEFINED = 7,
		REMEMBER = 0x0a,
		DEFINE = 0x0c,
		OFFSET = 0x0e,
		ARGUMENTS = 0x2e,
		STACK_POINTER = 7,
		AT_CALL = 8
	};

	while (program.at < program.end && !program.bad) {
		uint8_t op = eh_byte(&program);

		if ((op & 0xc0) == ADVANCE || (op >= ADVANCE_1 && op <= ADVANCE_4))
			return false;
		if (op == NOP || op == REMEMBER)
			continue;
		if (op == UNDEFINED || op == ARGUMENTS)
			eh_leb(&program);
		else if (op == OFFSET && eh_leb(&program) == AT_CALL)
			continue;
		else if (op == DEFINE && eh_leb(&program) == STACK_POINTER &&
			 eh_leb(&program) == AT_CALL)
			continue;
		else
			return true;
	}
	return program.bad;
}

static void code_add(struct code *code, const struct eh_fde *fde)
{
	struct code_function *function = &code->function[code->nfunctions];
	struct code_function *last = code->nfunctions ? function - 1 : NULL;

	if (fde->low >= fde->high || !code_has(code, fde->low, fde->high - fde->low))
		return;
	if (last && fde->low < last->high) {
		if (fde->low <= last->low)
			return;
		last->high = fde->low;
	}
	*function = (struct code_function){ .low = fde->low, .high = fde->high };
	/* The CIE's own instructions say how a call leaves the stack, as the ABI has it. */
	function->fragment = fde->signal || code_is_fragment(fde->code);
	function->plt =
		code_plt_slot(code, fde->low) || code_plt_slot(code, fde->low + CODE_PLT_BYTES);
	code->nfunctions++;
}

static bool code_read_functions(struct code *code, const struct dl_phdr_info *info)
{
	struct readable *readable = sys_memory(sizeof(*readable));
	struct eh_object object;

	if (!readable)
		return false;
	if (ehframe_open(&object, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum) && object.n)
		code->function = sys_memory(object.n * sizeof(*code->function));
	object.fingerprint |= 1;
	for (size_t i = 0; code->function && i < object.n; i++) {
		struct eh_entry entry;
		struct eh_fde fde;

		if (ehframe_entry(&object, readable, i, &entry) &&
		    ehframe_read(&object, readable, object.base + (uintptr_t)(intptr_t)entry.frame,
				 &fde, NULL))
			code_add(code, &fde);
	}
	sys_munmap(readable, sizeof(*readable));
	code->nentries = object.n;
	return code->function;
}

static void code_add_segment(struct code_segment *segment, size_t *n, uintptr_t low, size_t bytes)
{
	if (*n < CODE_SEGMENTS && bytes)
		segment[(*n)++] = (struct code_segment){ low, low + bytes };
}

bool code_open(struct code *code, const struct dl_phdr_info *info)
{
	*code = (struct code){ .bias = info->dlpi_addr };
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t low = code->bias + header->p_vaddr;

		if (header->p_type == PT_DYNAMIC)
			code->dynamic = (const void *)low;
		if (header->p_type == PT_GNU_RELRO)
			code->constant = (struct code_segment){ low, low + header->p_memsz };
		if (header->p_type != PT_LOAD || !(header->p_flags & PF_R))
			continue;
		if (header->p_flags & PF_X)
			code_add_segment(code->text, &code->ntext, low, header->p_filesz);
		else
			code_add_segment(code->data, &code->ndata, low, header->p_filesz);
	}
	if (!code->ntext)
		return false;
	code->low = code->text[0].low;
	code->high = code->text[code->ntext - 1].high;
	return code_read_functions(code, info);
}

void code_close(struct code *code)
{
	if (code->function)
		sys_munmap(code->function, code->nentries * sizeof(*code->function));
	code->function = NULL;
}

struct code_function *code_function_at(const struct code *code, uintptr_t at)
{
	size_t low = 0, high = code->nfunctions;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (at < code->function[middle].low)
			high = middle;
		else if (at >= code->function[middle].high)
			low = middle + 1;
		else
			return &code->function[middle];
	}
	return NULL;
}

struct code_function *code_entry_at(const struct code *code, uintptr_t at)
{
	struct code_function *function = code_function_at(code, at);

	return function && function->low == at && !function->fragment && !function->plt ? function
											: NULL;
}

/* The number of symbols that DT_GNU_HASH knows. */
static size_t code_count_symbols(const uint32_t *hash)
{
	const uint32_t nbuckets = hash[0], first = hash[1], words = hash[2];
	const uint32_t *bucket = hash + 4 + words * (sizeof(uintptr_t) / sizeof(*hash));
	const uint32_t *chain = bucket + nbuckets;
	uint32_t last = 0;

	for (uint32_t i = 0; i < nbuckets; i++)
		if (bucket[i] > last)
			last = bucket[i];
	if (last < first)
		return 0;
	while (!(chain[last - first] & 1))
		last++;
	return (size_t)last + 1;
}

/* The address in an entry of the dynamic section: some loaders relocate these, some do not. */
static uintptr_t code_dynamic(const struct code *code, int tag)
{
	for (const ElfW(Dyn) *d = code->dynamic; d && d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return d->d_un.d_ptr < code->bias ? d->d_un.d_ptr + code->bias
							  : d->d_un.d_ptr;
	return 0;
}

void code_each_exported(const struct code *code, void found(void *argument, uintptr_t address),
			void *argument)
{
	const ElfW(Sym) *symbol = (const void *)code_dynamic(code, DT_SYMTAB);
	const uint32_t *hash = (const void *)code_dynamic(code, DT_GNU_HASH);
	const size_t n = symbol && hash ? code_count_symbols(hash) : 0;

	found(argument, code_dynamic(code, DT_INIT));
	found(argument, code_dynamic(code, DT_FINI));
	for (size_t i = hash ? hash[1] : 0; i < n; i++) {
		unsigned type = symbol[i].st_info & 0xf;

		if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol[i].st_shndx != SHN_UNDEF)
			found(argument, code->bias + symbol[i].st_value);
	}
}

bool code_imports(const struct code *code, const char *name)
{
	const ElfW(Sym) *symbol = (const void *)code_dynamic(code, DT_SYMTAB);
	const uint32_t *hash = (const void *)code_dynamic(code, DT_GNU_HASH);
	const char *names = (const void *)code_dynamic(code, DT_STRTAB);

	/* Symbols of other objects are not hashed, and come first. */
	for (size_t i = 0; symbol && hash && names && i < hash[1]; i++)
		if (text_equal(names + symbol[i].st_name, name))
			return true;
	return false;
}
