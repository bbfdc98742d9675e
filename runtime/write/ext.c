/* SPDX-License-Identifier: MIT */
/*
 * Writes gmon.out.ext. Somebody may have overwritten data in blocks, and data may be newer than
 * what was read before, so each number is checked before it is used or written.
 */
#include "write/ext.h"

#include <gmon_ext.h>

#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "count/table.h"
#include "record/holds.h"
#include "record/kinds.h"
#include "record/modules.h"
#include "record/process.h"
#include "record/stacks.h"
#include "record/strings.h"
#include "record/thread_records.h"
#include "record/tree.h"
#include "state.h"
#include "write/arcs.h"
#include "write/file.h"
#include "write/whens.h"

enum { EXT_SECTIONS = 13, EXT_ALIGN = 8, EXT_SPARE = 1024 /* room for new pairs */ };

_Static_assert(sizeof(struct gmon_ext_head) == 40, "the same for all pointer widths");
_Static_assert(sizeof(struct gmon_ext_module) == 72, "the same for all pointer widths");
_Static_assert(sizeof(struct gmon_ext_thread) == 56, "the same for all pointer widths");
_Static_assert(sizeof(struct gmon_ext_sample) == 24, "the same for all pointer widths");
_Static_assert(sizeof(struct gmon_ext_square) == 16, "the same for all pointer widths");
_Static_assert(sizeof(struct gmon_ext_process) == 64, "the same for all pointer widths");

/* What is known of a node while the nodes to be written are chosen. */
enum ext_mark { EXT_WHOLE = 1 /* all its callers are there */, EXT_WANTED = 2 /* has samples */ };

/* All that goes into the file; what was not asked for is zero. */
struct ext {
	uint64_t stamp;
	const char *string;
	struct table *samples;     /* samples of all threads */
	uint64_t lost[KINDS_ROOM]; /* lost ticks of each kind */
	/* for each node, at first a set of enum ext_mark; after ext_number_nodes() 1 + its number
	 * in the file, or 0: it is not written */
	uint32_t *number;
	uint32_t end; /* the number after the last node */
	uint32_t nstrings, nmodules, nthreads, nkinds, nnodes, nsamples, nsquares, nholds;
	struct gmon_ext_hold *hold; /* nholds of them, with nodes of the tree */
	struct whens whens;
	struct arcs arcs;
};

static struct table *ext_merge(void)
{
	struct table *merged = table_private(EXT_SPARE + table_used(GMON_LIVE_SAMPLES));

	if (!merged)
		return NULL;
	for (const struct table *table = table_first(GMON_LIVE_SAMPLES); table;
	     table = table_next(table)) {
		for (size_t i = 0; i < table_ncells(table); i++) {
			const struct cell *cell = &table->cell[i];
			uint64_t ticks = table_count(cell);

			if (table_from(cell) > FROM_CLAIMED && ticks)
				table_add(merged, table_from(cell), cell->self, ticks,
					  table_full(merged));
		}
	}
	return merged;
}

/* Calls visit() for each sample. */
static void ext_each_sample(const struct ext *ext,
			    void visit(const struct ext *, const struct cell *, void *),
			    void *context)
{
	for (size_t i = 0; i < table_ncells(ext->samples); i++)
		if (ext->samples->cell[i].from != FROM_NONE)
			visit(ext, &ext->samples->cell[i], context);
}

static bool ext_is_square(const struct cell *cell)
{
	return stacks_kind(cell) == GMON_LIVE_SQUARES;
}

/* How many cells there are of each sort. */
struct ext_cells {
	uint32_t nsamples, nsquares;
};

static void ext_want_node(const struct ext *ext, uint32_t node)
{
	if (node < ext->end && ext->number[node] & EXT_WHOLE)
		ext->number[node] |= EXT_WANTED;
}

static void ext_want(const struct ext *ext, const struct cell *cell, void *cells)
{
	struct ext_cells *n = cells;

	++*(ext_is_square(cell) ? &n->nsquares : &n->nsamples);
	*table_number(ext->samples, &ext->samples->cell[cell - ext->samples->cell]) =
		ext_is_square(cell) ? 0 : n->nsamples;
	ext_want_node(ext, stacks_node(cell));
}

static void ext_want_holds(const struct ext *ext)
{
	for (uint32_t i = 0; i < ext->nholds; i++) {
		ext_want_node(ext, ext->hold[i].waiter);
		ext_want_node(ext, ext->hold[i].holder);
		ext_want_node(ext, ext->hold[i].first);
	}
}

