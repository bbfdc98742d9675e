/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for spreadsheets and databases: the flat profile, the arcs of the call graph, source
 * lines, or functions in each rank. The format is that of RFC 4180, but lines end in a newline
 * only. Numbers have all their digits and no unit. Linear in functions or lines but for sorting
 * them, or in arcs.
 */
#include "config.h"

#include "export/compared.h"
#include "export/export_view.h"

#include "base/quote.h"
#include "base/radix.h"
#include "model/integer_costs.h"

#include <inttypes.h>
#include <stdio.h>

/* The values of the key `table`. */
enum { FLAT, ARCS, LINES, RANKS };

static const uint64_t second = 1000000000;

static void csv_put_time(const struct export_view *e, struct output *out, uint64_t time)
{
	if (e->integer_costs->timed)
		output_format(out, "%" PRIu64 ".%09" PRIu64, time / second, time % second);
	else
		output_uint(out, time, 0);
}

/* Writes a time in seconds or samples, with its comma. */
static void csv_write_time(const struct export_view *e, struct output *out, uint64_t time)
{
	csv_put_time(e, out, time);
	output_char(out, ',');
}

static void csv_write_range(const struct export_view *e, struct output *out, sym_id s)
{
	struct export_range range = export_self_range(e, s);

	output_char(out, ',');
	csv_write_time(e, out, range.low);
	csv_put_time(e, out, range.high);
}

static void csv_write_name(struct output *out, const char *name)
{
	quote_csv(out, name);
	output_char(out, ',');
}

static void csv_write_count(struct output *out, uint64_t n)
{
	output_uint(out, n, 0);
	output_char(out, ',');
}

/* Writes a number of calls; blank if none were counted. */
static void csv_write_calls(const struct export_view *e, struct output *out, uint64_t n)
{
	if (e->integer_costs->has_calls)
		output_uint(out, n, 0);
	output_char(out, ',');
}

/* Writes file and line; both are empty if unknown. */
static void csv_write_place(const struct export_view *e, struct output *out, sym_id s)
{
	const struct location *loc = &e->locations[s];

	csv_write_name(out, loc->file ? loc->file : "");
	if (loc->file)
		output_uint(out, loc->line, 0);
	output_format(out, ",0x%" PRIx64, export_address(e, s));
}

/* Sorts functions by descending self time, then by address. */
static const struct keyed *csv_sort(const struct export_view *e)
{
	struct keyed *items = arena_array(e->mem, struct keyed, e->integer_costs->nlisted);

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++)
		items[i] = (struct keyed){ ~e->integer_costs->self[e->integer_costs->listed[i]],
					   e->integer_costs->listed[i] };
	radix_sort_keyed(items, e->integer_costs->nlisted, e->mem);
	return items;
}

static void csv_write_flat(const struct export_view *e, struct output *out)
{
	const struct keyed *items = csv_sort(e);
	const char *unit = integer_costs_unit(e->integer_costs);
	bool has_ranges = e->a->confidence.level > 0.0;

	output_format(
		out,
		"function,self (%s),children (%s),samples,sampling standard deviation (%s),calls,"
		"recursive calls,cycle,file,line,address,linker name",
		unit, unit, unit);
	if (has_ranges)
		output_format(out, ",low (%s),high (%s)", unit, unit);
	if (e->integer_costs->waiting)
		output_text(out, ",waiting (s)");
	if (e->integer_costs->waiting_error)
		output_text(out, ",waiting standard deviation (s)");
	if (e->a->costs.calls.partial.bits)
		output_text(out, ",calls at least");
	output_char(out, '\n');
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		sym_id s = items[i].id;

		csv_write_name(out, e->name[s]);
		csv_write_time(e, out, e->integer_costs->self[s]);
		csv_write_time(e, out, e->integer_costs->inclusive[s] - e->integer_costs->self[s]);
		csv_write_count(out, e->integer_costs->samples[s]);
		csv_write_time(e, out, integer_costs_error(e->integer_costs, e->a->costs.self[s]));
		csv_write_calls(e, out, e->a->costs.calls.outer[s]);
		csv_write_calls(e, out, e->a->costs.calls.self[s]);
		if (e->a->cycles.of_node[s] != 0)
			output_uint(out, e->a->cycles.of_node[s], 0);
		output_char(out, ',');
		csv_write_place(e, out, s);
		output_char(out, ',');
		quote_csv(out, e->a->program->symtab.sym[s].name);
		if (has_ranges)
			csv_write_range(e, out, s);
		if (e->integer_costs->waiting) {
			output_char(out, ',');
			csv_put_time(e, out, e->integer_costs->waiting[s]);
		}
		if (e->integer_costs->waiting_error) {
			output_char(out, ',');
			csv_put_time(e, out, e->integer_costs->waiting_error[s]);
		}
		if (e->a->costs.calls.partial.bits)
			output_text(out, costs_may_have_more(&e->a->costs.calls, s) ? ",1" : ",");
		output_char(out, '\n');
	}
}

