/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call graph as Graphviz input. A node is a function or, unless cycles=show, a cycle in place
 * of its members; an edge is all calls between two nodes. Nodes and edges below the thresholds of
 * the keys are omitted. Linear in functions and arcs.
 */
#include "config.h"

#include "export/export_view.h"

#include "base/nearest.h"
#include "base/quote.h"
#include "base/radix.h"
#include "export/dot_text.h"

#include <stdio.h>
#include <string.h>

/* The values of the key `cycles`. */
enum { COLLAPSE, SHOW };

enum { NOT_REACHED = UINT32_MAX };

struct dot_edge {
	uint32_t from, to; /* nodes, numbered as in analysis.h */
	uint64_t ncalls, time;
};

struct dot {
	const struct export_view *e;
	struct output *out;
	bool collapse;
	bool timed; /* any node has time */
	uint32_t nnodes;
	const struct dot_edge *edge; /* sorted by caller, then callee */
	const uint32_t *out_edge;    /* edges out of n: edge[out_edge[n]] up to, but not including,
					edge[out_edge[n + 1]] */
	uint32_t nedges;
	double whole;       /* the value of 100 %: total time, or total calls if there is no time */
	double *share;      /* share of each node including its callees, 0 to 1 */
	uint32_t *distance; /* number of calls from the first nodes drawn, or NOT_REACHED */
	/*
	 * Sets shares for data without time: a node's share of all calls, counting those that it
	 * makes or those that it receives, whichever are more.
	 */
	uint32_t *number;
};

static uint32_t dot_node(const struct dot *d, sym_id s)
{
	return d->collapse ? analysis_whole(d->e->a, s) : s;
}

static bool dot_is_cycle(const struct dot *d, uint32_t n)
{
	return n >= d->e->a->graph.nnodes;
}

/* Returns the ids of the arcs that become edges, sorted by key, which is the pair of nodes. */
static const struct keyed *dot_sort_arcs(const struct dot *d, size_t *n)
{
	const struct graph *g = &d->e->a->graph;
	struct keyed *arcs = arena_array(d->e->mem, struct keyed, g->narcs);

	*n = 0;
	for (uint32_t i = 0; i < g->narcs; i++) {
		uint64_t from = dot_node(d, g->arc[i].from);
		uint32_t to = dot_node(d, g->arc[i].to);

		if (from != to && export_has_arc(d->e, i))
			arcs[(*n)++] = (struct keyed){ from << 32 | to, i };
	}
	radix_sort_keyed(arcs, *n, d->e->mem);
	return arcs;
}

static uint64_t dot_sum(uint64_t x, uint64_t y)
{
	return x < UINT64_MAX - y ? x + y : UINT64_MAX;
}

static void dot_make_edges(struct dot *d)
{
	const struct export_view *e = d->e;
	size_t n;
	const struct keyed *arcs = dot_sort_arcs(d, &n);
	struct dot_edge *edges = arena_array(e->mem, struct dot_edge, n);
	uint32_t *start = arena_array(e->mem, uint32_t, (size_t)d->nnodes + 1);

	for (size_t i = 0; i < n; i++) {
		struct dot_edge *edge;

		if (i == 0 || arcs[i].key != arcs[i - 1].key) {
			edge = &edges[d->nedges++];
			edge->from = (uint32_t)(arcs[i].key >> 32);
			edge->to = (uint32_t)arcs[i].key;
			start[edge->from + 1]++;
		}
		edge = &edges[d->nedges - 1];
		edge->ncalls = dot_sum(edge->ncalls, e->a->graph.arc[arcs[i].id].ncalls);
		edge->time = dot_sum(edge->time, e->integer_costs->arc[arcs[i].id]);
	}
	for (uint32_t i = 0; i < d->nnodes; i++)
		start[i + 1] += start[i];
	d->edge = edges;
	d->out_edge = start;
}

/*
 * Without time, a node's share is its share of all calls: those it makes or those it receives,
 * whichever is more.
 */
static void dot_share_calls(struct dot *d)
{
	double *in = arena_array(d->e->mem, double, d->nnodes);

	for (uint32_t i = 0; i < d->nedges; i++) {
		double ncalls = (double)d->edge[i].ncalls;

		d->whole += ncalls;
		d->share[d->edge[i].from] += ncalls;
		in[d->edge[i].to] += ncalls;
	}
	for (uint32_t n = 0; n < d->nnodes; n++) {
		if (d->share[n] < in[n])
			d->share[n] = in[n];
		if (d->whole > 0.0)
			d->share[n] /= d->whole;
	}
}

