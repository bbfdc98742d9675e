/* SPDX-License-Identifier: MIT */
/* The code of a loaded object. See code.h. */
#include "calls/code.h"

#include <registers.h>
#include <sys/auxv.h>

#include "base/dynamic.h"
#include "base/sys.h"
#include "base/text.h"
#include "unwind/ehframe.h"

enum {
	CODE_PLT_BYTES = 16,
	CODE_FDE_BYTES = 16 /* until its function's address */
};

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

bool code_has_data(const struct code *code, uintptr_t at, size_t n)
{
	return code_in(code->data, code->ndata, at, n);
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

/* Whether this is a section of PLT entries, whose size says of most functions that they are none:
 * so their instructions need not be read. */
static bool code_is_plt(const struct code *code, const struct code_function *function)
{
	enum { SHORTEST = 8 /* bytes of an entry */ };

	return (function->high - function->low) % SHORTEST == 0 &&
	       (code_plt_slot(code, function->low) ||
		code_plt_slot(code, function->low + CODE_PLT_BYTES));
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
	function->plt = code_is_plt(code, function);
	code->nfunctions++;
}

/* The pages of a segment. */
static struct code_segment code_pages(const struct code_segment *segment)
{
	const uintptr_t page = CODE_PAGE;

	return (struct code_segment){ segment->low / page * page,
				      (segment->high + page - 1) / page * page };
}

bool code_protect(const struct code *code, int protection)
{
	bool done = true;

	for (size_t i = 0; i < code->ntext; i++) {
		const struct code_segment pages = code_pages(&code->text[i]);

		if (sys_failed(SYS3(SYS_mprotect, pages.low, pages.high - pages.low, protection)))
			done = false;
	}
	return done;
}

void code_own(struct code *code)
{
	for (size_t i = 0; i < code->ntext && !code->owned; i++) {
		const struct code_segment pages = code_pages(&code->text[i]);

		sys_populate((const void *)pages.low, pages.high - pages.low);
	}
	code->owned = true;
}

/* The same before code of n functions is read, if there may be something to change on each page. */
static void code_own_unread(struct code *code, size_t n)
{
	if (n < (code->high - code->low) / CODE_PAGE)
		return;
	if (code_protect(code, PROT_READ | PROT_WRITE))
		code_own(code);
	code_protect(code, PROT_READ | PROT_EXEC);
}

static bool code_read_functions(struct code *code, const struct dl_phdr_info *info, bool changes)
{
	struct eh_object object;
	struct eh_fde fde = { .cie = 0 };

	if (ehframe_open(&object, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum) && object.n)
		code->function = sys_memory_now(object.n * sizeof(*code->function));
	if (code->function && changes)
		code_own_unread(code, object.n);
	for (size_t i = 0; code->function && i < object.n; i++) {
		struct eh_entry entry;
		uintptr_t frame;

		if (!ehframe_entry(&object, NULL, i, &entry))
			continue;
		frame = object.base + (uintptr_t)(intptr_t)entry.frame;
		if (!code->frames.low || frame < code->frames.low)
			code->frames.low = frame;
		if (frame + CODE_FDE_BYTES > code->frames.high)
			code->frames.high = frame + CODE_FDE_BYTES;
		if (ehframe_read_next(&object, frame, &fde))
			code_add(code, &fde);
	}
	code->nentries = object.n;
	return code->function;
}

static void code_add_segment(struct code_segment *segment, size_t *n, uintptr_t low, size_t bytes)
{
	if (*n < CODE_SEGMENTS && bytes)
		segment[(*n)++] = (struct code_segment){ low, low + bytes };
}

bool code_locate(struct code *code, const struct dl_phdr_info *info)
{
	*code = (struct code){ .bias = info->dlpi_addr };
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t low = code->bias + header->p_vaddr;

		if (header->p_type == PT_DYNAMIC)
			code->dynamic = (const void *)low;
		if (header->p_type == PT_GNU_RELRO)
			code->constant = (struct code_segment){ low, low + header->p_memsz };
		if (header->p_type == PT_GNU_EH_FRAME)
			code->by_address = (struct code_segment){ low, low + header->p_memsz };
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
	return true;
}

struct code_segment code_range(const struct dl_phdr_info *info)
{
	struct code code;

	code_locate(&code, info);
	return (struct code_segment){ code.low, code.high };
}

/* Makes the index of functions. False: no memory, or too much code. */
static bool code_make_index(struct code *code)
{
	const uintptr_t size = code->high - code->low;
	const size_t n = code->nfunctions, words = size / CODE_STEP + 1;
	uint32_t *at;

	code->index_bytes = (words + n + 1) * sizeof(*code->index) + 2 * (n + 1);
	code->index = size < UINT32_MAX ? sys_memory_now(code->index_bytes) : NULL;
	if (!code->index)
		return false;
	code->start = code->index + words;
	code->closed = (uint8_t *)(code->start + n + 1);
	code->called = code->closed + n + 1;
	at = code->index;
	for (size_t i = 0; i < n; i++) {
		const struct code_function *function = &code->function[i];
		const uint32_t start = (uint32_t)(function->low - code->low);

		for (uint32_t *last = code->index + start / CODE_STEP; at <= last; at++)
			*at = (uint32_t)i;
		code->start[i] = start;
		code->closed[i] = function->fragment || function->plt;
	}
	while (at < code->start)
		*at++ = (uint32_t)n;
	code->start[n] = UINT32_MAX;
	return true;
}

bool code_open(struct code *code, const struct dl_phdr_info *info, bool changes)
{
	if (!code_locate(code, info) || !code_read_functions(code, info, changes))
		return false;
	if (code_make_index(code))
		return true;
	code_close(code);
	return false;
}

void code_close(struct code *code)
{
	if (code->function)
		sys_munmap(code->function, code->nentries * sizeof(*code->function));
	if (code->index)
		sys_munmap(code->index, code->index_bytes);
	code->function = NULL;
	code->index = NULL;
}

struct code_function *code_function_at(const struct code *code, uintptr_t at)
{
	size_t i;

	if (at - code->low >= code->high - code->low)
		return NULL;
	i = code_first_from(code, (uint32_t)(at - code->low));
	if (code->start[i] == at - code->low)
		return &code->function[i];
	return i && at < code->function[i - 1].high ? &code->function[i - 1] : NULL;
}

void code_mark(const struct code *code, uintptr_t at, unsigned why)
{
	struct code_function *function = code_entry_at(code, at);

	if (function)
		function->partial |= (uint8_t)why;
}

/* The number of symbols that DT_GNU_HASH knows: those of other objects come first, and are not
 * hashed. */
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
		return first;
	while (!(chain[last - first] & 1))
		last++;
	return (size_t)last + 1;
}

