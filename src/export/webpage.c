/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page for browsers that contains everything: web/page.html and what it includes, with the data
 * as JSON, which web/data.js reads. Functions are numbered by their index in
 * e->integer_costs->listed; each of their properties is an array. Integers are written in full,
 * although browsers keep only 53 bits. Linear in functions and arcs but for sorting, and in paths.
 */
#include "config.h"

#include "export/diffpage.h"
#include "export/excerpts.h"
#include "export/export_view.h"
#include "export/frames.h"
#include "export/rankmap.h"
#include "export/template.h"
#include "export/webblame.h"
#include "export/webcode.h"
#include "export/webparts.h"
#include "export/webplain.h"
#include "export/webwhen.h"

#include "base/json.h"
#include "base/quote.h"
#include "base/short_name.h"

#include <string.h>

/*
 * The flame graph omits frames under 1/SMALLEST_PART of the whole; the source text has at most
 * SOURCE_BYTES.
 */
enum { SMALLEST_PART = 4000, SOURCE_BYTES = 400 * 1000 };

/*
 * The page has all recorded paths unless they have more than MOST_NODES nodes; then it has none by
 * thread.
 */
enum { MOST_NODES = 50 * 1000 };

/* The memory that shortening names takes is freed each time so many were shortened. */
enum { NAMES_AT_ONCE = 256 };

/* Used in place of a function's number in the stacks. */
enum { NAME_REST = -1, NAME_SMALL = -2, NAME_CYCLE = -10 /* less its number */ };

struct webpage {
	const struct export_view *e;
	struct json *json;
	uint32_t *index; /* index in e->integer_costs->listed of each listed symbol */
	uint32_t *file;  /* number of its file, from 1 */
	uint32_t nfiles;
	const char **file_name; /* by file number; "" if unknown */
};

/* Returns the time in callees. */
static uint64_t webpage_below(const struct webpage *p, sym_id s)
{
	return p->e->integer_costs->inclusive[s] - p->e->integer_costs->self[s];
}

static uint64_t webpage_partial(const struct webpage *p, sym_id s)
{
	return costs_may_have_more(&p->e->a->costs.calls, s);
}

static bool webpage_has_all_paths(const struct webpage *p)
{
	return !p->e->stacks->estimated && p->e->stacks->n <= MOST_NODES;
}

static uint64_t webpage_file(const struct webpage *p, sym_id s)
{
	return p->file[s] - 1;
}

static uint64_t webpage_line(const struct webpage *p, sym_id s)
{
	return p->e->locations[s].file ? p->e->locations[s].line : 0;
}

static uint64_t webpage_object(const struct webpage *p, sym_id s)
{
	return p->e->a->objects.of[s];
}

static uint64_t webpage_cycle(const struct webpage *p, sym_id s)
{
	return p->e->a->cycles.of_node[s];
}

static uint64_t webpage_arcs_out(const struct webpage *p, sym_id s)
{
	const struct graph *g = &p->e->a->graph;
	uint64_t n = 0;

	for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++)
		n += export_has_arc(p->e, i);
	return n;
}

/* Writes a value of each function; nothing if all are 0. */
static void webpage_write_column(const struct webpage *p, const char *key,
				 uint64_t value(const struct webpage *p, sym_id s))
{
	bool any = false;

	for (uint32_t i = 0; i < p->e->integer_costs->nlisted && !any; i++)
		any = value(p, p->e->integer_costs->listed[i]) != 0;
	json_begin_array(json_line(p->json), key);
	for (uint32_t i = 0; any && i < p->e->integer_costs->nlisted; i++)
		json_uint(p->json, NULL, value(p, p->e->integer_costs->listed[i]));
	json_end(p->json);
}

static uint64_t webpage_low(const struct webpage *p, sym_id s)
{
	return export_self_range(p->e, s).low;
}

static uint64_t webpage_high(const struct webpage *p, sym_id s)
{
	return export_self_range(p->e, s).high;
}

