/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine instructions of some functions, with the time of each. */
#include "config.h"

#include "report/labels.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct explanation instructions_explanation = {
	"How to read the instructions\n",
	"\n"
	" % time       share of all time that is the instruction's own\n"
	" self         that time; +- is half of the interval that chance allows\n"
	" calls        how many calls were counted there\n"
	" address      as the linker gave it; > before it: a jump of the function leads there\n"
	"\n"
	"Lines of the source stand above their instructions, again where they go on.\n",
	"The clock finds the instruction that is about to run: what a slow one takes is\n"
	"often at the one after it, and at the first one behind a jump or a wait.\n",
	NULL,
};

enum { SELF_WIDTH = 7, CALLS_WIDTH = 6, LEAST_ADDRESS = 7 };

struct instructions {
	const struct text *t;
	struct output *out;
	const struct instruction_listings *all;
	const struct instruction_listing *l;
	const struct instruction_source *source; /* one for each instruction */
	int address, calls; /* widths of columns; calls is 0 if none was counted */
};

static double instructions_total(const struct instructions *c)
{
	return c->t->a->costs.total > 0.0 ? c->t->a->costs.total : 1.0;
}

static bool instructions_has_errors(const struct instructions *c)
{
	return c->all->level > 0.0;
}

static void instructions_measure(struct instructions *c)
{
	const struct disassembly *code = &c->l->code;
	uint64_t last = code->n > 0 ? code->at[code->n - 1].pc : 0, ncalls = 0;
	int address = snprintf(NULL, 0, "%" PRIx64, last), calls;

	for (uint32_t i = 0; i < code->n; i++)
		ncalls = c->l->cost[i].ncalls > ncalls ? c->l->cost[i].ncalls : ncalls;
	calls = snprintf(NULL, 0, "%" PRIu64, ncalls);
	c->address = address > LEAST_ADDRESS ? address : LEAST_ADDRESS;
	c->calls = ncalls == 0 ? 0 : calls > CALLS_WIDTH ? calls : CALLS_WIDTH;
}

static void instructions_put_title(const struct instructions *c)
{
	const struct instruction_listing *l = c->l;
	const struct disassembly *code = &l->code;
	const struct instruction *last = code->n > 0 ? &code->at[code->n - 1] : NULL;

	output_style(c->out, STYLE_TITLE);
	labels_name(c->t, l->symbol, c->out);
	output_style(c->out, STYLE_PLAIN);
	output_format(c->out, "\n  %.2f %.40s self (%.1f %%)", l->self / c->t->rate,
		      c->t->dimension, 100.0 * l->self / instructions_total(c));
	if (last)
		output_format(c->out, ", %" PRIu32 " instruction%s at %" PRIx64 "-%" PRIx64,
			      code->n, code->n == 1 ? "" : "s", code->at[0].pc,
			      last->pc + last->bytes - 1);
	output_char(c->out, '\n');
	if (l->outside > 0.0)
		output_format(c->out, "  %.2f of it at no instruction\n", l->outside / c->t->rate);
	output_char(c->out, '\n');
}

static void instructions_put_heads(const struct instructions *c)
{
	output_format(c->out, "  %%   %*s\n", SELF_WIDTH, "self");
	output_style(c->out, STYLE_COLUMNS);
	output_format(c->out, " time %*.*s", SELF_WIDTH, SELF_WIDTH, c->t->dimension);
	if (instructions_has_errors(c))
		output_format(c->out, " %*s", SELF_WIDTH, "+-");
	if (c->calls > 0)
		output_format(c->out, " %*s", c->calls, "calls");
	output_format(c->out, "  %*s  instruction", c->address, "address");
	output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
}

static void instructions_put_blanks(const struct instructions *c)
{
	output_blanks(c->out, 5 + (instructions_has_errors(c) ? 2 : 1) * (1 + SELF_WIDTH) +
				      (c->calls > 0 ? 1 + c->calls : 0) + 2 + c->address + 2);
}

static bool instructions_has_line(const struct instruction_cost *cost)
{
	return cost->file && cost->line > 0;
}

/* Writes the source line of instruction i, with its text if that can be shown. */
static void instructions_put_source(const struct instructions *c, uint32_t i)
{
	const struct instruction_cost *cost = &c->l->cost[i];
	const struct instruction_source *line = &c->source[i];
	const char *file;

	instructions_put_blanks(c);
	if (!instructions_has_line(cost)) {
		output_text(c->out, "of no source line\n");
		return;
	}
	file = labels_file(c->t, cost->file);
	output_name(c->out, file, strlen(file));
	output_format(c->out, ":%u", cost->line);
	if (line->n > 0) {
		output_blanks(c->out, 2);
		output_name(c->out, line->text, line->n);
	}
	output_char(c->out, '\n');
}