/* The address in an entry of the dynamic section: some loaders relocate these, some do not. */
static uintptr_t code_dynamic(const struct code *code, int tag)
{
	return dynamic_address(code->dynamic, tag, code->bias);
}

static uintptr_t code_size(const struct code *code, int tag)
{
	return dynamic_number(code->dynamic, tag);
}

uintptr_t code_end_of_tables(const struct code *code, const struct code_segment *segment)
{
	static const int tables[][2] = { { DT_RELA, DT_RELASZ },
					 { DT_JMPREL, DT_PLTRELSZ },
					 { DT_STRTAB, DT_STRSZ } };
	uintptr_t end = segment->low;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		uintptr_t last = code_dynamic(code, tables[i][0]);

		last += last ? code_size(code, tables[i][1]) : 0;
		if (last > end && last <= segment->high)
			end = last;
	}
	return end;
}

/* Symbols of an object, by either of its tables. Without both there are none. */
struct code_symbols {
	const ElfW(Sym) * symbol;
	const char *names;
	size_t n;
};

static struct code_symbols code_find_symbols(const struct code *code)
{
	const uint32_t *hash = (const void *)code_dynamic(code, DT_HASH);
	const uint32_t *gnu = (const void *)code_dynamic(code, DT_GNU_HASH);
	struct code_symbols symbols = {
		.symbol = (const void *)code_dynamic(code, DT_SYMTAB),
		.names = (const void *)code_dynamic(code, DT_STRTAB),
	};

	if (!symbols.symbol || !symbols.names)
		return symbols;
	if (hash)
		symbols.n = hash[1];
	else if (gnu)
		symbols.n = code_count_symbols(gnu);
	return symbols;
}

/* Calls found(argument, relocation) for each relocation of a type. */
static void code_each_relocation(const struct code *code, unsigned type,
				 void found(void *argument, const ElfW(Rela) * relocation),
				 void *argument)
{
	static const int tables[][2] = { { DT_RELA, DT_RELASZ }, { DT_JMPREL, DT_PLTRELSZ } };

	for (size_t k = 0; k < sizeof(tables) / sizeof(tables[0]); k++) {
		const ElfW(Rela) *relocation = (const void *)code_dynamic(code, tables[k][0]);
		const size_t n =
			relocation ? code_size(code, tables[k][1]) / sizeof(*relocation) : 0;

		for (size_t i = 0; i < n; i++)
			if (ELF64_R_TYPE(relocation[i].r_info) == type)
				found(argument, &relocation[i]);
	}
}

/* What is called for an address of an object. */
struct code_found {
	const struct code *code;
	void (*found)(void *argument, uintptr_t address);
	void *argument;
};

static void code_found_resolver(void *given, const ElfW(Rela) * relocation)
{
	const struct code_found *to = given;

	to->found(to->argument, to->code->bias + (uintptr_t)relocation->r_addend);
}

