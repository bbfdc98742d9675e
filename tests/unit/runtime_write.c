/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers too large for a record: readers of the file add up what it is split into.
 */
#include <gmon.h>
#include <gmon_out.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count/thread.h"
#include "life.h"
#include "sample/bins.h"
#include "state.h"
#include "testing.h"

enum { FILE_BYTES = 1 << 24 };

static const uint64_t large_count = ((uint64_t)1 << 32) + 1000;
static const uint64_t larger_count = 3 * (uint64_t)UINT32_MAX;

/* Bins apart from one another, and their ticks. */
static const struct {
	size_t bin;
	uint32_t ticks;
} filled[] = { { 0, 70000 }, { 1, 65535 }, { 2, 65536 }, { 100, 1 }, { 5000, 1000000 } };

/* What nobody can have counted in the life of this test: somebody has written to the memory. */
enum { SPOILED_BIN = 200 };
static const uint64_t spoiled_count = (uint64_t)1 << 60;

static unsigned char bytes[FILE_BYTES];
static size_t nbytes, at;

static void take(void *to, size_t n)
{
	assert_true(n <= nbytes - at);
	memcpy(to, bytes + at, n);
	at += n;
}

static uint32_t take_u32(void)
{
	uint32_t number;

	take(&number, sizeof(number));
	return number;
}

static uintptr_t take_address(void)
{
	uintptr_t address;

	take(&address, sizeof(address));
	return address;
}

struct sums {
	uint64_t *ticks; /* of each bin of the whole histogram */
	uint64_t large, larger;
	uint64_t unknown; /* ticks */
	size_t nrecords;
};

static void take_histogram(struct sums *sums)
{
	uintptr_t from = take_address();
	uintptr_t low = from + gmon.program.bias;
	uintptr_t high = take_address() + gmon.program.bias;
	size_t n = take_u32();
	size_t first = (low - gmon.bins->head.low) / 2;

	assert_int_equal(high - low, 2 * n);
	take_u32();
	at += GMON_DIMENSION_BYTES + 1;
	if (from == (uintptr_t)-8) {
		uint16_t ticks[2];

		assert_int_equal(n, 2);
		take(ticks, sizeof(ticks));
		assert_int_equal(ticks[1], 0);
		sums->unknown += ticks[0];
		return;
	}
	assert_true(first + n <= bins_number(gmon.bins));
	for (size_t i = 0; i < n; i++) {
		uint16_t ticks;

		take(&ticks, sizeof(ticks));
		sums->ticks[first + i] += ticks;
	}
}

static void take_arc(struct sums *sums)
{
	uintptr_t from = take_address() + gmon.program.bias;
	uintptr_t self = take_address() + gmon.program.bias;
	uint32_t count = take_u32();

	assert_int_equal(from, gmon.program.low + 9);
	if (self == gmon.program.low + 20)
		sums->large += count;
	else if (self == gmon.program.low + 30)
		sums->larger += count;
	else
		fail_msg("unknown callee %" PRIxPTR, self);
}

static void read_all(const char *path, struct sums *sums)
{
	FILE *file = fopen(path, "rb");

	assert_non_null(file);
	nbytes = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	assert_true(nbytes < sizeof(bytes));
	at = GMON_HEADER_BYTES;
	while (at < nbytes) {
		unsigned char tag;

		take(&tag, 1);
		sums->nrecords++;
		if (tag == GMON_HIST)
			take_histogram(sums);
		else if (tag == GMON_ARC)
			take_arc(sums);
		else
			fail_msg("tag %d", tag);
	}
}

static void test_large_numbers(void **state)
{
	char directory[] = "/tmp/runtime_write.XXXXXX";
	struct sums sums = { 0 };
	size_t nbins;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(gmon.settings.file, sizeof(gmon.settings.file), "%s/gmon.out", directory);
	life_start(gmon.program.low, gmon.program.high);
	moncontrol(0);
	assert_int_equal(gmon.phase, RUNNING);
	nbins = bins_number(gmon.bins);
	for (size_t i = 0; i < sizeof(filled) / sizeof(filled[0]); i++) {
		assert_true(filled[i].bin < nbins);
		gmon.bins->tick[filled[i].bin] = filled[i].ticks;
	}
	thread_add(gmon.program.low + 10, gmon.program.low + 20, large_count);
	thread_add(gmon.program.low + 10, gmon.program.low + 30, larger_count);
	thread_add(FROM_ANYWHERE, CELL_UNKNOWN_TICKS, 140001);
	gmon.bins->tick[SPOILED_BIN] = UINT32_MAX;
	thread_add(gmon.program.low + 10, gmon.program.low + 40, spoiled_count);
	_mcleanup();

	sums.ticks = calloc(nbins, sizeof(sums.ticks[0]));
	assert_non_null(sums.ticks);
	read_all(gmon.settings.file, &sums);
	assert_int_equal(sums.large, large_count);
	assert_int_equal(sums.larger, larger_count);
	assert_int_equal(sums.unknown, 140001);
	for (size_t i = 0; i < sizeof(filled) / sizeof(filled[0]); i++) {
		assert_int_equal(sums.ticks[filled[i].bin], filled[i].ticks);
		sums.ticks[filled[i].bin] = 0;
	}
	for (size_t i = 0; i < nbins; i++)
		assert_int_equal(sums.ticks[i], 0);
	free(sums.ticks);
	unlink(gmon.settings.file);
	rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_large_numbers) };

	return cmocka_run_group_tests_name("runtime_write", tests, NULL, NULL);
}