/* Does the same for values by symbol. */
static void webpage_write_numbers(const struct webpage *p, const char *key, const uint64_t *of)
{
	bool any = false;

	for (uint32_t i = 0; i < p->e->integer_costs->nlisted && !any; i++)
		any = of[p->e->integer_costs->listed[i]] != 0;
	json_begin_array(json_line(p->json), key);
	for (uint32_t i = 0; any && i < p->e->integer_costs->nlisted; i++)
		json_uint(p->json, NULL, of[p->e->integer_costs->listed[i]]);
	json_end(p->json);
}

/* Returns how many leading ASCII characters a name shares with that of the function before. */
static uint64_t webpage_shared(const struct webpage *p, sym_id s)
{
	const char *name = p->e->unique[s], *before;
	uint64_t n = 0;

	if (p->index[s] == 0)
		return 0;
	before = p->e->unique[p->e->integer_costs->listed[p->index[s] - 1]];
	while (name[n] && name[n] == before[n] && !(name[n] & 0x80))
		n++;
	return n;
}

/* Writes the short names of functions, "" for names that are short. */
static void webpage_write_short_names(const struct webpage *p)
{
	struct arena scratch = arena_scratch(p->e->mem);

	json_begin_array(json_line(p->json), "brief");
	for (uint32_t i = 0; i < p->e->integer_costs->nlisted; i++) {
		const char *name = p->e->unique[p->e->integer_costs->listed[i]];
		const char *brief = short_name_make(name, &scratch).name;

		json_string(p->json, NULL, strcmp(brief, name) == 0 ? "" : brief);
		if (i % NAMES_AT_ONCE == 0)
			arena_free(&scratch);
	}
	json_end(p->json);
	arena_free(&scratch);
}

static void webpage_write_functions(const struct webpage *p)
{
	webpage_write_column(p, "shared", webpage_shared);
	json_begin_array(json_line(p->json), "name");
	for (uint32_t i = 0; i < p->e->integer_costs->nlisted; i++) {
		sym_id s = p->e->integer_costs->listed[i];

		json_string(json_next_line(p->json), NULL, p->e->unique[s] + webpage_shared(p, s));
	}
	json_end(p->json);
	webpage_write_short_names(p);
	webpage_write_numbers(p, "self", p->e->integer_costs->self);
	if (p->e->a->confidence.level > 0.0) {
		webpage_write_column(p, "low", webpage_low);
		webpage_write_column(p, "high", webpage_high);
	}
	webpage_write_numbers(p, "samples", p->e->integer_costs->samples);
	webpage_write_column(p, "below", webpage_below);
	if (p->e->integer_costs->waiting)
		webpage_write_numbers(p, "waiting", p->e->integer_costs->waiting);
	if (p->e->integer_costs->waiting_error)
		webpage_write_numbers(p, "waitingDeviation", p->e->integer_costs->waiting_error);
	webpage_write_numbers(p, "outer", p->e->a->costs.calls.outer);
	webpage_write_numbers(p, "recursive", p->e->a->costs.calls.self);
	if (p->e->a->costs.calls.partial.bits)
		webpage_write_column(p, "partial", webpage_partial);
	webpage_write_column(p, "line", webpage_line);
	webpage_write_column(p, "file", webpage_file);
	json_begin_array(json_line(p->json), "files");
	for (uint32_t i = 1; i <= p->nfiles; i++)
		json_string(json_next_line(p->json), NULL, p->file_name[i]);
	json_end(p->json);
}

/* Writes the names of the program and libraries, and the object of each function. */
static void webpage_write_objects(const struct webpage *p)
{
	const struct object_rows *objects = &p->e->a->objects;

	webpage_write_column(p, "object", webpage_object);
	json_begin_array(json_line(p->json), "objects");
	for (uint32_t i = 0; i < objects->n; i++)
		json_string(json_next_line(p->json), NULL, objects->at[i].name);
	json_end(p->json);
}

/*
 * Writes the arcs out of the first function, then those of the second, and so on. With call stacks,
 * `time` is the arc's time among the caller's callees, `up` its time among the callee's callers.
 */
