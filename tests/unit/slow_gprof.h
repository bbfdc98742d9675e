/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call graph as gprof's rules tell it: linked lists and recursion, step by step, without a
 * thought of speed. What graph_build(), cycles_find(), propagate_count_calls() and propagate() make
 * together must equal this to the last bit.
 */
#ifndef SLOW_GPROF_H
#define SLOW_GPROF_H

#include "testing.h"

#include "model/graph.h"

struct slow_arc {
	struct slow_sym *parent, *child;
	uint64_t count;
	double self_time, child_time;
	struct slow_arc *next_child;  /* of the same parent */
	struct slow_arc *next_parent; /* of the same child */
};

/* A symbol or, with members, a cycle's entry. */
struct slow_sym {
	struct slow_arc *children, *parents; /* the newest first */
	uint64_t calls, self_calls;
	enum { NOT_VISITED, BUSY, NUMBERED } state;
	uint32_t number;
	struct slow_sym *head;  /* itself, unless in another's cycle */
	struct slow_sym *next;  /* member of the cycle behind this one */
	struct slow_sym *cycle; /* its cycle's entry, or NULL */
	uint32_t cycle_number;
	bool print, print_on, print_off, time_on, time_off;
	double ticks, fraction, child_time, prop_self, prop_child;
};

struct slow_program {
	uint32_t nsyms, ncycles, counter, depth;
	struct slow_sym *sym;    /* by address */
	struct slow_sym *cycle;  /* cycle[1 .. ncycles] */
	struct slow_sym **stack; /* stack[1 .. depth] */
	struct slow_sym **order; /* by number, stable */
	double print_time;
	struct arena *mem;
};

static inline void slow_tally(struct slow_program *p, const struct arc *record)
{
	struct slow_sym *parent = &p->sym[record->from], *child = &p->sym[record->to];
	struct slow_arc *arc = parent->children;

	child->calls += record->ncalls;
	while (arc && arc->child != child)
		arc = arc->next_child;
	if (arc) {
		arc->count += record->ncalls;
		return;
	}
	arc = arena_array(p->mem, struct slow_arc, 1);
	*arc = (struct slow_arc){ .parent = parent,
				  .child = child,
				  .count = record->ncalls,
				  .next_child = parent->children,
				  .next_parent = child->parents };
	parent->children = child->parents = arc;
}

static inline struct slow_sym *slow_chain_end(struct slow_sym *s)
{
	while (s->next)
		s = s->next;
	return s;
}

/* The walk has met a symbol that it is still busy with. */
static inline void slow_close_cycle(struct slow_program *p, struct slow_sym *busy)
{
	uint32_t at = p->depth;
	struct slow_sym *into, *tail;

	while (p->stack[at] != busy && p->stack[at] != busy->head)
		at--;
	if (at == p->depth)
		return;
	into = p->stack[at];
	tail = slow_chain_end(into);
	if (into->head != into)
		into = into->head;
	for (uint32_t i = at + 1; i <= p->depth; i++) {
		struct slow_sym *entry = p->stack[i];

		if (entry->head == entry) {
			tail->next = entry;
			tail = slow_chain_end(entry);
			for (struct slow_sym *m = entry; m; m = m->next)
				m->head = into;
		} else if (entry->head != into) {
			fail_msg("a symbol is in two cycles");
		}
	}
}

static inline void slow_walk(struct slow_program *p, struct slow_sym *s)
{
	if (s->state == NUMBERED)
		return;
	if (s->state == BUSY) {
		slow_close_cycle(p, s);
		return;
	}
	s->state = BUSY;
	p->stack[++p->depth] = s;
	for (struct slow_arc *arc = s->children; arc; arc = arc->next_child)
		slow_walk(p, arc->child);
	p->depth--;
	if (s->head != s)
		return;
	p->counter++;
	for (struct slow_sym *m = s; m; m = m->next) {
		m->number = p->counter;
		m->state = NUMBERED;
	}
}

static inline void slow_number_cycles(struct slow_program *p)
{
	for (uint32_t i = 0; i < p->nsyms; i++) {
		struct slow_sym *head = &p->sym[i];

		if (head->head != head || !head->next)
			continue;
		p->ncycles++;
		for (struct slow_sym *m = head; m; m = m->next) {
			m->cycle_number = p->ncycles;
			m->cycle = &p->cycle[p->ncycles];
			m->cycle->next = m->cycle->next ? m->cycle->next : m;
		}
	}
}

static inline void slow_count_calls(struct slow_program *p)
{
	for (uint32_t i = 0; i < p->nsyms; i++) {
		for (struct slow_arc *arc = p->sym[i].parents; arc; arc = arc->next_parent) {
			struct slow_sym *cycle = arc->child->cycle;

			if (arc->parent == arc->child) {
				arc->child->self_calls = arc->count;
				arc->child->calls -= arc->count;
			} else if (cycle && arc->parent->cycle == cycle) {
				cycle->self_calls += arc->count;
			} else if (cycle) {
				cycle->calls += arc->count;
			}
		}
	}
}

