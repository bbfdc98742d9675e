/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For programs that measure how long their threads wait. */
#ifndef RUNNABLE_H
#define RUNNABLE_H

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* How long the calling thread was ready to run, but had no processor, in seconds as the kernel
 * counts them; that is no waiting. 0 where the kernel does not tell. */
__attribute__((no_instrument_function)) static inline double runnable_seconds(void)
{
	int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	char line[128];
	ssize_t n = read(file, line, sizeof(line) - 1);
	unsigned long long ns = 0;

	close(file);
	line[n > 0 ? n : 0] = '\0';
	return sscanf(line, "%*s %llu", &ns) == 1 ? (double)ns / 1e9 : 0;
}

/* The time by CLOCK_MONOTONIC without that, in seconds: it stands while the calling thread only
 * lacks a processor. */
__attribute__((no_instrument_function)) static inline double seconds_but_runnable(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9 - runnable_seconds();
}

#endif