/* The same for functions that the loader calls to find out to which others slots shall lead, and
 * whose addresses are in relocations alone. */
static void code_each_resolver(const struct code *code,
			       void found(void *argument, uintptr_t address), void *argument)
{
	struct code_found to = { code, found, argument };

	code_each_relocation(code, R_X86_64_IRELATIVE, code_found_resolver, &to);
}

static void code_found_word(void *given, const ElfW(Rela) * relocation)
{
	const struct code_found *to = given;
	const uintptr_t at = to->code->bias + relocation->r_offset;

	if (code_has_data(to->code, at, sizeof(at)))
		to->found(to->argument, *(const volatile uintptr_t *)at);
}

/* Calls found(argument, address) for what the words of data hold that relocations of a type are of.
 */
static void code_each_held(const struct code *code, unsigned type,
			   void found(void *argument, uintptr_t address), void *argument)
{
	struct code_found to = { code, found, argument };

	code_each_relocation(code, type, code_found_word, &to);
}

void code_each_referred(const struct code *code, void found(void *argument, uintptr_t address),
			void *argument)
{
	code_each_held(code, R_X86_64_64, found, argument);
}

void code_each_exported(const struct code *code, void found(void *argument, uintptr_t address),
			void *argument)
{
	const struct code_symbols symbols = code_find_symbols(code);

	found(argument, getauxval(AT_ENTRY));
	found(argument, code_dynamic(code, DT_INIT));
	found(argument, code_dynamic(code, DT_FINI));
	for (size_t i = 0; i < symbols.n; i++) {
		const ElfW(Sym) *symbol = &symbols.symbol[i];
		const unsigned type = symbol->st_info & 0xf;

		if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF)
			found(argument, code->bias + symbol->st_value);
	}
	code_each_resolver(code, found, argument);
}

/* The same for the functions of an array of these. */
static void code_each_of(const struct code *code, const int tags[2],
			 void found(void *argument, uintptr_t address), void *argument)
{
	const uintptr_t *first = (const void *)code_dynamic(code, tags[0]);
	const size_t n = first ? code_size(code, tags[1]) / sizeof(*first) : 0;

	for (size_t i = 0; i < n; i++)
		found(argument, first[i]);
}

void code_each_begin(const struct code *code, void found(void *argument, uintptr_t address),
		     void *argument)
{
	found(argument, getauxval(AT_ENTRY));
	found(argument, code_dynamic(code, DT_INIT));
}

/* Whether the constructors of an object are called before counting begins: it does not begin it. */
static bool code_begins_before(const struct code *code)
{
	static const char *const hook[] = { CODE_HOOK };

	return !code_has(code, getauxval(AT_ENTRY), 1) && !code_imports(code, hook, 1);
}

void code_each_before(const struct code *code, void found(void *argument, uintptr_t address),
		      void *argument)
{
	/* The loader calls these, whoever has them. */
	static const char *const allocators[] = { "malloc", "calloc", "realloc", "free" };
	static const int preinit[] = { DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ };
	static const int init[] = { DT_INIT_ARRAY, DT_INIT_ARRAYSZ };
	const struct code_symbols symbols = code_find_symbols(code);

	code_each_of(code, preinit, found, argument);
	code_each_resolver(code, found, argument);
	for (size_t i = 0; i < symbols.n; i++) {
		const ElfW(Sym) *symbol = &symbols.symbol[i];
		bool early = (symbol->st_info & 0xf) == STT_GNU_IFUNC;

		if (symbol->st_shndx == SHN_UNDEF)
			continue;
		for (size_t k = 0; k < sizeof(allocators) / sizeof(allocators[0]); k++)
			early |= text_equal(symbols.names + symbol->st_name, allocators[k]);
		if (early)
			found(argument, code->bias + symbol->st_value);
	}
	if (!code_begins_before(code))
		return;
	found(argument, code_dynamic(code, DT_INIT));
	code_each_of(code, init, found, argument);
}

void code_each_told(const struct code *code, void found(void *argument, uintptr_t address),
		    void *argument)
{
	static const unsigned types[] = { R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64 };

	/* The start files have one, and that calls CODE_HOOK. */
	if (code_dynamic(code, DT_INIT) || !code_dynamic(code, DT_INIT_ARRAY) ||
	    !code_begins_before(code))
		return;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		code_each_held(code, types[i], found, argument);
}

bool code_imports(const struct code *code, const char *const *name, size_t n)
{
	const struct code_symbols symbols = code_find_symbols(code);

	for (size_t i = 0; i < symbols.n; i++)
		for (size_t k = 0; k < n && symbols.symbol[i].st_shndx == SHN_UNDEF; k++)
			if (text_equal(symbols.names + symbols.symbol[i].st_name, name[k]))
				return true;
	return false;
}
