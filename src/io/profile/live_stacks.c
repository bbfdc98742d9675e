/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes `struct recorded` of the blocks that a program left in gmon.out.live.
 *
 * Blocks of nodes have any order in the file; nodes refer to their callers by number, which is
 * always smaller than their own. So blocks are sorted by the number of their first node, and each
 * caller is known when its node is read:
 *
 *   block  first 1, n 3       first 4, n 2         place     0     3
 *   node   1    2    3        4    5               numbered  1 2 3 0 4
 *   parent 0    1    2        9    3               (4 refers to 9, which does not exist: 0)
 */
#include "config.h"

#include "io/profile/live_stacks.h"

#include "base/sort.h"
#include "gmon_live.h"
#include "io/profile/ext_fields.h"
#include "io/profile/live_slices.h"

#include <inttypes.h>

enum { MODULE_PAGE = 4096 };

/* The blocks that are read, and the result. */
struct live_stacks_reader {
	struct records *r;
	const struct live_stacks *from;
	struct recorded *rec;
	struct arena *mem;
	const struct live_span **spans; /* blocks of nodes, sorted by number */
	uint64_t *place;           /* for each span, the index in numbered[] of its first node */
	uint32_t *numbered;        /* for each node, its index in rec plus 1; 0: it is left out */
	struct ext_source source;  /* for records that have the format of gmon_ext.h */
	struct live_slices slices; /* the samples, for slices of their ticks */
	bool *is_good;             /* for each module, whether its record was complete */
};

unsigned live_stacks_record(uint32_t kind, unsigned ptr_size)
{
	switch (kind) {
	case GMON_LIVE_NODES:
		return sizeof(struct gmon_ext_node);
	case GMON_LIVE_SAMPLES:
	case GMON_LIVE_SLICES:
		return GMON_LIVE_CELL_BYTES(ptr_size);
	case GMON_LIVE_MODULES:
		return sizeof(struct gmon_ext_module);
	case GMON_LIVE_THREADS:
		return GMON_EXT_THREAD_LEAST;
	case GMON_LIVE_STRINGS:
		return 1;
	case GMON_LIVE_KINDS:
		return sizeof(struct gmon_ext_kind);
	case GMON_LIVE_PROCESS:
		return GMON_EXT_PROCESS_LEAST;
	case GMON_LIVE_TIMELINE:
		return sizeof(struct gmon_ext_timeline);
	case GMON_LIVE_SITES:
		return sizeof(uint32_t);
	case GMON_LIVE_SITE_COUNTS:
		return sizeof(uint64_t) + sizeof(uint32_t);
	case GMON_LIVE_SITE_OBJECTS:
		return sizeof(struct gmon_ext_site);
	case GMON_LIVE_PARTS:
		return sizeof(struct gmon_ext_part);
	case GMON_LIVE_HOLDS:
		return sizeof(struct gmon_ext_hold);
	default:
		return 0;
	}
}

void live_stacks_note(struct live_stacks *stacks, uint32_t kind, const struct live_span *span,
		      struct arena *mem)
{
	if (kind == GMON_LIVE_NODES)
		array_push(mem, &stacks->nodes) = *span;
	else if (kind == GMON_LIVE_SAMPLES)
		array_push(mem, &stacks->samples) = *span;
	else if (kind == GMON_LIVE_SLICES)
		array_push(mem, &stacks->slices) = *span;
	else if (kind == GMON_LIVE_TIMELINE)
		stacks->timeline = *span;
	else if (kind == GMON_LIVE_SITES)
		array_push(mem, &stacks->calls.sites) = *span;
	else if (kind == GMON_LIVE_SITE_COUNTS)
		array_push(mem, &stacks->calls.counts) = *span;
	else if (kind == GMON_LIVE_SITE_OBJECTS)
		stacks->calls.objects = *span;
	else if (kind == GMON_LIVE_PARTS)
		array_push(mem, &stacks->calls.parts) = *span;
	else if (kind == GMON_LIVE_HOLDS)
		stacks->holds = *span;
	else if (kind == GMON_LIVE_COUNTS)
		array_push(mem, &stacks->counts) = *span;
	else if (kind == GMON_LIVE_MODULES)
		stacks->modules = *span;
	else if (kind == GMON_LIVE_THREADS)
		stacks->threads = *span;
	else if (kind == GMON_LIVE_KINDS)
		stacks->kinds = *span;
	else if (kind == GMON_LIVE_PROCESS)
		stacks->process = *span;
	else
		stacks->strings = *span;
}

