/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up stacks, against lists of them as texts. */
#include "randomstacks.h"

#include "model/recorded_made.h"

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

/* An end of an arc, or where a bin is, as text. */
static int place_text(char *to, const struct recorded *rec, uint32_t module, uint64_t address)
{
	bool made = module != RECORDED_NONE && rec->modules.at[module].flags & MODULE_MADE;
	int n = made ? sprintf(to, " %s %s %u:", rec->made.at[address].name,
			       rec->made.at[address].file, rec->made.at[address].line)
		     : sprintf(to, " 0x%llx:", (unsigned long long)address);

	return n + (int)module_text(to + n, rec, module);
}

/* An arc as text, without its calls and its order; `threads` is how many there were before. */
static void arc_text(char *to, const struct recorded *rec, const struct recorded_arc *arc,
		     size_t threads)
{
	to += sprintf(to, "arc %d",
		      arc->thread == RECORDED_NONE ? -1 : (int)(arc->thread + threads));
	to += place_text(to, rec, arc->from_module, arc->from);
	place_text(to, rec, arc->self_module, arc->self);
}

static void bin_text(char *to, const struct recorded *rec, const struct recorded_bin *bin)
{
	const struct recorded_kind *kind = &rec->kinds.at[bin->kind];

	to += sprintf(to, "bin %s %u", kind->name, kind->unit.rate);
	place_text(to, rec, bin->module, bin->address);
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
		to += place_text(to, rec, n->module, n->address);
		node = n->parent;
	}
}

struct lines {
	size_t n;
	struct line {
		char text[LINE * 2];
		uint64_t ticks; /* or calls */
	} * at;
};

static int compare_lines(const void *x, const void *y)
{
	const struct line *a = x, *b = y;
	int order = strcmp(a->text, b->text);

	return order ? order : (a->ticks > b->ticks) - (a->ticks < b->ticks);
}

/* Of lines with the same text one, with the ticks of all. */
static void add_up(struct lines *lines)
{
	size_t n = 0;

	if (lines->n > 0)
		qsort(lines->at, lines->n, sizeof(lines->at[0]), compare_lines);
	for (size_t i = 0; i < lines->n; i++) {
		if (n > 0 && strcmp(lines->at[n - 1].text, lines->at[i].text) == 0)
			lines->at[n - 1].ticks += lines->at[i].ticks;
		else
			lines->at[n++] = lines->at[i];
	}
	lines->n = n;
}

/* The arcs and bins of n sets; *distinct: no two of them are the same. */
static struct lines objects_lines(const struct recorded *recs, size_t n, bool *distinct,
				  struct arena *mem)
{
	struct lines lines = { 0 };
	size_t threads = 0, all;

	for (size_t i = 0; i < n; i++)
		lines.n += recs[i].arcs.n + recs[i].bins.n;
	lines.at = arena_array(mem, struct line, lines.n);
	lines.n = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < recs[i].arcs.n; k++) {
			arc_text(lines.at[lines.n].text, &recs[i], &recs[i].arcs.at[k], threads);
			lines.at[lines.n++].ticks = recs[i].arcs.at[k].calls;
		}
		for (size_t k = 0; k < recs[i].bins.n; k++) {
			bin_text(lines.at[lines.n].text, &recs[i], &recs[i].bins.at[k]);
			lines.at[lines.n++].ticks = recs[i].bins.at[k].ticks;
		}
		threads += recs[i].threads.n;
	}
	all = lines.n;
	add_up(&lines);
	*distinct = lines.n == all;
	return lines;
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

/* As a list of all, one after the other or in two sums. */
static void calls_and_ticks(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct arena mem = test_arena();
		struct recorded recs[SETS], sum = { 0 }, last = { 0 };
		struct recorded_index in_sum = { 0 }, in_last = { 0 };
		struct lines expected, got;
		uint64_t calls = 0, ticks = 0, nobjects = 0;
		bool distinct;

		for (int i = 0; i < SETS; i++) {
			recs[i] = random_stacks(&seed, &mem);
			calls += recs[i].ncalls;
			ticks += recs[i].bin_ticks;
			nobjects += recs[i].nobjects;
		}
		expected = objects_lines(recs, SETS, &distinct, &mem);
		recorded_sum_begin(&sum, &recs[0]);
		assert_true(recorded_sum_add(&sum, &in_sum, &recs[1], &mem));
		for (int i = 2; i < SETS; i++)
			assert_true(recorded_sum_add(&last, &in_last, &recs[i], &mem));
		assert_true(recorded_sum_add(&sum, &in_sum, &last, &mem));
		got = objects_lines(&sum, 1, &distinct, &mem);
		assert_true(distinct);
		expect_lines(&got, &expected);
		assert_true(sum.ncalls == calls && sum.bin_ticks == ticks);
		assert_true(sum.nobjects == nobjects);
		arena_free(&mem);
	}
}

/* Of one recording the order is known, of the other not. */
static void orders_of_calls(void **state)
{
	static const uint32_t firsts[][3] = {
		{ 3, 5, 3 }, { 5, 3, 3 }, { 3, 0, 0 }, { 0, 3, 0 }, { 0, 0, 0 }
	};

	(void)state;
	for (size_t i = 0; i < COUNT(firsts); i++) {
		struct arena mem = test_arena();
		struct recorded sum = { 0 };
		struct recorded_index index = { 0 };

		for (unsigned k = 0; k < 2; k++) {
			struct recorded one = { .nlack = 1, .nobjects = 1, .ncalls = 4 };

			array_push(&mem, &one.arcs) =
				(struct recorded_arc){ RECORDED_NONE, RECORDED_NONE, 1, 2, 4,
						       RECORDED_NONE, firsts[i][k] };
			assert_true(recorded_sum_add(&sum, &index, &one, &mem));
		}
		assert_int_equal(sum.arcs.n, 1);
		assert_int_equal(sum.arcs.at[0].calls, 8);
		assert_int_equal(sum.arcs.at[0].first, firsts[i][2]);
		assert_true(recorded_has_objects(&sum));
		recorded_sum_lack(&sum, false);
		assert_false(recorded_has_objects(&sum));
		arena_free(&mem);
	}
}

