/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks made by chance, for the tests of what adds them up and of what writes them. */
#ifndef RANDOMSTACKS_H
#define RANDOMSTACKS_H

#include "testing.h"

#include "model/recorded.h"

static inline uint32_t random_index(uint64_t *seed, uint32_t n)
{
	return random_below(seed, n + 1) == 0 ? RECORDED_NONE : random_below(seed, n);
}

/* Calls and ticks of modules, a few of which repeat. */
static inline void random_objects(struct recorded *rec, uint64_t *seed, struct arena *mem)
{
	rec->nobjects = random_below(seed, rec->nfiles + 1);
	for (uint32_t i = random_below(seed, 30); i > 0 && rec->nobjects > 0; i--) {
		struct recorded_arc *arc = &array_push(mem, &rec->arcs);

		arc->from_module = random_index(seed, 4);
		arc->self_module = random_index(seed, 4);
		arc->from = 0x400000 + random_below(seed, 2);
		arc->self = 0x400000 + random_below(seed, 2);
		arc->calls = random_below(seed, 100);
		arc->thread = random_below(seed, 4) ? RECORDED_NONE : 0;
		arc->first = random_below(seed, 3);
		rec->ncalls += arc->calls;
	}
	for (uint32_t i = random_below(seed, 30); i > 0 && rec->nobjects > 0; i--) {
		struct recorded_bin *bin = &array_push(mem, &rec->bins);

		bin->module = random_index(seed, 4);
		bin->kind = random_below(seed, (uint32_t)rec->kinds.n);
		bin->address = 0x400000 + random_below(seed, 2);
		bin->ticks = random_below(seed, 100);
		rec->bin_ticks += bin->ticks;
	}
}

static inline void random_samples(struct recorded *rec, uint64_t *seed, struct arena *mem)
{
	uint32_t nnodes = (uint32_t)rec->nodes.n;

	for (uint32_t i = random_below(seed, 30); i > 0; i--) {
		struct recorded_sample *s = &array_push(mem, &rec->samples);

		s->node = nnodes == 0 || random_below(seed, 9) == 0 ? RECORDED_NONE
								    : random_below(seed, nnodes);
		s->thread = random_below(seed, (uint32_t)rec->threads.n);
		s->kind = random_below(seed, (uint32_t)rec->kinds.n);
		s->quality = random_below(seed, STACK_UNSEEN);
		if (s->node == RECORDED_NONE && s->quality != STACK_CUT)
			s->quality = STACK_UNSEEN;
		s->ticks = random_below(seed, 100);
		rec->ticks += s->ticks;
	}
}

static inline void random_squares(struct recorded *rec, uint64_t *seed, struct arena *mem)
{
	uint32_t nnodes = (uint32_t)rec->nodes.n;

	for (uint32_t i = random_below(seed, 9); i > 0; i--) {
		struct recorded_square *s = &array_push(mem, &rec->squares);

		s->node = nnodes == 0 || random_below(seed, 9) == 0 ? RECORDED_NONE
								    : random_below(seed, nnodes);
		s->thread = random_below(seed, (uint32_t)rec->threads.n);
		s->squares = (uint64_t)random_below(seed, 100) << 40;
		rec->squares_total += s->squares;
	}
}

static inline uint32_t random_node(const struct recorded *rec, uint64_t *seed)
{
	uint32_t nnodes = (uint32_t)rec->nodes.n;

	return nnodes == 0 || random_below(seed, 9) == 0 ? RECORDED_NONE
							 : random_below(seed, nnodes);
}

/* A lock without a module is not known, since readers look for the modules of others. */
static inline void random_holds(struct recorded *rec, uint64_t *seed, struct arena *mem)
{
	for (uint32_t i = random_below(seed, 9); i > 0; i--) {
		struct recorded_hold *hold = &array_push(mem, &rec->holds);

		hold->waiter = random_node(rec, seed);
		hold->holder = random_node(rec, seed);
		hold->first = random_node(rec, seed);
		hold->module = random_below(seed, 3) == 0 ? RECORDED_NONE : random_below(seed, 4);
		hold->lock = hold->module == RECORDED_NONE ? 0 : random_below(seed, 3);
		hold->flags = random_below(seed, 2);
		hold->ticks = (uint64_t)random_below(seed, 100) << 40;
		rec->hold_ticks += hold->ticks;
	}
}

