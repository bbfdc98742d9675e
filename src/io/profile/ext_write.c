/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/ext_write.h"

#include "io/profile/ext_name.h"

#include "base/index.h"
#include "base/strtable.h"
#include "gmon_ext.h"
#include "io/file.h"
#include "io/profile/ext_sections.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNMENT = 8 };

/* A string that the section already has. */
struct ext_text {
	const char *text; /* interned: equal strings have one address */
	uint32_t at;
};

/* The section of strings in the making. */
struct ext_strings {
	struct ext_texts *texts;
	struct strtable table;
	ARRAY(struct ext_text) known;
	struct index index; /* finds strings by their address */
	struct arena *mem, *scratch;
};

INDEX_KEY(ext_text_key, struct ext_text, (uintptr_t)x->text)

static uint32_t ext_place_text(struct ext_strings *p, const char *s)
{
	struct ext_text text = { strtable_add(&p->table, s), (uint32_t)p->texts->bytes.n };
	size_t n = p->known.n;
	uint32_t place;

	if (!*s)
		return 0;
	place = index_intern(&p->index, &p->known, &text, ext_text_key, p->scratch);
	if (place < n)
		return p->known.at[place].at;
	for (; *s; s++)
		array_push(p->mem, &p->texts->bytes) = *s;
	array_push(p->mem, &p->texts->bytes) = '\0';
	return text.at;
}

/* static void ext_place_RECORD(struct ext_strings *p, const TYPE *from), made for each record: adds
 * its strings. */
