/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library for turns.c: LOOPS of work(), which is in front of much code that never runs, or, with
 * -DSECOND, behind it. So no address is one of work() in both.
 */
extern int work(void);

#ifndef SECOND
int work(void)
{
	volatile int sum = 0;

	for (int i = 0; i < LOOPS; i++)
		sum += i;
	return sum != 0;
}
#endif

__attribute__((used, no_instrument_function)) static void filler(void)
{
	__asm__ volatile(".zero 8192");
}

#ifdef SECOND
int work(void)
{
	volatile int sum = 0;

	for (int i = 0; i < LOOPS; i++)
		sum += i;
	return sum != 0;
}
#endif
