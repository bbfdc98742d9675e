/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the parts that all data file formats have. */
#include "config.h"

#include "io/records.h"

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
	for (uint32_t i = 0; i < like->nbins; i++)
		hist->ticks[i] +=
			bytes_uint(bins + (size_t)i * bin_bytes, bin_bytes, r->in.big_endian);
	r->prof->has_hists = true;
	return 0;
}

int add_arc(struct reader *r, const struct raw_arc *arc)
{
	if (r->prof->arcs.n == UINT32_MAX) {
		diag_error(r->in.diag, "%s: more than %" PRIu32 " call-graph records, at byte %zu",
			   r->in.name, UINT32_MAX, r->record_at);
		return -1;
	}
	array_push(r->mem, &r->prof->arcs) = *arc;
	r->prof->has_arcs = true;
	r->file->narcs++;
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
