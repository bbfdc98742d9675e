/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * randoptions: writes random command lines for compare, one a line, all with -b.
 *
 *   randoptions [-no] [-x LETTERS] SEED COUNT [FILE...] < NAMES
 *
 * NAMES are the program's functions, one a line, in any order; FILEs its source files. Options of
 * LETTERS are not drawn; -S and -R read the files `symbols` and `map`. With -o each line has -r or
 * -R, else none. The lines depend on these arguments alone. What we do otherwise than GNU gprof on
 * purpose is kept out: of one line, no two specifications for the same table match the same
 * function, so that neither their order nor equal callers of arcs matter; -r has no arcs beside it,
 * with which GNU's never ends.
 */
#include "bytes.h"
#include "prng.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char tool_name[] = "randoptions";

enum { FLAT = 1, GRAPH = 2, TIME = 4, ARCS = 8, EXEC = 16, SOURCE = 32 };
enum { MAX_OPTIONS = 4, ANYTHING = -2 };

/* Whether an argument may stand in a word of its own. */
enum argument { GLUED, FREE };

/* How an option can be written; without a letter or a name, not so. */
struct spelling {
	char letter;
	const char *name;
	enum argument argument;
};

/* Options without specification, drawn `weight` times as often as others. Those with an argument
 * take one of the words of `values`. */
static const struct plain {
	struct spelling spelling;
	uint32_t weight;
	const char *values;
} plain[] = {
	{ { 'p', "flat-profile", GLUED }, 3, NULL },
	{ { 'q', "graph", GLUED }, 3, NULL },
	{ { 'C', "exec-counts", GLUED }, 3, NULL },
	{ { 'T', "traditional", GLUED }, 3, NULL },
	{ { 'z', "display-unused-functions", GLUED }, 3, NULL },
	{ { 'A', "annotated-source", GLUED }, 2, NULL },
	{ { 'l', "line", GLUED }, 2, NULL },
	{ { 'B', NULL, GLUED }, 1, NULL },
	{ { 'i', "file-info", GLUED }, 1, NULL },
	{ { 's', "sum", GLUED }, 1, NULL },
	{ { 'P', "no-flat-profile", GLUED }, 1, NULL },
	{ { 'Q', "no-graph", GLUED }, 1, NULL },
	{ { 'Z', "no-exec-counts", GLUED }, 1, NULL },
	{ { 'J', "no-annotated-source", GLUED }, 1, NULL },
	{ { 'a', "no-static", GLUED }, 1, NULL },
	{ { 'b', "brief", GLUED }, 1, NULL },
	{ { 'c', "static-call-graph", GLUED }, 1, NULL },
	{ { 'D', "ignore-non-functions", GLUED }, 1, NULL },
	{ { 'L', "print-path", GLUED }, 1, NULL },
	{ { 'x', "all-lines", GLUED }, 1, NULL },
	{ { 'y', "separate-files", GLUED }, 1, NULL },
	{ { 'S', "external-symbol-table", FREE }, 1, "symbols" },
	{ { 'I', "directory-path", FREE }, 1, ". nosuch ../sources .:../sources" },
	{ { 'm', "min-count", FREE }, 1, "0 1 2 3 50 1000 -1" },
	{ { 't', "table-length", FREE }, 1, "0 1 2 3 1000 -1" },
	{ { 'w', "width", FREE }, 1, "0 1 30 80 200 -1" },
	{ { 'O', "file-format", FREE }, 1, "auto magic a m" },
	{ { 0, "demangle", GLUED }, 1, NULL },
	{ { 0, "demangle", GLUED }, 1, "auto gnu-v3 java gnat dlang rust none" },
	{ { 0, "no-demangle", GLUED }, 1, NULL },
	{ { 0, "inline-file-names", GLUED }, 1, NULL },
};

/* `tables` is where a specification goes; `arcs` where it goes if it has a slash. */
static const struct taker {
	struct spelling spelling;
	unsigned tables, arcs;
} takers[] = {
	{ { 'p', "flat-profile", GLUED }, FLAT, FLAT },
	{ { 'P', "no-flat-profile", GLUED }, FLAT, FLAT },
	{ { 'q', "graph", GLUED }, GRAPH, ARCS },
	{ { 'Q', "no-graph", GLUED }, GRAPH, ARCS },
	{ { 'C', "exec-counts", GLUED }, EXEC, EXEC },
	{ { 'Z', "no-exec-counts", GLUED }, EXEC, EXEC },
	{ { 'A', "annotated-source", GLUED }, SOURCE, SOURCE },
	{ { 'J', "no-annotated-source", GLUED }, SOURCE, SOURCE },
	{ { 'n', "time", FREE }, TIME, TIME },
	{ { 'N', "no-time", FREE }, TIME, TIME },
	{ { 'e', NULL, FREE }, GRAPH, GRAPH },
	{ { 'E', NULL, FREE }, GRAPH | TIME, GRAPH | TIME },
	{ { 'f', NULL, FREE }, GRAPH, GRAPH },
	{ { 'F', NULL, FREE }, GRAPH | TIME, GRAPH | TIME },
	{ { 'k', NULL, FREE }, ARCS, ARCS },
	{ { 0, "", GLUED }, GRAPH, GRAPH },
};