/* Numbers the nodes that are written: those at which samples end, and all their callers. */
static void ext_number_nodes(struct ext *ext)
{
	struct ext_cells cells = { 0, 0 };

	ext->number[TREE_ROOT] = EXT_WHOLE;
	for (uint32_t i = TREE_ROOT + 1; i < ext->end; i++) {
		const struct gmon_ext_node *node = tree_node(i);
		uint32_t parent = node->parent;

		if (node->address && parent < i && ext->number[parent])
			ext->number[i] = EXT_WHOLE;
	}
	ext_each_sample(ext, ext_want, &cells);
	ext_want_holds(ext);
	ext->nsamples = cells.nsamples;
	ext->nsquares = cells.nsquares;
	whens_count(&ext->whens, ext->samples);
	for (uint32_t i = ext->end; i-- > TREE_ROOT + 1;) {
		uint32_t parent = tree_node(i)->parent;

		if (ext->number[i] & EXT_WANTED && parent < i)
			ext->number[parent] |= EXT_WANTED;
	}
	ext->number[TREE_ROOT] = 0;
	for (uint32_t i = TREE_ROOT + 1; i < ext->end; i++)
		ext->number[i] = ext->number[i] & EXT_WANTED ? ++ext->nnodes : 0;
}

static void ext_free(struct ext *ext)
{
	table_free(ext->samples);
	whens_free(&ext->whens);
	arcs_free(&ext->arcs);
	if (ext->hold)
		sys_munmap(ext->hold, holds_room() * sizeof(ext->hold[0]));
	if (ext->number)
		sys_munmap(ext->number, ext->end * sizeof(ext->number[0]));
}

/* Copies who waited for whom. Without memory for that, there is none. */
static void ext_collect_holds(struct ext *ext)
{
	uint32_t room = holds_room();

	ext->hold = room ? sys_memory(room * sizeof(ext->hold[0])) : NULL;
	for (uint32_t i = 0; ext->hold && i < room; i++)
		if (holds_copy(i, &ext->hold[ext->nholds]))
			ext->nholds++;
}

static bool ext_collect_stacks(struct ext *ext)
{
	stacks_refresh();
	for (uint32_t i = 0; i < KINDS_ROOM; i++)
		ext->lost[i] = wide_load(&gmon.stacks.lost[i]);
	if (!whens_collect(&ext->whens))
		return false;
	ext->samples = ext_merge();
	ext_collect_holds(ext);
	ext->end = tree_end();
	ext->number = sys_memory(ext->end * sizeof(ext->number[0]));
	ext->nthreads = thread_records_number();
	return ext->samples && ext->number;
}

/*
 * Reads samples first, then the nodes that they refer to, then modules, then strings, so that what
 * each refers to exists although recording continues. Returns false if there is no memory.
 */
static bool ext_collect(struct ext *ext)
{
	if (gmon.stacks.on && !ext_collect_stacks(ext))
		return false;
	modules_check();
	ext->nmodules = modules_number();
	ext->nkinds = kinds_number();
	if (gmon.modules.of_calls && !arcs_collect(&ext->arcs, ext->nmodules))
		return false;
	ext->string = strings_all(&ext->nstrings);
	if (!gmon.stacks.on)
		return true;
	ext_number_nodes(ext);
	for (uint32_t i = 0; i < ext->nkinds; i++)
		ext->nsamples += ext->lost[i] > 0;
	return true;
}

static uint64_t ext_align(uint64_t offset)
{
	return (offset + EXT_ALIGN - 1) & ~(uint64_t)(EXT_ALIGN - 1);
}

/*
 * Returns the number of records of modules. One more is for addresses that may belong to several
 * modules.
 */
static uint32_t ext_modules(const struct ext *ext)
{
	return ext->nmodules + ext->arcs.several;
}

/* Returns the size of a thread's record, which is smaller without GMON=clock=wall. */
static uint32_t ext_thread_bytes(void)
{
	return gmon.offcpu.on ? sizeof(struct gmon_ext_thread) : GMON_EXT_THREAD_LOOKS;
}

