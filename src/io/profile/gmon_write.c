/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes profile data files. Linear in bins and arcs. */
#include "config.h"

#include "io/profile/gmon_write.h"

#include "base/output.h"
#include "gmon_out.h"
#include "io/newfile.h"
#include "io/profile/bsd_read.h"
#include "io/profile/ext_beside.h"
#include "io/profile/ext_name.h"
#include "io/profile/ext_write.h"
#include "model/profile_sum.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Limits for sums whose values need several records each: how many times the size, or how many more
 * bytes, than with one record each.
 */
enum { MAX_REPEATS = 256, MAX_REPEATED_BYTES = 16 * 1024 * 1024 };

struct writer {
	struct output *out;
	const struct profile *prof;
	raw_arc_array arcs;
	struct progress *progress; /* counts arcs; may be NULL */
};

static void gmon_put_uint(struct writer *w, uint64_t value, unsigned nbytes)
{
	output_binary(w->out, value, nbytes, w->prof->target.big_endian);
}

static void gmon_put_pointer(struct writer *w, uint64_t pc)
{
	gmon_put_uint(w, pc, w->prof->target.ptr_size);
}

static void gmon_put_zeros(struct writer *w, size_t n)
{
	static const char zeros[32];

	output_bytes(w->out, zeros, n);
}

/* Returns part k of a value that is written in parts of at most `max` each. */
static uint64_t gmon_part(uint64_t value, uint64_t k, uint64_t max)
{
	return value / max > k ? max : value / max == k ? value % max : 0;
}

/* Returns how many parts of at most `max` a value has, at least one. */
static uint64_t gmon_nparts(uint64_t value, uint64_t max)
{
	return value == 0 ? 1 : value / max + (value % max != 0);
}

static uint64_t gmon_highest_bin(const struct hist *hist)
{
	uint64_t highest = 0;

	for (uint32_t i = 0; i < hist->nbins; i++)
		highest = hist->ticks[i] > highest ? hist->ticks[i] : highest;
	return highest;
}

static void gmon_put_bins(struct writer *w, const struct hist *hist, uint64_t part)
{
	for (uint32_t i = 0; i < hist->nbins; i++)
		gmon_put_uint(w, gmon_part(hist->ticks[i], part, UINT16_MAX), 2);
}

static void gmon_put_hist(struct writer *w, const struct hist *hist)
{
	const struct unit *unit = &w->prof->unit;
	uint64_t n = gmon_nparts(gmon_highest_bin(hist), UINT16_MAX);

	for (uint64_t part = 0; part < n; part++) {
		gmon_put_uint(w, GMON_HIST, 1);
		gmon_put_pointer(w, hist->lo);
		gmon_put_pointer(w, hist->hi);
		gmon_put_uint(w, hist->nbins, 4);
		gmon_put_uint(w, unit->rate, 4);
		output_bytes(w->out, unit->dimension, GMON_DIMENSION_BYTES);
		gmon_put_uint(w, (unsigned char)unit->abbrev, 1);
		gmon_put_bins(w, hist, part);
	}
}

static void gmon_put_arcs(struct writer *w, bool tagged, unsigned count_bytes, uint64_t most)
{
	for (size_t i = 0; i < w->arcs.n; i++) {
		const struct raw_arc *arc = &w->arcs.at[i];
		uint64_t n = gmon_nparts(arc->ncalls, most);

		progress_at(w->progress, i);
		for (uint64_t part = 0; part < n; part++) {
			if (tagged)
				gmon_put_uint(w, GMON_ARC, 1);
			gmon_put_pointer(w, arc->from_pc);
			gmon_put_pointer(w, arc->self_pc);
			gmon_put_uint(w, gmon_part(arc->ncalls, part, most), count_bytes);
		}
	}
}

static void gmon_put_blocks(struct writer *w)
{
	uint64_t most = w->prof->target.ptr_size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t left = 0, in_record = 0;

	for (size_t i = 0; i < w->prof->blocks.n; i++)
		left += gmon_nparts(w->prof->blocks.at[i].count, most);
	for (size_t i = 0; i < w->prof->blocks.n; i++) {
		const struct raw_block *block = &w->prof->blocks.at[i];
		uint64_t n = gmon_nparts(block->count, most);

		for (uint64_t part = 0; part < n; part++) {
			if (in_record == 0) {
				in_record = left < UINT32_MAX ? left : UINT32_MAX;
				left -= in_record;
				gmon_put_uint(w, GMON_BLOCKS, 1);
				gmon_put_uint(w, in_record, 4);
			}
			gmon_put_pointer(w, block->pc);
			gmon_put_pointer(w, gmon_part(block->count, part, most));
			in_record--;
		}
	}
}

/* Adds the size of n records to *size; stays at the maximum on overflow. */
static void gmon_add_size(uint64_t *size, uint64_t n, uint64_t record)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(n, record, &bytes) || __builtin_add_overflow(*size, bytes, size))
		*size = UINT64_MAX;
}

/*
 * Refuses values so large that nobody can have counted them: a file of a few bytes can contain
 * numbers whose records would take years to write. A record of an arc holds at most most_calls.
 * Returns 0, or -1 after an error message.
 */
