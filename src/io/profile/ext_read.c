/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The records of the sections, those first that others refer to. What the file says wrong is a
 * warning and no error: the profile is good without it.
 */
#include "config.h"

#include "io/profile/ext_read.h"

#include "base/sort.h"

#include <inttypes.h>
#include <string.h>

enum { PAGE = 4096 };

/* Reads each record of a section. */
static int ext_read_each(struct ext *x, enum ext_part part, int read(struct ext *, uint64_t i))
{
	for (uint64_t i = 0; i < x->parts[part].n; i++) {
		if (read(x, i) < 0)
			return -1;
	}
	return 0;
}

/* That the module's code is a range of addresses, run-time and link-time ones. */
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
				  m->bias % PAGE != 0 ? ", no whole pages" : "");
	if (module_is_several(m) && (m->lo | m->hi | m->bias | m->build_id_bytes) != 0)
		return ext_ignore(x->expected,
				  "the module at byte %" PRIu64 " is no object, but has a %s", at,
				  m->build_id_bytes ? "build id" : "place");
	return 0;
}

static int ext_read_module(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[EXT_MODULES];
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
	m->build_id_bytes = (unsigned)EXT_FIELD(x, p, struct gmon_ext_module, build_id_bytes);
	if (m->build_id_bytes > MODULE_BUILD_ID_BYTES)
		return ext_ignore(x->expected,
				  "the module at byte %" PRIu64 " has a build id of %u bytes",
				  ext_at(s, i), m->build_id_bytes);
	memcpy(m->build_id, p + offsetof(struct gmon_ext_module, build_id), m->build_id_bytes);
	return ext_check_range(x, m, ext_at(s, i));
}

static int ext_order_modules(uint32_t i, uint32_t k, const void *modules)
{
	const struct module *a = (const struct module *)modules + i;
	const struct module *b = (const struct module *)modules + k;

	return (a->lo > b->lo) - (a->lo < b->lo);
}

/* What has its place for the whole recording cannot share it. */
static int ext_check_places(struct ext *x)
{
	const struct recorded *rec = x->rec;
	struct arena scratch = arena_scratch(x->mem);
	uint32_t *by_place = arena_array(&scratch, uint32_t, rec->modules.n);
	const struct module *last = NULL, *bad = NULL;
	size_t n = 0;

	for (uint32_t i = 0; i < rec->modules.n; i++) {
		if (!(rec->modules.at[i].flags & (MODULE_UNLOADED | MODULE_SEVERAL)))
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

/* In a sum, modules are those of all recordings, and their ranges may be link-time addresses. */
static int ext_read_modules(struct ext *x)
{
	const struct ext_section *s = &x->parts[EXT_MODULES];
	uint64_t recordings = (uint64_t)x->rec->nfiles + x->rec->nlack;

	if (s->n > RECORDED_MODULES * recordings)
		return ext_ignore(x->expected,
				  "section %s at byte %" PRIu64 " has %" PRIu64
				  " modules, more than %d a recording",
				  ext_tag(EXT_MODULES), s->offset, s->n, RECORDED_MODULES);
	if (ext_read_each(x, EXT_MODULES, ext_read_module) < 0)
		return -1;
	return recordings > 1 ? 0 : ext_check_places(x);
}

static int ext_read_thread(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[EXT_THREADS];
	const unsigned char *p = s->bytes + i * s->record;
	struct recorded_thread *t = &x->rec->threads.at[i];

	t->tid = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_thread, tid);
	t->cpu_ns = EXT_FIELD(x, p, struct gmon_ext_thread, cpu_ns);
	t->recording = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_thread, recording);
	if (s->record >= GMON_EXT_THREAD_LOOKS) {
		t->looks = EXT_FIELD(x, p, struct gmon_ext_thread, looks);
		t->squares = EXT_FIELD(x, p, struct gmon_ext_thread, squares);
	}
	if (s->record >= sizeof(struct gmon_ext_thread)) {
		t->runnable_ns = EXT_FIELD(x, p, struct gmon_ext_thread, runnable_ns);
		t->life_ns = EXT_FIELD(x, p, struct gmon_ext_thread, life_ns);
	}
	t->name = ext_text(x, EXT_FIELD(x, p, struct gmon_ext_thread, name), s, i);
	if (!t->name)
		return -1;
	return t->recording < x->rec->nfiles
		       ? 0
		       : ext_bad_index(x, EXT_THREADS, i, "recording", t->recording);
}

/* The path of the executable, where the process has none of its own, or "". */
static const char *ext_program(const struct ext *x)
{
	const struct module *program = recorded_program(x->rec);

	return program ? program->path : "";
}

