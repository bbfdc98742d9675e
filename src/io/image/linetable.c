/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader of line tables. Each unit's rows become spans of code, in any order; sorted, they are
 * merged with the functions' pieces. n log n in spans for the sort, else linear.
 *
 * Rows that a unit's own address ranges do not cover are left over from code that the linker threw
 * away, or an empty last row that libdw sorts behind the end of its sequence.
 */
#include "config.h"

#include "io/image/linetable.h"

#include "base/search.h"
#include "io/file.h"
#include "io/image/debuginfo.h"
#include "io/image/scopes.h"

#include <dwarf.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Code of one row of a line program, no more than 4 GiB of it. */
struct line_span {
	uint64_t lo;
	uint32_t size;
	unsigned line;
	const char *file;
};

/*
 * libdw sorts rows in a list of 64 bytes a row, which it frees. If a unit has so many rows, that
 * memory goes back to the system at once, since nothing here is small enough to use it again: 30 %
 * less for a C file of 1.5 million rows.
 */
enum { MANY_ROWS = 64 * 1024 };

/*
 * A bound on rows and ranges, for each byte of the file; the rest is ignored. Each takes some
 * bytes, though perhaps compressed ones, but any number of units and functions may point to the
 * same list, so that a small file could name more of them than memory holds.
 */
enum { MOST_PER_BYTE = 4 };

enum { NCACHED = 256 };

struct linetable_reader {
	const struct line_request *request;
	struct strtable *names;
	struct arena scratch; /* what is freed at the end */
	ARRAY(struct line_span) spans;
	struct scopes scopes;
	uint64_t entries_left; /* how many rows and ranges are still believed */
	struct {
		const char *given, *interned;
	} cache[NCACHED]; /* libdw has one address for a file of a unit */
};

/* A unit's code, sorted, but for ranges outside all code of the program. */
struct unit_code {
	ARRAY(struct code_range) ranges;
	bool is_known;
};

static bool linetable_is_in_code(const struct linetable_reader *r, uint64_t pc)
{
	return code_range_find(r->request->code, r->request->ncode, pc) != NULL;
}

static int linetable_compare_ranges(const void *a, const void *b)
{
	const struct code_range *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

static struct unit_code linetable_read_unit_code(struct linetable_reader *r, Dwarf_Die *unit,
						 struct arena *mem)
{
	struct unit_code code = { .is_known = false };
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	while (r->entries_left > 0 && (at = dwarf_ranges(unit, at, &base, &lo, &hi)) > 0) {
		r->entries_left--;
		code.is_known = true;
		if (lo < hi && linetable_is_in_code(r, lo))
			array_push(mem, &code.ranges) = (struct code_range){ .lo = lo, .hi = hi };
	}
	if (code.ranges.n > 0)
		qsort(code.ranges.at, code.ranges.n, sizeof(*code.ranges.at),
		      linetable_compare_ranges);
	return code;
}

/* Whether one of the wanted addresses is in the range. */
static bool linetable_range_is_wanted(const struct line_request *request, struct code_range range)
{
	size_t i = search_from(request->pc, request->npcs, sizeof(*request->pc), 0, range.lo);

	return i < request->npcs && request->pc[i] < range.hi;
}

static bool linetable_unit_is_wanted(const struct linetable_reader *r, const struct unit_code *code)
{
	bool wanted = !code->is_known || (!r->request->pc && code->ranges.n > 0);

	for (size_t i = 0; r->request->pc && i < code->ranges.n && !wanted; i++)
		wanted = linetable_range_is_wanted(r->request, code->ranges.at[i]);
	return wanted;
}

static const char *linetable_join(struct arena *mem, const char *directory, const char *file)
{
	size_t n = strlen(directory), m = strlen(file);
	char *path = arena_array(mem, char, n + m + 2);

	memcpy(path, directory, n);
	path[n] = '/';
	memcpy(path + n + 1, file, m);
	return path;
}

/* `directory` is that of the compilation, or NULL. */
static const char *linetable_intern_file(struct linetable_reader *r, const char *directory,
					 const char *given)
{
	uintptr_t key = (uintptr_t)given;
	size_t place = (key >> 4 ^ key >> 12) % NCACHED;

	if (r->cache[place].given == given)
		return r->cache[place].interned;
	r->cache[place].given = given;
	r->cache[place].interned =
		strtable_add(r->names, given[0] == '/' || !directory
					       ? given
					       : linetable_join(&r->scratch, directory, given));
	return r->cache[place].interned;
}

static void linetable_add_span(struct linetable_reader *r, Dwarf_Line *from, uint64_t lo,
			       uint64_t hi, const char *directory)
{
	const char *file = dwarf_linesrc(from, NULL, NULL);
	int line = 0;

	dwarf_lineno(from, &line);
	if (!file || line <= 0) {
		file = NULL;
		line = 0;
	}
	array_push(&r->scratch, &r->spans) =
		(struct line_span){ lo, hi - lo < UINT32_MAX ? (uint32_t)(hi - lo) : UINT32_MAX,
				    (unsigned)line,
				    file ? linetable_intern_file(r, directory, file) : NULL };
}

/* Makes room for n more at once, so that the rows of one large unit are never copied. */
static void linetable_reserve_spans(struct linetable_reader *r, size_t n)
{
	size_t max = r->spans.n + n < 2 * r->spans.max ? 2 * r->spans.max : r->spans.n + n;
	struct line_span *at;

	if (n <= r->spans.max - r->spans.n)
		return;
	at = arena_array(&r->scratch, struct line_span, max);
	if (r->spans.n > 0)
		memcpy(at, r->spans.at, r->spans.n * sizeof(*at));
	if (r->spans.n * sizeof(*at) >= ARRAY_LARGE_BYTES)
		arena_release(&r->scratch, r->spans.at);
	r->spans.at = at;
	r->spans.max = max;
}

static void linetable_read_rows(struct linetable_reader *r, Dwarf_Die *unit,
				const struct unit_code *code)
{
	Dwarf_Attribute attribute;
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	Dwarf_Lines *lines;
	size_t n, range = 0;

	if (dwarf_getsrclines(unit, &lines, &n) != 0)
		return;
#ifdef __GLIBC__
	if (n >= MANY_ROWS)
		malloc_trim(0);
#endif
	linetable_reserve_spans(r, n < r->entries_left ? n : (size_t)r->entries_left);
	for (size_t i = 0; i + 1 < n && r->entries_left > 0; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		Dwarf_Addr lo = 0, hi = 0;
		bool is_end = true;

		r->entries_left--;
		dwarf_lineaddr(row, &lo);
		dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &hi);
		dwarf_lineendsequence(row, &is_end);
		if (is_end || lo >= hi)
			continue;
		while (range < code->ranges.n && code->ranges.at[range].hi <= lo)
			range++;
		if (code->is_known ? range < code->ranges.n && code->ranges.at[range].lo <= lo
				   : linetable_is_in_code(r, lo))
			linetable_add_span(r, row, lo, hi, directory);
	}
}