/* Sets the sections that the file has, without their offsets. Returns their number. */
static uint32_t ext_sections(struct gmon_ext_section to[EXT_SECTIONS], const struct ext *ext)
{
	const struct gmon_ext_section all[EXT_SECTIONS] = {
		{ GMON_EXT_STRINGS, 1, 0, ext->nstrings },
		{ GMON_EXT_MODULES, sizeof(struct gmon_ext_module), 0, ext_modules(ext) },
		{ GMON_EXT_THREADS, ext_thread_bytes(), 0, ext->nthreads },
		{ GMON_EXT_KINDS, sizeof(struct gmon_ext_kind), 0, ext->nkinds },
		{ GMON_EXT_NODES, sizeof(struct gmon_ext_node), 0, ext->nnodes },
		{ GMON_EXT_SAMPLES, sizeof(struct gmon_ext_sample), 0, ext->nsamples },
		{ GMON_EXT_SQUARES, sizeof(struct gmon_ext_square), 0, ext->nsquares },
		{ GMON_EXT_HOLDS, sizeof(struct gmon_ext_hold), 0, ext->nholds },
		{ GMON_EXT_TIMELINES, sizeof(struct gmon_ext_timeline), 0, 1 },
		{ GMON_EXT_SLICES, sizeof(struct gmon_ext_slice), 0, ext->whens.n },
		{ GMON_EXT_ARCS, sizeof(struct gmon_ext_arc), 0, ext->arcs.ncalls },
		{ GMON_EXT_BINS, sizeof(struct gmon_ext_bin), 0, ext->arcs.nticks },
		{ GMON_EXT_PROCESS, GMON_EXT_PROCESS_LEAST, 0, 1 },
	};
	const bool stacks = gmon.stacks.on, calls = gmon.modules.of_calls;
	const bool wanted[EXT_SECTIONS] = {
		true,
		true,
		stacks,
		true,
		stacks,
		stacks,
		stacks && gmon.offcpu.on,
		ext->nholds > 0,
		ext->whens.table,
		ext->whens.table,
		calls,
		calls,
		gmon.settings.run,
	};
	uint32_t n = 0;

	for (int i = 0; i < EXT_SECTIONS; i++)
		if (wanted[i])
			to[n++] = all[i];
	return n;
}

static void ext_put_head(struct file_writer *file, const struct ext *ext)
{
	struct gmon_ext_section section[EXT_SECTIONS];
	uint32_t n = ext_sections(section, ext);
	struct gmon_ext_head head = {
		.magic = GMON_EXT_MAGIC,
		.version = GMON_EXT_VERSION,
		.byte_order = GMON_EXT_ORDER,
		.pointer_bytes = sizeof(void *),
		.sections = n,
		.stamp = ext->stamp,
		.bytes = sizeof(head) + n * sizeof(section[0]),
	};

	for (uint32_t i = 0; i < n; i++) {
		section[i].offset = head.bytes;
		head.bytes += ext_align(section[i].record_bytes * section[i].records);
	}
	file_put(file, &head, sizeof(head));
	file_put(file, section, n * sizeof(section[0]));
}

/* Makes the first and the last byte zero, so that each string ends whatever the block contains. */
static void ext_put_strings(struct file_writer *file, const struct ext *ext)
{
	static const char zeros[EXT_ALIGN];

	for (uint32_t i = 0; i < ext->nstrings; i++)
		file_put(file, i == 0 || i == ext->nstrings - 1 ? zeros : &ext->string[i], 1);
	file_put(file, zeros, (size_t)ext_align(ext->nstrings) - ext->nstrings);
}

static uint32_t ext_string(const struct ext *ext, uint32_t string)
{
	return string < ext->nstrings ? string : 0;
}

static void ext_put_modules(struct file_writer *file, const struct ext *ext)
{
	for (uint32_t i = 0; i < ext->nmodules; i++) {
		struct gmon_ext_module module;

		modules_copy(i, &module);
		module.path = ext_string(ext, module.path);
		file_put(file, &module, sizeof(module));
	}
	if (ext->arcs.several) {
		const struct gmon_ext_module several = {
			.path = ext_string(ext, gmon.modules.several_name),
			.flags = GMON_EXT_UNLOADED | GMON_EXT_SEVERAL,
		};

		file_put(file, &several, sizeof(several));
	}
}

static void ext_put_threads(struct file_writer *file, const struct ext *ext)
{
	for (uint32_t i = 0; i < ext->nthreads; i++) {
		struct gmon_ext_thread thread;

		thread_records_copy(i, &thread);
		thread.name = ext_string(ext, thread.name);
		file_put(file, &thread, ext_thread_bytes());
	}
}

