/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An interpreter whose collector runs from many places, in more than twenty functions: operations
 * allocate, whoever allocates may have to collect, and how much there is to mark and to sweep
 * depends on who did. Operations call functions of the interpreted program, and marking follows
 * references: both recurse. All work is the same chain of multiplications, so that shares of
 * instructions are shares of time; a round does what every other does.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEP = 4 };

static uint64_t sink = 1;

/* In the function that it stands in. */
#define WORK(units)                                                \
	do {                                                       \
		uint64_t chain = sink;                             \
		for (unsigned left = 100 * (units); left; left--)  \
			chain = chain * 6364136223846793005u + 11; \
		sink = chain;                                      \
	} while (0)

void execute(unsigned depth);

void mark_string(void)
{
	WORK(8);
}

void mark(unsigned references);

void mark_table(unsigned references)
{
	WORK(15);
	mark(references);
	mark_string();
}

void mark_closure(unsigned references)
{
	WORK(5);
	mark(references);
}

void mark(unsigned references)
{
	WORK(12);
	if (references % 2)
		mark_table(references / 2);
	else if (references)
		mark_closure(references - 1);
}

void mark_roots(unsigned references)
{
	WORK(6);
	mark(references);
}

void release(unsigned units)
{
	WORK(units);
}

void sweep(unsigned garbage)
{
	WORK(20);
	for (unsigned i = 0; i < garbage; i++)
		release(14);
}

void finalize(void)
{
	WORK(25);
}

void collect(unsigned references, unsigned garbage)
{
	WORK(3);
	mark_roots(references);
	sweep(garbage);
	if (garbage > 10)
		finalize();
}

void *allocate(unsigned references, unsigned garbage)
{
	WORK(2);
	collect(references, garbage);
	return &sink;
}

void hash(unsigned length)
{
	WORK(length);
}

void intern(unsigned length)
{
	hash(length);
	WORK(9);
	allocate(0, 0);
}

void copy_string(unsigned length)
{
	WORK(length);
}

void op_concatenate(void)
{
	WORK(10);
	copy_string(60);
	allocate(13, 30);
	intern(40);
}

void rehash(void)
{
	WORK(70);
	allocate(3, 2);
}

void op_table(void)
{
	WORK(14);
	rehash();
	allocate(54, 4);
}

void op_index(void)
{
	hash(12);
	WORK(30);
}

void op_add(void)
{
	WORK(45);
}

void op_compare(void)
{
	WORK(35);
}

void op_closure(void)
{
	WORK(6);
	allocate(1, 1);
}

void op_call(unsigned depth)
{
	WORK(22);
	execute(depth - 1);
}

void execute(unsigned depth)
{
	WORK(18);
	op_add();
	op_index();
	op_compare();
	if (depth == 0)
		op_concatenate();
	op_closure();
	if (depth % 3 == 0)
		op_table();
	if (depth > 0)
		op_call(depth);
}

/* Many collections, with next to nothing to do. */
void close_state(void)
{
	WORK(10);
	for (unsigned i = 0; i < 20; i++)
		collect(0, 0);
}

void compile(void)
{
	WORK(80);
	intern(20);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;

	for (unsigned i = 0; i < rounds; i++) {
		compile();
		execute(DEEP);
		close_state();
	}
	printf("%llu\n", (unsigned long long)sink);
	return EXIT_SUCCESS;
}