/* Makes a copy of the strings, which ends with NUL. */
static void live_stacks_texts(struct live_stacks_reader *m)
{
	const struct live_span *s = &m->from->strings;
	char *texts = arena_array(m->mem, char, s->n + 1);

	if (s->n > 0)
		memcpy(texts, s->bytes, s->n);
	m->source = (struct ext_source){ m->r->in.big_endian, texts, s->n };
}

/* Returns how many records there are before the zeros at the end. */
static uint64_t live_stacks_count(const struct live_span *s, size_t record)
{
	static const unsigned char zeros[sizeof(struct gmon_ext_module)];
	uint64_t n = s->n;

	while (n > 0 && memcmp(s->bytes + (n - 1) * record, zeros, record) == 0)
		n--;
	return n;
}

/* Reads a module. Returns false if its record is incomplete or wrong. */
static bool live_stacks_read_module(const struct live_stacks_reader *m, const unsigned char *p,
				    struct module *to)
{
	ext_get_module(to, p, sizeof(struct gmon_ext_module), &m->source);
	if (!to->path)
		to->path = "";
	to->bias = to->lo - target_wrap(m->r->target, to->lo - to->bias);
	if (to->lo >= to->hi || to->lo - to->bias > to->hi - to->bias ||
	    to->bias % MODULE_PAGE != 0 || recorded_module_is_several(to) ||
	    to->build_id_bytes > MODULE_BUILD_ID_BYTES)
		return false;
	recorded_module_end_build_id(to);
	return true;
}

static void live_stacks_modules(struct live_stacks_reader *m)
{
	const struct live_span *s = &m->from->modules;
	uint64_t n = live_stacks_count(s, sizeof(struct gmon_ext_module));

	n = n < RECORDED_MODULES ? n : RECORDED_MODULES - 1;
	m->is_good = arena_array(m->mem, bool, n);
	for (uint64_t i = 0; i < n; i++) {
		struct module *to = &array_push(m->mem, &m->rec->modules);

		m->is_good[i] = live_stacks_read_module(
			m, s->bytes + i * sizeof(struct gmon_ext_module), to);
		if (!m->is_good[i])
			*to = (struct module){ .path = "" };
	}
	live_objects_part(m->rec, m->mem);
}

/* Whether a run-time address is in a module. */
static bool live_stacks_is_in(const struct live_stacks_reader *m, uint32_t module, uint64_t address)
{
	const struct module *to = &m->rec->modules.at[module];

	return m->is_good[module] && address - to->lo < to->hi - to->lo;
}

/*
 * Reads, if the file has them, how many signals counted the ticks of thread i (looks, squares),
 * which follow the room for all threads, and its times of waiting, which follow these.
 */
static void live_stacks_weights(const struct live_stacks_reader *m, uint64_t i,
				struct recorded_thread *to)
{
	enum { LOOKS = 8, SQUARES = 8, WEIGHTS = LOOKS + SQUARES, RUNNABLE = 8, TIMES = 16 };
	const struct live_span *s = &m->from->threads;
	bool big = m->r->in.big_endian;
	const unsigned char *p;

	if (s->room / (GMON_EXT_THREAD_LEAST + WEIGHTS) < s->n)
		return;
	p = s->bytes + s->n * GMON_EXT_THREAD_LEAST + i * WEIGHTS;
	to->looks = cursor_bytes_uint(p, LOOKS, big);
	to->squares = cursor_bytes_uint(p + LOOKS, SQUARES, big);
	if (s->room / (GMON_EXT_THREAD_LEAST + WEIGHTS + TIMES) < s->n)
		return;
	p = s->bytes + s->n * (GMON_EXT_THREAD_LEAST + WEIGHTS) + i * TIMES;
	to->runnable_ns = cursor_bytes_uint(p, RUNNABLE, big);
	to->life_ns = cursor_bytes_uint(p + RUNNABLE, TIMES - RUNNABLE, big);
}

