/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page for browsers with everything in it: web/page.html and what it includes, with the data in
 * its middle, as JSON that web/data.js reads. Functions are numbered as in
 * e->integer_costs->listed; each property of them is an array. Numbers are written in full, though
 * a browser keeps 53 bits of each. Linear in functions and arcs but for sorting, and in paths.
 */
#include "config.h"

#include "export/diffpage.h"
#include "export/excerpts.h"
#include "export/frames.h"
#include "export/rankmap.h"
#include "export/template.h"
#include "export/view.h"

#include "base/quote.h"
#include "base/radix.h"

#include <inttypes.h>
#include <string.h>

enum { DEPTH, PATHS, SOURCE, NKEYS };

static const struct export_key keys[NKEYS] = {
	EXPORT_STACK_KEYS,
	[SOURCE] = { .name = "source",
		     .kind = EXPORT_CHOICE,
		     .choices = export_yes_no,
		     .initial = "yes" },
};

/* The flame graph shows no frame under 1/SMALLEST_PART of the whole; the source text has at most
 * SOURCE_BYTES. */
enum { SMALLEST_PART = 4000, SOURCE_BYTES = 400 * 1000 };

/* Recorded paths are all in the page, unless they have more nodes; then threads have none. So many
 * threads at most are by themselves, and their nodes together are no more either. */
enum { MOST_NODES = 50 * 1000, MOST_THREADS = 32 };

/* In place of functions in the stacks. */
enum { NAME_REST = -1, NAME_SMALL = -2, NAME_CYCLE = -10 /* less its number */ };

struct webpage {
	const struct export_view *e;
	struct output *out;
	uint32_t *index; /* in e->integer_costs->listed, of each listed symbol */
	uint32_t *file;  /* its file's number, from 1 */
	uint32_t nfiles;
	const char **file_name; /* by number; "" where it is unknown */
};

static uint64_t webpage_self(const struct webpage *p, sym_id s)
{
	return p->e->integer_costs->self[s];
}

static uint64_t webpage_samples(const struct webpage *p, sym_id s)
{
	return p->e->integer_costs->samples[s];
}

/* What callees bring. */
static uint64_t webpage_below(const struct webpage *p, sym_id s)
{
	return p->e->integer_costs->inclusive[s] - p->e->integer_costs->self[s];
}

static bool webpage_has_all_paths(const struct webpage *p)
{
	return p->e->trees && p->e->stacks->n <= MOST_NODES;
}

static uint64_t webpage_outer_calls(const struct webpage *p, sym_id s)
{
	return p->e->a->calls.outer[s];
}

