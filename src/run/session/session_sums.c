/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up data files one by one. Each thread has its own sums, which are joined in the end. */
#include "config.h"

#include "run/session/session.h"

#include "io/profile/visit.h"

struct session_files {
	struct run_sums *sums;
	const struct session *s;
	const struct selection *sel;
	const struct session_sums *choice;
};

/* The data of one thread. */
struct session_worker {
	const struct session_files *all;
	struct run_sums sums;
};

static void *session_begin_worker(struct arena *mem, void *arg)
{
	const struct session_files *all = arg;
	struct session_worker *w = arena_array(mem, struct session_worker, 1);

	w->all = all;
	w->sums = run_sums_begin(all->sums->n, all->sums->total, mem);
	w->sums.sums = all->sums->sums;
	w->sums.scaled_to = all->sums->scaled_to;
	w->sums.wanted = all->sums->wanted;
	return w;
}

static void session_take_file(const struct profile *file, uint32_t number, void *state)
{
	struct session_worker *w = state;
	const struct session_files *all = w->all;
	const struct session_sums *choice = all->choice;
	const struct session *s = all->s;
	const struct symtab *symtab = &s->program->symtab;
	uint32_t run = choice->run_of ? choice->run_of[number] : number;
	uint32_t rate = s->profile.unit.rate, own = file->unit.rate;
	bool converts = choice->same_rate && rate > 0 && own > 0;
	struct arena scratch;
	struct profile linked;

	if (run == RUN_NONE)
		return;
	scratch = arena_scratch(w->sums.mem);
	linked = session_link_profile(s, file, &scratch);
	if (choice->ticks)
		run_sums_add_bins(&w->sums, &linked, symtab, all->sel->flat,
				  converts ? (double)rate / own : 1.0);
	if (choice->calls)
		run_sums_add_arcs(&w->sums, &linked, symtab, all->sel);
	if (choice->is_foreign)
		choice->is_foreign[number] = run_sums_is_foreign(&w->sums);
	run_sums_end_run(&w->sums, run);
	arena_free(&scratch);
}

static void session_end_worker(void *state, void *arg)
{
	const struct session_worker *w = state;
	const struct session_files *all = arg;

	run_sums_join(all->sums, &w->sums);
}

int session_sum_files(struct session *s, struct run_sums *sums, const struct selection *sel,
		      const struct session_sums *choice, struct diag *diag)
{
	struct session_files all = { sums, s, sel, choice };
	const struct visitor visitor = { session_begin_worker, session_take_file,
					 session_end_worker, &all, !choice->calls };
	int rc;

	limits_pause(&s->limits);
	rc = visit_files(&s->profile, s->input->format, &visitor, sums->mem, diag);
	limits_resume(&s->limits);
	return rc;
}
