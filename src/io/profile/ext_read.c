/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First the table of sections, and that each is inside of the file and apart from the others; then
 * the sections, those first that others refer to. What the file says is a warning and no error:
 * the profile is good without it.
 */
#include "config.h"

#include "io/profile/ext_read.h"

#include "base/cursor.h"
#include "base/sort.h"
#include "gmon_ext.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum ext_part { STRINGS, MODULES, THREADS, KINDS, NODES, SAMPLES, PROCESSES, SUM, PARTS };

static const struct {
	char tag[5];
	unsigned bytes; /* of a record */
} ext_parts[PARTS] = {
	[STRINGS] = { GMON_EXT_STRINGS, 1 },
	[MODULES] = { GMON_EXT_MODULES, sizeof(struct gmon_ext_module) },
	[THREADS] = { GMON_EXT_THREADS, sizeof(struct gmon_ext_thread) },
	[KINDS] = { GMON_EXT_KINDS, sizeof(struct gmon_ext_kind) },
	[NODES] = { GMON_EXT_NODES, sizeof(struct gmon_ext_node) },
	[SAMPLES] = { GMON_EXT_SAMPLES, sizeof(struct gmon_ext_sample) },
	[PROCESSES] = { GMON_EXT_PROCESS, sizeof(struct gmon_ext_process) },
	[SUM] = { GMON_EXT_SUM, sizeof(struct gmon_ext_sum) },
};

/* The records of a section; none if there is no such section. */
struct ext_section {
	bool is_there;
	uint64_t offset, n;
	uint32_t record;            /* bytes */
	const unsigned char *bytes; /* of all */
};

/* A file on its way into rec. */
struct ext {
	struct cursor in;
	const struct ext_expected *expected;
	struct recorded *rec;
	struct arena *mem;
	const char *texts; /* all strings */
	struct ext_section parts[PARTS];
};

uint64_t ext_stamp(uint64_t before, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		before = (before ^ bytes[i]) * GMON_EXT_STAMP_FACTOR;
	return before;
}

bool ext_has_magic(const unsigned char *bytes, size_t size)
{
	size_t n = strlen(GMON_EXT_MAGIC);

	return size >= n && memcmp(bytes, GMON_EXT_MAGIC, n) == 0;
}

