/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits in two functions by turns of random length, and says how long it waited in each by the
 * clock, without the time in which it was ready to run but others ran: "wait_a US" and "wait_b US".
 * The first gets a third of the turns. Usage: wait-shares MS MOST_US SEED: how long in all, the
 * longest turn
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { US = 1000, MS_IN_US = 1000, S_IN_US = 1000000 };

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * S_IN_US + (uint64_t)time.tv_nsec / US;
}

/* How long the thread was in the queue of those that are ready to run, in microseconds. */
static uint64_t queued(void)
{
	static int fd = -1;
	char line[64] = "";
	unsigned long long run, waited = 0;

	if (fd < 0)
		fd = open("/proc/thread-self/schedstat", O_RDONLY);
	if (pread(fd, line, sizeof(line) - 1, 0) < 0 ||
	    sscanf(line, "%llu %llu", &run, &waited) != 2)
		return 0;
	return waited / US;
}

static uint64_t sleep_for(uint64_t us)
{
	struct timespec time = { 0, (long)us * US };
	uint64_t since = now() - queued(), took;

	nanosleep(&time, NULL);
	took = now() - queued() - since;
	return took;
}

/* Not tail calls: the functions stay on the stack. */
__attribute__((noinline)) static uint64_t wait_a(uint64_t us)
{
	uint64_t took = sleep_for(us);

	__asm__ volatile("" : "+r"(took));
	return took;
}

__attribute__((noinline)) static uint64_t wait_b(uint64_t us)
{
	uint64_t took = sleep_for(us);

	__asm__ volatile("");
	return took;
}

int main(int argc, char **argv)
{
	uint64_t a = 0, b = 0, all = argc > 1 ? strtoull(argv[1], NULL, 10) * MS_IN_US : 0;
	unsigned most = argc > 2 ? (unsigned)atoi(argv[2]) : 1;

	srandom(argc > 3 ? (unsigned)atoi(argv[3]) : 1);
	while (a + b < all) {
		uint64_t us = 1 + (uint64_t)random() % most;

		if (random() % 3 == 0)
			a += wait_a(us);
		else
			b += wait_b(us);
	}
	printf("wait_a %llu\nwait_b %llu\n", (unsigned long long)a, (unsigned long long)b);
	return 0;
}
