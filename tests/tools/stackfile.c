/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stackfile.h"

#include <stddef.h>
#include <string.h>

uint32_t stackfile_count(const struct stackfile *f, enum ext_section_id id)
{
	return (uint32_t)(f->part[id].n / ext_records[id].bytes);
}

/* Appends a record, which is the struct of gmon_ext.h; returns its index. */
static uint32_t add(struct stackfile *f, enum ext_section_id id, const void *record)
{
	f->part[id].big = f->big;
	extrecords_put(&f->part[id], id, record);
	return stackfile_count(f, id) - 1;
}

static void get(const struct stackfile *f, enum ext_section_id id, uint32_t i, void *record)
{
	extrecords_get(&f->part[id], (size_t)i * ext_records[id].bytes, ext_records[id].bytes, id,
		       record);
}

/* Where a copy of the text stands; the first one is "". */
static uint32_t text(struct stackfile *f, const char *s)
{
	struct bytes *b = &f->part[IN_STRINGS];
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
	struct gmon_ext_module module = { .low = m->low,
					  .high = m->high,
					  .bias = m->bias,
					  .path = text(f, m->path),
					  .build_id_bytes = (uint8_t)m->build_id_bytes,
					  .flags = (uint8_t)m->flags };

	memcpy(module.build_id, m->build_id, sizeof(module.build_id));
	return add(f, IN_MODULES, &module);
}

static const char *text_at(const struct stackfile *f, uint32_t offset)
{
	return (const char *)f->part[IN_STRINGS].data + offset;
}

uint32_t stackfile_find_module(const struct stackfile *f, const char *name)
{
	for (uint32_t i = 0; i < stackfile_count(f, IN_MODULES); i++) {
		struct gmon_ext_module module;
		const char *path, *slash;

		get(f, IN_MODULES, i, &module);
		path = text_at(f, module.path);
		slash = strrchr(path, '/');
		if (strcmp(slash ? slash + 1 : path, name) == 0 || strcmp(path, name) == 0)
			return i;
	}
	return STACKFILE_NONE;
}

uint32_t stackfile_find_kind(const struct stackfile *f, const char *name)
{
	for (uint32_t i = 0; i < stackfile_count(f, IN_KINDS); i++) {
		struct gmon_ext_kind kind;

		get(f, IN_KINDS, i, &kind);
		if (strcmp(text_at(f, kind.name), name) == 0)
			return i;
	}
	return STACKFILE_NONE;
}

uint32_t stackfile_thread(struct stackfile *f, uint32_t tid, const char *name, uint64_t cpu_ns)
{
	return add(
		f, IN_THREADS,
		&(struct gmon_ext_thread){ .tid = tid, .name = text(f, name), .cpu_ns = cpu_ns });
}

/* Sets a field of 8 bytes of a thread's record. */
static void set_of_thread(struct stackfile *f, uint32_t thread, size_t field, uint64_t value)
{
	bytes_set(&f->part[IN_THREADS], thread * sizeof(struct gmon_ext_thread) + field, value, 8);
}

void stackfile_looks(struct stackfile *f, uint32_t thread, uint64_t looks, uint64_t squares)
{
	f->has_looks = true;
	set_of_thread(f, thread, offsetof(struct gmon_ext_thread, looks), looks);
	set_of_thread(f, thread, offsetof(struct gmon_ext_thread, squares), squares);
}

void stackfile_life(struct stackfile *f, uint32_t thread, uint64_t runnable_ns, uint64_t life_ns)
{
	f->has_life = true;
	set_of_thread(f, thread, offsetof(struct gmon_ext_thread, runnable_ns), runnable_ns);
	set_of_thread(f, thread, offsetof(struct gmon_ext_thread, life_ns), life_ns);
}

uint32_t stackfile_find_thread(const struct stackfile *f, uint32_t tid)
{
	for (uint32_t i = 0; i < stackfile_count(f, IN_THREADS); i++) {
		struct gmon_ext_thread thread;

		get(f, IN_THREADS, i, &thread);
		if (thread.tid == tid)
			return i;
	}
	return STACKFILE_NONE;
}

uint32_t stackfile_kind(struct stackfile *f, const char *name, uint64_t rate, const char *dimension,
			char abbreviation)
{
	struct gmon_ext_kind kind = { .name = text(f, name),
				      .rate = rate,
				      .abbreviation = abbreviation };

	memcpy(kind.dimension, dimension, strnlen(dimension, sizeof(kind.dimension)));
	return add(f, IN_KINDS, &kind);
}

uint32_t stackfile_node(struct stackfile *f, uint32_t parent, uint32_t module, uint64_t address)
{
	return add(f, IN_NODES, &(struct gmon_ext_node){ parent, module, address });
}

uint32_t stackfile_child(struct stackfile *f, uint32_t parent, uint32_t module, uint64_t address)
{
	for (uint32_t i = 0; i < stackfile_count(f, IN_NODES); i++) {
		struct gmon_ext_node node;

		get(f, IN_NODES, i, &node);
		if (node.parent == parent && node.module == module && node.address == address)
			return i;
	}
	return stackfile_node(f, parent, module, address);
}

uint32_t stackfile_sample(struct stackfile *f, uint32_t node, uint32_t thread, uint32_t kind,
			  uint32_t quality, uint64_t ticks)
{
	return add(f, IN_SAMPLES, &(struct gmon_ext_sample){ node, thread, kind, quality, ticks });
}

