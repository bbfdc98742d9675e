/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program and its data made by hand, of which the diagnosis finds nothing wrong. */
#ifndef MADE_H
#define MADE_H

#include "testing.h"

#include "analysis/analyze.h"
#include "analysis/diagnosis/diagnose.h"

enum { NSYMS = 8, SIZE = 0x100, START = 0x401000, NBINS = NSYMS * SIZE / 4, NCODES = 2 * NSYMS };

/*
 * Eight functions of 256 bytes. Each counts, by a call that returns 9 bytes behind its start, and
 * makes a call that returns 0x22 bytes behind it. As the C library's runtime has it, such a caller
 * is 0x20 bytes behind.
 */
struct made {
	struct arena mem;
	struct program program;
	struct profile profile;
	struct evidence e;
	struct analysis_options opt;
	struct diagnosis_options how;
	struct hist hist;
	struct sym sym[NSYMS];
	struct code_range text;
	struct analysis a; /* of the last diagnosis */
	uint64_t ticks[NBINS], entered[NSYMS], returned[NCODES];
};

static inline uint64_t start(unsigned i)
{
	return START + (uint64_t)i * SIZE;
}

static inline void call(struct made *m, unsigned from, unsigned to, uint64_t n)
{
	array_push(&m->mem, &m->profile.arcs) =
		(struct raw_arc){ start(from) + 0x20, start(to) + 9, n };
	m->profile.has_arcs = true;
}

static inline void tick(struct made *m, unsigned in, uint64_t n)
{
	m->ticks[in * SIZE / 4 + 8] += n;
}

/* Of a program that gcc -pg made: all functions count calls. */
static inline void set_evidence(struct made *m)
{
	m->e = (struct evidence){
		.has_symbols = true,
		.base = 0x400000,
		.parts = &m->text,
		.nparts = 1,
		.linked = RUNTIME_LIBC,
		.entry = "mcount",
		.decoded = true,
		.sees_jumps = true,
		.has_calls = true,
		.functions = m->program.symtab,
		.counts = bitset_empty(&m->mem, NSYMS),
		.loops = bitset_empty(&m->mem, NSYMS),
		.leaves = bitset_empty(&m->mem, NSYMS),
		.ncounting = NSYMS,
		.entered = m->entered,
		.nentered = NSYMS,
		.returned = m->returned,
		.nreturned = NCODES,
	};
	for (unsigned i = 0; i < NSYMS; i++)
		bitset_add(m->e.counts, i);
}

/* a calls b 10 times, b calls c 20 times; 400 ticks. */
static inline struct made *make(void)
{
	static const char *const names[NSYMS] = { "main", "b", "c", "d", "e", "f", "g", "h" };
	struct made *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	m->mem = test_arena();
	for (unsigned i = 0; i < NSYMS; i++) {
		m->sym[i] = (struct sym){ start(i), start(i + 1), names[i], SYM_FUNC, i };
		m->entered[i] = m->returned[2 * i] = start(i) + 9;
		m->returned[2 * i + 1] = start(i) + 0x22;
	}
	m->text = (struct code_range){ START, start(NSYMS), ".text" };
	m->program.path = "prog";
	m->program.symtab = (struct symtab){ m->sym, NSYMS };
	m->profile.target = (struct target){ .ptr_size = 8 };
	m->profile.unit = (struct unit){ 100, "seconds", 's' };
	array_push(&m->mem, &m->profile.files) = (struct profile_file){ .name = "data" };
	m->hist = (struct hist){ START, start(NSYMS), NBINS, m->ticks };
	array_push(&m->mem, &m->profile.hists) = m->hist;
	m->profile.has_hists = true;
	set_evidence(m);
	m->how.base = m->e.base;
	array_push(&m->mem, &m->profile.arcs) = (struct raw_arc){ 0, start(0) + 9, 1 };
	call(m, 0, 1, 10);
	call(m, 1, 2, 20);
	bitset_add(m->e.loops, 0);
	bitset_add(m->e.loops, 1);
	tick(m, 1, 100);
	tick(m, 2, 300);
	return m;
}

static inline void end(struct made *m)
{
	arena_free(&m->mem);
	free(m);
}

static inline struct findings run(struct made *m)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);

	m->a = analyze(&(struct analysis_input){ .program = &m->program, .profile = &m->profile },
		       &m->opt, &m->mem, &diag);
	return diagnose(&m->a, &m->e, &m->how, &m->mem);
}

#endif
