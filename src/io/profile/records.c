/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what all data file formats have in common. */
#include "config.h"

#include "io/profile/records.h"

#include <inttypes.h>
#include <string.h>

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

/* Returns how many of the n bytes at p are zeros that can be skipped, by 64. */
static size_t records_zeros(const unsigned char *p, size_t n)
{
	size_t at = 0;

	for (uint64_t w[8]; n - at >= sizeof(w); at += sizeof(w)) {
		memcpy(w, p + at, sizeof(w));
		if ((w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) != 0)
			break;
	}
	return at;
}

/* Most bins are zero, so many are skipped at once. */
static void records_sum_bins(struct records *r, const struct hist *hist, const unsigned char *bins,
			     unsigned bin_bytes)
{
	size_t n = (size_t)hist->nbins * bin_bytes, part = 64;
	uint64_t *ticks = hist->ticks;

	for (size_t at = 0; at < n;) {
		size_t end = (at += records_zeros(bins + at, n - at)) + part;

		for (end = end < n ? end : n; at < end; at += bin_bytes)
			ticks[at / bin_bytes] +=
				cursor_bytes_uint(bins + at, bin_bytes, r->in.big_endian);
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
