/* SPDX-License-Identifier: MIT */
/*
 * The profile's file, as include/gmon_out.h has it.
 *
 * Counts above 32 bits and bins above 16 bits become several records, which readers add up. A
 * histogram is one record unless a bin overflows; then it is halved, as far down as BINS_PART, so
 * that only the part around that bin is written more than once.
 */
#include "write/write.h"

#include <gmon_out.h>

#include "base/mask.h"
#include "base/sandbox.h"
#include "base/settings.h"
#include "base/sys.h"
#include "base/text.h"
#include "record/objects.h"
#include "sample/bins.h"
#include "sample/clock.h"
#include "state.h"
#include "wait/offcpu_helper.h"
#include "write/ext.h"
#include "write/file.h"
#include "write/merge.h"

_Static_assert(GMON_UNKNOWN_BEFORE / 2 == 2 * GMON_LIVE_BIN_CODE, "two bins");

enum { MAX_TICKS = UINT16_MAX, TURN_NS = 1000000, TURNS = 10000 };

/* Chance, and time before the recording, do not make so many ticks. */
enum { FEW_TICKS = 1 << 22 };

/* What a file is about. */
struct write_source {
	const struct program *object; /* whose counts are written */
	const struct bins *bins;      /* its samples, or NULL */
	const char *dimension;        /* of samples; NULL: time */
	uint64_t most;                /* ticks of one place; more cannot be */
};

/* Of time. Bins are in the shared file, where others can write what would fill the disk. Behind a
 * filter of system calls, nobody may ask for times. */
static struct write_source write_time(const struct program *object, const struct bins *bins)
{
	bool closed = sandbox_closed();
	uint64_t ticks = closed ? 0 : clock_used_ms() * gmon.settings.rate / 1000;

	return (struct write_source){ object, bins, NULL,
				      closed ? UINT64_MAX : 2 * ticks + FEW_TICKS };
}

static void write_byte(struct file_writer *file, unsigned char byte)
{
	file_put(file, &byte, 1);
}

static void write_u16(struct file_writer *file, uint16_t number)
{
	file_put(file, &number, sizeof(number));
}

static void write_u32(struct file_writer *file, uint32_t number)
{
	file_put(file, &number, sizeof(number));
}

static void write_address(struct file_writer *file, uintptr_t address)
{
	file_put(file, &address, sizeof(address));
}

/* With the stamp of arcs that are in order, or NULL. */
static void write_header(struct file_writer *file, const uint64_t *stamp)
{
	const uint64_t none = 0;

	file_put(file, GMON_MAGIC, 4);
	write_u32(file, GMON_VERSION);
	write_u32(file, stamp ? GMON_IN_ORDER : 0);
	file_put(file, stamp ? stamp : &none, sizeof(none));
}

static uint32_t write_rate(const struct write_source *source)
{
	return source->dimension ? 1 : gmon.settings.rate;
}

/* Filled with zeros; and what it is abbreviated to. */
static void write_dimension(struct file_writer *file, const struct write_source *source)
{
	const char *name = source->dimension ? source->dimension : "seconds";
	char dimension[GMON_DIMENSION_BYTES + 1];
	struct text text = text_in(dimension, sizeof(dimension));

	for (size_t i = 0; i < sizeof(dimension); i++)
		((volatile char *)dimension)[i] = '\0';
	text_add(&text, name);
	file_put(file, dimension, GMON_DIMENSION_BYTES);
	write_byte(file, (unsigned char)(source->dimension ? gmon.event.abbreviation : 's'));
}

/* A histogram record of n bins. */
static void write_range_head(struct file_writer *file, const struct write_source *source,
			     uintptr_t low, size_t n)
{
	write_byte(file, GMON_HIST);
	write_address(file, low);
	write_address(file, low + GMON_LIVE_BIN_CODE * n);
	write_u32(file, (uint32_t)n);
	write_u32(file, write_rate(source));
	write_dimension(file, source);
}

/* Ticks; 0 for those that cannot be, which is said. */
static uint64_t write_believe(const struct write_source *source, uint64_t ticks)
{
	if (ticks <= source->most)
		return ticks;
	count_block_say_spoiled();
	return 0;
}

static uint32_t write_ticks(const struct write_source *source, size_t i)
{
	return (uint32_t)write_believe(source, bins_ticks(source->bins, i));
}