static int ext_read_process(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[EXT_PROCESSES];
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
	q->program = "";
	if (s->record >= sizeof(struct gmon_ext_process))
		q->program = ext_text(x, EXT_FIELD(x, p, struct gmon_ext_process, program), s, i);
	if (!q->program)
		return -1;
	if (!*q->program)
		q->program = ext_program(x);
	q->command = ext_text(x, EXT_FIELD(x, p, struct gmon_ext_process, command), s, i);
	if (!q->command)
		return -1;
	return q->recording < x->rec->nfiles
		       ? 0
		       : ext_bad_index(x, EXT_PROCESSES, i, "recording", q->recording);
}

static int ext_read_kind(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[EXT_KINDS];
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

/* That an address, if it is one of an object, is inside of that: record i has it. */
static int ext_check_address(const struct ext *x, enum ext_part part, uint64_t i, uint32_t module,
			     uint64_t address)
{
	const struct module *m;

	if (module == RECORDED_NONE)
		return 0;
	if (module >= x->rec->modules.n)
		return ext_bad_index(x, part, i, "module", module);
	m = &x->rec->modules.at[module];
	if (module_is_several(m) || address - (m->lo - m->bias) < m->hi - m->lo)
		return 0;
	return ext_ignore(x->expected,
			  "the record at byte %" PRIu64 " of %s has the address 0x%" PRIx64
			  ", which is outside of module %" PRIu32,
			  ext_at(&x->parts[part], i), ext_tag(part), address, module);
}

static int ext_read_nodes(struct ext *x)
{
	const struct ext_section *s = &x->parts[EXT_NODES];
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
		if (ext_check_address(x, EXT_NODES, i, node->module, node->address) < 0)
			return -1;
	}
	return 0;
}

/* Adds what record i has to a sum. */
static int ext_add(const struct ext *x, enum ext_part part, uint64_t i, uint64_t n, uint64_t *sum)
{
	if (!__builtin_add_overflow(*sum, n, sum))
		return 0;
	return ext_ignore(x->expected, "more %s than 64 bits can tell, at byte %" PRIu64,
			  part == EXT_ARCS ? "calls" : "ticks", ext_at(&x->parts[part], i));
}

static int ext_check_sample(const struct ext *x, uint64_t i, const struct recorded_sample *sample,
			    uint64_t quality)
{
	const struct recorded *rec = x->rec;

	if (sample->node >= rec->nodes.n && sample->node != RECORDED_NONE)
		return ext_bad_index(x, EXT_SAMPLES, i, "node", sample->node);
	if (sample->thread >= rec->threads.n)
		return ext_bad_index(x, EXT_SAMPLES, i, "thread", sample->thread);
	if (sample->kind >= rec->kinds.n)
		return ext_bad_index(x, EXT_SAMPLES, i, "kind", sample->kind);
	if (quality > GMON_EXT_CUT)
		return ext_bad_index(x, EXT_SAMPLES, i, "quality", quality);
	return 0;
}

static int ext_read_samples(struct ext *x)
{
	const struct ext_section *s = &x->parts[EXT_SAMPLES];
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
		sample->quality = sample->node == RECORDED_NONE && quality != GMON_EXT_CUT
					  ? STACK_UNSEEN
					  : (enum stack_quality)quality;
		if (ext_add(x, EXT_SAMPLES, i, sample->ticks, &rec->ticks) < 0)
			return -1;
	}
	return 0;
}

static int ext_read_arc(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[EXT_ARCS];
	const unsigned char *p = s->bytes + i * s->record;
	const struct target *target = x->expected->target;
	struct recorded *rec = x->rec;
	struct recorded_arc *arc = &rec->arcs.at[i];

	arc->from_module = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_arc, from_module);
	arc->self_module = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_arc, self_module);
	arc->from = target_wrap(target, EXT_FIELD(x, p, struct gmon_ext_arc, from));
	arc->self = target_wrap(target, EXT_FIELD(x, p, struct gmon_ext_arc, self));
	arc->calls = EXT_FIELD(x, p, struct gmon_ext_arc, calls);
	arc->thread = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_arc, thread);
	arc->first = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_arc, first);
	if (ext_check_address(x, EXT_ARCS, i, arc->from_module, arc->from) < 0 ||
	    ext_check_address(x, EXT_ARCS, i, arc->self_module, arc->self) < 0)
		return -1;
	if (arc->thread >= rec->threads.n && arc->thread != RECORDED_NONE)
		return ext_bad_index(x, EXT_ARCS, i, "thread", arc->thread);
	return ext_add(x, EXT_ARCS, i, arc->calls, &rec->ncalls);
}

static int ext_read_bin(struct ext *x, uint64_t i)
{
	const struct ext_section *s = &x->parts[EXT_BINS];
	const unsigned char *p = s->bytes + i * s->record;
	struct recorded *rec = x->rec;
	struct recorded_bin *bin = &rec->bins.at[i];

	bin->module = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_bin, module);
	bin->kind = (uint32_t)EXT_FIELD(x, p, struct gmon_ext_bin, kind);
	bin->address =
		target_wrap(x->expected->target, EXT_FIELD(x, p, struct gmon_ext_bin, address));
	bin->ticks = EXT_FIELD(x, p, struct gmon_ext_bin, ticks);
	if (ext_check_address(x, EXT_BINS, i, bin->module, bin->address) < 0)
		return -1;
	if (bin->kind >= rec->kinds.n)
		return ext_bad_index(x, EXT_BINS, i, "kind", bin->kind);
	return ext_add(x, EXT_BINS, i, bin->ticks, &rec->bin_ticks);
}

