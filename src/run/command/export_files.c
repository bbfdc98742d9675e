/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/export_files.h"

#include "analysis/diff/join.h"
#include "analysis/stacks/condense.h"
#include "analysis/stacks/estimate.h"
#include "base/path.h"
#include "export/export_view.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most source text that exports hold; after that no more files are read. */
enum { SOURCE_BYTES = 64 * 1024 * 1024 };

/* For larger files of call paths a note is written: viewers take long to load them, or fail. */
enum { LARGE_BYTES = 100 * 1000 * 1000, MEGABYTE = 1000 * 1000 };

/* The files that are being written, so that an open one can be removed when memory runs out. */
struct exports_writing {
	struct outfiles *files;
	bool is_open;
	const struct arena *mem; /* its handler ends the program */
};

__attribute__((noreturn)) static void export_files_drop_file(void *arg)
{
	struct exports_writing *w = arg;

	if (w->is_open)
		outfiles_drop(w->files);
	w->mem->no_memory(w->mem->arg);
}

void export_files_locations(const export_requests *requests,
			    const struct integer_costs *integer_costs, struct bitset wanted)
{
	if (!(export_needs(requests) & NEEDS_LOCATIONS))
		return;
	for (uint32_t i = 0; i < integer_costs->nlisted; i++)
		bitset_add(wanted, integer_costs->listed[i]);
}

bool export_files_want_slices(const export_requests *requests)
{
	for (size_t i = 0; i < requests->n; i++) {
		if (requests->at[i].format->exporter->by_time)
			return true;
	}
	return false;
}

bool export_files_want_threads(const export_requests *requests)
{
	for (size_t i = 0; i < requests->n; i++) {
		const struct keys_value *thread = &requests->at[i].value[EXPORT_THREAD];

		if (requests->at[i].format->needs & NEEDS_THREADS &&
		    (!thread->given || thread->count == EXPORT_YES))
			return true;
	}
	return export_files_want_lines(requests);
}

static struct stacks export_files_estimate(const struct export_view *e, struct arena *mem)
{
	const struct keys_value *depth = &e->request->value[EXPORT_DEPTH];
	const struct keys_value *paths = &e->request->value[EXPORT_PATHS];
	const struct stacks_input input = { e->integer_costs->self, e->integer_costs->samples,
					    bitset_empty(mem, e->a->graph.nnodes) };
	struct stacks_limits limits = { STACKS_DEPTH, STACKS_PATHS };

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		bitset_add(input.shown, e->integer_costs->listed[i]);
		limits.paths += e->integer_costs->self[e->integer_costs->listed[i]] != 0
					? STACKS_PATHS_EACH
					: 0;
	}
	if (depth->given)
		limits.depth = (uint32_t)depth->count;
	if (paths->given)
		limits.paths = paths->count;
	if (!e->difference && e->request->format->needs & NEEDS_CYCLES &&
	    e->a->cycles.ncycles > 0) {
		struct condensed whole = condense_cycles(e->a, e->integer_costs, mem);
		struct stacks stacks =
			estimate_stacks(&whole.graph, &whole.cycles, &whole.input, &limits, mem);

		stacks.of = STACKS_OF_NODES;
		return stacks;
	}
	return estimate_stacks(&e->a->graph, &e->a->cycles, &input, &limits, mem);
}

/* Returns the call paths of all threads: recorded ones or, without trees, estimated ones. */
static struct stacks export_files_stacks(const struct export_view *e,
					 const struct call_trees *trees, struct arena *mem)
{
	return trees ? trees->functions : export_files_estimate(e, mem);
}

static bool export_files_want_sources(const struct export_request *request)
{
	return request->format->needs & NEEDS_SOURCES &&
	       request->value[EXPORT_SOURCE].count == EXPORT_YES;
}

static bool export_files_wants_lines(const struct export_request *request)
{
	const struct export_format *format = request->format;

	return format->needs & NEEDS_LINE_COSTS &&
	       (!format->exporter->wants_lines || format->exporter->wants_lines(request));
}