/* The most that one of the n bins from `first` on has. */
static uint32_t write_most(const struct write_source *source, size_t first, size_t n)
{
	uint32_t most = 0;

	for (size_t i = first; i < first + n; i++) {
		uint32_t ticks = write_ticks(source, i);

		most = ticks > most ? ticks : most;
	}
	return most;
}

/* Ticks of a bin in the part'th record of its range. */
static uint16_t write_part_of(uint32_t ticks, uint32_t part)
{
	uint64_t before = (uint64_t)part * MAX_TICKS;

	if (ticks <= before)
		return 0;
	return ticks - before < MAX_TICKS ? (uint16_t)(ticks - before) : MAX_TICKS;
}

/* Bins [first, first + n), in as many records as they take. Recurses log2(n / BINS_PART) deep. */
static void write_ranges(struct file_writer *file, const struct write_source *source, size_t first,
			 size_t n)
{
	const struct bins *bins = source->bins;
	uintptr_t low = bins->head.low - source->object->bias + GMON_LIVE_BIN_CODE * first;
	uint32_t most = write_most(source, first, n);

	if (most > MAX_TICKS && n > BINS_PART) {
		write_ranges(file, source, first, n / 2);
		write_ranges(file, source, first + n / 2, n - n / 2);
		return;
	}
	for (uint32_t part = 0; part == 0 || (uint64_t)part * MAX_TICKS < most; part++) {
		write_range_head(file, source, low, n);
		for (size_t i = first; i < first + n; i++)
			write_u16(file, write_part_of(write_ticks(source, i), part));
	}
}

static bool write_is_wanted(const struct write_source *source, size_t first, size_t n)
{
	return (!gmon.parts || gmon.parts[first / BINS_PART]) && write_most(source, first, n);
}

/*
 * Those parts that have ticks, or the first one. The same ones of two profiles are the same ranges.
 */
static void write_sparsely(struct file_writer *file, const struct write_source *source)
{
	size_t all = bins_number(source->bins);
	bool any = false;

	for (size_t first = 0; first < all; first += BINS_PART) {
		size_t n = all - first < BINS_PART ? all - first : BINS_PART;

		if (!write_is_wanted(source, first, n))
			continue;
		write_ranges(file, source, first, n);
		any = true;
	}
	if (!any)
		write_ranges(file, source, 0, all < BINS_PART ? all : BINS_PART);
}

/* A file without any histogram is an error to GNU gprof. */
static void write_histogram(struct file_writer *file, const struct write_source *source)
{
	if (source->bins && gmon.settings.run)
		write_sparsely(file, source);
	else if (source->bins)
		write_ranges(file, source, 0, bins_number(source->bins));
	else
		write_range_head(file, source, (uintptr_t)0 - source->object->bias, 0);
}

/* Ticks for which no place is known; in the program's file only. */
static void write_unknown(struct file_writer *file, const struct write_source *source)
{
	bool told = source->object == &gmon.program && !source->dimension;
	uint64_t left = told ? write_believe(source, merge_unknown_ticks()) : 0;

	while (left > 0) {
		uint16_t part = left < MAX_TICKS ? (uint16_t)left : MAX_TICKS;

		write_range_head(file, source, (uintptr_t)0 - GMON_UNKNOWN_BEFORE, 2);
		write_u16(file, part);
		write_u16(file, 0);
		left -= part;
	}
}

static void write_arc_record(struct file_writer *file, uintptr_t from, uintptr_t self, uint32_t n)
{
	write_byte(file, GMON_ARC);
	write_address(file, from);
	write_address(file, self);
	write_u32(file, n);
}

struct write_arcs {
	struct file_writer *file; /* NULL: there is only the stamp to be found */
	uint64_t stamp;
	bool any;
};

static void write_arc(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	struct write_arcs *arcs = context;

	if (self <= CELL_MARKS)
		return;
	arcs->any = true;
	for (uint64_t left = count; left > 0;) {
		uint32_t part = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;

		if (arcs->file)
			write_arc_record(arcs->file, from, self, part);
		arcs->stamp = gmon_order_stamp(arcs->stamp, from, self);
		left -= part;
	}
}

