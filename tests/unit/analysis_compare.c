/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is marked: of profiles of one program hardly ever anything, of a function that became slower
 * mostly this. Counts fall by Poisson's distribution, from a fixed seed; with several runs, the
 * program's speed differs from run to run, too.
 */
#include "testing.h"

#include "analysis/diff/compare.h"

#include <math.h>

enum { FUNCTIONS = 20, MOST_RUNS = 5, PAIRS = 400 };

static double uniform(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Events of a process in a time in which it has `mean` of them. */
static double poisson(double mean, uint64_t *seed)
{
	double n = 0.0, at = -log(uniform(seed));

	for (; at < mean; at -= log(uniform(seed)))
		n++;
	return n;
}

/* A bell, about: the sum of 12. */
static double normal(uint64_t *seed)
{
	double sum = -6.0;

	for (int i = 0; i < 12; i++)
		sum += uniform(seed);
	return sum;
}

/* A side; points into itself. */
struct made {
	struct sym sym[FUNCTIONS];
	struct program program;
	struct profile profile;
	struct analysis a;
	struct amounts amounts;
	double ticks[FUNCTIONS], run[MOST_RUNS][FUNCTIONS];
	uint64_t self[FUNCTIONS], samples[FUNCTIONS], calls[FUNCTIONS];
	sym_id listed[FUNCTIONS];
	uint32_t row[FUNCTIONS];
	uint32_t nruns;
	struct spread spread;
};

static const char *const names[FUNCTIONS] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
					      "k", "l", "m", "n", "o", "p", "q", "r", "s", "t" };

/* Counts of all runs are in `run`. */
static void make_side(struct made *m, uint32_t nruns, uint32_t rate)
{
	m->nruns = nruns;
	m->program.path = "a.out";
	m->program.symtab = (struct symtab){ m->sym, FUNCTIONS };
	m->profile.has_hists = true;
	m->profile.unit = (struct unit){ .rate = rate, .dimension = "seconds", .abbrev = 's' };
	m->a = (struct analysis){ .program = &m->program, .profile = &m->profile };
	m->a.ticks.self = m->ticks;
	m->a.calls.outer = m->calls;
	m->amounts = (struct amounts){ .timed = true,
				       .per_tick = 1e9 / rate,
				       .per_credit = 1e9 / rate,
				       .listed = m->listed,
				       .nlisted = FUNCTIONS,
				       .self = m->self,
				       .samples = m->samples,
				       .inclusive = m->self };
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		m->sym[i].name = names[i];
		m->listed[i] = m->row[i] = i;
		for (uint32_t r = 0; r < nruns; r++)
			m->ticks[i] += m->run[r][i];
		m->samples[i] = (uint64_t)m->ticks[i];
		m->self[i] = m->samples[i] * (1000000000 / rate);
		m->amounts.total += m->self[i];
		m->amounts.nsamples += m->samples[i];
	}
	m->a.ticks.total = (double)m->amounts.nsamples;
}

static struct difference compare(struct made made[SIDES], bool normalize, struct arena *mem)
{
	static const unsigned char rule[FUNCTIONS] = { RULE_NAME };
	struct difference_match match = {
		{ made[0].row, made[1].row }, FUNCTIONS, rule, { made[0].listed, made[1].listed }
	};
	const struct compare_options opt = { .normalize = normalize, .level = 95.0, .least = 5 };
	struct compare_side sides[SIDES];

	for (int k = 0; k < SIDES; k++) {
		struct made *m = &made[k];

		m->spread = spread_begin(
			&match, normalize ? (double)m->amounts.nsamples / m->nruns : 0.0, mem);
		for (uint32_t r = 0; r < m->nruns; r++) {
			struct ticks ticks = { .self = m->run[r] };

			for (uint32_t i = 0; i < FUNCTIONS; i++)
				ticks.total += m->run[r][i];
			spread_add(&m->spread, &match, (enum difference_side)k, &ticks, FUNCTIONS);
		}
		sides[k] = (struct compare_side){ &m->a, &m->amounts, NULL, m->nruns, &m->spread };
	}
	return compare_sides(sides, &match, &opt, mem);
}

/* Means of functions from `least` up by so much each; the new side's first is times `change`. */
struct trial {
	double least, step, change;
	double wander; /* of each function from run to run: standard deviation, as a part of it; */
	double speed;  /* of the whole run */
	uint32_t nruns, rate[SIDES];
	bool normalize;
};

