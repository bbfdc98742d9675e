/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what it calls, as arcs.c does, and is killed before it could write a profile. */
#include <signal.h>
#include <stdio.h>

static __attribute__((noipa)) int leaf(int n)
{
	return n + 1;
}

int main(void)
{
	int n = 0;

	while (n < 1000)
		n = leaf(n);
	printf("arc - main 1\narc main leaf %d\n", n);
	fflush(stdout);
	return raise(SIGKILL);
}
