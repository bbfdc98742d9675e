/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An analysis made by hand, for tests of reports: no pass has had a part in it. */
#ifndef HANDMADE_H
#define HANDMADE_H

#include "testing.h"

#include "report/report.h"

enum { MADE_SYMS = 12, MADE_CYCLES = 4, MADE_NODES = MADE_SYMS + MADE_CYCLES };

/* Points into itself: not to be copied. Node arrays as in costs.h. */
struct handmade {
	struct analysis a;
	struct view view;
	struct report_options opt;
	struct program program;
	struct profile profile;
	struct profile_file file;
	struct hist hist;
	struct sym sym[MADE_SYMS];
	struct location location[MADE_SYMS];
	double ticks[MADE_SYMS], inherited[MADE_NODES], self[MADE_NODES], children[MADE_NODES];
	uint64_t outer[MADE_NODES], own[MADE_NODES];
	uint32_t of_node[MADE_SYMS], rows[MADE_SYMS + 1];
};

/*
 * nsyms functions "a", "b", ... and ncycles empty cycles, without calls and time, all shown, on
 * four-byte bins of 1/100 s; brief reports, raw names.
 */
static inline void handmade_init(struct handmade *h, uint32_t nsyms, uint32_t ncycles,
				 struct arena *mem)
{
	static const char *const names[MADE_SYMS] = { "a", "b", "c", "d", "e", "f",
						      "g", "h", "i", "j", "k", "l" };

	*h = (struct handmade){ .opt = { .brief = true, .width = 80, .demangle = DEMANGLE_NONE } };
	for (uint32_t i = 0; i < nsyms; i++)
		h->sym[i] = (struct sym){ .lo = 0x1000 + 16 * (uint64_t)i,
					  .hi = 0x1010 + 16 * (uint64_t)i,
					  .name = names[i],
					  .flags = SYM_FUNC };
	h->program.symtab = (struct symtab){ h->sym, nsyms };
	h->hist = (struct hist){ .lo = 0x1000, .hi = 0x1100, .nbins = 0x40 };
	h->file.name = "FILE";
	h->profile.unit = (struct unit){ .rate = 100, .dimension = "seconds", .abbrev = 's' };
	h->profile.hists.at = &h->hist;
	h->profile.hists.n = 1;
	h->profile.files.at = &h->file;
	h->profile.files.n = 1;
	h->profile.has_hists = h->profile.has_arcs = true;
	h->a = (struct analysis){
		.program = &h->program,
		.profile = &h->profile,
		.selection = { .flat = bitset_empty(mem, nsyms), .exec = bitset_empty(mem, nsyms) },
		.graph = { .nnodes = nsyms, .out = h->rows, .in = h->rows },
		.cycles = { .ncycles = ncycles, .of_node = h->of_node, .start = h->rows },
		.costs = { .self = h->ticks,
			   .own = h->ticks,
			   .children = h->inherited,
			   .calls = { h->outer, h->own },
			   .graph = { .self = h->self,
				      .children = h->children,
				      .shown = bitset_empty(mem, nsyms + ncycles) },
			   .origin = { .start = SYM_NONE } },
	};
	h->view = (struct view){ .analysis = &h->a, .locations = h->location };
	for (uint32_t i = 0; i < nsyms; i++) {
		bitset_add(h->a.selection.flat, i);
		bitset_add(h->a.selection.exec, i);
	}
	for (uint32_t i = 0; i < nsyms + ncycles; i++)
		bitset_add(h->a.costs.graph.shown, i);
}

/* What the wanted reports put out; `message` is the reason of their failure, NULL if there is none.
 */
static inline char *handmade_reports(struct handmade *h, unsigned wanted, const char *message,
				     struct arena *mem)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	int fd = memory_file(), rc;

	output_open(&out, fd, "out", &diag);
	rc = report_write(wanted, &h->view, &h->opt, &out, mem, &diag);
	assert_int_equal(output_close(&out), 0);
	assert_int_equal(rc, message ? -1 : 0);
	if (message)
		expect_message(&log, message);
	assert_int_equal(log.n, 0);
	return written_text(fd, mem);
}

#endif