/* Reads the threads. The first record is for unknown threads; all its other fields may be zero. */
static void live_stacks_threads(struct live_stacks_reader *m)
{
	const struct live_span *s = &m->from->threads;
	uint64_t n = live_stacks_count(s, GMON_EXT_THREAD_LEAST);

	for (uint64_t i = 0; i < n; i++) {
		const unsigned char *p = s->bytes + i * GMON_EXT_THREAD_LEAST;

		struct recorded_thread *to = &array_push(m->mem, &m->rec->threads);

		ext_get_thread(to, p, GMON_EXT_THREAD_LEAST, &m->source);
		to->recording = 0;
		if (!to->name)
			to->name = "";
		live_stacks_weights(m, i, to);
	}
	if (n == 0)
		array_push(m->mem, &m->rec->threads) = (struct recorded_thread){ .name = "" };
}

static int live_stacks_order(uint32_t i, uint32_t k, const void *spans)
{
	uint64_t a = ((const struct live_span *)spans)[i].first;
	uint64_t b = ((const struct live_span *)spans)[k].first;

	return (a > b) - (a < b);
}

/*
 * Sorts the spans of nodes by their numbers. Returns 0, or -1 after an error message if two
 * overlap.
 */
static int live_stacks_sort_spans(struct live_stacks_reader *m)
{
	const live_spans *nodes = &m->from->nodes;
	uint32_t *order = arena_array(m->mem, uint32_t, nodes->n);
	uint64_t end = 0, total = 0;

	m->spans = arena_array(m->mem, const struct live_span *, nodes->n);
	m->place = arena_array(m->mem, uint64_t, nodes->n);
	for (uint32_t i = 0; i < nodes->n; i++)
		order[i] = i;
	sort_ids(order, nodes->n, live_stacks_order, nodes->at, m->mem);
	for (size_t i = 0; i < nodes->n; i++) {
		const struct live_span *s = &nodes->at[order[i]];

		if (s->first < end || s->first > UINT64_MAX - s->n) {
			diag_error(m->r->in.diag,
				   "%s: block at byte %zu has nodes from number %" PRIu64
				   " on, which another block has, too",
				   m->r->in.name, s->at, s->first);
			return -1;
		}
		m->spans[i] = s;
		m->place[i] = total;
		total += s->n;
		end = s->first + s->n;
	}
	m->numbered = arena_sparse(m->mem, total, sizeof(m->numbered[0]));
	return 0;
}

/*
 * Returns the index in rec of the node with this number; RECORDED_NONE if it is left out, or was
 * not read yet.
 */
static uint32_t live_stacks_find(const struct live_stacks_reader *m, uint64_t number)
{
	size_t lo = 0, hi = m->from->nodes.n;

	while (hi - lo > 1) {
		size_t middle = lo + (hi - lo) / 2;

		if (m->spans[middle]->first <= number)
			lo = middle;
		else
			hi = middle;
	}
	if (hi == 0 || number < m->spans[lo]->first ||
	    number - m->spans[lo]->first >= m->spans[lo]->n)
		return RECORDED_NONE;
	/* A 0, for a node that is left out, becomes RECORDED_NONE. */
	return m->numbered[m->place[lo] + (number - m->spans[lo]->first)] - 1;
}

/* Adds a node, and returns its index in rec plus 1; 0 if it is incomplete. */
static uint32_t live_stacks_node(struct live_stacks_reader *m, const unsigned char *p)
{
	struct recorded *rec = m->rec;
	struct recorded_node node;
	uint32_t number;

	ext_get_node(&node, p, sizeof(struct gmon_ext_node), &m->source);
	number = node.parent;
	node.parent = number == 0 ? RECORDED_NONE : live_stacks_find(m, number);
	if (node.address == 0 || (number != 0 && node.parent == RECORDED_NONE) ||
	    rec->nodes.n >= RECORDED_NONE - 1)
		return 0;
	if (node.module < rec->modules.n && live_stacks_is_in(m, node.module, node.address))
		node.address -= rec->modules.at[node.module].bias;
	else
		node.module = RECORDED_NONE;
	node.address = target_wrap(m->r->target, node.address);
	array_push(m->mem, &rec->nodes) = node;
	return (uint32_t)rec->nodes.n;
}