/* All records of arcs; without any, GNU gprof would take the file for a mistake. */
static uint64_t write_arcs(struct file_writer *file, const struct merged *merged,
			   const struct program *object)
{
	struct write_arcs arcs = { .file = file, .stamp = GMON_ORDER_STAMP_START };

	merge_each(merged, object, write_arc, &arcs);
	if (arcs.any)
		return arcs.stamp;
	if (file)
		write_arc_record(file, 0, 0, 0);
	return gmon_order_stamp(arcs.stamp, 0, 0);
}

/* Counts are as wide as addresses: how many entries one takes. */
static uint32_t write_block_parts(uint64_t count)
{
	return count ? (uint32_t)((count - 1) / UINTPTR_MAX) + 1 : 0;
}

struct write_blocks {
	struct file_writer *file;
	bool each;  /* a record for each entry */
	uint32_t n; /* entries */
};

static void write_count_block(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	struct write_blocks *blocks = context;

	(void)from;
	if (self == CELL_BLOCK)
		blocks->n += write_block_parts(count);
}

static void write_block(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	const struct write_blocks *blocks = context;

	if (self != CELL_BLOCK)
		return;
	for (uint64_t left = count; left > 0;) {
		uintptr_t part = left < UINTPTR_MAX ? (uintptr_t)left : UINTPTR_MAX;

		if (blocks->each) {
			write_byte(blocks->file, GMON_BLOCKS);
			write_u32(blocks->file, 1);
		}
		write_address(blocks->file, from);
		write_address(blocks->file, part);
		left -= part;
	}
}

/* Tables that were not merged change while they are read: nobody knows how many entries will come.
 */
static void write_all_blocks(struct file_writer *file, const struct merged *merged,
			     const struct program *object)
{
	struct write_blocks blocks = { .file = file, .each = !merged->table };

	if (merged->table) {
		merge_each(merged, object, write_count_block, &blocks);
		if (blocks.n == 0)
			return;
		write_byte(file, GMON_BLOCKS);
		write_u32(file, blocks.n);
	}
	merge_each(merged, object, write_block, &blocks);
}

static void write_fill(struct file_writer *file, const void *what)
{
	const struct write_source *source = what;
	struct merged merged = merge_tables(source->object);
	uint64_t stamp = 0;

	if (merged.order.n)
		stamp = write_arcs(NULL, &merged, source->object);
	write_header(file, merged.order.n ? &stamp : NULL);
	write_histogram(file, source);
	write_unknown(file, source);
	write_arcs(file, &merged, source->object);
	write_all_blocks(file, &merged, source->object);
	merge_free(&merged);
}

/* The profile of a source under gmon.write.path. 0, or -errno after a line on stderr. */
static long write_file(const struct write_source *source, bool named, file_written *written)
{
	long error;

	gmon.write.file.hasty = gmon.settings.run;
	error = named ? file_replace_stamped(&gmon.write.file, gmon.write.path, write_fill, written,
					     source)
		      : -ENAMETOOLONG;

	if (error)
		text_complain("cannot write", gmon.write.path, error);
	return error;
}

/* The stacks are there before the profile that they are of. */
static void write_stacks(const void *source, uint64_t stamp)
{
	(void)source;
	ext_write(gmon.write.path, stamp);
	gmon.write.stacks = true;
}

/* As write_file(), with stacks. Those of another profile do not stay beside this one. */
static long write_both(const struct write_source *source, bool named)
{
	long error;

	gmon.write.stacks = false;
	error = write_file(source, named, ext_wanted() ? write_stacks : NULL);
	if (error ? gmon.write.stacks : !ext_wanted())
		ext_remove(gmon.write.path);
	return error;
}

/* Sets gmon.write.path. False: it is too long. */
static bool write_name(bool fallback)
{
	return settings_path(&gmon.settings, gmon.write.path, gmon.pid, gmon.forked, fallback);
}

/* The current directory is all that is left. */
static void write_leave_start(void)
{
	if (!settings_lost_directory(&gmon.settings))
		return;
	text_complain("GMON=dir=start: the current directory, since chroot() has put out of reach",
		      gmon.settings.directory, 0);
	gmon.settings.start_directory = false;
}

static long write_program(void)
{
	const struct write_source source = write_time(&gmon.program, gmon.bins);
	long error;

	write_leave_start();
	error = write_both(&source, write_name(false));

	if (error && gmon.settings.has_prefix && !gmon.settings.file[0])
		error = write_both(&source, write_name(true));
	return error;
}

