/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tracefiles of lcov, which editors and genhtml show beside the source: for each function and
 * each line that is known of how often it was executed, or how many samples it has.
 *
 * A profile has no count of each line. A line is executed at least as often as the functions that
 * begin on it were called, as each call on it was made, and as each basic block on it ran; the
 * largest of these is its count. What was only seen, by a sample or on a call stack, counts as
 * once. n log n in functions, call sites and addresses.
 *
 * lcov 2.1 and later refuse a file in which the lines from a function's first one up to the next
 * function's were executed and the function was not, or the other way round. So functions that were
 * only inlined are functions here, too, which begin at the first line that is known of them.
 */
#include "config.h"

#include "export/export_view.h"

#include "base/index.h"
#include "base/quote.h"
#include "base/radix.h"
#include "base/sort.h"
#include "base/strtable.h"

#include <string.h>

/* The values of the key `count`. */
enum { CALLS, SAMPLES };

/* A line of a file, whose name is interned. */
struct lcov_line {
	const char *file;
	unsigned line;
	uint64_t sum;  /* of calls of the functions that begin here, or of samples */
	uint64_t most; /* of what else was counted here */
};

struct lcov_function {
	const char *file, *name;
	unsigned line;
	uint64_t count;
};

struct lcov {
	const struct export_view *e;
	bool samples;
	struct strtable files;
	struct index index, inlined_index;
	ARRAY(struct lcov_line) lines;
	ARRAY(struct lcov_function) functions;
	ARRAY(struct lcov_function) inlined; /* with interned names */
};

INDEX_KEY(lcov_line_key, struct lcov_line, (uintptr_t)x->file, x->line)
INDEX_KEY(lcov_inlined_key, struct lcov_function, (uintptr_t)x->file, (uintptr_t)x->name)

static struct lcov_line *lcov_line(struct lcov *l, const char *file, unsigned line)
{
	const struct lcov_line wanted = { strtable_add(&l->files, file), line, 0, 0 };
	uint32_t place = index_intern(&l->index, &l->lines, &wanted, lcov_line_key, l->e->mem);

	return &l->lines.at[place];
}

static uint64_t lcov_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Notes that a line of a frame is one of its function, if that was inlined. */
static void lcov_add_inlined(struct lcov *l, const struct source_frame *frame,
			     const struct lcov_line *line, uint64_t n)
{
	struct lcov_function wanted = { .file = line->file, .line = line->line, .count = n };
	struct lcov_function *function;
	uint32_t place;

	if (frame->function == FRAME_OWN)
		return;
	wanted.name = strtable_add(&l->files, l->e->line_costs->inlined[frame->function]);
	place = index_intern(&l->inlined_index, &l->inlined, &wanted, lcov_inlined_key, l->e->mem);
	function = &l->inlined.at[place];
	function->line = function->line < line->line ? function->line : line->line;
	function->count = function->count > n ? function->count : n;
}

/* The code of a frame, and the calls by which it was inlined, were executed n times or more. */
static void lcov_raise(struct lcov *l, uint32_t frame, uint64_t n)
{
	const struct source_frame *at;

	for (; frame != FRAME_LAST; frame = at->caller) {
		struct lcov_line *line;

		at = &l->e->line_costs->frame[frame];
		if (!at->file || at->line == 0)
			continue;
		line = lcov_line(l, at->file, at->line);
		line->most = line->most > n ? line->most : n;
		lcov_add_inlined(l, at, line, n);
	}
}

/* Whether a symbol is a function that the user chose, whatever it did. */
static bool lcov_lists(const struct export_view *e, sym_id s)
{
	const unsigned others = SYM_OBJECT | SYM_LINE | SYM_FOREIGN | SYM_INLINED | SYM_WHOLE;

	return e->name[s] || (!(e->a->program->symtab.sym[s].flags & others) &&
			      bitset_has(e->a->selection.flat, s));
}

/* How often a function is known to have been called, or how many samples it has. */
static uint64_t lcov_count(const struct lcov *l, sym_id s)
{
	const struct calls *calls = &l->e->a->costs.calls;
	uint64_t n = lcov_sum(calls->outer[s], calls->self[s]);

	if (l->samples)
		return l->e->integer_costs->samples[s];
	return n == 0 && l->e->integer_costs->samples[s] > 0 ? 1 : n;
}

static void lcov_add_functions(struct lcov *l)
{
	const struct export_view *e = l->e;

	for (sym_id s = 0; s < e->a->program->symtab.nsyms; s++) {
		const struct location *loc = &e->locations[s];
		struct lcov_line *line;
		uint64_t count;

		if (!loc->file || loc->line == 0 || !lcov_lists(e, s))
			continue;
		count = lcov_count(l, s);
		line = lcov_line(l, loc->file, loc->line);
		line->sum = lcov_sum(line->sum, l->samples ? 0 : count);
		array_push(e->mem, &l->functions) =
			(struct lcov_function){ line->file, e->a->program->symtab.sym[s].name,
						loc->line, count };
	}
}