static int ext_ignore(const struct ext_expected *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Always -1. The text is shorter than 200 bytes. */
static int ext_ignore(const struct ext_expected *e, const char *format, ...)
{
	char text[200];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag_warn(e->diag, "%s: %s: ignored", e->name, text);
	return -1;
}

#define EXT_FIELD(x, record, type, field)                                                     \
	bytes_uint((record) + offsetof(type, field), (unsigned)sizeof(((type *)NULL)->field), \
		   (x)->in.big_endian)

#define HEAD_FIELD(x, field) EXT_FIELD(x, (x)->in.start, struct gmon_ext_head, field)

/* Settles the byte order. */
static int ext_check_version(struct ext *x)
{
	uint64_t order, version;

	if (!ext_has_magic(x->in.start, x->in.size))
		return ext_ignore(x->expected, "no \"gmonext\" at byte 0");
	if (x->in.size < sizeof(struct gmon_ext_head))
		return ext_ignore(x->expected, "cut short in the head, at byte %zu", x->in.size);
	x->in.big_endian = false;
	if (HEAD_FIELD(x, byte_order) != GMON_EXT_ORDER)
		x->in.big_endian = true;
	order = HEAD_FIELD(x, byte_order);
	version = HEAD_FIELD(x, version);
	if (order != GMON_EXT_ORDER)
		return ext_ignore(x->expected, "byte order 0x%" PRIx64 " at byte %zu", order,
				  offsetof(struct gmon_ext_head, byte_order));
	if (version != GMON_EXT_VERSION)
		return ext_ignore(x->expected, "version %" PRIu64 " at byte %zu, expected %d",
				  version, offsetof(struct gmon_ext_head, version),
				  GMON_EXT_VERSION);
	return 0;
}

static int ext_check_head(struct ext *x)
{
	uint64_t pointer_bytes;

	if (ext_check_version(x) < 0)
		return -1;
	if (HEAD_FIELD(x, stamp) != x->expected->stamp)
		return ext_ignore(x->expected, "is of another profile");
	pointer_bytes = HEAD_FIELD(x, pointer_bytes);
	if (pointer_bytes != x->expected->target->ptr_size)
		return ext_ignore(x->expected,
				  "pointers of %" PRIu64
				  " bytes at byte %zu, but the program's have %u",
				  pointer_bytes, offsetof(struct gmon_ext_head, pointer_bytes),
				  x->expected->target->ptr_size);
	if (HEAD_FIELD(x, bytes) != x->expected->size)
		return ext_ignore(x->expected,
				  "says at byte %zu that it has %" PRIu64
				  " bytes, but has %" PRIu64,
				  offsetof(struct gmon_ext_head, bytes), HEAD_FIELD(x, bytes),
				  x->expected->size);
	return 0;
}

static struct ext ext_begin(const unsigned char *bytes, size_t size,
			    const struct ext_expected *expected)
{
	return (struct ext){
		.in = { .start = bytes,
			.size = size,
			.name = expected->name,
			.diag = expected->diag },
		.expected = expected,
		.texts = "",
	};
}

int ext_check(const unsigned char *bytes, size_t n, const struct ext_expected *expected)
{
	struct ext x = ext_begin(bytes, n, expected);

	return ext_check_head(&x);
}

/* Where record i of the section begins. */
static uint64_t ext_at(const struct ext_section *s, uint64_t i)
{
	return s->offset + i * s->record;
}

/* Entry i of the table of sections. */
static struct ext_section ext_entry(const struct ext *x, size_t i)
{
	const unsigned char *entry =
		x->in.start + sizeof(struct gmon_ext_head) + i * sizeof(struct gmon_ext_section);

	return (struct ext_section){
		.is_there = true,
		.offset = EXT_FIELD(x, entry, struct gmon_ext_section, offset),
		.n = EXT_FIELD(x, entry, struct gmon_ext_section, records),
		.record = (uint32_t)EXT_FIELD(x, entry, struct gmon_ext_section, record_bytes),
	};
}

/* Takes the section that entry i is of, once it is known to be inside of the file. */
static int ext_take_section(struct ext *x, size_t i, struct ext_section s)
{
	size_t at = sizeof(struct gmon_ext_head) + i * sizeof(struct gmon_ext_section);
	const char *tag = (const char *)x->in.start + at;
	unsigned part = 0;

	while (part < PARTS && memcmp(tag, ext_parts[part].tag, 4) != 0)
		part++;
	if (part == PARTS)
		return 0;
	if (x->parts[part].is_there)
		return ext_ignore(x->expected, "a second section %s, at byte %zu",
				  ext_parts[part].tag, at);
	if (s.record < ext_parts[part].bytes || (part == STRINGS && s.record > 1))
		return ext_ignore(x->expected,
				  "section %s, at byte %zu, has records of %" PRIu32
				  " bytes instead of %u",
				  ext_parts[part].tag, at, s.record, ext_parts[part].bytes);
	x->in.at = (size_t)s.offset;
	s.bytes = cursor_take(&x->in, s.n * s.record, "section");
	x->parts[part] = s;
	return 0;
}

/* Checks that entry i is of a section inside of the file, behind the table. */
static int ext_check_section(const struct ext *x, size_t i, uint64_t table_end)
{
	const struct ext_section s = ext_entry(x, i);
	size_t at = sizeof(struct gmon_ext_head) + i * sizeof(struct gmon_ext_section);
	uint64_t bytes;

	if (s.offset % 8 != 0 || s.offset < table_end || s.offset > x->in.size)
		return ext_ignore(x->expected,
				  "the section of byte %zu begins at byte %" PRIu64 ", %s", at,
				  s.offset,
				  s.offset % 8 != 0      ? "no multiple of 8"
				  : s.offset < table_end ? "in the table"
							 : "behind the end");
	if (__builtin_mul_overflow(s.n, s.record, &bytes) || bytes > x->in.size - s.offset)
		return ext_ignore(x->expected,
				  "the section of byte %zu says it has %" PRIu64
				  " records of %" PRIu32 " bytes, more than the file",
				  at, s.n, s.record);
	return 0;
}

static int ext_order_sections(uint32_t i, uint32_t k, const void *x)
{
	uint64_t a = ext_entry(x, i).offset, b = ext_entry(x, k).offset;

	return (a > b) - (a < b);
}

/* All sections are inside of the file. */
static int ext_check_overlap(const struct ext *x, size_t n)
{
	struct arena scratch = arena_scratch(x->mem);
	uint32_t *by_offset = arena_array(&scratch, uint32_t, n);
	uint64_t end = 0, overlap = 0;

	for (uint32_t i = 0; i < n; i++)
		by_offset[i] = i;
	sort_ids(by_offset, n, ext_order_sections, x, &scratch);
	for (size_t i = 0; i < n && overlap == 0; i++) {
		const struct ext_section s = ext_entry(x, by_offset[i]);

		if (s.n * s.record == 0)
			continue;
		overlap = s.offset < end ? s.offset : 0;
		end = s.offset + s.n * s.record;
	}
	arena_free(&scratch);
	if (overlap == 0)
		return 0;
	return ext_ignore(x->expected, "two sections overlap at byte %" PRIu64, overlap);
}

static int ext_read_table(struct ext *x)
{
	uint64_t n = HEAD_FIELD(x, sections);
	uint64_t end = sizeof(struct gmon_ext_head) + n * sizeof(struct gmon_ext_section);

	if (end > x->in.size)
		return ext_ignore(x->expected,
				  "says at byte %zu that it has %" PRIu64
				  " sections, for which it is too short",
				  offsetof(struct gmon_ext_head, sections), n);
	for (size_t i = 0; i < n; i++) {
		if (ext_check_section(x, i, end) < 0)
			return -1;
	}
	if (ext_check_overlap(x, n) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (ext_take_section(x, i, ext_entry(x, i)) < 0)
			return -1;
	}
	return 0;
}

/* The first string is "", and the last ends. */
static int ext_read_strings(struct ext *x)
{
	const struct ext_section *s = &x->parts[STRINGS];
	char *texts;

	if (s->n == 0)
		return 0;
	if (s->bytes[0] != 0 || s->bytes[s->n - 1] != 0)
		return ext_ignore(x->expected, "the strings do not %s with a 0, at byte %" PRIu64,
				  s->bytes[0] != 0 ? "begin" : "end",
				  ext_at(s, s->bytes[0] != 0 ? 0 : s->n - 1));
	texts = arena_array(x->mem, char, s->n);
	memcpy(texts, s->bytes, s->n);
	x->texts = texts;
	return 0;
}

/* The string that record i refers to. NULL with a warning if it is none. */
static const char *ext_text(const struct ext *x, uint64_t offset, const struct ext_section *s,
			    uint64_t i)
{
	if (offset == 0 || offset < x->parts[STRINGS].n)
		return x->texts + offset;
	ext_ignore(x->expected,
		   "the record at byte %" PRIu64 " has its name at %" PRIu64
		   " of the strings, which have %" PRIu64 " bytes",
		   ext_at(s, i), offset, x->parts[STRINGS].n);
	return NULL;
}

/* An index that is of no record. */
static int ext_bad_index(const struct ext *x, enum ext_part part, uint64_t i, const char *what,
			 uint64_t index)
{
	return ext_ignore(x->expected,
			  "the record at byte %" PRIu64 " of %s refers to %s %" PRIu64
			  ", which is not there",
			  ext_at(&x->parts[part], i), ext_parts[part].tag, what, index);
}

/* That the module's code is a range of addresses, run-time and link-time ones. */
static int ext_check_range(const struct ext *x, const struct module *m, uint64_t at)
{
	if (m->lo > m->hi)
		return ext_ignore(x->expected,
				  "the module at byte %" PRIu64 " ends at 0x%" PRIx64
				  ", before its start 0x%" PRIx64,
				  at, m->hi, m->lo);
	if (m->lo - m->bias > m->hi - m->bias)
		return ext_ignore(x->expected,
				  "the module at byte %" PRIu64 ", 0x%" PRIx64 "-0x%" PRIx64
				  ", has the bias 0x%" PRIx64,
				  at, m->lo, m->hi, m->bias);
	return 0;
}

static int ext_read_module(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[MODULES];
	const unsigned char *p = s->bytes + i * s->record;
	struct module *m = &x->rec->modules.at[i];

	m->lo = EXT_FIELD(x, p, struct gmon_ext_module, low);
	m->hi = EXT_FIELD(x, p, struct gmon_ext_module, high);
	m->bias = EXT_FIELD(x, p, struct gmon_ext_module, bias);
	m->bytes = EXT_FIELD(x, p, struct gmon_ext_module, bytes);
	m->flags = (unsigned)EXT_FIELD(x, p, struct gmon_ext_module, flags);
	m->path = ext_text(x, EXT_FIELD(x, p, struct gmon_ext_module, path), s, i);
	if (!m->path)
		return -1;
	/* Narrow ones may be negative. */
	m->bias = m->lo - target_wrap(x->expected->target, m->lo - m->bias);
	if (ext_check_range(x, m, ext_at(s, i)) < 0)
		return -1;
	m->build_id_bytes = (unsigned)EXT_FIELD(x, p, struct gmon_ext_module, build_id_bytes);
	if (m->build_id_bytes > MODULE_BUILD_ID_BYTES)
		return ext_ignore(x->expected,
				  "the module at byte %" PRIu64 " has a build id of %u bytes",
				  ext_at(s, i), m->build_id_bytes);
	memcpy(m->build_id, p + offsetof(struct gmon_ext_module, build_id), m->build_id_bytes);
	return 0;
}

static int ext_read_thread(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[THREADS];
	const unsigned char *p = s->bytes + i * s->record;
	struct recorded_thread *t = &x->rec->threads.at[i];

	t->tid = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_thread, tid);
	t->cpu_ns = EXT_FIELD(x, p, struct gmon_ext_thread, cpu_ns);
	t->recording = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_thread, recording);
	t->name = ext_text(x, EXT_FIELD(x, p, struct gmon_ext_thread, name), s, i);
	if (!t->name)
		return -1;
	return t->recording < x->rec->nfiles
		       ? 0
		       : ext_bad_index(x, THREADS, i, "recording", t->recording);
}

