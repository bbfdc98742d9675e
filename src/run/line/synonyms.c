/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/synonyms.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct synonym {
	const char *word;
	const char *here;
	bool runs; /* the word's command runs the program that is named after it */
};

/* Words of GNU gprof's command line are not in the list: they keep their meaning. */
static const struct synonym commands[] = {
	{ "record", "--run", true },
	{ "run", "--run", true },
	{ "stat", "--run", true },
	{ "report", "--top [PROGRAM [DATAFILE]]", false },
	{ "top", "--top [PROGRAM [DATAFILE]]", false },
	{ "tree", "--call-tree [PROGRAM [DATAFILE]]", false },
	{ "peek", "--entry=FUNCTION [PROGRAM [DATAFILE]]", false },
	{ "list", "--source=FUNCTION [PROGRAM [DATAFILE]]", false },
	{ "annotate", "--source=FUNCTION [PROGRAM [DATAFILE]]", false },
	{ "diff", "--diff=OLD PROGRAM NEW", false },
	{ "script", "--export=folded [PROGRAM [DATAFILE]]", false },
	{ "svg", "--export=flamegraph [PROGRAM [DATAFILE]]", false },
	{ "web", "--export=webpage [PROGRAM [DATAFILE]]", false },
	{ "help", "--help", false },
	{ "version", "--version", false },
};

static const struct synonym options[] = {
	{ "record", "run", false },
	{ "report", "top", false },
	{ "text", "top", false },
	{ "tree", "call-tree", false },
	{ "call-graph", "call-tree", false },
	{ "callgraph", "graph", false },
	{ "children", "inclusive", false },
	{ "cum", "inclusive", false },
	{ "peek", "entry=FUNCTION", false },
	{ "list", "source=FUNCTION", false },
	{ "flame", "export=flamegraph", false },
	{ "flame-graph", "export=flamegraph", false },
	{ "svg", "export=flamegraph", false },
	{ "web", "export=webpage", false },
	{ "html", "export=webpage", false },
	{ "compare", "diff=OLD", false },
	{ "baseline", "diff=OLD", false },
	{ "summary", "top", false },
	{ "stdio", "top", false },
	{ "hot", "top", false },
	{ "disassemble", "source=FUNCTION", false },
	{ "threads", "thread-view", false },
	{ "waiting", "run=clock=wall", false },
	{ "wall", "run=clock=wall", false },
	{ "offcpu", "run=clock=wall", false },
	{ "off-cpu", "run=clock=wall", false },
	{ "frequency", "run=rate=HZ", false },
	{ "rate", "run=rate=HZ", false },
	{ "follow", "run=children", false },
	{ "keep", "run=keep=FILE", false },
	{ "doctor", "explain", false },
	{ "diagnose", "explain", false },
#define FORMAT(name, file, needs, help) { #name, "export=" #name, false },
#include "export/formats.def"
};

static const struct synonym *synonyms_find(const struct synonym *habits, size_t n, const char *word)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < n; i++) {
		if (strlen(habits[i].word) == len && strncmp(habits[i].word, word, len) == 0)
			return &habits[i];
	}
	return NULL;
}

bool synonyms_say_command(int argc, char **argv, struct diag *diag)
{
	const struct synonym *habit;
	struct stat st;

	if (argc < 2 || strchr(argv[1], '=') || stat(argv[1], &st) == 0 || errno != ENOENT)
		return false;
	habit = synonyms_find(commands, sizeof(commands) / sizeof(commands[0]), argv[1]);
	if (!habit)
		return false;
	diag_error(diag, "%s: %s; did you mean 'gprof %s%s%s'?", argv[1], strerror(ENOENT),
		   habit->here, habit->runs ? " " : "",
		   !habit->runs                    ? ""
		   : argc > 2 && argv[2][0] != '-' ? argv[2]
						   : "PROGRAM [ARGUMENT...]");
	return true;
}

const char *synonyms_option(const char *name)
{
	const struct synonym *habit =
		synonyms_find(options, sizeof(options) / sizeof(options[0]), name);

	return habit ? habit->here : NULL;
}
