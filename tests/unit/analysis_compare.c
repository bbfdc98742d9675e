/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is marked: of profiles of one program hardly ever anything, of a function that became slower
 * mostly this. Counts fall by Poisson's distribution, from a fixed seed; with several runs, the
 * program's speed differs from run to run, too.
 */
#include "testing.h"

#include "analysis/diff/chance.h"
#include "analysis/diff/compare.h"

#include <math.h>
#include <string.h>

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
	struct integer_costs integer_costs;
	double ticks[FUNCTIONS], run[MOST_RUNS][FUNCTIONS];
	uint64_t self[FUNCTIONS], samples[FUNCTIONS], calls[FUNCTIONS];
	sym_id listed[FUNCTIONS];
	uint32_t row[FUNCTIONS];
	uint32_t nruns;
	struct run_sums sums;
	double total[MOST_RUNS];
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
	m->a.costs.self = m->ticks;
	m->a.costs.calls.outer = m->calls;
	m->integer_costs = (struct integer_costs){ .timed = true,
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
		m->integer_costs.total += m->self[i];
		m->integer_costs.nsamples += m->samples[i];
	}
	m->a.costs.total = (double)m->integer_costs.nsamples;
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

		m->sums = run_sums_begin(FUNCTIONS, m->total, mem);
		if (normalize)
			m->sums.scaled_to = (double)m->integer_costs.nsamples / m->nruns;
		for (uint32_t r = 0; r < m->nruns; r++) {
			m->total[r] = 0.0;
			for (uint32_t i = 0; i < FUNCTIONS; i++) {
				run_sums_add(&m->sums, i, m->run[r][i]);
				m->sums.now += m->run[r][i];
			}
			run_sums_end_run(&m->sums, r);
		}
		sides[k] = (struct compare_side){ &m->a,    &m->integer_costs,      NULL,
						  m->nruns, { &m->sums, m->nruns }, 1.0 };
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
			bool marked = d.row[i].self.verdict != VERDICT_NOISE;

			if (d.row[i].row == 0)
				*first += marked && d.row[i].self.verdict == VERDICT_MORE;
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

/* 1000 samples a side, 20 % more: found in 89 % of pairs, as arithmetic says for one of 20. That
 * one is marked rightly does not make it likelier that another one is marked. */
static void a_slower_function(void **state)
{
	static const struct trial one = { 1000, -40, 1.2, 0.0, 0.0, 1, { 100, 100 }, false };
	static const struct trial three = { 1000, -40, 1.2, 0.0, 0.0, 3, { 100, 100 }, false };
	unsigned first, others;

	(void)state;
	count_marks(&one, &first, &others);
	assert_in_range(first, 325, PAIRS);
	assert_in_range(others, 0, 42);
	count_marks(&three, &first, &others);
	assert_in_range(first, 395, PAIRS);
	assert_in_range(others, 0, 42);
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
		assert_true(d.row[i].self.delta == 0.0);
		assert_int_equal(d.row[i].self.verdict, VERDICT_NOISE);
		assert_true(!d.row[i].self.tested || d.row[i].self.p > 0.999999);
	}
	arena_free(&mem);
}

/* By hand: of 5 p-values the first must pass 0.01, the next 0.0125, and 0.018 comes before 0.025
 * but fails its own 0.05 / 3. */
static void the_procedure(void **state)
{
	double p[] = { 0.9, 0.018, 0.0001, 0.012, 0.5 };
	double first_fails[] = { 0.02, 0.011, 0.012, 0.013, 0.014 };
	double last[] = { 0.05, 0.025 };
	double none[] = { 0.06, 0.9 };

	(void)state;
	assert_true(chance_threshold(p, COUNT(p), 95.0) == 0.012);
	assert_true(chance_threshold(first_fails, COUNT(first_fails), 95.0) == -1.0);
	assert_true(chance_threshold(last, COUNT(last), 95.0) == 0.05);
	assert_true(chance_threshold(none, COUNT(none), 95.0) == -1.0);
	assert_true(chance_threshold(none, 0, 95.0) == -1.0);
	assert_true(fabs(chance_first_level(20, 95.0) - 99.75) < 1e-12);
	assert_true(chance_first_level(0, 95.0) == 95.0);
}

static struct difference single_runs(double per_sample)
{
	struct difference d = { .level = 95.0 };

	for (int k = 0; k < SIDES; k++)
		d.total[k] = (struct difference_total){
			.nruns = 1, .samples = 1000, .per_tick = 0.01, .per_sample = per_sample
		};
	return d;
}

/* Where two ticks tell as much as one sample, 160 and 240 of them are as 80 and 120 samples, by and
 * large; with one each, the test is that of the counts. */