/* In how many pairs the first function is marked as more, and in how many any other one. */
static void count_marks(const struct trial *t, unsigned *first, unsigned *others)
{
	uint64_t seed = 88172645463325252;

	*first = *others = 0;
	for (unsigned pair = 0; pair < PAIRS; pair++) {
		struct arena mem = test_arena();
		struct made *made = arena_array(&mem, struct made, SIDES);
		struct difference d;
		bool other = false;

		for (int k = 0; k < SIDES; k++) {
			for (uint32_t r = 0; r < t->nruns; r++) {
				double speed = 1.0 + t->speed * normal(&seed);

				for (uint32_t i = 0; i < FUNCTIONS; i++) {
					double mean = (t->least + t->step * i) * t->rate[k] / 100.0;

					mean *= speed;

					mean *= i == 0 && k == SIDE_NEW ? t->change : 1.0;
					mean *= 1.0 + t->wander * normal(&seed);
					made[k].run[r][i] = poisson(mean, &seed);
				}
			}
			make_side(&made[k], t->nruns, t->rate[k]);
		}
		d = compare(made, t->normalize, &mem);
		for (uint32_t i = 0; i < d.n; i++) {
			bool marked = d.row[i].verdict != VERDICT_NOISE;

			if (d.row[i].row == 0)
				*first += marked && d.row[i].verdict == VERDICT_MORE;
			if (d.row[i].row != 0 || t->change == 1.0)
				other = other || marked;
		}
		*others += other;
		arena_free(&mem);
	}
	print_message("# of %d pairs: %u with the first marked, %u with others\n", PAIRS, *first,
		      *others);
}

/* At most 5 % of pairs: 20 of 400, and 5 standard deviations of 4.4. */
static void a_program_and_itself(void **state)
{
	static const struct trial trials[] = {
		{ 10, 20, 1.0, 0.0, 0.0, 1, { 100, 100 }, false },
		{ 300, 10, 1.0, 0.0, 0.0, 1, { 100, 100 }, false },
		{ 10, 20, 1.0, 0.0, 0.0, 1, { 100, 100 }, true },
		{ 10, 20, 1.0, 0.0, 0.0, 1, { 100, 1000 }, false },
		{ 10, 20, 1.0, 0.0, 0.0, 3, { 100, 100 }, false },
		{ 10, 20, 1.0, 0.1, 0.0, 3, { 100, 100 }, false },
		{ 10, 20, 1.0, 0.1, 0.0, 3, { 100, 100 }, true },
		{ 10, 20, 1.0, 0.0, 0.1, 3, { 100, 100 }, false },
		{ 10, 20, 1.0, 0.05, 0.1, 3, { 100, 100 }, true },
	};
	unsigned first, others;

	(void)state;
	for (size_t i = 0; i < COUNT(trials); i++) {
		count_marks(&trials[i], &first, &others);
		assert_in_range(others, 0, 42);
	}
}

/* 1000 samples a side, 20 % more: found in 89 % of pairs, as arithmetic says for one of 20. */
static void a_slower_function(void **state)
{
	static const struct trial one = { 1000, -40, 1.2, 0.0, 0.0, 1, { 100, 100 }, false };
	static const struct trial three = { 1000, -40, 1.2, 0.0, 0.0, 3, { 100, 100 }, false };
	unsigned first, others;

	(void)state;
	count_marks(&one, &first, &others);
	assert_in_range(first, 325, PAIRS);
	assert_in_range(others, 0, 70);
	count_marks(&three, &first, &others);
	assert_in_range(first, 395, PAIRS);
	assert_in_range(others, 0, 70);
}

static void nothing_differs_from_itself(void **state)
{
	struct arena mem = test_arena();
	struct made *made = arena_array(&mem, struct made, SIDES);
	struct difference d;

	(void)state;
	for (int k = 0; k < SIDES; k++) {
		for (uint32_t i = 0; i < FUNCTIONS; i++)
			made[k].run[0][i] = 7 * i;
		make_side(&made[k], 1, 100);
	}
	d = compare(made, false, &mem);
	for (uint32_t i = 0; i < d.n; i++) {
		assert_true(d.row[i].delta == 0.0);
		assert_int_equal(d.row[i].verdict, VERDICT_NOISE);
		assert_true(!d.row[i].tested || d.row[i].p > 0.999999);
	}
	arena_free(&mem);
}

/* By hand: 5 p-values, of which the procedure takes the first three, though the second is above its
 * own bound. */
static void the_procedure(void **state)
{
	double p[] = { 0.9, 0.025, 0.001, 0.028, 0.5 };
	double none[] = { 0.06, 0.9 };

	(void)state;
	assert_true(compare_threshold(p, COUNT(p), 95.0) == 0.028);
	assert_true(compare_threshold(none, COUNT(none), 95.0) == -1.0);
	assert_true(compare_threshold(none, 0, 95.0) == -1.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_and_itself),
		cmocka_unit_test(a_slower_function),
		cmocka_unit_test(nothing_differs_from_itself),
		cmocka_unit_test(the_procedure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
