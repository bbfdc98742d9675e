/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile.proto of pprof, compressed. It has two kinds of samples: call paths with time, which are
 * estimated, and for each arc its caller and callee with the number of calls, as recorded. So the
 * calls of a sample are calls of its innermost function, and their sum is that of the profile.
 * Linear in functions, arcs, and paths times their lengths.
 */
#include "config.h"

#include "export/view.h"

#include "base/gzip.h"
#include "base/proto.h"
#include "base/quote.h"
#include "base/rounding.h"

#include <string.h>

enum { DEPTH, PATHS, NKEYS };

static const struct export_key keys[NKEYS] = { EXPORT_STACK_KEYS };

/* Numbers of fields, by message. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14
};
enum { TYPE_WHAT = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2 };
enum {
	MAPPING_ID = 1,
	MAPPING_LO = 2,
	MAPPING_HI = 3,
	MAPPING_OFFSET = 4,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_FUNCTIONS = 7,
	MAPPING_FILES = 8,
	MAPPING_LINES = 9
};
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum {
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
	FUNCTION_LINE = 5
};

/* The strings that come first in the table, at these places. */
enum { EMPTY, SAMPLES, COUNT, CALLS, CPU, NANOSECONDS, NSTRINGS };
static const char *const strings[NSTRINGS] = {
	"", "samples", "count", "calls", "cpu", "nanoseconds"
};

/* The values of a sample, in their order. */
enum { VALUE_SAMPLES, VALUE_CALLS, VALUE_CPU, NVALUES };

struct pprof {
	const struct export_view *e;
	struct gzip gz;
	struct proto part, inner; /* empty between messages */
	uint64_t nstrings, nfunctions;
	uint32_t *location;    /* of each listed symbol */
	uint32_t *file;        /* a number for each one's file, */
	uint64_t *file_string; /* and for each number a place in the table of strings, or 0 */
	uint64_t *path;
};

/* Adds p->part to the profile and empties it. */
static void pprof_write_part(struct pprof *p, unsigned field)
{
	unsigned char head[2 * PROTO_NUMBER];
	unsigned char *end = proto_head(head, field, p->part.n);

	gzip_bytes(&p->gz, head, (size_t)(end - head));
	gzip_bytes(&p->gz, p->part.at, p->part.n);
	p->part.n = 0;
}

static void pprof_write_uint(struct pprof *p, unsigned field, uint64_t n)
{
	proto_uint(&p->part, field, n);
	gzip_bytes(&p->gz, p->part.at, p->part.n);
	p->part.n = 0;
}

/* Adds a string to the table. Returns its place there. */
static uint64_t pprof_write_string(struct pprof *p, const char *text)
{
	unsigned char head[2 * PROTO_NUMBER], *end;
	size_t n;

	text = quote_copy(text, '?', p->e->mem);
	n = strlen(text);
	end = proto_head(head, PROFILE_STRING, n);
	gzip_bytes(&p->gz, head, (size_t)(end - head));
	gzip_bytes(&p->gz, text, n);
	return p->nstrings++;
}

static void pprof_write_comment(struct pprof *p, const char *text)
{
	pprof_write_uint(p, PROFILE_COMMENT, pprof_write_string(p, text));
}

static void pprof_write_type(struct pprof *p, unsigned field, unsigned what, unsigned unit)
{
	proto_uint(&p->part, TYPE_WHAT, what);
	proto_uint(&p->part, TYPE_UNIT, unit);
	pprof_write_part(p, field);
}

static void pprof_write_types(struct pprof *p)
{
	const struct export_view *e = p->e;

	pprof_write_type(p, PROFILE_SAMPLE_TYPE, SAMPLES, COUNT);
	pprof_write_type(p, PROFILE_SAMPLE_TYPE, CALLS, COUNT);
	if (e->amounts->timed)
		pprof_write_type(p, PROFILE_SAMPLE_TYPE, CPU, NANOSECONDS);
	if (e->amounts->nsamples == 0)
		pprof_write_uint(p, PROFILE_DEFAULT_TYPE, CALLS);
	else
		pprof_write_uint(p, PROFILE_DEFAULT_TYPE, e->amounts->timed ? CPU : SAMPLES);
	if (!e->a->profile->has_hists)
		return;
	pprof_write_type(p, PROFILE_PERIOD_TYPE, e->amounts->timed ? CPU : SAMPLES,
			 e->amounts->timed ? NANOSECONDS : COUNT);
	pprof_write_uint(p, PROFILE_PERIOD, (uint64_t)(e->amounts->per_tick + 0.5));
}

