/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * control WHAT: starts, pauses and ends the recording itself.
 */
#include <gmon.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

/* In kB, of /proc/self/status. */
UNCOUNTED static long memory_kb(const char *field)
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

extern char __executable_start, etext;

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void work(int n)
{
	for (int i = 0; i < n; i++)
		leaf();
	NO_TAIL_CALL;
}

UNCOUNTED static void start(void)
{
	monstartup((unsigned long)&__executable_start, (unsigned long)&etext);
}

UNCOUNTED static void start_part(unsigned long bytes)
{
	unsigned long low = (unsigned long)&leaf & ~7ul;

	monstartup(low, low + bytes);
}

/* Whether the memory stays as it is. */
UNCOUNTED static int cycles(void)
{
	long before = 0;

	for (int i = 0; i < 300; i++) {
		_mcleanup();
		start();
		work(1);
		if (i == 2)
			before = memory_kb("VmSize:");
	}
	return memory_kb("VmSize:") - before > 64;
}

UNCOUNTED static void tell(int calls, int leaves)
{
	arc("main", "work", (uint64_t)calls);
	arc("work", "leaf", (uint64_t)leaves);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	work(100);
	if (!strcmp(what, "pause")) {
		moncontrol(0);
		work(50);
		moncontrol(1);
		work(7);
		tell(2, 107);
	} else if (!strcmp(what, "resume")) { /* GMON=off */
		moncontrol(1);
		work(7);
		tell(1, 7);
	} else if (!strcmp(what, "start-twice")) {
		start();
		work(7);
		start();
		tell(2, 107);
	} else if (!strcmp(what, "end-twice")) {
		tell(1, 100);
		_mcleanup();
		work(7);
		_mcleanup();
	} else if (!strcmp(what, "again")) {
		_mcleanup();
		if (rename("gmon.out", "gmon.first"))
			return 1;
		work(50);
		start();
		work(7);
		tell(1, 7);
	} else if (!strcmp(what, "cycles")) {
		tell(1, 1);
		return cycles();
	} else if (!strcmp(what, "range")) {
		_mcleanup();
		start_part(64);
		_mcleanup();
		start_part(128);
	} else if (!strcmp(what, "reset")) {
		gmon_reset();
		work(7);
		tell(1, 7);
	} else if (!strcmp(what, "dump")) {
		tell(1, 100);
		if (gmon_dump() || rename("gmon.out", "gmon.first"))
			return 1;
		work(7);
	}
	return 0;
}
