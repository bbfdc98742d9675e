/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up the bytes of profiles: random ones in any tree lead to the same bytes, which have the
 * sums that arrays without any cleverness have; nothing is read behind the end of a damaged one. */
#include "addup.h"

#include <gmon_out.h>

#include "../tools/prng.h"
#include "testing.h"

enum { LOW = 0x1000, BINS = 300, BIN_BYTES = 2, PLACES = 40, PROFILES = 24, RATE = 100 };

/* A profile's contents: samples by bin, arcs from place to place, blocks by place. */
struct contents {
	uint64_t ticks[BINS], calls[PLACES][PLACES], blocks[PLACES];
};

struct bytes {
	unsigned char *at;
	size_t n;
};

static void put(struct bytes *to, const void *from, size_t n)
{
	to->at = realloc(to->at, to->n + n);
	assert_non_null(to->at);
	memcpy(to->at + to->n, from, n);
	to->n += n;
}

static void put_u32(struct bytes *to, uint32_t number)
{
	put(to, &number, sizeof(number));
}

static void put_address(struct bytes *to, uintptr_t number)
{
	put(to, &number, sizeof(number));
}

static void put_tag(struct bytes *to, unsigned char tag)
{
	put(to, &tag, 1);
}

static struct bytes begin(void)
{
	static const unsigned char zeros[GMON_HEADER_BYTES - 8];
	struct bytes bytes = { NULL, 0 };

	put(&bytes, GMON_MAGIC, 4);
	put_u32(&bytes, GMON_VERSION);
	put(&bytes, zeros, sizeof(zeros));
	return bytes;
}

static void put_hist(struct bytes *to, uint32_t first, const uint16_t *ticks, uint32_t n,
		     uint32_t rate)
{
	put_tag(to, GMON_HIST);
	put_address(to, LOW + BIN_BYTES * first);
	put_address(to, LOW + BIN_BYTES * (first + n));
	put_u32(to, n);
	put_u32(to, rate);
	put(to, "seconds\0\0\0\0\0\0\0\0s", GMON_DIMENSION_BYTES + 1);
	put(to, ticks, n * sizeof(*ticks));
}

static uintptr_t place(uint32_t i)
{
	return LOW + 8 * (i + 1);
}

/* A random profile, in up to three ranges side by side or two with a gap; adds it to `all`. */
static struct bytes make(struct prng *random, struct contents *all)
{
	static const uint32_t cuts[][4] = {
		{ 0, 300, 300, 300 }, { 0, 100, 250, 300 }, { 0, 64, 64, 300 }, { 17, 90, 200, 201 }
	};
	const uint32_t *cut = cuts[prng_below(random, COUNT(cuts))];
	struct bytes bytes = begin();
	uint16_t ticks[BINS];

	for (uint32_t i = 0; i < 4; i += 2) {
		uint32_t n = cut[i + 1] - cut[i];

		for (uint32_t k = 0; k < n; k++) {
			ticks[k] = prng_chance(random, 10) ? UINT16_MAX
							   : (uint16_t)prng_below(random, 3);
			all->ticks[cut[i] + k] += ticks[k];
		}
		put_hist(&bytes, cut[i], ticks, n, RATE);
	}
	for (int i = 0; i < 30; i++) {
		uint32_t from = prng_below(random, PLACES), self = prng_below(random, PLACES);
		uint32_t n = prng_chance(random, 20) ? UINT32_MAX : prng_below(random, 9);

		put_tag(&bytes, GMON_ARC);
		put_address(&bytes, place(from));
		put_address(&bytes, place(self));
		put_u32(&bytes, n);
		all->calls[from][self] += n;
	}
	put_tag(&bytes, GMON_BLOCKS);
	put_u32(&bytes, PLACES);
	for (uint32_t i = 0; i < PLACES; i++) {
		put_address(&bytes, place(i));
		put_address(&bytes, i);
		all->blocks[i] += i;
	}
	return bytes;
}

static void take(struct bytes *from, void *to, size_t n)
{
	assert_true(from->n >= n);
	memcpy(to, from->at, n);
	from->at += n;
	from->n -= n;
}

static uint32_t take_u32(struct bytes *from)
{
	uint32_t number;

	take(from, &number, sizeof(number));
	return number;
}

static uintptr_t take_address(struct bytes *from)
{
	uintptr_t number;

	take(from, &number, sizeof(number));
	return number;
}

static void read_hist(struct bytes *from, struct contents *to)
{
	uintptr_t low = take_address(from), high = take_address(from);
	uint32_t n = take_u32(from);
	char unit[GMON_DIMENSION_BYTES + 1];

	assert_int_equal(high - low, n * BIN_BYTES);
	assert_int_equal(take_u32(from), RATE);
	take(from, unit, sizeof(unit));
	for (uint32_t i = 0; i < n; i++) {
		uint16_t ticks;

		take(from, &ticks, sizeof(ticks));
		to->ticks[(low - LOW) / BIN_BYTES + i] += ticks;
	}
}

static uint32_t place_of(uintptr_t address)
{
	return (uint32_t)((address - LOW) / 8 - 1);
}

