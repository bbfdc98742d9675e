/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of gmon.out version 1. Linear in the size of the file. */
#include "config.h"

#include "io/profile/gmon_read.h"

#include "gmon_out.h"
#include "io/profile/live_read.h"
#include "io/profile/records.h"
#include "model/merge.h"

#include <elf.h>
#include <inttypes.h>
#include <string.h>

static int read_hist(struct reader *r)
{
	static const char what[] = "histogram record";
	struct cursor *in = &r->in;
	struct hist like;
	struct unit unit = { 0 };
	const unsigned char *p;

	like.lo = read_pointer(r, what);
	like.hi = read_pointer(r, what);
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
			   "%s: histogram at byte %zu has %" PRIu32 " bins for no addresses",
			   in->name, r->record_at, like.nbins);
		return -1;
	}
	if (read_bins(r, &like, &unit, BIN_BYTES) < 0)
		return -1;
	r->file->nhists++;
	return 0;
}

/* One record behind its tag, and more if they follow. */
static int read_arcs(struct reader *r)
{
	static const char what[] = "call-graph record";
	size_t bytes = 2 * (size_t)r->prof->target.ptr_size + 4;
	struct raw_arc arcs[64];
	size_t n = 0;

	do {
		if (n > 0)
			r->in.at++;
		arcs[n].from_pc = read_pointer(r, what);
		arcs[n].self_pc = read_pointer(r, what);
		arcs[n].ncalls = cursor_uint(&r->in, 4, what);
		n++;
	} while (n < sizeof(arcs) / sizeof(arcs[0]) && cursor_left(&r->in) > bytes &&
		 r->in.start[r->in.at] == GMON_ARC);
	return r->in.failed ? -1 : add_arcs(r, arcs, n);
}

static int read_blocks(struct reader *r)
{
	static const char what[] = "basic-block record";
	unsigned ptr_size = r->prof->target.ptr_size;
	uint64_t n = cursor_uint(&r->in, 4, what);

	if (r->in.failed || !cursor_need(&r->in, n * 2 * ptr_size, what))
		return -1;
	for (uint64_t i = 0; i < n; i++) {
		struct raw_block block;

		block.pc = read_pointer(r, what);
		block.count = cursor_uint(&r->in, ptr_size, what);
		if (add_block(r, &block) < 0)
			return -1;
	}
	r->file->nblocks++;
	return 0;
}

static bool has_magic(const struct reader *r)
{
	return r->in.size >= 4 && memcmp(r->in.start, GMON_MAGIC, 4) == 0;
}

static int read_header(struct reader *r)
{
	struct cursor *in = &r->in;

	if (!has_magic(r)) {
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
			   swapped ? " (from a machine of the other byte order?)" : "");
		return -1;
	}
	cursor_take(in, GMON_HEADER_BYTES - in->at, "header");
	return 0;
}

static int read_record(struct reader *r)
{
	unsigned tag;

	r->record_at = r->in.at;
	tag = (unsigned)cursor_uint(&r->in, 1, "record");
	switch (tag) {
	case GMON_HIST:
		return read_hist(r);
	case GMON_ARC:
		return read_arcs(r);
	case GMON_BLOCKS:
		return read_blocks(r);
	default:
		diag_error(r->in.diag, "%s: unknown record tag %u at byte %zu", r->in.name, tag,
			   r->record_at);
		return -1;
	}
}

static int read_current(struct reader *r)
{
	if (read_header(r) < 0)
		return -1;
	while (cursor_left(&r->in) > 0) {
		if (read_record(r) < 0)
			return -1;
	}
	return 0;
}

static enum gmon_format detect(const struct reader *r)
{
	return has_magic(r) ? GMON_CURRENT : GMON_BSD;
}

static int check_overlap(const struct reader *r)
{
	const struct hist *x, *y;
	size_t a, b;

	if (!profile_overlap(r->prof, r->mem, &a, &b))
		return 0;
	x = &r->prof->hists.at[a];
	y = &r->prof->hists.at[b];
	diag_error(r->in.diag,
		   "%s: histograms of 0x%" PRIx64 "-0x%" PRIx64 " and 0x%" PRIx64 "-0x%" PRIx64
		   " overlap",
		   r->in.name, x->lo, x->hi, y->lo, y->hi);
	return -1;
}

static struct reader make_reader(struct profile *prof, const unsigned char *bytes, size_t size,
				 const char *name, struct diag *diag)
{
	return (struct reader){
		.in = { .start = bytes,
			.size = size,
			.big_endian = prof->target.big_endian,
			.name = name,
			.diag = diag },
		.prof = prof,
	};
}

/* Settles the format of a file that is long enough for any. 0, or -1 with the reason said. */
static int settle_format(const struct reader *r, enum gmon_format *format)
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
	if (*format == GMON_ANY)
		*format = detect(r);
	if (*format == GMON_CURRENT && looks_like_live(r))
		*format = GMON_LIVE;
	if (*format == GMON_BSD && looks_like_bsd44(r))
		*format = GMON_BSD44;
	return 0;
}

int gmon_check(const struct target *target, enum gmon_format format, const unsigned char *bytes,
	       size_t size, const char *name, struct diag *diag)
{
	struct profile prof = { .target = *target };
	struct reader r = make_reader(&prof, bytes, size, name, diag);
	struct profile_file file;
	struct bsd_header header;
	struct live_header live;

	r.file = &file;
	if (settle_format(&r, &format) < 0)
		return -1;
	if (format == GMON_CURRENT)
		return read_header(&r);
	if (format == GMON_LIVE)
		return read_live_header(&r, &live);
	return read_bsd_header(&r, format == GMON_BSD44, &header);
}

bool gmon_is_current(const unsigned char *bytes, size_t size)
{
	struct profile prof = { 0 };
	struct reader r = make_reader(&prof, bytes, size, "", NULL);

	return has_magic(&r) && !looks_like_live(&r);
}

bool gmon_is_profile(const struct target *target, enum gmon_format format,
		     const unsigned char *bytes, size_t size)
{
	struct diag silent = diag_silent(NULL);
	struct profile prof = { .target = *target };
	struct reader r = make_reader(&prof, bytes, size, "", &silent);

	if (format == GMON_BSD || format == GMON_BSD44)
		return gmon_check(target, format, bytes, size, "", &silent) == 0;
	return has_magic(&r) || (format == GMON_ANY && looks_like_bsd44(&r));
}

int gmon_read(struct profile *prof, enum gmon_format format, const unsigned char *bytes,
	      size_t size, const char *name, struct arena *mem, struct diag *diag)
{
	struct reader r = make_reader(prof, bytes, size, name, diag);
	int rc;

	r.file = &array_push(mem, &prof->files);
	r.file->name = name;
	r.mem = mem;
	if (settle_format(&r, &format) < 0)
		return -1;
	if (format == GMON_CURRENT)
		rc = read_current(&r);
	else if (format == GMON_LIVE)
		rc = read_live(&r);
	else
		rc = read_bsd(&r, format == GMON_BSD44);
	profile_merge_blocks(prof, mem);
	return rc < 0 ? -1 : check_overlap(&r);
}
