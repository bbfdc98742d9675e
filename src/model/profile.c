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

static void profile_move_recorded(struct recorded *rec, const struct profile_moving *m,
				  struct arena *mem)
{
	array_unshare(mem, &rec->nodes);
	for (size_t i = 0; i < rec->nodes.n; i++) {
		struct recorded_node *node = &rec->nodes.at[i];

		node->address = profile_move_in(m, node->module, node->address);
	}
	array_unshare(mem, &rec->holds);
	for (size_t i = 0; i < rec->holds.n; i++) {
		struct recorded_hold *hold = &rec->holds.at[i];

		hold->lock = profile_move_in(m, hold->module, hold->lock);
	}
	array_unshare(mem, &rec->arcs);
	for (size_t i = 0; i < rec->arcs.n; i++) {
		struct recorded_arc *arc = &rec->arcs.at[i];

		arc->from = profile_move_in(m, arc->from_module, arc->from);
		arc->self = profile_move_in(m, arc->self_module, arc->self);
	}
	array_unshare(mem, &rec->parts);
	for (size_t i = 0; i < rec->parts.n; i++) {
		struct recorded_part *part = &rec->parts.at[i];

		part->address = profile_move_in(m, part->module, part->address);
	}
	array_unshare(mem, &rec->bins);
	for (size_t i = 0; i < rec->bins.n; i++) {
		struct recorded_bin *bin = &rec->bins.at[i];

		bin->address = profile_move_in(m, bin->module, bin->address);
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

	array_unshare(mem, &to.hists);
	for (size_t i = 0; i < to.hists.n; i++) {
		struct hist *hist = &to.hists.at[i];
		uint64_t bytes = hist->hi - hist->lo;

		if (!profile_is_unknown(prof, hist)) {
			hist->lo = target_wrap(target, move(hist->lo, arg));
			hist->hi = hist->lo + bytes;
		}
	}
	array_unshare(mem, &to.arcs);
	to.has_distinct_arcs = false;
	for (size_t i = 0; i < to.arcs.n; i++) {
		struct raw_arc *arc = &to.arcs.at[i];

		arc->from_pc = target_wrap(target, move(arc->from_pc, arg));
		arc->self_pc = target_wrap(target, move(arc->self_pc, arg));
	}
	array_unshare(mem, &to.blocks);
	for (size_t i = 0; i < to.blocks.n; i++)
		to.blocks.at[i].pc = target_wrap(target, move(to.blocks.at[i].pc, arg));
	profile_move_recorded(&to.recorded,
			      &(struct profile_moving){ &prof->recorded, target, move, arg }, mem);
	return to;
}
