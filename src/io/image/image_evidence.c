/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds what an object file says about -pg: its code sections, the profiling entries that it calls,
 * the libraries that it is linked with.
 */
#include "config.h"

#include "base/array.h"
#include "base/cursor.h"
#include "base/radix.h"
#include "base/search.h"
#include "io/image/image.h"
#include "io/image/image_bfd.h"
#include "io/image/machine.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

/* Functions that compilers call at the start of each function, for -pg or (the last one)
 * -finstrument-functions. */
static const char *const entry_names[] = {
	"mcount",     "_mcount", "__mcount",      "__gnu_mcount_nc",          "__mcount_nc",
	"__fentry__", ".mcount", "_gprof_mcount", "__cyg_profile_func_enter",
};

/* Functions that may return more than once. */
static const char *const twice_names[] = {
	"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "getcontext", "vfork",
};

/* Functions that start threads, or that only threaded programs need. */
static const char *const thread_names[] = {
	"pthread_create",
	"thrd_create",
	"GOMP_parallel",
	"__kmpc_fork_call",
};

/* What it means that a program imports a function. */
enum {
	ENDS_SAMPLES = 1, /* it can block SIGPROF for the C library's runtime */
	MASKS = 2,        /* it can block the signal for libgmon */
	OF_LIBGMON = 4,   /* libgmon imports it, too, when it is linked into the program */
	EXECS = 8,        /* it replaces the program, so that what ran before is in no data file */
	SPAWNS = 16,      /* it starts a process, in which EXECS may happen without loss */
};

static const struct {
	const char *name;
	unsigned told;
} told_calls[] = {
	{ "setitimer", ENDS_SAMPLES | OF_LIBGMON },
	{ "sigprocmask", ENDS_SAMPLES | MASKS },
	{ "pthread_sigmask", ENDS_SAMPLES | MASKS },
	{ "signal", ENDS_SAMPLES | MASKS },
	{ "sigaction", ENDS_SAMPLES | MASKS | OF_LIBGMON },
	{ "fork", ENDS_SAMPLES | SPAWNS },
	{ "vfork", ENDS_SAMPLES | SPAWNS },
	{ "execl", EXECS },
	{ "execle", EXECS },
	{ "execlp", EXECS },
	{ "execv", EXECS },
	{ "execve", EXECS },
	{ "execvp", EXECS },
	{ "execvpe", EXECS },
	{ "fexecve", EXECS },
};

enum { NTOLD_CALLS = sizeof(told_calls) / sizeof(told_calls[0]) };

static bool image_is_one_of(const char *name, const char *const *names, size_t n)
{
	size_t length = strcspn(name, "@");

	for (size_t i = 0; i < n; i++) {
		if (strlen(names[i]) == length && memcmp(name, names[i], length) == 0)
			return true;
	}
	return false;
}

static bool image_is_entry(const char *name)
{
	return image_is_one_of(name, entry_names, sizeof(entry_names) / sizeof(entry_names[0]));
}

static bool image_is_twice(const char *name)
{
	return image_is_one_of(name, twice_names, sizeof(twice_names) / sizeof(twice_names[0]));
}

static bool image_is_thread_start(const char *name)
{
	return image_is_one_of(name, thread_names,
			       sizeof(thread_names) / sizeof(thread_names[0])) ||
	       strncmp(name, "_ZNSt6thread15_M_start_thread", 29) == 0;
}

/* The loaded segments that the program headers of an ELF file list. */
struct image_segments {
	size_t n;
	uint64_t base;     /* the lowest address, at the beginning of a page */
	uint64_t code_end; /* the end of the last one that can be executed; 0: none can */
};