/* Behind the profile, under its name. --run has the stacks, which tell more. */
static void write_event(void)
{
	const struct write_source source = { &gmon.program, gmon.event.bins, gmon.event.dimension,
					     UINT32_MAX };
	struct text text = text_behind(gmon.write.path, sizeof(gmon.write.path));

	if (!gmon.settings.event || gmon.settings.run)
		return;
	text_add(&text, ".");
	text_add(&text, gmon.settings.event->name);
	write_file(&source, !text.full, NULL);
}

/* Of the calling thread, a number; in a sandbox they have none but that of the process. */
static int32_t write_self(void)
{
	return sandbox_closed() ? gmon.pid : sys_gettid();
}

/* Waits a while for another thread's write. Whether the caller may go on. */
static bool write_enter(int32_t tid, bool last)
{
	for (int turn = 0; turn < TURNS; turn++) {
		int32_t other = 0;
		const long pause[2] = { 0, TURN_NS };

		if (__atomic_compare_exchange_n(&gmon.write.owner, &other, tid, false,
						__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return true;
		if (other == tid) /* the write that this signal handler interrupts */
			return last;
		SYS2(SYS_nanosleep, pause, NULL);
	}
	return last;
}

static void write_leave(const struct mask *mask)
{
	mask_restore(mask);
	__atomic_store_n(&gmon.write.owner, 0, __ATOMIC_RELEASE);
}

long write_profile(bool last)
{
	struct mask mask;
	long done;

	offcpu_helper_settle(false);
	if (!write_enter(write_self(), last))
		return -EBUSY;
	mask_all(&mask);
	done = write_program();
	if (!done)
		write_event();
	write_leave(&mask);
	return done;
}

size_t write_copy(void *bytes, size_t room)
{
	const struct write_source source = write_time(&gmon.program, gmon.bins);
	struct mask mask;
	size_t n;

	if (!write_enter(write_self(), false))
		return 0;
	mask_all(&mask);
	n = file_copy(&gmon.write.file, bytes, room, write_fill, &source);
	write_leave(&mask);
	return n;
}

/* Bytes of somebody's. */
struct write_bytes {
	const void *at;
	size_t n;
};

static void write_fill_bytes(struct file_writer *file, const void *what)
{
	const struct write_bytes *bytes = what;

	file_put(file, bytes->at, bytes->n);
}

long write_sum(const void *bytes, size_t n)
{
	const struct write_bytes all = { bytes, n };
	struct mask mask;
	long error;

	if (!write_enter(write_self(), false))
		return -EBUSY;
	mask_all(&mask);
	write_leave_start();
	gmon.write.file.hasty = false;
	error = settings_sum_path(&gmon.settings, gmon.write.path)
			? file_replace(&gmon.write.file, gmon.write.path, write_fill_bytes, &all)
			: -ENAMETOOLONG;
	if (error)
		text_complain("cannot write", gmon.write.path, error);
	else
		ext_remove(gmon.write.path);
	write_leave(&mask);
	return error;
}

/* What an object's file is made of, as far as it shows whether there is to be one. */
struct write_finding {
	const struct program *object;
	struct bins *bins;
	bool any;
};

static void write_find(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	struct write_finding *found = context;

	if (!found->any)
		found->bins = bins_private(found->object->low, found->object->high);
	found->any = true;
	if (self == CELL_OUTSIDE_TICKS && found->bins)
		bins_add(found->bins, from + found->object->bias, (uint32_t)count);
}

static void write_object(const struct object *object)
{
	struct write_finding found = { .object = &object->range };
	struct write_source source;
	bool named = write_name(false);

	merge_each_unsummed(&object->range, write_find, &found);
	if (!found.any)
		return;
	if (named) {
		struct text text = text_behind(gmon.write.path, sizeof(gmon.write.path));

		text_add(&text, ".");
		text_add(&text, object->name);
		named = !text.full;
	}
	source = write_time(&object->range, found.bins);
	write_file(&source, named, NULL);
	bins_free(found.bins);
}

void write_objects(const struct objects *objects)
{
	struct mask mask;

	if (!write_enter(write_self(), true))
		return;
	mask_all(&mask);
	for (size_t i = 0; i < objects->n; i++)
		write_object(&objects->at[i]);
	write_leave(&mask);
}

void write_forked(void)
{
	gmon.write.owner = 0;
}
