/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading symbols from a text file; one pass over its lines. */
#include "config.h"

#include "io/symfile.h"

#include "base/array.h"
#include "io/file.h"
#include "io/lines.h"

#include <stdbool.h>

/* The value of a word that is hexadecimal from end to end and fits an address. */
static bool read_address(struct span word, uint64_t *address)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";

	if (word.n > 2 && (span_begins(word, "0x") || span_begins(word, "0X")))
		word = span_skip(word, 2);
	*address = 0;
	for (size_t i = 0; i < word.n; i++) {
		const char *digit = memchr(digits, word.at[i], sizeof(digits) - 1);

		if (!digit || *address >> 60)
			return false;
		*address = *address << 4 | (uint64_t)((digit - digits) & 15);
	}
	return word.n > 0;
}

/* Fills *sym, its name in mem, and returns true if the line is one of a function. */
static bool read_symbol(struct span line, struct sym *sym, struct arena *mem)
{
	struct span address = span_word(&line), name;
	char type;

	line = span_trim_left(line);
	if (line.n == 0 || !read_address(address, &sym->lo))
		return false;
	/* One character, whatever follows it: the name may stand directly behind. */
	type = line.at[0];
	line = span_skip(line, 1);
	name = span_word(&line);
	if ((type != 'T' && type != 't') || name.n == 0)
		return false;
	sym->name = span_copy(name, mem);
	sym->flags = SYM_FUNC | (type == 't' ? SYM_STATIC : 0);
	return true;
}

int symfile_read(struct symtab *symtab, const char *path, uint64_t end, struct arena *mem,
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

		if (read_symbol(line, &sym, mem))
			array_push(&scratch, &chosen) = sym;
	}
	*symtab = symtab_build(chosen.at, chosen.n, end, mem);
	arena_free(&scratch);
	file_free(&file);
	if (symtab->nsyms == 0)
		diag_error(diag, "%s: has no symbols: no line is ADDRESS T NAME", path);
	return symtab->nsyms > 0 ? 0 : -1;
}
