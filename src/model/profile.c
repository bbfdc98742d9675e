/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up histograms: equal ranges are found by hashing, overlaps by sorting. */
#include "config.h"

#include "model/profile.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

double hist_scale(const struct hist *hist)
{
	return hist->nbins > 0 ? (double)((hist->hi - hist->lo) / 2) / hist->nbins : 0.0;
}

static uint32_t hash_range(uint64_t lo, uint64_t hi)
{
	uint64_t h = (lo * 0x9e3779b97f4a7c15u) ^ (hi * 0xc2b2ae3d27d4eb4fu);

	return (uint32_t)(h ^ h >> 32);
}

/* The slot that holds the range, or the free one where it belongs. */
static uint32_t *find_slot(const struct profile *prof, uint64_t lo, uint64_t hi)
{
	uint32_t i = hash_range(lo, hi);

	for (;; i++) {
		uint32_t *slot = &prof->slot[i & (prof->nslots - 1)];
		const struct hist *hist = *slot ? &prof->hists.at[*slot - 1] : NULL;

		if (!hist || (hist->lo == lo && hist->hi == hi))
			return slot;
	}
}

static void grow_slots(struct profile *prof, struct arena *mem)
{
	prof->nslots = prof->nslots ? 2 * prof->nslots : 16;
	prof->slot = arena_array(mem, uint32_t, prof->nslots);
	for (uint32_t i = 0; i < prof->hists.n; i++)
		*find_slot(prof, prof->hists.at[i].lo, prof->hists.at[i].hi) = i + 1;
}

struct hist *profile_hist(struct profile *prof, const struct hist *like, const struct unit *unit,
			  struct arena *mem, enum hist_conflict *why)
{
	struct hist *hist;
	uint32_t *slot;

	*why = HIST_FITS;
	if (prof->hists.n == 0)
		prof->unit = *unit;
	else if (strcmp(unit->dimension, prof->unit.dimension) != 0)
		*why = HIST_OTHER_DIMENSION;
	else if (unit->abbrev != prof->unit.abbrev)
		*why = HIST_OTHER_ABBREV;
	else if (fabs(hist_scale(like) - hist_scale(&prof->hists.at[0])) > 1e-6)
		*why = HIST_OTHER_SCALE;
	if (*why != HIST_FITS)
		return NULL;

	if (2 * prof->hists.n >= prof->nslots)
		grow_slots(prof, mem);
	slot = find_slot(prof, like->lo, like->hi);
	if (*slot) {
		hist = &prof->hists.at[*slot - 1];
		if (hist->nbins == like->nbins)
			return hist;
		*why = HIST_OTHER_SCALE;
		return NULL;
	}
	hist = &array_push(mem, &prof->hists);
	*slot = (uint32_t)prof->hists.n;
	*hist = *like;
	hist->ticks = arena_sparse(mem, like->nbins, sizeof(*hist->ticks));
	prof->ranges_changed = true;
	return hist;
}

static int compare_lo(uint32_t a, uint32_t b, const void *hists)
{
	const struct hist *x = (const struct hist *)hists + a;
	const struct hist *y = (const struct hist *)hists + b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return (x->hi > y->hi) - (x->hi < y->hi);
}

bool profile_overlap(struct profile *prof, const struct arena *mem, size_t *first, size_t *second)
{
	struct arena scratch = arena_scratch(mem);
	size_t n = prof->hists.n;
	uint32_t *by_lo;
	bool found = false;

	if (!prof->ranges_changed)
		return false;
	prof->ranges_changed = false;
	by_lo = arena_array(&scratch, uint32_t, n);
	for (uint32_t i = 0; i < n; i++)
		by_lo[i] = i;
	sort_ids(by_lo, n, compare_lo, prof->hists.at, &scratch);
	for (size_t i = 1; i < n && !found; i++) {
		uint32_t a = by_lo[i - 1], b = by_lo[i];

		found = prof->hists.at[b].lo < prof->hists.at[a].hi &&
			prof->hists.at[b].lo < prof->hists.at[b].hi;
		*first = a < b ? a : b;
		*second = a < b ? b : a;
	}
	arena_free(&scratch);
	return found;
}

static uint64_t moved(const struct target *target, uint64_t pc, uint64_t by)
{
	pc -= by;
	if (target->ptr_size == 8)
		return pc;
	return target->sign_extend ? (uint64_t)(int64_t)(int32_t)pc : (uint32_t)pc;
}

struct profile profile_moved(const struct profile *prof, uint64_t by, struct arena *mem)
{
	const struct target *target = &prof->target;
	struct profile to = *prof;

	to.hists.at = arena_array(mem, struct hist, prof->hists.n);
	to.arcs.at = arena_array(mem, struct raw_arc, prof->arcs.n);
	to.blocks.at = arena_array(mem, struct raw_block, prof->blocks.n);
	for (size_t i = 0; i < prof->hists.n; i++) {
		struct hist *hist = &to.hists.at[i];

		*hist = prof->hists.at[i];
		hist->lo = moved(target, hist->lo, by);
		hist->hi = hist->lo + (prof->hists.at[i].hi - prof->hists.at[i].lo);
	}
	for (size_t i = 0; i < prof->arcs.n; i++) {
		const struct raw_arc *arc = &prof->arcs.at[i];

		to.arcs.at[i] = (struct raw_arc){ moved(target, arc->from_pc, by),
						  moved(target, arc->self_pc, by), arc->ncalls };
	}
	for (size_t i = 0; i < prof->blocks.n; i++) {
		const struct raw_block *block = &prof->blocks.at[i];

		to.blocks.at[i] = (struct raw_block){ moved(target, block->pc, by), block->count };
	}
	return to;
}
