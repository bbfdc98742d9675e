/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of what a run may take for an object file, and of how long libraries may read it. */
#ifndef IO_IMAGE_LIMITS_H
#define IO_IMAGE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

/* Limits in force, and what else was in force before. */
struct limits {
	struct rlimit cpu, memory;         /* as they were */
	uint64_t most_seconds, most_bytes; /* of the process, all told */
	uint64_t seconds, bytes;           /* what it had taken when it paused */
	bool has_cpu, has_memory;
};

/*
 * From here on to limits_end() the process may take two minutes of processor time and a second for
 * each megabyte of the file, and 4 gigabytes of memory and 64 times the file's size: several times
 * what any program is known to need, its separate debug file included. Holes in the file do not
 * count. Beyond, SIGXCPU comes, and memory runs out. Limits that were lower stay.
 */
struct limits limits_begin(const char *path);
void limits_end(const struct limits *limits);

/*
 * Between these two the process takes what it takes, up to its own limits. Afterwards the limits
 * are higher by that, and by what so much memory is worth, as if it were a file.
 */
void limits_pause(struct limits *limits);
void limits_resume(struct limits *limits);

/* A clock that ends the process. */
struct deadline {
	timer_t timer;
	bool is_set;
};

/*
 * From here on to limits_deadline_end() the process may take five times the time that
 * limits_begin() gives its processor, by the clock on the wall: for what waits and does nothing.
 * Then SIGVTALRM comes.
 */
struct deadline limits_deadline_begin(const char *path);

/* The same, with the time in seconds. */
struct deadline limits_deadline_begin_seconds(uint64_t seconds);

void limits_deadline_end(const struct deadline *deadline);

#endif
