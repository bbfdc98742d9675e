/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the formats of BSD. Linear in the size of the file. */
#include "config.h"

#include "io/profile/bsd_read.h"

#include "gmon_out.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

uint32_t bsd_host_rate(void)
{
	long ticks = sysconf(_SC_CLK_TCK);

	return ticks > 0 ? (uint32_t)ticks : 100;
}

static size_t bsd_header_bytes(const struct records *r, bool is_44)
{
	return 2 * (size_t)r->target->ptr_size + 4 + (is_44 ? BSD44_EXTRA_BYTES : 0);
}

bool bsd_is_44(const struct records *r)
{
	size_t at = bsd_header_bytes(r, false);

	return r->in.size >= at + 4 &&
	       cursor_bytes_uint(r->in.start + at, 4, r->in.big_endian) == BSD44_VERSION;
}

static int bsd_wrong(const struct records *r, const char *why)
{
	bool current = memcmp(r->in.start, GMON_MAGIC, strlen(GMON_MAGIC)) == 0;

	diag_error(r->in.diag, "%s: not %s: %s", r->in.name,
		   current ? "BSD data, as \"gmon\" is at byte 0"
			   : "profile data: no \"gmon\" at byte 0; not BSD data",
		   why);
	return -1;
}

/*
 * Checks that all BSD files of a run have the same range and rate, since the format has only one of
 * each.
 */
static int bsd_check_others(const struct records *r, const struct hist *hist,
			    const struct unit *unit, bool is_44)
{
	const struct hist *first;

	if (r->sum->prof.hists.n == 0)
		return 0;
	first = &r->sum->prof.hists.at[0];
	if (first->lo != hist->lo || first->hi != hist->hi || first->nbins != hist->nbins) {
		diag_error(r->in.diag,
			   "%s: %" PRIu32 " bins for 0x%" PRIx64 "-0x%" PRIx64
			   " do not fit the %" PRIu32 " bins for 0x%" PRIx64 "-0x%" PRIx64
			   " read before",
			   r->in.name, hist->nbins, hist->lo, hist->hi, first->nbins, first->lo,
			   first->hi);
		return -1;
	}
	if (is_44 && unit->rate != r->sum->prof.unit.rate) {
		diag_error(r->in.diag,
			   "%s: %" PRIu32 " ticks a second, but %" PRIu32 " in the file before",
			   r->in.name, unit->rate, r->sum->prof.unit.rate);
		return -1;
	}
	return 0;
}

static int bsd_read_arcs(struct records *r)
{
	size_t arc_bytes = 3 * (size_t)r->target->ptr_size;

	while (cursor_left(&r->in) >= arc_bytes) {
		struct raw_arc arc;

		r->record_at = r->in.at;
		arc.from_pc = records_read_pointer(r, "arc");
		arc.self_pc = records_read_pointer(r, "arc");
		arc.ncalls = cursor_uint(&r->in, r->target->ptr_size, "arc");
		if (records_add_arcs(r, &arc, 1) < 0)
			return -1;
	}
	return 0;
}

int bsd_read_header(struct records *r, bool is_44, struct bsd_header *h)
{
	static const char what[] = "BSD header";
	size_t header = bsd_header_bytes(r, is_44), bytes;

	*h = (struct bsd_header){ .unit = { .dimension = "seconds", .abbrev = 's' } };
	if (r->in.size < header)
		return bsd_wrong(r, "it is too short");
	h->hist.lo = records_read_pointer(r, what);
	h->hist.hi = records_read_pointer(r, what);
	bytes = (size_t)cursor_uint(&r->in, 4, what);
	if (is_44) {
		if (cursor_uint(&r->in, 4, what) != BSD44_VERSION)
			return bsd_wrong(r, "it lacks the version of 4.4BSD");
		h->unit.rate = (uint32_t)cursor_uint(&r->in, 4, what);
		cursor_take(&r->in, BSD44_RESERVED_BYTES, what);
	} else {
		h->unit.rate = bsd_host_rate();
	}
	if (h->hist.lo > h->hist.hi)
		return bsd_wrong(r, "its range ends before its start");
	if (bytes < header)
		return bsd_wrong(r, "its size is less than its header's");
	h->hist.nbins = (uint32_t)((bytes - header) / BIN_BYTES);
	if (h->hist.lo == h->hist.hi && h->hist.nbins > 0)
		return bsd_wrong(r, "it has bins for an empty range of addresses");
	return 0;
}

int bsd_read(struct records *r, bool is_44)
{
	struct bsd_header h;

	if (bsd_read_header(r, is_44, &h) < 0)
		return -1;
	if (cursor_left(&r->in) / BIN_BYTES < h.hist.nbins)
		return bsd_wrong(r, "it is cut short");
	if (bsd_check_others(r, &h.hist, &h.unit, is_44) < 0 ||
	    records_read_bins(r, &h.hist, &h.unit, BIN_BYTES) < 0)
		return -1;
	r->file->nhists = h.hist.nbins > 0;
	r->sum->prof.has_arcs = true;
	return bsd_read_arcs(r);
}
