/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what all data file formats have in common. */
#include "config.h"

#include "io/profile/records.h"

#include <inttypes.h>

static int records_conflict(const struct records *r, enum hist_conflict why,
			    const struct unit *unit, const struct hist *hist)
{
	struct diag *diag = r->in.diag;
	const struct unit *first = &r->sum->prof.unit;

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
			   r->in.name, r->record_at, hist->nbins, 2 * profile_hist_scale(hist),
			   r->sum->prof.hists.at[0].nbins,
			   2 * profile_hist_scale(&r->sum->prof.hists.at[0]));
	}
	return -1;
}

/* Most bins are zero, so eight bytes of zeros are skipped at once. */
static void records_sum_bins(struct records *r, const struct hist *hist, const unsigned char *bins,
			     unsigned bin_bytes)
{
	size_t step = sizeof(uint64_t) / bin_bytes;
	bool big_endian = r->in.big_endian;

	for (uint32_t i = 0; i < hist->nbins;) {
		if (hist->nbins - i >= step &&
		    cursor_bytes_uint(bins + (size_t)i * bin_bytes, 8, big_endian) == 0) {
			i += (uint32_t)step;
			continue;
		}
		hist->ticks[i] +=
			cursor_bytes_uint(bins + (size_t)i * bin_bytes, bin_bytes, big_endian);
		i++;
	}
}

int records_read_bins(struct records *r, const struct hist *like, const struct unit *unit,
		      unsigned bin_bytes)
{
	const unsigned char *bins =
		cursor_take(&r->in, (uint64_t)like->nbins * bin_bytes, "histogram");
	enum hist_conflict why;
	struct hist *hist;

	if (!bins)
		return -1;
	hist = profile_sum_hist(r->sum, like, unit, &why);
	if (!hist)
		return records_conflict(r, why, unit, like);
	records_sum_bins(r, hist, bins, bin_bytes);
	r->sum->prof.has_hists = true;
	return 0;
}

int records_add_arcs(struct records *r, const struct raw_arc *arcs, size_t n)
{
	size_t least_bytes = 2 * (size_t)r->target->ptr_size + 4;

	profile_sum_expect_arcs(r->sum, n + cursor_left(&r->in) / least_bytes);
	if (!profile_sum_arcs(r->sum, arcs, n)) {
		diag_error(r->in.diag, "%s: more than %" PRIu32 " call-graph records, at byte %zu",
			   r->in.name, UINT32_MAX, r->record_at);
		return -1;
	}
	r->sum->prof.has_arcs = true;
	r->file->narcs += n;
	return 0;
}

int records_add_block(struct records *r, const struct raw_block *block)
{
	if (profile_sum_block(r->sum, block))
		return 0;
	diag_error(r->in.diag, "%s: more than %" PRIu32 " basic blocks, at byte %zu", r->in.name,
		   UINT32_MAX, r->record_at);
	return -1;
}