/* One path, two builds; or two paths, or the same build at two paths. */
static void builds_of_a_library(void **state)
{
	static const struct {
		const char *path, *other;
		unsigned char id, other_id;
		const char *expected;
	} cases[] = {
		{ "b", "b", 1, 2, "b" },  { "b", "b", 1, 1, NULL }, { "b", "c", 1, 2, NULL },
		{ "b", "c", 1, 1, NULL }, { "b", "b", 1, 0, "b" },  { "b", "b", 0, 0, NULL },
		{ "", "", 1, 2, NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena mem = test_arena();
		struct recorded sum = { 0 };
		struct recorded_index index = { 0 };
		const char *twins;

		for (unsigned k = 0; k < 2; k++) {
			struct recorded one = one_module(0, 0, &mem);
			unsigned char id = k ? cases[i].other_id : cases[i].id;

			one.modules.at[0].path = k ? cases[i].other : cases[i].path;
			one.modules.at[0].build_id_bytes = id ? 20 : 0;
			memset(one.modules.at[0].build_id, id, 20);
			assert_true(recorded_sum_add(&sum, &index, &one, &mem));
		}
		twins = recorded_sum_rebuilt(&sum, &mem);
		assert_int_equal(!twins, !cases[i].expected);
		if (twins)
			assert_string_equal(twins, cases[i].expected);
		arena_free(&mem);
	}
}

/* The smaller one of the two ranges is below the bias, the other one not. */
static void ranges_around_the_bias(void **state)
{
	struct arena mem = test_arena();
	struct recorded sum = { 0 }, a = one_module(0x7000, 0, &mem),
			b = one_module(0x7000, 0, &mem);
	struct recorded_index index = { 0 };
	const struct module *m;

	(void)state;
	b.modules.at[0].lo = 0x1000;
	b.modules.at[0].hi = 0x2000;
	assert_true(recorded_sum_add(&sum, &index, &a, &mem));
	assert_true(recorded_sum_add(&sum, &index, &b, &mem));
	m = &sum.modules.at[0];
	assert_int_equal(sum.modules.n, 1);
	assert_true(m->lo - m->bias <= m->hi - m->bias);
	assert_true(0x400 - (m->lo - m->bias) < m->hi - m->lo);
	assert_true((uint64_t)0x1000 - 0x7000 - (m->lo - m->bias) < m->hi - m->lo);
	arena_free(&mem);
}

/* What is at one place keeps it; in any order, what is at two has link-time addresses. */
static void line_costs_of_modules(void **state)
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

/* Functions that were made at run time: what belongs to one comes together, its lines first. */
static void made_functions_come_together(void **state)
{
	static const struct recorded_made made[] = {
		{ "f", "", 0 },   { "g", "/a", 7 }, { "f", "/a", 3 },
		{ "g", "/a", 2 }, { "f", "/a", 1 },
	};
	static const struct recorded_made wanted[] = {
		{ "f", "/a", 3 }, { "f", "/a", 1 }, { "f", "", 0 },
		{ "g", "/a", 7 }, { "g", "/a", 2 },
	};
	static const uint64_t place[] = { 2, 3, 0, 4, 1, 5 };
	struct arena mem = test_arena();
	struct recorded before = one_module(0x7000, 0, &mem), after;

	(void)state;
	before.modules.n = 0;
	array_push(&mem, &before.modules) = (struct module){ .path = "/lib/x.so", .hi = 9 };
	array_push(&mem, &before.modules) =
		(struct module){ .path = "[jit]", .hi = 5, .flags = MODULE_MADE };
	for (uint32_t i = 0; i < COUNT(place); i++) {
		if (i < COUNT(made))
			array_push(&mem, &before.made) = made[i];
		for (uint32_t module = 0; module < 2; module++) {
			array_push(&mem, &before.bins) =
				(struct recorded_bin){ .module = module, .address = i };
			array_push(&mem, &before.arcs) = (struct recorded_arc){
				.from_module = module, .from = i, .self_module = module, .self = i
			};
		}
	}
	after = before;
	recorded_made_group(&after, &mem);
	for (size_t i = 0; i < COUNT(wanted); i++) {
		assert_string_equal(after.made.at[i].name, wanted[i].name);
		assert_int_equal(after.made.at[i].line, wanted[i].line);
		assert_int_equal(before.made.at[i].line, made[i].line);
	}
	for (size_t i = 0; i < 2 * COUNT(place); i++) {
		uint64_t at = i % 2 ? place[i / 2] : i / 2;

		assert_int_equal(after.bins.at[i].address, at);
		assert_int_equal(after.arcs.at[i].from, at);
		assert_int_equal(after.arcs.at[i].self, at);
		assert_int_equal(before.bins.at[i].address, i / 2);
	}
	before = after;
	recorded_made_group(&after, &mem);
	assert_ptr_equal(after.made.at, before.made.at);
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
		cmocka_unit_test(calls_and_ticks),
		cmocka_unit_test(orders_of_calls),
		cmocka_unit_test(builds_of_a_library),
		cmocka_unit_test(ranges_around_the_bias),
		cmocka_unit_test(line_costs_of_modules),
		cmocka_unit_test(what_is_the_same),
		cmocka_unit_test(too_many_ticks),
		cmocka_unit_test(made_functions_come_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
