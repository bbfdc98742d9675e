/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the code of an object file for the decoders. n log n in the symbols. */
#include "config.h"

#include "base/array.h"
#include "io/image/image.h"
#include "io/image/image_bfd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int image_compare_sections(const void *x, const void *y)
{
	const struct code_section *a = x, *b = y;

	return a->pc < b->pc ? -1 : a->pc > b->pc;
}

static bool image_section_is_read(asection *s)
{
	enum { CODE = SEC_CODE | SEC_HAS_CONTENTS };

	return (bfd_section_flags(s) & CODE) == CODE && bfd_section_size(s) > 0;
}

/*
 * Checks that all code is in the file, and that sections do not share bytes. Returns 0, or -1 after
 * an error message.
 */
static int image_check_sections(bfd *abfd, struct diag *diag)
{
	uint64_t left = bfd_get_file_size(abfd);

	for (asection *s = abfd->sections; s; s = s->next) {
		const char *fault = NULL;

		if (!image_section_is_read(s))
			continue;
		if (image_section_is_cut(abfd, s))
			fault = "extends beyond the end of the file";
		else if (bfd_section_size(s) > left)
			fault = "shares its bytes with others, so that there is more code than file";
		if (fault) {
			diag_error(diag, "%s: its %s section at byte %" PRIu64 " %s",
				   bfd_get_filename(abfd), bfd_section_name(s),
				   (uint64_t)s->filepos, fault);
			return -1;
		}
		left -= bfd_section_size(s);
	}
	return 0;
}

static int image_read_sections(bfd *abfd, struct code *code, struct arena *mem, struct diag *diag)
{
	struct code_section *sections =
		arena_array(mem, struct code_section, bfd_count_sections(abfd));

	if (image_check_sections(abfd, diag) < 0)
		return -1;
	for (asection *s = abfd->sections; s; s = s->next) {
		struct code_section *to = &sections[code->nsections];
		unsigned char *bytes;

		if (!image_section_is_read(s))
			continue;
		to->pc = bfd_section_vma(s);
		to->size = bfd_section_size(s);
		to->bytes = bytes = arena_array(mem, unsigned char, to->size);
		if (!bfd_get_section_contents(abfd, s, bytes, 0, to->size))
			return image_fail(abfd, diag);
		code->nsections++;
	}
	qsort(sections, code->nsections, sizeof(*sections), image_compare_sections);
	code->sections = sections;
	return 0;
}

/* Whether the symbol is a function that is left out of the table because of its name. */
static bool image_is_left_out(const struct image *image, const struct image_choice *choice,
			      const asymbol *from)
{
	int class = bfd_decode_symclass((asymbol *)from);

	if (choice->all)
		return false;
	return class == 'i' ||
	       (class == 't' && from->flags & BSF_FUNCTION &&
		!image_is_function_name(from->name, bfd_get_symbol_leading_char(image->bfd)));
}

static enum mark_kind image_mark_kind(const struct image *image, const struct image_choice *choice,
				      const asymbol *from)
{
	const char *name = from->name;

	if (name[0] == '$' && (name[2] == '\0' || name[2] == '.' || name[1] == 'x')) {
		switch (name[1]) {
		case 'a':
			return MARK_ARM;
		case 't':
			return MARK_THUMB;
		case 'd':
			return MARK_DATA;
		case 'x':
			return MARK_CODE;
		default:
			break;
		}
	}
	if (image_is_left_out(image, choice, from))
		return MARK_LEFT_OUT;
	return from->flags & BSF_FUNCTION ? MARK_FUNCTION : MARK_START;
}