static void image_add_segment(struct image_segments *all, const unsigned char *entry, bool is_64,
			      bool big)
{
	enum {
		FLAGS_32 = 24,
		FLAGS_64 = 4,
		VADDR_32 = 8,
		VADDR_64 = 16,
		MEMSZ_32 = 20,
		MEMSZ_64 = 40
	};
	unsigned width = is_64 ? 8 : 4;
	uint64_t pc = cursor_bytes_uint(entry + (is_64 ? VADDR_64 : VADDR_32), width, big);
	uint64_t end = pc + cursor_bytes_uint(entry + (is_64 ? MEMSZ_64 : MEMSZ_32), width, big);

	if (cursor_bytes_uint(entry + (is_64 ? FLAGS_64 : FLAGS_32), 4, big) & PF_X &&
	    end > all->code_end)
		all->code_end = end;
	pc &= ~(uint64_t)(PAGE - 1);
	if (all->n++ == 0 || pc < all->base)
		all->base = pc;
}

/* Reads the program headers; there are none in what is no ELF file, or cannot be read. */
static struct image_segments image_segments(const struct image *image)
{
	enum { AT_32 = 28, AT_64 = 32, SIZES_32 = 42, SIZES_64 = 54, MAX_BYTES = 64 };
	bfd *abfd = image->bfd;
	bool big = bfd_big_endian(abfd), is_64 = bfd_get_arch_size(abfd) == 64;
	struct image_segments all = { 0 };
	unsigned char header[MAX_BYTES], entry[MAX_BYTES];
	size_t size, n;
	uint64_t at;