/* GNU gprof's long options that are in neither table. */
static const char *const other_names[] = { "debug", "file-ordering", "function-ordering", "help",
					   "version" };

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
	bool in_cluster; /* what was printed last are letters, behind which others may stand */
	bool orders;
	bool is_out[CHAR_MAX + 1]; /* letters */
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

/* Whether another of GNU gprof's long options begins with the n characters, too. */
static bool is_ambiguous(const char *name, size_t n)
{
	for (size_t i = 0; i < COUNT(plain); i++) {
		const char *other = plain[i].spelling.name;

		if (other && strcmp(other, name) != 0 && strncmp(other, name, n) == 0)
			return true;
	}
	for (size_t i = 0; i < COUNT(takers); i++) {
		const char *other = takers[i].spelling.name;

		if (other && strcmp(other, name) != 0 && strncmp(other, name, n) == 0)
			return true;
	}
	for (size_t i = 0; i < COUNT(other_names); i++) {
		if (strncmp(other_names[i], name, n) == 0)
			return true;
	}
	return false;
}

static bool is_out(const struct drawer *d, const struct spelling *s)
{
	return d->is_out[(int)s->letter];
}

/* The option up to where its argument, if any, begins. */
static void print_option(struct drawer *d, const struct spelling *s, bool has_argument)
{
	size_t n = s->name ? strlen(s->name) : 0, least = 1;
	bool cluster = d->in_cluster && chance(d, 30),
	     apart = has_argument && s->argument && chance(d, 50);

	d->in_cluster = false;
	if (s->letter && (!s->name || chance(d, 60))) {
		printf(cluster ? "%c%s" : " -%c%s", s->letter, apart ? " " : "");
		d->in_cluster = !has_argument && !strchr("pPqQCZAJ", s->letter);
		return;
	}
	while (least < n && is_ambiguous(s->name, least))
		least++;
	if (least < n && chance(d, 50))
		n = least + below(d, n - least);
	printf(" --%.*s%s", (int)n, s->name, !has_argument ? "" : apart ? " " : "=");
}

static void print_word(struct drawer *d, const char *words)
{
	uint32_t n = 1;
	const char *at = words;

	for (const char *p = words; *p; p++)
		n += *p == ' ';
	for (uint32_t i = below(d, n); i > 0; i--)
		at = strchr(at, ' ') + 1;
	printf("%.*s", (int)strcspn(at, " "), at);
}

static const struct plain *draw_plain(struct drawer *d)
{
	uint32_t total = 0, at;
	const struct plain *p = plain;

	for (size_t i = 0; i < COUNT(plain); i++)
		total += plain[i].weight;
	for (at = below(d, total); at >= p->weight; p++)
		at -= p->weight;
	return p;
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
	print_option(d, &t->spelling, true);
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

	if (d->full & tables || is_out(d, &t->spelling) || (d->orders && slash))
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
	print_option(d, &t->spelling, true);
	if (name == ANYTHING)
		print_unknown(d);
	else
		print_name(d, d->names[name]);
	if (slash && !chance(d, 5)) {
		putchar('/');
		print_callee(d);
	}
}

static void print_plain(struct drawer *d)
{
	const struct plain *p = draw_plain(d);

	if (is_out(d, &p->spelling))
		return;
	print_option(d, &p->spelling, p->values);
	if (p->values)
		print_word(d, p->values);
}

/* Of -r and -R, which go with nothing that has arcs, the line gets one. */
static void print_order(struct drawer *d)
{
	static const struct spelling functions = { 'r', "function-ordering", GLUED };
	static const struct spelling objects = { 'R', "file-ordering", FREE };
	bool by_file = chance(d, 50);

	print_option(d, by_file ? &objects : &functions, by_file);
	if (by_file)
		printf("map");
}

static void print_line(struct drawer *d)
{
	uint32_t noptions = 1 + below(d, MAX_OPTIONS);

	d->begun = d->full = 0;
	memset(d->used, 0, d->nnames * sizeof(*d->used));
	printf("-b");
	d->in_cluster = true;
	if (d->orders)
		print_order(d);
	for (uint32_t i = 0; i < noptions; i++) {
		if (chance(d, 55))
			print_plain(d);
		else
			print_selection(d);
	}
	putchar('\n');
}

static void leave_out(struct drawer *d, const char *letters)
{
	for (; *letters > 0; letters++)
		d->is_out[(int)*letters] = true;
}

int main(int argc, char **argv)
{
	struct drawer d = { 0 };
	unsigned long count;
	int c;

	while ((c = getopt(argc, argv, "nox:")) != -1) {
		if (c == 'n')
			d.no_empty_sides = true;
		else if (c == 'o')
			d.orders = true;
		else if (c == 'x')
			leave_out(&d, optarg);
		else
			return 2;
	}
	argv += optind - 1;
	argc -= optind - 1;
	if (argc < 3)
		die("usage: randoptions [-no] [-x LETTERS] SEED COUNT [FILE...] < NAMES");
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
