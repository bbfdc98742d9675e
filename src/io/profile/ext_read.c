/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes and checks the records of all sections. After any error, a warning names the byte, and
 * the file is ignored, since the profile is valid without it.
 *
 * gmon_ext.def lists the fields; two functions for each record are made from it here: one checks
 * the fields of a record, one reads all records of a section.
 */
#include "config.h"

#include "io/profile/ext_read.h"

#include "base/sort.h"
#include "model/recorded_made.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

enum { PAGE = 4096 };

/* Checks that a module of code that was made at run time is one, with functions for all its
 * addresses. */
static int ext_check_made(const struct ext *x, const struct module *m, uint64_t at)
{
	if (!(m->flags & MODULE_MADE) ||
	    (!recorded_module_is_several(m) && m->lo == 0 && m->bias == 0 &&
	     m->build_id_bytes == 0 && m->hi <= x->rec->made.n))
		return 0;
	return ext_ignore(x->expected,
			  "the module at byte %" PRIu64
			  " was made at run time, but its range is not "
			  "that of the %zu functions",
			  at, x->rec->made.n);
}

/* Checks that neither the run-time nor the link-time addresses of a module wrap around. */
static int ext_check_range(const struct ext *x, const struct module *m, uint64_t at)
{
	if (m->lo > m->hi)
		return ext_ignore(x->expected,
				  "the module at byte %" PRIu64 " ends at 0x%" PRIx64
				  ", before its start 0x%" PRIx64,
				  at, m->hi, m->lo);
	if (m->lo - m->bias > m->hi - m->bias || m->bias % PAGE != 0)
		return ext_ignore(x->expected,
				  "the module at byte %" PRIu64 ", 0x%" PRIx64 "-0x%" PRIx64
				  ", has the bias 0x%" PRIx64 "%s",
				  at, m->lo, m->hi, m->bias,
				  m->bias % PAGE != 0 ? ", which is no multiple of the page size"
						      : "");
	if (recorded_module_is_several(m) && (m->lo | m->hi | m->bias | m->build_id_bytes) != 0)
		return ext_ignore(x->expected,
				  "the module at byte %" PRIu64
				  " stands for several objects, but has a %s",
				  at, m->build_id_bytes ? "build id" : "place");
	return 0;
}

static int ext_check_module(struct ext *x, uint64_t i, struct module *m)
{
	uint64_t at = ext_at(&x->parts[EXT_MODULES], i);

	/* With pointers of 32 bits, the bias may be negative. */
	m->bias = m->lo - target_wrap(x->expected->target, m->lo - m->bias);
	if (m->build_id_bytes > MODULE_BUILD_ID_BYTES)
		return ext_ignore(x->expected,
				  "the module at byte %" PRIu64 " has a build id of %u bytes", at,
				  m->build_id_bytes);
	recorded_module_end_build_id(m);
	return ext_check_made(x, m, at) < 0 ? -1 : ext_check_range(x, m, at);
}

static int ext_order_modules(uint32_t i, uint32_t k, const void *modules)
{
	const struct module *a = (const struct module *)modules + i;
	const struct module *b = (const struct module *)modules + k;

	return (a->lo > b->lo) - (a->lo < b->lo);
}

/* Checks that modules which were never unloaded do not share addresses. */
static int ext_check_places(struct ext *x)
{
	const struct recorded *rec = x->rec;
	struct arena scratch = arena_scratch(x->mem);
	uint32_t *by_place = arena_array(&scratch, uint32_t, rec->modules.n);
	const struct module *last = NULL, *bad = NULL;
	size_t n = 0;

	for (uint32_t i = 0; i < rec->modules.n; i++) {
		if (!(rec->modules.at[i].flags & (MODULE_UNLOADED | MODULE_SEVERAL | MODULE_MADE)))
			by_place[n++] = i;
	}
	sort_ids(by_place, n, ext_order_modules, rec->modules.at, &scratch);
	for (size_t i = 0; i < n && !bad; i++) {
		const struct module *m = &rec->modules.at[by_place[i]];

		if (m->lo == m->hi)
			continue;
		bad = last && m->lo < last->hi ? m : NULL;
		last = m;
	}
	arena_free(&scratch);
	if (!bad)
		return 0;
	return ext_ignore(
		x->expected,
		"the module at byte %" PRIu64 " begins at 0x%" PRIx64 ", where another one is",
		ext_at(&x->parts[EXT_MODULES], (uint64_t)(bad - rec->modules.at)), bad->lo);
}