static uint64_t webpage_self_calls(const struct webpage *p, sym_id s)
{
	return p->e->a->calls.self[s];
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

/* Begins an array that is the value of a key. */
static void webpage_begin_array(const struct webpage *p, const char *key)
{
	output_text(p->out, ",\n\"");
	output_text(p->out, key);
	output_text(p->out, "\":[");
}

static void webpage_write_next(const struct webpage *p, bool first, uint64_t n)
{
	if (!first)
		output_char(p->out, ',');
	output_uint(p->out, n, 0);
}

static void webpage_write_column(const struct webpage *p, const char *key,
				 uint64_t value(const struct webpage *p, sym_id s))
{
	webpage_begin_array(p, key);
	for (uint32_t i = 0; i < p->e->integer_costs->nlisted; i++)
		webpage_write_next(p, i == 0, value(p, p->e->integer_costs->listed[i]));
	output_char(p->out, ']');
}

static uint64_t webpage_low(const struct webpage *p, sym_id s)
{
	return export_self_range(p->e, s).low;
}

static uint64_t webpage_high(const struct webpage *p, sym_id s)
{
	return export_self_range(p->e, s).high;
}

static void webpage_write_string(const struct webpage *p, bool first, const char *text)
{
	output_text(p->out, first ? "" : ",\n");
	quote_json(p->out, text);
}

static uint64_t webpage_waiting(const struct webpage *p, sym_id s)
{
	return p->e->integer_costs->waiting[s];
}

/* How many ASCII characters at its start a name shares with that of the function before. */
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

static void webpage_write_functions(const struct webpage *p)
{
	webpage_write_column(p, "shared", webpage_shared);
	webpage_begin_array(p, "name");
	for (uint32_t i = 0; i < p->e->integer_costs->nlisted; i++) {
		sym_id s = p->e->integer_costs->listed[i];

		webpage_write_string(p, i == 0, p->e->unique[s] + webpage_shared(p, s));
	}
	output_char(p->out, ']');
	webpage_write_column(p, "self", webpage_self);
	if (p->e->a->confidence.level > 0.0) {
		webpage_write_column(p, "low", webpage_low);
		webpage_write_column(p, "high", webpage_high);
	}
	webpage_write_column(p, "samples", webpage_samples);
	webpage_write_column(p, "below", webpage_below);
	if (p->e->integer_costs->waiting)
		webpage_write_column(p, "waiting", webpage_waiting);
	webpage_write_column(p, "outer", webpage_outer_calls);
	webpage_write_column(p, "recursive", webpage_self_calls);
	webpage_write_column(p, "line", webpage_line);
	webpage_write_column(p, "file", webpage_file);
	webpage_begin_array(p, "files");
	for (uint32_t i = 1; i <= p->nfiles; i++)
		webpage_write_string(p, i == 1, p->file_name[i]);
	output_char(p->out, ']');
}

/* The names of program and libraries, and which of these each function is in. */
static void webpage_write_objects(const struct webpage *p)
{
	const struct object_rows *objects = &p->e->a->objects;

	webpage_write_column(p, "object", webpage_object);
	webpage_begin_array(p, "objects");
	for (uint32_t i = 0; i < objects->n; i++)
		webpage_write_string(p, i == 0, objects->at[i].name);
	output_char(p->out, ']');
}

/* The arcs out of the first function, then those of the second ... From call stacks, `time` is for
 * the caller's callees and `up` for the callee's callers. */
static void webpage_write_arcs(const struct webpage *p)
{
	static const char *const key[] = { "to", "calls", "time", "up" };
	const struct graph *g = &p->e->a->graph;

	webpage_write_column(p, "arcs", webpage_arcs_out);
	for (unsigned k = 0; k < (p->e->trees ? 4 : 3); k++) {
		bool first = true;

		webpage_begin_array(p, key[k]);
		for (uint32_t i = 0; i < g->narcs; i++) {
			const struct arc *arc = &g->arc[i];
			const uint64_t value[] = { p->index[arc->to], arc->ncalls,
						   p->e->integer_costs->arc[i],
						   p->e->integer_costs->up[i] };

			if (!export_has_arc(p->e, i))
				continue;
			webpage_write_next(p, first, value[k]);
			first = false;
		}
		output_char(p->out, ']');
	}
}

/* Self time, that of callees outside, calls from outside and among the members. */
static void webpage_write_cycles(const struct webpage *p)
{
	const struct analysis *a = p->e->a;

	webpage_write_column(p, "cycle", webpage_cycle);
	webpage_begin_array(p, "cycles");
	for (uint32_t c = 0; c < a->cycles.ncycles; c++) {
		uint32_t node = a->graph.nnodes + c;
		uint64_t self = export_self(p->e, node);

		output_text(p->out, c == 0 ? "[" : ",[");
		webpage_write_next(p, true, self);
		webpage_write_next(p, false, p->e->integer_costs->inclusive[node] - self);
		webpage_write_next(p, false, a->calls.outer[node]);
		webpage_write_next(p, false, a->calls.self[node]);
		output_char(p->out, ']');
	}
	output_char(p->out, ']');
}

/* Five numbers a frame: function, depth, total, self time, paths that it stands for. */
static void webpage_write_stacks(const struct webpage *p)
{
	const struct stacks *stacks = p->e->stacks;
	uint64_t least = webpage_has_all_paths(p) ? 1 : stacks->total / SMALLEST_PART;
	struct frames frames = frames_make(stacks, least ? least : 1, p->e->mem);

	webpage_begin_array(p, "frames");
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
		output_format(p->out, i == 0 ? "%d" : ",%d", function);
		webpage_write_next(p, false, frame->depth);
		webpage_write_next(p, false, frame->total);
		webpage_write_next(p, false, frame->self);
		webpage_write_next(p, false, frame->count);
	}
	output_char(p->out, ']');
	if (!p->e->integer_costs->waiting)
		return;
	webpage_begin_array(p, "frameWaits");
	for (uint32_t i = 0; i < frames.n; i++)
		webpage_write_next(p, i == 0, frames.frame[i].own_waiting);
	output_char(p->out, ']');
}

