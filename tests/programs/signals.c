/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A timer's handler, called by no function of the program, and jumps out of nested calls.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile sig_atomic_t alarms;
static jmp_buf found;

static void count_alarm(void)
{
	alarms++;
}

static void handle_alarm(int number)
{
	if (number == SIGALRM)
		count_alarm();
}

static void start_timer(void)
{
	struct itimerval every = { .it_interval = { .tv_usec = 2000 },
				   .it_value = { .tv_usec = 2000 } };
	struct sigaction action = { .sa_handler = handle_alarm, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

static int attacks(const int *column, int row)
{
	for (int i = 0; i < row; i++)
		if (column[i] == column[row] || abs(column[i] - column[row]) == row - i)
			return 1;
	return 0;
}

static void place_queens(int *column, int row, int n, int *left)
{
	if (row == n) {
		if (--*left == 0)
			longjmp(found, 1);
		return;
	}
	for (column[row] = 0; column[row] < n; column[row]++)
		if (!attacks(column, row))
			place_queens(column, row + 1, n, left);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	volatile unsigned long sum = 0;
	int column[16] = { 0 }, left;

	start_timer();
	for (volatile int i = 0; i < 300 * rounds; i++) {
		left = 60;
		if (setjmp(found) == 0)
			place_queens(column, 0, 10, &left);
		sum += (unsigned long)column[4];
	}
	printf("%lu\n", sum + (alarms < 0));
	return 0;
}