static void csv_write_arcs(const struct export_view *e, struct output *out)
{
	const struct graph *g = &e->a->graph;

	output_format(out,
		      "caller,callee,calls,time (%s),caller file,caller line,caller address,"
		      "callee file,callee line,callee address\n",
		      integer_costs_unit(e->integer_costs));
	for (uint32_t i = 0; i < g->narcs; i++) {
		if (!export_has_arc(e, i))
			continue;
		csv_write_name(out, e->name[g->arc[i].from]);
		csv_write_name(out, e->name[g->arc[i].to]);
		csv_write_calls(e, out, g->arc[i].ncalls);
		csv_write_time(e, out, e->integer_costs->arc[i]);
		csv_write_place(e, out, g->arc[i].from);
		output_char(out, ',');
		csv_write_place(e, out, g->arc[i].to);
		output_char(out, '\n');
	}
}

/* Sorts lines by descending time, then by the address of their first code. */
static const struct keyed *csv_sort_lines(const struct export_lines *lines, struct arena *mem)
{
	struct keyed *items = arena_array(mem, struct keyed, lines->n);

	for (uint32_t i = 0; i < lines->n; i++)
		items[i] = (struct keyed){ ~lines->at[i].self, i };
	radix_sort_keyed(items, lines->n, mem);
	return items;
}

/* Writes source lines. Inlined code is listed under the function that contains it. */
static void csv_write_lines(const struct export_view *e, struct output *out)
{
	const struct export_lines lines = export_lines(e, e->mem);
	const struct keyed *items = csv_sort_lines(&lines, e->mem);

	output_format(out, "file,line,function,inlined function,self (%s),samples\n",
		      integer_costs_unit(e->integer_costs));
	for (uint32_t i = 0; i < lines.n; i++) {
		const struct export_line *line = &lines.at[items[i].id];
		const struct source_frame *frame = &e->line_costs->frame[line->frame];

		csv_write_name(out, frame->file ? frame->file : "");
		if (frame->file)
			output_uint(out, frame->line, 0);
		output_char(out, ',');
		csv_write_name(out, e->name[line->symbol]);
		if (frame->function != FRAME_OWN)
			quote_csv(out, e->inlined[frame->function]);
		output_char(out, ',');
		csv_write_time(e, out, line->self);
		output_uint(out, line->samples, 0);
		output_char(out, '\n');
	}
}

/* Writes a line for each function in each rank in which it has any cost. */
static void csv_write_ranks(const struct export_view *e, struct output *out)
{
	const struct ranks *ranks = e->ranks;
	double per_second = e->integer_costs->timed ? (double)e->a->profile->unit.rate : 1.0;

	output_format(out, "function,%s,%s (%s),%s,calls\n", ranks->threads ? "thread" : "rank",
		      ranks->inclusive ? "inclusive" : "self", integer_costs_unit(e->integer_costs),
		      ranks->exact ? "ticks" : "samples");
	for (uint32_t i = 0; i < ranks->of_row[ranks->nrows]; i++) {
		const struct ranks_cell *cell = &ranks->cell[i];
		sym_id s = ranks->row[cell->row].symbol;

		csv_write_name(out, s == SYM_NONE  ? "[in no function]"
				    : e->unique[s] ? e->unique[s]
						   : e->a->program->symtab.sym[s].name);
		csv_write_name(out, ranks->rank[cell->rank].label);
		output_format(out, "%.9f,%.9g,", cell->ticks / per_second, cell->ticks);
		if (ranks->has_calls)
			output_uint(out, cell->calls, 0);
		output_char(out, '\n');
	}
}

