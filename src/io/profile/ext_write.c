/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/ext_write.h"

#include "base/index.h"
#include "base/strtable.h"
#include "gmon_ext.h"
#include "io/file.h"
#include "io/profile/ext_read.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNMENT = 8 };

/* A text that has its place among the strings. */
struct placed_text {
	const char *text; /* of the table: equal ones have one address */
	uint32_t at;
};

/* Strings that grow. */
struct placing {
	struct ext_texts *texts;
	struct strtable table;
	ARRAY(struct placed_text) symbolized;
	struct index index; /* of symbolized */
	struct arena *mem, *scratch;
};

static uint64_t ext_text_hash(const void *symbolized, size_t place)
{
	return index_hash_pair((uintptr_t)((const struct placed_text *)symbolized)[place].text, 0);
}

static bool ext_text_is(const void *symbolized, size_t place, const void *text)
{
	return ((const struct placed_text *)symbolized)[place].text ==
	       ((const struct placed_text *)text)->text;
}

static uint32_t ext_place_text(struct placing *p, const char *s)
{
	struct placed_text text = { strtable_add(&p->table, s), (uint32_t)p->texts->bytes.n };
	uint32_t *slot;

	if (!*s)
		return 0;
	index_reserve(&p->index, p->symbolized.n + 1, ext_text_hash, p->symbolized.at,
		      p->symbolized.n, p->scratch);
	slot = index_find(&p->index, ext_text_hash(&text, 0), ext_text_is, p->symbolized.at, &text);
	if (*slot)
		return p->symbolized.at[*slot - 1].at;
	array_push(p->scratch, &p->symbolized) = text;
	*slot = (uint32_t)p->symbolized.n;
	for (; *s; s++)
		array_push(p->mem, &p->texts->bytes) = *s;
	array_push(p->mem, &p->texts->bytes) = '\0';
	return text.at;
}

bool ext_texts_make(struct ext_texts *texts, const struct recorded *rec, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct placing p = { .texts = texts, .mem = mem, .scratch = &scratch };

	*texts = (struct ext_texts){ 0 };
	p.table.mem = &scratch;
	array_push(mem, &texts->bytes) = '\0';
	texts->modules = arena_array(mem, uint32_t, rec->modules.n);
	texts->threads = arena_array(mem, uint32_t, rec->threads.n);
	texts->kinds = arena_array(mem, uint32_t, rec->kinds.n);
	texts->commands = arena_array(mem, uint32_t, rec->processes.n);
	texts->programs = arena_array(mem, uint32_t, rec->processes.n);
	for (size_t i = 0; i < rec->modules.n; i++)
		texts->modules[i] = ext_place_text(&p, rec->modules.at[i].path);
	for (size_t i = 0; i < rec->threads.n; i++)
		texts->threads[i] = ext_place_text(&p, rec->threads.at[i].name);
	for (size_t i = 0; i < rec->kinds.n; i++)
		texts->kinds[i] = ext_place_text(&p, rec->kinds.at[i].name);
	for (size_t i = 0; i < rec->processes.n; i++) {
		texts->commands[i] = ext_place_text(&p, rec->processes.at[i].command);
		texts->programs[i] = ext_place_text(&p, rec->processes.at[i].program);
	}
	arena_free(&scratch);
	return texts->bytes.n < UINT32_MAX;
}

/* Where bytes go, in which order. */
struct ext_out {
	struct output *out;
	bool big_endian;
};

static void ext_put(const struct ext_out *x, uint64_t value, unsigned nbytes)
{
	char *to = output_room(x->out, nbytes);

	for (unsigned i = 0; i < nbytes; i++)
		to[x->big_endian ? nbytes - 1 - i : i] = (char)(value >> 8 * i);
	output_took(x->out, to + nbytes);
}

static void ext_put_zeros(const struct ext_out *x, size_t n)
{
	static const char zeros[16];

	output_bytes(x->out, zeros, n);
}

/* A section to be written. */
struct ext_row {
	const char *tag;
	size_t record, n;
};

enum { EXT_ROWS = 10 };

