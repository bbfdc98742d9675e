/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the length of the kernel's tick in seconds, by the clock that advances with it. */
#include <stdio.h>
#include <time.h>

int main(void)
{
	struct timespec step;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &step) || step.tv_sec || !step.tv_nsec)
		return 1;
	return printf("%.9f\n", (double)step.tv_nsec / 1e9) < 0;
}