/* The path of the executable, or "". */
static const char *ext_program(const struct ext *x)
{
	for (size_t i = 0; i < x->rec->modules.n; i++) {
		if (x->rec->modules.at[i].flags & MODULE_PROGRAM)
			return x->rec->modules.at[i].path;
	}
	return "";
}

static int ext_read_process(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[PROCESSES];
	const unsigned char *p = s->bytes + i * s->record;
	struct recorded_process *q = &x->rec->processes.at[i];
	uint64_t ending = EXT_FIELD(x, p, struct gmon_ext_process, ending);

	q->pid = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_process, pid);
	q->parent = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_process, parent);
	q->recording = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_process, recording);
	q->ending = ending <= PROCESS_REPLACED ? (enum process_ending)ending : PROCESS_GOES_ON;
	q->status = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_process, status);
	q->start = EXT_FIELD(x, p, struct gmon_ext_process, start_ns);
	q->end = EXT_FIELD(x, p, struct gmon_ext_process, end_ns);
	q->cpu_ns = EXT_FIELD(x, p, struct gmon_ext_process, cpu_ns);
	q->before_ns = EXT_FIELD(x, p, struct gmon_ext_process, before_ns);
	q->program = ext_program(x);
	q->command = ext_text(x, EXT_FIELD(x, p, struct gmon_ext_process, command), s, i);
	if (!q->command)
		return -1;
	return q->recording < x->rec->nfiles
		       ? 0
		       : ext_bad_index(x, PROCESSES, i, "recording", q->recording);
}

