/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes up a text, counts its words, prints the most frequent one. It is slower than need be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096, VOCABULARY = 20000, WORDS = 1500000 };

struct entry {
	struct entry *next;
	unsigned count;
	char word[12];
};

static struct entry *table[BUCKETS];

static void out_of_memory(void)
{
	fprintf(stderr, "words: no memory\n");
	exit(1);
}

/* Which bucket of the table a word belongs to. */
static unsigned hash(const char *word)
{
	unsigned h = 0;

	while (*word)
		h = h + (unsigned char)*word++;
	return h % BUCKETS;
}

static int same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static struct entry *find(const char *word)
{
	struct entry *e = table[hash(word)];

	while (e && !same(e->word, word))
		e = e->next;
	return e;
}

static struct entry *add(const char *word)
{
	struct entry **bucket = &table[hash(word)];
	struct entry *e = calloc(1, sizeof(*e));

	if (!e)
		out_of_memory();
	strcpy(e->word, word);
	e->next = *bucket;
	*bucket = e;
	return e;
}

static void count(const char *word)
{
	struct entry *e = find(word);

	if (!e)
		e = add(word);
	e->count++;
}

/* The n-th word that there is: four to eight letters. */
static void spell(unsigned n, char *word)
{
	unsigned x = n * 2654435761u;

	for (unsigned left = 4 + n % 5; left > 0; left--) {
		*word++ = (char)('a' + (x >> 24) % 26);
		x = x * 1664525u + 1013904223u;
	}
	*word = '\0';
}

static void read_text(void)
{
	unsigned x = 1;
	char word[12];

	for (int i = 0; i < WORDS; i++) {
		x = x * 1664525u + 1013904223u;
		spell((x >> 8) % VOCABULARY, word);
		count(word);
	}
}

static void print_best(void)
{
	struct entry *best = NULL;
	char word[12];

	for (unsigned n = 0; n < VOCABULARY; n++) {
		spell(n, word);
		struct entry *e = find(word);
		if (e && (!best || e->count > best->count))
			best = e;
	}
	if (best)
		printf("%s: %u times\n", best->word, best->count);
}

int main(void)
{
	read_text();
	print_best();
	return 0;
}
