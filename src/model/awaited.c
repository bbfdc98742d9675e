/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "model/awaited.h"

const struct awaited awaited_sorts[AWAITED_SORTS] = {
	{ "", NULL, NULL },
	{ "file", "disk", "disk" },
	/* A reader waits for what another one has not yet written; a writer for one to read. */
	{ "pipe", "pipe data", "pipe room" },
	{ "socket", "socket", "socket" },
	{ "network", "network", "network" },
	{ "terminal", "terminal", "terminal" },
	{ "event", "events", "events" },
	{ "device", "device", "device" },
};

const char *awaited_kind(const char *call)
{
	for (unsigned i = 1; i < AWAITED_SORTS; i++) {
		const struct awaited *sort = &awaited_sorts[i];
		size_t n = strlen(sort->word);
		const char *name = call + n + 1;

		if (strncmp(call, sort->word, n) != 0 || call[n] != ' ')
			continue;
		return strncmp(name, "write", strlen("write")) == 0 || strcmp(name, "sendfile") == 0
			       ? sort->output
			       : sort->input;
	}
	return NULL;
}