/* Without a section that tells. */
static void ext_count_recordings(struct ext *x)
{
	x->rec->nobjects = x->parts[EXT_ARCS].is_there || x->parts[EXT_BINS].is_there;
	x->rec->nfiles = x->parts[EXT_SAMPLES].is_there || !x->rec->nobjects;
	x->rec->nlack = !x->rec->nfiles;
}

/* That what there is, is of a recording. */
static int ext_check_recordings(const struct ext *x)
{
	const struct recorded *rec = x->rec;
	uint64_t at = x->parts[EXT_SUM].offset;

	if (recorded_is_empty(rec))
		return ext_ignore(x->expected, "is the sum of no recording, at byte %" PRIu64, at);
	if (rec->nobjects > (uint64_t)rec->nfiles + rec->nlack)
		return ext_ignore(x->expected,
				  "is the sum of %" PRIu64 " recordings, of which %" PRIu32
				  " have modules, at byte %" PRIu64,
				  (uint64_t)rec->nfiles + rec->nlack, rec->nobjects, at);
	for (int part = 0; part < EXT_PARTS; part++) {
		bool of_stacks = part == EXT_THREADS || part == EXT_NODES || part == EXT_SAMPLES;
		bool of_objects = part == EXT_ARCS || part == EXT_BINS;

		if (x->parts[part].n > 0 &&
		    ((of_stacks && rec->nfiles == 0) || (of_objects && rec->nobjects == 0)))
			return ext_ignore(x->expected,
					  "section %s at byte %" PRIu64 " is of no recording",
					  ext_tag(part), x->parts[part].offset);
	}
	return 0;
}

static int ext_read_sum(struct ext *x)
{
	const struct ext_section *s = &x->parts[EXT_SUM];
	struct recorded *rec = x->rec;

	ext_count_recordings(x);
	if (!s->is_there)
		return ext_check_recordings(x);
	if (s->n != 1)
		return ext_ignore(x->expected,
				  "section %s at byte %" PRIu64 " has %" PRIu64
				  " records instead of one",
				  GMON_EXT_SUM, s->offset, s->n);
	rec->nfiles = (uint32_t)EXT_FIELD(x, s->bytes, struct gmon_ext_sum, recordings);
	rec->nlack = (uint32_t)EXT_FIELD(x, s->bytes, struct gmon_ext_sum, lacking);
	if (s->record >= sizeof(struct gmon_ext_sum))
		rec->nobjects = (uint32_t)EXT_FIELD(x, s->bytes, struct gmon_ext_sum, objects);
	else if (rec->nobjects > 0 &&
		 __builtin_add_overflow(rec->nfiles, rec->nlack, &rec->nobjects))
		rec->nobjects = UINT32_MAX;
	return ext_check_recordings(x);
}

/* Makes an array of the section's records; what indices cannot count has not been in memory. */
#define EXT_ARRAY(x, part, array)                                                        \
	do {                                                                             \
		(array)->n = (array)->max = (size_t)(x)->parts[part].n;                  \
		(array)->at = arena_alloc((x)->mem, (array)->n, sizeof((array)->at[0])); \
	} while (0)

/* Those first that others refer to. */
static int ext_read_all(struct ext *x)
{
	struct recorded *rec = x->rec;

	if (ext_read_sum(x) < 0)
		return -1;
	EXT_ARRAY(x, EXT_MODULES, &rec->modules);
	EXT_ARRAY(x, EXT_THREADS, &rec->threads);
	EXT_ARRAY(x, EXT_KINDS, &rec->kinds);
	EXT_ARRAY(x, EXT_NODES, &rec->nodes);
	EXT_ARRAY(x, EXT_SAMPLES, &rec->samples);
	EXT_ARRAY(x, EXT_PROCESSES, &rec->processes);
	EXT_ARRAY(x, EXT_ARCS, &rec->arcs);
	EXT_ARRAY(x, EXT_BINS, &rec->bins);
	if (ext_read_modules(x) < 0 || ext_read_each(x, EXT_THREADS, ext_read_thread) < 0 ||
	    ext_read_each(x, EXT_KINDS, ext_read_kind) < 0 || ext_read_nodes(x) < 0 ||
	    ext_read_each(x, EXT_PROCESSES, ext_read_process) < 0 || ext_read_samples(x) < 0)
		return -1;
	return ext_read_each(x, EXT_ARCS, ext_read_arc) < 0
		       ? -1
		       : ext_read_each(x, EXT_BINS, ext_read_bin);
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