static int gmon_check_size(const struct writer *w, uint64_t most_calls, const char *name,
			   struct diag *diag)
{
	const struct profile *prof = w->prof;
	unsigned ptr_size = prof->target.ptr_size;
	uint64_t once = 0, all = 0;

	for (size_t i = 0; i < prof->hists.n; i++) {
		const struct hist *hist = &prof->hists.at[i];
		uint64_t record = (uint64_t)hist->nbins * BIN_BYTES;

		gmon_add_size(&once, 1, record);
		gmon_add_size(&all, gmon_nparts(gmon_highest_bin(hist), UINT16_MAX), record);
	}
	gmon_add_size(&once, w->arcs.n, sizeof(struct raw_arc));
	for (size_t i = 0; i < w->arcs.n; i++)
		gmon_add_size(&all, gmon_nparts(w->arcs.at[i].ncalls, most_calls),
			      sizeof(struct raw_arc));
	gmon_add_size(&once, prof->blocks.n, sizeof(struct raw_block));
	for (size_t i = 0; i < prof->blocks.n; i++)
		gmon_add_size(&all,
			      ptr_size == 8 ? 1 : gmon_nparts(prof->blocks.at[i].count, UINT32_MAX),
			      sizeof(struct raw_block));
	if (all / MAX_REPEATS <= once + MAX_REPEATED_BYTES / MAX_REPEATS)
		return 0;
	diag_error(diag, "%s: the counts are too large to be written", name);
	return -1;
}

/* Writes the order of arcs into the header: fields of 4 and 8 bytes. */
static void gmon_put_order(struct writer *w)
{
	bool in_order = w->prof->files.n > 0 && !profile_out_of_order(w->prof);
	uint64_t mask = w->prof->target.ptr_size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t stamp = GMON_ORDER_STAMP_START;

	for (size_t i = 0; i < w->arcs.n && in_order; i++) {
		const struct raw_arc *arc = &w->arcs.at[i];
		uint64_t n = gmon_nparts(arc->ncalls, UINT32_MAX);

		for (uint64_t part = 0; part < n; part++)
			stamp = gmon_order_stamp(stamp, arc->from_pc & mask, arc->self_pc & mask);
	}
	gmon_put_uint(w, in_order ? GMON_IN_ORDER : 0, 4);
	gmon_put_uint(w, in_order ? stamp : 0, 8);
}

static void gmon_write_current(struct writer *w)
{
	output_text(w->out, GMON_MAGIC);
	gmon_put_uint(w, GMON_VERSION, 4);
	gmon_put_order(w);
	for (size_t i = 0; i < w->prof->hists.n; i++)
		gmon_put_hist(w, &w->prof->hists.at[i]);
	gmon_put_arcs(w, true, 4, UINT32_MAX);
	gmon_put_blocks(w);
}

/* Returns why the profile does not fit a format of BSD, or NULL. */
static const char *gmon_bsd_obstacle(const struct profile *prof)
{
	if (prof->hists.n != 1)
		return prof->hists.n == 0 ? "there is no histogram" : "there are several ranges";
	if (gmon_highest_bin(&prof->hists.at[0]) > UINT16_MAX)
		return "a bin holds more than 65535 ticks";
	if (prof->blocks.n > 0)
		return "there are basic-block counts";
	if (prof->hists.at[0].nbins > (UINT32_MAX - BSD44_EXTRA_BYTES) / BIN_BYTES - 16)
		return "there are too many bins";
	if (strcmp(prof->unit.dimension, "seconds") != 0 || prof->unit.abbrev != 's')
		return "the samples are not of time";
	return NULL;
}

static void gmon_write_bsd(struct writer *w, bool is_44)
{
	const struct hist *hist = &w->prof->hists.at[0];
	unsigned ptr_size = w->prof->target.ptr_size;
	uint64_t bytes = 2 * ptr_size + 4 + (is_44 ? BSD44_EXTRA_BYTES : 0);

	gmon_put_pointer(w, hist->lo);
	gmon_put_pointer(w, hist->hi);
	gmon_put_uint(w, bytes + (uint64_t)hist->nbins * BIN_BYTES, 4);
	if (is_44) {
		gmon_put_uint(w, BSD44_VERSION, 4);
		gmon_put_uint(w, w->prof->unit.rate, 4);
		gmon_put_zeros(w, BSD44_RESERVED_BYTES);
	}
	gmon_put_bins(w, hist, 0);
	gmon_put_arcs(w, false, ptr_size, ptr_size == 8 ? UINT64_MAX : UINT32_MAX);
}

static bool gmon_is_bsd(enum gmon_format format)
{
	return format == GMON_BSD || format == GMON_BSD44;
}

/* Returns the most calls that the record of an arc can hold. */
static uint64_t gmon_most_calls(const struct profile *prof, enum gmon_format format)
{
	return gmon_is_bsd(format) && prof->target.ptr_size == 8 ? UINT64_MAX : UINT32_MAX;
}

