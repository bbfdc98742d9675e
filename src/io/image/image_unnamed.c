/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes functions of a stripped image. .eh_frame says where each function begins and ends (its
 * format is in the Linux Standard Base, "DWARF Extensions"); the dynamic symbols give the few names
 * that are left, .gnu_debugdata all of them.
 */
#include "config.h"

#include "base/array.h"
#include "base/cursor.h"
#include "base/path.h"
#include "io/image/image.h"
#include "io/image/image_bfd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * How a pointer is encoded: the low half of the byte is its type, the high half what it is relative
 * to.
 */
enum pointer_encoding {
	POINTER_WHOLE = 0,
	POINTER_U32 = 3,
	POINTER_U64 = 4,
	POINTER_S32 = 0xb,
	POINTER_S64 = 0xc,
	POINTER_FORMAT = 0xf,
	POINTER_RELATIVE = 0x10, /* relative to its own address */
	POINTER_BASE = 0x70,
	POINTER_NONE = 0xff,
};

/* The code of a function, or a part of one: [lo, hi). */
struct unnamed_range {
	uint64_t lo, hi;
};

/* The state of reading .eh_frame. */
struct unnamed {
	struct cursor c;
	uint64_t vma;
	unsigned pointer_bytes;
	size_t common;     /* offset of the common entry (CIE) from which `encoding` was read */
	unsigned encoding; /* how addresses are encoded */
	struct arena *mem;
	ARRAY(struct unnamed_range) ranges;
};

/* Returns the bytes of a section that are in the file, to be freed; or NULL. */
static unsigned char *image_unnamed_section(bfd *abfd, asection *section)
{
	bfd_byte *bytes = NULL;

	if (!section || !(bfd_section_flags(section) & SEC_HAS_CONTENTS) ||
	    image_section_is_cut(abfd, section) ||
	    !bfd_malloc_and_get_section(abfd, section, &bytes))
		return NULL;
	return bytes;
}

static uint64_t image_unnamed_pointer(struct unnamed *u, unsigned encoding)
{
	uint64_t at = u->vma + u->c.at, value;

	switch (encoding & POINTER_FORMAT) {
	case POINTER_WHOLE:
		value = cursor_uint(&u->c, u->pointer_bytes, "an address");
		break;
	case POINTER_U32:
		value = cursor_uint(&u->c, 4, "an address");
		break;
	case POINTER_S32:
		value = (uint64_t)(int32_t)cursor_uint(&u->c, 4, "an address");
		break;
	case POINTER_U64:
	case POINTER_S64:
		value = cursor_uint(&u->c, 8, "an address");
		break;
	default:
		u->c.failed = true;
		return 0;
	}
	if ((encoding & POINTER_BASE) == POINTER_RELATIVE)
		value += at;
	else if (encoding & POINTER_BASE)
		u->c.failed = true;
	return u->pointer_bytes == 4 ? (uint32_t)value : value;
}

/* Returns how addresses are encoded, according to the augmentation string of a common entry. */
static unsigned image_unnamed_encoding(struct unnamed *u, const char *letters)
{
	unsigned encoding = POINTER_WHOLE;

	cursor_uleb(&u->c, "a length");
	for (letters++; *letters && !u->c.failed; letters++) {
		unsigned personality;

		if (*letters == 'R')
			return (unsigned)cursor_uint(&u->c, 1, "an encoding");
		if (*letters == 'L')
			cursor_uint(&u->c, 1, "an encoding");
		if (*letters == 'P') {
			personality = (unsigned)cursor_uint(&u->c, 1, "an encoding");
			image_unnamed_pointer(u, personality & POINTER_FORMAT);
		}
	}
	return encoding;
}

