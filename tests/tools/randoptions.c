/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * randoptions: writes random command lines for compare, one a line, all with -b.
 *
 *   randoptions [-n] SEED COUNT [FILE...] < NAMES
 *
 * NAMES are the program's functions, one a line, in any order; FILEs its source files. The lines
 * depend on SEED, NAMES and FILEs alone. What we do otherwise than GNU gprof on purpose is kept
 * out: of one line, no two specifications for the same table match the same function, so that
 * neither their order nor equal callers of arcs matter.
 */
#include "bytes.h"
#include "prng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tool_name[] = "randoptions";

enum { FLAT = 1, GRAPH = 2, TIME = 4, ARCS = 8, EXEC = 16, MAX_OPTIONS = 4, ANYTHING = -2 };

/* Options without specification; the first ones choose what is printed. */
static const char *const plain[] = {
	"-p",
	"-q",
	"-C",
	"-T",
	"-z",
	"-p",
	"-q",
	"-C",
	"-T",
	"-z",
	"-B",
	"-i",
	"-P",
	"-Q",
	"-Z",
	"-a",
	"-D",
	"-L",
	"-w 30",
	"-w 200",
	"-T -p",
	"-T -q",
	"-T -z",
	"-q -z",
	"-O auto",
	"-O magic",
	"--no-demangle",
	"--demangle",
	"--demangle=rust",
	"--demangle=none",
	"--inline-file-names",
};