static void dot_make_shares(struct dot *d)
{
	d->share = arena_array(d->e->mem, double, d->nnodes);
	d->whole = (double)d->e->integer_costs->total;
	if (!d->timed) {
		dot_share_calls(d);
		return;
	}
	for (uint32_t n = 0; n < d->nnodes; n++)
		d->share[n] = (double)d->e->integer_costs->inclusive[n] / d->whole;
}

static double dot_edge_share(const struct dot *d, const struct dot_edge *edge)
{
	double part = (double)(d->timed ? edge->time : edge->ncalls);

	return d->whole > 0.0 ? part / d->whole : 0.0;
}

static bool dot_is_root(const struct dot *d, sym_id s)
{
	const char *root = d->e->request->value[EXPORT_ROOT].text;

	return strcmp(root, d->e->name[s]) == 0 || strcmp(root, d->e->unique[s]) == 0 ||
	       strcmp(root, d->e->a->program->symtab.sym[s].name) == 0;
}

/* Returns the functions and cycles that are called by others; a call to a member counts as a call
 * to its cycle. */
static struct bitset dot_find_called(const struct dot *d)
{
	struct bitset called = bitset_empty(d->e->mem, d->nnodes);

	for (uint32_t i = 0; i < d->nedges; i++) {
		const struct dot_edge *edge = &d->edge[i];

		if (!analysis_is_inside(d->e->a, edge->from, edge->to))
			bitset_add(called, analysis_whole(d->e->a, edge->to));
	}
	return called;
}

/* Reports that no function has the requested name, and suggests similar names. */
static void dot_report_no_root(const struct dot *d)
{
	const char *root = d->e->request->value[EXPORT_ROOT].text;
	struct nearest_search search = nearest_begin(root, d->e->mem);

	for (uint32_t i = 0; i < d->e->integer_costs->nlisted; i++)
		nearest_offer(&search, d->e->name[d->e->integer_costs->listed[i]]);
	diag_warn(d->out->diag, "--export=dot: no function '%s' was called or sampled%s", root,
		  nearest_question(&search.found, "", d->e->mem));
}

/*
 * Queues the nodes from which drawing begins: the root or, without one, the nodes that nobody
 * calls. Returns their number.
 */
static uint32_t dot_begin(struct dot *d, uint32_t *queue)
{
	const struct export_view *e = d->e;
	bool rooted = e->request->value[EXPORT_ROOT].given;
	struct bitset called = dot_find_called(d);
	uint32_t n = 0;

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		sym_id s = e->integer_costs->listed[i];
		uint32_t node = dot_node(d, s);

		if (rooted ? !dot_is_root(d, s) : bitset_has(called, analysis_whole(e->a, s)))
			continue;
		if (d->distance[node] == 0)
			continue;
		d->distance[node] = 0;
		queue[n++] = node;
	}
	if (rooted && n == 0)
		dot_report_no_root(d);
	return n;
}

/* Whether only reachable nodes are drawn. */
static bool dot_is_limited(const struct dot *d)
{
	return d->e->request->value[EXPORT_ROOT].given ||
	       d->e->request->value[EXPORT_DOT_DEPTH].given;
}

static void dot_measure_distances(struct dot *d)
{
	const struct keys_value *depth = &d->e->request->value[EXPORT_DOT_DEPTH];
	uint32_t most = depth->given ? (uint32_t)depth->count : NOT_REACHED - 1;
	uint32_t *queue = arena_array(d->e->mem, uint32_t, d->nnodes);
	uint32_t n;

	d->distance = arena_array(d->e->mem, uint32_t, d->nnodes);
	if (!dot_is_limited(d))
		return;
	memset(d->distance, 0xff, d->nnodes * sizeof(*d->distance));
	n = dot_begin(d, queue);
	for (uint32_t at = 0; at < n; at++) {
		uint32_t from = queue[at];

		for (uint32_t i = d->out_edge[from];
		     d->distance[from] < most && i < d->out_edge[from + 1]; i++) {
			uint32_t to = d->edge[i].to;

			if (d->distance[to] == NOT_REACHED) {
				d->distance[to] = d->distance[from] + 1;
				queue[n++] = to;
			}
		}
	}
}

/* Numbers the nodes that are drawn, in the order of the listed functions. */
static void dot_number_drawn(struct dot *d, struct bitset drawn, uint32_t *nshown)
{
	for (uint32_t i = 0; i < d->e->integer_costs->nlisted; i++) {
		uint32_t n = dot_node(d, d->e->integer_costs->listed[i]);

		if (bitset_has(drawn, n) && d->number[n] == 0)
			d->number[n] = ++*nshown;
	}
}