/* Everything but time, from n records in the order of the data. Lives in mem. */
static inline struct slow_program slow_assemble(uint32_t nsyms, const struct arc *records, size_t n,
						struct arena *mem)
{
	struct slow_program p = {
		.nsyms = nsyms,
		.sym = arena_array(mem, struct slow_sym, nsyms),
		.cycle = arena_array(mem, struct slow_sym, (size_t)nsyms + 1),
		.stack = arena_array(mem, struct slow_sym *, (size_t)nsyms + 1),
		.order = arena_array(mem, struct slow_sym *, nsyms),
		.mem = mem,
	};
	uint32_t k = 0;

	for (uint32_t i = 0; i < nsyms; i++)
		p.sym[i].head = &p.sym[i];
	for (size_t i = 0; i < n; i++)
		slow_tally(&p, &records[i]);
	for (uint32_t i = 0; i < nsyms; i++) {
		if (p.sym[i].state == NOT_VISITED)
			slow_walk(&p, &p.sym[i]);
	}
	slow_number_cycles(&p);
	slow_count_calls(&p);
	for (uint32_t number = 1; number <= p.counter; number++) {
		for (uint32_t i = 0; i < nsyms; i++) {
			if (p.sym[i].number == number)
				p.order[k++] = &p.sym[i];
		}
	}
	return p;
}

/* What the callers of s outside of its cycle pass on to `to`, which is s or its cycle's entry. */
static inline void slow_inherit(struct slow_sym *to, const struct slow_sym *s)
{
	for (struct slow_arc *arc = s->parents; arc; arc = arc->next_parent) {
		if (arc->parent == s || (s->cycle && arc->parent->cycle == s->cycle))
			continue;
		to->print |= arc->parent->print;
		if (to->calls != 0)
			to->fraction +=
				arc->parent->fraction * ((double)arc->count / (double)to->calls);
	}
}

static inline void slow_flags(struct slow_program *p)
{
	struct slow_sym *last_head = NULL;

	for (uint32_t i = p->nsyms; i-- > 0;) {
		struct slow_sym *s = p->order[i];

		if (s->head != last_head && !s->cycle) {
			slow_inherit(s, s);
		} else if (s->head != last_head) {
			for (struct slow_sym *m = s->head; m; m = m->next)
				slow_inherit(s->cycle, m);
			for (struct slow_sym *m = s->head; m; m = m->next) {
				m->print = s->cycle->print;
				m->fraction = s->cycle->fraction;
			}
		}
		last_head = s->head;
		if (!s->print)
			s->print = s->print_on;
		else if (s->print_off)
			s->print = false;
		if (s->fraction == 0.0)
			s->fraction = s->time_on ? 1.0 : 0.0;
		else if (s->time_off)
			s->fraction = 0.0;
		s->prop_self = s->ticks * s->fraction;
		p->print_time += s->prop_self;
	}
}

static inline void slow_arc_time(struct slow_sym *parent, struct slow_arc *arc)
{
	struct slow_sym *child = arc->child;
	double share;

	if (arc->count == 0 || child == parent || child->fraction == 0.0 ||
	    (parent->cycle && parent->cycle == child->cycle))
		return;
	if (child->cycle)
		child = child->cycle;
	if (child->calls == 0)
		return;
	arc->self_time = child->ticks * ((double)arc->count / (double)child->calls);
	arc->child_time = child->child_time * ((double)arc->count / (double)child->calls);
	share = arc->self_time + arc->child_time;
	parent->child_time += share;
	parent->prop_child += parent->fraction * share;
	arc->self_time *= parent->fraction;
	arc->child_time *= parent->fraction;
	if (parent->cycle) {
		parent->cycle->child_time += share;
		parent->cycle->prop_child += parent->fraction * share;
	}
}

/* Flags, fractions and times. The symbols' ticks and the four selections are set before. */
static inline void slow_propagate(struct slow_program *p)
{
	slow_flags(p);
	for (uint32_t c = 1; c <= p->ncycles; c++) {
		struct slow_sym *cycle = &p->cycle[c];

		for (struct slow_sym *m = cycle->next; m; m = m->next)
			cycle->ticks += m->fraction != 0.0 ? m->ticks : 0.0;
		cycle->prop_self = cycle->fraction * cycle->ticks;
	}
	for (uint32_t i = 0; i < p->nsyms; i++) {
		struct slow_sym *s = p->order[i];

		if (s->fraction == 0.0)
			continue;
		for (struct slow_arc *arc = s->children; arc; arc = arc->next_child)
			slow_arc_time(s, arc);
	}
}

/* n random arcs: few or many calls, some none, some repeated, some of a function by itself. */
static inline struct arc *slow_random_arcs(uint32_t nsyms, uint32_t n, uint64_t *seed,
					   struct arena *mem)
{
	static const uint32_t limits[] = { 1, 2, 4, 10, 1000, 1000000 };
	struct arc *arcs = arena_array(mem, struct arc, n);

	for (uint32_t i = 0; i < n; i++) {
		arcs[i].from = random_below(seed, nsyms);
		arcs[i].to = random_below(seed, nsyms);
		arcs[i].ncalls = random_below(seed, limits[random_below(seed, COUNT(limits))]);
	}
	return arcs;
}

#endif