static void ticks_that_tell_less(void **state)
{
	struct difference one = single_runs(1.0), two = single_runs(2.0);
	double p = chance_p(&one, 160, 240, CHANCE_SHOWN), half, wanted;

	(void)state;
	assert_true(fabs(p - 6.0e-5) < 1e-5);
	half = chance_p(&two, 160, 240, CHANCE_SHOWN);
	wanted = chance_p(&one, 80, 120, CHANCE_SHOWN);
	assert_true(fabs(half - wanted) < 1e-4);
	assert_true(chance_p(&two, 200, 200, CHANCE_SHOWN) > 0.9999);
	assert_true(chance_p(&two, 0, 0, CHANCE_SHOWN) == 1.0);
	assert_true(chance_p(&two, 0, 1000000, CHANCE_SHOWN) < 1e-300);
	assert_true(fabs(chance_error(&two, 160, 240).deviation -
			 sqrt(2.0) * chance_error(&one, 160, 240).deviation) < 1e-12);
}

/* What the first function's callers are: all have its time, by stacks. */
static struct difference with_callers(double more, struct arena *mem)
{
	static const uint64_t per_tick = 10000000;
	struct made *made = arena_array(mem, struct made, SIDES);

	for (int k = 0; k < SIDES; k++) {
		uint64_t *inclusive = arena_array(mem, uint64_t, FUNCTIONS);

		for (uint32_t i = 0; i < FUNCTIONS; i++)
			made[k].run[0][i] = i == 0 ? 1000.0 * (k == SIDE_NEW ? more : 1.0) : 20.0;
		make_side(&made[k], 1, 100);
		for (uint32_t i = 0; i < FUNCTIONS; i++)
			inclusive[i] = made[k].self[i];
		inclusive[1] += made[k].self[0];
		inclusive[2] += 100 * per_tick;
		made[k].integer_costs.inclusive = inclusive;
		made[k].a.costs.origin.measured = true;
	}
	return compare(made, false, mem);
}

/* The caller of what became slower is so by its inclusive time alone; others are not, and a
 * function without callees has one test. */
static void callers(void **state)
{
	struct arena mem = test_arena();
	struct difference d = with_callers(1.3, &mem);

	(void)state;
	assert_true(d.measured);
	for (uint32_t i = 0; i < d.n; i++) {
		const struct difference_row *row = &d.row[i];
		bool leaf = row->row != 1 && row->row != 2;

		assert_int_equal(row->self.verdict, row->row == 0 ? VERDICT_MORE : VERDICT_NOISE);
		assert_int_equal(row->whole.verdict, row->row < 2 ? VERDICT_MORE : VERDICT_NOISE);
		assert_true(!leaf || row->whole.p == row->self.p);
		assert_true(row->row != 1 || (row->self.p > 0.99 && row->whole.p < 1e-6));
		assert_true(row->row != 1 || fabs(row->whole.delta - 3.0) < 1e-9);
		assert_true(row->row != 2 || row->amount[SIDE_NEW].whole == 120);
	}
	arena_free(&mem);
}

/* xz -3 against xz -4, three runs each: most functions are of one side alone. What these vary by is
 * known from their own side, so the 28 samples that are gone are no chance. */
static void functions_of_one_side(void **state)
{
	static const double runs[SIDES][3][FUNCTIONS] = {
		{ { 64, 10, 8, 8 }, { 63, 9, 10, 7 }, { 66, 10, 10, 9 } },
		{ { 0, 0, 0, 5, 44, 29, 17, 12 },
		  { 0, 0, 0, 6, 45, 28, 18, 13 },
		  { 0, 0, 0, 5, 44, 31, 17, 12 } },
	};
	struct arena mem = test_arena();
	struct made *made = arena_array(&mem, struct made, SIDES);
	struct difference d;

	(void)state;
	for (int k = 0; k < SIDES; k++) {
		memcpy(made[k].run, runs[k], sizeof(runs[k]));
		make_side(&made[k], 3, 100);
	}
	d = compare(made, false, &mem);
	assert_int_equal(d.variance.freedom, 2 * (4 + 5));
	for (uint32_t i = 0; i < d.n; i++) {
		uint32_t row = d.row[i].row;

		assert_int_equal(d.row[i].self.verdict, row < 3              ? VERDICT_LESS
							: row > 3 && row < 8 ? VERDICT_MORE
									     : VERDICT_NOISE);
	}
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_and_itself),        cmocka_unit_test(a_slower_function),
		cmocka_unit_test(nothing_differs_from_itself), cmocka_unit_test(the_procedure),
		cmocka_unit_test(ticks_that_tell_less),        cmocka_unit_test(callers),
		cmocka_unit_test(functions_of_one_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
