/* SPDX-License-Identifier: MIT */
/* A window of the file that gprof --run reads. See live_window.h. */
#include "count/live_window.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <gmon_live.h>

#include "base/mask.h"
#include "base/sandbox.h"
#include "base/text.h"
#include "base/wide.h"
#include "state.h"

enum { LIVE_WINDOW_SEALS = 1034 /* F_GET_SEALS */, LIVE_WINDOW_SHRINK = 2 /* F_SEAL_SHRINK */ };

/* Whether a descriptor leads to the file. Sets *bytes to its size. */
static bool live_window_is_file(long fd, uint64_t *bytes)
{
	const struct settings *settings = &gmon.settings;
	struct sys_file file; /* no initializer: some compilers call memset for it */

	if (sys_failed(fd) || sys_look((int)fd, "", &file))
		return false;
	*bytes = file.bytes;
	return S_ISREG(file.mode) && file.device == settings->windows_device &&
	       file.number == settings->windows_inode;
}

/* Opens gprof's own descriptor. -errno: its process is gone, or belongs to another user by now. */
static long live_window_open(void)
{
	char path[64];
	struct text text = text_in(path, sizeof(path));

	text_add(&text, "/proc/");
	text_add_number(&text, (uint64_t)gmon.settings.windows_pid);
	text_add(&text, "/fd/");
	text_add_number(&text, (uint64_t)gmon.settings.windows_fd);
	return sys_open(path, O_RDWR | O_CLOEXEC, 0);
}

/* What is valid for all processes is kept privately: the head in the file may be damaged later. */
static bool live_window_map_head(int fd, uint64_t bytes)
{
	struct gmon_live_windows *head;

	if (bytes <= GMON_LIVE_FIRST_WINDOW)
		return false;
	head = sys_mmap(NULL, GMON_LIVE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (!head)
		return false;
	gmon.live_window.bytes = head->window_bytes;
	if (!text_equal_n(head->magic, sizeof(head->magic), GMON_LIVE_WINDOWS_MAGIC) ||
	    head->version != GMON_LIVE_VERSION || gmon.live_window.bytes < 2 * GMON_LIVE_PAGE ||
	    gmon.live_window.bytes % GMON_LIVE_PAGE) {
		sys_munmap(head, GMON_LIVE_PAGE);
		return false;
	}
	gmon.live_window.windows = (bytes - GMON_LIVE_FIRST_WINDOW) / gmon.live_window.bytes;
	gmon.live_window.head = head;
	return true;
}

bool live_window_start(void)
{
	long fd = gmon.settings.windows_fd;
	uint64_t bytes = 0;
	bool inherited = live_window_is_file(fd, &bytes);
	long seals;

	if (!inherited) {
		fd = live_window_open();
		if (sys_failed(fd))
			return false;
	}
	if (inherited || live_window_is_file(fd, &bytes))
		live_window_map_head((int)fd, bytes);
	seals = SYS2(SYS_fcntl, fd, LIVE_WINDOW_SEALS);
	gmon.live_window.sealed = !sys_failed(seals) && seals & LIVE_WINDOW_SHRINK;
	/* What the program starts needs it only if that is recorded, too. */
	if (!inherited || !gmon.settings.children)
		sys_close((int)fd);
	if (!gmon.live_window.head)
		return false;
	gmon.live_window.first = wide_add(&gmon.live_window.head->processes, 1) == 0;
	return true;
}

void live_window_forked(void)
{
	gmon.live_window.offset = 0;
	if (gmon.live_window.head)
		wide_add(&gmon.live_window.head->processes, 1);
}

bool live_window_is_there(void)
{
	return gmon.live_window.offset > 0;
}

bool live_window_is_sealed(void)
{
	return gmon.live_window.sealed;
}

/*
 * Maps bytes of the file at `offset` from what `source` is a mapping of. The mapping of all before
 * them has address space alone, whatever its size, unless the program has locked its memory: hence
 * munlock(). NULL: the kernel refuses.
 */
static char *live_window_duplicate(void *source, uint64_t offset, size_t bytes)
{
	size_t size = (size_t)offset + bytes;
	long all;

	if (size < bytes || size - bytes != offset)
		return NULL;
	SYS2(SYS_munlock, source, GMON_LIVE_PAGE);
	all = SYS4(SYS_mremap, source, 0, size, MREMAP_MAYMOVE);
	if (sys_failed(all))
		return NULL;
	if (offset)
		sys_munmap((void *)all, (size_t)offset);
	return (char *)all + offset;
}

/* The same by a descriptor, in place of what is at `at`, for kernels and tools that refuse it, and
 * limits of address space. */
static bool live_window_reopen(void *at, uint64_t offset, size_t bytes)
{
	uint64_t size;
	long fd = gmon.settings.windows_fd;
	bool inherited = live_window_is_file(fd, &size), done;

	if (!inherited)
		fd = live_window_open();
	done = (inherited || live_window_is_file(fd, &size)) &&
	       sys_mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, (int)fd, offset);
	if (!inherited && !sys_failed(fd))
		sys_close((int)fd);
	return done;
}