/* Sums tell what they are of. Their record is the short one where there is no more to tell. */
static size_t ext_sum_bytes(const struct recorded *rec)
{
	if ((uint64_t)rec->nfiles + rec->nlack <= 1)
		return 0;
	return rec->nobjects > 0 ? sizeof(struct gmon_ext_sum) : GMON_EXT_SUM_LEAST;
}

/* Of a thread, as of a sum. Linear in threads. */
static size_t ext_thread_bytes(const struct recorded *rec)
{
	size_t bytes = GMON_EXT_THREAD_LEAST;

	for (size_t i = 0; i < rec->threads.n; i++) {
		const struct recorded_thread *t = &rec->threads.at[i];

		if (t->runnable_ns > 0 || t->life_ns > 0)
			return sizeof(struct gmon_ext_thread);
		if (t->looks > 0 || t->squares > 0)
			bytes = GMON_EXT_THREAD_LOOKS;
	}
	return bytes;
}

/* The sections in their order; returns how many there are. */
static uint32_t ext_rows(struct ext_row rows[EXT_ROWS], const struct recorded *rec, size_t nstrings)
{
	const struct ext_row all[EXT_ROWS] = {
		{ GMON_EXT_STRINGS, 1, nstrings },
		{ GMON_EXT_MODULES, sizeof(struct gmon_ext_module), rec->modules.n },
		{ GMON_EXT_THREADS, ext_thread_bytes(rec), rec->threads.n },
		{ GMON_EXT_KINDS, sizeof(struct gmon_ext_kind), rec->kinds.n },
		{ GMON_EXT_NODES, sizeof(struct gmon_ext_node), rec->nodes.n },
		{ GMON_EXT_SAMPLES, sizeof(struct gmon_ext_sample), rec->samples.n },
		{ GMON_EXT_PROCESS, sizeof(struct gmon_ext_process), rec->processes.n },
		{ GMON_EXT_ARCS, sizeof(struct gmon_ext_arc), rec->arcs.n },
		{ GMON_EXT_BINS, sizeof(struct gmon_ext_bin), rec->bins.n },
		{ GMON_EXT_SUM, ext_sum_bytes(rec), 1 },
	};
	const bool is_there[EXT_ROWS] = {
		true,
		true,
		rec->nfiles > 0,
		true,
		rec->nfiles > 0,
		rec->nfiles > 0,
		rec->processes.n > 0,
		rec->nobjects > 0,
		rec->nobjects > 0,
		ext_sum_bytes(rec) > 0,
	};
	uint32_t n = 0;

	for (int i = 0; i < EXT_ROWS; i++) {
		if (is_there[i])
			rows[n++] = all[i];
	}
	return n;
}

/* Bytes up to where the next section may begin. */
static uint64_t ext_padding(uint64_t bytes)
{
	return (ALIGNMENT - bytes % ALIGNMENT) % ALIGNMENT;
}

static uint64_t ext_row_bytes(const struct ext_row *row)
{
	uint64_t bytes = (uint64_t)row->n * row->record;

	return bytes + ext_padding(bytes);
}

static void ext_put_head(const struct ext_out *x, const struct recorded *rec, size_t nstrings,
			 unsigned ptr_size, uint64_t stamp)
{
	struct ext_row rows[EXT_ROWS];
	uint32_t nrows = ext_rows(rows, rec, nstrings);
	uint64_t at = sizeof(struct gmon_ext_head) + nrows * sizeof(struct gmon_ext_section);
	uint64_t size = at;

	for (uint32_t i = 0; i < nrows; i++)
		size += ext_row_bytes(&rows[i]);
	output_text(x->out, GMON_EXT_MAGIC);
	ext_put(x, GMON_EXT_VERSION, 4);
	ext_put(x, GMON_EXT_ORDER, 4);
	ext_put(x, ptr_size, 4);
	ext_put(x, nrows, 4);
	ext_put(x, stamp, 8);
	ext_put(x, size, 8);
	for (uint32_t i = 0; i < nrows; i++) {
		output_bytes(x->out, rows[i].tag, 4);
		ext_put(x, rows[i].record, 4);
		ext_put(x, at, 8);
		ext_put(x, rows[i].n, 8);
		at += ext_row_bytes(&rows[i]);
	}
}