static int image_compare_marks(const void *x, const void *y)
{
	const struct code_mark *a = x, *b = y;

	if (a->pc != b->pc)
		return a->pc < b->pc ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

static void image_make_marks(const struct image *image, const struct image_choice *choice,
			     struct code *code, struct arena *mem)
{
	ARRAY(struct code_mark) marks = { 0 };

	for (asymbol **s = image->syms; s && *s; s++) {
		uint64_t pc = image_symbol_pc(image, *s);
		enum mark_kind kind;

		if ((*s)->flags & (BSF_SECTION_SYM | BSF_FILE) ||
		    !(bfd_section_flags((*s)->section) & SEC_CODE))
			continue;
		kind = image_mark_kind(image, choice, *s);
		if (pc != bfd_asymbol_value(*s))
			array_push(mem, &marks) = (struct code_mark){ pc, MARK_THUMB };
		array_push(mem, &marks) = (struct code_mark){ pc, kind };
	}
	if (marks.n > 0)
		qsort(marks.at, marks.n, sizeof(*marks.at), image_compare_marks);
	code->marks = marks.at;
	code->nmarks = marks.n;
}

/* A global function of the image, to be found by name. */
struct image_named {
	const char *name;
	uint64_t pc;
};

static int image_compare_names(const void *x, const void *y)
{
	const struct image_named *a = x, *b = y;

	return strcmp(a->name, b->name);
}

/*
 * Returns the address of the function that an entry of a linkage table leads to. libbfd makes up
 * the entry's name: "name@plt", or "*ABS*+0xaddress@plt" if a resolver chooses at run time. 0 if it
 * is outside the image.
 */
static uint64_t image_stub_target(const char *stub, const struct image_named *names, size_t n,
				  struct arena *scratch)
{
	static const char resolver[] = "*ABS*+0x";
	struct image_named key;
	const struct image_named *found;

	if (strncmp(stub, resolver, sizeof(resolver) - 1) == 0)
		return strtoull(stub + sizeof(resolver) - 1, NULL, 16);
	if (!strstr(stub, "@plt"))
		return 0;
	key.name = arena_strndup(scratch, stub, strcspn(stub, "@+"));
	found = n == 0 ? NULL : bsearch(&key, names, n, sizeof(*names), image_compare_names);
	return found ? found->pc : 0;
}

/* Returns the image's global functions, sorted by name. */
static struct image_named *image_global_functions(const struct image *image, size_t *n,
						  struct arena *scratch)
{
	ARRAY(struct image_named) names = { 0 };

	for (asymbol **s = image->syms; s && *s; s++) {
		if ((*s)->flags & (BSF_GLOBAL | BSF_WEAK | BSF_GNU_INDIRECT_FUNCTION) &&
		    bfd_section_flags((*s)->section) & SEC_CODE)
			array_push(scratch, &names) = (struct image_named){
				arena_strndup(scratch, (*s)->name, strcspn((*s)->name, "@")),
				image_symbol_pc(image, *s),
			};
	}
	if (names.n > 0)
		qsort(names.at, names.n, sizeof(*names.at), image_compare_names);
	*n = names.n;
	return names.at;
}

/* Finds where the entries of linkage tables lead to. */
static void image_make_stubs(struct image *image, struct code *code, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t n, nnames = 0;
	const asymbol *stubs = image_read_stubs(image, &n);
	struct code_stub *known = arena_array(mem, struct code_stub, n);
	const struct image_named *names =
		n > 0 ? image_global_functions(image, &nnames, &scratch) : NULL;

	for (size_t i = 0; i < n; i++) {
		uint64_t to = image_stub_target(stubs[i].name, names, nnames, &scratch);

		if (to != 0)
			known[code->nstubs++] =
				(struct code_stub){ bfd_asymbol_value(&stubs[i]), to };
	}
	code->stubs = known;
	arena_free(&scratch);
}

int image_code(struct image *image, const struct image_choice *choice, struct code *code,
	       struct arena *mem, struct diag *diag)
{
	*code = (struct code){
		.machine = image->machine,
		.flags = image->flags,
		.target = image_target(image),
	};
	if (!(bfd_get_file_flags(image->bfd) & (EXEC_P | DYNAMIC))) {
		diag_warn(diag, "%s: not linked yet, so the calls in its code have no targets",
			  bfd_get_filename(image->bfd));
		return 0;
	}
	if (image_read_sections(image->bfd, code, mem, diag) < 0)
		return -1;
	if (!image->syms && image_read_symbols(image, image->bfd, diag) < 0)
		return -1;
	image_make_marks(image, choice, code, mem);
	image_make_stubs(image, code, mem);
	return 0;
}
