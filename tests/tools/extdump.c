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
#include "extrecords.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char tool_name[] = "extdump";

enum { MAX_DEPTH = 4096 };

struct section {
	size_t at, record, n;
};

struct dump {
	struct bytes b;
	struct section section[IN_PARTS];
	char **line; /* samples, arcs and bins, without ticks */
	uint64_t *ticks;
	size_t nlines;
};

#define HEAD_FIELD(d, field)                                      \
	bytes_get(&(d)->b, offsetof(struct gmon_ext_head, field), \
		  sizeof(((struct gmon_ext_head *)NULL)->field))

/* Record i of a section, into its struct of gmon_ext.h. */
static void get(const struct dump *d, enum ext_section_id id, size_t i, void *record)
{
	const struct section *s = &d->section[id];

	if (i >= s->n)
		die("record %zu of %zu", i, s->n);
	extrecords_get(&d->b, s->at + i * s->record, s->record, id, record);
}

static const char *text(const struct dump *d, uint64_t offset)
{
	if (offset >= d->section[IN_STRINGS].n)
		return "";
	return (const char *)d->b.data + d->section[IN_STRINGS].at + offset;
}

static struct section find(const struct dump *d, const char *tag)
{
	uint64_t n = HEAD_FIELD(d, sections);

	for (size_t i = 0, at = sizeof(struct gmon_ext_head); i < n;
	     i++, at += sizeof(struct gmon_ext_section))
		if (memcmp(d->b.data + at, tag, 4) == 0)
			return (struct section){ bytes_get(&d->b, at + 8, 8),
						 bytes_get(&d->b, at + 4, 4),
						 bytes_get(&d->b, at + 16, 8) };
	return (struct section){ 0 };
}

static void print_module(FILE *to, const struct dump *d, uint32_t i)
{
	struct gmon_ext_module module;

	if (i == GMON_EXT_NONE) {
		fputs("-", to);
		return;
	}
	get(d, IN_MODULES, i, &module);
	for (unsigned k = 0; k < module.build_id_bytes && k < sizeof(module.build_id); k++)
		fprintf(to, "%02x", module.build_id[k]);
	if (module.build_id_bytes == 0)
		fputs(text(d, module.path), to);
}

static void print_stack(FILE *to, const struct dump *d, uint32_t i)
{
	struct gmon_ext_node path[MAX_DEPTH];
	unsigned n = 0;

	for (; i != GMON_EXT_NONE && n < MAX_DEPTH; i = path[n++].parent)
		get(d, IN_NODES, i, &path[n]);
	while (n > 0) {
		n--;
		print_module(to, d, path[n].module);
		fprintf(to, ":0x%" PRIx64 "%s", path[n].address, n > 0 ? ";" : "");
	}
}

static const char *kind_name(const struct dump *d, uint32_t i)
{
	struct gmon_ext_kind kind;

	get(d, IN_KINDS, i, &kind);
	return text(d, kind.name);
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
	struct gmon_ext_sample sample;
	struct gmon_ext_thread thread;
	FILE *to;

	get(d, IN_SAMPLES, i, &sample);
	get(d, IN_THREADS, sample.thread, &thread);
	to = add_line(d, sample.ticks);
	fprintf(to, "%s %s %u/%u/%s ", kind_name(d, sample.kind),
		sample.quality < 4 ? qualities[sample.quality] : "?", thread.recording, thread.tid,
		text(d, thread.name));
	print_stack(to, d, sample.node);
	fclose(to);
}

static void print_place(FILE *to, const struct dump *d, uint32_t module, uint64_t address)
{
	fputc(' ', to);
	print_module(to, d, module);
	fprintf(to, ":0x%" PRIx64, address);
}

static void add_arc(struct dump *d, size_t i)
{
	struct gmon_ext_arc arc;
	FILE *to;

	get(d, IN_ARCS, i, &arc);
	to = add_line(d, arc.calls);
	fputs("arc", to);
	print_place(to, d, arc.from_module, arc.from);
	print_place(to, d, arc.self_module, arc.self);
	fprintf(to, " %d %u", (int)arc.thread, arc.first);
	fclose(to);
}

static void add_bin(struct dump *d, size_t i)
{
	struct gmon_ext_bin bin;
	FILE *to;

	get(d, IN_BINS, i, &bin);
	to = add_line(d, bin.ticks);
	fprintf(to, "bin %s", kind_name(d, bin.kind));
	print_place(to, d, bin.module, bin.address);
	fclose(to);
}

