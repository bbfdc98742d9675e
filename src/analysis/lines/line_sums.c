/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each address becomes an item of its line. Items are sorted by file and line, so that those of one
 * line are neighbours.
 */
#include "config.h"

#include "analysis/lines/line_sums.h"

#include "base/array.h"
#include "base/sort.h"

/*
 * Costs of a line, in the list of a file, its home: the line's own file, or the file of a function
 * that has code of the line.
 */
struct line_sums_item {
	const char *home;
	const char *function; /* that has the code; NULL: `home` is the line's own file */
	const char *file;
	struct line_sum sum;
};

struct line_sums_maker {
	const struct program *program;
	const struct location *homes;
	ARRAY(struct line_sums_item) items;
	struct arena *mem, *scratch;
};

static int line_sums_compare_names(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int line_sums_compare_items(const struct line_sums_item *a, const struct line_sums_item *b)
{
	int order = line_sums_compare_names(a->home, b->home);

	if (order == 0 && (!a->function || !b->function))
		order = !!a->function - !!b->function;
	else if (order == 0)
		order = line_sums_compare_names(a->function, b->function);
	if (order == 0)
		order = line_sums_compare_names(a->file, b->file);
	return order ? order : (a->sum.line > b->sum.line) - (a->sum.line < b->sum.line);
}

static int line_sums_compare(uint32_t x, uint32_t y, const void *items)
{
	const struct line_sums_item *all = items;

	return line_sums_compare_items(&all[x], &all[y]);
}

/*
 * Adds an item; if the last item is of the same line, as for most addresses, adds the costs to that
 * one.
 */
static void line_sums_add(struct line_sums_maker *m, const struct line_sums_item *item)
{
	struct line_sums_item *last = m->items.n > 0 ? &m->items.at[m->items.n - 1] : NULL;

	if (last && line_sums_compare_items(last, item) == 0) {
		last->sum.ticks += item->sum.ticks;
		last->sum.self += item->sum.self;
	} else {
		array_push(m->scratch, &m->items) = *item;
	}
}

static sym_id line_sums_function(const struct program *program, sym_id s)
{
	while (s > 0 && program->symtab.sym[s].flags & SYM_LINE)
		s--;
	return s;
}

static void line_sums_take(struct line_sums_maker *m, const struct address_cost *at,
			   const struct source_frame *frame)
{
	struct location line = { frame->file, frame->line };
	struct line_sums_item item;
	const char *home;
	sym_id function;

	if (m->homes && m->program->by_line)
		line = m->homes[at->symbol];
	if (!line.file || line.line == 0)
		return;
	item = (struct line_sums_item){
		line.file, NULL, line.file, { line.line, at->ticks, at->self }
	};
	line_sums_add(m, &item);
	if (!m->homes)
		return;
	function = line_sums_function(m->program, at->symbol);
	home = m->homes[function].file;
	if (!home || line_sums_compare_names(home, line.file) == 0)
		return;
	item.home = home;
	item.function = m->program->symtab.sym[function].name;
	line_sums_add(m, &item);
}

static int line_sums_compare_included(uint32_t x, uint32_t y, const void *lines)
{
	const struct included_line *a = (const struct included_line *)lines + x;
	const struct included_line *b = (const struct included_line *)lines + y;

	if (a->sum.ticks != b->sum.ticks)
		return a->sum.ticks > b->sum.ticks ? -1 : 1;
	return (x > y) - (x < y);
}

static void line_sums_sort_included(const struct line_sums_maker *m, struct file_sum *file)
{
	uint32_t *order = arena_array(m->scratch, uint32_t, file->nincluded);
	struct included_line *sorted = arena_array(m->mem, struct included_line, file->nincluded);

	for (uint32_t i = 0; i < file->nincluded; i++)
		order[i] = i;
	sort_ids(order, file->nincluded, line_sums_compare_included, file->included, m->scratch);
	for (size_t i = 0; i < file->nincluded; i++)
		sorted[i] = file->included[order[i]];
	file->included = sorted;
}

/*
 * Makes the sums of one file from the sorted items, each of a different line, that begin with the
 * file's.
 */
static struct file_sum line_sums_make_file(const struct line_sums_maker *m,
					   const struct line_sums_item *item, size_t n)
{
	struct line_sum *line = arena_array(m->mem, struct line_sum, n);
	struct included_line *included = arena_array(m->scratch, struct included_line, n);
	struct file_sum file = { .name = item->home, .line = line, .included = included };

	for (; file.nlines < n && !item[file.nlines].function; file.nlines++) {
		line[file.nlines] = item[file.nlines].sum;
		file.ticks += item[file.nlines].sum.ticks;
	}
	for (size_t i = file.nlines; i < n; i++)
		included[file.nincluded++] =
			(struct included_line){ item[i].function, item[i].file, item[i].sum };
	line_sums_sort_included(m, &file);
	return file;
}

/* Sorts the items and joins those of one line. Returns how many are left. */
static size_t line_sums_sort(struct line_sums_maker *m)
{
	size_t n = m->items.n;
	uint32_t *order = arena_array(m->scratch, uint32_t, n);
	ARRAY(struct line_sums_item) all = { m->items.at, n, n };

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, line_sums_compare, all.at, m->scratch);
	m->items.at = NULL;
	m->items.n = m->items.max = 0;
	for (size_t i = 0; i < n; i++)
		line_sums_add(m, &all.at[order[i]]);
	return m->items.n;
}

struct line_sums line_sums_make(const struct line_costs *costs, const struct program *program,
				const struct location *homes, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct line_sums_maker m = {
		.program = program, .homes = homes, .mem = mem, .scratch = &scratch
	};
	ARRAY(struct file_sum) files = { 0 };
	size_t n;

	for (uint32_t i = 0; i < costs->n; i++)
		line_sums_take(&m, &costs->at[i], &costs->frame[costs->at[i].frame]);
	n = line_sums_sort(&m);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n; end++) {
			if (line_sums_compare_names(m.items.at[first].home, m.items.at[end].home))
				break;
		}
		array_push(mem, &files) = line_sums_make_file(&m, &m.items.at[first], end - first);
	}
	arena_free(&scratch);
	return (struct line_sums){ files.at, files.n };
}

struct location line_sums_hottest(const struct line_costs *costs, sym_id function, double *share,
				  const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct line_sums_maker m = { .mem = &scratch, .scratch = &scratch };
	struct location hottest = { NULL, 0 };
	double all = 0.0, most = 0.0;

	for (uint32_t i = costs->start[function]; i < costs->start[function + 1]; i++) {
		all += (double)costs->at[i].self;
		line_sums_take(&m, &costs->at[i], &costs->frame[costs->at[i].frame]);
	}
	line_sums_sort(&m);
	for (size_t i = 0; i < m.items.n; i++) {
		if ((double)m.items.at[i].sum.self <= most)
			continue;
		most = (double)m.items.at[i].sum.self;
		hottest = (struct location){ m.items.at[i].file, m.items.at[i].sum.line };
	}
	*share = most > 0.0 ? most / all : 0.0;
	arena_free(&scratch);
	return hottest;
}
