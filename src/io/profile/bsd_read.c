/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of the formats of BSD. Linear in the size of the file. */
#include "config.h"

#include "gmon_out.h"
#include "io/profile/records.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

uint32_t bsd_rate(void)
{
	long ticks = sysconf(_SC_CLK_TCK);

	return ticks > 0 ? (uint32_t)ticks : 100;
}

static size_t header_bytes(const struct reader *r, bool is_44)
{
	return 2 * (size_t)r->prof->target.ptr_size + 4 + (is_44 ? BSD44_EXTRA_BYTES : 0);
}

bool looks_like_bsd44(const struct reader *r)
{
	size_t at = header_bytes(r, false);

	return r->in.size >= at + 4 &&
	       bytes_uint(r->in.start + at, 4, r->in.big_endian) == BSD44_VERSION;
}

static int wrong(const struct reader *r, const char *why)
{
	bool current = memcmp(r->in.start, GMON_MAGIC, strlen(GMON_MAGIC)) == 0;

	diag_error(r->in.diag, "%s: not profile data%s, and as BSD data %s", r->in.name,
		   current ? " of BSD: \"gmon\" at byte 0" : ": no \"gmon\" at byte 0", why);
	return -1;
}

/* All files of a run must agree: the format has one range and one rate. */
static int check_others(const struct reader *r, const struct hist *hist, const struct unit *unit,
			bool is_44)
{
	const struct hist *first;

	if (r->prof->hists.n == 0)
		return 0;
	first = &r->prof->hists.at[0];
	if (first->lo != hist->lo || first->hi != hist->hi || first->nbins != hist->nbins) {
		diag_error(r->in.diag,
			   "%s: %" PRIu32 " bins for 0x%" PRIx64 "-0x%" PRIx64
			   " do not fit the %" PRIu32 " bins for 0x%" PRIx64 "-0x%" PRIx64
			   " read before",
			   r->in.name, hist->nbins, hist->lo, hist->hi, first->nbins, first->lo,
			   first->hi);
		return -1;
	}
	if (is_44 && unit->rate != r->prof->unit.rate) {
		diag_error(r->in.diag,
			   "%s: %" PRIu32 " ticks a second, but %" PRIu32 " read before",
			   r->in.name, unit->rate, r->prof->unit.rate);
		return -1;
	}
	return 0;
}

static int read_arcs(struct reader *r)
{
	size_t arc_bytes = 3 * (size_t)r->prof->target.ptr_size;

	while (cursor_left(&r->in) >= arc_bytes) {
		struct raw_arc arc;

		r->record_at = r->in.at;
		arc.from_pc = read_pointer(r, "arc");
		arc.self_pc = read_pointer(r, "arc");
		arc.ncalls = cursor_uint(&r->in, r->prof->target.ptr_size, "arc");
		if (add_arcs(r, &arc, 1) < 0)
			return -1;
	}
	return 0;
}

int read_bsd_header(struct reader *r, bool is_44, struct bsd_header *h)
{
	static const char what[] = "BSD header";
	size_t header = header_bytes(r, is_44), bytes;

	*h = (struct bsd_header){ .unit = { .dimension = "seconds", .abbrev = 's' } };
	if (r->in.size < header)
		return wrong(r, "it is too short");
	h->hist.lo = read_pointer(r, what);
	h->hist.hi = read_pointer(r, what);
	bytes = (size_t)cursor_uint(&r->in, 4, what);
	if (is_44) {
		if (cursor_uint(&r->in, 4, what) != BSD44_VERSION)
			return wrong(r, "it lacks the version of 4.4BSD");
		h->unit.rate = (uint32_t)cursor_uint(&r->in, 4, what);
		cursor_take(&r->in, BSD44_RESERVED_BYTES, what);
	} else {
		h->unit.rate = bsd_rate();
	}
	if (h->hist.lo > h->hist.hi)
		return wrong(r, "its range ends before its start");
	if (bytes < header)
		return wrong(r, "its size is less than its header's");
	h->hist.nbins = (uint32_t)((bytes - header) / BIN_BYTES);
	if (h->hist.lo == h->hist.hi && h->hist.nbins > 0)
		return wrong(r, "it has bins for no addresses");
	return 0;
}

int read_bsd(struct reader *r, bool is_44)
{
	struct bsd_header h;

	if (read_bsd_header(r, is_44, &h) < 0)
		return -1;
	if (cursor_left(&r->in) / BIN_BYTES < h.hist.nbins)
		return wrong(r, "it is cut short");
	if (check_others(r, &h.hist, &h.unit, is_44) < 0 ||
	    read_bins(r, &h.hist, &h.unit, BIN_BYTES) < 0)
		return -1;
	r->file->nhists = h.hist.nbins > 0;
	r->prof->has_arcs = true;
	return read_arcs(r);
}