static int ext_read_kind(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[KINDS];
	const unsigned char *p = s->bytes + i * s->record;
	struct recorded_kind *kind = &x->rec->kinds.at[i];
	uint64_t rate = EXT_FIELD(x, p, struct gmon_ext_kind, rate);

	kind->name = ext_text(x, EXT_FIELD(x, p, struct gmon_ext_kind, name), s, i);
	if (!kind->name)
		return -1;
	if (i == 0 && strcmp(kind->name, "cpu") != 0)
		return ext_ignore(x->expected,
				  "the first kind of ticks, at byte %" PRIu64 ", is not \"cpu\"",
				  ext_at(s, i));
	if (rate > UINT32_MAX)
		return ext_ignore(x->expected,
				  "the kind at byte %" PRIu64 " has %" PRIu64 " ticks a unit",
				  ext_at(s, i), rate);
	kind->unit.rate = (uint32_t)rate;
	memcpy(kind->unit.dimension, p + offsetof(struct gmon_ext_kind, dimension),
	       sizeof(((struct gmon_ext_kind *)NULL)->dimension));
	kind->unit.abbrev = (char)p[offsetof(struct gmon_ext_kind, abbreviation)];
	return 0;
}

static int ext_read_nodes(struct ext *x)
{
	const struct ext_section *s = &x->parts[NODES];
	const unsigned char *p = s->bytes;
	const struct target *target = x->expected->target;

	for (uint64_t i = 0; i < s->n; i++, p += s->record) {
		struct recorded_node *node = &x->rec->nodes.at[i];

		node->parent = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_node, parent);
		node->module = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_node, module);
		node->address = target_wrap(target, EXT_FIELD(x, p, struct gmon_ext_node, address));
		if (node->parent >= i && node->parent != RECORDED_NONE)
			return ext_ignore(x->expected,
					  "node %" PRIu64 " at byte %" PRIu64 " has node %" PRIu32
					  " as its caller, not one before it",
					  i, ext_at(s, i), node->parent);
		if (node->module >= x->rec->modules.n && node->module != RECORDED_NONE)
			return ext_bad_index(x, NODES, i, "module", node->module);
	}
	return 0;
}

