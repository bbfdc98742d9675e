/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checksums by routines of assembly_x86_64.S, whose labels have no type; one of them calls back.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

unsigned long asm_sum(const unsigned char *data, size_t n);
unsigned long asm_mix(const unsigned char *data, size_t n);
void asm_for_each(size_t n, void (*visit)(size_t i));

static unsigned char block[4096];
static unsigned long total;

static unsigned long c_mix(const unsigned char *data, size_t n)
{
	unsigned long h = 5381;

	for (size_t i = 0; i < n; i++)
		h = h * 33 + data[i];
	return h;
}

static void visit(size_t i)
{
	block[i % sizeof(block)] = (unsigned char)(i * 7);
	total += i & 3;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < 2000 * rounds; i++) {
		asm_for_each(sizeof(block), visit);
		total += asm_sum(block, sizeof(block));
		if (asm_mix(block, sizeof(block)) != c_mix(block, sizeof(block)))
			abort();
	}
	printf("%lu\n", total);
	return 0;
}
