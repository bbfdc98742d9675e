/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mkworkload: makes a large program and its profile, with names and calls like those of real ones,
 * in time and memory linear in its size. The same words make the same bytes.
 *
 *   mkworkload SHAPE N [WORD=NUMBER]... OUTDIR      writes OUTDIR/a.out and OUTDIR/gmon.out
 *
 * SHAPE is what calls what, among N functions:
 *
 *   one        one call in all
 *   tree       each but the first is called by one, which calls three
 *   uniform    `arcs` calls a function, to any behind it
 *   power      the same, but few functions make most calls, and few are called most
 *   hub        the first calls all others
 *   fanin      all others call the last
 *   chain      each calls the next
 *   ring       each calls the next, the last the second, and each `arcs` - 1 others: one cycle
 *   cycles     rings of 2 to 5, each called by one before it
 *
 *   arcs=4     calls a function makes, in the mean
 *   dense=0    1: all bins of the histogram have samples; else a function in 1000 has one
 *   size=32    bytes of a function, in the mean
 *   rows=0     rows of the line table a function, at most size / 8; 0: no debug information
 *   statics=0  how many of 100 functions are static
 *   files=0    instead of gmon.out, as many profiles OUTDIR/00000 and on
 *   share=10   each of the files has one of as many calls that follow one another
 * arcs seed=1     of all random numbers
 */
#include "../tools/elfimage.h"
#include "../tools/gmonfile.h"
#include "../tools/prng.h"
#include "dwarf.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tool_name[] = "mkworkload";

enum { BASE = 0x401000, GRAIN = 4, MAX_SIZE = 4096, MAX_N = 1 << 24 };

enum { NAME_ROOM = 256, HUNDRED = 100, SPARSE = 1000, ADDRESS = 8 };

enum shape { ONE, TREE, UNIFORM, POWER, HUB, FANIN, CHAIN, RING, CYCLES, NSHAPES };

static const char *const shapes[NSHAPES] = {
	"one", "tree", "uniform", "power", "hub", "fanin", "chain", "ring", "cycles",
};

struct workload {
	enum shape shape;
	uint32_t n, arcs, dense, size, rows, statics, files, share, seed;
	struct prng random;
	uint64_t *starts; /* n + 1 */
	struct arcs {
		uint32_t *from, *to;
		size_t n;
	} list;
};

/* Names. */

static const char *const words[] = {
	"buffer", "cache",  "channel", "cluster", "codec",  "config", "context", "cursor",
	"device", "driver", "element", "encoder", "engine", "filter", "format",  "frame",
	"graph",  "handle", "index",   "kernel",  "layer",  "matrix", "message", "module",
	"node",   "object", "packet",  "parser",  "policy", "queue",  "region",  "request",
	"router", "sample", "schema",  "session", "signal", "socket", "stream",  "symbol",
	"table",  "thread", "token",   "vector",  "vertex", "window", "worker",  "zone",
};

static const char *const parameters[] = {
	"v", "i", "PKc", "jmRKSs", "RKSt6vectorIdSaIdEE", "PvmPFivE", "RSt3mapIiSsSt4lessIiESaIiEE",
};

static const char *word(struct prng *r)
{
	return words[prng_below(r, sizeof(words) / sizeof(words[0]))];
}

/* As of a C program: words, then the number. */
static size_t plain_name(struct prng *r, uint32_t id, size_t length, char *out)
{
	size_t n = 0;

	while (n + 16 < length)
		n += (size_t)sprintf(out + n, "%s_", word(r));
	return n + (size_t)sprintf(out + n, "part_%07x", id);
}

/* A method of nested classes, which may be templates. */
static size_t mangled_name(struct prng *r, uint32_t id, size_t length, char *out)
{
	size_t n = (size_t)sprintf(out, "_ZN%s", prng_chance(r, 25) ? "K" : "");

	while (n + 30 < length) {
		const char *w = word(r);

		n += (size_t)sprintf(out + n, "%zu%s", strlen(w), w);
		if (prng_chance(r, 20))
			n += (size_t)sprintf(out + n, "I%sE", prng_chance(r, 50) ? "i" : "Ss");
	}
	n += (size_t)sprintf(out + n, "12work_%07xE", id);
	return n + (size_t)sprintf(
			   out + n, "%s",
			   parameters[prng_below(r, sizeof(parameters) / sizeof(parameters[0]))]);
}

/* Lengths are from 20 to 200, mostly of 30 to 80. */
static size_t name_function(struct prng *r, uint32_t id, char *out)
{
	size_t length = prng_chance(r, 85) ? prng_between(r, 20, 80) : prng_between(r, 60, 180);

	if (id == 0)
		return (size_t)sprintf(out, "main");
	return prng_chance(r, 60) ? mangled_name(r, id, length, out)
				  : plain_name(r, id, length, out);
}

/* The program. */

