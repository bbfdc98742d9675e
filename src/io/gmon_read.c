/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of gmon.out version 1. Linear in the size of the file. */
#include "config.h"

#include "io/gmon_read.h"

#include "base/cursor.h"
#include "gmon_out.h"

#include <inttypes.h>
#include <string.h>

enum { BIN_BYTES = 2 };

struct reader {
	struct cursor in;
	struct profile *prof;
	struct profile_file *file;
	struct arena *mem;
	size_t record_at; /* where the present record began */
};

static uint64_t read_ptr(struct reader *r, const char *what)
{
	const struct target *target = &r->prof->target;
	uint64_t value = cursor_uint(&r->in, target->ptr_size, what);

	if (target->sign_extend && target->ptr_size == 4)
		value = (uint64_t)(int64_t)(int32_t)value;
	return value;
}

static int conflict(struct reader *r, enum hist_conflict why, const struct unit *unit,
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
		diag_error(diag, "%s: histogram at byte %zu has %g bytes a bin, the first one %g",
			   r->in.name, r->record_at, 2 * hist_scale(hist),
			   2 * hist_scale(&r->prof->hists.at[0]));
	}
	return -1;
}

static int read_hist(struct reader *r)
{
	static const char what[] = "histogram record";
	struct cursor *in = &r->in;
	struct hist like, *hist;
	struct unit unit = { 0 };
	const unsigned char *p;
	enum hist_conflict why;

	like.lo = read_ptr(r, what);
	like.hi = read_ptr(r, what);
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
	p = cursor_take(in, (size_t)like.nbins * BIN_BYTES, "histogram");
	if (!p)
		return -1;

	hist = profile_hist(r->prof, &like, &unit, r->mem, &why);
	if (!hist)
		return conflict(r, why, &unit, &like);
	for (uint32_t i = 0; i < like.nbins; i++)
		hist->ticks[i] += bytes_uint(p + (size_t)i * BIN_BYTES, BIN_BYTES, in->big_endian);
	r->prof->has_hists = true;
	r->file->nhists++;
	return 0;
}

static int read_arc(struct reader *r)
{
	static const char what[] = "call-graph record";
	struct raw_arc arc;

	arc.from_pc = read_ptr(r, what);
	arc.self_pc = read_ptr(r, what);
	arc.ncalls = cursor_uint(&r->in, 4, what);
	if (r->in.failed)
		return -1;
	if (r->prof->arcs.n == UINT32_MAX) {
		diag_error(r->in.diag, "%s: more than %" PRIu32 " call-graph records, at byte %zu",
			   r->in.name, UINT32_MAX, r->record_at);
		return -1;
	}
	array_push(r->mem, &r->prof->arcs) = arc;
	r->prof->has_arcs = true;
	r->file->narcs++;
	return 0;
}

static int skip_blocks(struct reader *r)
{
	static const char what[] = "basic-block record";
	size_t pair = 2 * (size_t)r->prof->target.ptr_size;
	uint64_t n = cursor_uint(&r->in, 4, what);

	if (r->in.failed || !cursor_take(&r->in, n * pair, what))
		return -1;
	r->file->nblocks++;
	return 0;
}

static int read_header(struct reader *r)
{
	struct cursor *in = &r->in;
	const unsigned char *magic;

	if (in->size < GMON_HEADER_BYTES) {
		diag_error(in->diag, "%s: too short for profile data: %zu bytes", in->name,
			   in->size);
		return -1;
	}
	magic = cursor_take(in, 4, "header");
	if (memcmp(magic, GMON_MAGIC, 4) != 0) {
		diag_error(in->diag, "%s: not profile data: no \"%s\" at byte 0", in->name,
			   GMON_MAGIC);
		return -1;
	}
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
		return read_arc(r);
	case GMON_BLOCKS:
		return skip_blocks(r);
	default:
		diag_error(r->in.diag, "%s: unknown record tag %u at byte %zu", r->in.name, tag,
			   r->record_at);
		return -1;
	}
}

int gmon_read(struct profile *prof, const unsigned char *bytes, size_t size, const char *name,
	      struct arena *mem, struct diag *diag)
{
	struct reader r = {
		.in = { .start = bytes,
			.size = size,
			.big_endian = prof->target.big_endian,
			.name = name,
			.diag = diag },
		.prof = prof,
		.file = &array_push(mem, &prof->files),
		.mem = mem,
	};
	size_t a, b;

	r.file->name = name;
	if (read_header(&r) < 0)
		return -1;
	while (cursor_left(&r.in) > 0) {
		if (read_record(&r) < 0)
			return -1;
	}
	if (profile_overlap(prof, mem, &a, &b)) {
		const struct hist *x = &prof->hists.at[a], *y = &prof->hists.at[b];

		diag_error(diag,
			   "%s: histograms of 0x%" PRIx64 "-0x%" PRIx64 " and 0x%" PRIx64
			   "-0x%" PRIx64 " overlap",
			   name, x->lo, x->hi, y->lo, y->hi);
		return -1;
	}
	return 0;
}