/* Three numbers a node: function, depth, ticks at its end; with waiting, how long it waited there.
 */
static void webpage_write_thread(const struct webpage *p, const struct thread_trees *of)
{
	const struct recorded_thread *thread = &p->e->trees->recorded->threads.at[of->thread];
	bool first = true;

	output_text(p->out, "{\"name\":");
	quote_json(p->out, thread->name);
	output_format(p->out, ",\"tid\":%u,\"ticks\":", thread->tid);
	output_uint(p->out, of->functions.samples, 0);
	if (p->e->integer_costs->waiting) {
		output_text(p->out, ",\"waits\":");
		output_uint(p->out, of->functions.waiting, 0);
	}
	output_text(p->out, ",\"nodes\":[");
	for (uint32_t i = 0; i < of->functions.n; i++) {
		const struct stack_node *node = &of->functions.node[i];

		if (node->total == 0)
			continue;
		webpage_write_next(p, first, p->index[node->function]);
		webpage_write_next(p, false, node->depth);
		webpage_write_next(p, false, node->samples);
		if (p->e->integer_costs->waiting)
			webpage_write_next(p, false, node->waiting);
		first = false;
	}
	output_text(p->out, "]}");
}

/* The heaviest by themselves. What the others have is what these leave of all. */
static void webpage_write_threads(const struct webpage *p)
{
	const struct call_trees *trees = p->e->trees;
	uint32_t n = trees->nthreads, written = 0, nnodes = 0;
	struct keyed *order = arena_array(p->e->mem, struct keyed, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ UINT64_MAX - trees->thread[i].functions.total, i };
	sort_keyed(order, n, p->e->mem);
	webpage_begin_array(p, "threads");
	for (; n > 1 && webpage_has_all_paths(p) && written < n && written < MOST_THREADS;
	     written++) {
		const struct thread_trees *of = &trees->thread[order[written].id];

		nnodes += of->functions.n;
		if (nnodes > MOST_NODES)
			break;
		output_text(p->out, written == 0 ? "\n" : ",\n");
		webpage_write_thread(p, of);
	}
	output_format(p->out, "],\n\"nthreads\":%u", n);
}

/* How good the stacks are, and those of each thread. */
static void webpage_write_measured(const struct webpage *p)
{
	const struct call_stacks *stacks = p->e->a->stacks;

	webpage_begin_array(p, "quality");
	for (int q = 0; q < STACK_QUALITIES; q++)
		webpage_write_next(p, q == 0, stacks->quality[q]);
	output_char(p->out, ']');
	if (stacks->threads) {
		output_text(p->out, ",\n\"ofThreads\":");
		quote_json(p->out, stacks->threads);
	}
	webpage_write_threads(p);
}

static void webpage_write_sources(const struct webpage *p)
{
	struct excerpts excerpts = excerpts_make(p->e, p->file, SOURCE_BYTES);

	webpage_begin_array(p, "source");
	for (size_t i = 0; i < excerpts.n; i++) {
		const struct excerpt *x = &excerpts.at[i];

		output_format(p->out, "%s[%u,%u,", i == 0 ? "" : ",\n", x->file - 1, x->line);
		quote_json(p->out, arena_strndup(p->e->mem, x->at, x->size));
		output_char(p->out, ']');
	}
	output_char(p->out, ']');
}

/* File, line and time of the lines in files that are listed; both are in the order of their bytes.
 */
static void webpage_write_line_times(const struct webpage *p)
{
	const struct line_sums *lines = &p->e->lines;
	uint32_t file = 1;
	bool first = true;

	webpage_begin_array(p, "lineTimes");
	for (size_t i = 0; i < lines->n; i++) {
		const struct line_sum *t = &lines->at[i];

		while (file <= p->nfiles && strcmp(p->file_name[file], t->file) < 0)
			file++;
		if (file > p->nfiles || strcmp(p->file_name[file], t->file) != 0)
			continue;
		webpage_write_next(p, first, file - 1);
		webpage_write_next(p, false, t->line);
		webpage_write_next(p, false, t->self);
		first = false;
	}
	output_char(p->out, ']');
}

