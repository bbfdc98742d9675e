/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/lists.h"

#include "base/array.h"
#include "io/file.h"
#include "io/lines.h"

#include <ctype.h>
#include <stdbool.h>

/* Reads a word that is all hexadecimal digits and fits an address. */
static bool lists_read_address(struct span word, uint64_t *address)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";

	if (word.n > 2 && (lines_span_begins(word, "0x") || lines_span_begins(word, "0X")))
		word = lines_span_skip(word, 2);
	*address = 0;
	for (size_t i = 0; i < word.n; i++) {
		const char *digit = memchr(digits, word.at[i], sizeof(digits) - 1);

		if (!digit || *address >> 60)
			return false;
		*address = *address << 4 | (uint64_t)((digit - digits) & 15);
	}
	return word.n > 0;
}

/* Sets *sym, with its name in mem, and returns true if the line describes a function. */
static bool lists_read_symbol(struct span line, struct sym *sym, struct arena *mem)
{
	struct span address = lines_span_word(&line), name;
	char type;

	line = lines_span_trim_left(line);
	if (line.n == 0 || !lists_read_address(address, &sym->lo))
		return false;
	/* The type is one character; the name may follow it without a blank. */
	type = line.at[0];
	line = lines_span_skip(line, 1);
	name = lines_span_word(&line);
	if ((type != 'T' && type != 't') || name.n == 0)
		return false;
	sym->name = lines_span_copy(name, mem);
	sym->flags = SYM_FUNC | (type == 't' ? SYM_STATIC : 0);
	return true;
}

int lists_read_symbols(struct symtab *symtab, const char *path, uint64_t end, struct arena *mem,
		       struct diag *diag)
{
	struct arena scratch = arena_scratch(mem);
	ARRAY(struct sym) chosen = { 0 };
	struct file file = { 0 };
	struct lines lines;
	struct span line;

	if (file_read(&file, path, NULL, NULL, diag) < 0)
		return -1;
	lines = (struct lines){ .rest = { (const char *)file.bytes, file.size } };
	while (lines_next(&lines, &line)) {
		struct sym sym = { 0 };

		if (lists_read_symbol(line, &sym, mem))
			array_push(&scratch, &chosen) = sym;
	}
	*symtab = symtab_build(chosen.at, chosen.n, end, mem);
	arena_free(&scratch);
	file_free(&file);
	if (symtab->nsyms == 0)
		diag_error(diag, "%s: has no symbols: no line is ADDRESS T NAME", path);
	return symtab->nsyms > 0 ? 0 : -1;
}

/*
 * Returns the text after the last blank in *rest, possibly empty, since symbols can have no name.
 * Returns false if there is no blank.
 */
static bool lists_last_word(struct span text, struct span *rest)
{
	size_t start = text.n;

	while (start > 0 && !lines_span_is_blank(text.at[start - 1]))
		start--;
	*rest = lines_span_skip(text, start);
	return start > 0;
}

static bool lists_is_number(struct span word)
{
	for (size_t i = 0; i < word.n; i++)
		if (!isxdigit((unsigned char)word.at[i]))
			return false;
	return word.n > 0;
}

/*
 * Whether nm's type letter, after the address if there is one, says that the name is not code of
 * the object.
 */
static bool lists_is_no_code(struct span text)
{
	struct span before = { NULL, 0 }, type = { NULL, 0 }, name = lines_span_word(&text);

	while (lines_span_trim_left(text).n > 0) {
		before = type;
		type = name;
		name = lines_span_word(&text);
	}
	if (type.n != 1)
		return false;
	return lists_is_number(before) ? !memchr("TtWi", type.at[0], 4)
				       : memchr("Uwv", type.at[0], 3) != NULL;
}

/*
 * Sets *entry except `leads`; its function is empty if the line's symbol is not code. Returns what
 * the line lacks, or NULL if it is complete.
 */
static const char *lists_parse_object(struct span line, struct map_entry *entry, struct arena *mem)
{
	const char *colon = memchr(line.at, ':', line.n);
	struct span object = { line.at, colon ? (size_t)(colon - line.at) : line.n };
	struct span function;

	if (!colon || lines_span_begins(line, "No symbols in "))
		return "no 'OBJECT:'";
	if (object.n == 0)
		return "no object before the colon";
	if (!lists_last_word(lines_span_skip(line, object.n + 1), &function))
		return "no blank and function after the colon";
	entry->object = lines_span_copy(object, mem);
	entry->function = lists_is_no_code(lines_span_skip(line, object.n + 1))
				  ? NULL
				  : lines_span_copy(function, mem);
	return NULL;
}

static bool lists_is_remark(struct span line)
{
	return line.n == 0 ||
	       (lines_span_begins(line, "No symbols in ") && !memchr(line.at, ':', line.n));
}

int lists_read_objects(struct object_map *map, const char *path, struct arena *mem,
		       struct diag *diag)
{
	struct arena scratch = arena_scratch(mem);
	ARRAY(struct map_entry) entries = { 0 };
	struct file file = { 0 };
	struct lines lines;
	struct span line;
	const char *lack = NULL;
	bool empty = true;

	if (file_read(&file, path, NULL, NULL, diag) < 0)
		return -1;
	lines = (struct lines){ .rest = { (const char *)file.bytes, file.size } };
	while (lines_next(&lines, &line)) {
		struct map_entry entry = { 0 };

		line = lines_span_trim_left(line);
		if (line.n > 0 && line.at[line.n - 1] == '\r')
			line.n--;
		empty = empty && line.n == 0;
		if (lists_is_remark(line))
			continue;
		lack = lists_parse_object(line, &entry, mem);
		if (lack)
			break;
		if (!entry.function)
			continue;
		entry.leads = entries.n == 0 ||
			      strcmp(entry.object, entries.at[entries.n - 1].object) != 0;
		array_push(mem, &entries) = entry;
	}
	if (lack)
		diag_error(diag, "%s:%zu: not a line 'OBJECT:... FUNCTION': %s", path, lines.number,
			   lack);
	else if (empty)
		diag_error(diag, "%s:1: the map is empty", path);
	else
		*map = object_map_build(entries.at, entries.n, &scratch);
	arena_free(&scratch);
	file_free(&file);
	return lack || empty ? -1 : 0;
}