/* `tables` is where a specification goes; `arcs` where it goes if it has a slash. */
static const struct taker {
	const char *option;
	unsigned tables, arcs;
} takers[] = {
	{ "-p", FLAT, FLAT },
	{ "-P", FLAT, FLAT },
	{ "--flat-profile=", FLAT, FLAT },
	{ "--no-flat-profile=", FLAT, FLAT },
	{ "-q", GRAPH, ARCS },
	{ "-Q", GRAPH, ARCS },
	{ "--graph=", GRAPH, ARCS },
	{ "--no-graph=", GRAPH, ARCS },
	{ "-C", EXEC, EXEC },
	{ "-Z", EXEC, EXEC },
	{ "--exec-counts=", EXEC, EXEC },
	{ "--no-exec-counts=", EXEC, EXEC },
	{ "-n", TIME, TIME },
	{ "-N", TIME, TIME },
	{ "--time=", TIME, TIME },
	{ "--no-time ", TIME, TIME },
	{ "-e", GRAPH, GRAPH },
	{ "-E ", GRAPH | TIME, GRAPH | TIME },
	{ "-f ", GRAPH, GRAPH },
	{ "-F", GRAPH | TIME, GRAPH | TIME },
	{ "-k", ARCS, ARCS },
	{ "-k ", ARCS, ARCS },
	{ "--=", GRAPH, GRAPH },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* used[i] has the tables that have a specification for the i-th name; full, those that one for
 * everything, or for what cannot be told here, has closed. */
struct drawer {
	struct prng prng;
	char **names;
	unsigned *used;
	uint32_t nnames, nfiles;
	char **files;
	unsigned begun, full;
	bool no_empty_sides;
};

static uint32_t below(struct drawer *d, size_t n)
{
	return prng_below(&d->prng, (uint32_t)n);
}

static bool chance(struct drawer *d, uint32_t percent)
{
	return prng_chance(&d->prng, percent);
}

static bool can_be_written(const char *name)
{
	return *name && !strpbrk(name, " \t\n'/:#") && *name != '-';
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names that a specification can say, each once. */
static void read_names(struct drawer *d)
{
	char *line = NULL;
	size_t room = 0;
	uint32_t kept = 0;

	while (getline(&line, &room, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!can_be_written(line))
			continue;
		d->names = xrealloc(d->names, (d->nnames + 1) * sizeof(*d->names));
		d->names[d->nnames++] = strdup(line);
	}
	free(line);
	if (!d->nnames)
		die("no names");
	qsort(d->names, d->nnames, sizeof(*d->names), by_bytes);
	for (uint32_t i = 0; i < d->nnames; i++) {
		if (kept && strcmp(d->names[i], d->names[kept - 1]) == 0)
			free(d->names[i]);
		else
			d->names[kept++] = d->names[i];
	}
	d->nnames = kept;
	d->used = xcalloc(kept, sizeof(*d->used));
}

/* A name that none of the tables has so far; -1 if there is none at hand. */
static int free_name(struct drawer *d, unsigned tables)
{
	for (int tries = 0; tries < 8; tries++) {
		uint32_t i = below(d, d->nnames);

		if (!(d->used[i] & tables)) {
			d->used[i] |= tables;
			return (int)i;
		}
	}
	return -1;
}

/* How a function is named: with a dot or a digit first it needs a colon. */
static void print_name(struct drawer *d, const char *name)
{
	bool colon = strchr(name, '.') || (*name >= '0' && *name <= '9') || chance(d, 10);

	printf("%s%s", colon ? ":" : "", name);
}

static void print_unknown(struct drawer *d)
{
	static const char *const unknown[] = { "nosuch",     "nosuch.c", "nosuch.c:main",
					       "nosuch.c:7", "Main",     ":.L1" };

	fputs(unknown[below(d, COUNT(unknown))], stdout);
}

/* A file, a line or a file's line: the only specification of its tables. */
static void print_place(struct drawer *d)
{
	uint32_t line = 1 + below(d, 120);
	const char *file = d->nfiles ? d->files[below(d, d->nfiles)] : "nosuch.c";

	switch (below(d, 4)) {
	case 0:
		printf("%u", line);
		break;
	case 1:
		printf("%s:%u", file, line);
		break;
	case 2:
		printf("%s:", file);
		break;
	default:
		printf("%s", file);
	}
}

/* The other end of an arc, which may be anything. */
static void print_callee(struct drawer *d)
{
	if (chance(d, 15))
		print_unknown(d);
	else if (d->no_empty_sides || !chance(d, 30))
		print_name(d, d->names[below(d, d->nnames)]);
}

/* A specification for all callers, or a place: closes its tables, which must be new. All functions
 * are not asked for: that would overlap with what is left out by default, and have the last symbol.
 */
static bool print_closing(struct drawer *d, const struct taker *t, unsigned tables, bool slash)
{
	if (d->begun & tables)
		return false;
	d->begun |= tables;
	d->full |= tables;
	printf(" %s", t->option);
	if (tables != ARCS || d->no_empty_sides || chance(d, 40))
		print_place(d);
	if (!slash)
		return true;
	putchar('/');
	print_callee(d);
	return true;
}

static void print_selection(struct drawer *d)
{
	const struct taker *t = &takers[below(d, COUNT(takers))];
	bool slash = t->arcs & ARCS ? t->tables & ARCS || chance(d, 50) : chance(d, 10);
	unsigned tables = slash ? t->arcs : t->tables;
	int name = ANYTHING;

	if (d->full & tables)
		return;
	if (chance(d, 12)) {
		print_closing(d, t, tables, slash);
		return;
	}
	if (!chance(d, 10))
		name = free_name(d, tables);
	if (name == -1)
		return;
	d->begun |= tables;
	printf(" %s", t->option);
	if (name == ANYTHING)
		print_unknown(d);
	else
		print_name(d, d->names[name]);
	if (slash && !chance(d, 5)) {
		putchar('/');
		print_callee(d);
	}
}

static void print_line(struct drawer *d)
{
	uint32_t noptions = 1 + below(d, MAX_OPTIONS);

	d->begun = d->full = 0;
	memset(d->used, 0, d->nnames * sizeof(*d->used));
	printf("-b");
	for (uint32_t i = 0; i < noptions; i++) {
		if (chance(d, 40))
			printf(" %s", plain[below(d, COUNT(plain))]);
		else
			print_selection(d);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct drawer d = { 0 };
	unsigned long count;

	if (argc > 1 && strcmp(argv[1], "-n") == 0) {
		d.no_empty_sides = true;
		argv++;
		argc--;
	}
	if (argc < 3)
		die("usage: randoptions [-n] SEED COUNT [FILE...] < NAMES");
	d.prng.state = strtoull(argv[1], NULL, 0) ^ 0x5eed;
	count = strtoul(argv[2], NULL, 0);
	d.files = argv + 3;
	d.nfiles = (uint32_t)argc - 3;
	read_names(&d);
	while (count--)
		print_line(&d);
	for (uint32_t i = 0; i < d.nnames; i++)
		free(d.names[i]);
	free(d.names);
	free(d.used);
	return fflush(stdout) == 0 ? 0 : 2;
}
