/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/heaviest.h"

#include <string.h>
#include <unistd.h>

void heaviest_add(struct heaviest *h, const char *program, uint64_t ticks)
{
	for (size_t i = 0; i < h->sums.n; i++) {
		if (strcmp(h->sums.at[i].program, program) == 0) {
			h->sums.at[i].ticks += ticks;
			return;
		}
	}
	array_push(h->mem, &h->sums) =
		(struct heaviest_sum){ arena_strndup(h->mem, program, strlen(program)), ticks };
}

const char *heaviest_of(const struct heaviest *h)
{
	const struct heaviest_sum *most = NULL;

	for (size_t i = 0; i < h->sums.n; i++) {
		if (h->sums.at[i].ticks > (most ? most->ticks : 0))
			most = &h->sums.at[i];
	}
	return most && access(most->program, R_OK) == 0 ? most->program : NULL;
}