static enum export_ranks csv_ranks(const struct export_request *request)
{
	return request->value[EXPORT_TABLE].count == RANKS ? EXPORT_RANKS_NEEDED
							   : EXPORT_RANKS_NONE;
}

static bool csv_wants_lines(const struct export_request *request)
{
	return request->value[EXPORT_TABLE].count == LINES;
}

/* Writes a cell of one side; empty if the program of that side has no such function. */
static void csv_write_side(const struct difference_row *row, int k, const char *text,
			   struct output *out)
{
	output_text(out, row->has[k] ? text : "");
	output_char(out, ',');
}

/* Writes the cells of an inclusive time; empty if it is unknown. */
static void csv_write_whole(const struct difference *d, const struct difference_row *row,
			    struct output *out)
{
	const struct difference_test *test = &row->whole;

	if (!d->measured) {
		output_text(out, ",,,,");
		return;
	}
	output_format(out, "%s,%.9f,%.9f,", compared_verdict(test->verdict), test->delta,
		      test->margin);
	output_format(out, test->tested ? "%.9g," : ",", test->p);
}

/* Writes the rows of --diff in their order; times are per run. */
static void csv_write_difference(const struct export_view *e, struct output *out)
{
	const struct difference *d = e->difference;
	const char *unit = compared_unit(d);
	char text[64];

	output_format(
		out,
		"function,verdict,base (%s),new (%s),delta (%s),margin (%s),p,base samples,"
		"new samples,base calls,new calls,matched,base inclusive (%s),"
		"new inclusive (%s),inclusive verdict,inclusive delta (%s),inclusive margin (%s),"
		"inclusive p,base linker name,new linker name\n",
		unit, unit, unit, unit, unit, unit, unit, unit);
	for (uint32_t i = 0; i < d->n; i++) {
		const struct difference_row *row = &d->row[i];

		csv_write_name(out, row->name);
		output_format(out, "%s,%.9f,%.9f,%.9f,%.9f,", compared_verdict(row->self.verdict),
			      row->value[SIDE_BASE], row->value[SIDE_NEW], row->self.delta,
			      row->self.margin);
		output_format(out, row->self.tested ? "%.9g," : ",", row->self.p);
		for (int k = 0; k < SIDES; k++)
			csv_write_count(out, row->amount[k].samples);
		for (int k = 0; k < SIDES; k++) {
			snprintf(text, sizeof(text), "%" PRIu64, row->amount[k].calls);
			csv_write_side(row, k, text, out);
		}
		output_format(out, "%s,", compared_rule(row->rule));
		for (int k = 0; k < SIDES; k++) {
			snprintf(text, sizeof(text), "%.9f", row->inclusive[k]);
			csv_write_side(row, k, d->measured ? text : "", out);
		}
		csv_write_whole(d, row, out);
		csv_write_name(out, row->linker[SIDE_BASE] ? row->linker[SIDE_BASE] : "");
		quote_csv(out, row->linker[SIDE_NEW] ? row->linker[SIDE_NEW] : "");
		output_char(out, '\n');
	}
}

static void csv_write(const struct export_view *e, struct output *out)
{
	if (e->difference)
		csv_write_difference(e, out);
	else if (e->request->value[EXPORT_TABLE].count == ARCS)
		csv_write_arcs(e, out);
	else if (e->request->value[EXPORT_TABLE].count == LINES)
		csv_write_lines(e, out);
	else if (e->request->value[EXPORT_TABLE].count == RANKS)
		csv_write_ranks(e, out);
	else
		csv_write_flat(e, out);
}

const struct exporter export_csv = {
	.compares = true,
	.wants_lines = csv_wants_lines,
	.ranks = csv_ranks,
	.write = csv_write,
};
