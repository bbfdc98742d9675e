/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads gmon.out.live. Linear in the size of the file.
 *
 * The program may have died while it made a block, and pages may have been allocated without being
 * used. So data that do not begin like a block are skipped, page by page; a block that has begun
 * must be complete.
 */
#include "config.h"

#include "io/profile/live_read.h"

#include "base/radix.h"
#include "gmon_live.h"
#include "gmon_out.h"
#include "io/profile/live_slices.h"
#include "io/profile/live_stacks.h"

#include <inttypes.h>
#include <string.h>

_Static_assert((int)UNKNOWN_BEFORE == (int)GMON_UNKNOWN_BEFORE,
	       "one address in the format and the value");

static const struct unit live_unit = { .dimension = "seconds", .abbrev = 's' };

/* The version in which the data of a block directly follow its head. */
enum { LIVE_OLD_VERSION = 1 };

/* A file that is being read into r's profile. */
struct live {
	struct records *r;
	struct arena *mem; /* freed when the file was read */
	struct live_header head;
	struct unit unit;
	struct hist idle;           /* the range of a histogram without ticks */
	uint64_t unknown;           /* ticks at unknown addresses */
	ARRAY(struct raw_arc) arcs; /* calls */
	ARRAY(struct keyed) order;  /* their numbers, in the order of first calls */
	struct live_stacks stacks;
};

struct live_block {
	uint64_t bytes, word, low,
		data; /* bytes: size of the whole block; data: offset of its data */
	uint32_t kind;
};

bool live_has_magic(const struct records *r)
{
	return r->in.size >= strlen(GMON_LIVE_MAGIC) &&
	       memcmp(r->in.start, GMON_LIVE_MAGIC, strlen(GMON_LIVE_MAGIC)) == 0;
}

static int live_check_version(const struct records *r, uint32_t version, uint32_t ptr_size)
{
	uint32_t swapped_version = __builtin_bswap32(version);
	bool swapped = swapped_version >= LIVE_OLD_VERSION && swapped_version <= GMON_LIVE_VERSION;

	if (version < LIVE_OLD_VERSION || version > GMON_LIVE_VERSION) {
		diag_error(r->in.diag,
			   "%s: live profile of version %" PRIu32 " at byte 8, expected %d or %d%s",
			   r->in.name, version, LIVE_OLD_VERSION, GMON_LIVE_VERSION,
			   swapped ? " (written on a machine with the other byte order?)" : "");
		return -1;
	}
	if (ptr_size != r->target->ptr_size) {
		diag_error(r->in.diag,
			   "%s: live profile with pointers of %" PRIu32
			   " bytes at byte 12, but the program's have %u",
			   r->in.name, ptr_size, r->target->ptr_size);
		return -1;
	}
	return 0;
}

int live_read_header(struct records *r, struct live_header *header)
{
	static const char what[] = "header of the live profile";
	struct cursor *in = &r->in;
	uint32_t version, ptr_size;
	uint64_t rate;

	cursor_take(in, strlen(GMON_LIVE_MAGIC), what);
	header->version = version = (uint32_t)cursor_uint(in, 4, what);
	ptr_size = (uint32_t)cursor_uint(in, 4, what);
	if (in->failed || live_check_version(r, version, ptr_size) < 0)
		return -1;
	rate = cursor_uint(in, 8, what);
	header->rate = (uint32_t)rate;
	header->bias = cursor_uint(in, 8, what);
	header->low = cursor_uint(in, 8, what);
	header->high = cursor_uint(in, 8, what);
	header->entry = cursor_uint(in, 8, what);
	if (in->failed)
		return -1;
	if (rate > UINT32_MAX) {
		diag_error(in->diag, "%s: %" PRIu64 " ticks a second, at byte 16, are too many",
			   in->name, rate);
		return -1;
	}
	if (header->low >= header->high) {
		diag_error(in->diag,
			   "%s: code from 0x%" PRIx64 " to 0x%" PRIx64 ", at byte 32, is empty",
			   in->name, header->low, header->high);
		return -1;
	}
	return 0;
}

static bool live_in_program(const struct live *live, uint64_t pc)
{
	return pc >= live->head.low && pc < live->head.high;
}

