/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From requests to files: stacks where a format needs them, and the files themselves. */
#include "config.h"

#include "run/exports.h"

#include "analysis/stacks/condense.h"
#include "analysis/stacks/estimate.h"
#include "export/view.h"
#include "io/outfiles.h"

#include <string.h>

/* Of source text, about: no file is read when there is so much. */
enum { SOURCE_BYTES = 64 * 1024 * 1024 };

/* Files, and what is to become of one that is open when memory runs out. */
struct exports_writing {
	struct outfiles files;
	bool is_open;
	const struct arena *mem; /* whose handler then ends the program */
};

__attribute__((noreturn)) static void exports_drop_file(void *arg)
{
	struct exports_writing *w = arg;

	if (w->is_open)
		newfile_close(&w->files.file, false, w->files.diag);
	w->mem->no_memory(w->mem->arg);
}

void exports_locations(const export_requests *requests, const struct amounts *amounts,
		       struct bitset wanted)
{
	if (!(exports_need(requests) & NEEDS_LOCATIONS))
		return;
	for (uint32_t i = 0; i < amounts->nlisted; i++)
		bitset_add(wanted, amounts->listed[i]);
}

static struct stacks exports_make_stacks(const struct export_view *e, struct arena *mem)
{
	const struct export_value *depth = export_find(e->request, "depth");
	const struct export_value *paths = export_find(e->request, "paths");
	const struct stacks_input input = { e->amounts->self, e->amounts->samples,
					    bitset_empty(mem, e->a->graph.nnodes) };
	struct stacks_limits limits = { STACKS_DEPTH, STACKS_PATHS };

	for (uint32_t i = 0; i < e->amounts->nlisted; i++) {
		bitset_add(input.shown, e->amounts->listed[i]);
		limits.paths +=
			e->amounts->self[e->amounts->listed[i]] != 0 ? STACKS_PATHS_EACH : 0;
	}
	if (depth && depth->given)
		limits.depth = (uint32_t)depth->count;
	if (paths && paths->given)
		limits.paths = paths->count;
	if (e->request->format->needs & NEEDS_CYCLES && e->a->cycles.ncycles > 0) {
		struct condensed whole = condense_cycles(e->a, e->amounts, mem);

		return stacks_estimate(&whole.graph, &whole.cycles, &whole.input, &limits, mem);
	}
	return stacks_estimate(&e->a->graph, &e->a->cycles, &input, &limits, mem);
}

static bool exports_want_sources(const struct export_request *request)
{
	return request->format->needs & NEEDS_SOURCES &&
	       export_find(request, "source")->count == EXPORT_YES;
}

bool exports_want_lines(const export_requests *requests)
{
	for (size_t i = 0; i < requests->n; i++) {
		if (exports_want_sources(&requests->at[i]))
			return true;
	}
	return false;
}

/* Each file is read once; none when there is much already. A page can do without. */
static const struct source_text *exports_read_sources(const struct export_view *e,
						      const string_array *path, struct arena *mem)
{
	struct diag quiet = diag_silent(NULL);
	uint32_t nsyms = e->a->graph.nnodes;
	struct source_text *text = arena_array(mem, struct source_text, nsyms);
	uint32_t *number = arena_array(mem, uint32_t, nsyms);
	sym_id *first = arena_array(mem, sym_id, (size_t)e->amounts->nlisted + 1);
	size_t total = 0;

	memset(first, 0xff, ((size_t)e->amounts->nlisted + 1) * sizeof(*first));
	export_number_files(e, "", number);
	for (uint32_t i = 0; i < e->amounts->nlisted; i++) {
		sym_id s = e->amounts->listed[i], *of_file = &first[number[s]];
		const char *file = e->locations[s].file;

		if (*of_file == SYM_NONE && file && *file && total < SOURCE_BYTES) {
			text[s] = source_read(file, path, mem, &quiet);
			total += text[s].size;
		}
		if (*of_file == SYM_NONE)
			*of_file = s;
		text[s] = text[*of_file];
	}
	return text;
}

static int exports_write_one(struct exports_writing *w, struct export_view *e, struct output *out)
{
	const struct export_format *format = e->request->format;
	const char *file = e->request->file ? e->request->file : format->file;
	bool to_file = strcmp(file, "-") != 0;
	int rc = 0;

	if (to_file)
		out = w->files.set.open(&w->files.set, file, format->name);
	if (!out)
		return -1;
	w->is_open = to_file;
	format->exporter->write(e, out);
	w->is_open = false;
	if (to_file)
		rc = w->files.set.close(&w->files.set);
	return rc;
}

int exports_write(const export_requests *requests, const struct exports_input *input,
		  struct output *out, struct arena *mem, struct diag *diag)
{
	struct exports_writing w = { .files = { .mem = mem, .diag = diag }, .mem = mem };
	struct arena handler = {
		.pool = mem->pool, .mapped = true, .no_memory = exports_drop_file, .arg = &w
	};
	struct export_view e;
	int rc = 0;

	if (requests->n == 0)
		return 0;
	e = export_view_make(input->view, input->amounts, input->style, mem);
	e.mapping = input->mapping;
	e.line_times = input->line_times;
	outfiles_start(&w.files);
	for (size_t i = 0; i < requests->n; i++) {
		struct arena own = arena_scratch(&handler);
		struct stacks stacks;

		e.request = &requests->at[i];
		e.stacks = NULL;
		e.sources = NULL;
		e.mem = &own;
		if (e.request->format->needs & NEEDS_STACKS) {
			stacks = exports_make_stacks(&e, &own);
			e.stacks = &stacks;
		}
		if (exports_want_sources(e.request))
			e.sources = exports_read_sources(&e, input->source_path, &own);
		e.title = export_title(&e);
		if (exports_write_one(&w, &e, out) < 0)
			rc = -1;
		arena_free(&own);
	}
	return rc;
}