/* Adds the samples of listed functions: their number, or that there are any. */
static void lcov_add_samples(struct lcov *l)
{
	const struct line_costs *costs = l->e->line_costs;

	for (uint32_t i = 0; i < costs->n; i++) {
		const struct address_cost *at = &costs->at[i];
		const struct source_frame *frame = &costs->frame[at->frame];
		struct lcov_line *line;

		if (!l->e->name[at->symbol])
			continue;
		if (!l->samples) {
			lcov_raise(l, at->frame, 1);
		} else if (frame->file && frame->line > 0) {
			line = lcov_line(l, frame->file, frame->line);
			line->sum = lcov_sum(line->sum, at->samples);
			lcov_add_inlined(l, frame, line, at->samples);
		}
	}
}

/* Adds the calls from each address, whatever they call. */
static void lcov_add_calls(struct lcov *l)
{
	const struct export_view *e = l->e;
	const struct line_costs *costs = e->line_costs;
	struct keyed *order = arena_array(e->mem, struct keyed, costs->ncalls);
	size_t n = 0;

	for (uint32_t arc = 0; arc < e->a->graph.narcs; arc++) {
		for (uint32_t i = costs->arc_start[arc];
		     export_has_arc(e, arc) && i < costs->arc_start[arc + 1]; i++)
			order[n++] = (struct keyed){ costs->call[i].pc, i };
	}
	radix_sort_keyed(order, n, e->mem);
	for (size_t i = 0; i < n;) {
		const struct call_site_cost *first = &costs->call[order[i].id];
		uint64_t ncalls = 0;

		for (; i < n && order[i].key == first->pc; i++)
			ncalls = lcov_sum(ncalls, costs->call[order[i].id].ncalls);
		lcov_raise(l, first->frame, ncalls > 0 ? ncalls : 1);
	}
}

static void lcov_add_blocks(struct lcov *l)
{
	const struct export_view *e = l->e;

	for (size_t i = 0; i < e->a->profile->blocks.n; i++)
		lcov_raise(l, e->line_costs->block_frame[i], e->a->profile->blocks.at[i].count);
}

static int lcov_compare_lines(uint32_t x, uint32_t y, const void *lines)
{
	const struct lcov_line *a = (const struct lcov_line *)lines + x;
	const struct lcov_line *b = (const struct lcov_line *)lines + y;

	if (a->file != b->file)
		return strcmp(a->file, b->file);
	return (a->line > b->line) - (a->line < b->line);
}

static int lcov_compare_functions(uint32_t x, uint32_t y, const void *functions)
{
	const struct lcov_function *a = (const struct lcov_function *)functions + x;
	const struct lcov_function *b = (const struct lcov_function *)functions + y;

	if (a->file != b->file)
		return strcmp(a->file, b->file);
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Returns the ids of n values in their order, in mem. */
static uint32_t *lcov_sort(size_t n, sort_order *compare, const void *values, struct arena *mem)
{
	uint32_t *ids = arena_array(mem, uint32_t, n);

	for (uint32_t i = 0; i < n; i++)
		ids[i] = i;
	sort_ids(ids, n, compare, values, mem);
	return ids;
}

/* Writes "KEY:NUMBER,NAME". */
static void lcov_write_function(struct output *out, const char *key, uint64_t number,
				const char *name)
{
	output_text(out, key);
	output_uint(out, number, 0);
	output_char(out, ',');
	quote_plain(out, name, ",", '?');
	output_char(out, '\n');
}

static void lcov_write_total(struct output *out, const char *key, uint64_t n)
{
	output_text(out, key);
	output_uint(out, n, 0);
	output_char(out, '\n');
}

/* Adds the functions that were inlined, but for those that are there already, as themselves. */
static void lcov_join_inlined(struct lcov *l)
{
	struct index listed = { 0 };
	ARRAY(struct lcov_function) all = { 0 };

	for (size_t i = 0; i < l->functions.n; i++) {
		struct lcov_function named = l->functions.at[i];

		named.name = strtable_add(&l->files, named.name);
		index_intern(&listed, &all, &named, lcov_inlined_key, l->e->mem);
	}
	for (size_t i = 0; i < l->inlined.n; i++) {
		const struct lcov_function *f = &l->inlined.at[i];

		if (index_lookup(&listed, all.at, lcov_inlined_key, f) == INDEX_NONE)
			array_push(l->e->mem, &l->functions) = *f;
	}
}

/* Sorts the functions; those of one line and name, as of a header, become one. */
static void lcov_join_functions(struct lcov *l)
{
	struct arena *mem = l->e->mem;
	size_t n = l->functions.n;
	const struct lcov_function *all = l->functions.at;
	const uint32_t *order = lcov_sort(n, lcov_compare_functions, all, mem);
	struct lcov_function *joined = arena_array(mem, struct lcov_function, n);

	l->functions.n = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || lcov_compare_functions(order[i - 1], order[i], all) != 0)
			joined[l->functions.n++] = all[order[i]];
		else
			joined[l->functions.n - 1].count =
				lcov_sum(joined[l->functions.n - 1].count, all[order[i]].count);
	}
	l->functions.at = joined;
}