static void pprof_write_mapping(struct pprof *p)
{
	const struct export_view *e = p->e;
	uint64_t file = pprof_write_string(p, e->a->program->path);
	uint64_t build_id =
		e->mapping.build_id ? pprof_write_string(p, e->mapping.build_id) : EMPTY;
	bool located = false;

	for (uint32_t i = 0; i < e->amounts->nlisted; i++)
		located = located || e->locations[e->amounts->listed[i]].file;
	proto_uint(&p->part, MAPPING_ID, 1);
	proto_uint(&p->part, MAPPING_LO, e->mapping.lo);
	proto_uint(&p->part, MAPPING_HI, e->mapping.hi);
	proto_uint(&p->part, MAPPING_OFFSET, e->mapping.offset);
	proto_uint(&p->part, MAPPING_FILE, file);
	proto_uint(&p->part, MAPPING_BUILD_ID, build_id);
	proto_uint(&p->part, MAPPING_FUNCTIONS, 1);
	proto_uint(&p->part, MAPPING_FILES, located);
	proto_uint(&p->part, MAPPING_LINES, located);
	pprof_write_part(p, PROFILE_MAPPING);
}

/* Adds a function. Returns its identity. */
static uint64_t pprof_write_function(struct pprof *p, const char *name, const char *system_name,
				     uint64_t file, unsigned line)
{
	uint64_t name_string = pprof_write_string(p, name), system_string = name_string;

	if (strcmp(name, system_name) != 0)
		system_string = pprof_write_string(p, system_name);
	proto_uint(&p->part, FUNCTION_ID, ++p->nfunctions);
	proto_uint(&p->part, FUNCTION_NAME, name_string);
	proto_uint(&p->part, FUNCTION_SYSTEM_NAME, system_string);
	proto_uint(&p->part, FUNCTION_FILE, file);
	proto_uint(&p->part, FUNCTION_LINE, line);
	pprof_write_part(p, PROFILE_FUNCTION);
	return p->nfunctions;
}

static void pprof_write_location(struct pprof *p, uint64_t id, uint64_t mapping, uint64_t address,
				 uint64_t function, unsigned line)
{
	proto_uint(&p->part, LOCATION_ID, id);
	proto_uint(&p->part, LOCATION_MAPPING, mapping);
	proto_uint(&p->part, LOCATION_ADDRESS, address);
	proto_uint(&p->inner, LINE_FUNCTION, function);
	proto_uint(&p->inner, LINE_LINE, line);
	proto_part(&p->part, LOCATION_LINE, &p->inner);
	pprof_write_part(p, PROFILE_LOCATION);
}

static uint64_t pprof_file_string(struct pprof *p, sym_id s)
{
	const char *file = p->e->locations[s].file;
	uint64_t *place = &p->file_string[p->file[s]];

	if (!file)
		return EMPTY;
	if (*place == EMPTY)
		*place = pprof_write_string(p, file);
	return *place;
}

static void pprof_number_files(struct pprof *p)
{
	const struct export_view *e = p->e;
	uint32_t nfiles;

	p->file = arena_array(e->mem, uint32_t, e->a->graph.nnodes);
	nfiles = export_number_files(e, "", p->file);
	p->file_string = arena_array(e->mem, uint64_t, (size_t)nfiles + 1);
}

/* Whether y, a source line, is of the function that x is of: if in doubt, it is not. */
static bool pprof_is_same_function(const struct pprof *p, sym_id x, sym_id y)
{
	const struct sym *sym = p->e->a->program->symtab.sym;

	return sym[y].flags & SYM_LINE && p->file[x] == p->file[y] &&
	       strcmp(sym[x].name, sym[y].name) == 0;
}

/* A location for each symbol, and a function for each that is not just a further line of the one
 * before; then a location and a function for STACKS_REST. */
