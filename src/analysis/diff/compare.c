/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/diff/compare.h"

#include "analysis/diff/chance.h"
#include "analysis/diff/plain.h"
#include "base/interval.h"
#include "base/join.h"
#include "base/path.h"
#include "base/radix.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char outside[] = "[in no function]";

#define NO_ROW UINT32_MAX

/*
 * With more degrees of freedom than these, quantiles are taken from the normal distribution, which
 * has the same three digits.
 */
enum { MOST_FREEDOM = 1000 };

struct compare_maker {
	const struct compare_side *side; /* an array of SIDES */
	const struct difference_match *match;
	const struct compare_options *opt;
	struct difference *d;
	struct arena *mem;
	double *quantile; /* quantiles computed so far, by degrees of freedom; 0: not yet */
	size_t ntests;
};

/* Returns the samples that are in no function. */
static uint64_t compare_outside(const struct compare_side *side)
{
	uint64_t all = rounding_nearest(side->a->costs.total, 1.0);

	return all > side->integer_costs->nsamples ? all - side->integer_costs->nsamples : 0;
}

static void compare_set_unit(struct compare_maker *c)
{
	const struct unit *unit = &c->side[SIDE_NEW].a->profile->unit;
	bool has_rate = unit->rate > 0;

	c->d->timed = c->side[SIDE_NEW].integer_costs->timed;
	c->d->unit = c->d->timed ? "seconds" : has_rate ? unit->dimension : "ticks";
	c->d->per_unit = c->d->timed ? 1e9 : has_rate ? unit->rate : 1.0;
}

static void compare_set_totals(struct compare_maker *c)
{
	for (int k = 0; k < SIDES; k++) {
		const struct compare_side *side = &c->side[k];
		struct difference_total *total = &c->d->total[k];
		uint64_t more = compare_outside(side);

		*total = (struct difference_total){
			.program = side->a->program->path,
			.profile = side->a->profile,
			.nruns = side->nruns,
			.samples = side->integer_costs->nsamples + more,
			.time = side->integer_costs->total +
				integer_costs_rounded(side->integer_costs, (double)more),
			.per_tick = side->integer_costs->per_tick / c->d->per_unit,
			.per_sample = side->per_sample > 1.0 ? side->per_sample : 1.0,
		};
		total->value = (double)total->time / c->d->per_unit / side->nruns;
	}
}

/* Counts the rows that have anything to show, and sets of_match. */
static void compare_find_rows(struct compare_maker *c)
{
	uint32_t n = c->match->nrows, *of_match = arena_array(c->mem, uint32_t, n), nrows = 0;

	memset(of_match, 0xff, n * sizeof(*of_match));
	for (int k = 0; k < SIDES; k++) {
		for (uint32_t i = 0; i < c->side[k].integer_costs->nlisted; i++) {
			uint32_t row = c->match->row[k][c->side[k].integer_costs->listed[i]];

			if (of_match[row] == NO_ROW)
				of_match[row] = nrows++;
		}
	}
	c->d->row = arena_array(c->mem, struct difference_row, (size_t)nrows + 1);
	c->d->n = nrows;
	c->d->of_match = of_match;
}

static void compare_add_up(struct compare_maker *c)
{
	for (int k = 0; k < SIDES; k++) {
		const struct integer_costs *integer_costs = c->side[k].integer_costs;

		for (uint32_t i = 0; i < integer_costs->nlisted; i++) {
			sym_id s = integer_costs->listed[i];
			uint32_t row = c->match->row[k][s];
			struct difference_amount *amount =
				&c->d->row[c->d->of_match[row]].amount[k];

			amount->samples += integer_costs->samples[s];
			amount->time += integer_costs->self[s];
			/*
			 * Calls between parts of one function (f and f.cold) count in the inclusive
			 * time of both, so the sum counts them twice; the largest inclusive time is
			 * taken instead.
			 */
			if (integer_costs->inclusive[s] > amount->inclusive)
				amount->inclusive = integer_costs->inclusive[s];
			amount->calls += c->side[k].a->costs.calls.outer[s];
		}
	}
}