bool export_files_want_texts(const export_requests *requests)
{
	for (size_t i = 0; i < requests->n; i++) {
		if (export_files_want_sources(&requests->at[i]))
			return true;
	}
	return false;
}

bool export_files_want_lines(const export_requests *requests)
{
	for (size_t i = 0; i < requests->n; i++) {
		if (export_files_wants_lines(&requests->at[i]))
			return true;
	}
	return false;
}

/*
 * Returns the source text of each listed function, as far as there is room. Reads each file once.
 */
static const struct source_text *export_files_read_sources(const struct export_view *e,
							   const struct exports_input *input)
{
	struct diag *diag = input->files->diag;
	const struct source_search search = { input->source_path, true, &input->files->inputs,
					      input->files->mem, &input->copies };
	uint32_t nsyms = e->a->graph.nnodes;
	struct source_text *text = arena_array(e->mem, struct source_text, nsyms);
	uint32_t *number = arena_array(e->mem, uint32_t, nsyms);
	sym_id *first = arena_array(e->mem, sym_id, (size_t)e->integer_costs->nlisted + 1);
	size_t total = 0;

	memset(first, 0xff, ((size_t)e->integer_costs->nlisted + 1) * sizeof(*first));
	export_number_files(e, "", number);
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		sym_id s = e->integer_costs->listed[i], *of_file = &first[number[s]];
		const char *file = e->locations[s].file;

		if (*of_file == SYM_NONE && file && *file && total < SOURCE_BYTES) {
			text[s] = source_read(file, &search, e->mem, diag);
			total += text[s].size;
		}
		if (*of_file == SYM_NONE)
			*of_file = s;
		text[s] = text[*of_file];
	}
	return text;
}

/*
 * Returns the permissions of an export with source texts: those that all these source files have.
 */
static unsigned export_files_rights(const struct export_view *e)
{
	unsigned rights = 0777;

	for (uint32_t i = 0; e->sources && i < e->integer_costs->nlisted; i++) {
		const struct source_text *text = &e->sources[e->integer_costs->listed[i]];

		if (text->bytes)
			rights &= text->rights;
	}
	return rights;
}

/* Notes where the file was written, and limits that the user may not expect. */
static void export_files_tell(const struct export_request *request, const struct output *out,
			      unsigned rights, bool is_new)
{
	const char *format = request->format->name;
	unsigned long long megabytes = out->total / MEGABYTE;

	if (is_new && isatty(STDERR_FILENO))
		diag_note(out->diag, "%s is in %s", format, out->name);
	if (rights != 0777)
		diag_note(out->diag, "%s: holds source text that not everybody may read",
			  out->name);
	if (out->total > LARGE_BYTES && keys_is_of(&export_keys[EXPORT_PATHS], format))
		diag_note(out->diag,
			  "%s: is %llu MB; --export=%s,depth=N or paths=N makes it smaller",
			  out->name, megabytes, format);
}

static struct output *export_files_open(const struct exports_writing *w,
					const struct export_view *e, const char *file,
					unsigned rights)
{
	const struct export_format *format = e->request->format;

	if (e->request->file)
		return outfiles_open_named(w->files, file, format->name, rights);
	return w->files->set.open(&w->files->set, file, format->name, rights);
}

/* Returns the file name of the base side's graph: gprof.base.svg for gprof.svg. */
static const char *export_files_base_name(const char *file, struct arena *mem)
{
	static const char base[] = ".base";
	const char *dot = strrchr(path_base(file), '.');
	size_t n = dot ? (size_t)(dot - file) : strlen(file);
	char *name = arena_array(mem, char, strlen(file) + sizeof(base));

	memcpy(name, file, n);
	memcpy(name + n, base, sizeof(base) - 1);
	memcpy(name + n + sizeof(base) - 1, file + n, strlen(file) - n);
	return name;
}

