/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lengths: reads what `objdump -d -w` writes of an x86-64 program, and decodes each instruction
 * with the runtime's own decoder. Prints how many instructions there are, of how many the length
 * differs, and how many are unknown; what objdump calls (bad), or a prefix alone, is data and is
 * left out. Exit status 1 if any length differs.
 */
#include "calls/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, MOST = 32 };

/* Reads the bytes of a line "ADDR:\tBYTES\tTEXT"; 0: it is none of these, or it is data. */
static size_t read_line(char *line, uint8_t code[MOST], uintptr_t *address)
{
	char *bytes = strchr(line, '\t'), *text = bytes ? strchr(bytes + 1, '\t') : NULL;
	size_t n = 0;

	if (!text || bytes[-1] != ':' || strstr(text, "(bad)") || strstr(text, "\trex"))
		return 0;
	*text = '\0';
	*address = strtoull(line, NULL, 16);
	for (char *p = bytes + 1; n < MOST && *(p += strspn(p, " "));)
		code[n++] = (uint8_t)strtoul(p, &p, 16);
	return n;
}

int main(void)
{
	static char line[LINE];
	unsigned long all = 0, differ = 0, unknown = 0;

	while (fgets(line, sizeof(line), stdin)) {
		uint8_t code[2 * MOST] = { 0 };
		struct decoded d;
		uintptr_t address = 0;
		size_t n = read_line(line, code, &address);

		if (n == 0)
			continue;
		all++;
		if (!decode(&d, code, sizeof(code), address))
			unknown++;
		else if (d.length != n)
			differ++;
	}
	printf("%lu instructions, %lu lengths differ, %lu unknown\n", all, differ, unknown);
	return all == 0 || differ > 0;
}
