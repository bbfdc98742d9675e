/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads gmon.out version 1. Linear in the size of the file. */
#include "config.h"

#include "io/profile/gmon_read.h"

#include "gmon_out.h"
#include "io/profile/bsd_read.h"
#include "io/profile/ext_read.h"
#include "io/profile/live_read.h"

#include <elf.h>
#include <inttypes.h>
#include <string.h>

static int gmon_read_hist(struct records *r)
{
	static const char what[] = "histogram record";
	struct cursor *in = &r->in;
	struct hist like;
	struct unit unit = { 0 };
	const unsigned char *p;

	like.lo = records_read_pointer(r, what);
	like.hi = records_read_pointer(r, what);
	like.nbins = (uint32_t)cursor_uint(in, 4, what);
	unit.rate = (uint32_t)cursor_uint(in, 4, what);
	p = cursor_take(in, GMON_DIMENSION_BYTES, what);
	if (p)
		memcpy(unit.dimension, p, GMON_DIMENSION_BYTES);
	unit.abbrev = (char)cursor_uint(in, 1, what);
	if (in->failed)
		return -1;
	if (like.lo > like.hi) {
		diag_error(in->diag,
			   "%s: histogram at byte %zu ends at 0x%" PRIx64
			   ", before its start 0x%" PRIx64,
			   in->name, r->record_at, like.hi, like.lo);
		return -1;
	}
	if (like.lo == like.hi && like.nbins > 0) {
		diag_error(in->diag,
			   "%s: histogram at byte %zu has %" PRIu32
			   " bins for an empty range of addresses",
			   in->name, r->record_at, like.nbins);
		return -1;
	}
	if (records_read_bins(r, &like, &unit, BIN_BYTES) < 0)
		return -1;
	r->file->nhists++;
	return 0;
}

/* Adds arcs to the stamp, which is compared with that in the header. */
static void gmon_stamp_arcs(struct records *r, const struct raw_arc *arcs, size_t n)
{
	uint64_t mask = r->target->ptr_size == 8 ? UINT64_MAX : UINT32_MAX;

	for (size_t i = 0; i < n && r->has_stamp; i++)
		r->arcs_stamp = gmon_order_stamp(r->arcs_stamp, arcs[i].from_pc & mask,
						 arcs[i].self_pc & mask);
}

/* Skips records of arcs without decoding them. */
static int gmon_skip_arcs(struct records *r, size_t bytes, const char *what)
{
	if (!cursor_take(&r->in, bytes, what))
		return -1;
	while (cursor_skip_tagged(&r->in, GMON_ARC, bytes))
		;
	return 0;
}

/* Reads the arc after a tag, and the arcs that follow it directly. */
static int gmon_read_arcs(struct records *r)
{
	static const char what[] = "call-graph record";
	size_t bytes = 2 * (size_t)r->target->ptr_size + 4;
	struct raw_arc arcs[64];
	size_t n = 0;

	if (r->sum->prof.skips_arcs)
		return gmon_skip_arcs(r, bytes, what);
	do {
		if (n > 0)
			r->in.at++;
		arcs[n].from_pc = records_read_pointer(r, what);
		arcs[n].self_pc = records_read_pointer(r, what);
		arcs[n].ncalls = cursor_uint(&r->in, 4, what);
		n++;
	} while (n < sizeof(arcs) / sizeof(arcs[0]) && cursor_left(&r->in) > bytes &&
		 r->in.start[r->in.at] == GMON_ARC);
	gmon_stamp_arcs(r, arcs, n);
	return r->in.failed ? -1 : records_add_arcs(r, arcs, n);
}

static int gmon_read_blocks(struct records *r)
{
	static const char what[] = "basic-block record";
	unsigned ptr_size = r->target->ptr_size;
	uint64_t n = cursor_uint(&r->in, 4, what);

	if (r->in.failed || !cursor_need(&r->in, n * 2 * ptr_size, what))
		return -1;
	for (uint64_t i = 0; i < n; i++) {
		struct raw_block block;

		block.pc = records_read_pointer(r, what);
		block.count = cursor_uint(&r->in, ptr_size, what);
		if (records_add_block(r, &block) < 0)
			return -1;
	}
	r->file->nblocks++;
	return 0;
}

static bool gmon_has_magic(const struct records *r)
{
	return r->in.size >= 4 && memcmp(r->in.start, GMON_MAGIC, 4) == 0;
}

static int gmon_read_header(struct records *r)
{
	struct cursor *in = &r->in;

	if (!gmon_has_magic(r)) {
		diag_error(in->diag, "%s: not profile data: no \"%s\" at byte 0", in->name,
			   GMON_MAGIC);
		return -1;
	}
	cursor_take(in, 4, "header");
	r->file->version = (unsigned)cursor_uint(in, 4, "header");
	if (r->file->version > GMON_VERSION) {
		bool swapped = __builtin_bswap32(r->file->version) <= GMON_VERSION;

		diag_error(in->diag, "%s: profile data of version %u at byte 4, expected %d%s",
			   in->name, r->file->version, GMON_VERSION,
			   swapped ? " (written on a machine with the other byte order?)" : "");
		return -1;
	}
	r->has_stamp = cursor_uint(in, 4, "header") == GMON_IN_ORDER;
	r->stamp = cursor_uint(in, 8, "header");
	return 0;
}

