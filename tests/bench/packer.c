/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program with functions of middling size: packs text by back-references found through hashes.
 * Prints the seconds of CPU time it took and, on stderr, the packed size.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TEXT_BYTES = 4 << 20,
	HASH_BITS = 15,
	MIN_MATCH = 4,
	MAX_MATCH = 255,
	WINDOW = 65535,
	ROUNDS = 5
};

static unsigned char text[TEXT_BYTES + MAX_MATCH];
static uint32_t last_seen[1 << HASH_BITS];
static unsigned char packed[2 * TEXT_BYTES];
static size_t packed_bytes;

static uint32_t hash(const unsigned char *at)
{
	uint32_t bytes;

	memcpy(&bytes, at, sizeof(bytes));
	return bytes * 2654435761U >> (32 - HASH_BITS);
}

static unsigned match_length(const unsigned char *a, const unsigned char *b)
{
	unsigned n = 0;

	while (n < MAX_MATCH && a[n] == b[n])
		n++;
	return n;
}

static void put_literal(unsigned char byte)
{
	packed[packed_bytes++] = byte;
}

static void put_match(uint32_t distance, unsigned length)
{
	packed[packed_bytes++] = (unsigned char)length;
	packed[packed_bytes++] = (unsigned char)distance;
	packed[packed_bytes++] = (unsigned char)(distance >> 8);
}

static uint32_t find(uint32_t at)
{
	uint32_t *slot = &last_seen[hash(text + at)];
	uint32_t before = *slot;

	*slot = at;
	return before < at && at - before <= WINDOW ? before : at;
}

static void pack(void)
{
	packed_bytes = 0;
	memset(last_seen, 0, sizeof(last_seen));
	for (uint32_t at = 0; at < TEXT_BYTES;) {
		uint32_t before = find(at);
		unsigned length = before < at ? match_length(text + before, text + at) : 0;

		if (length >= MIN_MATCH) {
			put_match(at - before, length);
			at += length;
		} else {
			put_literal(text[at++]);
		}
	}
}

static void write_text(void)
{
	static const char *const words[] = { "call ", "graph ",    "profile ", "of ",
					     "the ",  "a ",        "time ",    "spent ",
					     "in ",   "function ", "and ",     "its " };
	unsigned state = 7;

	for (size_t at = 0; at < TEXT_BYTES;) {
		state = state * 1103515245 + 12345;
		const char *word = words[(state >> 16) % (sizeof(words) / sizeof(words[0]))];
		size_t n = strlen(word);

		memcpy(text + at, word, n);
		text[at + n] = (unsigned char)('a' + (state >> 24) % 26);
		at += n + 1;
	}
}

int main(void)
{
	write_text();
	clock_t start = clock();

	for (int i = 0; i < ROUNDS; i++)
		pack();
	printf("%.4f\n", (double)(clock() - start) / CLOCKS_PER_SEC);
	fprintf(stderr, "%zu\n", packed_bytes);
	return 0;
}
