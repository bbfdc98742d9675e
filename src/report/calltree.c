/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of call paths with their time, from call stacks. */
#include "config.h"

#include "report/intervals.h"
#include "report/labels.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct explanation calltree_explanation = {
	"How to read the call tree\n",
	"\n"
	" % time       share of all samples with this path at the outer ends of their call stacks\n"
	" inclusive    time on the path and below it\n"
	" self         time in the function at its end\n"
	" name         the function; those below it, to its right, are what it called\n",
	"Functions that called only one other, and have no time of their own, stand on one line\n"
	"with that: a > b. Paths with little time are left out, and counted; -z shows them.\n",
	INTERVALS_COLUMNS INTERVALS_MEANING "Callers that broken stacks lack are not in it.\n",
};

static const struct explanation calltree_waiting = {
	"How to read the call tree\n",
	"\n"
	" % time       share of all time, on the CPU and waiting, with this path at the outer ends of\n"
	"              the call stacks\n"
	" inclusive    time on the CPU on the path and below it\n"
	" self         time on the CPU in the function at its end\n"
	" waiting      time that threads were blocked on the path and below it\n"
	" name         the function, or the system call in which a thread waited; those below it, to\n"
	"              its right, are what it called\n",
	"Functions that called only one other, and have no time of their own, stand on one line\n"
	"with that: a > b. Paths with little time are left out, and counted; -z shows them.\n",
	INTERVALS_COLUMNS INTERVALS_MEANING "Callers that broken stacks lack are not in it.\n",
};

enum { TREE_INDENT = 2, TREE_LEVELS = 40, WAITS_WIDTH = 9, SELF_WIDTH = 8, LINK_ROOM = 32 };

/* A terminal narrower than this has no column of self times and less indentation per level. */
enum { NARROW = 56 };

/* Paths with a smaller share of the tree's time are omitted. */
static const double least_share = 0.005;

struct calltree {
	const struct text *t;
	const struct stacks *stacks;
	struct output *out;
	double total; /* time of all stacks, in the tree or not, as shown */
	double least; /* least time in the tree, in ticks, as shown */
	bool narrow;
	struct intervals_column share, time;
};

/*
 * Returns the time of a path with its interval. The variation between runs is known for functions,
 * not for paths, so the wider of two intervals is taken: with the variation of the path's last
 * function, and with that of all functions together.
 */
static struct intervals_figure calltree_figure(const struct calltree *c,
					       const struct stack_node *node, double all)
{
	const struct analysis *a = c->t->a;
	double total = a->costs.all;
	struct intervals_figure mean = intervals_figure(c->t, all, total, CONFIDENCE_UNKNOWN);
	struct intervals_figure own;
	double files;

	if (!node || !a->confidence.inclusive)
		return mean;
	files = confidence_part(a->confidence.inclusive[node->function], all,
				costs_inclusive(&a->costs, node->function));
	own = intervals_figure(c->t, all, total, files);
	return own.share.high - own.share.low > mean.share.high - mean.share.low ? own : mean;
}

/* The inclusive time of a node in ticks; includes waiting if that is shown. */
static double calltree_weight(const struct calltree *c, const struct stack_node *node)
{
	return text_with_waits(c->t, (double)node->total, (double)node->total_waiting);
}

/* The times on a line; omitted paths have no self time. */
struct calltree_times {
	double all, self, waits;
	const struct stack_node *node; /* or NULL */
};

static void calltree_put_times(struct calltree *c, const struct calltree_times *times)
{
	double total = c->total > 0.0 ? c->total : 1.0;
	struct intervals_figure figure = calltree_figure(c, times->node, times->all);

	output_fixed(c->out, 100.0 * text_with_waits(c->t, times->all, times->waits) / total, 5, 1);
	if (intervals_shown(c->t) && !c->t->waits)
		intervals_write(&c->share, &figure, c->out);
	output_char(c->out, ' ');
	output_fixed(c->out, times->all / c->t->rate, 9, 2);
	if (intervals_shown(c->t))
		intervals_write(&c->time, &figure, c->out);
	if (times->node && !c->narrow) {
		output_char(c->out, ' ');
		output_fixed(c->out, times->self / c->t->rate, SELF_WIDTH, 2);
	} else if (!c->narrow) {
		output_blanks(c->out, 1 + SELF_WIDTH);
	}
	if (c->t->waits) {
		output_char(c->out, ' ');
		output_fixed(c->out, times->waits / c->t->waits->rate, WAITS_WIDTH, 2);
	}
	output_blanks(c->out, 2);
}

