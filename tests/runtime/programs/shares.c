/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shares few|many ROUNDS [PERCENT]: functions whose times are in fixed proportions, each called
 * many times: 20, as 1 to 20, or 5, as 1, 2, 3, 4 and 15. The last one takes so many percent more.
 */
#include <stdlib.h>
#include <string.h>

static volatile unsigned long sink;

static inline __attribute__((always_inline)) void spin(unsigned long n)
{
	while (n-- > 0)
		sink = sink * 31 + n;
}

#define WORK(name)                                                  \
	__attribute__((noinline)) static void name(unsigned long n) \
	{                                                           \
		spin(n);                                            \
	}
#define FIVE(name) WORK(name##1) WORK(name##2) WORK(name##3) WORK(name##4) WORK(name##5)
FIVE(a)
FIVE(b)
FIVE(c)
FIVE(d)

#define NAMES(name) name##1, name##2, name##3, name##4, name##5

int main(int argc, char **argv)
{
	static void (*const work[])(unsigned long) = { NAMES(a), NAMES(b), NAMES(c), NAMES(d) };
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	unsigned long more = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	unsigned long few = argc > 1 && strcmp(argv[1], "few") == 0, n = few ? 5 : 20;

	while (rounds-- > 0) {
		for (unsigned long i = 0; i < n; i++) {
			unsigned long share = few && i + 1 == n ? 15 : i + 1;

			work[i](share * (few ? 200 : 40) * (i + 1 == n ? 100 + more : 100) / 100);
		}
	}
	return 0;
}
