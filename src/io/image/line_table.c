/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the line table of a program. n log n in spans, for the sort; else linear.
 *
 * The rows of each unit become spans of code, in any order. They are sorted, and merged with the
 * pieces of code that scopes.c says belong to each function:
 *
 *   address   0x10        0x20    0x28    0x30        0x40
 *   spans     | a.c:10    | a.c:11        | a.c:12    |
 *   pieces    | main              | sq    | main      |
 *   rows      | 10 main   |11 main| 11 sq | 12 main   |
 *
 * Rows outside of their unit's own address ranges are left over from code that the linker
 * discarded. If several units have the same function, such as an inline one of C++, the linker
 * keeps the first copy and lets the ranges of later units point to it. So a range belongs to the
 * first unit that has one at its start.
 */
#include "config.h"

#include "io/image/line_table.h"

#include "base/index.h"
#include "base/search.h"
#include "io/file.h"
#include "io/image/debuginfo.h"
#include "io/image/line_files.h"
#include "io/image/line_program.h"
#include "io/image/scopes.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The code of one row of a line program, at most 4 GiB. */
struct line_span {
	uint64_t lo;
	uint32_t size;
	unsigned line;
	const char *file;
};

/*
 * Limit for instructions and ranges: this many are read for each byte of the file. Any number of
 * units can refer to one list, so that a small file could have more of them than fit into memory.
 */
enum { MOST_PER_BYTE = 4 };

/* The start of a range, and the first unit that has the range. */
struct line_claim {
	uint64_t lo;
	size_t unit;
};

struct line_table_reader {
	const struct line_request *request;
	struct line_program program; /* the whole section */
	struct strtable *names;
	struct arena scratch; /* freed at the end */
	ARRAY(struct line_span) spans;
	/*
	 * For each wanted address, the last span that begins at or before it, but after the wanted
	 * address before; or an empty span. NULL: all spans are wanted.
	 */
	struct line_span *nearest;
	size_t near;             /* index of the wanted address for which the last span was */
	struct line_files files; /* files of the current unit */
	ARRAY(struct line_claim) claims;
	struct index claimed;
	size_t nunits; /* number of units read so far */
	struct scopes scopes;
	struct line_damage damage;
	uint64_t entries_left; /* how many more instructions and ranges may be read */
};

/* A unit's code ranges, sorted, without those outside of all code of the program or of earlier
 * units. */
struct unit_code {
	ARRAY(struct code_range) ranges;
	bool is_known;
};

static bool line_table_is_in_code(const struct line_table_reader *r, uint64_t pc)
{
	return code_range_find(r->request->code, r->request->ncode, pc) != NULL;
}

