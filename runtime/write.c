/* SPDX-License-Identifier: MIT */
/*
 * The profile's file, as include/gmon_out.h has it: system calls only, each checked.
 *
 * Counts above 32 bits and bins above 16 bits become several records, which readers add up. A
 * histogram is one record unless a bin overflows; then it is halved, as far down as SMALL_RANGE, so
 * that only the part around that bin is written more than once.
 */
#include "write.h"

#include <gmon_out.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "merge.h"
#include "objects.h"
#include "settings.h"
#include "sys.h"
#include "text.h"

enum {
	BUFFER_BYTES = 16384,
	SMALL_RANGE = 4096,
	MAX_TICKS = UINT16_MAX,
	TURN_NS = 1000000,
	TURNS = 10000,
	TRIES = 100 /* of names */
};

/* One write at a time: the thread that has it in `writer` owns the buffer. */
static int32_t writer;
static struct {
	unsigned char bytes[BUFFER_BYTES];
	size_t used;
	int fd;
	long error;
	const struct program *object; /* whose profile is written */
	const struct bins *bins;      /* its samples, or NULL */
} out;

static void flush(void)
{
	for (size_t at = 0; at < out.used && !out.error;) {
		long n = sys_write(out.fd, out.bytes + at, out.used - at);

		if (sys_failed(n) || n == 0)
			out.error = n ? n : -EIO;
		else
			at += (size_t)n;
	}
	out.used = 0;
}

static void put(const void *bytes, size_t n)
{
	const unsigned char *from = bytes;

	if (n > BUFFER_BYTES - out.used)
		flush();
	for (size_t i = 0; i < n; i++)
		out.bytes[out.used++] = from[i];
}

static void put_byte(unsigned char byte)
{
	put(&byte, 1);
}

static void put_u16(uint16_t number)
{
	put(&number, sizeof(number));
}

static void put_u32(uint32_t number)
{
	put(&number, sizeof(number));
}

static void put_address(uintptr_t address)
{
	put(&address, sizeof(address));
}

static void put_header(void)
{
	put(GMON_MAGIC, 4);
	put_u32(GMON_VERSION);
	for (int i = 8; i < GMON_HEADER_BYTES; i++)
		put_byte(0);
}

/* Ticks of a bin in the part'th record of its range. */
static uint16_t ticks_of(const struct bins *bins, size_t bin, uint32_t part)
{
	uint32_t ticks = __atomic_load_n(&bins->tick[bin], __ATOMIC_RELAXED);
	uint64_t before = (uint64_t)part * MAX_TICKS;

	if (ticks <= before)
		return 0;
	return ticks - before < MAX_TICKS ? (uint16_t)(ticks - before) : MAX_TICKS;
}

static uint32_t most_ticks(const struct bins *bins, size_t first, size_t n)
{
	uint32_t most = 0;

	for (size_t i = first; i < first + n; i++) {
		uint32_t ticks = __atomic_load_n(&bins->tick[i], __ATOMIC_RELAXED);

		most = ticks > most ? ticks : most;
	}
	return most;
}

static void put_range(const struct bins *bins, size_t first, size_t n, uint32_t part)
{
	static const char dimension[GMON_DIMENSION_BYTES] = "seconds";
	uintptr_t low = bins->region.low - out.object->bias + 2 * first;

	put_byte(GMON_HIST);
	put_address(low);
	put_address(low + 2 * n);
	put_u32((uint32_t)n);
	put_u32(settings.rate);
	put(dimension, sizeof(dimension));
	put_byte('s');
	for (size_t i = first; i < first + n; i++)
		put_u16(ticks_of(bins, i, part));
}

/* Recurses log2(n / SMALL_RANGE) deep. */
static void put_ranges(const struct bins *bins, size_t first, size_t n)
{
	uint32_t most = most_ticks(bins, first, n);

	if (most > MAX_TICKS && n > SMALL_RANGE) {
		put_ranges(bins, first, n / 2);
		put_ranges(bins, first + n / 2, n - n / 2);
		return;
	}
	for (uint32_t part = 0; part == 0 || (uint64_t)part * MAX_TICKS < most; part++)
		put_range(bins, first, n, part);
}

static void put_histogram(void)
{
	/* A file without any histogram is an error to GNU gprof. */
	static const struct bins none = { .region.word = 0 };

	if (out.bins)
		put_ranges(out.bins, 0, out.bins->region.word);
	else
		put_range(&none, 0, 0, 0);
}