#define EXT_BEGIN(record, type)                                                        \
	static inline void ext_place_##record(struct ext_strings *p, const type *from) \
	{                                                                              \
		(void)p;                                                               \
		(void)from;
#define EXT_TEXT(record, field, member) \
	array_push(p->mem, &p->texts->offsets) = ext_place_text(p, from->member);
#define EXT_END(record) }
#include "io/profile/gmon_ext.def"

bool ext_texts_make(struct ext_texts *texts, const struct recorded *rec, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct ext_strings p = { .texts = texts, .mem = mem, .scratch = &scratch };

	*texts = (struct ext_texts){ 0 };
	p.table.mem = &scratch;
	array_push(mem, &texts->bytes) = '\0';
#define EXT_ARRAY(PART, record, array)            \
	for (size_t i = 0; i < rec->array.n; i++) \
		ext_place_##record(&p, &rec->array.at[i]);
#include "io/profile/gmon_ext.def"
	arena_free(&scratch);
	return texts->bytes.n < UINT32_MAX;
}

/* Data for the functions that write records. */
struct ext_out {
	struct output *out;
	bool big_endian;
	const uint32_t *text; /* offset of the next string that a record refers to */
	struct ext_row {
		size_t n, bytes; /* records of a section, and bytes of each */
		bool is_there;
	} rows[EXT_PARTS];
};

static void ext_put(const struct ext_out *x, uint64_t value, unsigned nbytes)
{
	output_binary(x->out, value, nbytes, x->big_endian);
}

static void ext_put_zeros(const struct ext_out *x, size_t n)
{
	static const char zeros[16];

	output_bytes(x->out, zeros, n);
}

/*
 * Returns the bytes of the record of a sum, which is shorter if there are no modules; 0: the file
 * is no sum.
 */
static size_t ext_sum_bytes(const struct recorded *rec)
{
	if ((uint64_t)rec->nfiles + rec->nlack <= 1)
		return 0;
	return rec->nobjects > 0 ? sizeof(struct gmon_ext_sum) : GMON_EXT_SUM_LEAST;
}

/* Returns the bytes of a thread's record: as few as hold what is known. Linear in threads. */
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

/* The same for call sites of objects. Linear in these. */
static size_t ext_site_bytes(const struct recorded *rec)
{
	for (size_t i = 0; i < rec->sites.n; i++)
		if (rec->sites.at[i].nentries > 0)
			return sizeof(struct gmon_ext_site);
	return GMON_EXT_SITE_LEAST;
}

/* Sets the rows of all sections. */
static void ext_set_rows(struct ext_row *rows, const struct recorded *rec, size_t nstrings)
{
	rows[EXT_STRINGS].n = nstrings;
#define EXT_ARRAY(PART, record, array) rows[EXT_##PART].n = rec->array.n;
#include "io/profile/gmon_ext.def"
	rows[EXT_SUM].n = ext_sum_bytes(rec) > 0;
	for (int part = 0; part < EXT_PARTS; part++) {
		enum ext_scope scope = ext_parts[part].scope;

		rows[part].bytes = ext_parts[part].bytes;
		rows[part].is_there = scope == EXT_OF_STACKS    ? rec->nfiles > 0
				      : scope == EXT_OF_OBJECTS ? rec->nobjects > 0
				      : scope == EXT_IF_ANY     ? rows[part].n > 0
								: true;
	}
	rows[EXT_THREADS].bytes = ext_thread_bytes(rec);
	rows[EXT_SITES].bytes = ext_site_bytes(rec);
	rows[EXT_SUM].bytes = ext_sum_bytes(rec);
}

/* Bytes between the end of a section and the next one. */
static uint64_t ext_padding(uint64_t bytes)
{
	return (ALIGNMENT - bytes % ALIGNMENT) % ALIGNMENT;
}

static uint64_t ext_row_bytes(const struct ext_row *row)
{
	uint64_t bytes = (uint64_t)row->n * row->bytes;

	return row->is_there ? bytes + ext_padding(bytes) : 0;
}

static void ext_put_head(const struct ext_out *x, unsigned ptr_size, uint64_t stamp)
{
	uint64_t at = sizeof(struct gmon_ext_head), size, nrows = 0;

	for (int part = 0; part < EXT_PARTS; part++)
		nrows += x->rows[part].is_there;
	size = at += nrows * sizeof(struct gmon_ext_section);
	for (int part = 0; part < EXT_PARTS; part++)
		size += ext_row_bytes(&x->rows[part]);
	output_text(x->out, GMON_EXT_MAGIC);
	ext_put(x, GMON_EXT_VERSION, 4);
	ext_put(x, GMON_EXT_ORDER, 4);
	ext_put(x, ptr_size, 4);
	ext_put(x, nrows, 4);
	ext_put(x, stamp, 8);
	ext_put(x, size, 8);
	for (int part = 0; part < EXT_PARTS; part++) {
		if (!x->rows[part].is_there)
			continue;
		output_bytes(x->out, ext_parts[part].tag, 4);
		ext_put(x, x->rows[part].bytes, 4);
		ext_put(x, at, 8);
		ext_put(x, x->rows[part].n, 8);
		at += ext_row_bytes(&x->rows[part]);
	}
}

/*
 * static void ext_put_RECORD(struct ext_out *x, const TYPE *from, size_t bytes)
 *
 * Made for each record: writes its first `bytes`.
 */
#define EXT_BEGIN(record, type)                                                         \
	static void ext_put_##record(struct ext_out *x, const type *from, size_t bytes) \
	{                                                                               \
		char *p = output_room(x->out, sizeof(struct gmon_ext_##record));        \
		(void)from;
#define EXT_FIELD(how, record, field, member, argument)              \
	EXT_PUT_##how(p + offsetof(struct gmon_ext_##record, field), \
		      sizeof(((struct gmon_ext_##record *)NULL)->field), from->member)
#define EXT_PUT_NUMBER(at, size, value) output_store(at, (uint64_t)(value), size, x->big_endian);
#define EXT_PUT_TEXT(at, size, value)   EXT_PUT_NUMBER(at, size, *x->text++)
#define EXT_PUT_BYTES(at, size, value)  memcpy(at, value, size);
#define EXT_PUT_ZEROS(at, size, value)  memset(at, 0, size);
#define EXT_PUT_QUALITY(at, size, value) \
	EXT_PUT_NUMBER(at, size, (value) == STACK_UNSEEN ? STACK_BROKEN : (value))
#define EXT_PUT_INDEX         EXT_PUT_NUMBER
#define EXT_PUT_INDEX_OR_NONE EXT_PUT_NUMBER
#define EXT_PUT_ADDRESS       EXT_PUT_NUMBER
#define EXT_PUT_TOTAL         EXT_PUT_NUMBER
#define EXT_END(record)                 \
	output_took(x->out, p + bytes); \
	}
#include "io/profile/gmon_ext.def"

void ext_print(const struct recorded *rec, const struct ext_texts *texts,
	       const struct target *target, uint64_t stamp, struct output *out)
{
	struct ext_out x = { .out = out,
			     .big_endian = target->big_endian,
			     .text = texts->offsets.at };

	ext_set_rows(x.rows, rec, texts->bytes.n);
	ext_put_head(&x, target->ptr_size, stamp);
	output_bytes(out, texts->bytes.at, texts->bytes.n);
	ext_put_zeros(&x, ext_padding(texts->bytes.n));
#define EXT_ARRAY(PART, record, array)            \
	for (size_t i = 0; i < rec->array.n; i++) \
		ext_put_##record(&x, &rec->array.at[i], x.rows[EXT_##PART].bytes);
#include "io/profile/gmon_ext.def"
	if (x.rows[EXT_SUM].is_there)
		ext_put_sum(&x, rec, x.rows[EXT_SUM].bytes);
}

int ext_writer_prepare(struct ext_writer *w, const struct recorded *rec,
		       const struct target *target, const char *path, struct arena *mem,
		       struct diag *diag)
{
	*w = (struct ext_writer){ .rec = rec, .target = target, .path = path };
	w->waiting = ext_name_room(path, mem);
	if (ext_texts_make(&w->texts, rec, mem))
		return 0;
	diag_error(diag, "%s: the names are too long to be written", path);
	return -1;
}

/* Computes the stamp of the profile in a file descriptor. Returns 0, or -1 with errno set. */
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
		diag_error(diag, "%s: cannot read the profile that it belongs to: %s", w->path,
			   strerror(errno));
		return -1;
	}
	if (newfile_open(&w->file, w->path, inputs, 0777, mem, diag) < 0)
		return -1;
	output_open(out, w->file.fd, w->path, diag);
	ext_print(w->rec, &w->texts, w->target, stamp, out);
	rc = output_close(out);
	if (rc < 0)
		newfile_close(&w->file, false, diag);
	ext_name_waiting(w->waiting, w->path, stamp);
	return rc;
}