static inline void random_slices(struct recorded *rec, uint64_t *seed, struct arena *mem)
{
	for (uint32_t i = random_below(seed, rec->nfiles + 1); i > 0; i--) {
		struct recorded_timeline *t = &array_push(mem, &rec->timelines);

		t->recording = i - 1;
		t->nslices = random_below(seed, RECORDED_SLICES + 1);
		t->start = (uint64_t)random_below(seed, 9) << 59;
		t->slice_ns = 1 + ((uint64_t)random_below(seed, 9) << 30);
	}
	for (uint32_t i = random_below(seed, 30); i > 0 && rec->samples.n > 0; i--) {
		struct recorded_slice *s = &array_push(mem, &rec->slices);

		s->sample = random_below(seed, (uint32_t)rec->samples.n);
		s->slice = random_below(seed, RECORDED_SLICES);
		s->ticks = random_below(seed, 10);
		rec->slice_ticks += s->ticks;
	}
}

/* The first modules are counted, some of their functions partly. */
static inline void random_sites(struct recorded *rec, uint64_t *seed, struct arena *mem)
{
	for (uint32_t i = 0; i < rec->modules.n && i < 3 && random_below(seed, 3) > 0; i++)
		array_push(mem, &rec->sites) = (struct recorded_site){
			.module = i,
			.nfunctions = random_below(seed, 99),
			.ndropped = random_below(seed, 9),
			.nentries = i == 2 ? random_below(seed, 9) : 0,
			.nsites = (uint64_t)random_below(seed, 9) << 40,
			.ndirect = random_below(seed, 9),
			.nindirect = random_below(seed, 9),
		};
	for (uint32_t i = random_below(seed, 9); i > 0 && rec->nodes.n > 0; i--) {
		const struct recorded_node *node =
			&rec->nodes.at[random_below(seed, (uint32_t)rec->nodes.n)];

		if (node->module < rec->modules.n)
			array_push(mem, &rec->parts) =
				(struct recorded_part){ node->module, 1 + random_below(seed, 255),
							node->address };
	}
}

static inline void random_processes(struct recorded *rec, uint64_t *seed, struct arena *mem)
{
	static const char *const texts[] = { "a.out", "a.out -v", "/bin/sh" };

	for (uint32_t i = random_below(seed, 4); i > 0; i--) {
		struct recorded_process *p = &array_push(mem, &rec->processes);

		p->pid = random_below(seed, 9);
		p->parent = random_below(seed, 9);
		p->recording = random_below(seed, rec->nfiles);
		p->ending = random_below(seed, PROCESS_REPLACED + 1);
		p->status = random_below(seed, 256);
		p->command = texts[random_below(seed, 3)];
		p->program = texts[random_below(seed, 3)];
		p->start = (uint64_t)random_below(seed, 9) << 60;
		p->end = random_below(seed, 9);
		p->cpu_ns = (uint64_t)random_below(seed, 9) << 33;
		p->before_ns = random_below(seed, 9);
	}
}

static inline void random_make_address(uint32_t module, uint64_t *address)
{
	if (module == 3)
		*address &= 1;
}

