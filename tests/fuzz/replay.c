/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * replay-TARGET FILE...: runs a fuzz target on files, in place of libFuzzer.
 *
 * Each file is named on stderr before it is run, if FUZZ_VERBOSE is in the environment, and the
 * last one if a signal ends the process. Status 0, or 2 for a file that cannot be read.
 */
#include "../tools/bytes.h"
#include "fuzz.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *volatile current;

static void name_and_die(int sig)
{
	static const char words[] = "replay: ended by this file: ";

	if (write(STDERR_FILENO, words, sizeof(words) - 1) < 0 ||
	    write(STDERR_FILENO, current, strlen(current)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
		_exit(2);
	raise(sig);
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
	(void)data;
	return size < max ? size : max;
}

int main(int argc, char **argv)
{
	static const int ends[] = { SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaction(ends[i],
			  &(struct sigaction){ .sa_handler = name_and_die,
					       .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) },
			  NULL);
	LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		struct bytes input = { 0 };

		current = argv[i];
		if (getenv("FUZZ_VERBOSE"))
			fprintf(stderr, "replay: %s\n", current);
		bytes_load(&input, "/", current);
		alarm(60);
		LLVMFuzzerTestOneInput(input.data, input.n);
		bytes_free(&input);
	}
	return 0;
}
