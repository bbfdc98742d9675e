/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "model/profile.h"

double profile_hist_scale(const struct hist *hist)
{
	return hist->nbins > 0 ? (double)((hist->hi - hist->lo) / 2) / hist->nbins : 0.0;
}

struct hist profile_unknown(const struct target *target)
{
	return (struct hist){ .lo = target_wrap(target, (uint64_t)-UNKNOWN_BEFORE),
			      .hi = target_wrap(target, (uint64_t) - (UNKNOWN_BEFORE / 2)),
			      .nbins = 2 };
}

bool profile_is_unknown(const struct profile *prof, const struct hist *hist)
{
	struct hist unknown = profile_unknown(&prof->target);

	return hist->lo == unknown.lo && hist->hi == unknown.hi && hist->nbins == unknown.nbins;
}

uint64_t profile_ticks(const struct profile *prof)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < prof->hists.n; i++) {
		for (uint32_t bin = 0; bin < prof->hists.at[i].nbins; bin++)
			ticks += prof->hists.at[i].ticks[bin];
	}
	for (size_t i = 0; i < prof->points.n; i++)
		ticks += prof->points.at[i].ticks;
	return ticks;
}

/* How addresses of the program, which is one of the modules, are moved. */
struct profile_moving {
	const struct recorded *rec;
	const struct target *target;
	profile_move *move;
	const void *arg;
};

static uint64_t profile_move_in(const struct profile_moving *m, uint32_t module, uint64_t address)
{
	if (module == RECORDED_NONE || !(m->rec->modules.at[module].flags & MODULE_PROGRAM))
		return address;
	return target_wrap(m->target, m->move(address, m->arg));
}

static void profile_map_recorded(struct recorded *to, const struct profile_moving *m,
				 struct arena *mem)
{
	const struct recorded *from = m->rec;

	to->nodes.at = arena_array(mem, struct recorded_node, from->nodes.n);
	to->nodes.max = from->nodes.n;
	for (size_t i = 0; i < from->nodes.n; i++) {
		struct recorded_node node = from->nodes.at[i];

		node.address = profile_move_in(m, node.module, node.address);
		to->nodes.at[i] = node;
	}
	to->arcs.at = arena_array(mem, struct recorded_arc, from->arcs.n);
	to->arcs.max = from->arcs.n;
	for (size_t i = 0; i < from->arcs.n; i++) {
		struct recorded_arc arc = from->arcs.at[i];

		arc.from = profile_move_in(m, arc.from_module, arc.from);
		arc.self = profile_move_in(m, arc.self_module, arc.self);
		to->arcs.at[i] = arc;
	}
	to->parts.at = arena_array(mem, struct recorded_part, from->parts.n);
	to->parts.max = from->parts.n;
	for (size_t i = 0; i < from->parts.n; i++) {
		struct recorded_part part = from->parts.at[i];

		part.address = profile_move_in(m, part.module, part.address);
		to->parts.at[i] = part;
	}
	to->bins.at = arena_array(mem, struct recorded_bin, from->bins.n);
	to->bins.max = from->bins.n;
	for (size_t i = 0; i < from->bins.n; i++) {
		struct recorded_bin bin = from->bins.at[i];

		bin.address = profile_move_in(m, bin.module, bin.address);
		to->bins.at[i] = bin;
	}
}

const char *profile_out_of_order(const struct profile *prof)
{
	for (size_t i = 0; i < prof->files.n; i++) {
		if (!prof->files.at[i].in_order)
			return prof->files.at[i].name;
	}
	return NULL;
}

struct profile profile_map(const struct profile *prof, profile_move *move, const void *arg,
			   struct arena *mem)
{
	const struct target *target = &prof->target;
	struct profile to = *prof;

	to.hists.at = arena_array(mem, struct hist, prof->hists.n);
	to.hists.max = to.hists.n;
	for (size_t i = 0; i < prof->hists.n; i++) {
		struct hist hist = prof->hists.at[i];
		uint64_t bytes = hist.hi - hist.lo;

		if (!profile_is_unknown(prof, &hist)) {
			hist.lo = target_wrap(target, move(hist.lo, arg));
			hist.hi = hist.lo + bytes;
		}
		to.hists.at[i] = hist;
	}
	to.arcs.at = arena_array(mem, struct raw_arc, prof->arcs.n);
	to.arcs.max = to.arcs.n;
	to.has_distinct_arcs = false;
	for (size_t i = 0; i < prof->arcs.n; i++) {
		struct raw_arc arc = prof->arcs.at[i];

		arc.from_pc = target_wrap(target, move(arc.from_pc, arg));
		arc.self_pc = target_wrap(target, move(arc.self_pc, arg));
		to.arcs.at[i] = arc;
	}
	to.blocks.at = arena_array(mem, struct raw_block, prof->blocks.n);
	to.blocks.max = to.blocks.n;
	for (size_t i = 0; i < prof->blocks.n; i++) {
		struct raw_block block = prof->blocks.at[i];

		block.pc = target_wrap(target, move(block.pc, arg));
		to.blocks.at[i] = block;
	}
	profile_map_recorded(&to.recorded,
			     &(struct profile_moving){ &prof->recorded, target, move, arg }, mem);
	return to;
}
