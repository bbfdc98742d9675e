/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds equal elements by hashing. Strings are interned, so equal strings have equal addresses. */
#include "config.h"

#include "model/recorded_sum.h"

#include "base/sort.h"

#include <string.h>

/* The state of adding: for each made function, module, kind and node that is added, its index in
 * the sum. */
struct adding {
	struct recorded *sum;
	struct recorded_index *index;
	struct arena *mem;
	uint32_t *made, *modules, *kinds, *nodes;
	size_t nmade;
};

/* Modules that differ in these flags are different, even if their paths are the same. */
enum { RECORDED_KINDS_OF_MODULE = MODULE_PROGRAM | MODULE_SEVERAL | MODULE_MADE };

/* Hashes a build id by its first bytes, which are random enough. */
static struct index_key recorded_sum_module_key(const void *modules, size_t place)
{
	const struct module *m = (const struct module *)modules + place;
	struct index_key key = { { (uintptr_t)m->path, m->flags & RECORDED_KINDS_OF_MODULE } };

	if (m->build_id_bytes > 0) {
		memcpy(&key.part[0], m->build_id, sizeof(key.part[0]));
		key.part[1] = m->build_id_bytes;
		key.part[2] = 1;
	}
	return key;
}

static bool recorded_sum_module_is(const void *modules, size_t place, const void *wanted)
{
	const struct module *x = (const struct module *)modules + place, *y = wanted;

	return memcmp(x->build_id, y->build_id, x->build_id_bytes) == 0;
}

static void recorded_sum_module_unbias(struct module *m)
{
	m->lo -= m->bias;
	m->hi -= m->bias;
	m->bias = 0;
}

/* Sets the range of `to` to the union. The result does not depend on the order of modules. */
static void recorded_sum_module_merge(struct module *to, struct module more)
{
	uint64_t lo = more.lo < to->lo ? more.lo : to->lo;
	uint64_t hi = more.hi > to->hi ? more.hi : to->hi;

	/* If the range contained the bias, it could not be one of link-time addresses. */
	if (to->bias != more.bias || lo - to->bias > hi - to->bias) {
		recorded_sum_module_unbias(to);
		recorded_sum_module_unbias(&more);
	}
	to->lo = more.lo < to->lo ? more.lo : to->lo;
	to->hi = more.hi > to->hi ? more.hi : to->hi;
	to->bytes = more.bytes > to->bytes ? more.bytes : to->bytes;
	to->flags |= more.flags;
}

INDEX_KEY(recorded_sum_made_key, struct recorded_made, (uintptr_t)x->name, (uintptr_t)x->file,
	  x->line)

static void recorded_sum_add_made(const struct adding *a, const struct recorded *more)
{
	for (size_t i = 0; i < more->made.n; i++) {
		struct recorded_made made = more->made.at[i];

		made.name = strtable_add(&a->index->texts, made.name);
		made.file = strtable_add(&a->index->texts, made.file);
		a->made[i] = index_intern(&a->index->made, &a->sum->made, &made,
					  recorded_sum_made_key, a->mem);
	}
}

static void recorded_sum_add_module(const struct adding *a, size_t i, struct module module)
{
	struct recorded *sum = a->sum;
	size_t before = sum->modules.n;

	module.path = strtable_add(&a->index->texts, module.path);
	if (module.flags & MODULE_MADE)
		module.hi = sum->made.n;
	a->modules[i] = index_intern_same(&a->index->modules, &sum->modules, &module,
					  recorded_sum_module_key, recorded_sum_module_is, a->mem);
	if (a->modules[i] < before)
		recorded_sum_module_merge(&sum->modules.at[a->modules[i]], module);
}

INDEX_KEY(recorded_sum_kind_key, struct recorded_kind, (uintptr_t)x->name, x->unit.rate,
	  (unsigned char)x->unit.abbrev)

static bool recorded_sum_kind_is(const void *kinds, size_t place, const void *wanted)
{
	const struct recorded_kind *x = (const struct recorded_kind *)kinds + place, *y = wanted;

	return strcmp(x->unit.dimension, y->unit.dimension) == 0;
}

