/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An interpreter's shape: operations that allocate, and a collector that any of them may call, with
 * very different work to do; it marks recursively. All work is done in one function, and in the
 * library of mathematics. How much varies from round to round, so that none is as long as a tick of
 * the kernel, or a half of it, again and again: samples would then always hit the same. Prints, for
 * each function, the CPU time of this thread from its entry to its exit, as "inclusive NAME
 * NANOSECONDS", and of all as "total"; recursion counts once.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum function { SPIN, MARK, SWEEP, COLLECT, ADD, CONCATENATE, MATHS, CLOSE, NFUNCTIONS };

static const char *const names[NFUNCTIONS] = {
	"spin", "mark", "sweep", "collect", "op_add", "op_concatenate", "op_maths", "close_state"
};

struct offcpu {
	uint64_t since, total;
	unsigned depth;
};

static struct offcpu watches[NFUNCTIONS];
static unsigned garbage; /* of the next round: from 8 to 71 units */
volatile double sink;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void enter(enum function f)
{
	if (watches[f].depth++ == 0)
		watches[f].since = now();
}

static void leave(enum function f)
{
	if (--watches[f].depth == 0)
		watches[f].total += now() - watches[f].since;
}

/* Units of about 10 microseconds. */
void spin(unsigned units)
{
	enter(SPIN);
	for (unsigned i = 0; i < 8000 * units; i++)
		sink = sink * 0.5 + i;
	leave(SPIN);
}

static void vary(void)
{
	static uint32_t random = 1;

	random = random * 1664525 + 1013904223;
	garbage = 8 + (random >> 26);
}

void mark(unsigned depth)
{
	enter(MARK);
	spin(2);
	if (depth > 0)
		mark(depth - 1);
	leave(MARK);
}

void sweep(unsigned units)
{
	enter(SWEEP);
	spin(units);
	leave(SWEEP);
}

void collect(unsigned units)
{
	enter(COLLECT);
	mark(units / 4);
	sweep(units);
	leave(COLLECT);
}

void op_add(void)
{
	enter(ADD);
	spin(1);
	collect(1);
	leave(ADD);
}

void op_concatenate(void)
{
	enter(CONCATENATE);
	spin(3);
	collect(garbage);
	leave(CONCATENATE);
}

void op_maths(void)
{
	enter(MATHS);
	for (int i = 0; i < 40000; i++)
		sink = pow(1.0 + 1e-9 * i, 1e-3 * i);
	leave(MATHS);
}

void close_state(void)
{
	enter(CLOSE);
	for (int i = 0; i < 400; i++)
		collect(0);
	leave(CLOSE);
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 400;
	uint64_t start = now();

	for (unsigned i = 0; i < n; i++) {
		vary();
		op_add();
		op_concatenate();
		op_maths();
	}
	close_state();
	printf("total %llu\n", (unsigned long long)(now() - start));
	for (int f = 0; f < NFUNCTIONS; f++)
		printf("inclusive %s %llu\n", names[f], (unsigned long long)watches[f].total);
	return EXIT_SUCCESS;
}