static void read_all(struct bytes from, struct contents *to)
{
	from.at += GMON_HEADER_BYTES;
	from.n -= GMON_HEADER_BYTES;
	while (from.n) {
		unsigned char tag;

		take(&from, &tag, 1);
		if (tag == GMON_HIST) {
			read_hist(&from, to);
		} else if (tag == GMON_ARC) {
			uint32_t caller = place_of(take_address(&from));
			uint32_t self = place_of(take_address(&from));

			to->calls[caller][self] += take_u32(&from);
		} else {
			assert_int_equal(tag, GMON_BLOCKS);
			for (uint32_t n = take_u32(&from); n; n--) {
				uint32_t i = place_of(take_address(&from));

				to->blocks[i] += take_address(&from);
			}
		}
	}
}

/* Profiles [first, first + n), of which random parts are added up first. */
static struct bytes add_tree(struct prng *random, const struct bytes *profiles, uint32_t n)
{
	struct addup sum = { 0 };
	struct bytes whole;

	for (uint32_t i = 0, part; i < n; i += part) {
		part = n == 1 ? 1 : prng_between(random, 1, n - i < n - 1 ? n - i : n - 1);
		if (part == 1) {
			assert_int_equal(addup_add(&sum, profiles[i].at, profiles[i].n),
					 ADDUP_DONE);
		} else {
			struct bytes inner = add_tree(random, profiles + i, part);

			assert_int_equal(addup_add(&sum, inner.at, inner.n), ADDUP_DONE);
			free(inner.at);
		}
	}
	whole.at = addup_write(&sum, &whole.n);
	assert_non_null(whole.at);
	addup_free(&sum);
	return whole;
}

static void test_any_tree(void **state)
{
	struct prng random = { 21 };
	static struct contents wanted, got;
	struct bytes profiles[PROFILES];
	struct bytes first = { NULL, 0 };

	(void)state;
	for (int i = 0; i < PROFILES; i++)
		profiles[i] = make(&random, &wanted);
	for (int turn = 0; turn < 20; turn++) {
		struct bytes sum = add_tree(&random, profiles, PROFILES);

		if (turn == 0) {
			first = sum;
			continue;
		}
		assert_int_equal(sum.n, first.n);
		assert_memory_equal(sum.at, first.at, sum.n);
		free(sum.at);
	}
	read_all(first, &got);
	assert_memory_equal(&got, &wanted, sizeof(got));
	free(first.at);
	for (int i = 0; i < PROFILES; i++)
		free(profiles[i].at);
}

/* One range with one full bin is not written as often as that is full. */
static void test_full_bins_are_apart(void **state)
{
	static uint16_t ticks[BINS];
	struct bytes profile = begin();
	struct addup sum = { 0 };
	size_t n;

	(void)state;
	ticks[200] = UINT16_MAX;
	put_hist(&profile, 0, ticks, BINS, RATE);
	for (int i = 0; i < 100; i++)
		assert_int_equal(addup_add(&sum, profile.at, profile.n), ADDUP_DONE);
	free(addup_write(&sum, &n));
	assert_in_range(n, profile.n, 100 * profile.n / 3);
	addup_free(&sum);
	free(profile.at);
}

static void test_refusals(void **state)
{
	static const uint16_t ticks[BINS];
	struct prng random = { 4 };
	static struct contents contents;
	struct bytes good = make(&random, &contents);
	struct bytes other = begin(), wide = begin(), tag = begin();
	struct addup sum = { 0 };

	(void)state;
	for (size_t n = 0; n < good.n; n++) {
		/* All that is there, so that a reader behind it is found by a tool. */
		unsigned char *part = malloc(n + !n);
		struct addup some = { 0 };

		memcpy(part, good.at, n);
		assert_true(addup_add(&some, part, n) == ADDUP_DAMAGED || n >= GMON_HEADER_BYTES);
		addup_free(&some);
		free(part);
	}
	assert_int_equal(addup_add(&sum, good.at, good.n), ADDUP_DONE);
	put_hist(&other, 0, ticks, BINS, RATE + 1);
	assert_int_equal(addup_add(&sum, other.at, other.n), ADDUP_OTHER_RATE);
	put_hist(&wide, 0, ticks, BINS, RATE);
	wide.at[GMON_HEADER_BYTES + 1 + 2 * sizeof(uintptr_t)] = BINS / 2 & 0xff;
	wide.at[GMON_HEADER_BYTES + 2 + 2 * sizeof(uintptr_t)] = 0;
	assert_int_equal(addup_add(&sum, wide.at, wide.n), ADDUP_OTHER_RANGES);
	put_tag(&tag, 7);
	assert_int_equal(addup_add(&sum, tag.at, tag.n), ADDUP_DAMAGED);
	addup_free(&sum);
	free(good.at);
	free(other.at);
	free(wide.at);
	free(tag.at);
}

/* What is in no profile is in no sum, and GNU gprof still takes it for one. */
static void test_nothing(void **state)
{
	static const uint16_t no_ticks[1];
	struct bytes empty = begin();
	struct addup sum = { 0 };
	unsigned char *bytes;
	size_t n;

	(void)state;
	put_hist(&empty, 0, no_ticks, 0, RATE);
	assert_int_equal(addup_add(&sum, empty.at, empty.n), ADDUP_DONE);
	bytes = addup_write(&sum, &n);
	assert_non_null(bytes);
	assert_int_equal(n, empty.n + 1 + 2 * sizeof(uintptr_t) + 4);
	assert_int_equal(bytes[GMON_HEADER_BYTES], GMON_HIST);
	assert_int_equal(bytes[empty.n], GMON_ARC);
	free(bytes);
	addup_free(&sum);
	free(empty.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_tree),
		cmocka_unit_test(test_full_bins_are_apart),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