static void recorded_sum_add_kind(const struct adding *a, size_t i, struct recorded_kind kind)
{
	struct recorded *sum = a->sum;

	if (i == 0 && sum->kinds.n > 0) {
		a->kinds[i] = 0;
		return;
	}
	kind.name = strtable_add(&a->index->texts, kind.name);
	a->kinds[i] = index_intern_same(&a->index->kinds, &sum->kinds, &kind, recorded_sum_kind_key,
					recorded_sum_kind_is, a->mem);
}

/* Returns the index in the sum of a module, or RECORDED_NONE. */
static uint32_t recorded_sum_module_of(const struct adding *a, uint32_t module)
{
	return module == RECORDED_NONE ? RECORDED_NONE : a->modules[module];
}

/* Returns the address in the sum of an address in a module of the sum. */
static uint64_t recorded_sum_address(const struct adding *a, uint32_t module, uint64_t address)
{
	/* The calls of a damaged file may have any address. */
	if (module == RECORDED_NONE || !(a->sum->modules.at[module].flags & MODULE_MADE) ||
	    address >= a->nmade)
		return address;
	return a->made[address];
}

INDEX_KEY(recorded_sum_node_key, struct recorded_node, (uint64_t)x->module << 32 | x->parent,
	  x->address)

static void recorded_sum_add_nodes(const struct adding *a, const struct recorded *more)
{
	struct recorded *sum = a->sum;
	struct index *index = &a->index->nodes;

	index_reserve(index, sum->nodes.n + more->nodes.n, recorded_sum_node_key, sum->nodes.at,
		      sum->nodes.n, a->mem);
	for (size_t i = 0; i < more->nodes.n; i++) {
		struct recorded_node node = more->nodes.at[i];

		if (node.parent != RECORDED_NONE)
			node.parent = a->nodes[node.parent];
		node.module = recorded_sum_module_of(a, node.module);
		node.address = recorded_sum_address(a, node.module, node.address);
		a->nodes[i] =
			index_intern(index, &sum->nodes, &node, recorded_sum_node_key, a->mem);
	}
}

/* Samples are only copied: their threads differ, so no two are equal. */
static void recorded_sum_add_samples(const struct adding *a, const struct recorded *more,
				     uint32_t first_thread)
{
	for (size_t i = 0; i < more->samples.n; i++) {
		struct recorded_sample sample = more->samples.at[i];

		if (sample.node != RECORDED_NONE)
			sample.node = a->nodes[sample.node];
		sample.thread += first_thread;
		sample.kind = a->kinds[sample.kind];
		array_push(a->mem, &a->sum->samples) = sample;
	}
}

static void recorded_sum_add_squares(const struct adding *a, const struct recorded *more,
				     uint32_t first_thread)
{
	for (size_t i = 0; i < more->squares.n; i++) {
		struct recorded_square square = more->squares.at[i];

		if (square.node != RECORDED_NONE)
			square.node = a->nodes[square.node];
		square.thread += first_thread;
		array_push(a->mem, &a->sum->squares) = square;
	}
}

INDEX_KEY(recorded_sum_hold_key, struct recorded_hold, (uint64_t)x->waiter << 32 | x->holder,
	  (uint64_t)x->first << 32 | x->module, x->lock, x->flags)

static uint32_t recorded_sum_node(const struct adding *a, uint32_t node)
{
	return node == RECORDED_NONE ? RECORDED_NONE : a->nodes[node];
}

static void recorded_sum_add_holds(const struct adding *a, const struct recorded *more)
{
	struct recorded *sum = a->sum;

	for (size_t i = 0; i < more->holds.n; i++) {
		struct recorded_hold hold = more->holds.at[i];
		size_t before = sum->holds.n;
		uint32_t place;

		hold.waiter = recorded_sum_node(a, hold.waiter);
		hold.holder = recorded_sum_node(a, hold.holder);
		hold.first = recorded_sum_node(a, hold.first);
		hold.module = recorded_sum_module_of(a, hold.module);
		place = index_intern(&a->index->holds, &sum->holds, &hold, recorded_sum_hold_key,
				     a->mem);
		if (place < before)
			sum->holds.at[place].ticks += hold.ticks;
	}
}

