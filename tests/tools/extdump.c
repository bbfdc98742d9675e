/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * extdump: files of call stacks as text that can be compared.
 *
 *   extdump [-s] FILE.ext...
 *
 * prints the head, modules, threads and kinds, and each sample as a line
 *
 *   TICKS KIND QUALITY RECORDING/TID/NAME MODULE:ADDR;MODULE:ADDR...
 *
 * with the outermost function first and modules by build id, or else path; and calls and ticks of
 * modules as lines
 *
 *   CALLS arc MODULE:ADDR MODULE:ADDR THREAD FIRST
 *   TICKS bin KIND MODULE:ADDR
 *
 * -s prints only these, those that are the same added up, in the order of strcmp() of all but the
 * ticks. It checks nothing but that it reads inside of the file: it is for good files.
 */
#include "bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char tool_name[] = "extdump";

enum { HEAD = 40, ENTRY = 24, MAX_DEPTH = 4096, NONE = -1 };

struct section {
	size_t at, record, n;
};

struct dump {
	struct bytes b;
	struct section strs, mods, thrd, kind, node, samp, arcs, hist, sum;
	char **line; /* samples, arcs and bins, without ticks */
	uint64_t *ticks;
	size_t nlines;
};

/* A field of record i. */
static uint64_t field(const struct dump *d, const struct section *s, size_t i, size_t at,
		      unsigned width)
{
	if (i >= s->n)
		die("record %zu of %zu", i, s->n);
	return bytes_get(&d->b, s->at + i * s->record + at, width);
}

static const char *text(const struct dump *d, uint64_t offset)
{
	if (offset >= d->strs.n)
		return "";
	return (const char *)d->b.data + d->strs.at + offset;
}

static struct section find(const struct dump *d, const char *tag)
{
	uint64_t n = bytes_get(&d->b, 20, 4);

	for (size_t i = 0, at = HEAD; i < n; i++, at += ENTRY)
		if (memcmp(d->b.data + at, tag, 4) == 0)
			return (struct section){ bytes_get(&d->b, at + 8, 8),
						 bytes_get(&d->b, at + 4, 4),
						 bytes_get(&d->b, at + 16, 8) };
	return (struct section){ 0 };
}

static void print_module(FILE *to, const struct dump *d, uint32_t i)
{
	uint64_t n;

	if ((int32_t)i == NONE) {
		fputs("-", to);
		return;
	}
	n = field(d, &d->mods, i, 36, 1);
	for (unsigned k = 0; k < n; k++)
		fprintf(to, "%02x", (unsigned)field(d, &d->mods, i, 40 + k, 1));
	if (n == 0)
		fputs(text(d, field(d, &d->mods, i, 32, 4)), to);
}

static void print_stack(FILE *to, const struct dump *d, uint32_t node)
{
	uint32_t path[MAX_DEPTH];
	unsigned n = 0;

	for (; (int32_t)node != NONE && n < MAX_DEPTH;
	     node = (uint32_t)field(d, &d->node, node, 0, 4))
		path[n++] = node;
	while (n > 0) {
		node = path[--n];
		print_module(to, d, (uint32_t)field(d, &d->node, node, 4, 4));
		fprintf(to, ":0x%" PRIx64 "%s", field(d, &d->node, node, 8, 8), n > 0 ? ";" : "");
	}
}

static FILE *add_line(struct dump *d, uint64_t ticks)
{
	static size_t size;
	FILE *to = open_memstream(&d->line[d->nlines], &size);

	if (!to)
		die("out of memory");
	d->ticks[d->nlines++] = ticks;
	return to;
}

static void add_sample(struct dump *d, size_t i)
{
	static const char *const qualities[] = { "complete", "guessed", "broken", "cut" };
	uint64_t thread = field(d, &d->samp, i, 4, 4), quality = field(d, &d->samp, i, 12, 4);
	FILE *to = add_line(d, field(d, &d->samp, i, 16, 8));

	fprintf(to, "%s %s %u/%u/%s ",
		text(d, field(d, &d->kind, field(d, &d->samp, i, 8, 4), 0, 4)),
		quality < 4 ? qualities[quality] : "?", (unsigned)field(d, &d->thrd, thread, 16, 4),
		(unsigned)field(d, &d->thrd, thread, 0, 4),
		text(d, field(d, &d->thrd, thread, 4, 4)));
	print_stack(to, d, (uint32_t)field(d, &d->samp, i, 0, 4));
	fclose(to);
}

static void print_place(FILE *to, const struct dump *d, uint64_t module, uint64_t address)
{
	fputc(' ', to);
	print_module(to, d, (uint32_t)module);
	fprintf(to, ":0x%" PRIx64, address);
}

static void add_arc(struct dump *d, size_t i)
{
	FILE *to = add_line(d, field(d, &d->arcs, i, 24, 8));

	fputs("arc", to);
	print_place(to, d, field(d, &d->arcs, i, 0, 4), field(d, &d->arcs, i, 8, 8));
	print_place(to, d, field(d, &d->arcs, i, 4, 4), field(d, &d->arcs, i, 16, 8));
	fprintf(to, " %d %u", (int)field(d, &d->arcs, i, 32, 4),
		(unsigned)field(d, &d->arcs, i, 36, 4));
	fclose(to);
}