static void live_stacks_nodes(struct live_stacks_reader *m)
{
	for (size_t i = 0; i < m->from->nodes.n; i++) {
		const struct live_span *s = m->spans[i];

		for (uint64_t k = 0; k < s->n; k++)
			m->numbered[m->place[i] + k] =
				live_stacks_node(m, s->bytes + k * sizeof(struct gmon_ext_node));
	}
}

/* Returns the kind of a cell's ticks. */
static uint32_t live_stacks_kind(uint64_t self)
{
	return (uint32_t)(self % (1 << GMON_LIVE_THREAD) >> GMON_LIVE_KIND);
}

static bool live_stacks_is_square(const struct live_stacks_reader *m, uint64_t self)
{
	return live_stacks_kind(self) == GMON_LIVE_SQUARES && m->rec->kinds.n <= GMON_LIVE_SQUARES;
}

/* Whether a cell of samples counts nothing, or ticks of an unknown kind. */
static bool live_stacks_is_empty(const struct live_stacks_reader *m, uint64_t from, uint64_t self,
				 uint64_t ticks)
{
	return from <= GMON_LIVE_FROM_CLAIMED || ticks == 0 ||
	       (live_stacks_kind(self) >= m->rec->kinds.n && !live_stacks_is_square(m, self));
}

/* Adds a sample. Returns false if the ticks overflow. */
static bool live_stacks_sample(struct live_stacks_reader *m, uint64_t node, uint64_t self,
			       uint64_t ticks)
{
	struct recorded *rec = m->rec;
	uint64_t thread = self >> GMON_LIVE_THREAD;
	struct recorded_sample sample = {
		.node = live_stacks_find(m, node),
		.thread = thread < rec->threads.n ? (uint32_t)thread : 0,
		.kind = live_stacks_kind(self),
		.quality = (enum stack_quality)(self % (1 << GMON_LIVE_KIND)),
		.ticks = ticks,
	};

	if (sample.node == RECORDED_NONE)
		sample.quality =
			node == 0 && sample.quality != STACK_CUT ? STACK_UNSEEN : STACK_CUT;
	array_push(m->mem, &rec->samples) = sample;
	return !__builtin_add_overflow(rec->ticks, ticks, &rec->ticks);
}

/* Adds squares of waiting. Returns false if their sum overflows. */
static bool live_stacks_square(struct live_stacks_reader *m, uint64_t node, uint64_t self,
			       uint64_t squares)
{
	struct recorded *rec = m->rec;
	uint64_t thread = self >> GMON_LIVE_THREAD;

	array_push(m->mem, &rec->squares) = (struct recorded_square){
		.node = live_stacks_find(m, node),
		.thread = thread < rec->threads.n ? (uint32_t)thread : 0,
		.squares = squares,
	};
	return !__builtin_add_overflow(rec->squares_total, squares, &rec->squares_total);
}

static struct live_cell live_stacks_cell_at(const struct live_stacks_reader *m,
					    const struct live_span *s, uint64_t k)
{
	return live_cell_at(s, k, m->r->target->ptr_size, m->r->in.big_endian);
}

static int live_stacks_samples(struct live_stacks_reader *m)
{
	for (size_t i = 0; i < m->from->samples.n; i++) {
		const struct live_span *s = &m->from->samples.at[i];

		for (uint64_t k = 0; k < s->n; k++) {
			struct live_cell c = live_stacks_cell_at(m, s, k);

			if (live_stacks_is_empty(m, c.from, c.self, c.ticks))
				continue;
			if (!(live_stacks_is_square(m, c.self) ? live_stacks_square
							       : live_stacks_sample)(
				    m, c.from - GMON_LIVE_NODE, c.self, c.ticks)) {
				diag_error(m->r->in.diag,
					   "%s: more ticks than 64 bits can hold, in the block at "
					   "byte %zu",
					   m->r->in.name, s->at);
				return -1;
			}
			if (m->from->slices.n > 0 && !live_stacks_is_square(m, c.self))
				live_slices_note(&m->slices, &c, (uint32_t)m->rec->samples.n - 1,
						 m->mem);
		}
	}
	return 0;
}

