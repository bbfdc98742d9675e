/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four threads that sort: calls that come from the C library, in parallel. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int wanted(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
int next(int x)
{
	return (int)((x * 1103515245u + 12345u) >> 1);
}
void *work(void *arg)
{
	static _Thread_local int table[1000];
	for (int round = 0; round < 500; round++) {
		table[0] = round;
		for (int i = 1; i < 1000; i++)
			table[i] = next(table[i - 1]);
		qsort(table, 1000, sizeof(int), wanted);
	}
	return arg;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
