/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the symbols of an object file that are functions. n log n in the symbols. */
#include "config.h"

#include "base/array.h"
#include "io/image/image.h"
#include "io/image/image_bfd.h"
#include "io/image/image_elf.h"

#include <string.h>

/*
 * Whether the rest of a name, from a dot on, is a series of the numbered suffixes that compilers
 * add to static functions: ".5", ".clone.5", ".constprop.5". A single dot may end it.
 */
static bool image_is_numbered_suffix(const char *s)
{
	static const char *const words[] = { ".clone.", ".constprop.", "." };

	while (*s) {
		size_t len = 0, digits;

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && len == 0; i++) {
			if (strncmp(s, words[i], strlen(words[i])) == 0)
				len = strlen(words[i]);
		}
		digits = strspn(s + len, "0123456789");
		if (len == 0 || (digits == 0 && s[1] != '\0'))
			return false;
		s += len + digits;
	}
	return true;
}

bool image_is_function_name(const char *name, char prefix)
{
	static const char marker[] = "__gnu_compiled";

	if (*name == '\0' || strchr(name, '$') || !image_is_numbered_suffix(strchrnul(name, '.')))
		return false;
	if (prefix && *name != prefix)
		return false;
	return *name != '_' || (strncmp(name, marker, strlen(marker)) != 0 &&
				strncmp(name + 1, marker, strlen(marker)) != 0);
}

/*
 * Whether a name is a label: assemblers for ARM and RISC-V mark where code turns into data ("$x").
 * These symbols, and local labels, are no functions.
 */
static bool image_is_label_name(const char *name)
{
	return *name == '\0' || strncmp(name, ".L", 2) == 0 ||
	       (name[0] == '$' && name[1] && strchr("atdx", name[1]));
}

/* Whether a name is the text that libbfd returns if the string table does not have the name. */
static bool image_is_lost_name(const char *name)
{
	return (*name == '(' && strcmp(name, "(null)") == 0) ||
	       (*name == '<' && strcmp(name, "<corrupt>") == 0);
}

/*
 * The class (a letter, as nm prints it) that libbfd gives to symbols with these flags in a section.
 */
struct image_class {
	const asection *section;
	flagword flags;
	int letter;
};

/*
 * Returns the class of a symbol. Asks libbfd only if the symbol differs from the last one: libbfd
 * compares names of sections, which took a tenth of the time of reading 10^6 symbols.
 */
static int image_symbol_class(asymbol *symbol, struct image_class *last)
{
	if (symbol->section != last->section || symbol->flags != last->flags)
		*last = (struct image_class){ symbol->section, symbol->flags,
					      bfd_decode_symclass(symbol) };
	return last->letter;
}

/*
 * Fills *sym and returns true if the symbol is a function, or one that is dropped unless
 * choice->all.
 */
static bool image_choose_symbol(const struct image *image, const struct image_choice *choice,
				asymbol *from, struct image_class *last, struct sym *sym)
{
	bfd *abfd = image->bfd;
	int class = image_symbol_class(from, last);
	bool dropped = false;
	bool is_func =
		bfd_get_flavour(abfd) != bfd_target_elf_flavour || from->flags & BSF_FUNCTION;

	if (from->flags & (BSF_SECTION_SYM | BSF_FILE) || image_is_lost_name(from->name) ||
	    !image_section_is_chosen(from->section, choice->sections))
		return false;
	switch (class) {
	case 'T':
	case 'W':
		break;
	case 'i':
		dropped = true;
		break;
	case 't':
		if (choice->no_static || (choice->no_untyped_static && !is_func))
			return false;
		dropped = !image_is_function_name(from->name, bfd_get_symbol_leading_char(abfd));
		if (dropped && image_is_label_name(from->name))
			return false;
		break;
	default:
		return false;
	}
	sym->lo = image_symbol_pc(image, from);
	sym->name = from->name;
	sym->flags = (class == 't' ? SYM_STATIC : 0) | (is_func ? SYM_FUNC : 0) |
		     (dropped ? SYM_DROPPED : 0);
	return true;
}

/* From this number of symbols on, libbfd's memory is freed: for 10^6 symbols it is 190 MB. */
enum { MANY_SYMBOLS = 50000 };