static void ext_put_module(const struct ext_out *x, const struct module *m, uint32_t path)
{
	ext_put(x, m->lo, 8);
	ext_put(x, m->hi, 8);
	ext_put(x, m->bias, 8);
	ext_put(x, m->bytes, 8);
	ext_put(x, path, 4);
	ext_put(x, m->build_id_bytes, 1);
	ext_put(x, m->flags, 1);
	ext_put(x, 0, 2);
	output_bytes(x->out, (const char *)m->build_id, sizeof(m->build_id));
	ext_put_zeros(x, 12);
}

static void ext_put_thread(const struct ext_out *x, const struct recorded_thread *t, uint32_t name)
{
	ext_put(x, t->tid, 4);
	ext_put(x, name, 4);
	ext_put(x, t->cpu_ns, 8);
	ext_put(x, t->recording, 4);
	ext_put(x, 0, 4);
}

static void ext_put_threads(const struct ext_out *x, const struct recorded *rec,
			    const uint32_t *names)
{
	size_t bytes = ext_thread_bytes(rec);

	for (size_t i = 0; i < rec->threads.n; i++) {
		ext_put_thread(x, &rec->threads.at[i], names[i]);
		if (bytes >= GMON_EXT_THREAD_LOOKS) {
			ext_put(x, rec->threads.at[i].looks, 8);
			ext_put(x, rec->threads.at[i].squares, 8);
		}
		if (bytes >= sizeof(struct gmon_ext_thread)) {
			ext_put(x, rec->threads.at[i].runnable_ns, 8);
			ext_put(x, rec->threads.at[i].life_ns, 8);
		}
	}
}

static void ext_put_kind(const struct ext_out *x, const struct recorded_kind *kind, uint32_t name)
{
	ext_put(x, name, 4);
	ext_put(x, 0, 4);
	ext_put(x, kind->unit.rate, 8);
	output_bytes(x->out, kind->unit.dimension,
		     sizeof(((struct gmon_ext_kind *)NULL)->dimension));
	ext_put(x, (unsigned char)kind->unit.abbrev, 1);
}

static void ext_put_nodes(const struct ext_out *x, const struct recorded *rec)
{
	for (size_t i = 0; i < rec->nodes.n; i++) {
		ext_put(x, rec->nodes.at[i].parent, 4);
		ext_put(x, rec->nodes.at[i].module, 4);
		ext_put(x, rec->nodes.at[i].address, 8);
	}
}

static void ext_put_samples(const struct ext_out *x, const struct recorded *rec)
{
	for (size_t i = 0; i < rec->samples.n; i++) {
		const struct recorded_sample *sample = &rec->samples.at[i];

		ext_put(x, sample->node, 4);
		ext_put(x, sample->thread, 4);
		ext_put(x, sample->kind, 4);
		ext_put(x, sample->quality == STACK_UNSEEN ? STACK_BROKEN : sample->quality, 4);
		ext_put(x, sample->ticks, 8);
	}
}

static void ext_put_processes(const struct ext_out *x, const struct recorded *rec,
			      const struct ext_texts *texts)
{
	for (size_t i = 0; i < rec->processes.n; i++) {
		const struct recorded_process *process = &rec->processes.at[i];

		ext_put(x, process->pid, 4);
		ext_put(x, process->parent, 4);
		ext_put(x, process->recording, 4);
		ext_put(x, texts->commands[i], 4);
		ext_put(x, process->ending, 4);
		ext_put(x, process->status, 4);
		ext_put(x, process->start, 8);
		ext_put(x, process->end, 8);
		ext_put(x, process->cpu_ns, 8);
		ext_put(x, process->before_ns, 8);
		ext_put(x, texts->programs[i], 4);
		ext_put(x, 0, 4);
	}
}