static int ext_check_sample(const struct ext *x, uint64_t i, const struct recorded_sample *sample,
			    uint64_t quality)
{
	const struct recorded *rec = x->rec;

	if (sample->node >= rec->nodes.n && sample->node != RECORDED_NONE)
		return ext_bad_index(x, SAMPLES, i, "node", sample->node);
	if (sample->thread >= rec->threads.n)
		return ext_bad_index(x, SAMPLES, i, "thread", sample->thread);
	if (sample->kind >= rec->kinds.n)
		return ext_bad_index(x, SAMPLES, i, "kind", sample->kind);
	if (quality >= STACK_QUALITIES)
		return ext_bad_index(x, SAMPLES, i, "quality", quality);
	return 0;
}

static int ext_read_samples(struct ext *x)
{
	const struct ext_section *s = &x->parts[SAMPLES];
	const unsigned char *p = s->bytes;
	struct recorded *rec = x->rec;

	for (uint64_t i = 0; i < s->n; i++, p += s->record) {
		struct recorded_sample *sample = &rec->samples.at[i];
		uint64_t quality = EXT_FIELD(x, p, struct gmon_ext_sample, quality);

		sample->node = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_sample, node);
		sample->thread = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_sample, thread);
		sample->kind = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_sample, kind);
		sample->ticks = EXT_FIELD(x, p, struct gmon_ext_sample, ticks);
		if (ext_check_sample(x, i, sample, quality) < 0)
			return -1;
		sample->quality = (enum stack_quality)quality;
		if (__builtin_add_overflow(rec->ticks, sample->ticks, &rec->ticks))
			return ext_ignore(x->expected,
					  "more ticks than 64 bits can tell, at byte %" PRIu64,
					  ext_at(s, i));
	}
	return 0;
}

