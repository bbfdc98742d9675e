/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of what libbfd and libdw may take for an object file. */
#ifndef IO_LIMITS_H
#define IO_LIMITS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

struct limits {
	struct rlimit cpu, memory; /* as they were */
	bool has_cpu, has_memory;
};

/*
 * From here on to limits_end() the process may take two minutes of processor time and a second for
 * each megabyte of the file, and 4 gigabytes of memory and 64 times the file's size: several times
 * what any program is known to need, its separate debug file included. Beyond, SIGXCPU comes, and
 * memory runs out. Limits that were lower stay.
 */
struct limits limits_begin(const char *path);
void limits_end(const struct limits *limits);

#endif