static int line_table_compare_ranges(const void *a, const void *b)
{
	const struct code_range *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

INDEX_KEY(line_table_claim_key, struct line_claim, x->lo)

/* Whether the range that begins at lo belongs to the current unit, as far as that is known. */
static bool line_table_claim(struct line_table_reader *r, uint64_t lo)
{
	const struct line_claim wanted = { lo, r->nunits };
	uint32_t place;

	if (r->claims.n >= UINT32_MAX / 2)
		return true;
	place = index_intern(&r->claimed, &r->claims, &wanted, line_table_claim_key, &r->scratch);
	return r->claims.at[place].unit == r->nunits;
}

/* Records libdw's last error, about something that the unit refers to. */
static void line_table_add_error(struct line_table_reader *r, Dwarf_Die *unit)
{
	line_damage_add(&r->damage, ".debug_info", dwarf_dieoffset(unit), dwarf_errmsg(-1));
}

static struct unit_code line_table_read_unit_code(struct line_table_reader *r, Dwarf_Die *unit)
{
	struct unit_code code = { .is_known = false };
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	r->nunits++;
	while (r->entries_left > 0 && (at = dwarf_ranges(unit, at, &base, &lo, &hi)) > 0) {
		r->entries_left--;
		code.is_known = true;
		if (lo < hi && line_table_is_in_code(r, lo) && line_table_claim(r, lo))
			array_push(&r->scratch, &code.ranges) =
				(struct code_range){ .lo = lo, .hi = hi };
	}
	if (at < 0)
		line_table_add_error(r, unit);
	if (code.ranges.n > 0)
		qsort(code.ranges.at, code.ranges.n, sizeof(*code.ranges.at),
		      line_table_compare_ranges);
	return code;
}

/* Whether one of the wanted addresses is in the range. */
static bool line_table_range_is_wanted(const struct line_request *request, struct code_range range)
{
	size_t i = search_from(request->pc, request->npcs, sizeof(*request->pc), 0, range.lo);

	return i < request->npcs && request->pc[i] < range.hi;
}

static bool line_table_unit_is_wanted(const struct line_table_reader *r,
				      const struct unit_code *code)
{
	bool wanted = !code->is_known || (!r->request->pc && code->ranges.n > 0);

	for (size_t i = 0; r->request->pc && i < code->ranges.n && !wanted; i++)
		wanted = line_table_range_is_wanted(r->request, code->ranges.at[i]);
	return wanted;
}

static const char *line_table_join(struct arena *mem, const char *directory, const char *file)
{
	size_t n = strlen(directory), m = strlen(file);
	char *path = arena_array(mem, char, n + m + 2);

	memcpy(path, directory, n);
	path[n] = '/';
	memcpy(path + n + 1, file, m);
	return path;
}

/* Interns the name of a file; `directory` is that of the compilation, or NULL. */
static const char *line_table_intern_file(struct line_table_reader *r, const char *directory,
					  const char *given)
{
	return strtable_add(r->names, given[0] == '/' || !directory
					      ? given
					      : line_table_join(&r->scratch, directory, given));
}

/* The unit whose rows are read. */
struct unit_rows {
	struct line_table_reader *reader;
	Dwarf_Die *die;
	const struct unit_code *code;
	struct code_range in; /* the range of the unit's code that contains the last row */
	uint64_t number;      /* number and name of the last row's file */
	const char *file;
	const char *directory;
	Dwarf_Files *files; /* if not NULL, used instead of the reader's files */
};

static const char *line_table_libdw_file(const struct unit_rows *unit, uint64_t number)
{
	const char *file = dwarf_filesrc(unit->files, number, NULL, NULL);

	return file ? line_table_intern_file(unit->reader, unit->directory, file) : NULL;
}

/*
 * Asks libdw for the name of a file: line programs can also define files by an instruction, though
 * no compiler writes it.
 */
static const char *line_table_unit_file(void *arg, uint64_t number)
{
	struct unit_rows *unit = arg;
	struct line_table_reader *r = unit->reader;
	struct line_file *file;

	if (!unit->files && number >= r->files.all.n &&
	    dwarf_getsrcfiles(unit->die, &unit->files, &(size_t){ 0 }) != 0)
		unit->files = NULL;
	if (unit->files)
		return line_table_libdw_file(unit, number);
	if (number >= r->files.all.n)
		return NULL;
	file = &r->files.all.at[number];
	if (!file->path)
		file->path = line_table_intern_file(
			r, unit->directory,
			file->name[0] == '/' || !file->directory
				? file->name
				: line_table_join(&r->scratch, file->directory, file->name));
	return file->path;
}

/* Returns the name of a row's file. Most rows have the same file as the row before. */
static const char *line_table_row_file(struct unit_rows *unit, uint64_t number)
{
	if (!unit->file || unit->number != number) {
		unit->file = line_table_unit_file(unit, number);
		unit->number = number;
	}
	return unit->file;
}

/* Returns the index of the first wanted address that is not below pc. */
static size_t line_table_place(const struct line_table_reader *r, uint64_t pc)
{
	const struct line_request *request = r->request;

	/* Most spans are for the same address as the span before. */
	if (r->near < request->npcs && pc <= request->pc[r->near] &&
	    (r->near == 0 || request->pc[r->near - 1] < pc))
		return r->near;
	return search_from(request->pc, request->npcs, sizeof(*request->pc), 0, pc);
}

static void line_table_add_span(struct line_table_reader *r, struct line_span span)
{
	if (!r->nearest) {
		array_push(&r->scratch, &r->spans) = span;
		return;
	}
	r->near = line_table_place(r, span.lo);
	if (r->near < r->request->npcs && r->nearest[r->near].lo <= span.lo)
		r->nearest[r->near] = span;
}

/*
 * Whether pc is in the unit's own code; if the unit does not say what that is, whether it is in any
 * code.
 */
static bool line_table_is_in_unit(struct unit_rows *unit, uint64_t pc)
{
	const struct line_request *request = unit->reader->request;
	const struct code_range *in;

	if (unit->in.lo <= pc && pc < unit->in.hi)
		return true;
	in = unit->code->is_known
		     ? code_range_search(unit->code->ranges.at, unit->code->ranges.n, pc)
		     : code_range_find(request->code, request->ncode, pc);
	if (in)
		unit->in = *in;
	return in;
}

static void line_table_take_span(const struct line_program_span *from, void *arg)
{
	struct unit_rows *unit = arg;
	struct line_table_reader *r = unit->reader;
	uint64_t size = from->hi - from->lo;
	const char *file = NULL;

	r->entries_left--;
	if (!line_table_is_in_unit(unit, from->lo))
		return;
	if (from->line > 0)
		file = line_table_row_file(unit, from->file);
	line_table_add_span(r, (struct line_span){
				       from->lo,
				       size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
				       file ? from->line : 0,
				       file,
			       });
}

static const char *line_table_directory(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

static void line_table_drop_span(const struct line_program_span *span, void *arg)
{
	(void)span;
	(void)arg;
}

/* Records where a program that libdw refuses is damaged: its start, if decoding finds nothing. */
static void line_table_add_refused(struct line_table_reader *r, const struct line_program *program,
				   const struct line_header *header)
{
	const char *cause = dwarf_errmsg(-1);
	struct line_program_end end;

	line_program_walk(program, header, r->entries_left, line_table_drop_span, NULL, &end);
	line_damage_add(&r->damage, ".debug_line", end.damage ? end.at : program->at,
			end.damage ? end.damage : cause);
}

/* Reads the files of a unit with this program. Returns false if something is wrong with them. */
static bool line_table_read_files(struct unit_rows *unit, const struct line_program *program,
				  const struct line_header *header)
{
	struct line_table_reader *r = unit->reader;

	if (line_files_read(&r->files, program, header, unit->directory, &r->entries_left,
			    &r->scratch))
		return true;
	r->files.all.n = 0;
	if (dwarf_getsrcfiles(unit->die, &unit->files, &(size_t){ 0 }) == 0)
		return true;
	unit->files = NULL;
	line_table_add_refused(r, program, header);
	return false;
}

/* Reads a unit's rows. Its files stay for the callers of inlined code. */
static void line_table_read_rows(struct unit_rows *unit)
{
	struct line_table_reader *r = unit->reader;
	struct line_program program = r->program;
	struct line_header header;
	struct line_program_end end;
	Dwarf_Attribute attribute;
	const char *fault;

	r->files.all.n = 0;
	if (!dwarf_attr(unit->die, DW_AT_stmt_list, &attribute))
		return;
	if (dwarf_formudata(&attribute, &program.at) != 0) {
		line_table_add_error(r, unit->die);
		return;
	}
	fault = line_header_read(&header, &program);
	if (fault) {
		line_damage_add(&r->damage, ".debug_line", program.at, fault);
		return;
	}
	if (!line_table_read_files(unit, &program, &header))
		return;
	r->entries_left -= line_program_walk(&program, &header, r->entries_left,
					     line_table_take_span, unit, &end);
	if (!end.damage && r->entries_left == 0)
		end.damage = "more rows than the file can hold";
	if (end.damage)
		line_damage_add(&r->damage, ".debug_line", end.at, end.damage);
}

/*
 * Counts the units. Costs almost nothing if the units are read afterwards, since libdw keeps their
 * headers.
 */
static size_t line_table_count_units(Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	size_t n = 0;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, NULL, NULL) == 0)
		n++;
	return n;
}