static void print_threads(const struct dump *d)
{
	for (size_t i = 0; i < d->section[IN_THREADS].n; i++) {
		size_t bytes = d->section[IN_THREADS].record;
		struct gmon_ext_thread thread;

		get(d, IN_THREADS, i, &thread);
		printf("thread %u %s %" PRIu64, thread.tid, text(d, thread.name), thread.cpu_ns);
		if (bytes >= GMON_EXT_THREAD_LOOKS)
			printf(" looks %" PRIu64 " squares %" PRIu64, thread.looks, thread.squares);
		if (bytes >= sizeof(thread))
			printf(" runnable %" PRIu64 " life %" PRIu64, thread.runnable_ns,
			       thread.life_ns);
		putchar('\n');
	}
}

static void print_head(const struct dump *d)
{
	printf("version %u pointer %u stamp %016" PRIx64 " bytes %" PRIu64 " nodes %zu\n",
	       (unsigned)HEAD_FIELD(d, version), (unsigned)HEAD_FIELD(d, pointer_bytes),
	       HEAD_FIELD(d, stamp), HEAD_FIELD(d, bytes), d->section[IN_NODES].n);
	for (size_t i = 0; i < d->section[IN_SUM].n; i++) {
		struct gmon_ext_sum sum;

		get(d, IN_SUM, i, &sum);
		printf("sum of %u, %u lacking, %u with objects\n", sum.recordings, sum.lacking,
		       sum.objects);
	}
	for (size_t i = 0; i < d->section[IN_MODULES].n; i++) {
		struct gmon_ext_module module;

		get(d, IN_MODULES, i, &module);
		printf("module %s 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " flags %u ",
		       text(d, module.path), module.low, module.high, module.bias, module.flags);
		print_module(stdout, d, (uint32_t)i);
		putchar('\n');
	}
	print_threads(d);
	for (size_t i = 0; i < d->section[IN_KINDS].n; i++) {
		struct gmon_ext_kind kind;

		get(d, IN_KINDS, i, &kind);
		printf("kind %s %" PRIu64 " %.15s %c\n", text(d, kind.name), kind.rate,
		       kind.dimension, kind.abbreviation);
	}
}

static void print_slices(const struct dump *d)
{
	for (size_t i = 0; i < d->section[IN_TIMELINES].n; i++) {
		struct gmon_ext_timeline t;

		get(d, IN_TIMELINES, i, &t);
		printf("timeline %u %u %" PRIu64 " %" PRIu64 "\n", t.recording, t.slices,
		       t.start_ns, t.slice_ns);
	}
	for (size_t i = 0; i < d->section[IN_SLICES].n; i++) {
		struct gmon_ext_slice s;
		struct gmon_ext_sample sample;

		get(d, IN_SLICES, i, &s);
		get(d, IN_SAMPLES, s.sample, &sample);
		printf("slice %u %u %s %" PRIu64 "\n", s.slice, sample.thread,
		       kind_name(d, sample.kind), s.ticks);
	}
}

static void print_sites(const struct dump *d)
{
	for (size_t i = 0; i < d->section[IN_SITES].n; i++) {
		struct gmon_ext_site s;

		get(d, IN_SITES, i, &s);
		printf("site %u functions %u dropped %u sites %" PRIu64 " direct %" PRIu64
		       " indirect %" PRIu64 "\n",
		       s.module, s.functions, s.dropped, s.sites, s.direct, s.indirect);
	}
	for (size_t i = 0; i < d->section[IN_PARTIAL].n; i++) {
		struct gmon_ext_part p;

		get(d, IN_PARTIAL, i, &p);
		printf("part %u:0x%" PRIx64 " %u\n", p.module, p.address, p.reasons);
	}
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
	size_t nlines;

	bytes_load(&d.b, path[0] == '/' ? "" : ".", path);
	if (d.b.n < sizeof(struct gmon_ext_head) || memcmp(d.b.data, GMON_EXT_MAGIC, 8) != 0)
		die("%s: no file of call stacks", path);
	d.b.big = HEAD_FIELD(&d, byte_order) != GMON_EXT_ORDER;
	for (int id = 0; id < IN_PARTS; id++)
		d.section[id] = find(&d, ext_tags[id]);
	nlines = d.section[IN_SAMPLES].n + d.section[IN_ARCS].n + d.section[IN_BINS].n;
	d.line = xcalloc(nlines + 1, sizeof(*d.line));
	d.ticks = xcalloc(nlines + 1, sizeof(*d.ticks));
	for (size_t i = 0; i < d.section[IN_SAMPLES].n; i++)
		add_sample(&d, i);
	for (size_t i = 0; i < d.section[IN_ARCS].n; i++)
		add_arc(&d, i);
	for (size_t i = 0; i < d.section[IN_BINS].n; i++)
		add_bin(&d, i);
	if (!sorted) {
		print_head(&d);
		print_slices(&d);
		print_sites(&d);
	}
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