/* Levels deeper than fit on a page are written as a number instead of blanks. */
static void calltree_indent(const struct calltree *c, uint32_t level)
{
	uint32_t columns = c->t->view->columns / (c->narrow ? 8 : 4), most = TREE_LEVELS;

	if (columns > 0 && columns / TREE_INDENT < most)
		most = columns / TREE_INDENT;
	output_blanks(c->out, TREE_INDENT * (size_t)(level < most ? level : most));
	if (level > most)
		output_format(c->out, "(+%" PRIu32 ") ", level - most);
}

/*
 * Returns the next node of a chain: the child that has all the time of node i; STACKS_NONE: there
 * is none.
 */
static uint32_t calltree_next(const struct stacks *stacks, uint32_t i)
{
	const struct stack_node *node = &stacks->node[i];

	return node->self + node->waiting == 0 && i + 1 < node->end &&
			       node[1].total == node->total &&
			       node[1].total_waiting == node->total_waiting
		       ? i + 1
		       : STACKS_NONE;
}

/* One function of a chain, how often it is repeated in a row, and the text after its name. */
struct calltree_link {
	sym_id function;
	char suffix[LINK_ROOM];
};

/*
 * Returns the link that begins at node *at, and sets *at to its last node. The chain ends with
 * `last`.
 */
static struct calltree_link calltree_link(const struct calltree *c, uint32_t *at, uint32_t last)
{
	const struct stack_node *node = c->stacks->node;
	struct calltree_link link = { .function = node[*at].function };
	uint32_t same = 1;
	int n = 0;

	for (; *at < last && node[*at + 1].function == link.function; (*at)++)
		same++;
	if (same > 1)
		n = snprintf(link.suffix, sizeof(link.suffix), " (%" PRIu32 " times)", same);
	if (*at < last)
		strcpy(link.suffix + n, " >");
	return link;
}

/* Writes the functions of a chain, on a line that began when out->total was `start`. On a terminal,
 * a function that does not fit begins a new line and is shortened to its width. */
static void calltree_write_names(struct calltree *c, uint32_t from, uint32_t last, uint64_t start)
{
	size_t margin = (size_t)(c->out->total - start) + TREE_INDENT;
	uint32_t left = text_room(c->t, start, c->out);
	bool limited = left != TEXT_ALL;

	for (uint32_t at = from; at <= last; at++) {
		bool first = at == from;
		struct calltree_link link = calltree_link(c, &at, last);
		uint32_t suffix_columns = (uint32_t)strlen(link.suffix);
		uint32_t width = limited ? labels_columns(c->t, link.function) + suffix_columns : 0;

		if (!first && limited && width >= left) {
			output_char(c->out, '\n');
			start = c->out->total;
			output_blanks(c->out, margin);
			left = text_room(c->t, start, c->out);
		} else if (!first) {
			output_char(c->out, ' ');
			left -= limited;
		}
		labels_name_within(c->t, link.function,
				   limited && left > suffix_columns ? left - suffix_columns : left,
				   c->out);
		output_text(c->out, link.suffix);
		if (limited)
			left -= width < left ? width : left;
	}
}

/* Writes a line for node i and the chain from it; returns the last node of the chain. */
static uint32_t calltree_write_chain(struct calltree *c, uint32_t i, uint32_t level)
{
	const struct stacks *stacks = c->stacks;
	uint32_t last = i, next;
	uint64_t start = c->out->total;
	bool hot;

	while ((next = calltree_next(stacks, last)) != STACKS_NONE)
		last = next;
	hot = c->out->styled && text_is_hot((double)stacks->node[last].self, c->total);
	if (hot)
		output_style(c->out, STYLE_HOT);
	calltree_put_times(c, &(struct calltree_times){ (double)stacks->node[i].total,
							(double)stacks->node[last].self,
							(double)stacks->node[i].total_waiting,
							&stacks->node[i] });
	calltree_indent(c, level);
	calltree_write_names(c, i, last, start);
	if (hot)
		output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
	return last;
}

/* Paths omitted at one place. */
struct calltree_rest {
	uint64_t n;
	double time, waits; /* in ticks, running and waiting */
};

static double calltree_rest_weight(const struct calltree *c, const struct calltree_rest *rest)
{
	return text_with_waits(c->t, rest->time, rest->waits);
}