static void ext_put_kinds(struct file_writer *file, const struct ext *ext)
{
	for (uint32_t i = 0; i < ext->nkinds; i++) {
		struct gmon_ext_kind kind = kinds_copy(i);

		kind.name = ext_string(ext, kind.name);
		file_put(file, &kind, sizeof(kind));
	}
}

static void ext_put_nodes(struct file_writer *file, const struct ext *ext)
{
	for (uint32_t i = TREE_ROOT + 1; i < ext->end; i++) {
		struct gmon_ext_node node = *tree_node(i);

		if (!ext->number[i])
			continue;
		node.parent = node.parent < i ? ext->number[node.parent] - 1 : GMON_EXT_NONE;
		if (node.module == GMON_EXT_NONE)
			node.module = modules_guess((uintptr_t)node.address);
		if (node.module < ext->nmodules &&
		    modules_covers(node.module, (uintptr_t)node.address)) {
			node.module = modules_same(node.module);
			node.address = (uintptr_t)(node.address - modules_bias(node.module));
		} else {
			node.module = GMON_EXT_NONE;
		}
		file_put(file, &node, sizeof(node));
	}
}

/* Returns the number in the file of a node of the tree. */
static uint32_t ext_node(const struct ext *ext, uint32_t node)
{
	return node < ext->end ? ext->number[node] - 1 : GMON_EXT_NONE;
}

/* Returns the number in the file of the thread of a cell. */
static uint32_t ext_thread(const struct ext *ext, const struct cell *cell)
{
	return stacks_thread(cell) < ext->nthreads ? stacks_thread(cell) : THREAD_RECORDS_UNKNOWN;
}

static void ext_put_square(const struct ext *ext, const struct cell *cell, void *file)
{
	uint32_t node = stacks_node(cell);
	struct gmon_ext_square square = {
		.node = ext_node(ext, node),
		.thread = ext_thread(ext, cell),
		.squares = table_count(cell),
	};

	if (ext_is_square(cell))
		file_put(file, &square, sizeof(square));
}

static void ext_put_sample(const struct ext *ext, const struct cell *cell, void *file)
{
	uint32_t node = stacks_node(cell);
	struct gmon_ext_sample sample = {
		.node = ext_node(ext, node),
		.thread = ext_thread(ext, cell),
		.kind = stacks_kind(cell),
		.quality = stacks_quality(cell),
		.ticks = table_count(cell),
	};

	if (ext_is_square(cell))
		return;
	if (sample.kind >= ext->nkinds)
		sample.kind = KINDS_CPU;
	if (sample.node == GMON_EXT_NONE && node != TREE_ROOT)
		sample.quality = GMON_EXT_CUT;
	file_put(file, &sample, sizeof(sample));
}

static void ext_put_holds(struct file_writer *file, const struct ext *ext)
{
	for (uint32_t i = 0; i < ext->nholds; i++) {
		struct gmon_ext_hold hold = ext->hold[i];

		hold.waiter = ext_node(ext, hold.waiter);
		hold.holder = ext_node(ext, hold.holder);
		hold.first = ext_node(ext, hold.first);
		file_put(file, &hold, sizeof(hold));
	}
}

static void ext_put_process(struct file_writer *file, const struct ext *ext)
{
	struct gmon_ext_process process;

	process_copy(&process);
	process.command = ext_string(ext, process.command);
	file_put(file, &process, GMON_EXT_PROCESS_LEAST);
}

static void ext_put_samples(struct file_writer *file, const struct ext *ext)
{
	ext_each_sample(ext, ext_put_sample, file);
	for (uint32_t i = 0; i < ext->nkinds; i++) {
		const struct gmon_ext_sample lost = { .node = GMON_EXT_NONE,
						      .thread = THREAD_RECORDS_UNKNOWN,
						      .kind = i,
						      .quality = GMON_EXT_CUT,
						      .ticks = ext->lost[i] };

		if (lost.ticks)
			file_put(file, &lost, sizeof(lost));
	}
}

static void ext_fill(struct file_writer *file, const void *what)
{
	const struct ext *ext = what;

	ext_put_head(file, ext);
	ext_put_strings(file, ext);
	ext_put_modules(file, ext);
	ext_put_threads(file, ext);
	ext_put_kinds(file, ext);
	if (gmon.stacks.on) {
		ext_put_nodes(file, ext);
		ext_put_samples(file, ext);
		if (gmon.offcpu.on)
			ext_each_sample(ext, ext_put_square, file);
		ext_put_holds(file, ext);
		if (ext->whens.table) {
			whens_put_timeline(file, &ext->whens);
			whens_put(file, &ext->whens, ext->samples);
		}
	}
	if (gmon.modules.of_calls) {
		arcs_put_calls(&ext->arcs, file);
		arcs_put_ticks(&ext->arcs, file);
	}
	if (gmon.settings.run)
		ext_put_process(file, ext);
}