/* Chooses the nodes with the key `node` or more of the time, at most `nodes` of them. */
static void dot_number_nodes(struct dot *d, uint32_t *nshown, uint32_t *nall)
{
	const struct export_view *e = d->e;
	struct keyed *order = arena_array(e->mem, struct keyed, e->integer_costs->nlisted);
	struct bitset seen = bitset_empty(e->mem, d->nnodes), drawn;
	uint32_t ndrawn = 0;

	d->number = arena_array(e->mem, uint32_t, d->nnodes);
	*nshown = *nall = 0;
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		uint32_t n = dot_node(d, e->integer_costs->listed[i]);

		if (bitset_has(seen, n))
			continue;
		bitset_add(seen, n);
		++*nall;
		if (d->distance[n] != NOT_REACHED &&
		    d->share[n] * 100.0 >= e->request->value[EXPORT_NODE].share)
			order[ndrawn++] = (struct keyed){ radix_key_descending(d->share[n]), n };
	}
	radix_sort_keyed(order, ndrawn, e->mem);
	drawn = bitset_empty(e->mem, d->nnodes);
	for (uint32_t i = 0; i < ndrawn && i < e->request->value[EXPORT_NODES].count; i++)
		bitset_add(drawn, order[i].id);
	dot_number_drawn(d, drawn, nshown);
}

/* Writes a time and its share. */
static void dot_write_time(const struct dot *d, const char *what, double time)
{
	output_text(d->out, what);
	dot_percent(d->out, d->whole > 0.0 ? time / d->whole : 0.0);
	output_text(d->out, " (");
	dot_time(d->out, d->e, time);
	output_char(d->out, ')');
}

static void dot_write_calls(const struct dot *d, uint32_t n)
{
	const struct calls *calls = &d->e->a->costs.calls;

	if (calls->outer[n] > 0 && costs_may_have_more(calls, n))
		output_text(d->out, ">=");
	output_uint(d->out, calls->outer[n], 0);
	if (calls->self[n] != 0) {
		output_char(d->out, '+');
		output_uint(d->out, calls->self[n], 0);
	}
	output_text(d->out, calls->outer[n] == 1 && calls->self[n] == 0 ? " call" : " calls");
}

/* Writes some listed members of cycle n, one per line; a tooltip has the whole names. */
static void dot_write_members(const struct dot *d, uint32_t n, bool whole)
{
	enum { FEW = 4, MANY = 30 };
	const struct cycles *cycles = &d->e->a->cycles;
	uint32_t cycle = n - d->e->a->graph.nnodes + 1;
	uint32_t first = cycles->start[cycle - 1], end = cycles->start[cycle];
	uint32_t most = whole ? MANY : FEW, count = 0, shown = 0;
	uint64_t begin = d->out->total;
	size_t left;

	for (uint32_t i = first; i < end; i++)
		count += d->e->name[cycles->member[i]] != NULL;
	if (count == most + 1)
		most++;
	output_format(d->out, "cycle %u of %u functions", cycle, end - first);
	for (uint32_t i = first; i < end && shown < most; i++) {
		if (!d->e->name[cycles->member[i]])
			continue;
		output_text(d->out, "\\n");
		/* The bytes that short names do not use are available to the others. */
		left = DOT_STRING_BYTES - (size_t)(d->out->total - begin);
		dot_name(d->out, d->e, cycles->member[i], whole ? left / (2 * (most - shown)) : 0);
		shown++;
	}
	if (count > shown)
		output_format(d->out, "\\nand %u more", count - shown);
}

/* Writes the label of a node or, with whole names, its tooltip. */
static void dot_write_node_text(const struct dot *d, uint32_t n, bool whole)
{
	const struct analysis *a = d->e->a;

	if (dot_is_cycle(d, n)) {
		dot_write_members(d, n, whole);
	} else {
		dot_name(d->out, d->e, n, whole ? DOT_STRING_BYTES - 2 * DOT_PLACE_BYTES : 0);
		if (a->cycles.of_node[n] != 0)
			output_format(d->out, "\\n<cycle %u>", a->cycles.of_node[n]);
		if (whole && d->e->locations[n].file) {
			output_text(d->out, "\\n");
			dot_quote_cut(d->out, d->e->locations[n].file, DOT_PLACE_BYTES, d->e->mem);
			output_format(d->out, ":%u", d->e->locations[n].line);
		}
	}
	if (d->timed) {
		dot_write_time(d, "\\nself ", (double)export_self(d->e, n));
		dot_write_time(d, "\\ntotal ", (double)d->e->integer_costs->inclusive[n]);
	}
	if (a->costs.calls.outer[n] != 0 || a->costs.calls.self[n] != 0) {
		output_text(d->out, "\\n");
		dot_write_calls(d, n);
	}
}