static void webpage_write_arcs(const struct webpage *p)
{
	static const char *const key[] = { "to", "calls", "time", "up" };
	const struct graph *g = &p->e->a->graph;

	webpage_write_column(p, "arcs", webpage_arcs_out);
	for (unsigned k = 0; k < (p->e->integer_costs->up != p->e->integer_costs->arc ? 4 : 3);
	     k++) {

		json_begin_array(json_line(p->json), key[k]);
		for (uint32_t i = 0; i < g->narcs; i++) {
			const struct arc *arc = &g->arc[i];
			const uint64_t value[] = { p->index[arc->to], arc->ncalls,
						   p->e->integer_costs->arc[i],
						   p->e->integer_costs->up[i] };

			if (!export_has_arc(p->e, i))
				continue;
			json_uint(p->json, NULL, value[k]);
		}
		json_end(p->json);
	}
}

/*
 * Writes for each cycle: self time, time of callees outside, calls from outside and among members.
 */
static void webpage_write_cycles(const struct webpage *p)
{
	const struct analysis *a = p->e->a;

	webpage_write_column(p, "cycle", webpage_cycle);
	json_begin_array(json_line(p->json), "cycles");
	for (uint32_t c = 0; c < a->cycles.ncycles; c++) {
		uint32_t node = a->graph.nnodes + c;
		uint64_t self = export_self(p->e, node);

		json_begin_array(p->json, NULL);
		json_uint(p->json, NULL, self);
		json_uint(p->json, NULL, p->e->integer_costs->inclusive[node] - self);
		json_uint(p->json, NULL, a->costs.calls.outer[node]);
		json_uint(p->json, NULL, a->costs.calls.self[node]);
		json_end(p->json);
	}
	json_end(p->json);
}

/* Writes five numbers per frame: function, depth, total, self time, number of paths joined. */
static void webpage_write_stacks(const struct webpage *p)
{
	const struct stacks *stacks = p->e->stacks;
	uint64_t least = webpage_has_all_paths(p) ? 1 : stacks->total / SMALLEST_PART;
	struct frames frames = frames_make(stacks, least ? least : 1, p->e->mem);

	json_begin_array(json_line(p->json), "frames");
	for (uint32_t i = 0; i < frames.n; i++) {
		const struct frame *frame = &frames.frame[i];
		int function = NAME_SMALL;

		if (frame->node != FRAME_SMALL) {
			const struct stack_node *node = &stacks->node[frame->node];
			uint32_t cycle = export_cycle(p->e, node);

			function = node->function == STACKS_REST ? NAME_REST
				   : cycle != 0                  ? NAME_CYCLE - (int)cycle
								 : (int)p->index[node->function];
		}
		json_format(p->json, NULL, "%d", function);
		json_uint(p->json, NULL, frame->depth);
		json_uint(p->json, NULL, frame->total);
		json_uint(p->json, NULL, frame->self);
		json_uint(p->json, NULL, frame->count);
	}
	json_end(p->json);
	if (!p->e->integer_costs->waiting)
		return;
	json_begin_array(json_line(p->json), "frameWaits");
	for (uint32_t i = 0; i < frames.n; i++)
		json_uint(p->json, NULL, frames.frame[i].own_waiting);
	json_end(p->json);
}

/* Writes the parts of the run that can be chosen, and when these ran. */
static void webpage_write_parts(const struct webpage *p)
{
	struct webpaths paths = { 0 };
	struct webparts parts = { 0 };

	if (webpage_has_all_paths(p)) {
		paths = webpaths_make(p->e);
		parts = webparts_make(p->e);
	}
	webparts_write(p->e, &parts, &paths, p->json);
	json_uint(json_line(p->json), "nthreads", p->e->trees->nthreads);
	if (webpage_has_all_paths(p) && webwhen_is_known(p->e))
		webwhen_write(p->e, &parts, &paths, p->json);
}

/* Writes the quality of the recorded stacks, of all and by thread. */
static void webpage_write_measured(const struct webpage *p)
{
	const struct costs_origin *origin = &p->e->a->costs.origin;

	json_begin_array(json_line(p->json), "quality");
	for (int q = 0; q < STACK_QUALITIES; q++)
		json_uint(p->json, NULL, origin->quality[q]);
	json_end(p->json);
	if (origin->threads) {
		json_string(json_line(p->json), "ofThreads", origin->threads);
	}
	webpage_write_parts(p);
}