/* Whether everything can be written; says why not. */
static bool gmon_fits(const struct writer *w, enum gmon_format format, const char *path,
		      struct diag *diag)
{
	const char *obstacle = gmon_is_bsd(format) ? gmon_bsd_obstacle(w->prof) : NULL;

	if (obstacle)
		diag_error(diag, "%s: cannot be written as BSD data: %s", path, obstacle);
	return !obstacle && gmon_check_size(w, gmon_most_calls(w->prof, format), path, diag) == 0;
}

static void gmon_write_records(struct writer *w, enum gmon_format format)
{
	if (gmon_is_bsd(format))
		gmon_write_bsd(w, format == GMON_BSD44 || w->prof->unit.rate != bsd_host_rate());
	else
		gmon_write_current(w);
}

int gmon_print(const struct profile *prof, enum gmon_format format, struct output *out,
	       const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct writer w = { out, prof, profile_sum_distinct_arcs(prof, &scratch), NULL };
	int rc = gmon_fits(&w, format, out->name, out->diag) ? 0 : -1;

	if (rc == 0)
		gmon_write_records(&w, format);
	arena_free(&scratch);
	return rc;
}

/* The file of stacks that belongs to the profile. */
struct gmon_stacks {
	bool any;
	const char *path;
	struct ext_writer writer;
};

/*
 * Prepares the file of stacks, and allocates all that it needs. Returns 0, or -1 after an error
 * message.
 */
static int gmon_prepare_stacks(struct gmon_stacks *stacks, const struct profile *prof,
			       const char *path, struct arena *mem, struct diag *diag)
{
	file_ids there = { 0 };
	struct stat st;

	*stacks = (struct gmon_stacks){ .any = !recorded_is_empty(&prof->recorded),
					.path = ext_beside_name(path, mem) };
	if (!stacks->any)
		return 0;
	fileids_add_path(&there, stacks->path, mem);
	for (size_t i = 0; i < prof->files.n && there.n > 0; i++) {
		if (stat(prof->files.at[i].name, &st) < 0 || !fileids_has(&there, &st))
			continue;
		diag_error(diag, "%s: not replaced, as this run reads it", stacks->path);
		return -1;
	}
	return ext_writer_prepare(&stacks->writer, &prof->recorded, &prof->target, stacks->path,
				  mem, diag);
}

/*
 * Called when the profile was written: removes a file of stacks that no longer belongs to it, and
 * says for whom there are no stacks.
 */
static void gmon_end_stacks(const struct gmon_stacks *stacks, const struct profile *prof,
			    struct diag *diag)
{
	const struct recorded *rec = &prof->recorded;

	if (!stacks->any)
		ext_name_remove(stacks->path);
	if (rec->nfiles > 0 && rec->nlack > 0)
		diag_warn(diag,
			  "%s: has the call stacks of %" PRIu32 " of %" PRIu64
			  " recordings; the others have none",
			  stacks->path, rec->nfiles, (uint64_t)rec->nfiles + rec->nlack);
	if (rec->nobjects > 0 && !recorded_has_objects(rec))
		diag_warn(diag,
			  "%s: has calls and ticks of libraries of %" PRIu32 " of %" PRIu64
			  " recordings; the others have none",
			  stacks->path, rec->nobjects, (uint64_t)rec->nfiles + rec->nlack);
}

/*
 * Writes the profile to the open file, and the stacks to one of their own, and ends both. Returns
 * 0, or -1 after an error message.
 */
static int gmon_write_both(struct writer *w, enum gmon_format format, struct newfile *file,
			   struct gmon_stacks *stacks, const file_ids *inputs, struct arena *mem)
{
	struct diag *diag = w->out->diag;
	struct ext_writer *ext = &stacks->writer;

	bool good;

	gmon_write_records(w, format);
	good = output_close(w->out) == 0 &&
	       (!stacks->any || ext_writer_write(ext, file->fd, inputs, w->out, mem, diag) == 0);
	if (!good || !stacks->any)
		return newfile_close(file, good, diag);
	return newfile_close_pair(file, &ext->file, ext->waiting, diag);
}

int gmon_write(const struct profile *prof, enum gmon_format format, const char *path,
	       const file_ids *inputs, const struct arena *mem, struct diag *diag)
{
	struct arena scratch = arena_scratch(mem);
	/* Everything is allocated before the file is opened: see outfiles.h. */
	struct output *out = arena_array(&scratch, struct output, 1);
	struct writer w = { out, prof, profile_sum_distinct_arcs(prof, &scratch), diag->progress };
	struct gmon_stacks stacks;
	struct newfile file;
	int rc = -1;

	progress_step(diag->progress, "writing the sum", w.arcs.n);
	if (gmon_fits(&w, format, path, diag) &&
	    gmon_prepare_stacks(&stacks, prof, path, &scratch, diag) == 0 &&
	    newfile_open(&file, path, inputs, 0777, &scratch, diag) == 0) {
		output_open(out, file.fd, path, diag);
		rc = gmon_write_both(&w, format, &file, &stacks, inputs, &scratch);
		if (rc == 0)
			gmon_end_stacks(&stacks, prof, diag);
	}
	arena_free(&scratch);
	return rc;
}
