/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: the text files. Input: a byte, 'S' for a list of symbols, 'R' for a map of
 * functions to objects or 'B' for a bb.out, and the file, which gprof reads as standard input.
 */
#include "fuzz.h"

#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const lists[] = { "gprof", "-b", "-pqC", "-S-", NULL };
	static const char *const maps[] = { "gprof", "-b", "-R-", NULL };
	static const char *const blocks[] = { "gprof", "--bb-convert", NULL };
	int fd;

	if (size < 1)
		return 0;
	fd = memory_file(data + 1, size - 1);
	dup2(fd, STDIN_FILENO);
	close(fd);
	whole((char **)(data[0] == 'S' ? lists : data[0] == 'R' ? maps : blocks));
	return 0;
}
