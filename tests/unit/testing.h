/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the unit tests share: cmocka and what it needs, memory, messages, output, random numbers. */
#ifndef TESTING_H
#define TESTING_H

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline void __attribute__((noreturn)) no_memory_fails(void *arg)
{
	(void)arg;
	fail_msg("no_memory was called");
	abort();
}

/* An arena whose exhaustion fails the test. */
static inline struct arena test_arena(void)
{
	return (struct arena){ .no_memory = no_memory_fails };
}

/* The messages that a diag delivered, the latest ones; n counts all of them. */
struct messages {
	unsigned n;
	char line[4][4096];
};

static inline void messages_add(void *to, const char *line)
{
	struct messages *log = to;

	snprintf(log->line[log->n % COUNT(log->line)], sizeof(log->line[0]), "%s", line);
	log->n++;
}

/* A diag of the program "test" that collects in an all-zero log. */
static inline struct diag test_diag(struct messages *log)
{
	return (struct diag){ .program = "test", .sink = messages_add, .to = log };
}

/* Fails unless exactly one message came and has the text in it; then forgets it. */
static inline void expect_message(struct messages *log, const char *text)
{
	if (log->n != 1 || !strstr(log->line[0], text))
		fail_msg("%u messages, the first '%s', instead of '%s'", log->n, log->line[0],
			 text);
	log->n = 0;
}

/* A file in memory, for what the tested code writes. */
static inline int memory_file(void)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

/* All that was written to fd, with a NUL behind it; closes fd. */
static inline char *written_text(int fd, struct arena *mem)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text;

	assert_true(size >= 0);
	text = arena_array(mem, char, (size_t)size + 1);
	assert_int_equal(pread(fd, text, (size_t)size, 0), size);
	close(fd);
	return text;
}

/* Numbers from a seed, the same on every machine: the generator SplitMix64. */
static inline uint64_t random_bits(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* A number from 0 up to, not with, n. */
static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((random_bits(state) >> 32) * n >> 32);
}

static inline void same_double(double x, double y, const char *what, const char *file, int line)
{
	if (memcmp(&x, &y, sizeof(x)) == 0)
		return;
	print_error("%s: %a is not %a\n", what, x, y);
	_fail(file, line);
}

/* Equal to the last bit. */
#define assert_same_double(x, y) same_double((x), (y), #x, __FILE__, __LINE__)

#endif