/* Returns the path of the executable, for processes whose record has none; or "". */
static const char *ext_program(const struct ext *x)
{
	const struct module *program = recorded_program(x->rec);

	return program ? program->path : "";
}

static int ext_check_process(struct ext *x, uint64_t i, struct recorded_process *q)
{
	(void)i;
	if (q->ending > PROCESS_REPLACED)
		q->ending = PROCESS_GOES_ON;
	if (!*q->program)
		q->program = ext_program(x);
	return 0;
}

static int ext_check_made_line(struct ext *x, uint64_t i, struct recorded_made *made)
{
	(void)x;
	(void)i;
	if (made->line == 0 || made->line > INT_MAX ||
	    !recorded_made_is_file(made->file, strlen(made->file))) {
		made->line = 0;
		made->file = "";
	}
	return 0;
}

static int ext_check_kind(struct ext *x, uint64_t i, struct recorded_kind *kind)
{
	const struct ext_section *s = &x->parts[EXT_KINDS];
	uint64_t rate =
		EXT_NUMBER_AT(s->bytes + i * s->record, s->record, kind, rate, x->in.big_endian);

	if (i == 0 && strcmp(kind->name, "cpu") != 0)
		return ext_ignore(x->expected,
				  "the first kind of ticks, at byte %" PRIu64 ", is not \"cpu\"",
				  ext_at(s, i));
	if (rate > UINT32_MAX)
		return ext_ignore(x->expected,
				  "the kind at byte %" PRIu64 " has %" PRIu64 " ticks a unit",
				  ext_at(s, i), rate);
	return 0;
}

/* Checks an address of record i: if it belongs to a module, it must be inside of it. */
static int ext_check_address(const struct ext *x, enum ext_part part, uint64_t i, uint32_t module,
			     uint64_t address)
{
	const struct module *m;

	if (module == RECORDED_NONE)
		return 0;
	if (module >= x->rec->modules.n)
		return ext_bad_index(x, part, i, "module", module);
	m = &x->rec->modules.at[module];
	if (recorded_module_is_several(m) || address - (m->lo - m->bias) < m->hi - m->lo)
		return 0;
	return ext_ignore(x->expected,
			  "the record at byte %" PRIu64 " of %s has the address 0x%" PRIx64
			  ", which is outside of module %" PRIu32,
			  ext_at(&x->parts[part], i), ext_parts[part].tag, address, module);
}

/* Checks that there are not more slices than fit, and that their times do not overflow. */
static int ext_check_timeline(struct ext *x, uint64_t i, struct recorded_timeline *timeline)
{
	uint64_t length, end;

	if (timeline->nslices <= RECORDED_SLICES && timeline->slice_ns > 0 &&
	    !__builtin_mul_overflow(timeline->slice_ns, RECORDED_SLICES, &length) &&
	    !__builtin_add_overflow(timeline->start, length, &end))
		return 0;
	return ext_ignore(x->expected,
			  "the timeline at byte %" PRIu64 " has %" PRIu32 " slices of %" PRIu64
			  " ns from %" PRIu64 " ns on",
			  ext_at(&x->parts[EXT_TIMELINES], i), timeline->nslices,
			  timeline->slice_ns, timeline->start);
}

static int ext_check_hold(struct ext *x, uint64_t i, struct recorded_hold *hold)
{
	(void)i;
	if ((uint64_t)x->rec->nfiles + x->rec->nlack == 1)
		recorded_place_lock(x->rec, hold);
	return 0;
}

