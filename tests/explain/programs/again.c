/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A function without loops makes one of its calls several times each time it is called: setjmp()
 * returns again.
 */
#include <setjmp.h>

#include "work.h"

static jmp_buf start;
static volatile int n;
static volatile double x;

APART void step(void)
{
	for (int i = 0; i < 2000; i++)
		x = x * 0.999 + 1;
}

APART void retry(void)
{
	setjmp(start);
	step();
	if (++n % 100)
		longjmp(start, 1);
}

int main(void)
{
	for (int i = 0; i < 1000; i++)
		retry();
	return x < 0;
}