static const char *line_table_unit_path(void *arg, const char *given)
{
	const struct unit_rows *unit = arg;

	return line_table_intern_file(unit->reader, unit->directory, given);
}

/* Reads the scopes of a unit, or of `split`, unless that is NULL, which has files of its own. */
static void line_table_read_scopes(struct unit_rows *unit, Dwarf_Die *split)
{
	struct line_table_reader *r = unit->reader;
	const struct line_request *request = r->request;
	const struct scope_context program = {
		request->labels,
		unit->code->is_known ? unit->code->ranges.at : request->code,
		unit->code->is_known ? unit->code->ranges.n : request->ncode,
		&r->entries_left,
		request->callers ? line_table_unit_file : NULL,
		request->callers ? line_table_unit_path : NULL,
		unit,
		&r->damage,
	};

	if (split) {
		unit->die = split;
		unit->files = NULL;
		r->files.all.n = 0;
	}
	scopes_read(&r->scopes, unit->die, &program, r->names, &r->scratch);
}

/* Records the unit that is cut short or whose header libdw cannot read; later ones are missing. */
static void line_table_check_units(struct line_table_reader *r, const struct debuginfo *info,
				   size_t nunits)
{
	uint64_t size = debuginfo_size(info);
	Dwarf_Off at = 0, next;
	size_t head;
	int rc;

	while ((rc = dwarf_nextcu(info->dwarf, at, &next, &head, NULL, NULL, NULL)) == 0 &&
	       next <= size)
		at = next;
	if (rc <= 0)
		line_damage_add(&r->damage, ".debug_info", at,
				rc < 0 ? dwarf_errmsg(-1) : "its length is more than there is");
	else if (nunits == 0 && size > 0 && r->damage.nplaces == 0)
		line_damage_add(&r->damage, ".debug_info", 0, "there is no unit");
}