static void place_functions(struct workload *w)
{
	uint32_t mean = w->size / GRAIN;

	w->starts = xcalloc(w->n + 1, sizeof(*w->starts));
	w->starts[0] = BASE;
	for (uint32_t i = 0; i < w->n; i++)
		w->starts[i + 1] =
			w->starts[i] + GRAIN * prng_between(&w->random, mean / 2, mean + mean / 2);
}

/* Static functions are the first of the table, as they have to be. */
static void make_symbols(struct workload *w, struct image *image, char *names)
{
	uint32_t nstatic = 0, next = 0;
	bool *is_static = xcalloc(w->n + 1, sizeof(bool));

	for (uint32_t i = 1; i < w->n; i++)
		nstatic += is_static[i] = prng_chance(&w->random, w->statics);
	image->nsymbols = w->n + 1;
	image->symbols = xcalloc(image->nsymbols, sizeof(struct symbol));
	for (uint32_t i = 0; i < w->n; i++) {
		image->symbols[is_static[i] ? next++ : nstatic + i - next] = (struct symbol){
			.name = names,
			.addr = w->starts[i],
			.size = w->starts[i + 1] - w->starts[i],
			.type = STT_FUNC,
			.binding = is_static[i] ? STB_LOCAL : STB_GLOBAL,
		};
		names += name_function(&w->random, i, names) + 1;
	}
	image->symbols[w->n] = (struct symbol){
		.name = "etext",
		.addr = w->starts[w->n],
		.type = STT_NOTYPE,
		.binding = STB_GLOBAL,
	};
	free(is_static);
}

static void write_program(struct workload *w, const char *dir)
{
	struct dwarf dwarf = { 0 };
	struct section sections[] = {
		{ .name = ".text", .addr = BASE, .size = w->starts[w->n] - BASE, .code = true },
		{ .name = ".debug_abbrev", .contents = &dwarf.abbrev },
		{ .name = ".debug_info", .contents = &dwarf.info },
		{ .name = ".debug_line", .contents = &dwarf.line },
	};
	struct image image = {
		.machine = machine_find("64le"),
		.sections = sections,
		.nsections = w->rows ? 4 : 1,
		.packed_names = true,
	};
	struct bytes out = { 0 };
	char *names = xcalloc(w->n, NAME_ROOM);

	make_symbols(w, &image, names);
	if (w->rows)
		dwarf_write(&dwarf, w->starts, w->n, w->rows);
	image_write(&image, &out);
	bytes_save(&out, dir, "a.out");
	bytes_free(&out);
	dwarf_free(&dwarf);
	free(image.symbols);
	free(names);
}

/* The calls. */

static void add_arc(struct workload *w, uint32_t from, uint32_t to)
{
	w->list.from[w->list.n] = from;
	w->list.to[w->list.n++] = to;
}

/* A number below n; the lower, the likelier, if the shape is POWER. */
static uint32_t pick(struct workload *w, uint32_t n)
{
	double x = (double)(prng_next(&w->random) >> 11) / (double)(1ULL << 53);

	return (uint32_t)((w->shape == POWER ? x * x * x : x) * n);
}

/* Callers in order of their addresses, as the C library writes them; each is before its callees. */
static void add_random_arcs(struct workload *w)
{
	uint32_t *calls = xcalloc(w->n, sizeof(*calls));

	for (size_t i = 0; i < (size_t)w->n * w->arcs; i++)
		calls[pick(w, w->n - 1)]++;
	for (uint32_t i = 0; i < w->n; i++)
		for (uint32_t k = 0; k < calls[i]; k++)
			add_arc(w, i, w->n - 1 - pick(w, w->n - 1 - i));
	free(calls);
}

static void add_small_cycles(struct workload *w)
{
	for (uint32_t first = 1; first < w->n;) {
		uint32_t size = prng_between(&w->random, 2, 5);

		if (size > w->n - first)
			size = w->n - first;
		add_arc(w, prng_below(&w->random, first), first);
		for (uint32_t i = 0; i < size; i++)
			add_arc(w, first + i, first + (i + 1) % size);
		first += size;
	}
}

static void add_ring(struct workload *w)
{
	add_arc(w, 0, 1);
	for (uint32_t i = 1; i < w->n; i++) {
		add_arc(w, i, i + 1 < w->n ? i + 1 : 1);
		for (uint32_t k = 1; k < w->arcs; k++)
			add_arc(w, i, prng_between(&w->random, 1, w->n - 1));
	}
}

