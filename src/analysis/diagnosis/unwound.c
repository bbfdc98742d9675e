/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes come after their callers, so the outermost function and the depth of each are known from
 * its caller.
 */
#include "config.h"

#include "analysis/diagnosis/unwound.h"

#include "analysis/stacks/processes.h"
#include "base/path.h"
#include "model/clock.h"

enum {
	BROKEN_PERCENT = 5,
	UNSAMPLED_PERCENT = 10
}; /* limits in percent: of broken or cut stacks, of time without samples */
enum {
	NS_PER_MS = 1000000,
	LEAST_LIFE = 100 /* LEAST_LIFE in milliseconds: shorter runs get no finding */
};

struct stack_facts unwound_facts(const struct diagnosis *s)
{
	const struct recorded *r = &s->a->profile->recorded;
	struct stack_facts facts = { .nfiles = r->nfiles,
				     .nlack = r->nlack,
				     .nnodes = (uint32_t)r->nodes.n };
	struct arena scratch = arena_scratch(s->mem);
	uint32_t *depth = arena_array(&scratch, uint32_t, r->nodes.n);

	for (size_t i = 0; i < r->threads.n; i++)
		facts.nthreads += recorded_thread_is_known(&r->threads.at[i]);
	for (size_t i = 0; i < r->nodes.n; i++) {
		uint32_t parent = r->nodes.at[i].parent;

		depth[i] = parent == RECORDED_NONE ? 1 : depth[parent] + 1;
		facts.depth = depth[i] > facts.depth ? depth[i] : facts.depth;
	}
	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (sample->kind == 0)
			facts.ticks[sample->quality] += sample->ticks;
	}
	for (int q = 0; q < STACK_QUALITIES; q++)
		facts.nticks += facts.ticks[q];
	arena_free(&scratch);
	return facts;
}

/*
 * Returns the ticks of broken stacks by outermost function: first for the program's symbols, then
 * for modules.
 */
static uint64_t *unwound_outermost(const struct diagnosis *s, struct arena *mem)
{
	const struct recorded *r = &s->a->profile->recorded;
	const struct symtab *symtab = &s->a->program->symtab;
	uint64_t *ticks = arena_array(mem, uint64_t, symtab->nsyms + r->modules.n);
	uint32_t *outermost = arena_array(mem, uint32_t, r->nodes.n);

	for (uint32_t i = 0; i < r->nodes.n; i++) {
		uint32_t parent = r->nodes.at[i].parent;

		outermost[i] = parent == RECORDED_NONE ? i : outermost[parent];
	}
	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];
		const struct recorded_node *node;
		sym_id in = SYM_NONE;

		if (sample->kind != 0 || sample->quality != STACK_BROKEN ||
		    sample->node == RECORDED_NONE)
			continue;
		node = &r->nodes.at[outermost[sample->node]];
		if (node->module == RECORDED_NONE)
			continue;
		if (r->modules.at[node->module].flags & MODULE_PROGRAM)
			in = symtab_find(symtab, node->address);
		ticks[in == SYM_NONE ? symtab->nsyms + node->module : in] += sample->ticks;
	}
	return ticks;
}

void unwound_broken(struct diagnosis *s, const struct stack_facts *facts)
{
	const struct symtab *symtab = &s->a->program->symtab;
	const struct recorded *r = &s->a->profile->recorded;
	struct arena scratch = arena_scratch(s->mem);
	uint64_t *ticks, most = 0;
	struct finding *f;

	if (!diagnosis_is_share(facts->ticks[STACK_BROKEN], facts->nticks, BROKEN_PERCENT)) {
		arena_free(&scratch);
		return;
	}
	f = diagnosis_add(s, FOUND_BROKEN_STACKS);
	f->number[0] = facts->ticks[STACK_BROKEN];
	f->number[1] = facts->nticks;
	ticks = unwound_outermost(s, &scratch);
	for (size_t i = 0; i < symtab->nsyms + r->modules.n; i++) {
		if (ticks[i] <= most)
			continue;
		most = ticks[i];
		f->name[2] = i < symtab->nsyms ? symtab->sym[i].name
					       : path_base(r->modules.at[i - symtab->nsyms].path);
	}
	f->number[2] = most;
	arena_free(&scratch);
}

