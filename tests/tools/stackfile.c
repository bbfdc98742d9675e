/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stackfile.h"

#include <string.h>

enum { HEAD = 40, ENTRY = 24, STAMP_AT = 24 };

static const struct {
	char tag[5];
	unsigned record;
} parts[STACKFILE_PARTS] = { { "STRS", 1 },  { "MODS", 72 }, { "THRD", 24 }, { "KIND", 32 },
			     { "NODE", 16 }, { "SAMP", 24 }, { "ARCS", 40 }, { "HIST", 24 } };

uint32_t stackfile_count(const struct stackfile *f, enum stackfile_part part)
{
	return (uint32_t)(f->part[part].n / parts[part].record);
}

static struct bytes *part(struct stackfile *f, enum stackfile_part which)
{
	f->part[which].big = f->big;
	return &f->part[which];
}

/* Where a copy of the text stands; the first one is "". */
static uint32_t text(struct stackfile *f, const char *s)
{
	struct bytes *b = part(f, IN_STRS);
	uint32_t at;

	if (b->n == 0)
		bytes_put(b, 0, 1);
	if (!*s)
		return 0;
	at = (uint32_t)b->n;
	bytes_add(b, s, strlen(s) + 1);
	return at;
}

uint32_t stackfile_module(struct stackfile *f, const struct stackfile_module *m)
{
	struct bytes *b = part(f, IN_MODS);

	bytes_put(b, m->low, 8);
	bytes_put(b, m->high, 8);
	bytes_put(b, m->bias, 8);
	bytes_put(b, 0, 8);
	bytes_put(b, text(f, m->path), 4);
	bytes_put(b, m->build_id_bytes, 1);
	bytes_put(b, m->flags, 1);
	bytes_put(b, 0, 2);
	bytes_add(b, m->build_id, sizeof(m->build_id));
	bytes_fill(b, 0, 12);
	return stackfile_count(f, IN_MODS) - 1;
}

/* The text to which the record's field refers. */
static const char *text_at(const struct stackfile *f, enum stackfile_part which, size_t at)
{
	return (const char *)f->part[IN_STRS].data + bytes_get(&f->part[which], at, 4);
}

uint32_t stackfile_find_module(const struct stackfile *f, const char *name)
{
	uint32_t n = stackfile_count(f, IN_MODS);

	for (uint32_t i = 0; i < n; i++) {
		const char *path = text_at(f, IN_MODS, i * 72 + 32), *slash = strrchr(path, '/');

		if (strcmp(slash ? slash + 1 : path, name) == 0 || strcmp(path, name) == 0)
			return i;
	}
	return STACKFILE_NONE;
}

uint32_t stackfile_find_kind(const struct stackfile *f, const char *name)
{
	uint32_t n = stackfile_count(f, IN_KIND);

	for (uint32_t i = 0; i < n; i++)
		if (strcmp(text_at(f, IN_KIND, i * 32), name) == 0)
			return i;
	return STACKFILE_NONE;
}

uint32_t stackfile_thread(struct stackfile *f, uint32_t tid, const char *name, uint64_t cpu_ns)
{
	struct bytes *b = part(f, IN_THRD);

	bytes_put(b, tid, 4);
	bytes_put(b, text(f, name), 4);
	bytes_put(b, cpu_ns, 8);
	bytes_put(b, 0, 8);
	return stackfile_count(f, IN_THRD) - 1;
}

void stackfile_looks(struct stackfile *f, uint32_t thread, uint64_t looks, uint64_t squares)
{
	f->looks.big = f->big;
	bytes_fill(&f->looks, 0, 16 * (thread + 1) - f->looks.n);
	bytes_set(&f->looks, 16 * thread, looks, 8);
	bytes_set(&f->looks, 16 * thread + 8, squares, 8);
}

void stackfile_life(struct stackfile *f, uint32_t thread, uint64_t runnable_ns, uint64_t life_ns)
{
	f->life.big = f->big;
	bytes_fill(&f->life, 0, 16 * (thread + 1) - f->life.n);
	bytes_set(&f->life, 16 * thread, runnable_ns, 8);
	bytes_set(&f->life, 16 * thread + 8, life_ns, 8);
}

uint32_t stackfile_find_thread(const struct stackfile *f, uint32_t tid)
{
	uint32_t n = stackfile_count(f, IN_THRD);

	for (uint32_t i = 0; i < n; i++)
		if (bytes_get(&f->part[IN_THRD], i * 24, 4) == tid)
			return i;
	return STACKFILE_NONE;
}

uint32_t stackfile_kind(struct stackfile *f, const char *name, uint64_t rate, const char *dimension,
			char abbreviation)
{
	struct bytes *b = part(f, IN_KIND);
	char padded[15] = { 0 };

	memcpy(padded, dimension, strnlen(dimension, sizeof(padded)));
	bytes_put(b, text(f, name), 4);
	bytes_put(b, 0, 4);
	bytes_put(b, rate, 8);
	bytes_add(b, padded, sizeof(padded));
	bytes_put(b, (unsigned char)abbreviation, 1);
	return stackfile_count(f, IN_KIND) - 1;
}

uint32_t stackfile_node(struct stackfile *f, uint32_t parent, uint32_t module, uint64_t address)
{
	struct bytes *b = part(f, IN_NODE);

	bytes_put(b, parent, 4);
	bytes_put(b, module, 4);
	bytes_put(b, address, 8);
	return stackfile_count(f, IN_NODE) - 1;
}