/* Reserves addresses, at which a file is mapped later. */
static void *live_window_reserve(size_t bytes)
{
	return sys_mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

char *live_window_map(uint64_t offset, size_t bytes)
{
	uint64_t start = gmon.live_window.offset;
	char *at;

	if (!start || bytes > gmon.live_window.bytes || offset > gmon.live_window.bytes - bytes)
		return NULL;
	at = live_window_duplicate(gmon.live_window.pin, offset, bytes);
	if (at)
		return at;
	at = live_window_reserve(bytes);
	if (at && !live_window_reopen(at, start + offset, bytes)) {
		sys_munmap(at, bytes);
		at = NULL;
	}
	return at;
}

/* Maps the first page of a window, from which the rest of it can be mapped. */
static bool live_window_pin(uint64_t start)
{
	const size_t bytes = GMON_LIVE_PAGE;
	char *pin = gmon.live_window.pin, *from;

	if (!pin)
		pin = live_window_reserve(bytes);
	if (!pin)
		return false;
	gmon.live_window.pin = pin;
	from = live_window_duplicate(gmon.live_window.head, start, bytes);
	if (from && !sys_failed(SYS6(SYS_mremap, from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
				     pin, 0)))
		return true;
	if (from)
		sys_munmap(from, bytes);
	return live_window_reopen(pin, start, bytes);
}

bool live_window_take(const void *head, size_t n)
{
	struct mask mask;
	uint64_t number, start;
	bool done;

	if (!gmon.live_window.head)
		return false;
	number = wide_add(&gmon.live_window.head->taken, 1);
	if (number >= gmon.live_window.windows)
		return false;
	start = GMON_LIVE_FIRST_WINDOW + number * gmon.live_window.bytes;
	mask_all(&mask);
	done = live_window_pin(start);
	for (size_t i = 0; done && i < n; i++)
		gmon.live_window.pin[i] = ((const char *)head)[i];
	mask_restore(&mask);
	if (done)
		gmon.live_window.offset = start;
	return done;
}

_Static_assert(GMON_LIVE_PAGE % sizeof(struct gmon_live_ended) == 0 &&
		       sizeof(struct gmon_live_ended) == 256,
	       "a record lies within a page");

/* Whether a write up to there cannot kill: as it would beyond the limit of file sizes, or where a
 * filter forbids to ask for that. */
static bool live_window_can_write(uint64_t end)
{
	uint64_t limit[2];

	return !sandbox_forbids_looking() &&
	       !sys_failed(SYS4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, limit)) && end <= limit[0];
}

/*
 * Stores the record, which lies within a page, at `offset` of the file. By a mapping where a write
 * may kill. But a file that is not sealed may have been cut, so that a store kills.
 */
static void live_window_put(int fd, const struct gmon_live_ended *record, uint64_t offset)
{
	size_t page = gmon.blocks.page;
	uint64_t start = offset / page * page;
	char *at;

	if (!gmon.live_window.sealed || live_window_can_write(offset + sizeof(*record))) {
		sys_write_at(fd, record, sizeof(*record), offset);
		return;
	}
	at = sys_mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, start);
	if (!at)
		return;
	for (size_t i = 0; i < sizeof(*record); i++)
		((volatile char *)at)[offset - start + i] = ((const char *)record)[i];
	sys_munmap(at, page);
}

void live_window_end(const struct gmon_live_ended *record)
{
	long fd = gmon.settings.windows_fd;
	uint64_t number, bytes;
	bool inherited = live_window_is_file(fd, &bytes);

	if (!gmon.live_window.head)
		return;
	if (!inherited)
		fd = live_window_open();
	number = wide_add(&gmon.live_window.head->ended, 1);
	if (number < GMON_LIVE_ENDED && (inherited || live_window_is_file(fd, &bytes)))
		live_window_put((int)fd, record, GMON_LIVE_PAGE + number * sizeof(*record));
	if (!inherited && !sys_failed(fd))
		sys_close((int)fd);
}