void unwound_cut(struct diagnosis *s, const struct stack_facts *facts)
{
	struct finding *f;

	if (!diagnosis_is_share(facts->ticks[STACK_CUT], facts->nticks, BROKEN_PERCENT))
		return;
	f = diagnosis_add(s, FOUND_CUT_STACKS);
	f->number[0] = facts->ticks[STACK_CUT];
	f->number[1] = facts->nticks;
	f->number[2] = facts->nnodes;
}

void unwound_unsampled(struct diagnosis *s)
{
	const struct recorded *r = &s->a->profile->recorded;
	struct arena scratch = arena_scratch(s->mem);
	struct processes processes = processes_make(r, processes_ticks(r, 0, &scratch), &scratch);
	struct finding *f;

	if (diagnosis_is_share(processes.unsampled, processes.covered, UNSAMPLED_PERCENT)) {
		bool brief = 2 * processes.unseen_ns > processes.unsampled;

		f = diagnosis_add(s, brief ? FOUND_SHORT_LIVES : FOUND_UNSAMPLED);
		f->number[0] = processes.unsampled / NS_PER_MS;
		f->number[1] = processes.covered / NS_PER_MS;
		f->number[2] = processes.nunseen;
	}
	arena_free(&scratch);
}

/* Whether others had the processors that the program was ready to run on. */
static bool unwound_is_loaded(const struct recorded *r)
{
	/* With a processor of its own, by real-time priority, a program had to leave it 3 to 24
	 * times a second of CPU time; beside one busy process or more, 370 to 800 times. */
	enum { OFTEN = 50, LEAST_MS = 200, MS = 1000 };
	uint64_t ms = r->used_ns / NS_PER_MS;

	return ms >= LEAST_MS && r->displaced >= ms * OFTEN / MS;
}

void unwound_waiting(struct diagnosis *s)
{
	/* The part of its life that a program has to be on the CPU, or else it waited. On a busy
	 * machine much of the rest is time in which it was ready to run. */
	enum { WHOLE_PART = 2, LOADED_PART = 10 };
	const struct recorded *r = &s->a->profile->recorded;
	uint64_t life = 0, cpu = 0;
	struct finding *f;

	for (size_t i = 0; i < r->processes.n; i++) {
		const struct recorded_process *p = &r->processes.at[i];

		if (p->end <= p->start || p->cpu_ns < p->before_ns)
			continue;
		life += (p->end - p->start) / NS_PER_MS;
		cpu += (p->cpu_ns - p->before_ns) / NS_PER_MS;
	}
	if (life < LEAST_LIFE || cpu >= life / (unwound_is_loaded(r) ? LOADED_PART : WHOLE_PART))
		return;
	f = diagnosis_add(s, clock_find(r, RECORDED_WAITING_KIND) ? FOUND_WAITED : FOUND_WAITING);
	f->number[0] = cpu;
	f->number[1] = life;
}

void unwound_loaded(struct diagnosis *s)
{
	const struct recorded *r = &s->a->profile->recorded;
	struct finding *f;

	if (!unwound_is_loaded(r))
		return;
	f = diagnosis_add(s, FOUND_LOADED);
	f->number[0] = r->displaced;
	f->number[1] = r->used_ns / NS_PER_MS;
}

bool unwound_supersedes(enum finding_kind kind)
{
	switch (kind) {
	case FOUND_EMPTY_PROFILE:
	case FOUND_NO_SAMPLES:
	case FOUND_NO_EVENTS:
	case FOUND_NO_HISTOGRAM:
	case FOUND_NOT_INSTRUMENTED:
	case FOUND_LIBRARIES:
	case FOUND_PARTLY_INSTRUMENTED:
	case FOUND_NO_CALLS:
	case FOUND_ONE_CYCLE:
	case FOUND_MAIN_SPONTANEOUS:
	case FOUND_SMALL_CYCLE:
	case FOUND_SOME_UNCOUNTED:
		return true;
	default:
		return false;
	}
}
