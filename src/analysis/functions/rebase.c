/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up both ends of each call, and each tick, in its module. */
#include "config.h"

#include "analysis/functions/rebase.h"

#include "analysis/functions/resolve.h"

/*
 * Returns the special symbol of an address that address_space_note() does not find by itself; else
 * NADDRESS_SPACE_SPECIALS.
 */
static enum address_space_special rebase_special(const struct address_space_maker *m,
						 uint32_t module, uint64_t address)
{
	if (module == RECORDED_NONE && address == 0)
		return ADDRESS_SPACE_UNKNOWN;
	return module != RECORDED_NONE && m->in.recorded->modules.at[module].flags & MODULE_RECORDER
		       ? ADDRESS_SPACE_RECORDER
		       : NADDRESS_SPACE_SPECIALS;
}

static void rebase_see_address(struct address_space_maker *m, uint32_t module, uint64_t address)
{
	enum address_space_special special = rebase_special(m, module, address);

	if (special == NADDRESS_SPACE_SPECIALS)
		address_space_note(m, module, address);
	else
		m->has[special] = true;
}

/* Whether a bin begins in a stub of the program. */
static bool rebase_is_stub(const struct address_space_maker *m, const struct hist *hist,
			   uint32_t bin)
{
	const struct program *program = m->in.program;
	uint64_t pc = hist->lo + (uint64_t)(RESOLVE_UNIT * profile_hist_scale(hist) * bin);

	return hist->ticks[bin] > 0 && code_range_search(program->stubs, program->nstubs, pc);
}

void rebase_note(struct address_space_maker *m, const struct profile *prof, unsigned parts)
{
	const struct recorded *r = m->in.recorded;

	for (size_t i = 0; parts & ADDRESS_SPACE_ARCS && i < r->arcs.n; i++) {
		rebase_see_address(m, r->arcs.at[i].from_module, r->arcs.at[i].from);
		rebase_see_address(m, r->arcs.at[i].self_module, r->arcs.at[i].self);
	}
	for (size_t i = 0; parts & ADDRESS_SPACE_TICKS && i < r->bins.n; i++) {
		if (r->bins.at[i].kind == ADDRESS_SPACE_KIND)
			rebase_see_address(m, r->bins.at[i].module, r->bins.at[i].address);
	}
	for (size_t i = 0; parts & ADDRESS_SPACE_TICKS && i < prof->hists.n; i++) {
		for (uint32_t bin = 0; bin < prof->hists.at[i].nbins; bin++)
			m->has[ADDRESS_SPACE_STUBS] |= rebase_is_stub(m, &prof->hists.at[i], bin);
	}
}

static uint64_t rebase_address(const struct address_space_maker *m, uint32_t module,
			       uint64_t address)
{
	enum address_space_special special = rebase_special(m, module, address);

	return special == NADDRESS_SPACE_SPECIALS ? address_space_address(m, module, address)
						  : m->symtab.sym[m->special[special]].lo;
}

static void rebase_arcs(const struct address_space_maker *m, struct profile *to, struct arena *mem)
{
	const struct recorded *r = m->in.recorded;

	to->arcs = (raw_arc_array){ arena_array(mem, struct raw_arc, r->arcs.n), 0, r->arcs.n };
	for (size_t i = 0; i < r->arcs.n; i++) {
		const struct recorded_arc *arc = &r->arcs.at[i];
		uint64_t from = rebase_address(m, arc->from_module, arc->from);
		uint64_t self = rebase_address(m, arc->self_module, arc->self);

		/*
		 * A module that is one symbol has one address for all of its code, so calls within
		 * it would look like recursion.
		 */
		if (from != self || from < m->address_space.base)
			to->arcs.at[to->arcs.n++] = (struct raw_arc){ from, self, arc->calls };
	}
	to->has_arcs = true;
	to->has_distinct_arcs = false;
}

static void rebase_ticks(const struct address_space_maker *m, struct profile *to, struct arena *mem)
{
	const struct recorded *r = m->in.recorded;

	for (size_t i = 0; i < r->bins.n; i++) {
		const struct recorded_bin *bin = &r->bins.at[i];
		struct raw_point point = { .ticks = bin->ticks };

		if (bin->kind != ADDRESS_SPACE_KIND)
			continue;
		point.pc = rebase_address(m, bin->module, bin->address);
		array_push(mem, &to->points) = point;
	}
	to->has_hists |= r->bins.n > 0;
}

/* Moves the ticks of stubs: in symbol tables, stubs are part of the function before them. */
static void rebase_stubs(const struct address_space_maker *m, struct profile *to, struct arena *mem)
{
	const struct hist *from = to->hists.at;
	struct raw_point point = { .ticks = 0 };

	if (!m->has[ADDRESS_SPACE_STUBS])
		return;
	point.pc = m->symtab.sym[m->special[ADDRESS_SPACE_STUBS]].lo;
	to->hists.at = arena_array(mem, struct hist, to->hists.n);
	to->hists.max = to->hists.n;
	for (size_t i = 0; i < to->hists.n; i++) {
		uint64_t *ticks = arena_array(mem, uint64_t, from[i].nbins);

		for (uint32_t bin = 0; bin < from[i].nbins; bin++) {
			bool stub = rebase_is_stub(m, &from[i], bin);

			ticks[bin] = stub ? 0 : from[i].ticks[bin];
			point.ticks += stub ? from[i].ticks[bin] : 0;
		}
		to->hists.at[i] = from[i];
		to->hists.at[i].ticks = ticks;
	}
	if (point.ticks > 0)
		array_push(mem, &to->points) = point;
}

struct profile rebase_profile(const struct address_space_maker *m, const struct profile *prof,
			      unsigned parts, struct arena *mem)
{
	struct profile to = *prof;

	if (parts & ADDRESS_SPACE_ARCS)
		rebase_arcs(m, &to, mem);
	if (parts & ADDRESS_SPACE_TICKS) {
		rebase_ticks(m, &to, mem);
		rebase_stubs(m, &to, mem);
	}
	return to;
}