static int ext_check_node(struct ext *x, uint64_t i, struct recorded_node *node)
{
	if (node->parent < i || node->parent == RECORDED_NONE)
		return 0;
	return ext_ignore(x->expected,
			  "node %" PRIu64 " at byte %" PRIu64 " has node %" PRIu32
			  " as its caller, which does not come before it",
			  i, ext_at(&x->parts[EXT_NODES], i), node->parent);
}

static int ext_check_sample(struct ext *x, uint64_t i, struct recorded_sample *sample)
{
	(void)x;
	(void)i;
	if (sample->node == RECORDED_NONE && sample->quality != STACK_CUT)
		sample->quality = STACK_UNSEEN;
	return 0;
}

/* Adds a number of record i to a total, which must not overflow. */
static int ext_add(const struct ext *x, enum ext_part part, uint64_t i, uint64_t n, uint64_t *sum)
{
	if (!__builtin_add_overflow(*sum, n, sum))
		return 0;
	return ext_ignore(x->expected, "more %s than 64 bits can hold, at byte %" PRIu64,
			  part == EXT_ARCS ? "calls" : "ticks", ext_at(&x->parts[part], i));
}

/*
 * static int ext_check_RECORD_fields(struct ext *x, enum ext_part part, uint64_t i, TYPE *to)
 *
 * Made for each record: checks what ext_get_RECORD() decoded of record i, by the rows of
 * gmon_ext.def, and completes it. 0, or -1 with a warning.
 */