static void make_arcs(struct workload *w)
{
	size_t room = (size_t)w->n * (w->arcs + 2);

	w->list.from = xcalloc(room, sizeof(uint32_t));
	w->list.to = xcalloc(room, sizeof(uint32_t));
	if (w->shape == UNIFORM || w->shape == POWER)
		add_random_arcs(w);
	else if (w->shape == CYCLES)
		add_small_cycles(w);
	else if (w->shape == ONE)
		add_arc(w, 0, 1);
	else if (w->shape == RING)
		add_ring(w);
	else
		for (uint32_t i = 1; i < w->n; i++) {
			if (w->shape == TREE)
				add_arc(w, (i - 1) / 3, i);
			else if (w->shape == HUB)
				add_arc(w, 0, i);
			else if (w->shape == FANIN)
				add_arc(w, i - 1, w->n - 1);
			else
				add_arc(w, i - 1, i);
		}
}

/* The profiles. */

static void put_histogram(struct workload *w, struct bytes *out)
{
	uint32_t nbins = (uint32_t)((w->starts[w->n] - BASE) / GRAIN);
	struct gmon_hist hist = {
		.lo = BASE,
		.hi = w->starts[w->n],
		.nbins = nbins,
		.rate = 100,
		.dimension = "seconds",
		.abbreviation = 's',
		.bins = xcalloc(nbins, sizeof(uint32_t)),
	};

	for (uint32_t i = 0; w->dense && i < nbins; i++)
		hist.bins[i] = prng_between(&w->random, 1, 3);
	for (uint32_t i = SPARSE / 2; !w->dense && i < w->n; i += SPARSE)
		hist.bins[(w->starts[i] - BASE) / GRAIN + 1] = prng_between(&w->random, 1, 9);
	gmon_put_hist(out, ADDRESS, &hist);
	free(hist.bins);
}

static void put_arc(struct workload *w, struct bytes *out, size_t i)
{
	uint32_t from = w->list.from[i];
	uint32_t size = (uint32_t)(w->starts[from + 1] - w->starts[from]);

	gmon_put_arc(out, ADDRESS, w->starts[from] + 5 + i % (size - 5), w->starts[w->list.to[i]],
		     prng_chance(&w->random, 5) ? prng_below(&w->random, 1000000) + 1
						: prng_below(&w->random, HUNDRED) + 1);
}

/* One profile, with all arcs or with one of each `share` that follow one another. */
static void write_profile(struct workload *w, const char *dir, const char *name, bool all)
{
	struct bytes out = { 0 };

	gmon_put_header(&out, 1);
	put_histogram(w, &out);
	if (all)
		for (size_t i = 0; i < w->list.n; i++)
			put_arc(w, &out, i);
	else
		for (size_t i = 0; i + w->share <= w->list.n; i += w->share)
			put_arc(w, &out, i + prng_below(&w->random, w->share));
	bytes_save(&out, dir, name);
	bytes_free(&out);
}

static void set_word(struct workload *w, const char *text)
{
	const struct {
		const char *name;
		uint32_t *value;
		uint32_t max;
	} all[] = {
		{ "arcs", &w->arcs, 10000 },         { "dense", &w->dense, 1 },
		{ "size", &w->size, MAX_SIZE },      { "rows", &w->rows, MAX_SIZE },
		{ "statics", &w->statics, HUNDRED }, { "files", &w->files, 99999 },
		{ "share", &w->share, 10000 },       { "seed", &w->seed, UINT32_MAX },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t n = strlen(all[i].name);

		if (strncmp(text, all[i].name, n) == 0 && text[n] == '=') {
			uint64_t value = number_of(text + n + 1);

			if (value > all[i].max)
				die("at most %s=%u", all[i].name, all[i].max);
			*all[i].value = (uint32_t)value;
			return;
		}
	}
	die("no such word: %s", text);
}

int main(int argc, char **argv)
{
	struct workload w = { .arcs = 4, .size = 32, .share = 10, .seed = 1 };
	const char *dir = argv[argc - 1];
	char name[16];

	if (argc < 4)
		die("usage: mkworkload SHAPE N [WORD=NUMBER]... OUTDIR");
	while (w.shape < NSHAPES && strcmp(shapes[w.shape], argv[1]) != 0)
		w.shape++;
	if (w.shape == NSHAPES)
		die("no such shape: %s", argv[1]);
	w.n = (uint32_t)number_of(argv[2]);
	if (w.n < 3 || w.n >= MAX_N)
		die("not a number from 3 to %d: %s", MAX_N - 1, argv[2]);
	for (int i = 3; i < argc - 1; i++)
		set_word(&w, argv[i]);
	if (w.size < 16 || w.rows > w.size / 8)
		die("size=%u rows=%u", w.size, w.rows);
	if (w.share == 0)
		die("share=0");
	w.random.state = w.seed;
	place_functions(&w);
	write_program(&w, dir);
	make_arcs(&w);
	if (!w.files)
		write_profile(&w, dir, "gmon.out", true);
	for (uint32_t i = 0; i < w.files; i++) {
		snprintf(name, sizeof(name), "%05u", i);
		write_profile(&w, dir, name, false);
	}
	free(w.starts);
	free(w.list.from);
	free(w.list.to);
	return 0;
}
