/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/history.h"

#include "export/historyline.h"
#include "io/history.h"
#include "run/launch/experiment.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Variables in which hosts of continuous integration tell programs what they build. */
static const char *const history_commits[] = { "GITHUB_SHA",       "CI_COMMIT_SHA",
					       "GIT_COMMIT",       "BITBUCKET_COMMIT",
					       "CIRCLE_SHA1",      "BUILD_SOURCEVERSION",
					       "BUILD_VCS_NUMBER", "TRAVIS_COMMIT" };

/* What the entry is called: as the user says, or the commit that is built. In mem. */
static const char *history_label(const struct options *opt, struct arena *mem)
{
	const char *label = opt->versus.label;

	for (size_t i = 0; !label && i < sizeof(history_commits) / sizeof(*history_commits); i++)
		label = getenv(history_commits[i]);
	if (!label)
		return "";
	return arena_strndup(mem, label, strnlen(label, HISTORY_MOST_LABEL));
}

static void history_full(void *arg, struct output *out, bool is_all)
{
	(void)is_all;
	out->n = 0;
	*(bool *)arg = true;
}

static int history_add(const struct command *c, const struct difference *d)
{
	char now[sizeof("2026-01-01T00:00:00Z")] = "";
	char *bytes = arena_array(c->mem, char, OUTPUT_BUFFER);
	struct output line;
	time_t seconds = time(NULL);
	struct tm tm;
	bool full = false;

	if (gmtime_r(&seconds, &tm))
		strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%SZ", &tm);
	output_open_memory(&line, bytes, OUTPUT_BUFFER, c->out, history_full, &full);
	historyline_write(now, history_label(c->opt, c->mem), &c->experiment->paired, d, &line);
	return history_append(c->history, c->opt->history, bytes, line.n, c->diag);
}

int history_add_pairs(struct history *history, const struct command *c, const struct difference *d)
{
	enum paired_ending ending = c->experiment->paired.ending;

	if (ending == PAIRED_FAILED || ending == PAIRED_INTERRUPTED)
		diag_note(c->diag, "%s: not added, because the comparison is not complete",
			  c->opt->history);
	else if (history_add(c, d) < 0)
		return -1;
	return history_read(history, c->history, c->opt->history, c->mem, c->diag);
}