static void add_bin(struct dump *d, size_t i)
{
	FILE *to = add_line(d, field(d, &d->hist, i, 16, 8));

	fprintf(to, "bin %s", text(d, field(d, &d->kind, field(d, &d->hist, i, 4, 4), 0, 4)));
	print_place(to, d, field(d, &d->hist, i, 0, 4), field(d, &d->hist, i, 8, 8));
	fclose(to);
}

static void print_head(const struct dump *d)
{
	printf("version %u pointer %u stamp %016" PRIx64 " bytes %" PRIu64 " nodes %zu\n",
	       (unsigned)bytes_get(&d->b, 8, 4), (unsigned)bytes_get(&d->b, 16, 4),
	       bytes_get(&d->b, 24, 8), bytes_get(&d->b, 32, 8), d->node.n);
	for (size_t i = 0; i < d->sum.n; i++)
		printf("sum of %u, %u lacking, %u with objects\n",
		       (unsigned)field(d, &d->sum, i, 0, 4), (unsigned)field(d, &d->sum, i, 4, 4),
		       d->sum.record < 12 ? 0 : (unsigned)field(d, &d->sum, i, 8, 4));
	for (size_t i = 0; i < d->mods.n; i++) {
		printf("module %s 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " flags %u ",
		       text(d, field(d, &d->mods, i, 32, 4)), field(d, &d->mods, i, 0, 8),
		       field(d, &d->mods, i, 8, 8), field(d, &d->mods, i, 16, 8),
		       (unsigned)field(d, &d->mods, i, 37, 1));
		print_module(stdout, d, (uint32_t)i);
		putchar('\n');
	}
	for (size_t i = 0; i < d->thrd.n; i++) {
		printf("thread %u %s %" PRIu64, (unsigned)field(d, &d->thrd, i, 0, 4),
		       text(d, field(d, &d->thrd, i, 4, 4)), field(d, &d->thrd, i, 8, 8));
		if (d->thrd.record >= 40)
			printf(" looks %" PRIu64 " squares %" PRIu64, field(d, &d->thrd, i, 24, 8),
			       field(d, &d->thrd, i, 32, 8));
		if (d->thrd.record >= 56)
			printf(" runnable %" PRIu64 " life %" PRIu64, field(d, &d->thrd, i, 40, 8),
			       field(d, &d->thrd, i, 48, 8));
		putchar('\n');
	}
	for (size_t i = 0; i < d->kind.n; i++)
		printf("kind %s %" PRIu64 " %.15s %c\n", text(d, field(d, &d->kind, i, 0, 4)),
		       field(d, &d->kind, i, 8, 8),
		       (const char *)d->b.data + d->kind.at + i * d->kind.record + 16,
		       (char)field(d, &d->kind, i, 31, 1));
}

struct sample {
	const char *line;
	uint64_t ticks;
};

static int compare(const void *x, const void *y)
{
	return strcmp(((const struct sample *)x)->line, ((const struct sample *)y)->line);
}

static void print_sorted(const struct dump *d)
{
	struct sample *all = xcalloc(d->nlines + 1, sizeof(*all));

	for (size_t i = 0; i < d->nlines; i++)
		all[i] = (struct sample){ d->line[i], d->ticks[i] };
	qsort(all, d->nlines, sizeof(*all), compare);
	for (size_t i = 0; i < d->nlines; i++) {
		uint64_t ticks = all[i].ticks;

		while (i + 1 < d->nlines && compare(&all[i], &all[i + 1]) == 0)
			ticks += all[++i].ticks;
		printf("%" PRIu64 " %s\n", ticks, all[i].line);
	}
	free(all);
}

static void dump_file(const char *path, int sorted)
{
	struct dump d = { 0 };

	bytes_load(&d.b, path[0] == '/' ? "" : ".", path);
	if (d.b.n < HEAD || memcmp(d.b.data, "gmonext\n", 8) != 0)
		die("%s: no file of call stacks", path);
	d.b.big = bytes_get(&d.b, 12, 4) != 0x01020304;
	d.strs = find(&d, "STRS");
	d.mods = find(&d, "MODS");
	d.thrd = find(&d, "THRD");
	d.kind = find(&d, "KIND");
	d.node = find(&d, "NODE");
	d.samp = find(&d, "SAMP");
	d.arcs = find(&d, "ARCS");
	d.hist = find(&d, "HIST");
	d.sum = find(&d, "SUM ");
	d.line = xcalloc(d.samp.n + d.arcs.n + d.hist.n + 1, sizeof(*d.line));
	d.ticks = xcalloc(d.samp.n + d.arcs.n + d.hist.n + 1, sizeof(*d.ticks));
	for (size_t i = 0; i < d.samp.n; i++)
		add_sample(&d, i);
	for (size_t i = 0; i < d.arcs.n; i++)
		add_arc(&d, i);
	for (size_t i = 0; i < d.hist.n; i++)
		add_bin(&d, i);
	if (!sorted)
		print_head(&d);
	for (size_t i = 0; i < d.nlines && !sorted; i++)
		printf("%" PRIu64 " %s\n", d.ticks[i], d.line[i]);
	if (sorted)
		print_sorted(&d);
	for (size_t i = 0; i < d.nlines; i++)
		free(d.line[i]);
	free(d.line);
	free(d.ticks);
	bytes_free(&d.b);
}

int main(int argc, char **argv)
{
	int sorted = argc > 1 && strcmp(argv[1], "-s") == 0;

	if (argc < 2 + sorted)
		die("usage: extdump [-s] FILE.ext...");
	for (int i = 1 + sorted; i < argc; i++)
		dump_file(argv[i], sorted);
	return 0;
}
