/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the parts that all data file formats have. */
#include "config.h"

#include "io/profile/records.h"

#include "model/merge.h"

#include <inttypes.h>

uint64_t read_pointer(struct reader *r, const char *what)
{
	const struct target *target = &r->prof->target;
	uint64_t value = cursor_uint(&r->in, target->ptr_size, what);

	if (target->sign_extend && target->ptr_size == 4)
		value = (uint64_t)(int64_t)(int32_t)value;
	return value;
}

static int conflict(const struct reader *r, enum hist_conflict why, const struct unit *unit,
		    const struct hist *hist)
{
	struct diag *diag = r->in.diag;
	const struct unit *first = &r->prof->unit;

	switch (why) {
	case HIST_OTHER_DIMENSION:
		diag_error(diag, "%s: histogram at byte %zu is in %s, the first one in %s",
			   r->in.name, r->record_at, unit->dimension, first->dimension);
		break;
	case HIST_OTHER_ABBREV:
		diag_error(
			diag,
			"%s: histogram at byte %zu abbreviates its unit '%c', the first one '%c'",
			r->in.name, r->record_at, unit->abbrev, first->abbrev);
		break;
	default:
		diag_error(diag,
			   "%s: histogram at byte %zu has %" PRIu32 " bins of %g bytes, "
			   "the first one %" PRIu32 " of %g",
			   r->in.name, r->record_at, hist->nbins, 2 * hist_scale(hist),
			   r->prof->hists.at[0].nbins, 2 * hist_scale(&r->prof->hists.at[0]));
	}
	return -1;
}

/* Most bins are zero: where eight bytes are, so are the bins in them. */
static void add_bins(uint64_t *ticks, const unsigned char *bins, size_t n, unsigned bin_bytes,
		     bool big_endian)
{
	size_t step = sizeof(uint64_t) / bin_bytes;

	for (size_t i = 0; i < n;) {
		if (n - i >= step && bytes_uint(bins + i * bin_bytes, 8, big_endian) == 0) {
			i += step;
			continue;
		}
		ticks[i] += bytes_uint(bins + i * bin_bytes, bin_bytes, big_endian);
		i++;
	}
}

int read_bins(struct reader *r, const struct hist *like, const struct unit *unit,
	      unsigned bin_bytes)
{
	const unsigned char *bins =
		cursor_take(&r->in, (uint64_t)like->nbins * bin_bytes, "histogram");
	enum hist_conflict why;
	struct hist *hist;

	if (!bins)
		return -1;
	hist = profile_hist(r->prof, like, unit, r->mem, &why);
	if (!hist)
		return conflict(r, why, unit, like);
	add_bins(hist->ticks, bins, like->nbins, bin_bytes, r->in.big_endian);
	r->prof->has_hists = true;
	return 0;
}

/* Makes room for n arcs, and as many as there can be in the rest of the file. */
static void reserve_arcs(struct reader *r, size_t n)
{
	raw_arc_array *arcs = &r->prof->arcs;

	arcs->max = n + cursor_left(&r->in) / (2 * (size_t)r->prof->target.ptr_size + 4);
	arcs->at = arena_array(r->mem, struct raw_arc, arcs->max);
}

/* Several files mostly have the same arcs; one file has few repeats, which cost more to find. */
int add_arcs(struct reader *r, const struct raw_arc *arcs, size_t n)
{
	raw_arc_array *all = &r->prof->arcs;
	bool first = r->prof->files.n <= 1;
	bool fits = first ? n <= UINT32_MAX - all->n : profile_add_arcs(r->prof, arcs, n, r->mem);

	if (!fits) {
		diag_error(r->in.diag, "%s: more than %" PRIu32 " call-graph records, at byte %zu",
			   r->in.name, UINT32_MAX, r->record_at);
		return -1;
	}
	if (first && all->max == 0)
		reserve_arcs(r, n);
	for (size_t i = 0; first && i < n; i++)
		array_push(r->mem, all) = arcs[i];
	r->prof->has_arcs = true;
	r->file->narcs += n;
	return 0;
}

int add_block(struct reader *r, const struct raw_block *block)
{
	if (r->prof->blocks.n == UINT32_MAX) {
		diag_error(r->in.diag, "%s: more than %" PRIu32 " basic blocks, at byte %zu",
			   r->in.name, UINT32_MAX, r->record_at);
		return -1;
	}
	array_push(r->mem, &r->prof->blocks) = *block;
	return 0;
}