	if (bfd_get_flavour(abfd) != bfd_target_elf_flavour ||
	    !image_read_at(abfd, 0, header, is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return all;
	at = cursor_bytes_uint(header + (is_64 ? AT_64 : AT_32), is_64 ? 8 : 4, big);
	size = (size_t)cursor_bytes_uint(header + (is_64 ? SIZES_64 : SIZES_32), 2, big);
	n = (size_t)cursor_bytes_uint(header + (is_64 ? SIZES_64 : SIZES_32) + 2, 2, big);
	if (size != (is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return all;
	for (size_t i = 0; i < n && image_read_at(abfd, at + i * size, entry, size); i++)
		if (cursor_bytes_uint(entry, 4, big) == PT_LOAD)
			image_add_segment(&all, entry, is_64, big);
	return all;
}

/* Finds ImageBase of a PE file. */
static bool image_find_pe_base(const struct image *image, uint64_t *base)
{
	enum { HEADER_AT = 0x3c, OPTIONAL = 24, PE32 = 0x10b, PE32_PLUS = 0x20b };
	unsigned char bytes[OPTIONAL + 32];
	uint64_t magic;

	if (!image_read_at(image->bfd, HEADER_AT, bytes, 4) ||
	    !image_read_at(image->bfd, cursor_bytes_uint(bytes, 4, false), bytes, sizeof(bytes)) ||
	    memcmp(bytes, "PE\0", 4) != 0)
		return false;
	magic = cursor_bytes_uint(bytes + OPTIONAL, 2, false);
	if (magic == PE32)
		*base = cursor_bytes_uint(bytes + OPTIONAL + 28, 4, false);
	else if (magic == PE32_PLUS)
		*base = cursor_bytes_uint(bytes + OPTIONAL + 24, 8, false);
	return magic == PE32 || magic == PE32_PLUS;
}

/* As image_base() has it, by the program headers where there are any. */
static uint64_t image_base_by(const struct image *image, const struct image_segments *segments)
{
	uint64_t base = 0;
	bool first = true;

	if (segments->n > 0)
		return segments->base;
	if (bfd_get_flavour(image->bfd) == bfd_target_coff_flavour &&
	    image_find_pe_base(image, &base))
		return base;
	for (const asection *s = image->bfd->sections; s; s = s->next) {
		uint64_t pc = bfd_section_vma(s) & ~(uint64_t)(PAGE - 1);

		if (!(bfd_section_flags(s) & SEC_ALLOC))
			continue;
		base = first || pc < base ? pc : base;
		first = false;
	}
	return base;
}

uint64_t image_base(const struct image *image)
{
	const struct image_segments segments = image_segments(image);

	return image_base_by(image, &segments);
}

/* The state of one look through both symbol tables. */
struct image_look {
	struct evidence *e;
	struct entry_points *points;
	struct arena *mem;
	ARRAY(uint64_t) code, slots, twice;
	bool has_libc_start, has_libgmon;
	bool imports[NTOLD_CALLS];
};

static const char *image_keep_name(const char *name, struct arena *mem)
{
	return arena_strndup(mem, name, strcspn(name, "@"));
}

static void image_add_entry(struct image_look *look, const struct image *image, uint64_t pc)
{
	unsigned distance = 0;

	array_push(look->mem, &look->code) = pc;
	for (size_t i = 1; image->machine && machine_entry(image->machine, i, &distance); i++)
		array_push(look->mem, &look->code) = pc + distance;
}

/*
 * Notes what a symbol shows. gcrt1.o defines __gmon_start__ and calls __monstartup; programs
 * without -pg have a weak reference to __gmon_start__.
 */
static void image_look_at_symbol(struct image_look *look, const struct image *image,
				 const asymbol *symbol)
{
	const char *name = symbol->name;
	bool defined = !bfd_is_und_section(symbol->section) && !bfd_is_com_section(symbol->section);

	if (symbol->flags & (BSF_SECTION_SYM | BSF_FILE) || !name)
		return;
	if (image_is_entry(name)) {
		look->e->entry = image_keep_name(name, look->mem);
		if (defined && bfd_section_flags(symbol->section) & SEC_CODE)
			image_add_entry(look, image, image_symbol_pc(image, symbol));
	} else if (defined && image_is_twice(name)) {
		array_push(look->mem, &look->twice) = image_symbol_pc(image, symbol);
	} else if (image_is_thread_start(name)) {
		look->e->threads = image_keep_name(name, look->mem);
	} else if (strncmp(name, "__monstartup", 12) == 0 ||
		   (defined && strcmp(name, "__gmon_start__") == 0)) {
		look->has_libc_start = true;
	} else if (defined && strcmp(name, "gmon_dump") == 0) {
		look->has_libgmon = true;
	} else if (!defined) {
		for (size_t i = 0; i < NTOLD_CALLS; i++)
			look->imports[i] |= image_is_one_of(name, &told_calls[i].name, 1);
	}
}

static void image_look_at_symbols(struct image_look *look, const struct image *image,
				  asymbol **syms, long n)
{
	for (long i = 0; i < n && syms[i]; i++)
		image_look_at_symbol(look, image, syms[i]);
}

static void image_look_at_stubs(struct image_look *look, struct image *image)
{
	size_t n;
	const asymbol *stubs = image_read_stubs(image, &n);

	for (size_t i = 0; i < n; i++) {
		if (strstr(stubs[i].name, "@plt") && image_is_entry(stubs[i].name))
			array_push(look->mem, &look->code) = bfd_asymbol_value(&stubs[i]);
		else if (image_is_twice(stubs[i].name))
			array_push(look->mem, &look->twice) = bfd_asymbol_value(&stubs[i]);
	}
}

/* Finds the slots that the dynamic linker fills with the address of a profiling entry. */
static void image_look_at_slots(struct image_look *look, bfd *abfd, asymbol **dynamic,
				struct arena *scratch)
{
	long bytes = bfd_get_dynamic_reloc_upper_bound(abfd);
	arelent **relocs =
		arena_array(scratch, arelent *, bytes > 0 ? (size_t)bytes / sizeof(arelent *) : 1);
	long n = bytes > 0 ? bfd_canonicalize_dynamic_reloc(abfd, relocs, dynamic) : 0;

	for (long i = 0; i < n; i++) {
		const asymbol *symbol = relocs[i]->sym_ptr_ptr ? *relocs[i]->sym_ptr_ptr : NULL;

		if (symbol && symbol->name && image_is_entry(symbol->name))
			array_push(look->mem, &look->slots) = relocs[i]->address;
		else if (symbol && symbol->name && image_is_twice(symbol->name))
			array_push(look->mem, &look->twice) = relocs[i]->address;
	}
}

static void image_look_at_dynamic(struct image_look *look, struct image *image)
{
	struct arena scratch = arena_scratch(look->mem);
	long n = image_read_dynamic(image);

	if (n > 0) {
		image_look_at_symbols(look, image, image->dynamic, n);
		image_look_at_stubs(look, image);
		image_look_at_slots(look, image->bfd, image->dynamic, &scratch);
	}
	arena_free(&scratch);
}

/* Whether libgmon is named in the strings for the dynamic linker. */
static bool image_needs_libgmon(bfd *abfd, const struct arena *mem)
{
	static const char name[] = "\0libgmon.so";
	struct arena scratch = arena_scratch(mem);
	asection *strings = bfd_get_section_by_name(abfd, ".dynstr");
	size_t size = strings ? bfd_section_size(strings) : 0;
	unsigned char *bytes;
	bool found = false;

	if (size == 0 || image_section_is_cut(abfd, strings))
		return false;
	bytes = arena_array(&scratch, unsigned char, size);
	if (bfd_get_section_contents(abfd, strings, bytes, 0, size))
		found = memmem(bytes, size, name, sizeof(name) - 1) != NULL;
	arena_free(&scratch);
	return found;
}

bool image_returns_twice(const struct entry_points *points, uint64_t pc)
{
	return search_has(points->twice, points->ntwice, pc);
}

bool image_is_entry_point(const struct entry_points *points, uint64_t pc, bool is_slot)
{
	return is_slot ? search_has(points->slot, points->nslots, pc)
		       : search_has(points->code, points->ncode, pc);
}

/*
 * Returns the names of the imported functions that have one of these flags, joined; NULL if there
 * are none.
 */
static const char *image_join_calls(const struct image_look *look, unsigned reasons)
{
	char *text = arena_array(look->mem, char, 128), *end = text;

	for (size_t i = 0; i < NTOLD_CALLS; i++) {
		unsigned told = told_calls[i].told;

		if (!look->imports[i] || !(told & reasons) ||
		    (look->has_libgmon && told & OF_LIBGMON))
			continue;
		end = stpcpy(end, end > text ? ", " : "");
		end = stpcpy(end, told_calls[i].name);
	}
	return end > text ? text : NULL;
}

void image_evidence(struct image *image, struct evidence *e, struct entry_points *points,
		    struct arena *mem, struct diag *diag)
{
	struct image_look look = { .e = e, .points = points, .mem = mem };
	const struct image_segments segments = image_segments(image);
	long n = image_read_symbols(image, image->bfd, diag);

	if (n == 0 && image->debug)
		n = image_read_symbols(image, image->debug, diag);
	e->parts = image_code_ranges(image, &e->nparts, mem);
	e->base = image_base_by(image, &segments);
	e->code_end = segments.code_end;
	e->build_id = image_build_id(image, mem);
	e->dynamic = bfd_get_dynamic_symtab_upper_bound(image->bfd) > 0;
	e->position_independent = bfd_get_flavour(image->bfd) == bfd_target_elf_flavour &&
				  bfd_get_file_flags(image->bfd) & DYNAMIC &&
				  !(bfd_get_file_flags(image->bfd) & EXEC_P && e->base != 0);
	image_look_at_symbols(&look, image, image->syms, n);
	image_look_at_dynamic(&look, image);
	e->timer_calls = image_join_calls(&look, ENDS_SAMPLES);
	e->mask_calls = image_join_calls(&look, MASKS);
	e->exec_calls = image_join_calls(&look, EXECS);
	e->execs_itself = e->exec_calls && !image_join_calls(&look, SPAWNS);
	if (look.has_libgmon || image_needs_libgmon(image->bfd, mem))
		e->linked = RUNTIME_LIBGMON;
	else if (look.has_libc_start)
		e->linked = RUNTIME_LIBC;
	radix_sort_numbers(look.code.at, look.code.n, look.mem);
	radix_sort_numbers(look.slots.at, look.slots.n, look.mem);
	radix_sort_numbers(look.twice.at, look.twice.n, look.mem);
	*points = (struct entry_points){ look.code.at, look.code.n,   look.slots.at,
					 look.slots.n, look.twice.at, look.twice.n };
}
