/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/launch/windows.h"

#include "gmon_live.h"
#include "run/launch/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

/*
 * A window has room for the counts of any program, and there are more windows than processes: both
 * only take numbers of bytes, of which a file can have 2^63, and a 32-bit process map 2^44.
 */
enum { SHIFT = sizeof(void *) == 8 ? 30 : 27, WINDOWS_SHIFT = sizeof(void *) == 8 ? 17 : 16 };

/* With a limit on the size of files: the least that is of use. */
enum { LEAST_BYTES = 8 << 20 };

/* Memory, which a program cannot execute. -1: refused. */
static int windows_in_memory(void)
{
	int fd = memfd_create("gprof", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL) /* kernels before 6.3 */
		fd = memfd_create("gprof", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	return fd;
}

/* A file that has lost its name, in a directory where that is possible. -1: in none. */
static int windows_on_disk(void)
{
	const char *tmp = getenv("TMPDIR");
	const char *const places[] = { "/dev/shm", tmp && *tmp ? tmp : "/tmp", "/tmp" };

	return spool_open(places, sizeof(places) / sizeof(places[0]));
}

/*
 * Sets how large windows are, and how many there can be by the hard limit. False: there is no room
 * for one.
 */
static bool windows_divide(struct windows *w)
{
	struct rlimit limit;
	uint64_t most;

	w->bytes = (uint64_t)1 << SHIFT;
	w->n = (uint64_t)1 << WINDOWS_SHIFT;
	if (getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_max == RLIM_INFINITY)
		return true;
	most = limit.rlim_max > GMON_LIVE_FIRST_WINDOW ? limit.rlim_max - GMON_LIVE_FIRST_WINDOW
						       : 0;
	if (w->bytes > most)
		w->bytes = most / GMON_LIVE_PAGE * GMON_LIVE_PAGE;
	if (w->bytes < LEAST_BYTES)
		return false;
	if (w->n > most / w->bytes) {
		w->n = most / w->bytes;
		w->limited = true;
	}
	return true;
}

/*
 * The number of the descriptor is one that programs do not use by chance, below the limit that
 * select() has.
 */
static int windows_move_up(int fd)
{
	enum { WANTED = 1001, SPARE = 16 };
	struct rlimit limit;
	int least = WANTED, moved;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < WANTED + SPARE)
		least = limit.rlim_cur > SPARE ? (int)limit.rlim_cur - SPARE : 0;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, least);
	if (moved < 0)
		return fd;
	close(fd);
	return moved;
}

/* Gives the file its size, whatever the soft limit of that: it is memory, and processes only map
 * it. False: refused. */
static bool windows_grow(const struct windows *w)
{
	off_t size = (off_t)(GMON_LIVE_FIRST_WINDOW + w->n * w->bytes);
	struct rlimit before, most;
	bool limited = getrlimit(RLIMIT_FSIZE, &before) == 0 && before.rlim_cur != before.rlim_max;
	bool grown;

	most = before;
	most.rlim_cur = before.rlim_max;
	if (limited)
		setrlimit(RLIMIT_FSIZE, &most);
	grown = ftruncate(w->fd, size) == 0;
	if (limited)
		setrlimit(RLIMIT_FSIZE, &before);
	return grown;
}