uint32_t stackfile_child(struct stackfile *f, uint32_t parent, uint32_t module, uint64_t address)
{
	const struct bytes *b = &f->part[IN_NODE];

	for (size_t at = 0; at < b->n; at += 16)
		if (bytes_get(b, at, 4) == parent && bytes_get(b, at + 4, 4) == module &&
		    bytes_get(b, at + 8, 8) == address)
			return (uint32_t)(at / 16);
	return stackfile_node(f, parent, module, address);
}

uint32_t stackfile_sample(struct stackfile *f, uint32_t node, uint32_t thread, uint32_t kind,
			  uint32_t quality, uint64_t ticks)
{
	struct bytes *b = part(f, IN_SAMP);

	bytes_put(b, node, 4);
	bytes_put(b, thread, 4);
	bytes_put(b, kind, 4);
	bytes_put(b, quality, 4);
	bytes_put(b, ticks, 8);
	return stackfile_count(f, IN_SAMP) - 1;
}

void stackfile_arc(struct stackfile *f, struct stackfile_place from, struct stackfile_place self,
		   uint64_t calls, uint32_t first)
{
	struct bytes *b = part(f, IN_ARCS);

	bytes_put(b, from.module, 4);
	bytes_put(b, self.module, 4);
	bytes_put(b, from.address, 8);
	bytes_put(b, self.address, 8);
	bytes_put(b, calls, 8);
	bytes_put(b, STACKFILE_NONE, 4);
	bytes_put(b, first, 4);
}

void stackfile_bin(struct stackfile *f, struct stackfile_place place, uint32_t kind, uint64_t ticks)
{
	struct bytes *b = part(f, IN_HIST);

	bytes_put(b, place.module, 4);
	bytes_put(b, kind, 4);
	bytes_put(b, place.address, 8);
	bytes_put(b, ticks, 8);
}

uint64_t stackfile_stamp(const struct bytes *profile)
{
	uint64_t stamp = 0xcbf29ce484222325;

	for (size_t i = 0; i < profile->n; i++)
		stamp = (stamp ^ profile->data[i]) * 0x100000001b3;
	return stamp;
}

/* Sections of what a file has none of are not there: stacks, or calls and ticks of modules. */
static bool is_there(const struct stackfile *f, int i)
{
	bool objects = f->part[IN_ARCS].n + f->part[IN_HIST].n > 0;

	if (i == IN_THRD || i == IN_NODE || i == IN_SAMP)
		return !objects || f->part[IN_THRD].n > 0;
	return objects || (i != IN_ARCS && i != IN_HIST);
}

/* Threads' records are longer if the looks at one are known, or its life. */
static size_t record_bytes(const struct stackfile *f, int i)
{
	return parts[i].record + (i != IN_THRD ? 0 : f->life.n ? 32 : f->looks.n ? 16 : 0);
}

static void add_more(struct bytes *out, const struct bytes *more, size_t thread)
{
	if (thread * 16 < more->n)
		bytes_add(out, more->data + thread * 16, 16);
	else
		bytes_fill(out, 0, 16);
}

static void add_part(struct bytes *out, const struct stackfile *f, int i)
{
	const struct bytes *b = &f->part[i];

	if (record_bytes(f, i) == parts[i].record && b->n)
		bytes_add(out, b->data, b->n);
	for (size_t at = 0; record_bytes(f, i) > parts[i].record && at < b->n; at += 24) {
		bytes_add(out, b->data + at, 24);
		add_more(out, &f->looks, at / 24);
		if (f->life.n)
			add_more(out, &f->life, at / 24);
	}
	bytes_fill(out, 0, -out->n % 8);
}

void stackfile_save(const struct stackfile *f, const struct bytes *profile, unsigned width,
		    const char *dir, const char *name)
{
	struct bytes out = { .big = f->big };
	uint32_t n = 0;
	size_t at;

	for (int i = 0; i < STACKFILE_PARTS; i++)
		n += is_there(f, i);
	at = HEAD + n * ENTRY;
	bytes_add(&out, "gmonext\n", 8);
	bytes_put(&out, 1, 4);
	bytes_put(&out, 0x01020304, 4);
	bytes_put(&out, width, 4);
	bytes_put(&out, n, 4);
	bytes_put(&out, stackfile_stamp(profile), 8);
	bytes_put(&out, 0, 8);
	for (int i = 0; i < STACKFILE_PARTS; i++) {
		if (!is_there(f, i))
			continue;
		bytes_add(&out, parts[i].tag, 4);
		bytes_put(&out, record_bytes(f, i), 4);
		bytes_put(&out, at, 8);
		bytes_put(&out, f->part[i].n / parts[i].record, 8);
		at += (f->part[i].n / parts[i].record * record_bytes(f, i) + 7) / 8 * 8;
	}
	for (int i = 0; i < STACKFILE_PARTS; i++)
		add_part(&out, f, i);
	bytes_set(&out, STAMP_AT + 8, out.n, 8);
	bytes_save(&out, dir, name);
	bytes_free(&out);
}

void stackfile_free(struct stackfile *f)
{
	for (int i = 0; i < STACKFILE_PARTS; i++)
		bytes_free(&f->part[i]);
	bytes_free(&f->looks);
	bytes_free(&f->life);
}