static void pprof_write_symbols(struct pprof *p)
{
	const struct export_view *e = p->e;
	const struct stack_node rest = { .function = STACKS_REST };
	const char *name = export_frame(e, &rest);
	const char *const *names = e->a->program->by_line ? e->name : e->unique;
	uint32_t i;

	pprof_number_files(p);
	p->location = arena_array(e->mem, uint32_t, e->a->graph.nnodes);
	for (i = 0; i < e->amounts->nlisted; i++) {
		sym_id s = e->amounts->listed[i];
		const struct sym *sym = &e->a->program->symtab.sym[s];
		unsigned line = e->locations[s].line;

		if (i == 0 || !pprof_is_same_function(p, e->amounts->listed[i - 1], s))
			pprof_write_function(p, names[s], sym->name, pprof_file_string(p, s), line);
		p->location[s] = i + 1;
		pprof_write_location(p, i + 1, 1, sym->lo, p->nfunctions, line);
	}
	pprof_write_location(p, i + 1, 0, 0, pprof_write_function(p, name, name, EMPTY, 0), 0);
}

static void pprof_write_sample(struct pprof *p, size_t nlocations, uint64_t value[NVALUES])
{
	proto_packed(&p->part, SAMPLE_LOCATIONS, p->path, nlocations);
	proto_packed(&p->part, SAMPLE_VALUES, value, p->e->amounts->timed ? NVALUES : NVALUES - 1);
	pprof_write_part(p, PROFILE_SAMPLE);
}

static void pprof_write_paths(struct pprof *p)
{
	const struct stacks *stacks = p->e->stacks;

	p->path = arena_array(p->e->mem, uint64_t, (size_t)stacks->depth + 2);
	for (uint32_t i = 0; i < stacks->n; i++) {
		const struct stack_node *leaf = &stacks->node[i];
		uint64_t value[NVALUES] = {
			[VALUE_SAMPLES] = leaf->samples, [VALUE_CPU] = leaf->self
		};
		size_t n = 0;

		if (leaf->samples == 0 && leaf->self == 0)
			continue;
		for (uint32_t at = i; at != STACKS_NONE; at = stacks->node[at].parent) {
			sym_id s = stacks->node[at].function;

			p->path[n++] = s == STACKS_REST ? p->e->amounts->nlisted + (uint64_t)1
							: p->location[s];
		}
		pprof_write_sample(p, n, value);
	}
}

/* The factor for counts of calls by which their sum fits what pprof can hold. */
static double pprof_calls_scale(const struct export_view *e)
{
	const struct graph *g = &e->a->graph;
	double sum = 0.0;

	for (uint32_t i = 0; i < g->narcs; i++)
		sum += export_has_arc(e, i) ? (double)g->arc[i].ncalls : 0.0;
	return sum < (double)INT64_MAX ? 1.0 : (double)INT64_MAX / sum;
}

static void pprof_write_calls(struct pprof *p)
{
	const struct graph *g = &p->e->a->graph;
	struct rounding part = { .scale = pprof_calls_scale(p->e) };

	if (part.scale < 1.0)
		pprof_write_comment(
			p, "calls are scaled: their sum is beyond what this format can hold");
	for (uint32_t i = 0; i < g->narcs; i++) {
		const struct arc *arc = &g->arc[i];
		uint64_t value[NVALUES] = { [VALUE_CALLS] = arc->ncalls };

		if (!export_has_arc(p->e, i))
			continue;
		if (part.scale < 1.0)
			value[VALUE_CALLS] = rounding_next(&part, (double)arc->ncalls);
		p->path[0] = p->location[arc->to];
		p->path[1] = p->location[arc->from];
		pprof_write_sample(p, 2, value);
	}
}

static void pprof_write(const struct export_view *e, struct output *out)
{
	struct pprof p = {
		.e = e,
		.gz = gzip_begin(out, e->mem),
		.part.mem = e->mem,
		.inner.mem = e->mem,
	};

	for (size_t i = 0; i < NSTRINGS; i++)
		pprof_write_string(&p, strings[i]);
	pprof_write_types(&p);
	pprof_write_comment(&p, "written by " PACKAGE_STRING);
	if (e->stacks->estimated)
		pprof_write_comment(&p, "call paths of samples and cpu are " EXPORT_MARK
					": every call of a function is taken to last equally long");
	pprof_write_comment(&p, "calls are as recorded, each with its caller alone");
	pprof_write_mapping(&p);
	pprof_write_symbols(&p);
	pprof_write_paths(&p);
	pprof_write_calls(&p);
	gzip_end(&p.gz);
}

const struct exporter export_pprof = {
	.keys = keys,
	.nkeys = NKEYS,
	.write = pprof_write,
};