/* Writes a number of ticks as seconds, or blanks for 0. */
static void instructions_put_seconds(const struct instructions *c, double ticks)
{
	output_char(c->out, ' ');
	if (ticks > 0.0)
		output_fixed(c->out, ticks / c->t->rate, SELF_WIDTH, 2);
	else
		output_blanks(c->out, SELF_WIDTH);
}

/* Writes " <name>" for the function, or the entry of a linkage table, that an instruction names. */
static void instructions_put_target(const struct instructions *c, const struct instruction *in)
{
	const struct symtab *symtab = &c->t->a->program->symtab;
	const struct disassembly *code = &c->l->code;
	uint64_t by = symtab->sym[c->l->symbol].lo - code->at[0].pc;
	sym_id s = in->target ? symtab_find(symtab, in->target + by) : SYM_NONE;
	bool begins = s != SYM_NONE && symtab->sym[s].lo == in->target + by;

	if (!in->stub && (!begins || s == c->l->symbol))
		return;
	output_text(c->out, " <");
	if (begins)
		labels_name(c->t, s, c->out);
	else
		output_name(c->out, in->stub, strlen(in->stub));
	output_char(c->out, '>');
}

static void instructions_put_one(const struct instructions *c, uint32_t i)
{
	const struct instruction *in = &c->l->code.at[i];
	const struct instruction_cost *cost = &c->l->cost[i];
	bool hot = c->out->styled && text_is_hot(cost->self, instructions_total(c));

	if (hot)
		output_style(c->out, STYLE_HOT);
	if (cost->self > 0.0)
		output_fixed(c->out, 100.0 * cost->self / instructions_total(c), 5, 2);
	else
		output_blanks(c->out, 5);
	instructions_put_seconds(c, cost->self);
	if (instructions_has_errors(c))
		instructions_put_seconds(c, cost->error);
	if (c->calls > 0 && cost->ncalls > 0)
		output_format(c->out, " %*" PRIu64, c->calls, cost->ncalls);
	else if (c->calls > 0)
		output_blanks(c->out, c->calls + 1);
	output_format(c->out, " %c%*" PRIx64 "  ", cost->is_target ? '>' : ' ', c->address, in->pc);
	output_name(c->out, in->text, strlen(in->text));
	instructions_put_target(c, in);
	if (hot)
		output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
}

/* Whether instruction i begins a source line, goes on with one that was left, or belongs to none.
 */
static bool instructions_begins_line(const struct instruction_listing *l, uint32_t i)
{
	const struct instruction_cost *cost = &l->cost[i];

	if (i == 0 || !instructions_has_line(&cost[-1]))
		return instructions_has_line(cost);
	return !instructions_has_line(cost) || cost[-1].line != cost->line ||
	       strcmp(cost[-1].file, cost->file) != 0;
}

static void instructions_write_one(struct instructions *c)
{
	instructions_measure(c);
	instructions_put_title(c);
	instructions_put_heads(c);
	for (uint32_t i = 0; i < c->l->code.n; i++) {
		if (instructions_begins_line(c->l, i))
			instructions_put_source(c, i);
		instructions_put_one(c, i);
	}
}

static void instructions_put_unit(const struct instructions *c)
{
	const struct text *t = c->t;

	text_heading(c->out, STYLE_TITLE, "Instructions:\n\n");
	output_format(c->out, "Each sample counts as %g %.40s", 1.0 / t->rate, t->dimension);
	if (instructions_has_errors(c))
		output_format(c->out, "; +- at %g %%", c->all->level);
	output_text(c->out, ".\n");
	if (c->all->spread > 1)
		output_format(c->out,
			      "Samples were counted for each %" PRIu64
			      " bytes of code together, at the "
			      "first instruction there.\n",
			      c->all->spread);
}

void instructions_write(const struct text *t, struct output *out)
{
	const struct instruction_listings *all = t->view->instructions;
	struct instructions c = { .t = t, .out = out, .all = all };
	uint32_t idle = 0;

	text_page(out);
	instructions_put_unit(&c);
	for (uint32_t i = 0; i < all->n; i++) {
		if (i > 0 && !t->opt->zeros && all->at[i].self <= 0.0) {
			idle++;
			continue;
		}
		c.l = &all->at[i];
		c.source = t->view->instruction_lines[i];
		output_char(out, '\n');
		instructions_write_one(&c);
	}
	if (idle > 0)
		output_format(out, "\n%" PRIu32 " more without time (-z shows them).\n", idle);
	if (!t->opt->brief)
		text_explain(t, &instructions_explanation, out);
}
