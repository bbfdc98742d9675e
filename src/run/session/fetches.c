/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/fetches.h"

#include "base/join.h"
#include "base/path.h"
#include "base/sort.h"
#include "run/session/fetched.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PERCENT = 1 };

/* The state of fetching, and the texts of the note. */
struct fetches {
	struct image *program;
	const struct session_input *input;
	const struct recorded *recorded;
	struct arena *mem;
	const uint64_t *ticks; /* for each module */
	struct fetched fetched;
};

static const struct fetched_words fetches_words = {
	"the debug file of ",
	"debug files of ",
	"nothing",
	"it is of another build",
};

/* Returns the ticks of each module, in mem, and sets *all to those of all stacks. */
static const uint64_t *fetches_ticks(const struct recorded *r, uint64_t *all, struct arena *mem)
{
	uint64_t *ticks = arena_array(mem, uint64_t, r->modules.n);

	*all = 0;
	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];
		uint32_t module = sample->node == RECORDED_NONE ? RECORDED_NONE
								: r->nodes.at[sample->node].module;

		if (sample->kind != 0)
			continue;
		*all += sample->ticks;
		if (module != RECORDED_NONE)
			ticks[module] += sample->ticks;
	}
	return ticks;
}

static int fetches_order(uint32_t x, uint32_t y, const void *ticks)
{
	const uint64_t *of = ticks;

	return (of[x] < of[y]) - (of[x] > of[y]);
}

/* Opens the file of a module, or of its debug file; NULL: there is neither. */
static struct image *fetches_open(const struct fetches *f, const struct module *module)
{
	struct diag silent = diag_silent(NULL);

	if (module->flags & MODULE_PROGRAM)
		return f->program;
	return libraries_open(module, &f->input->search, f->mem, &silent);
}

static void fetches_close(const struct fetches *f, struct image *image)
{
	if (image != f->program)
		image_close(image);
}

/* Whether the debug file is on this machine. */
static bool fetches_has(const struct fetches *f, const struct module *module)
{
	struct image *image = fetches_open(f, module);
	bool has = image && (image_has_lines(image) || image_has_debug(image));

	fetches_close(f, image);
	return has;
}

/* Returns the bytes of the build id of the supplementary file that the module lacks, and writes the
 * id; 0: it lacks none. */
static size_t fetches_lacks_shared(const struct fetches *f, const struct module *module,
				   unsigned char *id)
{
	struct image *image = fetches_open(f, module);
	size_t n = image ? image_lacks_shared(image, id, MODULE_BUILD_ID_BYTES) : 0;

	fetches_close(f, image);
	return n;
}

/* Fetches what is not on this machine of the debug file of a module and of its supplementary file,
 * to which dwz has moved what it shares with others. */
static void fetches_one(struct fetches *f, const struct module *module)
{
	const char *name = path_base(module->path);
	unsigned char id[MODULE_BUILD_ID_BYTES], again[MODULE_BUILD_ID_BYTES];
	enum fetch_result result;
	size_t n;

	if (!fetches_has(f, module)) {
		result = fetch_debug(f->input->fetch, module->build_id, module->build_id_bytes);
		fetched_add(&f->fetched, name, result,
			    result == FETCH_GOT && fetches_has(f, module), &fetches_words);
	}
	n = fetches_lacks_shared(f, module, id);
	if (n > 0) {
		result = fetch_debug(f->input->fetch, id, n);
		fetched_add(&f->fetched, JOIN(f->mem, name, "'s supplement"), result,
			    result == FETCH_GOT && fetches_lacks_shared(f, module, again) == 0,
			    &fetches_words);
	}
}

/* The program as a module, for a profile that does not name it. */
static struct module fetches_program(const struct fetches *f)
{
	const char *id = image_mapping(f->program, f->mem).build_id;
	struct module module = { .path = f->input->program.path, .flags = MODULE_PROGRAM };

	for (size_t i = 0; id && id[0] && i < MODULE_BUILD_ID_BYTES; i++, id += 2) {
		char byte[3] = { id[0], id[1], '\0' };

		module.build_id[i] = (unsigned char)strtoul(byte, NULL, 16);
		module.build_id_bytes++;
	}
	return module;
}

/* Fetches for the modules of the recording, those with most ticks first. */
static void fetches_of_modules(struct fetches *f, uint64_t all, struct arena *scratch)
{
	uint32_t n = (uint32_t)f->recorded->modules.n;
	uint32_t *ids = arena_array(scratch, uint32_t, n);

	for (uint32_t i = 0; i < n; i++)
		ids[i] = i;
	sort_ids(ids, n, fetches_order, f->ticks, scratch);
	for (uint32_t i = 0; i < n && f->ticks[ids[i]] > 0; i++) {
		const struct module *module = &f->recorded->modules.at[ids[i]];

		if (f->ticks[ids[i]] < all / 100 * LEAST_PERCENT || module->path[0] != '/' ||
		    module->build_id_bytes == 0 || module->flags & MODULE_RECORDER)
			continue;
		fetches_one(f, module);
	}
}

void fetches_make(const struct session_input *input, struct image *program,
		  const struct recorded *recorded, struct arena *mem, struct diag *diag)
{
	struct arena scratch = arena_scratch(mem);
	struct fetches f = { .program = program,
			     .input = input,
			     .recorded = recorded,
			     .mem = mem,
			     .fetched.mem = mem };
	struct module module;
	uint64_t all;

	if (!getenv("DEBUGINFOD_URLS") || !*getenv("DEBUGINFOD_URLS")) {
		diag_note(diag, "debuginfod: nothing was fetched: DEBUGINFOD_URLS names no server");
		return;
	}
	progress_step(diag->progress, "fetching debug files", 0);
	f.ticks = fetches_ticks(recorded, &all, &scratch);
	if (all > 0) {
		fetches_of_modules(&f, all, &scratch);
	} else {
		module = fetches_program(&f);
		if (module.build_id_bytes > 0)
			fetches_one(&f, &module);
	}
	fetched_say(&f.fetched, &fetches_words, diag);
	arena_free(&scratch);
}