static void put_arc(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	bool *any = context;

	if (self <= CELL_MARKS)
		return;
	*any = true;
	for (uint64_t left = count; left > 0;) {
		uint32_t part = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;

		put_byte(GMON_ARC);
		put_address(from);
		put_address(self);
		put_u32(part);
		left -= part;
	}
}

static void put_arcs(const struct table *merged)
{
	bool any = false;

	merge_each(merged, out.object, put_arc, &any);
	if (!any) {
		/* A file without any arc is an error to GNU gprof. */
		put_byte(GMON_ARC);
		put_address(0);
		put_address(0);
		put_u32(0);
	}
}

/* Counts are as wide as addresses: how many entries one takes. */
static uint32_t block_parts(uint64_t count)
{
	return count ? (uint32_t)((count - 1) / UINTPTR_MAX) + 1 : 0;
}

static void add_block_parts(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	uint32_t *n = context;

	(void)from;
	if (self == CELL_BLOCK)
		*n += block_parts(count);
}

/* With a context the entries get a record each. */
static void put_block(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	if (self != CELL_BLOCK)
		return;
	for (uint64_t left = count; left > 0;) {
		uintptr_t part = left < UINTPTR_MAX ? (uintptr_t)left : UINTPTR_MAX;

		if (context) {
			put_byte(GMON_BLOCKS);
			put_u32(1);
		}
		put_address(from);
		put_address(part);
		left -= part;
	}
}

/* Tables that were not merged change while they are read: nobody knows how many entries will come.
 */
static void put_blocks(const struct table *merged)
{
	bool each = true;
	uint32_t n = 0;

	if (!merged) {
		merge_each(NULL, out.object, put_block, &each);
		return;
	}
	merge_each(merged, out.object, add_block_parts, &n);
	if (n == 0)
		return;
	put_byte(GMON_BLOCKS);
	put_u32(n);
	merge_each(merged, out.object, put_block, NULL);
}

static void put_profile(void)
{
	struct table *merged = merge_tables(out.object);

	put_header();
	put_histogram();
	put_arcs(merged);
	put_blocks(merged);
	flush();
	merge_free(merged);
}

/*
 * What lies under the profile's name must be nothing or a file that could be written: 0 or -errno.
 * A new file replaces it, which would not ask.
 */
static long check_target(const char *path)
{
	struct statx status;
	long done = SYS6(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &status, 0);

	if (done == -ENOENT || done == -ENOSYS)
		return 0;
	if (sys_failed(done))
		return done;
	switch (status.stx_mode & S_IFMT) {
	case S_IFREG:
		return SYS3(SYS_faccessat, AT_FDCWD, path, W_OK);
	case S_IFLNK:
		return -ELOOP;
	case S_IFDIR:
		return -EISDIR;
	default:
		return -ENXIO;
	}
}

/*
 * Opens a new file beside path; *name is its name. One of that name may be left by a process of
 * this number that was killed, or be written now on another host or in another container.
 */
static long open_beside(const char *path, struct text *name)
{
	long fd = -EEXIST;

	for (uint32_t try = 0; try < TRIES && fd == -EEXIST; try++) {
		*name = text_in(name->at, name->room);
		text_add(name, path);
		text_add(name, ".");
		text_add_number(name, (uint32_t)gmon.pid);
		if (try) {
			text_add(name, "-");
			text_add_number(name, try);
		}
		text_add(name, ".tmp");
		fd = sys_open(name->at, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0666);
	}
	return fd;
}

static void fill(long fd)
{
	out.fd = (int)fd;
	out.used = 0;
	out.error = 0;
	put_profile();
}

/* A directory that takes no new file may still hold one that can be written. */
static long write_in_place(const char *path)
{
	long fd = sys_open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0);

	if (sys_failed(fd))
		return fd;
	fill(fd);
	sys_close((int)fd);
	return out.error;
}

static long write_under(const char *path)
{
	static char temporary[PATH_BYTES + 32];
	struct text text = text_in(temporary, sizeof(temporary));
	long fd;
	long done = check_target(path);

	if (done)
		return done;
	fd = open_beside(path, &text);
	if (fd == -EACCES) {
		done = write_in_place(path);
		return done == -ENOENT ? fd : done;
	}
	if (sys_failed(fd))
		return fd;
	fill(fd);
	done = sys_close((int)fd);
	if (!out.error)
		out.error = done;
	if (!out.error)
		out.error = sys_rename(temporary, path);
	if (out.error)
		sys_unlink(temporary);
	return out.error;
}

