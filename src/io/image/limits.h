/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits on the time and memory that a run may use for one object file. */
#ifndef IO_IMAGE_LIMITS_H
#define IO_IMAGE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

/* The limits in force, and those that were before. */
struct limits {
	struct rlimit cpu, memory;         /* the limits before */
	uint64_t most_seconds, most_bytes; /* the most that the process may use in all */
	uint64_t seconds, bytes;           /* what it had used when the limits were paused */
	bool has_cpu, has_memory;
};

/*
 * From this call to limits_end(), the process may use 2 minutes of CPU time and 1 second more for
 * each megabyte of the file, and 4 GB of memory and 64 times the size of the file: several times
 * what any known program needs, its separate debug file included. Holes in the file do not count.
 * Beyond that, SIGXCPU comes, or memory runs out. Lower limits that were set before remain.
 */
struct limits limits_begin(const char *path);
void limits_end(const struct limits *limits);

/*
 * Between these two calls the process may use what it needs, up to its own limits. Afterwards the
 * limits are higher by what it used, and by what a file of that size would be allowed. Limits that
 * are all zero have not begun, and stay zero.
 */
void limits_pause(struct limits *limits);
void limits_resume(struct limits *limits);

/* A timer that ends the process. */
struct deadline {
	timer_t timer;
	bool is_set;
};

/*
 * Until limits_deadline_end(), the process may take five times the time that limits_begin() allows,
 * but of wall-clock time: for code that waits without using CPU time. After that it gets SIGVTALRM.
 */
struct deadline limits_deadline_begin(const char *path);

/* Does the same with a time in seconds. */
struct deadline limits_deadline_begin_seconds(uint64_t seconds);

void limits_deadline_end(const struct deadline *deadline);

#endif