/* To be called before the samples are added. */
static void recorded_sum_add_slices(const struct adding *a, const struct recorded *more)
{
	uint32_t first = (uint32_t)a->sum->samples.n;

	for (size_t i = 0; i < more->timelines.n; i++) {
		struct recorded_timeline timeline = more->timelines.at[i];

		timeline.recording += a->sum->nfiles;
		array_push(a->mem, &a->sum->timelines) = timeline;
	}
	for (size_t i = 0; i < more->slices.n; i++) {
		struct recorded_slice slice = more->slices.at[i];

		slice.sample += first;
		array_push(a->mem, &a->sum->slices) = slice;
	}
}

INDEX_KEY(recorded_sum_arc_key, struct recorded_arc, x->from, x->self,
	  (uint64_t)x->from_module << 32 | x->self_module, x->thread)

/*
 * Returns the position of an arc's first call in a sum: the smaller one; 0 (not known) if one of
 * them is not known.
 */
static uint32_t recorded_sum_first(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void recorded_sum_add_arcs(const struct adding *a, const struct recorded *more,
				  uint32_t first_thread)
{
	struct recorded *sum = a->sum;
	struct index *index = &a->index->arcs;

	index_reserve(index, sum->arcs.n + more->arcs.n, recorded_sum_arc_key, sum->arcs.at,
		      sum->arcs.n, a->mem);
	for (size_t i = 0; i < more->arcs.n; i++) {
		struct recorded_arc arc = more->arcs.at[i];
		size_t before = sum->arcs.n;
		uint32_t place;

		arc.from_module = recorded_sum_module_of(a, arc.from_module);
		arc.self_module = recorded_sum_module_of(a, arc.self_module);
		arc.from = recorded_sum_address(a, arc.from_module, arc.from);
		arc.self = recorded_sum_address(a, arc.self_module, arc.self);
		if (arc.thread != RECORDED_NONE)
			arc.thread += first_thread;
		place = index_intern(index, &sum->arcs, &arc, recorded_sum_arc_key, a->mem);
		if (place < before) {
			struct recorded_arc *to = &sum->arcs.at[place];

			to->calls += arc.calls;
			to->first = recorded_sum_first(to->first, arc.first);
		}
	}
}

INDEX_KEY(recorded_sum_bin_key, struct recorded_bin, (uint64_t)x->module << 32 | x->kind,
	  x->address)

static void recorded_sum_add_bins(const struct adding *a, const struct recorded *more)
{
	struct recorded *sum = a->sum;
	struct index *index = &a->index->bins;

	index_reserve(index, sum->bins.n + more->bins.n, recorded_sum_bin_key, sum->bins.at,
		      sum->bins.n, a->mem);
	for (size_t i = 0; i < more->bins.n; i++) {
		struct recorded_bin bin = more->bins.at[i];
		size_t before = sum->bins.n;
		uint32_t place;

		bin.module = recorded_sum_module_of(a, bin.module);
		bin.address = recorded_sum_address(a, bin.module, bin.address);
		bin.kind = a->kinds[bin.kind];
		place = index_intern(index, &sum->bins, &bin, recorded_sum_bin_key, a->mem);
		if (place < before)
			sum->bins.at[place].ticks += bin.ticks;
	}
}

/* Whether a recording says of a module that its calls were counted. Linear in its objects. */
static struct recorded_site *recorded_sum_site(const struct recorded *rec, uint32_t module)
{
	for (size_t i = 0; i < rec->sites.n; i++)
		if (rec->sites.at[i].module == module)
			return &rec->sites.at[i];
	return NULL;
}

/*
 * A module's calls were counted if they were in all recordings with calls that have it. `nbefore`:
 * how many modules the sum had. Quadratic in the objects whose calls are counted.
 */
static void recorded_sum_add_sites(const struct adding *a, const struct recorded *more,
				   size_t nbefore)
{
	struct recorded *sum = a->sum;
	size_t kept = 0;

	for (size_t i = 0; i < more->sites.n; i++) {
		struct recorded_site site = more->sites.at[i];

		site.module = recorded_sum_module_of(a, site.module);
		if (!recorded_sum_site(sum, site.module) &&
		    (sum->nobjects == 0 || site.module >= nbefore))
			array_push(a->mem, &sum->sites) = site;
	}
	for (size_t i = 0; i < sum->sites.n; i++) {
		bool counted = true;

		for (uint32_t k = 0; k < more->modules.n && more->nobjects > 0; k++)
			counted &= a->modules[k] != sum->sites.at[i].module ||
				   recorded_sum_site(more, k);
		if (counted)
			sum->sites.at[kept++] = sum->sites.at[i];
	}
	sum->sites.n = kept;
}

INDEX_KEY(recorded_sum_part_key, struct recorded_part, x->module, x->address)

static void recorded_sum_add_parts(const struct adding *a, const struct recorded *more)
{
	struct recorded *sum = a->sum;
	struct index *index = &a->index->parts;

	index_reserve(index, sum->parts.n + more->parts.n, recorded_sum_part_key, sum->parts.at,
		      sum->parts.n, a->mem);
	for (size_t i = 0; i < more->parts.n; i++) {
		struct recorded_part part = more->parts.at[i];
		uint32_t place;

		part.module = recorded_sum_module_of(a, part.module);
		part.address = recorded_sum_address(a, part.module, part.address);
		place = index_intern(index, &sum->parts, &part, recorded_sum_part_key, a->mem);
		sum->parts.at[place].reasons |= part.reasons;
	}
}

static void recorded_sum_add_threads(const struct adding *a, const struct recorded *more)
{
	for (size_t i = 0; i < more->threads.n; i++) {
		struct recorded_thread thread = more->threads.at[i];

		thread.recording += a->sum->nfiles;
		thread.name = strtable_add(&a->index->texts, thread.name);
		array_push(a->mem, &a->sum->threads) = thread;
	}
}

static void recorded_sum_add_processes(const struct adding *a, const struct recorded *more)
{
	for (size_t i = 0; i < more->processes.n; i++) {
		struct recorded_process process = more->processes.at[i];

		process.recording += a->sum->nfiles;
		process.command = strtable_add(&a->index->texts, process.command);
		process.program = strtable_add(&a->index->texts, process.program);
		array_push(a->mem, &a->sum->processes) = process;
	}
}

/* Whether the sum of two numbers of records fits an index. */
static bool recorded_sum_fits(size_t n, size_t more)
{
	return n < RECORDED_NONE && more < RECORDED_NONE - n;
}

static bool recorded_sum_add_counts(struct recorded *sum, const struct recorded *more)
{
	/* Years of waiting have an error that is small: without squares, none is shown. */
	if (__builtin_add_overflow(sum->squares_total, more->squares_total, &sum->squares_total))
		sum->squares_total = UINT64_MAX;
	if (sum->squares_total == UINT64_MAX)
		sum->squares.n = 0;
	return !__builtin_add_overflow(sum->ticks, more->ticks, &sum->ticks) &&
	       !__builtin_add_overflow(sum->hold_ticks, more->hold_ticks, &sum->hold_ticks) &&
	       !__builtin_add_overflow(sum->slice_ticks, more->slice_ticks, &sum->slice_ticks) &&
	       !__builtin_add_overflow(sum->ncalls, more->ncalls, &sum->ncalls) &&
	       !__builtin_add_overflow(sum->bin_ticks, more->bin_ticks, &sum->bin_ticks) &&
	       !__builtin_add_overflow(sum->nobjects, more->nobjects, &sum->nobjects) &&
	       !__builtin_add_overflow(sum->nfiles, more->nfiles, &sum->nfiles) &&
	       !__builtin_add_overflow(sum->nlack, more->nlack, &sum->nlack) &&
	       !__builtin_add_overflow(sum->nignored, more->nignored, &sum->nignored);
}

/* Adds to a sum whose elements are all in the index. */
static bool recorded_sum_append(struct recorded *sum, struct recorded_index *index,
				const struct recorded *more, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct adding a = { .sum = sum, .index = index, .mem = mem };
	uint32_t first_thread = (uint32_t)sum->threads.n;
	size_t nmodules = sum->modules.n;

	if (!recorded_sum_fits(sum->made.n, more->made.n) ||
	    !recorded_sum_fits(sum->modules.n, more->modules.n) ||
	    !recorded_sum_fits(sum->threads.n, more->threads.n) ||
	    !recorded_sum_fits(sum->kinds.n, more->kinds.n) ||
	    !recorded_sum_fits(sum->nodes.n, more->nodes.n) ||
	    !recorded_sum_fits(sum->samples.n, more->samples.n) ||
	    !recorded_sum_fits(sum->holds.n, more->holds.n) ||
	    !recorded_sum_fits(sum->arcs.n, more->arcs.n) ||
	    !recorded_sum_fits(sum->bins.n, more->bins.n) ||
	    !recorded_sum_fits(sum->parts.n, more->parts.n))
		return false;
	a.made = arena_array(&scratch, uint32_t, more->made.n);
	a.nmade = more->made.n;
	a.modules = arena_array(&scratch, uint32_t, more->modules.n);
	a.kinds = arena_array(&scratch, uint32_t, more->kinds.n);
	a.nodes = arena_array(&scratch, uint32_t, more->nodes.n);
	recorded_sum_add_made(&a, more);
	for (size_t i = 0; i < more->modules.n; i++)
		recorded_sum_add_module(&a, i, more->modules.at[i]);
	for (size_t i = 0; i < more->kinds.n; i++)
		recorded_sum_add_kind(&a, i, more->kinds.at[i]);
	recorded_sum_add_nodes(&a, more);
	recorded_sum_add_threads(&a, more);
	recorded_sum_add_processes(&a, more);
	recorded_sum_add_slices(&a, more);
	recorded_sum_add_samples(&a, more, first_thread);
	recorded_sum_add_squares(&a, more, first_thread);
	recorded_sum_add_holds(&a, more);
	recorded_sum_add_arcs(&a, more, first_thread);
	recorded_sum_add_bins(&a, more);
	recorded_sum_add_sites(&a, more, nmodules);
	recorded_sum_add_parts(&a, more);
	arena_free(&scratch);
	return recorded_sum_add_counts(sum, more);
}

bool recorded_sum_add(struct recorded *sum, struct recorded_index *index,
		      const struct recorded *more, struct arena *mem)
{
	struct recorded first = *sum;

	if (recorded_is_empty(more))
		return recorded_sum_add_counts(sum, more);
	index->texts.mem = mem;
	if (!index->is_made) {
		*sum = (struct recorded){ 0 };
		index->is_made = true;
		if (!recorded_sum_append(sum, index, &first, mem))
			return false;
		arena_release(mem, first.nodes.at);
		arena_release(mem, first.samples.at);
		arena_release(mem, first.squares.at);
		arena_release(mem, first.slices.at);
		arena_release(mem, first.arcs.at);
		arena_release(mem, first.bins.at);
	}
	return recorded_sum_append(sum, index, more, mem);
}

void recorded_sum_begin(struct recorded *sum, const struct recorded *more)
{
	uint32_t nlack = sum->nlack, nignored = sum->nignored;

	*sum = *more;
	sum->nlack += nlack;
	sum->nignored += nignored;
}

void recorded_sum_lack(struct recorded *sum, bool ignored)
{
	sum->nlack++;
	sum->nignored += ignored;
}

static int recorded_sum_module_order(uint32_t i, uint32_t k, const void *modules)
{
	return strcmp(((const struct module *)modules)[i].path,
		      ((const struct module *)modules)[k].path);
}

const char *recorded_sum_rebuilt(const struct recorded *sum, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t *by_path = arena_array(&scratch, uint32_t, sum->modules.n);
	const char *path = NULL;

	for (uint32_t i = 0; i < sum->modules.n; i++)
		by_path[i] = i;
	sort_ids(by_path, sum->modules.n, recorded_sum_module_order, sum->modules.at, &scratch);
	for (size_t i = 1; i < sum->modules.n && !path; i++) {
		const struct module *a = &sum->modules.at[by_path[i - 1]];
		const struct module *b = &sum->modules.at[by_path[i]];

		if (*a->path && strcmp(a->path, b->path) == 0 &&
		    (a->build_id_bytes != b->build_id_bytes ||
		     memcmp(a->build_id, b->build_id, a->build_id_bytes) != 0))
			path = a->path;
	}
	arena_free(&scratch);
	return path;
}

void recorded_sum_end(struct recorded_index *index, struct arena *mem)
{
	index_free(&index->made, mem);
	index_free(&index->modules, mem);
	index_free(&index->kinds, mem);
	index_free(&index->nodes, mem);
	index_free(&index->arcs, mem);
	index_free(&index->bins, mem);
	index_free(&index->holds, mem);
	index_free(&index->parts, mem);
	index_free(&index->texts.index, mem);
}
