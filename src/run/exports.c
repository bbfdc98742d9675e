/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From requests to files: stacks where a format needs them, and the files themselves. */
#include "config.h"

#include "run/exports.h"

#include "analysis/stacks/estimate.h"
#include "io/outfiles.h"

#include <string.h>

/* Of source text, about: no file is read when there is so much. */
enum { SOURCE_BYTES = 64 * 1024 * 1024 };

/* Files, and what is to become of one that is open when memory runs out. */
struct writing {
	struct outfiles files;
	bool is_open;
	const struct arena *mem; /* whose handler then ends the program */
};

__attribute__((noreturn)) static void drop_file(void *arg)
{
	struct writing *w = arg;

	if (w->is_open)
		newfile_close(&w->files.file, false, w->files.diag);
	w->mem->no_memory(w->mem->arg);
}

static struct stacks make_stacks(const struct export_view *e, struct arena *mem)
{
	const struct export_value *depth = export_find(e->request, "depth");
	const struct export_value *paths = export_find(e->request, "paths");
	const struct stacks_input input = { e->self, e->samples,
					    bitset_empty(mem, e->a->graph.nnodes) };
	struct stacks_limits limits = { STACKS_DEPTH, STACKS_PATHS };

	for (uint32_t i = 0; i < e->nlisted; i++) {
		bitset_add(input.shown, e->listed[i]);
		limits.paths += e->self[e->listed[i]] != 0 ? STACKS_PATHS_EACH : 0;
	}
	if (depth && depth->given)
		limits.depth = (uint32_t)depth->count;
	if (paths && paths->given)
		limits.paths = paths->count;
	return stacks_estimate(&e->a->graph, &e->a->cycles, &input, &limits, mem);
}

static bool wants_sources(const struct export_request *request)
{
	return request->format->needs & EXPORT_SOURCES &&
	       export_find(request, "source")->count == EXPORT_YES;
}

/* Each file is read once; none when there is much already. A page can do without. */
static const struct source_text *read_sources(const struct export_view *e, const string_array *path,
					      struct arena *mem)
{
	struct diag quiet = diag_silent(NULL);
	uint32_t nsyms = e->a->graph.nnodes;
	struct source_text *text = arena_array(mem, struct source_text, nsyms);
	uint32_t *number = arena_array(mem, uint32_t, nsyms);
	sym_id *first = arena_array(mem, sym_id, (size_t)e->nlisted + 1);
	size_t total = 0;

	memset(first, 0xff, ((size_t)e->nlisted + 1) * sizeof(*first));
	export_number_files(e, "", number);
	for (uint32_t i = 0; i < e->nlisted; i++) {
		sym_id s = e->listed[i], *of_file = &first[number[s]];
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

static int write_one(struct writing *w, struct export_view *e, struct output *out)
{
	const struct exporter *format = e->request->format;
	const char *file = e->request->file ? e->request->file : format->file;
	bool to_file = strcmp(file, "-") != 0;
	int rc = 0;

	if (to_file)
		out = w->files.set.open(&w->files.set, file, format->name);
	if (!out)
		return -1;
	w->is_open = to_file;
	format->write(e, out);
	w->is_open = false;
	if (to_file)
		rc = w->files.set.close(&w->files.set);
	return rc;
}

int exports_write(const export_requests *requests, const struct analysis *a,
		  const struct location *locations, const struct image *image,
		  const struct report_options *opt, const string_array *source_path,
		  struct output *out, struct arena *mem, struct diag *diag)
{
	struct writing w = { .files = { .mem = mem, .diag = diag }, .mem = mem };
	struct arena handler = {
		.pool = mem->pool, .mapped = true, .no_memory = drop_file, .arg = &w
	};
	struct export_view e;
	int rc = 0;

	if (requests->n == 0)
		return 0;
	e = exports_prepare(a, locations, opt, mem);
	e.mapping = image_mapping(image, mem);
	outfiles_start(&w.files);
	for (size_t i = 0; i < requests->n; i++) {
		struct arena own = arena_scratch(&handler);
		struct stacks stacks;

		e.request = &requests->at[i];
		e.stacks = NULL;
		e.sources = NULL;
		e.mem = &own;
		if (e.request->format->needs & EXPORT_STACKS) {
			stacks = make_stacks(&e, &own);
			e.stacks = &stacks;
		}
		if (wants_sources(e.request))
			e.sources = read_sources(&e, source_path, &own);
		e.title = export_title(&e);
		if (write_one(&w, &e, out) < 0)
			rc = -1;
		arena_free(&own);
	}
	return rc;
}