static const char *compare_name(const struct compare_maker *c, uint32_t row)
{
	int k = c->match->head[SIDE_NEW][row] != SYM_NONE ? SIDE_NEW : SIDE_BASE;
	const struct sym *sym = &c->side[k].a->program->symtab.sym[c->match->head[k][row]];

	return *sym->name ? demangle(sym->name, c->opt->style, c->mem)
			  : plain_address(sym->lo, c->mem);
}

/* Returns the name with the base name of its source file, if the file is known. */
static const char *compare_placed_name(const struct compare_maker *c,
				       const struct difference_row *row)
{
	for (int k = SIDES; k-- > 0;) {
		sym_id head = row->row == NO_ROW ? SYM_NONE : c->match->head[k][row->row];
		const struct location *loc = head != SYM_NONE && c->side[k].locations
						     ? &c->side[k].locations[head]
						     : NULL;
		const char *file = loc && loc->file ? path_base(loc->file) : NULL;

		if (file)
			return JOIN(c->mem, row->name, " (", file, ")");
	}
	return row->name;
}

/* Sets the names of all rows, with their source files where two rows have the same name. Sorts
 * their indices by name into by_name. */
static void compare_set_names(const struct compare_maker *c, uint32_t *by_name)
{
	struct difference_row *row = c->d->row;
	struct name_column column = { &row->name, sizeof(*row) };
	uint32_t n = c->d->n;
	struct bitset shared = bitset_empty(c->mem, n);

	for (uint32_t i = 0; i < n; i++) {
		row[i].name = row[i].row == NO_ROW ? outside : compare_name(c, row[i].row);
		by_name[i] = i;
	}
	radix_sort_by_name(by_name, n, column, c->mem);
	for (uint32_t i = 1; i < n; i++) {
		if (strcmp(row[by_name[i - 1]].name, row[by_name[i]].name) == 0) {
			bitset_add(shared, by_name[i - 1]);
			bitset_add(shared, by_name[i]);
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		if (bitset_has(shared, i))
			row[i].name = compare_placed_name(c, &row[i]);
	}
	radix_sort_by_name(by_name, n, column, c->mem);
}

/* Sets how much of each side's time is in functions of both programs. */
static void compare_set_common(struct compare_maker *c)
{
	for (int k = 0; k < SIDES; k++) {
		uint64_t all = 0, common = 0;

		for (uint32_t i = 0; i < c->d->n; i++) {
			const struct difference_row *row = &c->d->row[i];
			bool both = row->has[SIDE_BASE] && row->has[SIDE_NEW];

			all += row->row == NO_ROW ? 0 : row->amount[k].time;
			common += row->row == NO_ROW || !both ? 0 : row->amount[k].time;
		}
		c->d->common[k] = all > 0 ? (double)common / (double)all : 1.0;
		c->d->counts[k] = c->side[k].integer_costs->has_calls;
	}
}

static void compare_add_outside(struct compare_maker *c)
{
	struct difference_row *row = &c->d->row[c->d->n];
	uint64_t any = 0;

	*row = (struct difference_row){ .row = NO_ROW, .has = { true, true } };
	for (int k = 0; k < SIDES; k++) {
		uint64_t more = compare_outside(&c->side[k]);

		row->amount[k].samples = more;
		row->amount[k].time = integer_costs_rounded(c->side[k].integer_costs, (double)more);
		any += more;
	}
	if (any > 0)
		c->d->n++;
}

static void compare_identify(struct compare_maker *c)
{
	for (uint32_t i = 0; i < c->match->nrows; i++) {
		struct difference_row *row = &c->d->row[c->d->of_match[i]];

		if (c->d->of_match[i] == NO_ROW)
			continue;
		row->row = i;
		row->rule = (enum difference_rule)c->match->rule[i];
		for (int k = 0; k < SIDES; k++) {
			sym_id head = c->match->head[k][i];

			row->has[k] = head != SYM_NONE;
			if (row->has[k])
				row->linker[k] = c->side[k].a->program->symtab.sym[head].name;
		}
		if (row->has[SIDE_BASE] && row->has[SIDE_NEW])
			c->d->matched[row->rule]++;
		else if (row->has[SIDE_NEW])
			c->d->nnew++;
		else
			c->d->ngone++;
	}
}

/* The excess of a row's self time; not known if there are few runs, or for time in no function. */
static struct difference_excess compare_excess(const struct compare_maker *c,
					       const struct difference_row *row)
{
	const struct variance_runs runs[SIDES] = { c->side[SIDE_BASE].runs,
						   c->side[SIDE_NEW].runs };

	if (!c->d->variance.many_runs || row->row == NO_ROW)
		return CHANCE_UNKNOWN;
	return variance_of_row(runs, row->row);
}

/*
 * Half the width of the confidence interval of a difference. Quantiles take long to compute, so
 * each is kept.
 */
static double compare_margin(const struct compare_maker *c, struct difference_excess excess,
			     uint64_t n0, uint64_t n1)
{
	double half = c->d->repeated ? 0.0 : 0.5;
	struct chance_error error =
		chance_error(c->d, excess, (double)n0 + half, (double)n1 + half);
	uint32_t n = error.freedom < MOST_FREEDOM ? error.freedom : MOST_FREEDOM;

	if (c->quantile[n] == 0.0)
		c->quantile[n] = n < MOST_FREEDOM ? interval_student(c->d->level, n)
						  : interval_normal(c->d->level);
	return c->quantile[n] * error.deviation;
}

static struct difference_test compare_test(const struct compare_maker *c,
					   struct difference_excess excess, uint64_t n0,
					   uint64_t n1, const double value[SIDES])
{
	struct difference_test test = {
		.delta = value[SIDE_NEW] - value[SIDE_BASE],
		.margin = compare_margin(c, excess, n0, n1),
		.tested = !c->d->counts_only && !difference_is_exact(c->d) &&
			  (n0 >= c->opt->least || n1 >= c->opt->least),
		.verdict = VERDICT_NOISE,
	};

	if (test.tested) {
		test.p = chance_p(c->d, excess, n0, n1, CHANCE_SHOWN);
		test.strict = chance_p(c->d, excess, n0, n1, CHANCE_STRICT);
	}
	return test;
}

/*
 * Whether inclusive time equals self time on both sides, so that a test of it would repeat the test
 * of self time.
 */
static bool compare_is_leaf(const struct difference_row *row)
{
	const struct difference_amount *base = &row->amount[SIDE_BASE];
	const struct difference_amount *new = &row->amount[SIDE_NEW];

	return base->whole == base->samples && new->whole == new->samples;
}

static void compare_measure_row(const struct compare_maker *c, struct difference_row *row)
{
	const struct difference *d = c->d;

	for (int k = 0; k < SIDES; k++) {
		struct difference_amount *amount = &row->amount[k];
		double all = d->normalized ? (double)d->total[k].time / 100.0
					   : d->per_unit * d->total[k].nruns;

		row->value[k] = all > 0.0 ? (double)amount->time / all : 0.0;
		row->inclusive[k] = all > 0.0 ? (double)amount->inclusive / all : 0.0;
		row->calls[k] = (double)amount->calls / d->total[k].nruns;
		amount->whole = rounding_nearest((double)amount->inclusive,
						 1.0 / c->side[k].integer_costs->per_tick);
	}
	row->self = compare_test(c, compare_excess(c, row), row->amount[SIDE_BASE].samples,
				 row->amount[SIDE_NEW].samples, row->value);
	row->whole = row->self;
	if (d->measured && !compare_is_leaf(row))
		row->whole = compare_test(c, CHANCE_UNKNOWN, row->amount[SIDE_BASE].whole,
					  row->amount[SIDE_NEW].whole, row->inclusive);
}

static void compare_measure(struct compare_maker *c)
{
	c->quantile = arena_array(c->mem, double, MOST_FREEDOM + 1);
	for (uint32_t i = 0; i < c->d->n; i++)
		compare_measure_row(c, &c->d->row[i]);
}

static enum difference_verdict compare_verdict(const struct compare_maker *c,
					       const struct difference_test *test, double threshold)
{
	bool marked = difference_is_exact(c->d) || (test->tested && test->strict <= threshold);

	if (!marked || test->delta == 0.0)
		return VERDICT_NOISE;
	return test->delta > 0.0 ? VERDICT_MORE : VERDICT_LESS;
}

static void compare_judge(struct compare_maker *c)
{
	struct difference *d = c->d;
	double *p = arena_array(c->mem, double, 2 * (size_t)d->n), threshold;

	for (uint32_t i = 0; i < d->n; i++) {
		const struct difference_row *row = &d->row[i];

		if (row->self.tested)
			p[c->ntests++] = row->self.strict;
		if (d->measured && row->whole.tested && !compare_is_leaf(row))
			p[c->ntests++] = row->whole.strict;
	}
	threshold = chance_threshold(p, c->ntests, d->level);
	for (uint32_t i = 0; i < d->n; i++) {
		struct difference_row *row = &d->row[i];

		row->self.verdict = compare_verdict(c, &row->self, threshold);
		row->whole.verdict = compare_verdict(c, &row->whole, threshold);
	}
}

/* The variance of the mean of the runs' total ticks. */
static double compare_mean_variance(const struct variance_runs *runs)
{
	struct run_totals totals = run_sums_totals(runs->sums, runs->n);

	return (totals.squares - totals.sum * totals.sum / runs->n) / runs->n / (runs->n - 1);
}

/*
 * Sets the confidence interval of the difference of totals: from the variance between runs or, for
 * single runs, from chance.
 */
static void compare_set_delta(struct compare_maker *c)
{
	struct difference *d = c->d;
	double value[SIDES], variance = 0.0, z = interval_normal(d->level), half;

	for (int k = 0; k < SIDES; k++) {
		const struct difference_total *total = &d->total[k];
		double scale = total->per_tick / total->nruns;

		value[k] = total->value;
		if (d->repeated)
			variance += compare_mean_variance(&c->side[k].runs) * total->per_tick *
				    total->per_tick;
		else if (!d->counted)
			variance += (double)total->samples * scale * scale;
	}
	if (!(value[SIDE_BASE] > 0.0))
		return;
	if (d->repeated)
		z = interval_student(d->level,
				     c->side[SIDE_BASE].runs.n + c->side[SIDE_NEW].runs.n - 2);
	half = z * sqrt(variance > 0.0 ? variance : 0.0) / value[SIDE_BASE] * 100.0;
	d->delta = (value[SIDE_NEW] / value[SIDE_BASE] - 1.0) * 100.0;
	d->low = d->delta - half < -100.0 ? -100.0 : d->delta - half;
	d->high = d->delta + half;
}

/*
 * Sets the smallest change of the largest function that would have been found with a probability of
 * 80 %: 0.84 standard deviations beyond what the smallest p-value has to pass.
 */
static void compare_set_detectable(struct compare_maker *c)
{
	static const double power = 0.8416212335729143; /* normal deviate of 80 % */
	struct difference *d = c->d;
	const struct difference_row *largest = NULL;
	double z = interval_normal(chance_first_level(c->ntests, d->level)) + power;

	for (uint32_t i = 0; i < d->n && !d->counts_only; i++) {
		const struct difference_row *row = &d->row[i];

		if (row->self.tested && row->value[SIDE_BASE] > 0.0 && row->row != NO_ROW &&
		    (!largest || row->value[SIDE_BASE] > largest->value[SIDE_BASE]))
			largest = row;
	}
	if (!largest)
		return;
	d->largest = largest->name;
	/*
	 * The estimate assumes as many samples on the new side as its rate would give for an equal
	 * time.
	 */
	d->detectable = 100.0 * z *
			chance_error(d, compare_excess(c, largest),
				     (double)largest->amount[SIDE_BASE].samples,
				     largest->value[SIDE_BASE] / chance_scale(d, SIDE_NEW))
				.deviation /
			largest->value[SIDE_BASE];
}

static double compare_key(const struct difference *d, const struct difference_row *row,
			  enum compare_order order)
{
	switch (order) {
	case COMPARE_DELTA:
		return fabs(d->counts_only ? row->calls[SIDE_NEW] - row->calls[SIDE_BASE]
					   : row->self.delta);
	case COMPARE_NEW:
		return row->value[SIDE_NEW];
	case COMPARE_BASE:
		return row->value[SIDE_BASE];
	default:
		return 0.0;
	}
}

/* Sorts rows by the order that was asked for, then by name, and changes of_match accordingly. */
static void compare_sort(struct compare_maker *c, const uint32_t *by_name)
{
	struct difference *d = c->d;
	struct keyed *items = arena_array(c->mem, struct keyed, d->n);
	struct difference_row *sorted = arena_array(c->mem, struct difference_row, d->n);
	uint32_t *of_match = arena_array(c->mem, uint32_t, c->match->nrows);

	for (uint32_t i = 0; i < d->n; i++)
		items[i] = (struct keyed){ radix_key_descending(compare_key(d, &d->row[by_name[i]],
									    c->opt->order)),
					   by_name[i] };
	radix_sort_keyed(items, d->n, c->mem);
	memset(of_match, 0xff, c->match->nrows * sizeof(*of_match));
	for (uint32_t i = 0; i < d->n; i++) {
		sorted[i] = d->row[items[i].id];
		if (sorted[i].row != NO_ROW)
			of_match[sorted[i].row] = i;
	}
	d->row = sorted;
	d->of_match = of_match;
}

/* Whether no side has samples; then times were taken by a clock, or events were counted. */
static bool compare_is_exact(const struct compare_side sides[SIDES], bool timed)
{
	return sides[SIDE_BASE].integer_costs->exact && sides[SIDE_NEW].integer_costs->exact &&
	       sides[SIDE_NEW].integer_costs->timed == timed;
}

/* Whether each side has several runs that are known one by one. */
static bool compare_is_repeated(const struct compare_side sides[SIDES])
{
	bool repeated = true;

	for (int k = 0; k < SIDES; k++)
		repeated = repeated && sides[k].runs.sums && sides[k].runs.n > 1;
	return repeated;
}

/* Fits the variance of several runs, for all functions together. */
static void compare_fit_variance(struct compare_maker *c)
{
	const struct variance_runs runs[SIDES] = { c->side[SIDE_BASE].runs,
						   c->side[SIDE_NEW].runs };
	bool many = runs[SIDE_BASE].n >= VARIANCE_MANY_RUNS &&
		    runs[SIDE_NEW].n >= VARIANCE_MANY_RUNS && !c->d->counted && !c->d->waited;

	c->d->variance = variance_fit(runs, c->match->nrows, many || c->d->counted ? 0.0 : 1.0);
	c->d->variance.many_runs = many;
}

struct difference compare_sides(const struct compare_side sides[SIDES],
				const struct difference_match *match,
				const struct compare_options *opt, struct arena *mem)
{
	const struct costs_origin *base = &sides[SIDE_BASE].a->costs.origin;
	const struct costs_origin *new = &sides[SIDE_NEW].a->costs.origin;
	struct difference d = { .normalized = opt->normalize,
				.level = opt->level,
				.measured = base->measured && new->measured,
				.variance = { .excess = 1.0 },
				.waited = compare_is_exact(sides, true),
				.counted = compare_is_exact(sides, false) };
	struct compare_maker c = { sides, match, opt, &d, mem, NULL, 0 };
	uint32_t *by_name;

	compare_set_unit(&c);
	compare_set_totals(&c);
	compare_find_rows(&c);
	compare_add_up(&c);
	compare_identify(&c);
	compare_set_common(&c);
	compare_add_outside(&c);
	by_name = arena_array(mem, uint32_t, d.n);
	compare_set_names(&c, by_name);
	d.counts_only = d.total[SIDE_BASE].samples == 0 || d.total[SIDE_NEW].samples == 0;
	d.repeated = compare_is_repeated(sides);
	if (d.repeated)
		compare_fit_variance(&c);
	compare_set_delta(&c);
	compare_measure(&c);
	compare_judge(&c);
	compare_set_detectable(&c);
	compare_sort(&c, by_name);
	return d;
}