static void calltree_leave_out(struct calltree_rest *rest, const struct stack_node *node)
{
	rest->n++;
	rest->time += (double)node->total;
	rest->waits += (double)node->total_waiting;
}

static void calltree_write_rest(struct calltree *c, const struct calltree_rest *rest,
				uint32_t level)
{
	double weight = calltree_rest_weight(c, rest);

	if (weight == 0.0 || weight < c->least)
		return;
	calltree_put_times(c, &(struct calltree_times){ rest->time, 0.0, rest->waits, NULL });
	calltree_indent(c, level);
	output_format(c->out, "... %" PRIu64 " more\n", rest->n);
}

/* A level of the current path, while its subtree is written. */
struct calltree_level {
	uint32_t end; /* end of its subtree, as an index of nodes */
	struct calltree_rest rest;
};

static struct calltree_rest calltree_write_lines(struct calltree *c, struct calltree_level *level)
{
	struct calltree_rest all = { 0, 0.0, 0.0 };
	uint32_t depth = 0;

	level[0] = (struct calltree_level){ c->stacks->n, { 0, 0.0, 0.0 } };
	for (uint32_t i = 0; i < c->stacks->n;) {
		const struct stack_node *node = &c->stacks->node[i];

		progress_at(c->t->progress, i);
		for (; i >= level[depth].end; depth--)
			calltree_write_rest(c, &level[depth].rest, depth);
		if (calltree_weight(c, node) < c->least) {
			calltree_leave_out(&level[depth].rest, node);
			calltree_leave_out(&all, node);
			i = node->end;
			continue;
		}
		i = calltree_write_chain(c, i, depth);
		level[++depth] = (struct calltree_level){ node->end, { 0, 0.0, 0.0 } };
		i++;
	}
	for (uint32_t d = depth + 1; d-- > 0;)
		calltree_write_rest(c, &level[d].rest, d);
	return all;
}

static void calltree_write_heads(const struct calltree *c, struct output *out)
{
	const struct text *t = c->t;
	int interval = intervals_shown(t) ? 1 + INTERVALS_WIDTH : 0;
	int share = t->waits ? 0 : interval, waits = t->waits ? 1 + WAITS_WIDTH : 0;

	text_heading(out, STYLE_TITLE, "Call tree, from call stacks:\n\n");
	text_unit_line(t, TEXT_OF_INCLUSIVE, out);
	output_format(out, "\n  %%  %*s inclusive%*s%s%*s\n", share, share ? "+-   " : "", interval,
		      interval ? "+-   " : "", c->narrow ? "" : "     self", waits,
		      waits ? "waiting" : "");
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s%*s %9.9s%*s", "time", share, "", t->dimension, interval, "");
	if (!c->narrow)
		output_format(out, " %*.8s", SELF_WIDTH, t->dimension);
	output_format(out, "%*s  name", waits, waits ? "seconds" : "");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

void calltree_write(const struct text *t, struct output *out)
{
	const struct analysis *a = t->a;
	struct arena scratch = arena_scratch(t->mem);
	struct calltree c = {
		.t = t,
		.stacks = &a->tree,
		.out = out,
		.total = text_with_waits(t, a->costs.all, a->costs.waits.total),
		.share = intervals_column(t, 100.0),
		.time = intervals_column(t, a->costs.all / t->rate),
		.narrow = t->view->columns > 0 && t->view->columns < NARROW,
	};
	double tree = text_with_waits(t, (double)a->tree.total, (double)a->tree.waiting);
	struct calltree_rest rest;

	c.least = t->opt->zeros ? 0.0 : least_share * tree;
	progress_step(t->progress, "writing the call tree", c.stacks->n);
	text_page(out);
	calltree_write_heads(&c, out);
	rest = calltree_write_lines(
		&c, arena_array(&scratch, struct calltree_level, (size_t)c.stacks->depth + 2));
	if (rest.n > 0)
		output_format(out,
			      "\nLeft out: %" PRIu64 " path%s below %.1f %%, together %.1f %%.\n",
			      rest.n, rest.n == 1 ? "" : "s", 100.0 * least_share * tree / c.total,
			      100.0 * calltree_rest_weight(&c, &rest) / c.total);
	if (!t->opt->brief)
		text_explain(t, t->waits ? &calltree_waiting : &calltree_explanation, out);
	arena_free(&scratch);
}