static long write_somewhere(void)
{
	static char path[PATH_BYTES];
	long error = -ENAMETOOLONG;

	out.object = &gmon.program;
	out.bins = gmon.bins;
	if (settings_path(path, gmon.pid, gmon.forked, false))
		error = write_under(path);
	if (error) {
		text_complain("cannot write", path, error);
		if (settings.has_prefix && !settings.file[0]) {
			settings_path(path, gmon.pid, gmon.forked, true);
			error = write_under(path);
			if (error)
				text_complain("cannot write", path, error);
		}
	}
	return error;
}

/* Waits a while for another thread's write. Whether the caller may go on. */
static bool enter(int32_t tid, bool last)
{
	for (int turn = 0; turn < TURNS; turn++) {
		int32_t other = 0;
		const long pause[2] = { 0, TURN_NS };

		if (__atomic_compare_exchange_n(&writer, &other, tid, false, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return true;
		if (other == tid) /* the write that this signal handler interrupts */
			return last;
		SYS2(SYS_nanosleep, pause, NULL);
	}
	return last;
}

struct guard {
	uint64_t mask, pending;
};

static const uint64_t size_signal = (uint64_t)1 << (SIGXFSZ - 1);

/* No handler runs meanwhile, and a file size limit is an error instead of a signal. */
static void guard(struct guard *guard)
{
	const uint64_t all = ~(uint64_t)0;

	*guard = (struct guard){ 0, 0 };
	SYS4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &guard->mask, sizeof(all));
	SYS2(SYS_rt_sigpending, &guard->pending, sizeof(all));
}

/* A signal that the write brought is taken back. */
static void unguard(const struct guard *guard)
{
	const long no_time[2] = { 0, 0 };

	if (!(guard->pending & size_signal))
		SYS4(SYS_rt_sigtimedwait, &size_signal, NULL, no_time, sizeof(size_signal));
	SYS4(SYS_rt_sigprocmask, SIG_SETMASK, &guard->mask, NULL, sizeof(guard->mask));
	__atomic_store_n(&writer, 0, __ATOMIC_RELEASE);
}

long write_profile(int last)
{
	struct guard signals;
	long done;

	if (!enter(sys_gettid(), last))
		return -EBUSY;
	guard(&signals);
	done = write_somewhere();
	unguard(&signals);
	return done;
}

/* What an object's file is made of, as far as it shows whether there is to be one. */
struct finding {
	const struct program *object;
	struct bins *bins;
	size_t bins_bytes;
	bool any;
};

static void make_bins(struct finding *found)
{
	uintptr_t low = found->object->low & ~(uintptr_t)3;
	size_t nbins = (found->object->high - low + 3) / 4 * 2;

	found->bins_bytes = sizeof(struct bins) + nbins * sizeof(found->bins->tick[0]);
	found->bins = nbins <= UINT32_MAX ? sys_memory(found->bins_bytes) : NULL;
	if (!found->bins)
		return;
	found->bins->region.word = nbins;
	found->bins->region.low = low;
}

static void find(void *context, uintptr_t from, uintptr_t self, uint64_t count)
{
	struct finding *found = context;

	if (!found->any)
		make_bins(found);
	if (self == CELL_OUTSIDE_TICKS) {
		if (found->bins)
			found->bins->tick[(from + found->object->bias - found->bins->region.low) /
					  2] += (uint32_t)count;
	}
	found->any = true;
}

static long write_object(const struct object *object)
{
	static char path[PATH_BYTES];
	struct finding found = { .object = &object->place };
	struct text text;
	long error = -ENAMETOOLONG;

	merge_each(NULL, &object->place, find, &found);
	if (!found.any)
		return 0;
	if (settings_path(path, gmon.pid, gmon.forked, false)) {
		text = text_behind(path, sizeof(path));
		text_add(&text, ".");
		text_add(&text, object->name);
		out.object = &object->place;
		out.bins = found.bins;
		if (!text.full)
			error = write_under(path);
	}
	if (found.bins)
		sys_munmap(found.bins, found.bins_bytes);
	if (error)
		text_complain("cannot write", path, error);
	return error;
}

void write_objects(const struct objects *objects)
{
	struct guard signals;

	if (!enter(sys_gettid(), true))
		return;
	guard(&signals);
	for (size_t i = 0; i < objects->n; i++)
		write_object(&objects->at[i]);
	unguard(&signals);
}

void write_forked(void)
{
	writer = 0;
}
