/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD = 8, TOLD_BYTES = 64 };

static bool threads_is_number(const char *word, unsigned long *tid)
{
	char *end;

	*tid = strtoul(word, &end, 10);
	return end > word && *end == '\0';
}

/* Returns the first few threads, "main (4711), ...", in mem. */
static const char *threads_list(const struct recorded *recorded, struct arena *mem)
{
	char *text = arena_array(mem, char, (TOLD + 1) * TOLD_BYTES), *at = text;

	for (size_t i = 0; i < recorded->threads.n && i <= TOLD; i++) {
		const struct recorded_thread *thread = &recorded->threads.at[i];

		if (i == TOLD)
			snprintf(at, TOLD_BYTES, ", ...");
		else
			snprintf(at, TOLD_BYTES, "%s%.32s (%" PRIu32 ")", i > 0 ? ", " : "",
				 thread->name, thread->tid);
		at += strlen(at);
	}
	return text;
}

int threads_find(struct bitset *threads, const struct recorded *recorded, const char *word,
		 const char *profile, struct arena *mem, struct diag *diag)
{
	unsigned long tid;
	bool by_number = threads_is_number(word, &tid), found = false;

	*threads = bitset_empty(mem, recorded->threads.n);
	for (int numbers = 0; numbers <= by_number && !found; numbers++) {
		for (size_t i = 0; i < recorded->threads.n; i++) {
			const struct recorded_thread *thread = &recorded->threads.at[i];

			if (numbers ? thread->tid == tid : strcmp(thread->name, word) == 0) {
				bitset_add(*threads, i);
				found = true;
			}
		}
	}
	if (!found)
		diag_error(diag, "%s: no thread '%s': there is %s", profile, word,
			   threads_list(recorded, mem));
	return found ? 0 : -1;
}
