/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "report/prefix.h"

#include "base/number.h"

static const struct prefix prefixes[] = {
	{ 'T', 1e-12 }, { 'G', 1e-9 }, { 'M', 1e-6 }, { 'K', 1e-3 }, { ' ', 1 },    { 'm', 1e3 },
	{ 'u', 1e6 },   { 'n', 1e9 },  { 'p', 1e12 }, { 'f', 1e15 }, { 'a', 1e18 },
};

enum { NPREFIXES = sizeof(prefixes) / sizeof(prefixes[0]), NO_PREFIX = 4, TRADITIONAL_PREFIX };

const struct prefix *prefix_of(double x)
{
	if (!(x > 0.0))
		return &prefixes[NO_PREFIX];
	for (int i = 0; i < NPREFIXES; i++) {
		double scaled = prefixes[i].per_unit * x;

		if (scaled >= 1.0 && scaled < 1000.0)
			return &prefixes[i];
	}
	return x * prefixes[0].per_unit >= 1000.0 ? &prefixes[0] : &prefixes[NPREFIXES - 1];
}

const struct prefix *prefix_choose(const struct text *t)
{
	const struct analysis *a = t->a;
	double longest = 0.0;

	if (t->opt->traditional)
		return &prefixes[TRADITIONAL_PREFIX];
	if (!text_has_call_times(t))
		return &prefixes[NO_PREFIX];
	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		double time;

		if (a->costs.calls.outer[s] == 0)
			continue;
		time = (a->costs.self[s] + a->costs.children[s]) / (double)a->costs.calls.outer[s];
		if (time > longest)
			longest = time;
	}
	longest /= t->rate;
	if (!(longest > 0.0))
		return &prefixes[t->a->costs.origin.measured ? NO_PREFIX : 0];
	return prefix_of(longest);
}

void prefix_write_calls(const struct text *t, sym_id s, const struct prefix *prefix,
			const double ticks[2], unsigned n, struct output *out)
{
	uint64_t ncalls = t->a->costs.calls.outer[s];
	bool least = costs_may_have_more(&t->a->costs.calls, s);
	/* What a call took is not known of a function that may have had more. */
	unsigned known = ncalls == 0 || n == 0 ? 0 : text_has_call_times(t) && !least ? n : 1;

	if (known > 0) {
		output_char(out, ' ');
		output_took(out, number_put_bound(output_room(out, NUMBER_ROOM), ncalls,
						  PREFIX_WIDTH, least));
	}
	for (unsigned i = 1; i < known; i++) {
		output_char(out, ' ');
		output_fixed(out, prefix->per_unit * ticks[i - 1] / t->rate / (double)ncalls,
			     PREFIX_WIDTH, 2);
	}
	output_blanks(out, (size_t)(n - known) * (1 + PREFIX_WIDTH));
}