static void dot_write_node(const struct dot *d, uint32_t n)
{
	double self = d->timed ? (double)export_self(d->e, n) / d->whole : 0.0;

	output_format(d->out, "n%u [label=\"", d->number[n]);
	dot_write_node_text(d, n, false);
	output_text(d->out, "\", tooltip=\"");
	dot_write_node_text(d, n, true);
	output_text(d->out, dot_is_cycle(d, n) ? "\", peripheries=2" : "\"");
	dot_heat(d->out, self, d->share[n]);
	output_text(d->out, "];\n");
}

/* Writes an edge. Calls within a cycle are drawn however little time they have. */
static void dot_write_edge(const struct dot *d, const struct dot_edge *edge)
{
	const struct export_view *e = d->e;
	bool inside = analysis_is_inside(e->a, edge->from, edge->to);
	double share = dot_edge_share(d, edge);

	if (!inside && share * 100.0 < e->request->value[EXPORT_EDGE].share)
		return;
	output_format(d->out, "n%u -> n%u [label=\" ", d->number[edge->from], d->number[edge->to]);
	if (d->timed && (!inside || edge->time > 0)) {
		dot_percent(d->out, share);
		output_text(d->out, "\\l ");
		dot_time(d->out, e, (double)edge->time);
		output_text(d->out, "\\l ");
	}
	output_uint(d->out, edge->ncalls, 0);
	output_text(d->out,
		    "\xc3\x97\\l\", tooltip=\""); /* Returns the offset in bytes of character n. */
	dot_end_name(d->out, e, edge->from);
	output_text(d->out, " -> ");
	dot_end_name(d->out, e, edge->to);
	output_text(d->out, "\", labeltooltip=\"");
	dot_end_name(d->out, e, edge->from);
	output_text(d->out, " -> ");
	dot_end_name(d->out, e, edge->to);
	output_text(d->out, inside ? "\", style=dashed" : "\"");
	dot_edge_heat(d->out, share);
	output_text(d->out, "];\n");
}

static void dot_write_head(const struct dot *d, uint32_t nshown, uint32_t nall)
{
	const struct export_view *e = d->e;

	output_text(d->out, "digraph gprof {\n"
			    "graph [fontname=\"Helvetica,Arial,sans-serif\", fontsize=11, "
			    "labelloc=t, labeljust=l, ranksep=0.4, nodesep=0.25, label=\"");
	dot_quote_cut(d->out, e->title, DOT_STRING_BYTES, e->mem);
	if (d->timed) {
		output_text(d->out, ": ");
		dot_time(d->out, e, d->whole);
		output_text(d->out, d->e->a->costs.origin.measured
					    ? "; from call stacks"
					    : "; that of calls is estimated from their counts");
	}
	output_text(d->out, "\\l");
	if (e->doubt) {
		quote_dot(d->out, e->doubt);
		output_text(d->out, "\\l");
	}
	if (d->timed)
		output_text(d->out, "self: own time (colour); total: with callees (border)\\l");
	if (nshown < nall && nshown == e->request->value[EXPORT_NODES].count)
		output_format(d->out, "%u of %u nodes, with most of the %s: nodes=%u\\l", nshown,
			      nall, d->timed ? "time" : "calls", nshown);
	else if (nshown < nall)
		output_format(d->out, "%u of %u nodes; the others have under %g %% of the %s%s\\l",
			      nshown, nall, e->request->value[EXPORT_NODE].share,
			      d->timed ? "time" : "calls",
			      dot_is_limited(d) ? " or are not reached" : "");
	output_text(d->out, "\"];\nnode [shape=box, style=\"filled,rounded\", "
			    "fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, "
			    "margin=\"0.12,0.06\", height=0.3];\n"
			    "edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=9, "
			    "arrowsize=0.7];\n");
}

static void dot_write(const struct export_view *e, struct output *out)
{
	struct dot d = {
		.e = e,
		.out = out,
		.timed = e->integer_costs->total > 0,
		.collapse = e->request->value[EXPORT_CYCLES].count == COLLAPSE,
		.nnodes = analysis_nnodes(e->a),
	};
	uint32_t nshown, nall, last = 0;

	dot_make_edges(&d);
	dot_make_shares(&d);
	dot_measure_distances(&d);
	dot_number_nodes(&d, &nshown, &nall);
	dot_write_head(&d, nshown, nall);
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		uint32_t n = dot_node(&d, e->integer_costs->listed[i]);

		if (d.number[n] > last) {
			dot_write_node(&d, n);
			last = d.number[n];
		}
	}
	for (uint32_t i = 0; i < d.nedges; i++) {
		if (d.number[d.edge[i].from] != 0 && d.number[d.edge[i].to] != 0)
			dot_write_edge(&d, &d.edge[i]);
	}
	output_text(out, "}\n");
}

const struct exporter export_dot = {
	.write = dot_write,
};
