/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A machine of 1331 tiny states, each a function that calls up to three others: long lists of
 * children, many equal counts, large cycles, and an index of many rows.
 */
#include <stdio.h>
#include <stdlib.h>

/* clang-format off */
#define EACH(M, p) \
	M(p##0) M(p##1) M(p##2) M(p##3) M(p##4) M(p##5) M(p##6) M(p##7) M(p##8) M(p##9) M(p##a)
#define ROW(M, p) \
	EACH(M, p##0) EACH(M, p##1) EACH(M, p##2) EACH(M, p##3) EACH(M, p##4) EACH(M, p##5) \
	EACH(M, p##6) EACH(M, p##7) EACH(M, p##8) EACH(M, p##9) EACH(M, p##a)
#define ALL(M) \
	ROW(M, s0) ROW(M, s1) ROW(M, s2) ROW(M, s3) ROW(M, s4) ROW(M, s5) \
	ROW(M, s6) ROW(M, s7) ROW(M, s8) ROW(M, s9) ROW(M, sa)
/* clang-format on */

/* A state's number is its position in ALL. */
#define NUMBER(name)      name##_number,
#define ENTRY(name)       name,
#define GOTO(state, tape) states[(state) % STATES]((tape), depth - 1)
#define DEFINE(name)                                                  \
	static unsigned name(unsigned tape, unsigned depth)           \
	{                                                             \
		unsigned sum = tape * 2654435761u >> 20;              \
                                                                      \
		if (depth == 0)                                       \
			return sum;                                   \
		if (tape & 1)                                         \
			sum += GOTO(name##_number * 5 + 2, tape / 2); \
		if ((tape & 6) == 6)                                  \
			sum ^= GOTO(name##_number, tape / 8);         \
		return sum + GOTO(name##_number * 3 + 1, tape + sum); \
	}

typedef unsigned state_function(unsigned tape, unsigned depth);

enum { ALL(NUMBER) STATES };

static state_function *const states[STATES];

ALL(DEFINE)

static state_function *const states[STATES] = { ALL(ENTRY) };

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	unsigned sum = 0;

	for (int round = 0; round < 20 * rounds; round++)
		for (unsigned i = 0; i < STATES; i += 2)
			sum += states[i](i + (unsigned)round, 8);
	printf("%u\n", sum);
	return 0;
}
