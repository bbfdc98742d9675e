/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up stacks, against lists of them as texts. */
#include "randomstacks.h"

#include "model/recorded_sum.h"

enum { MAX_DEPTH = 64, LINE = 2000 };

/* A module by what makes it the same as another. */
static size_t module_text(char *to, const struct recorded *rec, uint32_t i)
{
	const struct module *m;

	if (i == RECORDED_NONE)
		return (size_t)snprintf(to, LINE, "none");
	m = &rec->modules.at[i];
	return (size_t)snprintf(to, LINE, "%s%u", m->build_id_bytes ? "id" : m->path,
				m->build_id_bytes);
}

/* A sample as text, without its ticks. */
static void sample_text(char *to, const struct recorded *rec, const struct recorded_sample *s,
			uint32_t recordings)
{
	const struct recorded_thread *t = &rec->threads.at[s->thread];
	const struct recorded_kind *kind = &rec->kinds.at[s->kind];
	uint32_t node = s->node;

	to += snprintf(to, LINE, "%u %u %s %s %u %d", t->recording + recordings, t->tid, t->name,
		       kind->name, kind->unit.rate, (int)s->quality);
	for (int depth = 0; node != RECORDED_NONE; depth++) {
		const struct recorded_node *n = &rec->nodes.at[node];

		assert_true(depth < MAX_DEPTH);
		assert_true(n->parent == RECORDED_NONE || n->parent < node);
		to += snprintf(to, LINE, " 0x%llx:", (unsigned long long)n->address);
		to += module_text(to, rec, n->module);
		node = n->parent;
	}
}

struct lines {
	size_t n;
	struct line {
		char text[LINE * 2];
		uint64_t ticks;
	} * at;
};

static int compare_lines(const void *x, const void *y)
{
	const struct line *a = x, *b = y;
	int order = strcmp(a->text, b->text);

	return order ? order : (a->ticks > b->ticks) - (a->ticks < b->ticks);
}

/* The samples of n sets, whose recordings are numbered one set after the other. */
static struct lines all_lines(const struct recorded *recs, size_t n, struct arena *mem)
{
	struct lines lines = { 0 };
	uint32_t recordings = 0;

	for (size_t i = 0; i < n; i++)
		lines.n += recs[i].samples.n;
	lines.at = arena_array(mem, struct line, lines.n);
	lines.n = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < recs[i].samples.n; k++) {
			struct line *line = &lines.at[lines.n++];

			sample_text(line->text, &recs[i], &recs[i].samples.at[k], recordings);
			line->ticks = recs[i].samples.at[k].ticks;
		}
		recordings += recs[i].nfiles;
	}
	if (lines.n > 0)
		qsort(lines.at, lines.n, sizeof(lines.at[0]), compare_lines);
	return lines;
}

static void expect_lines(const struct lines *got, const struct lines *expected)
{
	assert_int_equal(got->n, expected->n);
	for (size_t i = 0; i < got->n; i++) {
		assert_string_equal(got->at[i].text, expected->at[i].text);
		assert_true(got->at[i].ticks == expected->at[i].ticks);
	}
}

static void expect_distinct(const struct recorded *rec)
{
	for (size_t i = 0; i < rec->nodes.n; i++) {
		for (size_t k = 0; k < i; k++)
			assert_memory_not_equal(&rec->nodes.at[i], &rec->nodes.at[k],
						sizeof(rec->nodes.at[i]));
	}
	for (uint32_t i = 0; i < rec->modules.n; i++) {
		for (uint32_t k = 0; k < i; k++) {
			char a[LINE], b[LINE];

			module_text(a, rec, i);
			module_text(b, rec, k);
			assert_string_not_equal(a, b);
		}
	}
}

enum { SETS = 4 };