static int ext_read_sum(struct ext *x)
{
	const struct ext_section *s = &x->parts[SUM];

	x->rec->nfiles = 1;
	if (!s->is_there)
		return 0;
	if (s->n != 1)
		return ext_ignore(x->expected,
				  "section %s at byte %" PRIu64 " has %" PRIu64
				  " records instead of one",
				  GMON_EXT_SUM, s->offset, s->n);
	x->rec->nfiles = (uint32_t)EXT_FIELD(x, s->bytes, struct gmon_ext_sum, recordings);
	x->rec->nlack = (uint32_t)EXT_FIELD(x, s->bytes, struct gmon_ext_sum, lacking);
	if (x->rec->nfiles == 0)
		return ext_ignore(x->expected, "is the sum of no recording, at byte %" PRIu64,
				  s->offset);
	return 0;
}

/* Makes an array of the section's records; what indices cannot count has not been in memory. */
#define EXT_ARRAY(x, part, array)                                                        \
	do {                                                                             \
		(array)->n = (array)->max = (size_t)(x)->parts[part].n;                  \
		(array)->at = arena_alloc((x)->mem, (array)->n, sizeof((array)->at[0])); \
	} while (0)

/* Reads each record of a section. */
static int ext_read_each(struct ext *x, enum ext_part part, int read(struct ext *, uint64_t i))
{
	for (uint64_t i = 0; i < x->parts[part].n; i++) {
		if (read(x, i) < 0)
			return -1;
	}
	return 0;
}

/* Those first that others refer to. */
static int ext_read_all(struct ext *x)
{
	struct recorded *rec = x->rec;

	if (ext_read_strings(x) < 0 || ext_read_sum(x) < 0)
		return -1;
	EXT_ARRAY(x, MODULES, &rec->modules);
	EXT_ARRAY(x, THREADS, &rec->threads);
	EXT_ARRAY(x, KINDS, &rec->kinds);
	EXT_ARRAY(x, NODES, &rec->nodes);
	EXT_ARRAY(x, SAMPLES, &rec->samples);
	EXT_ARRAY(x, PROCESSES, &rec->processes);
	if (ext_read_each(x, MODULES, ext_read_module) < 0 ||
	    ext_read_each(x, THREADS, ext_read_thread) < 0 ||
	    ext_read_each(x, KINDS, ext_read_kind) < 0 ||
	    ext_read_each(x, PROCESSES, ext_read_process) < 0)
		return -1;
	return ext_read_nodes(x) < 0 ? -1 : ext_read_samples(x);
}

int ext_read(struct recorded *rec, const unsigned char *bytes, const struct ext_expected *expected,
	     struct arena *mem)
{
	struct ext x = ext_begin(bytes, (size_t)expected->size, expected);

	*rec = (struct recorded){ 0 };
	x.rec = rec;
	x.mem = mem;
	if (ext_check_head(&x) < 0 || ext_read_table(&x) < 0)
		return -1;
	for (int part = 0; part < PARTS; part++) {
		if (x.parts[part].n >= RECORDED_NONE)
			return ext_ignore(expected, "section %s has more records than can be told",
					  ext_parts[part].tag);
	}
	return ext_read_all(&x);
}
