/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is marked: of profiles of one program hardly ever anything, of a function that became slower
 * mostly this. Counts fall by Poisson's distribution, or differ by less, from a fixed seed; with
 * several runs, the program's speed differs from run to run, too.
 */
#include "testing.h"

#include "analysis/diff/chance.h"
#include "analysis/diff/compare.h"
#include "base/interval.h"

#include <math.h>
#include <string.h>

enum { FUNCTIONS = 20, MOST_RUNS = 20, PAIRS = 400 };

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

/* Samples at random places of equal intervals: of a function that recurs within some intervals,
 * counts of runs differ by less than Poisson's. A part of the mean is certain, but for rounding. */
static double stratified(double mean, double excess, uint64_t *seed)
{
	double certain = mean * (1.0 - excess), whole = floor(certain);

	return whole + (uniform(seed) < certain - whole) + poisson(mean * excess, seed);
}

/* The p-value of Welch's test (Biometrika 34:28) of the counts of one function. */
static double welch(struct made made[SIDES], uint32_t i)
{
	double mean[SIDES], part[SIDES], freedom = 0.0, error = 0.0;

	for (int k = 0; k < SIDES; k++) {
		uint32_t n = made[k].nruns;
		double squares = 0.0;

		mean[k] = made[k].ticks[i] / n;
		for (uint32_t r = 0; r < n; r++)
			squares += (made[k].run[r][i] - mean[k]) * (made[k].run[r][i] - mean[k]);
		part[k] = squares / (n - 1) / n;
		error += part[k];
		freedom += part[k] * part[k] / (n - 1);
	}
	if (!(error > 0.0))
		return mean[SIDE_BASE] == mean[SIDE_NEW] ? 1.0 : 0.0;
	return interval_student_beyond((mean[SIDE_NEW] - mean[SIDE_BASE]) / sqrt(error),
				       (uint32_t)(error * error / freedom));
}

/* How often p is below 0.05 in 400 pairs of runs of stratified samples. The first function takes
 * `change` times as long on the new side; functions 1 to 9 do not change, and their excess is
 * `excess` times 0.1 to 1. */
struct found {
	unsigned first, by_welch; /* the first function */
	unsigned others, marked;  /* functions that did not change; pairs in which one is marked */
};

static struct found count_stratified(uint32_t nruns, double excess, double speed, double change)
{
	uint64_t seed = 88172645463325252;
	struct found found = { 0 };

	for (unsigned pair = 0; pair < PAIRS; pair++) {
		struct arena mem = test_arena();
		struct made *made = arena_array(&mem, struct made, SIDES);
		struct difference d;
		bool marked = false;

		for (int k = 0; k < SIDES; k++) {
			for (uint32_t r = 0; r < nruns; r++) {
				double run = 1.0 + speed * normal(&seed);

				for (uint32_t i = 0; i < 10; i++) {
					double mean = (i == 0 ? 25 : 4 + 8 * i) * run;

					mean *= i == 0 && k == SIDE_NEW ? change : 1.0;
					made[k].run[r][i] =
						stratified(mean, excess * (10 - i) / 10.0, &seed);
				}
			}
			make_side(&made[k], nruns, 250);
		}
		d = compare(made, false, &mem);
		for (uint32_t i = 0; i < d.n; i++) {
			const struct difference_test *test = &d.row[i].self;

			if (d.row[i].row == 0) {
				found.first += test->tested && test->p < 0.05;
			} else if (test->tested) {
				found.others += test->p < 0.05;
				marked = marked || test->verdict != VERDICT_NOISE;
			}
		}
		found.by_welch += welch(made, 0) < 0.05;
		found.marked += marked;
		arena_free(&mem);
	}
	print_message(
		"# %u runs a side, excess %.1f: 20 %% found in %u of %d pairs, by Welch in %u; "
		"others have p < 0.05 in %.1f %%, a mark in %u pairs\n",
		nruns, excess, found.first, PAIRS, found.by_welch,
		found.others * 100.0 / (9 * PAIRS), found.marked);
	return found;
}

/* Of 400 pairs, a change of 20 % is found in nearly as many as by Welch's test; what did not change
 * has p < 0.05 in 5 % of 3600 tests (180, and 4 standard deviations), and a mark in 5 % of pairs.
 */
static void many_runs_of_stratified_samples(void **state)
{
	static const uint32_t runs[] = { 2, 4, 8, 20 };
	static const struct {
		double excess, speed;
	} cases[] = { { 1.0, 0.0 }, { 0.3, 0.0 }, { 0.3, 0.03 } };

	(void)state;
	for (size_t i = 0; i < COUNT(runs) * COUNT(cases); i++) {
		struct found found =
			count_stratified(runs[i % COUNT(runs)], cases[i / COUNT(runs)].excess,
					 cases[i / COUNT(runs)].speed, 1.2);
		unsigned missed = PAIRS - found.first, by_welch = PAIRS - found.by_welch;

		assert_in_range(found.others, 0, 180 + 52);
		assert_in_range(found.marked, 0, 42);
		if (runs[i % COUNT(runs)] >= 6)
			assert_in_range(missed, 0, by_welch + by_welch / 2 + 4);
	}
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
	double p = chance_p(&one, CHANCE_UNKNOWN, 160, 240, CHANCE_SHOWN), half, wanted;

	(void)state;
	assert_true(fabs(p - 6.0e-5) < 1e-5);
	half = chance_p(&two, CHANCE_UNKNOWN, 160, 240, CHANCE_SHOWN);
	wanted = chance_p(&one, CHANCE_UNKNOWN, 80, 120, CHANCE_SHOWN);
	assert_true(fabs(half - wanted) < 1e-4);
	assert_true(chance_p(&two, CHANCE_UNKNOWN, 200, 200, CHANCE_SHOWN) > 0.9999);
	assert_true(chance_p(&two, CHANCE_UNKNOWN, 0, 0, CHANCE_SHOWN) == 1.0);
	assert_true(chance_p(&two, CHANCE_UNKNOWN, 0, 1000000, CHANCE_SHOWN) < 1e-300);
	assert_true(fabs(chance_error(&two, CHANCE_UNKNOWN, 160, 240).deviation -
			 sqrt(2.0) * chance_error(&one, CHANCE_UNKNOWN, 160, 240).deviation) <
		    1e-12);
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
		cmocka_unit_test(a_program_and_itself),
		cmocka_unit_test(a_slower_function),
		cmocka_unit_test(nothing_differs_from_itself),
		cmocka_unit_test(the_procedure),
		cmocka_unit_test(ticks_that_tell_less),
		cmocka_unit_test(callers),
		cmocka_unit_test(functions_of_one_side),
		cmocka_unit_test(many_runs_of_stratified_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