/* One after the other; the first one as it is, or not; the last two as a sum of their own. */
static void as_lists_of_stacks(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct arena mem = test_arena();
		struct recorded recs[SETS], sum = { .nlack = 2 }, all = { 0 }, last = { 0 };
		struct recorded_index in_sum = { 0 }, in_all = { 0 }, in_last = { 0 };
		struct lines expected, got;
		uint64_t ticks = 0;

		for (int i = 0; i < SETS; i++) {
			recs[i] = random_stacks(&seed, &mem);
			ticks += recs[i].ticks;
			assert_true(recorded_sum_add(&all, &in_all, &recs[i], &mem));
		}
		expected = all_lines(recs, SETS, &mem);
		got = all_lines(&all, 1, &mem);
		expect_lines(&got, &expected);
		expect_distinct(&all);
		assert_int_equal(all.ticks, ticks);
		recorded_sum_begin(&sum, &recs[0]);
		assert_true(recorded_sum_add(&sum, &in_sum, &recs[1], &mem));
		recorded_sum_lack(&sum, true);
		for (int i = 2; i < SETS; i++)
			assert_true(recorded_sum_add(&last, &in_last, &recs[i], &mem));
		assert_true(recorded_sum_add(&sum, &in_sum, &last, &mem));
		got = all_lines(&sum, 1, &mem);
		expect_lines(&got, &expected);
		expect_distinct(&sum);
		assert_int_equal(sum.nodes.n, all.nodes.n);
		assert_int_equal(sum.nfiles, all.nfiles);
		assert_int_equal(sum.nlack, 3);
		assert_int_equal(sum.nignored, 1);
		assert_int_equal(all.nlack, 0);
		recorded_sum_end(&in_sum, &mem);
		arena_free(&mem);
	}
}

static struct recorded one_module(uint64_t bias, unsigned flags, struct arena *mem)
{
	struct recorded rec = { .nfiles = 1 };

	array_push(mem, &rec.modules) = (struct module){ .lo = bias + 0x400,
							 .hi = bias + 0x500,
							 .bias = bias,
							 .bytes = 7,
							 .path = "lib",
							 .flags = flags };
	return rec;
}

/* What is at one place keeps it; in any order, what is at two has link-time addresses. */
static void places_of_modules(void **state)
{
	static const uint64_t biases[][3] = {
		{ 0x7000, 0x7000, 0x7000 }, { 0x7000, 0x7000, 0x9000 }, { 0x9000, 0x7000, 0x7000 },
		{ 0x7000, 0x9000, 0x7000 }, { 0, 0x7000, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(biases); i++) {
		struct arena mem = test_arena();
		struct recorded sum = { 0 };
		struct recorded_index index = { 0 };
		uint64_t bias = i == 0 ? 0x7000 : 0;

		for (unsigned k = 0; k < 3; k++) {
			struct recorded one = one_module(biases[i][k], k == 1 ? 4 : 0, &mem);

			assert_true(recorded_sum_add(&sum, &index, &one, &mem));
		}
		assert_int_equal(sum.modules.n, 1);
		assert_int_equal(sum.modules.at[0].bias, bias);
		assert_int_equal(sum.modules.at[0].lo, bias + 0x400);
		assert_int_equal(sum.modules.at[0].hi, bias + 0x500);
		assert_int_equal(sum.modules.at[0].bytes, 7);
		assert_int_equal(sum.modules.at[0].flags, MODULE_UNLOADED);
		arena_free(&mem);
	}
}

/* The program is not a library of the same path, and CPU time is one kind whatever its rate. */
static void what_is_the_same(void **state)
{
	struct arena mem = test_arena();
	struct recorded sum = { 0 }, a = one_module(0, MODULE_PROGRAM, &mem),
			b = one_module(0, 0, &mem);
	struct recorded_index index = { 0 };

	(void)state;
	array_push(&mem, &a.kinds) = (struct recorded_kind){ "cpu", { 100, "seconds", 's' } };
	array_push(&mem, &b.kinds) = (struct recorded_kind){ "cpu", { 1000, "seconds", 's' } };
	assert_true(recorded_sum_add(&sum, &index, &a, &mem));
	assert_true(recorded_sum_add(&sum, &index, &b, &mem));
	assert_int_equal(sum.modules.n, 2);
	assert_int_equal(sum.kinds.n, 1);
	assert_int_equal(sum.kinds.at[0].unit.rate, 100);
	arena_free(&mem);
}

static void too_many_ticks(void **state)
{
	struct arena mem = test_arena();
	struct recorded sum = { .nfiles = 1, .ticks = UINT64_MAX - 5 },
			more = { .nfiles = 1, .ticks = 5 };
	struct recorded_index index = { 0 };

	(void)state;
	assert_true(recorded_sum_add(&sum, &index, &more, &mem));
	more.ticks = 1;
	assert_false(recorded_sum_add(&sum, &index, &more, &mem));
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_lists_of_stacks),
		cmocka_unit_test(places_of_modules),
		cmocka_unit_test(what_is_the_same),
		cmocka_unit_test(too_many_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