static bool windows_begin(struct windows *w)
{
	struct gmon_live_windows *head;

	if (!windows_grow(w))
		return false;
	/* Not against writing and growing: the first is what it is for. */
	fcntl(w->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	head = mmap(NULL, GMON_LIVE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);
	if (head == MAP_FAILED)
		return false;
	memcpy(head->magic, GMON_LIVE_WINDOWS_MAGIC, sizeof(head->magic));
	head->version = GMON_LIVE_VERSION;
	head->pointer_bytes = sizeof(void *);
	head->window_bytes = w->bytes;
	head->windows = w->n;
	w->head = head;
	return true;
}

int windows_make(struct windows *w, struct diag *diag)
{
	*w = (struct windows){ .fd = -1 };
	if (!windows_divide(w)) {
		diag_error(diag,
			   "--run: a limit of file sizes below %d MB leaves no room for the "
			   "recording: raise it (ulimit -f)",
			   (int)((GMON_LIVE_FIRST_WINDOW + LEAST_BYTES) >> 20) + 1);
		return -1;
	}
	w->fd = windows_in_memory();
	if (w->fd < 0)
		w->fd = windows_on_disk();
	if (w->fd >= 0) {
		w->fd = windows_move_up(w->fd);
		if (windows_begin(w))
			return 0;
	}
	diag_error(diag, "--run: no memory for the recording: %s", strerror(errno));
	return -1;
}

const char *windows_key(const struct windows *w, struct arena *mem)
{
	struct stat st;
	char text[128];

	if (fstat(w->fd, &st) < 0)
		return "";
	snprintf(text, sizeof(text), "%d:%d:%u:%u:%llu", w->fd, (int)getpid(), major(st.st_dev),
		 minor(st.st_dev), (unsigned long long)st.st_ino);
	return arena_strndup(mem, text, strlen(text));
}

uint64_t windows_processes(const struct windows *w)
{
	const volatile struct gmon_live_windows *head = w->head;

	return head->processes;
}

uint64_t windows_ended(const struct windows *w)
{
	const volatile struct gmon_live_windows *head = w->head;
	uint64_t ended = head->ended;

	return ended < GMON_LIVE_ENDED ? ended : GMON_LIVE_ENDED;
}

/* A copy of a text of n bytes, which may lack its end, without control characters. */
static const char *windows_text(const char *text, size_t n, struct arena *mem)
{
	char *copy = arena_strndup(mem, text, strnlen(text, n));

	for (char *c = copy; *c; c++) {
		if ((unsigned char)*c < ' ')
			*c = ' ';
	}
	return copy;
}

/* Makes *program that which was called by a text of n bytes, which may lack its end. */
static void windows_set_program(struct windows_program *program, const char *text, size_t n,
				struct arena *mem)
{
	size_t length = strnlen(text, n);
	const char *called;
	char *path;

	if (program->called && !strncmp(program->called, text, length) && !program->called[length])
		return;
	program->called = arena_strndup(mem, text, length);
	called = windows_text(text, n, mem);
	path = *called ? realpath(called, NULL) : NULL;
	program->path = path ? arena_strndup(mem, path, strlen(path)) : called;
	free(path);
}

bool windows_read_ended(struct recorded_process *to, const struct windows *w, uint64_t i,
			struct windows_program *last, struct arena *mem)
{
	struct gmon_live_ended from;
	off_t offset = (off_t)(GMON_LIVE_PAGE + i * sizeof(from));

	if (pread(w->fd, &from, sizeof(from), offset) != (ssize_t)sizeof(from) || from.pid == 0)
		return false;
	windows_set_program(last, from.program, sizeof(from.program), mem);
	*to = (struct recorded_process){
		.pid = from.pid,
		.parent = from.parent,
		.ending = from.ending > PROCESS_REPLACED ? PROCESS_GOES_ON : from.ending,
		.status = from.status,
		.start = from.start_ns,
		.end = from.end_ns,
		.cpu_ns = from.cpu_ns,
		.before_ns = from.before_ns,
		.program = last->path,
		.command = windows_text(from.command, sizeof(from.command), mem),
	};
	return true;
}

uint64_t windows_refused(const struct windows *w)
{
	const volatile struct gmon_live_windows *head = w->head;
	uint64_t taken = head->taken;

	return taken > w->n ? taken - w->n : 0;
}

static uint64_t windows_offset(const struct windows *w, uint64_t number)
{
	return GMON_LIVE_FIRST_WINDOW + number * w->bytes;
}

/* The next piece with data in [from, to). False: there is none. */
static bool windows_next_piece(const struct windows *w, uint64_t from, uint64_t to, uint64_t *start,
			       uint64_t *end)
{
	off_t data = from < to ? lseek(w->fd, (off_t)from, SEEK_DATA) : -1;
	off_t hole = data < 0 ? -1 : lseek(w->fd, data, SEEK_HOLE);

	if (data < 0 || hole < 0 || (uint64_t)data >= to)
		return false;
	*start = (uint64_t)data;
	*end = (uint64_t)hole < to ? (uint64_t)hole : to;
	return true;
}

uint64_t windows_taken(const struct windows *w)
{
	const volatile struct gmon_live_windows *head = w->head;
	uint64_t taken = head->taken;

	return taken < w->n ? taken : w->n;
}

uint64_t windows_memory(const struct windows *w)
{
	struct stat st;

	return fstat(w->fd, &st) == 0 ? (uint64_t)st.st_blocks * 512 : 0;
}

void windows_find(window_numbers *found, const struct windows *w, uint64_t first, struct arena *mem)
{
	uint64_t end = windows_offset(w, w->n), at = windows_offset(w, first), start, stop;
	char magic[sizeof(GMON_LIVE_MAGIC) - 1];

	while (windows_next_piece(w, at, end, &start, &stop)) {
		uint64_t number = (start - GMON_LIVE_FIRST_WINDOW) / w->bytes;
		uint64_t offset = windows_offset(w, number);

		if (pread(w->fd, magic, sizeof(magic), (off_t)offset) == (ssize_t)sizeof(magic) &&
		    memcmp(magic, GMON_LIVE_MAGIC, sizeof(magic)) == 0)
			array_push(mem, found) = number;
		at = windows_offset(w, number + 1);
	}
}

/* Reads [start, end) of the file to `to`. 0 or an errno. */
static int windows_read_piece(const struct windows *w, unsigned char *to, uint64_t start,
			      uint64_t end)
{
	while (start < end) {
		ssize_t done = pread(w->fd, to, (size_t)(end - start), (off_t)start);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? errno : EIO;
		to += done;
		start += (uint64_t)done;
	}
	return 0;
}

/* Where the block ends that begins at an offset of the file; 0: none begins there. */
static uint64_t windows_block_end(const struct windows *w, uint64_t window, uint64_t at)
{
	unsigned char head[GMON_LIVE_BLOCK_HEAD];
	uint64_t size, offset;
	uint32_t ready;

	if (pread(w->fd, head, sizeof(head), (off_t)at) != (ssize_t)sizeof(head))
		return 0;
	memcpy(&size, head + GMON_LIVE_AT_BYTES, sizeof(size));
	memcpy(&ready, head + GMON_LIVE_AT_READY, sizeof(ready));
	memcpy(&offset, head + GMON_LIVE_AT_OFFSET, sizeof(offset));
	if (ready != GMON_LIVE_READY || window + offset != at || size > w->bytes - offset)
		return 0;
	return at + size;
}

/* Where the last piece of a window, or the last block, ends: a block may end with a hole. */
static uint64_t windows_end(const struct windows *w, uint64_t window)
{
	uint64_t end = window, start, stop;

	for (uint64_t at = window; windows_next_piece(w, at, window + w->bytes, &start, &stop);
	     at = stop) {
		uint64_t page = window + (start - window + GMON_LIVE_PAGE - 1) / GMON_LIVE_PAGE *
						 GMON_LIVE_PAGE;

		end = end < stop ? stop : end;
		for (; page < stop; page += GMON_LIVE_PAGE) {
			uint64_t block_end = windows_block_end(w, window, page);

			end = end < block_end ? block_end : end;
		}
	}
	return window + (end - window + GMON_LIVE_PAGE - 1) / GMON_LIVE_PAGE * GMON_LIVE_PAGE;
}

int windows_read(struct windows_bytes *to, const struct windows *w, uint64_t number)
{
	uint64_t window = windows_offset(w, number), end = windows_end(w, window), start, stop;
	int error = 0;

	*to = (struct windows_bytes){ .size = (size_t)(end - window) };
	if (to->size == 0)
		return ENODATA;
	to->bytes = mmap(NULL, to->size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (to->bytes == MAP_FAILED) {
		to->bytes = NULL;
		return errno;
	}
	for (uint64_t at = window; !error && windows_next_piece(w, at, end, &start, &stop);
	     at = stop)
		error = windows_read_piece(w, to->bytes + (start - window), start, stop);
	if (error)
		windows_free(to);
	return error;
}

void windows_free(struct windows_bytes *bytes)
{
	if (bytes->bytes)
		munmap(bytes->bytes, bytes->size);
	*bytes = (struct windows_bytes){ 0 };
}