static int live_stacks_too_large(const struct live_stacks_reader *m)
{
	diag_error(m->r->in.diag, "%s: its call stacks make the sum too large", m->r->in.name);
	return -1;
}

/* Adds who waited for whom. Returns 0, or -1 after an error message. */
static int live_stacks_holds(struct live_stacks_reader *m)
{
	const struct live_span *s = &m->from->holds;

	for (uint64_t i = 0; i < s->n; i++) {
		struct recorded_hold hold = { 0 };

		ext_get_hold(&hold, s->bytes + i * sizeof(struct gmon_ext_hold),
			     sizeof(struct gmon_ext_hold), &m->source);
		if (hold.ticks == 0)
			continue;
		hold.waiter = live_stacks_find(m, hold.waiter);
		hold.holder = live_stacks_find(m, hold.holder);
		hold.first = live_stacks_find(m, hold.first);
		hold.module = RECORDED_NONE;
		recorded_place_lock(m->rec, &hold);
		if (__builtin_add_overflow(m->rec->hold_ticks, hold.ticks, &m->rec->hold_ticks))
			return live_stacks_too_large(m);
		array_push(m->mem, &m->rec->holds) = hold;
	}
	return 0;
}

/* Adds when samples were taken, if it is there. */
static void live_stacks_slices(struct live_stacks_reader *m)
{
	struct recorded_timeline timeline = { 0 };

	if (m->from->timeline.n != 1)
		return;
	ext_get_timeline(&timeline, m->from->timeline.bytes, sizeof(struct gmon_ext_timeline),
			 &m->source);
	live_slices_add(m->rec, &m->slices, &m->from->slices, &timeline, m->r, m->mem);
}

/* Whether a node is a system call in which a thread waits. */
static bool live_stacks_waits(const struct live_stacks_reader *m, uint64_t number)
{
	uint32_t at = live_stacks_find(m, number);
	const struct recorded_node *node = at == RECORDED_NONE ? NULL : &m->rec->nodes.at[at];

	return node && node->module == RECORDED_NONE &&
	       node->address - RECORDED_WAITING < RECORDED_WAITS;
}

/* Adds the kinds after the first, whose unit is that of the histogram. */
static void live_stacks_listed_kinds(struct live_stacks_reader *m)
{
	const struct live_span *s = &m->from->kinds;

	for (uint64_t i = 1; i < s->n && i < 1 << (GMON_LIVE_THREAD - GMON_LIVE_KIND); i++) {
		const unsigned char *p = s->bytes + i * sizeof(struct gmon_ext_kind);
		struct recorded_kind kind = { 0 };
		uint64_t rate = EXT_NUMBER_AT(p, sizeof(struct gmon_ext_kind), kind, rate,
					      m->source.big_endian);

		ext_get_kind(&kind, p, sizeof(struct gmon_ext_kind), &m->source);
		if (!kind.name || !*kind.name || rate > UINT32_MAX)
			return;
		array_push(m->mem, &m->rec->kinds) = kind;
	}
}

/* Adds the ticks without a stack, which follow the room for all kinds, if they are there. */
static int live_stacks_lost(struct live_stacks_reader *m)
{
	enum { LOST = 8 };
	const struct live_span *s = &m->from->kinds;
	const unsigned char *p;

	if (s->n == 0 || s->room / (sizeof(struct gmon_ext_kind) + LOST) < s->n)
		return 0;
	p = s->bytes + s->n * sizeof(struct gmon_ext_kind);
	for (uint32_t i = 0; i < m->rec->kinds.n && i < s->n; i++) {
		struct recorded_sample lost = { .node = RECORDED_NONE,
						.kind = i,
						.quality = STACK_CUT,
						.ticks = cursor_bytes_uint(p + i * LOST, LOST,
									   m->r->in.big_endian) };

		if (lost.ticks == 0)
			continue;
		if (__builtin_add_overflow(m->rec->ticks, lost.ticks, &m->rec->ticks))
			return live_stacks_too_large(m);
		array_push(m->mem, &m->rec->samples) = lost;
	}
	return 0;
}