/* Reads the common entry (CIE) at `common`. */
static void image_unnamed_read_common(struct unnamed *u, size_t common)
{
	struct cursor before = u->c;
	const char *letters;
	size_t n;
	unsigned version;

	if (common == u->common)
		return;
	u->common = common;
	u->c.at = common + 8; /* after its length and its number */
	version = (unsigned)cursor_uint(&u->c, 1, "a version");
	letters = (const char *)u->c.start + u->c.at;
	n = strnlen(letters, cursor_left(&u->c));
	cursor_take(&u->c, n + 1, "an augmentation");
	if (version == 4)
		cursor_take(&u->c, 2, "sizes");
	cursor_uleb(&u->c, "a factor");
	cursor_sleb(&u->c, "a factor");
	if (version == 1)
		cursor_uint(&u->c, 1, "a register");
	else
		cursor_uleb(&u->c, "a register");
	u->encoding = letters[0] == 'z' && !u->c.failed ? image_unnamed_encoding(u, letters) : 0;
	before.failed = u->c.failed;
	u->c = before;
}

/* Reads the entry at the cursor. Returns false if it is the last one. */
static bool image_unnamed_read_entry(struct unnamed *u)
{
	uint64_t length = cursor_uint(&u->c, 4, "a length"), back, lo, bytes;
	size_t at = u->c.at;

	if (length == 0 || length == UINT32_MAX || !cursor_need(&u->c, length, "an entry"))
		return false;
	back = cursor_uint(&u->c, 4, "a number");
	if (back != 0 && back <= at) {
		image_unnamed_read_common(u, at - (size_t)back);
		lo = image_unnamed_pointer(u, u->encoding);
		bytes = image_unnamed_pointer(u, u->encoding & POINTER_FORMAT);
		if (!u->c.failed && bytes > 0 && lo + bytes > lo)
			array_push(u->mem, &u->ranges) = (struct unnamed_range){ lo, lo + bytes };
	}
	u->c.at = at + (size_t)length;
	return !u->c.failed;
}

static int image_unnamed_compare(const void *a, const void *b)
{
	const struct unnamed_range *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

/* Collects the ranges of all entries up to the first that is damaged, sorted by address. */
static void image_unnamed_read_ranges(struct unnamed *u, struct image *image, struct diag *silent)
{
	asection *section = bfd_get_section_by_name(image->bfd, ".eh_frame");
	unsigned char *bytes = image_unnamed_section(image->bfd, section);

	if (!bytes)
		return;
	u->c = (struct cursor){ .start = bytes,
				.size = bfd_section_size(section),
				.big_endian = bfd_big_endian(image->bfd),
				.name = bfd_get_filename(image->bfd),
				.diag = silent };
	u->vma = section->vma;
	u->common = SIZE_MAX;
	while (cursor_left(&u->c) >= 4 && image_unnamed_read_entry(u))
		;
	free(bytes);
	if (u->ranges.n > 0)
		qsort(u->ranges.at, u->ranges.n, sizeof(*u->ranges.at), image_unnamed_compare);
}

/*
 * The first `named` symbols have names from the file and are sorted by address; the names of the
 * others are made up.
 */
typedef struct {
	ARRAY(struct sym) all;
	size_t named;
} unnamed_symbols;

static void image_unnamed_push(unnamed_symbols *symbols, uint64_t lo, const char *name,
			       struct arena *mem)
{
	array_push(mem, &symbols->all) = (struct sym){
		.lo = lo, .name = name, .flags = SYM_FUNC, .place = (uint32_t)symbols->all.n
	};
}

static int image_unnamed_compare_symbols(const void *a, const void *b)
{
	const struct sym *x = a, *y = b;

	return x->lo != y->lo ? (x->lo > y->lo) - (x->lo < y->lo)
			      : (x->place > y->place) - (x->place < y->place);
}

static bool image_unnamed_has_name(const unnamed_symbols *symbols, uint64_t lo)
{
	size_t from = 0, to = symbols->named;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (symbols->all.at[middle].lo < lo)
			from = middle + 1;
		else
			to = middle;
	}
	return from < symbols->named && symbols->all.at[from].lo == lo;
}

