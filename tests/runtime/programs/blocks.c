/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints how often the lines were executed that say so: "LINE COUNT" each. All begin a basic block,
 * and hold no other. Any argument makes it kill itself at the end.
 */
#include <signal.h>
#include <stdio.h>

static long executed[200];

#define HERE executed[__LINE__]++

static int collatz(int n)
{
	int steps = 0;

	while (n != 1) {
		if (n % 2) {
			HERE;
			n = 3 * n + 1;
		} else {
			HERE;
			n /= 2;
		}
		HERE;
		steps++;
	}
	HERE;
	return steps;
}

static int choose(int n)
{
	int sum = 0;

	switch (n % 5) {
	case 0:
		HERE;
		sum += 1;
		break;
	case 1:
		HERE;
		sum += 2;
		/* fall through */
	case 2:
		HERE;
		sum += 3;
		break;
	default:
		HERE;
		sum += 4;
	}
	for (int i = 0; i < n; i++) {
		for (int k = i; k < n; k += 7) {
			HERE;
			if (k == 3)
				continue;
			HERE;
			sum++;
		}
		if (i > 50) {
			HERE;
			goto out;
		}
		HERE;
		sum += i;
	}
	sum++; /* clang 19 has a block for the loop's end, which is not to be on the next line */
out:
	HERE;
	return sum;
}

static int recurse(int n)
{
	if (n < 2) {
		HERE;
		return n;
	}
	HERE;
	return recurse(n - 1) + recurse(n - 2);
}

int main(int argc, char **argv)
{
	long sum = 0;

	for (int i = 1; i <= 300; i++) {
		HERE;
		sum += collatz(i) + choose(i);
	}
	HERE;
	sum += recurse(18);
	for (unsigned i = 0; i < sizeof(executed) / sizeof(executed[0]); i++)
		if (executed[i])
			printf("%u %ld\n", i, executed[i]);
	if (argc > 1)
		raise(SIGKILL);
	return sum < 0 || !argv[0];
}