/* The chosen symbols, from the start of the array up, and the dropped ones, from its end down. */
struct image_chosen {
	struct sym *sym;
	size_t n, ndropped, room;
	uint64_t highest;         /* highest address of the chosen symbols */
	uint64_t end;             /* end of the section with that address: the end of the table */
	struct image_class class; /* class of the previous symbol */
};

/*
 * Gives the symbol the name of the object file that it represents. Returns false if another
 * function represents that file.
 */
static bool image_map_to_object(const struct object_map *objects, struct sym *sym)
{
	const struct map_entry *entry = objects ? object_map_find(objects, sym->name) : NULL;

	if (entry) {
		sym->name = entry->object;
		sym->flags |= SYM_OBJECT;
	}
	return !entry || entry->leads;
}

static void image_copy_symbol_names(struct sym *sym, size_t n, struct arena *mem)
{
	size_t bytes = 0;
	char *to;

	for (size_t i = 0; i < n; i++)
		bytes += strlen(sym[i].name) + 1;
	to = arena_array(mem, char, bytes);
	for (size_t i = 0; i < n; i++) {
		const char *name = sym[i].name;

		sym[i].name = to;
		to = stpcpy(to, name) + 1;
	}
}

/* Adds symbol number i to the chosen or to the dropped symbols. */
static void image_sort_symbol(struct image_chosen *chosen, const struct image *image,
			      const struct image_choice *choice, asymbol *from, uint32_t place)
{
	struct sym sym;

	if (!image_choose_symbol(image, choice, from, &chosen->class, &sym) ||
	    !image_map_to_object(choice->objects, &sym))
		return;
	sym.place = place;
	if (!choice->all && sym.flags & SYM_DROPPED) {
		chosen->sym[chosen->room - ++chosen->ndropped] = sym;
		return;
	}
	chosen->sym[chosen->n++] = sym;
	if (sym.lo >= chosen->highest) {
		chosen->highest = sym.lo;
		chosen->end = from->section->vma + bfd_section_size(from->section);
	}
}

/*
 * Chooses symbols without libbfd's table of them; names live in mem, everything else in scratch.
 * Returns false if libbfd is needed.
 */
static bool image_choose_plain(const struct image *image, const struct image_choice *choice,
			       struct image_chosen *chosen, struct arena *mem,
			       struct arena *scratch)
{
	uint64_t left = NAME_TIMES * (uint64_t)bfd_get_file_size(image->bfd);
	struct image_elf elf;
	asymbol *symbol;

	if (!image_elf_begin(&elf, image->bfd, mem, scratch))
		return false;
	*chosen = (struct image_chosen){
		.room = elf.left + elf.n + image_other_sections(image, choice->sections, NULL, NULL)
	};
	chosen->sym = arena_array(scratch, struct sym, chosen->room);
	for (uint32_t i = 0; (symbol = image_elf_next(&elf)); i++) {
		size_t length = strnlen(symbol->name, left + 1);

		if (length > left)
			return false;
		left -= length;
		image_sort_symbol(chosen, image, choice, symbol, i);
	}
	return !elf.failed && chosen->n > 0;
}

/*
 * Chooses symbols with libbfd, from the separate debug file if the image has no symbols. Returns
 * their number, or -1 after an error message.
 */
static long image_choose_by_libbfd(struct image *image, const struct image_choice *choice,
				   struct image_chosen *chosen, struct arena *scratch,
				   struct diag *diag)
{
	long n = image_read_symbols(image, image->bfd, diag);

	if (n == 0) {
		image_open_debug(image);
		if (image->debug)
			n = image_read_symbols(image, image->debug, diag);
	}
	*chosen = (struct image_chosen){
		.room = n > 0 ? (size_t)n +
					image_other_sections(image, choice->sections, NULL, NULL)
			      : 0
	};
	chosen->sym = arena_array(scratch, struct sym, chosen->room);
	for (long i = 0; i < n; i++)
		image_sort_symbol(chosen, image, choice, image->syms[i], (uint32_t)i);
	return n;
}

