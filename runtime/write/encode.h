/* SPDX-License-Identifier: MIT */
/* The contents of a gmon.out file, in the format of include/gmon_out.h. Async-signal-safe. */
#ifndef WRITE_ENCODE_H
#define WRITE_ENCODE_H

#include <stdint.h>

#include "base/program.h"
#include "sample/bins.h"

struct file_writer;

/* The data that a file is made of. */
struct encode_source {
	const struct program *object; /* the object whose calls and basic blocks are written */
	const struct bins *bins;      /* the object's samples, or NULL */
	const char *dimension;        /* dimension of the samples; NULL: time */
	uint64_t most; /* a bin with more ticks was overwritten by somebody; it is left out, because
			  its records could fill the disk */
};

/* Returns the source for samples of time. */
struct encode_source encode_time(const struct program *object, const struct bins *bins);

/*
 * Writes all records of a struct encode_source; a function of type file_fill. Counting may continue
 * meanwhile.
 */
void encode_profile(struct file_writer *file, const void *source);

#endif
