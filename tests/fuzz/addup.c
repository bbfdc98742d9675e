/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: the profiles that the ranks of a program send one another, which libgmon_mpi adds
 * up. Input: a profile, and the same or, where another one begins in it, that one. If both are
 * good, they add up to the same bytes in either order, and these are a profile that adds up to
 * itself.
 */
#include "addup.h"
#include "fuzz.h"
#include "gmon_out.h"

#include <stdlib.h>
#include <string.h>

enum { PROFILES = 2 };

struct profile_bytes {
	const unsigned char *at;
	size_t n;
};

/* The sum of two profiles, in this order, for free(); NULL: one of them is not good. */
static unsigned char *sum_of(const struct profile_bytes *a, const struct profile_bytes *b,
			     size_t *n)
{
	struct addup sum = { 0 };
	unsigned char *bytes = NULL;

	if (addup_add(&sum, a->at, a->n) == ADDUP_DONE &&
	    (!b || addup_add(&sum, b->at, b->n) == ADDUP_DONE)) {
		bytes = addup_write(&sum, n);
		if (!bytes)
			finding("a sum cannot be written");
	}
	addup_free(&sum);
	return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile_bytes part[PROFILES] = { { data, size }, { data, size } }, all;
	unsigned char *sum[PROFILES + 1];
	size_t n[PROFILES + 1];

	for (size_t i = 1; i + GMON_HEADER_BYTES <= size && part[0].n == size; i++) {
		if (memcmp(data + i, GMON_MAGIC, 4) == 0) {
			part[0].n = i;
			part[1] = (struct profile_bytes){ data + i, size - i };
		}
	}
	sum[0] = sum_of(&part[0], &part[1], &n[0]);
	sum[1] = sum_of(&part[1], &part[0], &n[1]);
	if (!sum[0] != !sum[1])
		finding("two profiles add up in one order alone");
	if (sum[0]) {
		all = (struct profile_bytes){ sum[0], n[0] };
		sum[2] = sum_of(&all, NULL, &n[2]);
		if (n[0] != n[1] || memcmp(sum[0], sum[1], n[0]) != 0)
			finding("sums differ by their order");
		if (!sum[2] || n[2] != n[0] || memcmp(sum[2], sum[0], n[0]) != 0)
			finding("a sum does not add up to itself");
		free(sum[2]);
	}
	free(sum[0]);
	free(sum[1]);
	return 0;
}