#define EXT_BEGIN(record, type)                                                          \
	static inline int ext_check_##record##_fields(struct ext *x, enum ext_part part, \
						      uint64_t i, type *to)              \
	{                                                                                \
		struct recorded *rec = x->rec;                                           \
		(void)rec;                                                               \
		(void)part;                                                              \
		(void)i;                                                                 \
		(void)to;
#define EXT_FIELD(how, record, field, member, argument) \
	EXT_CHECK_##how(record, field, member, argument)
#define EXT_CHECK_NUMBER(record, field, member, argument)
#define EXT_CHECK_TEXT(record, field, member, argument) \
	if (!to->member)                                \
		return ext_bad_text(x, part, i, offsetof(struct gmon_ext_##record, field));
#define EXT_CHECK_BYTES(record, field, member, argument)
#define EXT_CHECK_ZEROS(record, field, member, argument)
#define EXT_CHECK_INDEX(record, field, member, argument) \
	if ((uint64_t)to->member >= (argument))          \
		return ext_bad_index(x, part, i, #field, to->member);
#define EXT_CHECK_INDEX_OR_NONE(record, field, member, argument)     \
	if (to->member >= (argument) && to->member != RECORDED_NONE) \
		return ext_bad_index(x, part, i, #field, to->member);
#define EXT_CHECK_QUALITY(record, field, member, argument) \
	EXT_CHECK_INDEX(record, field, member, GMON_EXT_CUT + 1)
#define EXT_CHECK_ADDRESS(record, field, member, argument)               \
	to->member = target_wrap(x->expected->target, to->member);       \
	if (ext_check_address(x, part, i, to->argument, to->member) < 0) \
		return -1;
#define EXT_CHECK_TOTAL(record, field, member, argument)         \
	if (ext_add(x, part, i, to->member, &rec->argument) < 0) \
		return -1;
#define EXT_RULE(record, function)  \
	if (function(x, i, to) < 0) \
		return -1;
#define EXT_END(record) \
	return 0;       \
	}
#include "io/profile/gmon_ext.def"

/* static int ext_read_ARRAY(struct ext *x), made for each section: reads all its records. */
#define EXT_ARRAY(PART, record_, array)                                                            \
	static int ext_read_##array(struct ext *x)                                                 \
	{                                                                                          \
		const struct ext_section *s = &x->parts[EXT_##PART];                               \
		const unsigned char *p = s->bytes;                                                 \
                                                                                                   \
		x->rec->array.n = x->rec->array.max = (size_t)s->n;                                \
		x->rec->array.at = arena_alloc(x->mem, (size_t)s->n, sizeof(x->rec->array.at[0])); \
		for (uint64_t i = 0; i < s->n; i++, p += s->record) {                              \
			ext_get_##record_(&x->rec->array.at[i], p, s->record, &x->source);         \
			if (ext_check_##record_##_fields(x, EXT_##PART, i, &x->rec->array.at[i]) < \
			    0)                                                                     \
				return -1;                                                         \
		}                                                                                  \
		return 0;                                                                          \
	}
#include "io/profile/gmon_ext.def"

/* Sets the numbers of recordings for a file without a section SUM. */
static void ext_count_recordings(struct ext *x)
{
	x->rec->nobjects = x->parts[EXT_ARCS].is_there || x->parts[EXT_BINS].is_there;
	x->rec->nfiles = x->parts[EXT_SAMPLES].is_there || !x->rec->nobjects;
	x->rec->nlack = !x->rec->nfiles;
}

/* Checks that each section belongs to some recording. */
static int ext_check_recordings(const struct ext *x)
{
	const struct recorded *rec = x->rec;
	uint64_t at = x->parts[EXT_SUM].offset;

	if (recorded_is_empty(rec))
		return ext_ignore(x->expected, "is the sum of no recordings, at byte %" PRIu64, at);
	if (rec->nobjects > (uint64_t)rec->nfiles + rec->nlack)
		return ext_ignore(x->expected,
				  "is the sum of %" PRIu64 " recordings, of which %" PRIu32
				  " have modules, at byte %" PRIu64,
				  (uint64_t)rec->nfiles + rec->nlack, rec->nobjects, at);
	for (int part = 0; part < EXT_PARTS; part++) {
		enum ext_scope scope = ext_parts[part].scope;

		if (x->parts[part].n > 0 && ((scope == EXT_OF_STACKS && rec->nfiles == 0) ||
					     (scope == EXT_OF_OBJECTS && rec->nobjects == 0)))
			return ext_ignore(x->expected,
					  "section %s at byte %" PRIu64 " belongs to no recording",
					  ext_parts[part].tag, x->parts[part].offset);
	}
	return 0;
}

static int ext_read_sum(struct ext *x)
{
	const struct ext_section *s = &x->parts[EXT_SUM];
	struct recorded *rec = x->rec;
	bool has_objects;

	ext_count_recordings(x);
	if (!s->is_there)
		return ext_check_recordings(x);
	if (s->n != 1)
		return ext_ignore(x->expected,
				  "section %s at byte %" PRIu64 " has %" PRIu64
				  " records instead of one",
				  GMON_EXT_SUM, s->offset, s->n);
	has_objects = rec->nobjects > 0;
	ext_get_sum(rec, s->bytes, s->record, &x->source);
	if (s->record < sizeof(struct gmon_ext_sum) && has_objects &&
	    __builtin_add_overflow(rec->nfiles, rec->nlack, &rec->nobjects))
		rec->nobjects = UINT32_MAX;
	return ext_check_recordings(x);
}

static int ext_read_all(struct ext *x)
{
	const struct ext_section *modules = &x->parts[EXT_MODULES];
	uint64_t recordings;

	if (ext_read_sum(x) < 0)
		return -1;
	recordings = (uint64_t)x->rec->nfiles + x->rec->nlack;
	if (modules->n > RECORDED_MODULES * recordings)
		return ext_ignore(x->expected,
				  "section %s at byte %" PRIu64 " has %" PRIu64
				  " modules, more than %d a recording",
				  GMON_EXT_MODULES, modules->offset, modules->n, RECORDED_MODULES);
#define EXT_ARRAY(PART, record, array) \
	if (ext_read_##array(x) < 0)   \
		return -1;
#include "io/profile/gmon_ext.def"
	/*
	 * Modules of several recordings may share addresses, and their ranges may be link-time
	 * addresses.
	 */
	return recordings > 1 ? 0 : ext_check_places(x);
}

int ext_read(struct recorded *rec, const unsigned char *bytes, const struct ext_expected *expected,
	     struct arena *mem)
{
	struct ext x;

	*rec = (struct recorded){ 0 };
	if (ext_open(&x, bytes, expected, mem) < 0)
		return -1;
	x.rec = rec;
	return ext_read_all(&x);
}