/*
 * Adds a function named like "[xz+0x1f2a0]", which addr2line understands, unless a symbol begins
 * there. Names from the file must win: symtab_build() would choose between both by their leading
 * underscores.
 */
static void image_unnamed_push_range(unnamed_symbols *symbols, const char *base, uint64_t lo,
				     struct arena *mem)
{
	char name[32 + sizeof(uint64_t) * 2];
	size_t n = strlen(base);
	char *text;

	if (image_unnamed_has_name(symbols, lo))
		return;
	text = arena_array(mem, char, n + sizeof(name));
	snprintf(name, sizeof(name), "+0x%" PRIx64 "]", lo);
	text[0] = '[';
	stpcpy(stpcpy(text + 1, base), name);
	image_unnamed_push(symbols, lo, text, mem);
}

static void image_unnamed_push_all(unnamed_symbols *symbols, const struct image *image,
				   asymbol *const *from, long n, struct arena *mem)
{
	for (long i = 0; i < n; i++) {
		const asymbol *symbol = from[i];

		if (symbol->flags & BSF_FUNCTION && image_section_is_code(symbol->section) &&
		    *symbol->name)
			image_unnamed_push(symbols, image_symbol_pc(image, symbol),
					   arena_strndup(mem, symbol->name, strlen(symbol->name)),
					   mem);
	}
}

/* Adds the functions that the file names: its dynamic symbols, and those in .gnu_debugdata. */
static void image_unnamed_push_named(unnamed_symbols *symbols, struct image *image,
				     struct diag *silent, struct arena *mem)
{
	long ndynamic = image_read_dynamic(image);
	bfd *mini = image_mini(image);
	long n = mini ? image_read_symbols(image, mini, silent) : 0;

	image_unnamed_push_all(symbols, image, image->dynamic, ndynamic, mem);
	if (n > 0)
		image_unnamed_push_all(symbols, image, image->syms, n, mem);
	symbols->named = symbols->all.n;
	image->names = n > 0 ? NAMES_FULL : symbols->named > 0 ? NAMES_DYNAMIC : NAMES_FRAMES;
	if (symbols->named > 0)
		qsort(symbols->all.at, symbols->named, sizeof(*symbols->all.at),
		      image_unnamed_compare_symbols);
}

/*
 * Adds functions for code without an entry, which must not count as part of the function before it.
 */
static void image_unnamed_push_code(unnamed_symbols *symbols, struct image *image, const char *base,
				    struct arena *mem)
{
	for (asection *section = image->bfd->sections; section; section = section->next) {
		if (!image_section_is_code(section) || bfd_section_size(section) == 0)
			continue;
		if (strncmp(section->name, ".plt", 4) == 0)
			image_unnamed_push(symbols, section->vma, "[plt]", mem);
		else
			image_unnamed_push_range(symbols, base, section->vma, mem);
	}
}

struct symtab image_unnamed_functions(struct image *image, struct arena *mem)
{
	enum { PADDING = 32 };
	struct arena scratch = arena_scratch(mem);
	struct diag silent = diag_silent(NULL);
	const char *base = path_base(bfd_get_filename(image->bfd));
	struct unnamed u = { .pointer_bytes = image_target(image).ptr_size, .mem = &scratch };
	unnamed_symbols symbols = { 0 };
	struct symtab symtab;

	image_unnamed_read_ranges(&u, image, &silent);
	image_unnamed_push_named(&symbols, image, &silent, mem);
	image_unnamed_push_code(&symbols, image, base, mem);
	for (size_t i = 0; i < u.ranges.n; i++) {
		const struct unnamed_range *range = &u.ranges.at[i];

		image_unnamed_push_range(&symbols, base, range->lo, mem);
		if (i + 1 < u.ranges.n && u.ranges.at[i + 1].lo > range->hi + PADDING)
			image_unnamed_push_range(&symbols, base, range->hi, mem);
	}
	symtab = symtab_build(symbols.all.at, symbols.all.n, image->text_end, mem);
	arena_free(&scratch);
	return symtab;
}