static void ext_put_objects(const struct ext_out *x, const struct recorded *rec)
{
	for (size_t i = 0; i < rec->arcs.n; i++) {
		const struct recorded_arc *arc = &rec->arcs.at[i];

		ext_put(x, arc->from_module, 4);
		ext_put(x, arc->self_module, 4);
		ext_put(x, arc->from, 8);
		ext_put(x, arc->self, 8);
		ext_put(x, arc->calls, 8);
		ext_put(x, arc->thread, 4);
		ext_put(x, arc->first, 4);
	}
	for (size_t i = 0; i < rec->bins.n; i++) {
		const struct recorded_bin *bin = &rec->bins.at[i];

		ext_put(x, bin->module, 4);
		ext_put(x, bin->kind, 4);
		ext_put(x, bin->address, 8);
		ext_put(x, bin->ticks, 8);
	}
}

static void ext_put_sum(const struct ext_out *x, const struct recorded *rec)
{
	size_t bytes = ext_sum_bytes(rec);

	if (bytes == 0)
		return;
	ext_put(x, rec->nfiles, 4);
	ext_put(x, rec->nlack, 4);
	if (bytes > GMON_EXT_SUM_LEAST) {
		ext_put(x, rec->nobjects, 4);
		ext_put(x, 0, 4);
	}
}

void ext_print(const struct recorded *rec, const struct ext_texts *texts,
	       const struct target *target, uint64_t stamp, struct output *out)
{
	const struct ext_out x = { out, target->big_endian };

	ext_put_head(&x, rec, texts->bytes.n, target->ptr_size, stamp);
	output_bytes(out, texts->bytes.at, texts->bytes.n);
	ext_put_zeros(&x, ext_padding(texts->bytes.n));
	for (size_t i = 0; i < rec->modules.n; i++)
		ext_put_module(&x, &rec->modules.at[i], texts->modules[i]);
	ext_put_threads(&x, rec, texts->threads);
	for (size_t i = 0; i < rec->kinds.n; i++)
		ext_put_kind(&x, &rec->kinds.at[i], texts->kinds[i]);
	ext_put_nodes(&x, rec);
	ext_put_samples(&x, rec);
	ext_put_processes(&x, rec, texts);
	ext_put_objects(&x, rec);
	ext_put_sum(&x, rec);
}

int ext_writer_prepare(struct ext_writer *w, const struct recorded *rec,
		       const struct target *target, const char *path, struct arena *mem,
		       struct diag *diag)
{
	*w = (struct ext_writer){ .rec = rec, .target = target, .path = path };
	if (ext_texts_make(&w->texts, rec, mem))
		return 0;
	diag_error(diag, "%s: the names are too long to be written", path);
	return -1;
}

/* The stamp of the profile in the descriptor. 0, or -1 with an errno. */
static int ext_stamp_of_file(int profile, uint64_t *stamp, unsigned char *buffer, size_t size)
{
	off_t at = 0;
	ssize_t n;

	*stamp = GMON_EXT_STAMP_START;
	do {
		n = pread(profile, buffer, size, at);
		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			*stamp = ext_stamp(*stamp, buffer, (size_t)n);
			at += n;
		}
	} while (n != 0);
	return 0;
}

int ext_writer_write(struct ext_writer *w, int profile, const file_ids *inputs, struct output *out,
		     struct arena *mem, struct diag *diag)
{
	uint64_t stamp;
	int rc;

	if (ext_stamp_of_file(profile, &stamp, (unsigned char *)out->own, sizeof(out->own)) < 0) {
		diag_error(diag, "%s: the profile it is of: %s", w->path, strerror(errno));
		return -1;
	}
	if (newfile_open(&w->file, w->path, inputs, 0777, mem, diag) < 0)
		return -1;
	output_open(out, w->file.fd, w->path, diag);
	ext_print(w->rec, &w->texts, w->target, stamp, out);
	rc = output_close(out);
	return newfile_close(&w->file, rc == 0, diag);
}

/* Which of two that race for the name goes is all the same: neither is of the profile. */
void ext_remove(const char *path)
{
	unsigned char magic[sizeof(struct gmon_ext_head)];
	struct stat st;
	bool is_ext = false;
	int fd = lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? file_open_named(path, &st) : -1;

	if (fd < 0)
		return;
	is_ext = read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
		 ext_has_magic(magic, sizeof(magic));
	close(fd);
	if (is_ext)
		unlink(path);
}
