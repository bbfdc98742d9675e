/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files made by hand, for the readers' tests. */
#ifndef FILEBYTES_H
#define FILEBYTES_H

#include "testing.h"

#include "io/profile/gmon_read.h"

/* Both widths in both orders. */
static const struct target targets[] = { { .ptr_size = 4 },
					 { .ptr_size = 4, .big_endian = true },
					 { .ptr_size = 8 },
					 { .ptr_size = 8, .big_endian = true } };

/* A file being made for a target. */
struct bytes {
	struct target target;
	size_t n;
	unsigned char at[1000];
};

static inline void put(struct bytes *b, unsigned nbytes, uint64_t value)
{
	assert_true(b->n + nbytes <= sizeof(b->at));
	for (unsigned i = 0; i < nbytes; i++)
		b->at[b->n + (b->target.big_endian ? nbytes - 1 - i : i)] =
			(unsigned char)(value >> 8 * i);
	b->n += nbytes;
}

static inline void put_ptr(struct bytes *b, uint64_t value)
{
	put(b, b->target.ptr_size, value);
}

static inline void put_text(struct bytes *b, const char *text, size_t nbytes)
{
	memset(b->at + b->n, 0, nbytes);
	memcpy(b->at + b->n, text, strlen(text));
	b->n += nbytes;
}

static inline void put_bins(struct bytes *b, uint32_t nbins, uint16_t first)
{
	for (uint32_t i = 0; i < nbins; i++)
		put(b, 2, first + i);
}

static inline int read_as(enum gmon_format format, struct profile_sum *sum, const struct bytes *b,
			  struct diag *diag)
{
	sum->prof.target = b->target;
	return gmon_read(sum, format, b->at, b->n, "FILE", diag);
}

static inline void expect_good_as(enum gmon_format format, const struct bytes *b)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };

	assert_int_equal(read_as(format, &sum, b, &diag), 0);
	assert_int_equal(gmon_check(&b->target, format, b->at, b->n, "FILE", &diag), 0);
	assert_int_equal(log.n, 0);
	arena_free(&mem);
}

/* Reading fails with one message that begins with the file's name and holds `text`. */
static inline void expect_bad_as(enum gmon_format format, const struct bytes *b, const char *text)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct profile_sum sum = { .mem = &mem };

	assert_int_equal(read_as(format, &sum, b, &diag), -1);
	assert_int_equal(strncmp(log.line[0], "test: FILE: ", 12), 0);
	assert_int_equal(diag.nerrors, 1);
	expect_message(&log, text);
	arena_free(&mem);
}

/* The start alone tells that the file is wrong, in the same words as reading it does. */
static inline void expect_bad_start_as(enum gmon_format format, const struct bytes *b,
				       const char *text)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);

	assert_int_equal(gmon_check(&b->target, format, b->at, b->n, "FILE", &diag), -1);
	assert_int_equal(diag.nerrors, 1);
	expect_message(&log, text);
	expect_bad_as(format, b, log.line[0]);
}

#endif