static int export_files_write_one(struct exports_writing *w, struct export_view *e,
				  const char *file, struct output *out)
{
	bool to_file = strcmp(file, "-") != 0;
	unsigned rights = export_files_rights(e);
	int rc = 0;

	if (to_file)
		out = export_files_open(w, e, file, rights);
	if (!out)
		return -1;
	w->is_open = to_file;
	e->request->format->exporter->write(e, out);
	w->is_open = false;
	if (to_file)
		rc = w->files->set.close(&w->files->set);
	if (rc == 0)
		export_files_tell(e->request, out, rights, to_file && strcmp(out->name, file) == 0);
	return rc;
}

/* Joins the call paths of both sides; e->stacks are those of the new side. */
static struct joint export_files_join(const struct export_view *e,
				      const struct exports_difference *difference,
				      struct arena *mem)
{
	const struct export_view base = { .a = difference->base,
					  .integer_costs = difference->base_amounts,
					  .request = e->request,
					  .difference = difference->difference };
	const struct stacks stacks = export_files_stacks(&base, difference->base_trees, mem);
	const struct stacks *sides[SIDES] = { [SIDE_BASE] = &stacks, [SIDE_NEW] = e->stacks };

	return join_stacks(sides, difference->match, difference->difference, difference->least,
			   mem);
}

/*
 * Writes one file, or for --diff one file for each side if the format is a flame graph, which
 * cannot show functions that only the base has.
 */
static int export_files_write_sides(struct exports_writing *w, struct export_view *e,
				    struct output *out)
{
	const char *file = e->request->file ? e->request->file : e->request->format->file;
	struct stat st;
	int rc;

	e->side = SIDE_NEW;
	rc = export_files_write_one(w, e, file, out);
	if (!e->joint || !e->request->format->exporter->each_side || strcmp(file, "-") == 0 ||
	    stat(file, &st) < 0 || !S_ISREG(st.st_mode))
		return rc;
	e->side = SIDE_BASE;
	return export_files_write_one(w, e, export_files_base_name(file, e->mem), out) < 0 ? -1
											   : rc;
}

int export_files_write(const export_requests *requests, const struct exports_input *input,
		       struct output *out, struct arena *mem)
{
	struct exports_writing w = { .files = input->files, .mem = mem };
	struct arena handler = {
		.pool = mem->pool, .mapped = true, .no_memory = export_files_drop_file, .arg = &w
	};
	const struct call_trees no_trees = { .nthreads = 0 };
	struct export_view e;
	int rc = 0;

	if (requests->n == 0)
		return 0;
	e = export_view_make(input->view, input->integer_costs, input->style, mem);
	e.inlined = export_inlined_names(input->line_costs, input->style, mem);
	e.mapping = input->mapping;
	e.trees = input->trees ? input->trees : &no_trees;
	e.ranks = input->view->ranks;
	e.difference = input->difference ? input->difference->difference : NULL;
	e.match = input->difference ? input->difference->match : NULL;
	e.paired = input->difference ? input->difference->paired : NULL;
	e.history = input->difference ? input->difference->history : NULL;
	e.directory = input->difference ? input->difference->directory : NULL;
	for (size_t i = 0; i < requests->n; i++) {
		struct arena own = arena_scratch(&handler);
		struct stacks stacks;
		struct joint joint;

		e.request = &requests->at[i];
		e.stacks = NULL;
		e.sources = NULL;
		e.mem = &own;
		if (e.request->format->needs & NEEDS_STACKS) {
			stacks = export_files_stacks(&e, input->trees, &own);
			e.stacks = &stacks;
		}
		if (e.stacks && e.difference) {
			joint = export_files_join(&e, input->difference, &own);
			e.joint = &joint;
		}
		if (!e.difference && export_files_want_sources(e.request))
			e.sources = export_files_read_sources(&e, input);
		e.line_costs = export_files_wants_lines(e.request) ? input->line_costs : NULL;
		e.wholes = e.line_costs ? input->wholes : (struct line_wholes){ .n = 0 };
		e.code = e.line_costs && !e.difference ? input->code : NULL;
		e.title = export_title(&e);
		if (export_files_write_sides(&w, &e, out) < 0)
			rc = -1;
		arena_free(&own);
	}
	return rc;
}
