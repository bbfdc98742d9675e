/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Debug information says where a function begins; its end is guessed from the text. */
#include "config.h"

#include "export/excerpts.h"

#include "base/sort.h"
#include "base/textlines.h"

struct excerpts_cutter {
	const struct export_view *e;
	const uint32_t *number;
	/* Sorts the excerpts by file and line, and joins those that overlap. */
	struct textlines *file;
	ARRAY(struct excerpt) found;
};

/*
 * Cuts out the symbol's excerpt and keeps it if it has at most max bytes. Returns its size, or 0.
 */
static size_t excerpts_cut(struct excerpts_cutter *c, sym_id s, size_t max)
{
	const struct source_text *text = &c->e->sources[s];
	struct textlines *lines = &c->file[c->number[s]];
	unsigned line = c->e->locations[s].line, first, last;
	size_t size;

	if (!text->bytes || line == 0)
		return 0;
	if (!lines->start)
		*lines = textlines_find(text->bytes, text->size, c->e->mem);
	if (line > lines->n)
		return 0;
	first = textlines_first(lines, line);
	last = textlines_last(lines, line);
	size = (size_t)(lines->start[last + 1] - lines->start[first]);
	if (size <= max) {
		array_push(c->e->mem, &c->found) = (struct excerpt){
			.file = c->number[s], .line = first, .at = lines->start[first], .size = size
		};
	}
	return size;
}

static int excerpts_by_time(uint32_t x, uint32_t y, const void *context)
{
	const struct export_view *e = context;

	if (e->integer_costs->self[x] != e->integer_costs->self[y])
		return e->integer_costs->self[x] > e->integer_costs->self[y] ? -1 : 1;
	return 0;
}

static int excerpts_by_place(uint32_t x, uint32_t y, const void *context)
{
	const struct excerpt *a = (const struct excerpt *)context + x;
	const struct excerpt *b = (const struct excerpt *)context + y;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* The excerpts sorted by file and line; those that overlap are joined. */
static struct excerpts excerpts_join(const struct excerpts_cutter *c)
{
	size_t n = c->found.n, kept = 0;
	struct excerpt *sorted = arena_array(c->e->mem, struct excerpt, n);
	uint32_t *order = arena_array(c->e->mem, uint32_t, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, excerpts_by_place, c->found.at, c->e->mem);
	for (size_t i = 0; i < n; i++) {
		const struct excerpt *next = &c->found.at[order[i]];
		struct excerpt *last = &sorted[kept ? kept - 1 : 0];

		if (kept && last->file == next->file && next->at < last->at + last->size) {
			size_t size = (size_t)(next->at - last->at) + next->size;

			if (size > last->size)
				last->size = size;
		} else {
			sorted[kept++] = *next;
		}
	}
	return (struct excerpts){ sorted, kept };
}

struct excerpts excerpts_make(const struct export_view *e, const uint32_t *number, size_t max)
{
	struct excerpts_cutter c = { .e = e, .number = number };
	uint32_t *order = arena_array(e->mem, uint32_t, e->integer_costs->nlisted);

	if (!e->sources)
		return (struct excerpts){ NULL, 0 };
	c.file = arena_array(e->mem, struct textlines, (size_t)e->integer_costs->nlisted + 1);
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++)
		order[i] = e->integer_costs->listed[i];
	sort_ids(order, e->integer_costs->nlisted, excerpts_by_time, e, e->mem);
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		size_t size = excerpts_cut(&c, order[i], max);

		if (size > max)
			break;
		max -= size;
	}
	return excerpts_join(&c);
}