/* Function, file, line and its share, caller or -1 and its share, of those on the first screen. */
static void webpage_write_hot(const struct webpage *p)
{
	const struct top *top = p->e->top;
	bool first = true;

	webpage_begin_array(p, "hot");
	for (uint32_t i = 0; i < top->nrows; i++) {
		const struct top_row *row = &top->row[i];
		bool named = row->caller != SYM_NONE && p->e->name[row->caller];

		if (!p->e->name[row->function])
			continue;
		output_format(p->out, first ? "\n[%u," : ",\n[%u,", p->index[row->function]);
		quote_json(p->out, row->line.file ? row->line.file : "");
		output_format(p->out, ",%u,%.4f,%d,%.4f]", row->line.line, row->line_share,
			      named ? (int)p->index[row->caller] : -1, row->caller_share);
		first = false;
	}
	output_char(p->out, ']');
}

static void webpage_write_top(const struct webpage *p)
{
	const struct top *top = p->e->top;

	if (top->written) {
		output_text(p->out, ",\n\"written\":");
		quote_json(p->out, top->written);
	}
	output_format(p->out,
		      ",\n\"level\":%.17g,\"z\":%.17g,\"perSample\":%.9g,\"shareError\":%.9g",
		      top->level, top->z, top->per_sample, top->error);
	webpage_begin_array(p, "wrong");
	for (size_t i = 0; i < top->nwrong; i++)
		webpage_write_string(p, i == 0, top->wrong[i]);
	output_char(p->out, ']');
	webpage_write_hot(p);
}

static void webpage_write_data(const struct webpage *p)
{
	const struct export_view *e = p->e;
	const struct profile *prof = e->a->profile;

	output_text(p->out, "{\"version\":1,\n\"program\":");
	quote_json(p->out, e->a->program->path);
	webpage_begin_array(p, "data");
	for (size_t i = 0; i < prof->files.n; i++)
		webpage_write_string(p, i == 0, prof->files.at[i].name);
	output_format(p->out,
		      "],\n\"timed\":%d,\"perTick\":%.17g,\"sampled\":%d,\"counted\":%d,"
		      "\"estimated\":%d,\"total\":",
		      e->integer_costs->timed, e->integer_costs->per_tick, prof->has_hists,
		      e->integer_costs->has_calls, e->stacks->estimated);
	output_uint(p->out, e->integer_costs->total, 0);
	output_format(p->out, ",\"exact\":%d,\"counts\":", e->integer_costs->exact);
	quote_json(p->out, e->integer_costs->counted);
	output_text(p->out, ",\"allTime\":");
	output_uint(p->out, e->integer_costs->waiting ? e->stacks->total : e->integer_costs->total,
		    0);
	if (e->integer_costs->waiting) {
		output_text(p->out, ",\"totalWaiting\":");
		output_uint(p->out, e->integer_costs->total_waiting, 0);
	}
	if (e->doubt) {
		output_text(p->out, ",\"doubt\":");
		quote_json(p->out, e->doubt);
	}
	output_text(p->out, ",\"ticks\":");
	output_uint(p->out, e->integer_costs->nsamples, 0);
	webpage_write_top(p);
	webpage_write_functions(p);
	if (e->a->objects.n > 1)
		webpage_write_objects(p);
	webpage_write_arcs(p);
	webpage_write_cycles(p);
	webpage_write_stacks(p);
	if (e->trees)
		webpage_write_measured(p);
	webpage_write_sources(p);
	webpage_write_line_times(p);
	if (e->ranks) {
		output_text(p->out, ",\n\"ranks\":");
		rankmap_write(e, p->index, p->out);
	}
	output_text(p->out, "}\n");
}

static void webpage_write(const struct export_view *e, struct output *out)
{
	uint32_t nsyms = e->a->graph.nnodes;
	struct webpage p = {
		.e = e,
		.out = out,
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
	webpage_write_data(&p);
	template_write(&template, out);
}

static bool webpage_wants_places(const struct export_request *request)
{
	return request->value[SOURCE].count == EXPORT_YES;
}

static enum export_ranks webpage_ranks(const struct export_request *request)
{
	(void)request;
	return EXPORT_RANKS_IF_SEVERAL;
}

const struct exporter export_webpage = {
	.keys = keys,
	.nkeys = NKEYS,
	.compares = true,
	.wants_places = webpage_wants_places,
	.ranks = webpage_ranks,
	.write = webpage_write,
};
