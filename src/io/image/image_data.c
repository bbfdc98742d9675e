/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of variables. Each symbol of data becomes the answer for the first address after it;
 * an answer holds for later addresses, too, as far as the variable or, if its size is not known,
 * its section reaches.
 */
#include "config.h"

#include "base/join.h"
#include "base/search.h"
#include "io/image/image.h"
#include "io/image/image_bfd.h"
#include "io/image/image_elf.h"

#include <inttypes.h>

/* A variable, or all zero. */
struct image_datum {
	const asection *section;
	const char *name;
	uint64_t lo, hi; /* addresses [lo, hi) */
};

struct image_data {
	const uint64_t *address; /* n of them, sorted */
	size_t n;
	struct image_datum *nearest; /* for each, the last variable between the one before and it */
};

static bool image_data_has(const asection *section)
{
	return (section->flags & (SEC_ALLOC | SEC_CODE | SEC_THREAD_LOCAL)) == SEC_ALLOC;
}

static uint64_t image_data_end(const asection *section)
{
	return section->vma + bfd_section_size(section);
}

/* Notes a symbol of `size` bytes; 0: not known. Its name is not copied. */
static void image_data_note(struct image_data *d, const struct image *image, const asymbol *symbol,
			    uint64_t size)
{
	enum { NO_DATA = BSF_FUNCTION | BSF_SECTION_SYM | BSF_FILE | BSF_THREAD_LOCAL };
	struct image_datum datum = { .section = symbol->section, .name = symbol->name };
	size_t i;

	if (symbol->flags & NO_DATA || !image_data_has(symbol->section) || !*symbol->name)
		return;
	datum.lo = image_symbol_pc(image, symbol);
	datum.hi = size > 0 ? datum.lo + size : image_data_end(symbol->section);
	i = search_from(d->address, d->n, sizeof(*d->address), 0, datum.lo);
	if (i < d->n && d->address[i] < datum.hi &&
	    (!d->nearest[i].name || d->nearest[i].lo < datum.lo))
		d->nearest[i] = datum;
}

static void image_data_note_all(struct image_data *d, struct image *image, struct arena *names,
				struct arena *scratch)
{
	struct diag silent = diag_silent(NULL);
	struct image_elf elf;
	asymbol *symbol;
	long n;

	if (image_elf_begin(&elf, image->bfd, names, scratch)) {
		while ((symbol = image_elf_next(&elf)))
			image_data_note(d, image, symbol, elf.size);
		if (!elf.failed)
			return;
	}
	n = image_read_symbols(image, image->bfd, &silent);
	if (n == 0) {
		image_open_debug(image);
		n = image->debug ? image_read_symbols(image, image->debug, &silent) : 0;
	}
	for (long i = 0; i < n; i++)
		image_data_note(d, image, image->syms[i], 0);
}

static bool image_data_is_inside(const struct image *image, uint64_t address)
{
	for (const asection *s = image->bfd->sections; s; s = s->next) {
		if (image_data_has(s) && address >= s->vma && address < image_data_end(s))
			return true;
	}
	return false;
}

void image_data_names(struct image *image, const uint64_t *address, size_t n, const char **name,
		      struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct image_data d = { address, n, arena_array(&scratch, struct image_datum, n) };

	image_data_note_all(&d, image, &scratch, &scratch);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && !d.nearest[i].name && address[i] < d.nearest[i - 1].hi)
			d.nearest[i] = d.nearest[i - 1];
		if (d.nearest[i].name && address[i] == d.nearest[i].lo)
			name[i] = JOIN(mem, d.nearest[i].name);
		else if (d.nearest[i].name)
			name[i] = join_format(mem, "%s+0x%" PRIx64, d.nearest[i].name,
					      address[i] - d.nearest[i].lo);
		else
			name[i] = image_data_is_inside(image, address[i]) ? "" : NULL;
	}
	arena_free(&scratch);
}