/* Nearly free if the units are read afterwards, since libdw keeps their heads. */
static size_t linetable_count_units(Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	size_t n = 0;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, NULL, NULL) == 0)
		n++;
	return n;
}

static void linetable_read_units(struct linetable_reader *r, const struct debuginfo *info)
{
	const struct scope_context program = { r->request->labels, r->request->code,
					       r->request->ncode, &r->entries_left };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, split;
	struct progress *progress = r->request->progress;
	size_t done = 0;
	uint8_t type;

	if (progress)
		progress_step(progress, "reading line tables", linetable_count_units(info->dwarf));
	while (dwarf_get_units(info->dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0) {
		struct unit_code code;

		progress_at(progress, done++);
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		code = linetable_read_unit_code(r, &unit, &r->scratch);
		if (!linetable_unit_is_wanted(r, &code))
			continue;
		linetable_read_rows(r, &unit, &code);
		if (!r->request->labels)
			continue;
		if (type == DW_UT_skeleton && debuginfo_split(info, cu, &unit, &split))
			unit = split;
		scopes_read(&r->scopes, &unit, &program, r->names, &r->scratch);
	}
}

static int linetable_compare_lo(const void *a, const void *b)
{
	const struct line_span *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

static void linetable_sort_spans(struct linetable_reader *r)
{
	bool sorted = true;

	for (size_t i = 1; i < r->spans.n && sorted; i++)
		sorted = r->spans.at[i - 1].lo <= r->spans.at[i].lo;
	if (!sorted)
		qsort(r->spans.at, r->spans.n, sizeof(*r->spans.at), linetable_compare_lo);
}

/* Adds a row unless it says nothing new; one of the same address gives way. */
static void linetable_add_row(struct line_row *rows, size_t *n, struct line_row row)
{
	if (!row.file)
		row.function = NULL;
	if (*n > 0 && rows[*n - 1].pc == row.pc)
		--*n;
	if (*n > 0 && rows[*n - 1].file == row.file && rows[*n - 1].line == row.line &&
	    rows[*n - 1].function == row.function)
		return;
	rows[(*n)++] = row;
}

/* The spans in order, cut where the function changes. */
static struct line_table linetable_merge(const struct linetable_reader *r,
					 const struct scope_pieces *pieces, struct arena *mem)
{
	struct line_row *rows = arena_array(mem, struct line_row, 2 * r->spans.n + pieces->n);
	const char *function = NULL;
	size_t n = 0, piece = 0;

	for (size_t i = 0; i < r->spans.n; i++) {
		struct line_span span = r->spans.at[i];
		bool last = i + 1 == r->spans.n;
		uint64_t hi = span.lo + span.size;

		if (!last && r->spans.at[i + 1].lo < hi)
			hi = r->spans.at[i + 1].lo;
		for (; piece < pieces->n && pieces->at[piece].pc <= span.lo; piece++)
			function = pieces->at[piece].name;
		linetable_add_row(rows, &n,
				  (struct line_row){ span.lo, span.file, function, span.line });
		for (; piece < pieces->n && pieces->at[piece].pc < hi; piece++) {
			function = pieces->at[piece].name;
			linetable_add_row(rows, &n,
					  (struct line_row){ pieces->at[piece].pc, span.file,
							     function, span.line });
		}
		if (last || hi < r->spans.at[i + 1].lo)
			linetable_add_row(rows, &n, (struct line_row){ hi, NULL, NULL, 0 });
	}
	return (struct line_table){ rows, n };
}

bool line_table_read(struct line_table *table, const struct image_file *file,
		     const struct line_request *request, struct strtable *names, struct arena *mem)
{
	struct linetable_reader r = { .request = request,
				      .names = names,
				      .scratch = arena_scratch(mem) };
	struct debuginfo info;
	struct scope_pieces pieces;
	struct stat st;

	*table = (struct line_table){ NULL, 0 };
	if (!debuginfo_open(&info, file))
		return false;
	r.entries_left = fstat(file->fd, &st) == 0 ? MOST_PER_BYTE * file_weight(&st) : 0;
	linetable_read_units(&r, &info);
	debuginfo_close(&info); /* before the rows are made: it holds 40 bytes a row */
	linetable_sort_spans(&r);
	pieces = scopes_flatten(&r.scopes, &r.scratch);
	*table = linetable_merge(&r, &pieces, mem);
	arena_free(&r.scratch);
	return true;
}