static uint64_t lcov_line_count(const struct lcov_line *line)
{
	return line->sum > line->most ? line->sum : line->most;
}

/*
 * Makes the functions of a file agree with its lines, order[0] to order[n - 1]: who has a line that
 * was executed was executed; samples are those on its lines.
 */
static void lcov_reconcile(struct lcov *l, size_t first, size_t end, const uint32_t *order,
			   size_t n)
{
	struct lcov_function *f = l->functions.at;
	size_t at = 0;

	for (size_t i = first; i < end;) {
		unsigned begin = f[i].line;
		uint64_t sum = 0;
		size_t next = i;

		while (next < end && f[next].line == begin)
			next++;
		while (at < n && l->lines.at[order[at]].line < begin)
			at++;
		for (; at < n && (next == end || l->lines.at[order[at]].line < f[next].line); at++)
			sum = lcov_sum(sum, lcov_line_count(&l->lines.at[order[at]]));
		for (; i < next; i++)
			f[i].count = l->samples ? sum : f[i].count == 0 && sum > 0 ? 1 : f[i].count;
	}
}

/* The same for all files. Both orders are by file. */
static void lcov_reconcile_files(struct lcov *l, const uint32_t *order)
{
	size_t function = 0;

	for (size_t i = 0; i < l->lines.n;) {
		const char *file = l->lines.at[order[i]].file;
		size_t end = function, n = 0;

		while (i + n < l->lines.n && l->lines.at[order[i + n]].file == file)
			n++;
		while (end < l->functions.n && l->functions.at[end].file == file)
			end++;
		lcov_reconcile(l, function, end, order + i, n);
		function = end;
		i += n;
	}
}

/* Writes the functions of a file, from the first on. Returns how many there were. */
static size_t lcov_write_functions(const struct lcov *l, const char *file, size_t first,
				   struct output *out)
{
	const struct lcov_function *all = l->functions.at + first;
	size_t n = 0, hit = 0;

	for (; first + n < l->functions.n && all[n].file == file; n++)
		lcov_write_function(out, "FN:", all[n].line, all[n].name);
	for (size_t i = 0; i < n; i++) {
		lcov_write_function(out, "FNDA:", all[i].count, all[i].name);
		hit += all[i].count > 0;
	}
	lcov_write_total(out, "FNF:", n);
	lcov_write_total(out, "FNH:", hit);
	return n;
}

/* Writes the lines of the file of order[0]. Returns how many there were. */
static size_t lcov_write_lines(const struct lcov *l, const uint32_t *order, size_t n,
			       struct output *out)
{
	const struct lcov_line *all = l->lines.at;
	uint64_t hit = 0;
	size_t i = 0;

	for (; i < n && all[order[i]].file == all[order[0]].file; i++) {
		const struct lcov_line *line = &all[order[i]];
		uint64_t count = lcov_line_count(line);

		output_text(out, "DA:");
		output_uint(out, line->line, 0);
		output_char(out, ',');
		output_uint(out, count, 0);
		output_char(out, '\n');
		hit += count > 0;
	}
	lcov_write_total(out, "LF:", i);
	lcov_write_total(out, "LH:", hit);
	return i;
}

static bool lcov_wants_samples(const struct export_view *e)
{
	const struct keys_value *count = &e->request->value[EXPORT_LCOV_COUNT];

	if (count->given)
		return count->count == SAMPLES;
	return !e->integer_costs->has_calls && e->a->profile->blocks.n == 0;
}

static void lcov_write(const struct export_view *e, struct output *out)
{
	struct lcov l = { .e = e, .samples = lcov_wants_samples(e), .files.mem = e->mem };
	const uint32_t *line;
	size_t functions = 0;

	lcov_add_functions(&l);
	lcov_add_samples(&l);
	if (!l.samples) {
		lcov_add_calls(&l);
		lcov_add_blocks(&l);
	}
	line = lcov_sort(l.lines.n, lcov_compare_lines, l.lines.at, e->mem);
	lcov_join_inlined(&l);
	lcov_join_functions(&l);
	lcov_reconcile_files(&l, line);
	if (l.lines.n == 0)
		diag_warn(out->diag, "--export=lcov: no source line is known: compile with -g");
	output_text(out, l.samples ? "TN:samples\n" : "TN:calls\n");
	for (size_t i = 0; i < l.lines.n;) {
		const char *file = l.lines.at[line[i]].file;

		output_text(out, "SF:");
		quote_plain(out, file, "", '?');
		output_char(out, '\n');
		functions += lcov_write_functions(&l, file, functions, out);
		i += lcov_write_lines(&l, line + i, l.lines.n - i, out);
		output_text(out, "end_of_record\n");
	}
}

const struct exporter export_lcov = {
	.write = lcov_write,
};
