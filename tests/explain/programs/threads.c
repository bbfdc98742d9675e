/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Four threads that call the same small function all the time.
 */
#include <pthread.h>
#include <stdlib.h>

#include "work.h"

enum { THREADS = 4 };

APART double step(double x)
{
	for (int i = 0; i < 20; i++)
		x = x * 0.999 + 1;
	return x;
}

APART void *work(void *rounds)
{
	double x = 0;

	for (int i = 0; i < 1000000 * *(int *)rounds; i++)
		x = step(x);
	return x < 0 ? rounds : NULL;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, &rounds) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
