/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "model/profile.h"

double hist_scale(const struct hist *hist)
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
	return ticks;
}

static void profile_map_stacks(struct profile *to, const struct recorded *from, profile_move *move,
			       const void *arg, struct arena *mem)
{
	to->recorded.nodes.at = arena_array(mem, struct recorded_node, from->nodes.n);
	to->recorded.nodes.max = from->nodes.n;
	for (size_t i = 0; i < from->nodes.n; i++) {
		struct recorded_node node = from->nodes.at[i];

		if (node.module != RECORDED_NONE &&
		    from->modules.at[node.module].flags & MODULE_PROGRAM)
			node.address = target_wrap(&to->target, move(node.address, arg));
		to->recorded.nodes.at[i] = node;
	}
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
	profile_map_stacks(&to, &prof->recorded, move, arg, mem);
	return to;
}
