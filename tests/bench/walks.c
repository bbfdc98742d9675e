/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sample costs in the handler, without and with its call stack, at some depths: medians, in
 * microseconds; and a walk by itself, as it is later and as a thread's first.
 * Built with -pg and the objects of libgmon, run with GMON=stacks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#include "record/stacks.h"
#include "sample/bins.h"
#include "state.h"
#include "unwind/unwind.h"

#define NOINLINE __attribute__((noinline, no_instrument_function))

enum { TIMES = 1001 };

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static struct unwinder *unwinder, *fresh;
static struct unwound stack;

static void add_bin(const ucontext_t *context)
{
	bins_add(gmon.bins, arch_pc(context), 1);
}

static void walk(const ucontext_t *context)
{
	stack = unwind(unwinder, context);
}

static void walk_first(const ucontext_t *context)
{
	stack = unwind(fresh, context);
}

static void add_stack(const ucontext_t *context)
{
	add_bin(context);
	stacks_add(context, KINDS_CPU, 1);
}

static double median(void work(const ucontext_t *), const ucontext_t *context, int times)
{
	static double took[TIMES];

	for (int i = 0; i < times; i++) {
		double begin;

		if (work == walk_first)
			fresh = unwind_new(1024, false);
		begin = now();
		work(context);
		took[i] = now() - begin;
	}
	qsort(took, (size_t)times, sizeof(*took), compare);
	return took[times / 2];
}

static NOINLINE long measure(void)
{
	ucontext_t context;

	getcontext(&context);
	walk(&context);
	printf("%6u %10.3f %10.3f %10.3f %14.3f\n", stack.n, median(add_bin, &context, TIMES),
	       median(add_stack, &context, TIMES), median(walk, &context, TIMES),
	       median(walk_first, &context, 101));
	return (long)stack.n;
}

static NOINLINE long second(int n);

/* Frames of two sizes. */
static NOINLINE long first(int n)
{
	volatile long here = n;

	return n ? second(n - 1) + here : measure();
}

static NOINLINE long second(int n)
{
	volatile long here[9] = { n };

	return n ? first(n - 1) * here[0] : measure() + here[0];
}

int main(void)
{
	static const int depth[] = { 4, 39, 194 };

	if (!gmon.stacks.on)
		return 1;
	unwind_prepare();
	unwinder = unwind_new(1024, false);
	printf("us a sample    without       with    a walk   a first walk\n depth\n");
	for (size_t i = 0; i < sizeof(depth) / sizeof(*depth); i++)
		first(depth[i]);
	return 0;
}
