/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paths of calls with their time, from call stacks: a tree. */
#include "config.h"

#include "report/intervals.h"
#include "report/labels.h"
#include "report/views.h"

#include <inttypes.h>

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

enum { TREE_INDENT = 2, TREE_LEVELS = 40 };

/* Of the tree's time; a path with less is left out. */
static const double least_share = 0.005;

struct calltree {
	const struct text *t;
	const struct stacks *stacks;
	struct output *out;
	double total; /* of all stacks, in the tree or not */
	uint64_t least;
	struct intervals_column share, time;
};

/*
 * What runs differ by is known of functions, not of paths: the wider of what the function at the
 * end and the mean of all say of so much time.
 */
static struct intervals_figure calltree_figure(const struct calltree *c,
					       const struct stack_node *node, double all)
{
	const struct analysis *a = c->t->a;
	struct intervals_figure mean = intervals_figure(c->t, all, c->total, CONFIDENCE_UNKNOWN);
	struct intervals_figure own;
	double files;

	if (!node || !a->confidence.inclusive)
		return mean;
	files = confidence_part(a->confidence.inclusive[node->function], all,
				(double)a->stacks->times.inclusive[node->function]);
	own = intervals_figure(c->t, all, c->total, files);
	return own.share.high - own.share.low > mean.share.high - mean.share.low ? own : mean;
}

/* Times of a node, or without one of what is left out: `all` alone. */
static void calltree_put_times(struct calltree *c, const struct stack_node *node, double all,
			       double self)
{
	double total = c->total > 0.0 ? c->total : 1.0;
	struct intervals_figure figure = calltree_figure(c, node, all);

	output_fixed(c->out, 100.0 * all / total, 5, 1);
	if (intervals_shown(c->t))
		intervals_write(&c->share, &figure, c->out);
	output_char(c->out, ' ');
	output_fixed(c->out, all / c->t->rate, 9, 2);
	if (intervals_shown(c->t))
		intervals_write(&c->time, &figure, c->out);
	output_char(c->out, ' ');
	if (node)
		output_fixed(c->out, self / c->t->rate, 8, 2);
	else
		output_blanks(c->out, 8);
	output_blanks(c->out, 2);
}

/* Beyond a depth that fits on a page, a number takes the place of what would be blank. */
static void calltree_indent(struct output *out, uint32_t level)
{
	output_blanks(out, TREE_INDENT * (size_t)(level < TREE_LEVELS ? level : TREE_LEVELS));
	if (level > TREE_LEVELS)
		output_format(out, "(+%" PRIu32 ") ", level - TREE_LEVELS);
}

/* The next node of a chain: the one with all the time of node i; or STACKS_NONE. */
static uint32_t calltree_next(const struct stacks *stacks, uint32_t i)
{
	const struct stack_node *node = &stacks->node[i];

	return node->self == 0 && i + 1 < node->end && node[1].total == node->total ? i + 1
										    : STACKS_NONE;
}

/* Writes a line of node i and the chain from it; returns the last of that. */
static uint32_t calltree_write_chain(struct calltree *c, uint32_t i, uint32_t level)
{
	const struct stacks *stacks = c->stacks;
	uint32_t last = i, next;
	bool hot;

	while ((next = calltree_next(stacks, last)) != STACKS_NONE)
		last = next;
	hot = c->out->styled && text_is_hot((double)stacks->node[last].self, c->total);
	if (hot)
		output_style(c->out, STYLE_HOT);
	calltree_put_times(c, &stacks->node[i], (double)stacks->node[i].total,
			   (double)stacks->node[last].self);
	calltree_indent(c->out, level);
	for (uint32_t at = i; at <= last; at++) {
		uint32_t same = 1;

		while (at < last && stacks->node[at + 1].function == stacks->node[at].function) {
			same++;
			at++;
		}
		labels_name(c->t, stacks->node[at].function, c->out);
		if (same > 1)
			output_format(c->out, " (%" PRIu32 " times)", same);
		if (at < last)
			output_text(c->out, " > ");
	}
	if (hot)
		output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
	return last;
}

/* Paths that were left out, at one place. */
struct calltree_rest {
	uint64_t n, time;
};

static void calltree_write_rest(struct calltree *c, const struct calltree_rest *rest,
				uint32_t level)
{
	if (rest->time == 0 || rest->time < c->least)
		return;
	calltree_put_times(c, NULL, (double)rest->time, 0.0);
	calltree_indent(c->out, level);
	output_format(c->out, "... %" PRIu64 " more\n", rest->n);
}

/* A line's path, while what is below it is written. */
struct calltree_level {
	uint32_t end; /* of the nodes below */
	struct calltree_rest rest;
};

static struct calltree_rest calltree_write_lines(struct calltree *c, struct calltree_level *level)
{
	struct calltree_rest all = { 0, 0 };
	uint32_t depth = 0;

	level[0] = (struct calltree_level){ c->stacks->n, { 0, 0 } };
	for (uint32_t i = 0; i < c->stacks->n;) {
		const struct stack_node *node = &c->stacks->node[i];

		progress_at(c->t->progress, i);
		for (; i >= level[depth].end; depth--)
			calltree_write_rest(c, &level[depth].rest, depth);
		if (node->total < c->least) {
			level[depth].rest.n++;
			level[depth].rest.time += node->total;
			all.n++;
			all.time += node->total;
			i = node->end;
			continue;
		}
		i = calltree_write_chain(c, i, depth);
		level[++depth] = (struct calltree_level){ node->end, { 0, 0 } };
		i++;
	}
	for (uint32_t d = depth + 1; d-- > 0;)
		calltree_write_rest(c, &level[d].rest, d);
	return all;
}

/* The least whole number of ticks that is shown. */
static uint64_t calltree_least(uint64_t total)
{
	double least = least_share * (double)total;

	return (uint64_t)least + ((double)(uint64_t)least < least);
}

void calltree_write(const struct text *t, struct output *out)
{
	const struct call_stacks *stacks = t->a->stacks;
	struct arena scratch = arena_scratch(t->mem);
	struct calltree c = {
		.t = t,
		.stacks = &stacks->tree,
		.out = out,
		.total = (double)stacks->times.total,
		.share = intervals_column(t, 100.0),
		.time = intervals_column(t, (double)stacks->times.total / t->rate),
	};
	int interval = intervals_shown(t) ? 1 + INTERVALS_WIDTH : 0;
	const char *off = interval ? "+-   " : "";
	struct calltree_rest rest;

	c.least = t->opt->zeros ? 0 : calltree_least(c.stacks->total);
	progress_step(t->progress, "writing the call tree", c.stacks->n);
	text_page(out);
	text_heading(out, STYLE_TITLE, "Call tree, from call stacks:\n\n");
	text_unit_line(t, TEXT_OF_INCLUSIVE, out);
	output_format(out, "\n  %%  %*s inclusive%*s     self\n", interval, off, interval, off);
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s%*s %9.9s%*s %8.8s  name", "time", interval, "", t->dimension,
		      interval, "", t->dimension);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	rest = calltree_write_lines(
		&c, arena_array(&scratch, struct calltree_level, (size_t)c.stacks->depth + 2));
	if (rest.n > 0)
		output_format(out,
			      "\nLeft out: %" PRIu64 " path%s below %.1f %%, together %.1f %%.\n",
			      rest.n, rest.n == 1 ? "" : "s",
			      100.0 * least_share * (double)c.stacks->total / c.total,
			      100.0 * (double)rest.time / c.total);
	if (!t->opt->brief)
		text_explain(t, &calltree_explanation, out);
	arena_free(&scratch);
}