/* Returns the link-time address of code that ran at pc. */
static uint64_t live_linked_address(const struct live *live, uint64_t pc)
{
	return target_wrap(live->r->target, pc - live->head.bias);
}

/*
 * Returns the address of the last byte of the call that returns to pc. Bit 0 may be set for Thumb
 * code.
 */
static uint64_t live_call_site(const struct live *live, uint64_t pc)
{
	return (live->r->target->thumb ? pc & ~UINT64_C(1) : pc) - 1;
}

/* Reads a pointer; the file's pointers are never sign-extended. */
static uint64_t live_read_address(struct records *r)
{
	return cursor_uint(&r->in, r->target->ptr_size, "block");
}

/* Whether the mark says that the cell counts ticks outside of the program. */
static bool live_is_outside(uint64_t self)
{
	return self == GMON_LIVE_OUTSIDE_TICKS ||
	       (self >= GMON_LIVE_OUTSIDE_IN && self <= GMON_LIVE_LAST_MARK);
}

/* What a cell of COUNTS says. */
struct live_count {
	uint64_t from, self, count;
	uint64_t number; /* in the order of first use; 0: not known */
};

static void live_add_arc(struct live *live, const struct live_count *cell)
{
	struct raw_arc *arc = &array_push(live->mem, &live->arcs);
	bool inside = live_in_program(live, cell->from);

	arc->from_pc = live_linked_address(live, inside ? live_call_site(live, cell->from)
							: live->head.entry);
	arc->self_pc = live_linked_address(live, cell->self);
	arc->ncalls = cell->count;
	array_push(live->mem, &live->order) =
		(struct keyed){ cell->number, (uint32_t)(live->arcs.n - 1) };
}

static int live_add_cell(struct live *live, const struct live_count *cell)
{
	uint64_t from = cell->from, self = cell->self, count = cell->count;

	if (from <= GMON_LIVE_FROM_CLAIMED || count == 0 || live_is_outside(self))
		return 0;
	if (self == GMON_LIVE_UNKNOWN_TICKS) {
		live->unknown += count;
		return 0;
	}
	if (self == GMON_LIVE_BLOCK) {
		struct raw_block block = { live_linked_address(live, from), count };

		if (!live_in_program(live, from))
			return 0;
		live->r->file->nblocks = 1;
		return records_add_block(live->r, &block);
	}
	if (!live_in_program(live, self))
		return 0;
	live_add_arc(live, cell);
	return 0;
}

/* Adds the calls to the sum in the order in which they first happened, if that is known. */
static int live_add_arcs(struct live *live)
{
	size_t n = live->arcs.n;
	int rc = 0;

	radix_sort_keyed(live->order.at, n, live->mem);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = records_add_arcs(live->r, &live->arcs.at[live->order.at[i].id], 1);
	live->r->file->in_order = n == 0 || live->order.at[0].key > 0;
	return rc;
}

/* Reports that the block is too small for what its head says it contains. */
static int live_too_small(const struct records *r, const struct live_block *block, uint64_t n,
			  const char *what)
{
	diag_error(r->in.diag,
		   "%s: block at byte %zu, of %" PRIu64 " bytes, says it holds %" PRIu64 " %s",
		   r->in.name, r->record_at, block->bytes, n, what);
	return -1;
}

static int live_read_counts(struct live *live, const struct live_block *block)
{
	struct records *r = live->r;
	unsigned ptr_size = r->target->ptr_size;
	unsigned cell_bytes = GMON_LIVE_CELL_BYTES(ptr_size);
	uint64_t ncells = block->word / cell_bytes + 1;
	uint64_t room = block->bytes - block->data;
	const unsigned char *numbers = NULL; /* behind small cells, if there is room */

	if (ncells > room / cell_bytes)
		return live_too_small(r, block, ncells, "counts");
	if (ptr_size < 8 && ncells <= room / (cell_bytes + ptr_size))
		numbers = r->in.start + r->in.at + ncells * cell_bytes;
	live_stacks_note(&live->stacks, GMON_LIVE_COUNTS,
			 &(struct live_span){ .bytes = r->in.start + r->in.at, .n = ncells },
			 live->mem);
	for (uint64_t i = 0; i < ncells; i++) {
		struct live_count cell;

		cell.from = live_read_address(r);
		cell.self = live_read_address(r);
		cell.count = cursor_uint(&r->in, 8, "block");
		cell.number = ptr_size == 8 ? cursor_uint(&r->in, 8, "block") : 0;
		if (numbers)
			cell.number = cursor_bytes_uint(numbers + i * ptr_size, ptr_size,
							r->in.big_endian);
		if (live_add_cell(live, &cell) < 0)
			return -1;
	}
	return 0;
}

