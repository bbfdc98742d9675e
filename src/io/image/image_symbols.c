/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which symbols of an object file are functions. n log n in symbols. */
#include "config.h"

#include "base/array.h"
#include "io/image/image.h"
#include "io/image/image_bfd.h"

#include <string.h>
/*
 * The rest of a name from a dot on: whether it is a series of the numbered suffixes that compilers
 * add to static functions, ".5", ".clone.5" and ".constprop.5"; a lone dot may end it.
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

/* Marks of ARM and RISC-V assemblers where code turns to data, "$x", and local labels are no code
 * of their own. */
static bool image_is_label_name(const char *name)
{
	return *name == '\0' || strncmp(name, ".L", 2) == 0 ||
	       (name[0] == '$' && name[1] && strchr("atdx", name[1]));
}

/* libbfd's own words for a name that the string table does not have. */
static bool image_is_lost_name(const char *name)
{
	return (*name == '(' && strcmp(name, "(null)") == 0) ||
	       (*name == '<' && strcmp(name, "<corrupt>") == 0);
}

/* The class that libbfd gives to symbols of a section that have these flags. */
struct image_class {
	const asection *section;
	flagword flags;
	int letter;
};

/* Asks libbfd only if the symbol differs from the last one: it compares names of sections, which
 * took a tenth of the time of reading 10^6 symbols. */
static int image_symbol_class(asymbol *symbol, struct image_class *last)
{
	if (symbol->section != last->section || symbol->flags != last->flags)
		*last = (struct image_class){ symbol->section, symbol->flags,
					      bfd_decode_symclass(symbol) };
	return last->letter;
}

/*
 * Fills *sym and returns true if the symbol counts as a function, be it as one that is dropped
 * unless choice->all.
 */
static bool image_choose_symbol(const struct image *image, const struct image_choice *choice,
				asymbol *from, struct image_class *last, struct sym *sym)
{
	bfd *abfd = image->bfd;
	int class = image_symbol_class(from, last);
	bool dropped = false;
	bool is_func =
		bfd_get_flavour(abfd) != bfd_target_elf_flavour || from->flags & BSF_FUNCTION;

	if (from->flags & (BSF_SECTION_SYM | BSF_FILE) || image_is_lost_name(from->name))
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

/* From here on it pays to give libbfd's memory back: of 10^6 symbols it keeps 190 MB. */
enum { MANY_SYMBOLS = 50000 };

/* Symbols that were chosen, and behind them, from the end of the array down, those that were
 * dropped. */
struct image_chosen {
	struct sym *sym;
	size_t n, ndropped, room;
};

/* Lets a symbol stand for its object file. False if another function of the file is to do so. */
static bool image_map_to_object(const struct object_map *objects, struct sym *sym)
{
	const struct map_entry *entry = objects ? object_map_find(objects, sym->name) : NULL;

	if (entry) {
		sym->name = entry->object;
		sym->flags |= SYM_OBJECT;
	}
	return !entry || entry->leads;
}

/* The end of the section of the symbol with the highest address, the last one read of several. */
static uint64_t image_table_end(const struct image *image, const struct image_chosen *chosen)
{
	const asection *last = NULL;
	uint64_t highest = 0;

	for (size_t i = 0; i < chosen->n; i++) {
		if (chosen->sym[i].lo >= highest) {
			highest = chosen->sym[i].lo;
			last = image->syms[chosen->sym[i].place]->section;
		}
	}
	return last ? last->vma + bfd_section_size(last) : image->text_end;
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

/* Sorts all of n symbols into those that are chosen and those that are dropped. */
static void image_choose_symbols(struct image *image, const struct image_choice *choice,
				 struct image_chosen *chosen)
{
	struct image_class last = { 0 };

	for (size_t i = 0; i < chosen->room; i++) {
		struct sym sym;

		if (!image_choose_symbol(image, choice, image->syms[i], &last, &sym) ||
		    !image_map_to_object(choice->objects, &sym))
			continue;
		sym.place = (uint32_t)i;
		if (choice->all || !(sym.flags & SYM_DROPPED))
			chosen->sym[chosen->n++] = sym;
		else
			chosen->sym[chosen->room - ++chosen->ndropped] = sym;
	}
}

/* Those of the dropped that begin where no symbol does, or which the table has. */
static struct symtab image_dropped(const struct image_chosen *chosen, const struct symtab *table,
				   uint64_t end, struct arena *mem)
{
	struct symtab dropped = symtab_build(chosen->sym + chosen->room - chosen->ndropped,
					     chosen->ndropped, end, mem);
	const struct symtab *from = chosen->ndropped > 0 ? &dropped : table;
	ARRAY(struct sym) kept = { 0 };

	for (sym_id s = 0; s < from->nsyms; s++) {
		struct sym sym = from->sym[s];
		sym_id in = symtab_find(table, sym.lo);

		if (in == SYM_NONE || !(sym.flags & SYM_DROPPED) ||
		    (from != table && table->sym[in].lo == sym.lo))
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
	return n == 0 && !(image->debug && image_read_symbols(image, image->debug, &silent) > 0);
}

int image_symtab(struct image *image, const struct image_choice *choice, struct symtab *symtab,
		 struct symtab *dropped, struct arena *mem, struct diag *diag)
{
	struct arena scratch = arena_scratch(mem);
	struct image_chosen chosen = { 0 };
	long n = image_read_symbols(image, image->bfd, diag);
	uint64_t end;
	int rc = 0;

	if (n == 0) {
		image_open_debug(image);
		if (image->debug)
			n = image_read_symbols(image, image->debug, diag);
	}
	image->names = NAMES_FULL;
	if (n == 0 && choice->unnamed) {
		*symtab = image_unnamed_functions(image, mem);
		if (symtab->nsyms > 0)
			return 0;
	}
	chosen.room = n > 0 ? (size_t)n : 0;
	chosen.sym = arena_array(&scratch, struct sym, chosen.room);
	image_choose_symbols(image, choice, &chosen);
	end = image_table_end(image, &chosen);
	image_copy_symbol_names(chosen.sym, chosen.n, mem);
	image_copy_symbol_names(chosen.sym + chosen.room - chosen.ndropped, chosen.ndropped, mem);
	if (n > MANY_SYMBOLS && !image->debug)
		rc = image_forget_symbols(image, diag);
	*symtab = symtab_build(chosen.sym, chosen.n, end, mem);
	if (dropped)
		*dropped = image_dropped(&chosen, symtab, end, mem);
	arena_free(&scratch);
	if (n >= 0 && symtab->nsyms == 0)
		diag_error(diag, "%s has no symbols%s", bfd_get_filename(image->bfd),
			   n == 0 ? ": it is stripped, and no debug file of it was found; "
				    "see gprof --explain"
				  : " for functions");
	return symtab->nsyms > 0 ? rc : -1;
}
