/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stranger's program: square is called 1000000 times from each of two threads, at the same time.
 */
#include <gmon.h>
#include <pthread.h>

static volatile long total;

__attribute__((noinline)) static long square(long x)
{
	return x * x;
}

static void *work(void *arg)
{
	for (long i = 0; i < 1000000; i++)
		total = square(i);
	return arg;
}

int main(void)
{
	pthread_t other;

	moncontrol(1);
	if (pthread_create(&other, NULL, work, NULL) != 0)
		return 1;
	work(NULL);
	return pthread_join(other, NULL);
}