/* Adds the calls that were counted where they are, as if cells of COUNTS had them. */
static int live_add_sites(struct live *live)
{
	const bool big = live->r->in.big_endian;
	struct live_span cells = live_calls_cells(&live->stacks.calls, live->r, live->mem);

	if (cells.n == 0)
		return 0;
	live_stacks_note(&live->stacks, GMON_LIVE_COUNTS, &cells, live->mem);
	for (uint64_t i = 0; i < cells.n; i++) {
		struct live_cell at = live_cell_at(&cells, i, live->r->target->ptr_size, big);
		struct live_count cell = { at.from, at.self, at.ticks,
					   live_calls_first(&cells, i, big) };

		if (live_add_cell(live, &cell) < 0)
			return -1;
	}
	return 0;
}

static bool live_all_zero(const unsigned char *p, uint64_t n)
{
	return n == 0 || (p[0] == 0 && memcmp(p, p + 1, (size_t)n - 1) == 0);
}

/*
 * Reads the bins of a block. A recording that was ended and started again for another range leaves
 * bins without ticks, which may overlap the new ones.
 */
static int live_read_bins(struct live *live, const struct live_block *block)
{
	struct records *r = live->r;
	uint64_t bytes = block->word * GMON_LIVE_BIN_BYTES;
	uint64_t code_bytes = GMON_LIVE_BIN_CODE * block->word;
	uint64_t last = block->low + code_bytes - (block->word > 0);
	struct hist like;

	if (block->word > (block->bytes - block->data) / GMON_LIVE_BIN_BYTES ||
	    block->word > UINT32_MAX)
		return live_too_small(r, block, block->word, "bins");
	if (last < block->low ||
	    live_linked_address(live, last) < live_linked_address(live, block->low)) {
		diag_error(r->in.diag,
			   "%s: block at byte %zu has %" PRIu64 " bins from 0x%" PRIx64
			   " on, beyond the last address",
			   r->in.name, r->record_at, block->word, block->low);
		return -1;
	}
	like = (struct hist){ .lo = live_linked_address(live, block->low),
			      .nbins = (uint32_t)block->word };
	like.hi = like.lo + code_bytes;
	if (live_all_zero(r->in.start + r->in.at, bytes)) {
		live->idle = like;
		return 0;
	}
	if (records_read_bins(r, &like, &live->unit, GMON_LIVE_BIN_BYTES) < 0)
		return -1;
	r->file->nhists++;
	return 0;
}

/* Keeps a block of records for live_stacks.c; blocks of unknown kinds are skipped. */
static int live_note_stacks(struct live *live, const struct live_block *block)
{
	struct records *r = live->r;
	unsigned ptr_size = r->target->ptr_size;
	unsigned record = live_stacks_record(block->kind, ptr_size);
	/* The word of a table is the size of all its cells except one. */
	bool is_table = block->kind == GMON_LIVE_SAMPLES || block->kind == GMON_LIVE_SLICES;
	struct live_span span = { .first = block->low, .at = r->record_at };

	if (record == 0)
		return 0;
	span.n = is_table ? block->word / record + 1 : block->word;
	if (span.n > (block->bytes - block->data) / record)
		return live_too_small(r, block, span.n, "records");
	span.room = block->bytes - block->data;
	span.bytes = cursor_take(&r->in, span.n * record, "block");
	live_stacks_note(&live->stacks, block->kind, &span, live->mem);
	return 0;
}

/*
 * Reads the head of the block at the cursor, which is at the start of a page. Returns false if no
 * block begins there.
 */
