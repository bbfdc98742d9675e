/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file in which the processes of a run leave their recordings, a window each (gmon_live.h). */
#ifndef RUN_LAUNCH_WINDOWS_H
#define RUN_LAUNCH_WINDOWS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"
#include "model/recorded.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: there is no file. */
struct windows {
	int fd;         /* of a file without a name; a child inherits it if it asks for that */
	uint64_t bytes; /* of each window */
	uint64_t n;     /* how many there is room for */
	bool limited;   /* there would be room for more without the limit of file sizes */
	void *head;     /* struct gmon_live_windows, mapped shared */
};

/* The numbers of windows. */
typedef ARRAY(uint64_t) window_numbers;

/*
 * Makes the file. It is memory that nobody can shorten or, where the kernel refuses that, a
 * temporary file that has lost its name. 0, or -1 with the reason said.
 */
int windows_make(struct windows *w, struct diag *diag);

/* The value of the runtime's GMON=windows=, in mem: where this process has the file. */
const char *windows_key(const struct windows *w, struct arena *mem);

/*
 * How many processes say that they began to be recorded, and how many of these found no room. Any
 * process of the run may have written something else.
 */
uint64_t windows_processes(const struct windows *w);
uint64_t windows_refused(const struct windows *w);

/* How many processes say that they ended before their first sample; at most GMON_LIVE_ENDED. */
uint64_t windows_ended(const struct windows *w);

/* A program: as it was called, or NULL, and its path, however it was called; it may be gone. */
struct windows_program {
	const char *called, *path;
};

/* Makes the record of process i of these, all but `recording`; texts live in mem, as do those of
 * *last, the program of the process before, which most have, too. False: there is none. */
bool windows_read_ended(struct recorded_process *to, const struct windows *w, uint64_t i,
			struct windows_program *last, struct arena *mem);

/* How many windows were taken: the number that the next process gets. */
uint64_t windows_taken(const struct windows *w);

/*
 * Adds the windows from number `first` on that begin like a recording, in the order in which they
 * were taken. Linear in the pieces of the file from there on that have data.
 */
void windows_find(window_numbers *found, const struct windows *w, uint64_t first,
		  struct arena *mem);

/* Bytes of memory that the file has. */
uint64_t windows_memory(const struct windows *w);

/* The bytes of a window up to the last that was written; free with windows_free(). */
struct windows_bytes {
	unsigned char *bytes;
	size_t size;
};

/*
 * Reads a window: a copy, since a process of the run may still be writing. Holes take no memory. 0,
 * or an errno with nothing to free.
 */
int windows_read(struct windows_bytes *to, const struct windows *w, uint64_t number);
void windows_free(struct windows_bytes *bytes);

#endif