static int gmon_read_record(struct records *r)
{
	unsigned tag;

	r->record_at = r->in.at;
	tag = (unsigned)cursor_uint(&r->in, 1, "record");
	switch (tag) {
	case GMON_HIST:
		return gmon_read_hist(r);
	case GMON_ARC:
		return gmon_read_arcs(r);
	case GMON_BLOCKS:
		return gmon_read_blocks(r);
	default:
		diag_error(r->in.diag, "%s: unknown record tag %u at byte %zu", r->in.name, tag,
			   r->record_at);
		return -1;
	}
}

static int gmon_read_current(struct records *r)
{
	if (gmon_read_header(r) < 0)
		return -1;
	r->arcs_stamp = GMON_ORDER_STAMP_START;
	while (cursor_left(&r->in) > 0) {
		if (gmon_read_record(r) < 0)
			return -1;
	}
	r->file->in_order = r->has_stamp && r->arcs_stamp == r->stamp;
	return 0;
}

static enum gmon_format gmon_detect(const struct records *r)
{
	return gmon_has_magic(r) ? GMON_CURRENT : GMON_BSD;
}

static int gmon_check_overlap(const struct records *r)
{
	const struct hist *x, *y;
	size_t a, b;

	if (!profile_sum_overlap(r->sum, &a, &b))
		return 0;
	x = &r->sum->prof.hists.at[a];
	y = &r->sum->prof.hists.at[b];
	diag_error(r->in.diag,
		   "%s: histograms of 0x%" PRIx64 "-0x%" PRIx64 " and 0x%" PRIx64 "-0x%" PRIx64
		   " overlap",
		   r->in.name, x->lo, x->hi, y->lo, y->hi);
	return -1;
}

static struct records gmon_records(const struct target *target, const unsigned char *bytes,
				   size_t size, const char *name, struct diag *diag)
{
	return (struct records){
		.in = { .start = bytes,
			.size = size,
			.big_endian = target->big_endian,
			.name = name,
			.diag = diag },
		.target = target,
	};
}

/*
 * Decides the format of a file that is long enough for any of them. Returns 0, or -1 after an error
 * message.
 */
static int gmon_decide_format(const struct records *r, enum gmon_format *format)
{
	if (r->in.size < GMON_HEADER_BYTES) {
		diag_error(r->in.diag, "%s: too short for profile data: %zu bytes", r->in.name,
			   r->in.size);
		return -1;
	}
	if ((*format == GMON_ANY || *format == GMON_CURRENT) &&
	    memcmp(r->in.start, ELFMAG, SELFMAG) == 0) {
		diag_error(r->in.diag, "%s: is a program, not profile data", r->in.name);
		return -1;
	}
	if (ext_has_magic(r->in.start, r->in.size)) {
		diag_error(r->in.diag,
			   "%s: belongs to the profile of this name without .ext; give the "
			   "name of that profile, and both are read",
			   r->in.name);
		return -1;
	}
	if (*format == GMON_ANY)
		*format = gmon_detect(r);
	if (*format == GMON_CURRENT && live_has_magic(r))
		*format = GMON_LIVE;
	if (*format == GMON_BSD && bsd_is_44(r))
		*format = GMON_BSD44;
	return 0;
}

int gmon_check(const struct target *target, enum gmon_format format, const unsigned char *bytes,
	       size_t size, const char *name, struct diag *diag)
{
	struct records r = gmon_records(target, bytes, size, name, diag);
	struct profile_file file;
	struct bsd_header header;
	struct live_header live;

	r.file = &file;
	if (gmon_decide_format(&r, &format) < 0)
		return -1;
	if (format == GMON_CURRENT)
		return gmon_read_header(&r);
	if (format == GMON_LIVE)
		return live_read_header(&r, &live);
	return bsd_read_header(&r, format == GMON_BSD44, &header);
}

bool gmon_is_current(const unsigned char *bytes, size_t size)
{
	static const struct target any;
	struct records r = gmon_records(&any, bytes, size, "", NULL);

	return gmon_has_magic(&r) && !live_has_magic(&r) && !ext_has_magic(bytes, size);
}

bool gmon_is_profile(const struct target *target, enum gmon_format format,
		     const unsigned char *bytes, size_t size)
{
	struct diag silent = diag_silent(NULL);
	struct records r = gmon_records(target, bytes, size, "", &silent);

	if (ext_has_magic(bytes, size))
		return false;
	if (format == GMON_BSD || format == GMON_BSD44)
		return gmon_check(target, format, bytes, size, "", &silent) == 0;
	return gmon_has_magic(&r) || (format == GMON_ANY && bsd_is_44(&r));
}

int gmon_read(struct profile_sum *sum, enum gmon_format format, const unsigned char *bytes,
	      size_t size, const char *name, struct diag *diag)
{
	struct records r = gmon_records(&sum->prof.target, bytes, size, name, diag);
	int rc;

	r.sum = sum;
	r.file = profile_sum_file(sum, name);
	if (gmon_decide_format(&r, &format) < 0)
		return -1;
	if (format == GMON_CURRENT)
		rc = gmon_read_current(&r);
	else if (format == GMON_LIVE)
		rc = live_read(&r);
	else
		rc = bsd_read(&r, format == GMON_BSD44);
	profile_sum_merge_blocks(sum);
	return rc < 0 ? -1 : gmon_check_overlap(&r);
}
