/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each end of a call, and each tick, is looked up in its module. */
#include "config.h"

#include "analysis/spread.h"

#include "analysis/resolve.h"

/* Which of the special symbols an address has that space_see() does not give it; or none. */
static enum space_special spread_special(const struct space_maker *m, uint32_t module,
					 uint64_t address)
{
	if (module == RECORDED_NONE && address == 0)
		return SPACE_UNKNOWN;
	return module != RECORDED_NONE && m->in.recorded->modules.at[module].flags & MODULE_RECORDER
		       ? SPACE_RECORDER
		       : NSPACE_SPECIALS;
}

static void spread_see_address(struct space_maker *m, uint32_t module, uint64_t address)
{
	enum space_special special = spread_special(m, module, address);

	if (special == NSPACE_SPECIALS)
		space_see(m, module, address);
	else
		m->has[special] = true;
}

/* Whether a bin begins in code of the program that only goes on to a function elsewhere. */
static bool spread_is_stub(const struct space_maker *m, const struct hist *hist, uint32_t bin)
{
	const struct program *program = m->in.program;
	uint64_t pc = hist->lo + (uint64_t)(RESOLVE_UNIT * hist_scale(hist) * bin);

	return hist->ticks[bin] > 0 && code_range_search(program->stubs, program->nstubs, pc);
}

void spread_see(struct space_maker *m, const struct profile *prof, unsigned parts)
{
	const struct recorded *r = m->in.recorded;

	for (size_t i = 0; parts & SPACE_ARCS && i < r->arcs.n; i++) {
		spread_see_address(m, r->arcs.at[i].from_module, r->arcs.at[i].from);
		spread_see_address(m, r->arcs.at[i].self_module, r->arcs.at[i].self);
	}
	for (size_t i = 0; parts & SPACE_TICKS && i < r->bins.n; i++) {
		if (r->bins.at[i].kind == SPACE_KIND)
			spread_see_address(m, r->bins.at[i].module, r->bins.at[i].address);
	}
	for (size_t i = 0; parts & SPACE_TICKS && i < prof->hists.n; i++) {
		for (uint32_t bin = 0; bin < prof->hists.at[i].nbins; bin++)
			m->has[SPACE_STUBS] |= spread_is_stub(m, &prof->hists.at[i], bin);
	}
}

static uint64_t spread_address(const struct space_maker *m, uint32_t module, uint64_t address)
{
	enum space_special special = spread_special(m, module, address);

	return special == NSPACE_SPECIALS ? space_address(m, module, address)
					  : m->symtab.sym[m->special[special]].lo;
}

static void spread_arcs(const struct space_maker *m, struct profile *to, struct arena *mem)
{
	const struct recorded *r = m->in.recorded;

	to->arcs = (raw_arc_array){ arena_array(mem, struct raw_arc, r->arcs.n), 0, r->arcs.n };
	for (size_t i = 0; i < r->arcs.n; i++) {
		const struct recorded_arc *arc = &r->arcs.at[i];
		uint64_t from = spread_address(m, arc->from_module, arc->from);
		uint64_t self = spread_address(m, arc->self_module, arc->self);

		/* Only what is one symbol has one address for all of its code. */
		if (from != self || from < m->space.base)
			to->arcs.at[to->arcs.n++] = (struct raw_arc){ from, self, arc->calls };
	}
	to->has_arcs = true;
	to->has_distinct_arcs = false;
}

static void spread_ticks(const struct space_maker *m, struct profile *to, struct arena *mem)
{
	const struct recorded *r = m->in.recorded;

	for (size_t i = 0; i < r->bins.n; i++) {
		const struct recorded_bin *bin = &r->bins.at[i];
		struct raw_point point = { .ticks = bin->ticks };

		if (bin->kind != SPACE_KIND)
			continue;
		point.pc = spread_address(m, bin->module, bin->address);
		array_push(mem, &to->points) = point;
	}
	to->has_hists |= r->bins.n > 0;
}

/* In tables of symbols, stubs are part of whatever function is in front of them. */
static void spread_stubs(const struct space_maker *m, struct profile *to, struct arena *mem)
{
	const struct hist *from = to->hists.at;
	struct raw_point point = { .ticks = 0 };

	if (!m->has[SPACE_STUBS])
		return;
	point.pc = m->symtab.sym[m->special[SPACE_STUBS]].lo;
	to->hists.at = arena_array(mem, struct hist, to->hists.n);
	to->hists.max = to->hists.n;
	for (size_t i = 0; i < to->hists.n; i++) {
		uint64_t *ticks = arena_array(mem, uint64_t, from[i].nbins);

		for (uint32_t bin = 0; bin < from[i].nbins; bin++) {
			bool stub = spread_is_stub(m, &from[i], bin);

			ticks[bin] = stub ? 0 : from[i].ticks[bin];
			point.ticks += stub ? from[i].ticks[bin] : 0;
		}
		to->hists.at[i] = from[i];
		to->hists.at[i].ticks = ticks;
	}
	if (point.ticks > 0)
		array_push(mem, &to->points) = point;
}

struct profile spread_profile(const struct space_maker *m, const struct profile *prof,
			      unsigned parts, struct arena *mem)
{
	struct profile to = *prof;

	if (parts & SPACE_ARCS)
		spread_arcs(m, &to, mem);
	if (parts & SPACE_TICKS) {
		spread_ticks(m, &to, mem);
		spread_stubs(m, &to, mem);
	}
	return to;
}
