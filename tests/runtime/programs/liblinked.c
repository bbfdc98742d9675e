/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library of libraries.c. */
typedef int callback(int);

int linked_leaf(int i)
{
	return i + 1;
}

int linked_twice(int i)
{
	return linked_leaf(linked_leaf(i));
}

int linked_calls_back(callback *back, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += back(i);
	return sum;
}

/* Burns processor time. */
unsigned long linked_work(unsigned long n)
{
	unsigned long x = 1;

	for (unsigned long i = 0; i < n; i++)
		x = x * 6364136223846793005UL + i;
	return x;
}