static void webpage_write_sources(const struct webpage *p)
{
	struct excerpts excerpts = excerpts_make(p->e, p->file, SOURCE_BYTES);

	json_begin_array(json_line(p->json), "source");
	for (size_t i = 0; i < excerpts.n; i++) {
		const struct excerpt *x = &excerpts.at[i];

		json_begin_array(json_next_line(p->json), NULL);
		json_uint(p->json, NULL, x->file - 1);
		json_uint(p->json, NULL, x->line);
		json_string(p->json, NULL, arena_strndup(p->e->mem, x->at, x->size));
		json_end(p->json);
	}
	json_end(p->json);
}

/* Writes the function that was inlined on a line: its number or, if it has none, its name. */
static void webpage_write_inlined(const struct webpage *p, uint32_t inlined)
{
	if (p->e->wholes.by_symbol)
		json_uint(p->json, NULL, p->index[inlined]);
	else
		json_string(p->json, NULL, p->e->inlined[inlined]);
}

/*
 * Writes file, line, self and inclusive time of each line in the listed files or, if `inlined`,
 * file, line, function and both times of what was inlined there; sorted by file and line in the
 * order of the source texts.
 */
static void webpage_write_line_times(const struct webpage *p, const char *key, bool inlined)
{
	const struct line_wholes *lines = &p->e->wholes;
	uint32_t file = 1;

	json_begin_array(json_line(p->json), key);
	for (size_t i = 0; i < lines->n; i++) {
		const struct line_whole *line = &lines->at[i];

		if ((line->inlined != LINE_WHOLE_NONE) != inlined || line->whole == 0 ||
		    (inlined && lines->by_symbol && !p->e->name[line->inlined]))
			continue;
		while (file <= p->nfiles && strcmp(p->file_name[file], line->file) < 0)
			file++;
		if (file > p->nfiles || strcmp(p->file_name[file], line->file) != 0)
			continue;
		json_uint(p->json, NULL, file - 1);
		json_uint(p->json, NULL, line->line);
		if (inlined)
			webpage_write_inlined(p, line->inlined);
		json_uint(p->json, NULL, line->self);
		json_uint(p->json, NULL, line->whole);
	}
	json_end(p->json);
}

/*
 * For each function of the first screen: function, file, line and its share, caller or -1 and its
 * share.
 */
static void webpage_write_hot(const struct webpage *p)
{
	const struct top *top = p->e->top;

	json_begin_array(json_line(p->json), "hot");
	for (uint32_t i = 0; i < top->nrows; i++) {
		const struct top_row *row = &top->row[i];
		bool named = row->caller != SYM_NONE && p->e->name[row->caller];

		if (!p->e->name[row->function])
			continue;
		json_begin_array(json_line(p->json), NULL);
		json_uint(p->json, NULL, p->index[row->function]);
		json_string(p->json, NULL, row->line.file ? row->line.file : "");
		json_uint(p->json, NULL, row->line.line);
		json_format(p->json, NULL, "%.4f", row->line_share);
		json_format(p->json, NULL, "%d,%.4f", named ? (int)p->index[row->caller] : -1,
			    row->caller_share);
		json_end(p->json);
	}
	json_end(p->json);
}

static void webpage_write_top(const struct webpage *p)
{
	const struct top *top = p->e->top;

	if (top->written) {
		json_string(json_line(p->json), "written", top->written);
	}
	json_format(json_line(p->json), "level", "%.17g", top->level);
	json_format(p->json, "z", "%.17g", top->z);
	json_format(p->json, "perSample", "%.9g", top->per_sample);
	json_format(p->json, "shareError", "%.9g", top->error);
	json_begin_array(json_line(p->json), "wrong");
	for (size_t i = 0; i < top->nwrong; i++)
		json_string(json_next_line(p->json), NULL, top->wrong[i]);
	json_end(p->json);
	webpage_write_hot(p);
}

