/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks SIGPROF after 0.03 s of CPU time, and goes on for 0.6 s.
 */
#include <signal.h>
#include <time.h>

static void until(double seconds)
{
	while (clock() < (clock_t)(seconds * CLOCKS_PER_SEC))
		for (volatile int i = 0; i < 20000; i++)
			;
}

__attribute__((noinline)) void sampled(void)
{
	until(0.03);
}

__attribute__((noinline)) void missed(void)
{
	until(0.63);
}

int main(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	sampled();
	sigprocmask(SIG_BLOCK, &set, NULL);
	missed();
	return 0;
}
