/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --order: functions in an order for a linker, in the words of that linker. */
#include "config.h"

#include "run/command/command.h"

#include "io/outfiles.h"
#include "model/needs.h"
#include "run/command/checks.h"
#include "run/command/steps.h"

#include <string.h>

/*
 * Checks that the data have what the order's rule needs. Returns 0, or -1 after saying what is
 * missing.
 */
static int order_check(const struct session *s, const struct order_request *order)
{
	const char *lacking = profile_out_of_order(&s->profile);
	unsigned needs = order->placement.rule == FUNCTION_ORDER_TIME ? NEEDS_SAMPLES : NEEDS_CALLS;

	if (needs_check(needs, "an order of functions", &s->profile, s->diag) < 0)
		return -1;
	if (order->placement.rule != FUNCTION_ORDER_STARTUP || !lacking)
		return 0;
	diag_error(s->diag,
		   "%s: the order of first calls is not known, which only libgmon records; "
		   "by=calls does not need it",
		   lacking);
	return -1;
}

/* Writes the order to its file, or to out. Returns 0, or -1 after saying why not. */
static int order_write(const struct session *s, const struct order_request *order,
		       const struct function_order *placement, struct output *out)
{
	struct outfiles files = { .mem = s->mem, .diag = s->diag };
	const struct linker_head head = { s->input->program.path,
					  image_mapping(s->image, s->mem).build_id };
	bool to_file = order->file && strcmp(order->file, "-") != 0;

	if (to_file) {
		outfiles_start(&files);
		session_inputs(s, &files.inputs);
		session_profiles(s, &files.inputs);
		out = outfiles_open_named(&files, order->file, "order", 0777);
	}
	if (!out)
		return -1;
	linker_write(placement, order->style, &head, out);
	return to_file ? files.set.close(&files.set) : 0;
}

static int order_steps(struct steps *steps)
{
	const struct order_request *order = &steps->c->opt->order;
	struct session *s = &steps->session;
	struct function_order placement;

	if (checks_missing(s, steps->c) || session_read(s) < 0 || order_check(s, order) < 0)
		return -1;
	session_analyze(s, &steps->c->opt->analysis, 0, s->diag);
	if (order->placement.rule == FUNCTION_ORDER_TIME && !(s->analysis.costs.total > 0.0))
		diag_error(s->diag,
			   "%s: has no samples to order functions by; by=calls does not need any",
			   s->profile.files.at[0].name);
	if (s->diag->nerrors > 0)
		return -1;
	placement = function_order_make(&s->analysis, !profile_out_of_order(&s->profile),
					&order->placement, s->mem);
	if (placement.rows.n == 0 && placement.arcs.n == 0)
		diag_warn(s->diag,
			  "%s: the order is empty: no function that it may list was called",
			  s->input->program.path);
	return order_write(s, order, &placement, order->file ? steps->c->out : steps->c->report);
}

int order_run(const struct command *c)
{
	return steps_run(c, STEPS_ALL_FUNCTIONS, order_steps);
}