static void line_table_read_units(struct line_table_reader *r, const struct debuginfo *info)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, split;
	struct progress *progress = r->request->progress;
	size_t done = 0, nunits = line_table_count_units(info->dwarf);
	uint8_t type;

	line_table_check_units(r, info, nunits);
	if (progress)
		progress_step(progress, "reading line tables", nunits);
	while (dwarf_get_units(info->dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0) {
		struct unit_code code;
		struct unit_rows rows = { .reader = r, .die = &unit, .code = &code };

		progress_at(progress, done++);
		if (dwarf_tag(&unit) == DW_TAG_invalid) {
			line_table_add_error(r, &unit);
			continue;
		}
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		code = line_table_read_unit_code(r, &unit);
		if (!line_table_unit_is_wanted(r, &code))
			continue;
		rows.directory = line_table_directory(&unit);
		line_table_read_rows(&rows);
		if (!r->request->labels)
			continue;
		if (type == DW_UT_skeleton && debuginfo_split(info, cu, &unit, &split))
			line_table_read_scopes(&rows, &split);
		else
			line_table_read_scopes(&rows, NULL);
	}
}

static int line_table_compare_lo(const void *a, const void *b)
{
	const struct line_span *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

/*
 * Collects the wanted spans if not all are wanted. Spans are in order, since each begins after the
 * previous wanted address.
 */
static void line_table_gather_nearest(struct line_table_reader *r)
{
	r->spans.at = r->nearest;
	for (size_t i = 0; i < r->request->npcs; i++) {
		if (r->nearest[i].size > 0)
			r->spans.at[r->spans.n++] = r->nearest[i];
	}
}

static void line_table_sort_spans(struct line_table_reader *r)
{
	bool sorted = true;

	for (size_t i = 1; i < r->spans.n && sorted; i++)
		sorted = r->spans.at[i - 1].lo <= r->spans.at[i].lo;
	if (!sorted)
		qsort(r->spans.at, r->spans.n, sizeof(*r->spans.at), line_table_compare_lo);
}

/* Adds a row if it differs from the row before; replaces that row if it has the same address. */
static void line_table_add_row(struct line_row *rows, size_t *n, struct line_row row)
{
	if (!row.file && row.caller == 0)
		row.function = NULL;
	if (*n > 0 && rows[*n - 1].pc == row.pc)
		--*n;
	if (*n > 0 && rows[*n - 1].file == row.file && rows[*n - 1].line == row.line &&
	    rows[*n - 1].function == row.function && rows[*n - 1].caller == row.caller)
		return;
	rows[(*n)++] = row;
}

/* Makes rows of the sorted spans, divided where the function changes. */
static struct line_table line_table_merge(const struct line_table_reader *r,
					  const struct scope_pieces *pieces, struct arena *mem)
{
	struct line_row *rows = arena_unset_array(mem, struct line_row, 2 * r->spans.n + pieces->n);
	struct scope_piece scope = { .pc = 0 };
	size_t n = 0, piece = 0;

	for (size_t i = 0; i < r->spans.n; i++) {
		struct line_span span = r->spans.at[i];
		bool last = i + 1 == r->spans.n;
		uint64_t hi = span.lo + span.size;

		if (!last && r->spans.at[i + 1].lo < hi)
			hi = r->spans.at[i + 1].lo;
		for (; piece < pieces->n && pieces->at[piece].pc <= span.lo; piece++)
			scope = pieces->at[piece];
		line_table_add_row(rows, &n,
				   (struct line_row){ span.lo, span.file, scope.name, span.line,
						      scope.caller });
		for (; piece < pieces->n && pieces->at[piece].pc < hi; piece++) {
			scope = pieces->at[piece];
			line_table_add_row(rows, &n,
					   (struct line_row){ scope.pc, span.file, scope.name,
							      span.line, scope.caller });
		}
		if (last || hi < r->spans.at[i + 1].lo)
			line_table_add_row(rows, &n, (struct line_row){ .pc = hi });
	}
	return (struct line_table){ rows, n, NULL };
}

/* Copies the callers that rows refer to, to mem. */
static const struct line_caller *line_table_callers(const struct line_table_reader *r,
						    struct arena *mem)
{
	size_t n = r->scopes.callers.n;
	struct line_caller *callers = arena_array(mem, struct line_caller, n);

	if (n > 0)
		memcpy(callers, r->scopes.callers.at, n * sizeof(*callers));
	return callers;
}

static void line_table_tell(const struct line_table_reader *r, const struct image_file *file)
{
	struct line_damage *damage = r->request->damage;

	if (!damage || r->damage.nplaces <= damage->nplaces)
		return;
	*damage = r->damage;
	damage->path = file->path;
}

bool line_table_read(struct line_table *table, const struct image_file *file,
		     const struct line_request *request, struct strtable *names, struct arena *mem)
{
	struct line_table_reader r = { .request = request,
				       .names = names,
				       .scratch = arena_scratch(mem) };
	struct debuginfo info;
	struct scope_pieces pieces;
	struct stat st;

	*table = (struct line_table){ NULL, 0, NULL };
	if (!debuginfo_open(&info, file, &r.damage)) {
		line_table_tell(&r, file);
		return false;
	}
	r.entries_left = fstat(file->fd, &st) == 0 ? MOST_PER_BYTE * file_weight(&st) : 0;
	r.program = debuginfo_lines(&info);
	if (request->pc && !request->labels)
		r.nearest = arena_sparse(&r.scratch, request->npcs, sizeof(*r.nearest));
	line_table_read_units(&r, &info);
	debuginfo_close(&info);
	if (r.nearest)
		line_table_gather_nearest(&r);
	else
		line_table_sort_spans(&r);
	pieces = scopes_flatten(&r.scopes, &r.scratch);
	*table = line_table_merge(&r, &pieces, mem);
	if (request->callers)
		table->caller = line_table_callers(&r, mem);
	line_table_tell(&r, file);
	arena_free(&r.scratch);
	return true;
}