void stackfile_hold(struct stackfile *f, const struct gmon_ext_hold *hold)
{
	add(f, IN_HOLDS, hold);
}

void stackfile_square(struct stackfile *f, uint32_t node, uint32_t thread, uint64_t squares)
{
	add(f, IN_SQUARES, &(struct gmon_ext_square){ node, thread, squares });
}

void stackfile_timeline(struct stackfile *f, uint64_t start_ns, uint64_t slice_ns, uint32_t slices)
{
	add(f, IN_TIMELINES, &(struct gmon_ext_timeline){ 0, slices, start_ns, slice_ns });
}

void stackfile_slice(struct stackfile *f, uint32_t sample, uint32_t slice, uint64_t ticks)
{
	add(f, IN_SLICES, &(struct gmon_ext_slice){ sample, slice, ticks });
}

void stackfile_arc(struct stackfile *f, struct stackfile_place from, struct stackfile_place self,
		   uint64_t calls, uint32_t first)
{
	add(f, IN_ARCS,
	    &(struct gmon_ext_arc){ .from_module = from.module,
				    .self_module = self.module,
				    .from = from.address,
				    .self = self.address,
				    .calls = calls,
				    .thread = STACKFILE_NONE,
				    .first = first });
}

void stackfile_bin(struct stackfile *f, struct stackfile_place place, uint32_t kind, uint64_t ticks)
{
	add(f, IN_BINS, &(struct gmon_ext_bin){ place.module, kind, place.address, ticks });
}

void stackfile_site(struct stackfile *f, const struct gmon_ext_site *site)
{
	add(f, IN_SITES, site);
}

void stackfile_part(struct stackfile *f, struct stackfile_place place, uint32_t reasons)
{
	add(f, IN_PARTIAL, &(struct gmon_ext_part){ place.module, reasons, place.address });
}

void stackfile_process(struct stackfile *f, uint32_t pid, uint32_t parent, uint64_t cpu_ns,
		       const char *program, const char *command)
{
	add(f, IN_PROCESSES,
	    &(struct gmon_ext_process){ .pid = pid,
					.parent = parent,
					.command = text(f, command),
					.ending = GMON_EXT_EXITED,
					.start_ns = 1,
					.end_ns = 1 + cpu_ns,
					.cpu_ns = cpu_ns,
					.program = text(f, program) });
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
	bool objects = f->part[IN_ARCS].n + f->part[IN_BINS].n > 0;

	if (i == IN_THREADS || i == IN_NODES || i == IN_SAMPLES)
		return !objects || f->part[IN_THREADS].n > 0;
	if (i == IN_ARCS || i == IN_BINS)
		return objects;
	return f->part[i].n > 0 || (i != IN_TIMELINES && i != IN_SLICES && i != IN_PROCESSES &&
				    i != IN_SUM && i != IN_SQUARES && i != IN_HOLDS);
}

/* Threads' records are longer if the looks at one are known, or its life. */
static size_t record_bytes(const struct stackfile *f, int i)
{
	if (i != IN_THREADS)
		return ext_records[i].bytes;
	return f->has_life    ? sizeof(struct gmon_ext_thread)
	       : f->has_looks ? GMON_EXT_THREAD_LOOKS
			      : GMON_EXT_THREAD_LEAST;
}

static void add_part(struct bytes *out, const struct stackfile *f, int i)
{
	const struct bytes *b = &f->part[i];

	for (size_t at = 0; at < b->n; at += ext_records[i].bytes)
		bytes_add(out, b->data + at, record_bytes(f, i));
	bytes_fill(out, 0, -out->n % 8);
}

void stackfile_save(const struct stackfile *f, const struct bytes *profile, unsigned width,
		    const char *dir, const char *name)
{
	struct bytes out = { .big = f->big };
	uint32_t n = 0;
	size_t at;

	for (int i = 0; i < IN_PARTS; i++)
		n += is_there(f, i);
	at = sizeof(struct gmon_ext_head) + n * sizeof(struct gmon_ext_section);
	bytes_add(&out, "gmonext\n", 8);
	bytes_put(&out, 1, 4);
	bytes_put(&out, 0x01020304, 4);
	bytes_put(&out, width, 4);
	bytes_put(&out, n, 4);
	bytes_put(&out, stackfile_stamp(profile), 8);
	bytes_put(&out, 0, 8);
	for (int i = 0; i < IN_PARTS; i++) {
		if (!is_there(f, i))
			continue;
		bytes_add(&out, ext_tags[i], 4);
		bytes_put(&out, record_bytes(f, i), 4);
		bytes_put(&out, at, 8);
		bytes_put(&out, stackfile_count(f, i), 8);
		at += (stackfile_count(f, i) * record_bytes(f, i) + 7) / 8 * 8;
	}
	for (int i = 0; i < IN_PARTS; i++)
		add_part(&out, f, i);
	bytes_set(&out, offsetof(struct gmon_ext_head, bytes), out.n, 8);
	bytes_save(&out, dir, name);
	bytes_free(&out);
}

void stackfile_free(struct stackfile *f)
{
	for (int i = 0; i < IN_PARTS; i++)
		bytes_free(&f->part[i]);
}