/* Returns the dropped symbols, except those at whose address the table has a symbol. */
static struct symtab image_dropped(const struct image_chosen *chosen, const struct symtab *table,
				   uint64_t end, struct arena *mem)
{
	struct symtab dropped = symtab_build(chosen->sym + chosen->room - chosen->ndropped,
					     chosen->ndropped, end, mem);
	const struct symtab *from = chosen->ndropped > 0 ? &dropped : table;
	ARRAY(struct sym) kept = { 0 };

	for (sym_id s = 0; s < from->nsyms; s++) {
		struct sym sym = from->sym[s];
		sym_id in = sym.flags & SYM_DROPPED ? symtab_find(table, sym.lo) : SYM_NONE;

		if (in == SYM_NONE || (from != table && table->sym[in].lo == sym.lo))
			continue;
		if (sym.hi > table->sym[in].hi)
			sym.hi = table->sym[in].hi;
		array_push(mem, &kept) = sym;
	}
	return (struct symtab){ kept.at, (uint32_t)kept.n };
}

enum module_names image_names(const struct image *image)
{
	return image->names;
}

bool image_is_stripped(struct image *image)
{
	struct diag silent = diag_silent(NULL);
	long n = image_read_symbols(image, image->bfd, &silent);

	if (n == 0)
		image_open_debug(image);
	return n == 0 && !(image->debug && image_read_symbols(image, image->debug, &silent) > 0) &&
	       !image_mini(image);
}

/*
 * Chooses among the symbols that libbfd reads and copies their names to mem. Returns their number,
 * or -1 after an error message.
 */
static long image_choose_symbols(struct image *image, const struct image_choice *choice,
				 struct image_chosen *chosen, struct arena *mem,
				 struct arena *scratch, struct diag *diag)
{
	long n = image_choose_by_libbfd(image, choice, chosen, scratch, diag);

	image_copy_symbol_names(chosen->sym, chosen->n, mem);
	image_copy_symbol_names(chosen->sym + chosen->room - chosen->ndropped, chosen->ndropped,
				mem);
	if (n > MANY_SYMBOLS && !image->debug && image_forget_symbols(image, diag) < 0)
		return -1;
	return n;
}

/* Adds a symbol for each section of which no function is wanted. */
static void image_add_other_sections(const struct image *image, const struct image_choice *choice,
				     struct image_chosen *chosen, struct arena *mem)
{
	struct sym *to = chosen->sym + chosen->n;
	size_t n = chosen->n > 0 ? image_other_sections(image, choice->sections, to, mem) : 0;

	chosen->n += n;
	for (size_t i = 0; i < n; i++) {
		if (to[i].lo >= chosen->highest) {
			chosen->highest = to[i].lo;
			chosen->end = to[i].hi;
		}
	}
}

int image_symtab(struct image *image, const struct image_choice *choice, struct symtab *symtab,
		 struct symtab *dropped, struct arena *mem, struct diag *diag)
{
	struct arena scratch = arena_scratch(mem);
	struct image_chosen chosen = { 0 };
	uint64_t end;
	long n;

	if (choice->sections && image_has_sections(image, choice->sections, diag) < 0)
		return -1;
	image->names = NAMES_FULL;
	if (image_choose_plain(image, choice, &chosen, mem, &scratch))
		n = (long)chosen.n;
	else
		n = image_choose_symbols(image, choice, &chosen, mem, &scratch, diag);
	if (n == 0 && (choice->unnamed || image_mini(image))) {
		*symtab = image_unnamed_functions(image, mem);
		if (symtab->nsyms > 0) {
			arena_free(&scratch);
			return 0;
		}
	}
	image_add_other_sections(image, choice, &chosen, mem);
	end = chosen.n > 0 ? chosen.end : image->text_end;
	*symtab = symtab_build(chosen.sym, chosen.n, end, mem);
	if (dropped)
		*dropped = image_dropped(&chosen, symtab, end, mem);
	arena_free(&scratch);
	if (n >= 0 && symtab->nsyms == 0)
		diag_error(diag, "%s has no symbols%s", bfd_get_filename(image->bfd),
			   n == 0 ? ": it is stripped, and no debug file of it was found; "
				    "see gprof --explain"
				  : " for functions");
	return n >= 0 && symtab->nsyms > 0 ? 0 : -1;
}