static bool live_read_block_head(struct live *live, struct live_block *block)
{
	struct records *r = live->r;
	const unsigned char *head = cursor_take(&r->in, GMON_LIVE_BLOCK_HEAD, "block");
	unsigned ptr_size = r->target->ptr_size;
	bool big = r->in.big_endian;

	if (!head)
		return false;
	block->bytes = cursor_bytes_uint(head + GMON_LIVE_AT_BYTES, 8, big);
	block->kind = (uint32_t)cursor_bytes_uint(head + GMON_LIVE_AT_KIND, 4, big);
	block->word = cursor_bytes_uint(head + GMON_LIVE_AT_WORD, ptr_size, big);
	block->low = cursor_bytes_uint(head + GMON_LIVE_AT_LOW, ptr_size, big);
	block->data = live->head.version == LIVE_OLD_VERSION
			      ? GMON_LIVE_BLOCK_HEAD
			      : cursor_bytes_uint(head + GMON_LIVE_AT_DATA, 8, big);
	return cursor_bytes_uint(head + GMON_LIVE_AT_READY, 4, big) == GMON_LIVE_READY &&
	       cursor_bytes_uint(head + GMON_LIVE_AT_OFFSET, 8, big) == r->record_at;
}

static int live_read_block(struct live *live, const struct live_block *block)
{
	struct records *r = live->r;

	if (block->bytes < GMON_LIVE_BLOCK_HEAD || block->bytes > r->in.size - r->record_at) {
		diag_error(r->in.diag,
			   "%s: block at byte %zu says it has %" PRIu64
			   " bytes, of %zu in the file",
			   r->in.name, r->record_at, block->bytes, r->in.size - r->record_at);
		return -1;
	}
	if (block->data < GMON_LIVE_BLOCK_HEAD || block->data > block->bytes) {
		diag_error(r->in.diag,
			   "%s: block at byte %zu, of %" PRIu64
			   " bytes, says its data begin at %" PRIu64 " of them",
			   r->in.name, r->record_at, block->bytes, block->data);
		return -1;
	}
	r->in.at = r->record_at + (size_t)block->data;
	switch (block->kind) {
	case GMON_LIVE_COUNTS:
		return live_read_counts(live, block);
	case GMON_LIVE_BINS:
		return live_read_bins(live, block);
	default:
		return live_note_stacks(live, block);
	}
}

static int live_read_blocks(struct live *live)
{
	struct records *r = live->r;
	uint64_t at = GMON_LIVE_PAGE;

	while (at < r->in.size) {
		struct live_block block;
		uint64_t pages = 1;

		r->in.at = r->record_at = (size_t)at;
		if (live_read_block_head(live, &block)) {
			if (live_read_block(live, &block) < 0)
				return -1;
			pages = (block.bytes + GMON_LIVE_PAGE - 1) / GMON_LIVE_PAGE;
		}
		at += pages * GMON_LIVE_PAGE;
	}
	r->in.at = r->in.size;
	return 0;
}

/* Adds the ticks at unknown addresses as gmon.out has them. */
static void live_add_unknown(struct live *live)
{
	const struct hist like = profile_unknown(live->r->target);
	enum hist_conflict why;
	struct hist *hist;

	if (live->unknown == 0)
		return;
	hist = profile_sum_hist(live->r->sum, &like, &live->unit, &why);
	if (hist)
		hist->ticks[0] += live->unknown;
}

/* Reads all blocks. Returns 0, or -1 after an error message. */
static int live_read_all(struct live *live)
{
	struct records *r = live->r;
	enum hist_conflict why;

	if (live_read_blocks(live) < 0 || live_add_sites(live) < 0 || live_add_arcs(live) < 0)
		return -1;
	r->sum->prof.has_hists = r->sum->prof.has_arcs = true;
	if (r->sum->prof.hists.n == 0)
		profile_sum_hist(r->sum, &live->idle, &live->unit, &why);
	live_add_unknown(live);
	return live_stacks_add(r, &live->stacks, &live->unit);
}

int live_read(struct records *r)
{
	struct arena scratch = arena_scratch(r->sum->mem);
	struct live live = { .r = r, .mem = &scratch, .unit = live_unit };
	int rc;

	if (live_read_header(r, &live.head) < 0)
		return -1;
	if (r->in.size % GMON_LIVE_PAGE != 0) {
		diag_error(r->in.diag, "%s: cut short at byte %zu, within a page of %d bytes",
			   r->in.name, r->in.size, GMON_LIVE_PAGE);
		return -1;
	}
	live.unit.rate = live.head.rate;
	r->file->version = live.head.version;
	rc = live_read_all(&live);
	arena_free(&scratch);
	return rc;
}