/* Makes the last module one of functions that were made at run time. */
static inline void random_made(struct recorded *rec, uint64_t *seed, struct arena *mem)
{
	static const char *const names[] = { "py::f", "py::g", "js h" };

	for (uint32_t i = 0; i < 2; i++) {
		const char *name = names[i + random_below(seed, 2)];
		uint32_t line = (uint32_t)random_below(seed, 3);

		array_push(mem, &rec->made) =
			(struct recorded_made){ name, line > 0 ? "/a.js" : "", line };
	}
	rec->modules.at[3] =
		(struct module){ .hi = rec->made.n, .path = "[jit]", .flags = MODULE_MADE };
	for (size_t i = 0; i < rec->nodes.n; i++)
		random_make_address(rec->nodes.at[i].module, &rec->nodes.at[i].address);
	for (size_t i = 0; i < rec->bins.n; i++)
		random_make_address(rec->bins.at[i].module, &rec->bins.at[i].address);
	for (size_t i = 0; i < rec->parts.n; i++)
		random_make_address(rec->parts.at[i].module, &rec->parts.at[i].address);
	for (size_t i = 0; i < rec->arcs.n; i++) {
		random_make_address(rec->arcs.at[i].from_module, &rec->arcs.at[i].from);
		random_make_address(rec->arcs.at[i].self_module, &rec->arcs.at[i].self);
	}
}

static inline void random_nodes(struct recorded *rec, uint64_t *seed, struct arena *mem)
{
	uint32_t n = random_below(seed, 40);

	for (uint32_t i = 0; i < n; i++)
		array_push(mem, &rec->nodes) = (struct recorded_node){
			i == 0 || random_below(seed, 3) == 0 ? RECORDED_NONE
							     : random_below(seed, i),
			random_below(seed, 5) == 0 ? RECORDED_NONE : random_below(seed, 4),
			0x400000 + random_below(seed, 3)
		};
}

/*
 * A set of a few stacks, calls and ticks: nodes may repeat, modules are loaded where the seed says.
 */
static inline struct recorded random_stacks(uint64_t *seed, struct arena *mem)
{
	static const char *const paths[] = { "a.out", "/lib/libc.so.6", "/opt/libc.so.6", "" };
	static const char *const names[] = { "main", "worker", "" };
	struct recorded rec = { .nfiles = 1 + random_below(seed, 2) };
	uint32_t nthreads = 1 + random_below(seed, 3);

	for (uint32_t i = 0; i < 4; i++) {
		struct module *m = &array_push(mem, &rec.modules);
		uint32_t which = random_below(seed, 4);

		m->path = arena_strndup(mem, paths[which], strlen(paths[which]));
		m->bias = 0x10000 * i + 0x1000 * random_below(seed, 3);
		m->lo = m->bias + 0x400000;
		m->hi = m->lo + 0x1000 + random_below(seed, 2);
		m->flags = which == 0;
		m->build_id_bytes = which == 1 || which == 2 ? 16 : 0;
		memset(m->build_id, 'b', m->build_id_bytes);
	}
	for (uint32_t i = 0; i < nthreads; i++)
		array_push(mem, &rec.threads) =
			(struct recorded_thread){ .tid = random_below(seed, 3),
						  .recording = random_below(seed, rec.nfiles),
						  .name = names[random_below(seed, 3)],
						  .cpu_ns = i };
	for (uint32_t i = random_below(seed, nthreads + 1); i > 0; i--) {
		rec.threads.at[i - 1].looks = random_below(seed, 5);
		rec.threads.at[i - 1].squares = (uint64_t)random_below(seed, 5) << 60;
	}
	array_push(mem, &rec.kinds) = (struct recorded_kind){ "cpu", { 100, "seconds", 's' } };
	if (random_below(seed, 2))
		array_push(mem, &rec.kinds) =
			(struct recorded_kind){ "wait",
						{ 1000 + random_below(seed, 2), "seconds", 's' } };
	random_nodes(&rec, seed, mem);
	random_samples(&rec, seed, mem);
	random_squares(&rec, seed, mem);
	random_holds(&rec, seed, mem);
	random_slices(&rec, seed, mem);
	random_sites(&rec, seed, mem);
	random_objects(&rec, seed, mem);
	random_processes(&rec, seed, mem);
	if (random_below(seed, 2))
		random_made(&rec, seed, mem);
	return rec;
}

#endif