bool ext_wanted(void)
{
	return (gmon.stacks.on || gmon.modules.of_calls) && !gmon.settings.has_windows;
}

/* Makes the name of the extension of `path`. Returns false if it is too long. */
static bool ext_name(struct text *name, const char *path)
{
	*name = text_in(gmon.write.beside, sizeof(gmon.write.beside));
	text_add(name, path);
	text_add(name, GMON_EXT_SUFFIX);
	return !name->full;
}

void ext_remove(const char *path)
{
	struct text name;
	bool ours;
	long fd;

	/*
	 * In a sandbox, removing a file may kill the process. Readers see from the stamp that the
	 * extension belongs to another profile.
	 */
	if (sandbox_was_closed() || !ext_name(&name, path))
		return;
	fd = sys_open(name.at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return;
	ours = sys_begins_with((int)fd, GMON_EXT_MAGIC, sizeof(GMON_EXT_MAGIC) - 1);
	sys_close((int)fd);
	if (ours)
		sys_unlink(name.at);
}

/* Makes in `buffer` the name under which the extension waits. Returns false if it is too long. */
static bool ext_waiting_name(struct text *name, char *buffer, size_t room, const char *path)
{
	char digits[16];

	for (int i = 0; i < 16; i++)
		digits[i] = "0123456789abcdef"[gmon.write.ext_stamp >> (60 - 4 * i) & 15];
	*name = text_in(buffer, room);
	text_add(name, path);
	text_add(name, GMON_EXT_SUFFIX ".");
	text_add_bytes(name, digits, sizeof(digits));
	return !name->full;
}

/* Writes the file of the name in gmon.write.beside. Returns 0 or -errno. */
static long ext_write_file(uint64_t stamp)
{
	struct ext ext = { .stamp = stamp };
	struct file_writer *file = sys_memory(sizeof(*file));
	long error = -ENOMEM;

	if (file && ext_collect(&ext)) {
		file->hasty = gmon.settings.run;
		error = file_replace(file, gmon.write.beside, ext_fill, &ext);
	}
	ext_free(&ext);
	if (file)
		sys_munmap(file, sizeof(*file));
	return error;
}

/* Writes the file under its own name. */
static void ext_write_directly(const char *path)
{
	struct text name;
	long error = -ENAMETOOLONG;

	if (ext_name(&name, path))
		error = ext_write_file(gmon.write.ext_stamp);
	gmon.write.ext = error ? EXT_MISSING : EXT_WRITTEN;
	if (error)
		text_complain("cannot write", name.at, error);
}

void ext_write(const char *path, uint64_t stamp)
{
	struct text name;

	gmon.write.ext_stamp = stamp;
	if (!sandbox_was_closed() && ext_name(&name, path) &&
	    !sys_failed(SYS3(SYS_faccessat, AT_FDCWD, name.at, F_OK)) &&
	    ext_waiting_name(&name, gmon.write.beside, sizeof(gmon.write.beside), path) &&
	    !sys_failed(ext_write_file(stamp)))
		gmon.write.ext = EXT_WAITS;
	else
		ext_write_directly(path);
}

void ext_publish(const char *path)
{
	/* The profile is written, so its writer's buffer is free. */
	char *buffer = gmon.write.file.temporary;
	struct text waiting, name;

	if (gmon.write.ext == EXT_MISSING)
		ext_remove(path);
	if (gmon.write.ext != EXT_WAITS ||
	    !ext_waiting_name(&waiting, buffer, sizeof(gmon.write.file.temporary), path) ||
	    !ext_name(&name, path) || !sys_failed(sys_rename(waiting.at, name.at)))
		return;
	/* It may still be written in place: see file_replace(). */
	ext_write_directly(path);
	sys_unlink(buffer);
}

void ext_drop(const char *path)
{
	struct text waiting;

	if (gmon.write.ext == EXT_WAITS &&
	    ext_waiting_name(&waiting, gmon.write.beside, sizeof(gmon.write.beside), path))
		sys_unlink(waiting.at);
	else if (gmon.write.ext == EXT_WRITTEN)
		ext_remove(path);
}