/* Adds the record of the process, if it is there. */
static void live_stacks_process(struct live_stacks_reader *m)
{
	const struct module *program = recorded_program(m->rec);
	struct recorded_process process = { 0 };

	if (m->from->process.n != 1)
		return;
	ext_get_process(&process, m->from->process.bytes, GMON_EXT_PROCESS_LEAST, &m->source);
	if (process.pid == 0)
		return;
	if (!process.command)
		process.command = "";
	if (process.ending > PROCESS_REPLACED)
		process.ending = PROCESS_GOES_ON;
	process.program = program ? program->path : "";
	process.recording = 0;
	array_push(m->mem, &m->rec->processes) = process;
}

/*
 * Adds the kind of waiting, if nodes of kind 1 are system calls. Otherwise kind 1 is a kind of
 * events, whose unit is not known: the file does not list its kinds.
 */
static void live_stacks_find_kinds(struct live_stacks_reader *m)
{
	static const struct recorded_kind waiting = { RECORDED_WAITING_KIND,
						      { 1000000, "seconds", 's' } };
	for (size_t i = 0; i < m->from->samples.n; i++) {
		const struct live_span *s = &m->from->samples.at[i];

		for (uint64_t k = 0; k < s->n; k++) {
			struct live_cell c = live_stacks_cell_at(m, s, k);

			if (c.from <= GMON_LIVE_FROM_CLAIMED || live_stacks_kind(c.self) != 1 ||
			    !live_stacks_waits(m, c.from - GMON_LIVE_NODE))
				continue;
			array_push(m->mem, &m->rec->kinds) = waiting;
			return;
		}
	}
}

/* Makes all of the stacks. Returns 0, or -1 after an error message. */
static int live_stacks_stacks(struct live_stacks_reader *m)
{
	m->rec->nfiles = 1;
	m->rec->nlack = 0;
	live_stacks_threads(m);
	if (live_stacks_sort_spans(m) < 0)
		return -1;
	live_stacks_nodes(m);
	if (m->from->kinds.n > 0)
		live_stacks_listed_kinds(m);
	else
		live_stacks_find_kinds(m);
	live_stacks_process(m);
	if (live_stacks_samples(m) < 0)
		return -1;
	live_stacks_slices(m);
	return live_stacks_holds(m) < 0 ? -1 : live_stacks_lost(m);
}

int live_stacks_add(struct records *r, struct live_stacks *stacks, const struct unit *unit)
{
	struct arena mem = arena_scratch(r->sum->mem);
	struct recorded rec = { .nlack = 1 };
	struct live_stacks_reader m = { .r = r, .from = stacks, .rec = &rec, .mem = &mem };
	bool of_objects = stacks->modules.n > 0 && stacks->modules.first != 0;
	int rc = 0;

	array_push(&mem, &rec.kinds) = (struct recorded_kind){ "cpu", *unit };
	live_stacks_texts(&m);
	live_stacks_modules(&m);
	if (stacks->samples.n > 0 || stacks->nodes.n > 0 || stacks->threads.bytes)
		rc = live_stacks_stacks(&m);
	if (rc == 0 && of_objects && !live_objects_add(&rec, &stacks->counts, r, &mem))
		rc = live_stacks_too_large(&m);
	if (rc == 0 && of_objects)
		live_calls_describe(&stacks->calls, &m.source, &rec, &mem);
	if (rc == 0 && !recorded_is_empty(&rec) && !profile_sum_stacks(r->sum, &rec, 0, &mem))
		rc = live_stacks_too_large(&m);
	arena_free(&mem);
	return rc;
}
