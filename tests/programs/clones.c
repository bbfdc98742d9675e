/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics of a text. With optimization the compiler cuts the unlikely parts off its functions
 * (.cold, .part) and makes copies of them for known arguments (.constprop, .isra).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 16, LETTERS = 26 };

struct counts {
	unsigned long letter[LETTERS];
	unsigned long words, longest;
};

static char text[SIZE + 1];
static unsigned long checks;

__attribute__((cold, noinline)) static void complain(const char *what, unsigned long value)
{
	fprintf(stderr, "%s: %lu\n", what, value);
	exit(1);
}

__attribute__((noinline)) static unsigned random_below(unsigned *state, unsigned limit, int warm_up)
{
	for (int i = 0; i < warm_up; i++)
		*state = *state * 69069u + 1;
	return (*state >> 10) % limit;
}

static void make_text(unsigned state)
{
	for (size_t i = 0; i < SIZE; i++)
		text[i] = random_below(&state, 6, 3) == 0
				  ? ' '
				  : (char)('a' + random_below(&state, LETTERS, 3));
}

__attribute__((noinline)) static void count_word(struct counts *c, const char *word, size_t n,
						 size_t limit)
{
	if (n > limit)
		complain("a word is too long", n);
	for (size_t i = 0; i < n; i++) {
		if (word[i] < 'a' || word[i] > 'z')
			complain("not a letter", (unsigned char)word[i]);
		c->letter[word[i] - 'a']++;
	}
	c->words++;
	if (n > c->longest)
		c->longest = n;
}

static void check(const struct counts *c, unsigned long level)
{
	if (__builtin_expect(c == NULL, 0))
		return;
	checks++;
	if (__builtin_expect(level == 0, 0)) {
		unsigned long sum = 0;

		for (int i = 0; i < LETTERS; i++)
			sum += c->letter[i];
		if (sum > SIZE)
			complain("too many letters", sum);
		return;
	}
	check(c, level - 1);
	if (c->longest > SIZE)
		complain("the longest word is too long", c->longest);
}

__attribute__((noinline)) static void count_text(struct counts *c)
{
	const char *p = text;

	while (*p) {
		size_t n = strcspn(p, " ");

		if (n > 0)
			count_word(c, p, n, 1000);
		p += n + (p[n] == ' ');
	}
	check(c, 12);
}

__attribute__((noinline)) static unsigned long score(const struct counts *c, const unsigned *weight,
						     int step)
{
	unsigned long sum = 0;

	for (int i = 0; i < LETTERS; i += step)
		sum += c->letter[i] * weight[i % 4];
	return sum;
}

int main(int argc, char **argv)
{
	static const unsigned weight[4] = { 1, 3, 2, 5 };
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	struct counts c = { { 0 }, 0, 0 };
	unsigned long total = 0;

	for (int i = 0; i < 40 * rounds; i++) {
		make_text((unsigned)i + 1);
		memset(&c, 0, sizeof(c));
		count_text(&c);
		total += score(&c, weight, 1) + score(&c, weight, 2);
	}
	printf("%lu %lu %lu\n", total, c.words, checks);
	return 0;
}