/* Writes the properties of the whole profile. */
static void webpage_write_totals(const struct webpage *p)
{
	const struct export_view *e = p->e;
	const struct profile *prof = e->a->profile;
	struct json *json = p->json;

	json_uint(json_line(json), "timed", e->integer_costs->timed);
	json_format(json, "perTick", "%.17g", e->integer_costs->per_tick);
	json_uint(json, "sampled", prof->has_hists);
	json_uint(json, "counted", e->integer_costs->has_calls);
	json_uint(json, "estimated", e->stacks->estimated);
	json_uint(json, "total", e->integer_costs->total);
	json_uint(json, "exact", e->integer_costs->exact);
	if (clock_is_attributed(&e->a->costs.origin.clock))
		json_string(json, "elapsed", clock_words(&e->a->costs.origin.clock));
	json_string(json, "counts", e->integer_costs->counted);
	json_uint(json, "allTime",
		  e->integer_costs->waiting ? e->stacks->total : e->integer_costs->total);
	if (e->integer_costs->waiting)
		json_uint(json, "totalWaiting", e->integer_costs->total_waiting);
	if (e->doubt)
		json_string(json, "doubt", e->doubt);
	json_uint(json, "ticks", e->integer_costs->nsamples);
	if (e->top->elapsed_s > 0.0)
		json_format(json, "took", "%.9g", e->top->elapsed_s);
	if (e->top->ending)
		json_string(json, "ending", e->top->ending);
}

static void webpage_write_data(const struct webpage *p)
{
	const struct export_view *e = p->e;
	const struct profile *prof = e->a->profile;

	json_begin_object(p->json, NULL);
	json_uint(p->json, "version", 1);
	json_string(json_line(p->json), "program", e->a->program->path);
	json_begin_array(json_line(p->json), "data");
	for (size_t i = 0; i < prof->files.n; i++)
		json_string(json_next_line(p->json), NULL, prof->files.at[i].name);
	json_end(p->json);
	webpage_write_totals(p);
	webpage_write_top(p);
	webpage_write_functions(p);
	if (e->a->objects.n > 1)
		webpage_write_objects(p);
	webpage_write_arcs(p);
	webpage_write_cycles(p);
	webpage_write_stacks(p);
	if (!e->stacks->estimated)
		webpage_write_measured(p);
	webpage_write_sources(p);
	webpage_write_line_times(p, "lineTimes", false);
	webpage_write_line_times(p, "lineInlined", true);
	webcode_write(e, p->index, p->json);
	if (e->ranks)
		rankmap_write(e, p->index, p->json);
	if (e->blame && e->blame->nrows > 0)
		webblame_write(e, p->index, p->json);
	json_end(p->json);
	output_char(p->json->out, '\n');
}

static void webpage_write(const struct export_view *e, struct output *out)
{
	uint32_t nsyms = e->a->graph.nnodes;
	struct json json = { .out = out };
	struct webpage p = {
		.e = e,
		.json = &json,
		.index = arena_array(e->mem, uint32_t, nsyms),
		.file = arena_array(e->mem, uint32_t, nsyms),
		.file_name =
			arena_array(e->mem, const char *, (size_t)e->integer_costs->nlisted + 1),
	};
	const char *const *template = template_webpage;

	if (e->difference) {
		diffpage_write(e, out);
		return;
	}
	p.nfiles = export_number_files(e, "", p.file);
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		sym_id s = e->integer_costs->listed[i];

		p.index[s] = i;
		p.file_name[p.file[s]] = e->locations[s].file ? e->locations[s].file : "";
	}
	template_write(&template, out);
	quote_xml(out, e->title);
	template_write(&template, out);
	webplain_write(e, out);
	template_write(&template, out);
	webpage_write_data(&p);
	template_write(&template, out);
}

static bool webpage_wants_lines(const struct export_request *request)
{
	return request->value[EXPORT_SOURCE].count == EXPORT_YES;
}

static enum export_ranks webpage_ranks(const struct export_request *request)
{
	(void)request;
	return EXPORT_RANKS_IF_SEVERAL;
}

const struct exporter export_webpage = {
	.compares = true,
	.by_time = true,
	.wants_lines = webpage_wants_lines,
	.ranks = webpage_ranks,
	.write = webpage_write,
};
