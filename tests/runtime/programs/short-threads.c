/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * short-threads N: N threads, four at a time, that make a few calls each. Ends with status 1 if
 * memory has grown by much after the first of them.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

enum { AT_ONCE = 4, FIRST = 2000, MOST_KB = 1024 };

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void *brief(void *argument)
{
	for (int i = 0; i < 10; i++)
		leaf();
	return argument;
}

/* In kB, of /proc/self/status. */
UNCOUNTED static long status(const char *field)
{
	char line[256];
	long n = -1;
	FILE *file = fopen("/proc/self/status", "r");

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, field, strlen(field)))
			n = atol(line + strlen(field));
	fclose(file);
	return n;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 10000;
	long size = 0, resident = 0;

	for (long i = 0; i < n; i += AT_ONCE) {
		pthread_t thread[AT_ONCE];

		for (int k = 0; k < AT_ONCE; k++)
			if (pthread_create(&thread[k], NULL, brief, NULL))
				return 2;
		for (int k = 0; k < AT_ONCE; k++)
			pthread_join(thread[k], NULL);
		if (i == FIRST) {
			size = status("VmSize:");
			resident = status("VmHWM:");
		}
	}
	arc(OUTSIDE, "brief", (uint64_t)n);
	arc("brief", "leaf", 10 * (uint64_t)n);
	size = status("VmSize:") - size;
	resident = status("VmHWM:") - resident;
	printf("grown by %ld kB, resident %ld kB\n", size, resident);
	return size < 0 || size > MOST_KB || resident > MOST_KB;
}
