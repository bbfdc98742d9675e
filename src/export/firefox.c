/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processed profile format of the Firefox Profiler, in a version that the profiler still
 * upgrades by itself. A thread has tables of columns: a sample refers to a stack, a stack to its
 * caller's stack and a frame, a frame to a function, and a function to strings. An inlined function
 * has a frame at the address of the function that contains it, with inline depth one greater. A
 * path is one sample with a weight, so the times of samples only give an order, unless slices of
 * the time are known: then they are the slices' times. Linear in paths times their lengths.
 */
#include "config.h"

#include "export/firefox_tables.h"

#include "base/path.h"

/* The version of the format, and the index of the program in the list of objects. */
enum { FORM_VERSION = 49, PROGRAM_LIB = 0 };

enum { OTHER, PROGRAM, LIBRARY };
static const char categories[] =
	"[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Program\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Library\",\"color\":\"blue\",\"subcategories\":[\"Other\"]}]";

/* Flag added to the number of an inlined function; without it, the number is a symbol. */
static const uint64_t inlined = UINT64_C(1) << 32;

/* Returns the object of a frame, or FIREFOX_NONE. */
static uint32_t firefox_lib(const struct firefox *f, const struct sample_frame *at)
{
	if (at->symbol == STACKS_REST)
		return FIREFOX_NONE;
	if (!symtab_is_elsewhere(&f->e->a->program->symtab.sym[at->symbol]))
		return PROGRAM_LIB;
	return at->module == RECORDED_NONE ? FIREFOX_NONE : f->lib[at->module];
}

INDEX_KEY(firefox_function_key, struct firefox_function, x->what, (uint64_t)x->file << 32 | x->lib)

static uint32_t firefox_add_function(struct firefox *f, struct firefox_function function,
				     const char *name)
{
	size_t n = f->functions.n;
	uint32_t place = index_intern(&f->function_index, &f->functions, &function,
				      firefox_function_key, &f->mem);

	if (place == n)
		f->functions.at[place].name = strtable_place(&f->strings, name);
	return place;
}

/* Adds a row for a function in a frame of the stack, at the same address as the functions that
 * inlined it. */
static void firefox_add_row(struct firefox *f, const struct sample_frame *at,
			    const struct source_frame *source, uint32_t depth)
{
	const struct export_view *e = f->e;
	const struct location *loc = &e->locations[at->symbol];
	const char *file = source->file ? source->file : loc->file;
	bool own = source->function == FRAME_OWN;
	uint32_t lib = firefox_lib(f, at);
	struct firefox_function function = {
		.what = own ? at->symbol : inlined | source->function,
		.file = file ? strtable_place(&f->strings, file) : FIREFOX_NONE,
		.line = own && loc->file ? loc->line : FIREFOX_NONE,
		.lib = lib,
	};
	struct firefox_frame row = {
		.address = at->pc,
		.line = source->line > 0 ? source->line : FIREFOX_NONE,
		.depth = depth,
		.category = lib == FIREFOX_NONE  ? OTHER
			    : lib == PROGRAM_LIB ? PROGRAM
						 : LIBRARY,
	};

	if (lib == FIREFOX_NONE)
		row.address = FIREFOX_NO_ADDRESS;
	else if (lib == PROGRAM_LIB)
		row.address -= e->mapping.lo - e->mapping.offset;
	row.function = firefox_add_function(f, function,
					    export_function(e, source, at->symbol, e->unique));
	array_push(&f->mem, &f->frames) = row;
}

static void firefox_add_rest(struct firefox *f)
{
	const struct stack_node rest = { .function = STACKS_REST };
	const struct firefox_function function = {
		.what = STACKS_REST, .file = FIREFOX_NONE, .line = FIREFOX_NONE, .lib = FIREFOX_NONE
	};
	struct firefox_frame row = { .address = FIREFOX_NO_ADDRESS,
				     .line = FIREFOX_NONE,
				     .category = OTHER };

	row.function = firefox_add_function(f, function, export_frame(f->e, &rest));
	array_push(&f->mem, &f->frames) = row;
}

/* Adds rows from the function that contains the code to the innermost inlined one; the chain has
 * the opposite order. */
static void firefox_add_chain(struct firefox *f, const struct sample_frame *at)
{
	const struct source_frame *frame = f->e->line_costs->frame;
	uint32_t n = 0;

	for (uint32_t i = at->frame; i != FRAME_LAST; i = frame[i].caller)
		n++;
	for (uint32_t depth = 0; depth < n; depth++) {
		uint32_t i = at->frame;

		for (uint32_t up = depth + 1; up < n; up++)
			i = frame[i].caller;
		firefox_add_row(f, at, &frame[i], depth);
	}
}

static void firefox_add_frames(struct firefox *f, const struct sample_frame *at)
{
	const struct source_frame own = { .function = FRAME_OWN, .caller = FRAME_LAST };

	if (f->first[at->number] != 0)
		return;
	f->first[at->number] = (uint32_t)f->frames.n + 1;
	if (at->symbol == STACKS_REST)
		firefox_add_rest(f);
	else if (at->frame == FRAME_LAST)
		firefox_add_row(f, at, &own, 0);
	else
		firefox_add_chain(f, at);
	f->last[at->number] = (uint32_t)f->frames.n - 1;
}

INDEX_KEY(firefox_stack_key, struct firefox_stack, x->prefix, x->frame)

static uint32_t firefox_add_stack(struct firefox *f, uint32_t prefix, uint32_t frame)
{
	const struct firefox_stack stack = { prefix, frame };

	return index_intern(&f->stack_index, &f->stacks, &stack, firefox_stack_key, &f->mem);
}

/* Empties the tables for the next thread. */
static void firefox_begin_thread(struct firefox *f, uint32_t thread)
{
	uint32_t n = samples_numbers(f->e).n;

	arena_free(&f->mem);
	*f = (struct firefox){
		.e = f->e,
		.json = f->json,
		.lib = f->lib,
		.nlibs = f->nlibs,
		.lib_text = f->lib_text,
		.threads = f->threads,
		.nthreads = f->nthreads,
		.process = f->process,
		.thread = thread,
		.mem = arena_scratch(f->e->mem),
	};
	f->strings.mem = &f->mem;
	f->first = arena_array(&f->mem, uint32_t, n);
	f->last = arena_array(&f->mem, uint32_t, n);
}

static void firefox_end_thread(struct firefox *f)
{
	bool all = f->thread == RECORDED_NONE;
	const struct recorded_process *process;

	for (uint32_t i = 0; i < f->nlibs; i++)
		array_push(&f->mem, &f->resources) =
			(struct firefox_resource){ i, strtable_place(&f->strings, f->lib_text[i]) };
	process = all ? NULL : f->threads.at[f->nthreads].process;
	firefox_write_thread(f, all ? f->e->title : f->threads.at[f->nthreads].name,
			     all ? 1 : f->e->trees->recorded->threads.at[f->thread].tid, process);
	f->process = process;
	f->nthreads++;
}

static void firefox_take(const struct sample_path *path, void *arg)
{
	struct firefox *f = arg;
	uint64_t weight = f->e->integer_costs->timed ? path->self : path->samples;
	struct firefox_sample sample = { FIREFOX_NONE, f->before, weight };

	if (path->thread != f->thread) {
		if (f->samples.n > 0)
			firefox_end_thread(f);
		firefox_begin_thread(f, path->thread);
		sample.before = 0;
	}
	/* A slice begins at its time, or when the one before it ends if that is later. */
	if (path->start != SLICE_TIMELESS && path->start > sample.before &&
	    f->e->integer_costs->timed)
		sample.before = path->start;
	for (uint32_t i = path->n; i-- > 0;) {
		const struct sample_frame *at = &path->frame[i];

		firefox_add_frames(f, at);
		for (uint32_t row = f->first[at->number] - 1; row <= f->last[at->number]; row++)
			sample.stack = firefox_add_stack(f, sample.stack, row);
	}
	array_push(&f->mem, &f->samples) = sample;
	f->before = sample.before + weight;
}

/* Writes a build id in Breakpad's form: three integers in reversed byte order, and an age. */
static void firefox_write_breakpad(struct json *json, const unsigned char *id, unsigned n)
{
	static const unsigned char place[16] = { 3, 2, 1,  0,  5,  4,  7,  6,
						 8, 9, 10, 11, 12, 13, 14, 15 };

	json_raw(json, "breakpadId", "\"");
	for (unsigned i = 0; i < 16; i++)
		output_format(json->out, "%02X", place[i] < n ? id[place[i]] : 0);
	output_text(json->out, "0\"");
}

static void firefox_write_code_id(struct json *json, const unsigned char *id, unsigned n)
{
	json_raw(json, "codeId", n > 0 ? "\"" : "null");
	for (unsigned i = 0; i < n; i++)
		output_format(json->out, "%02x", id[i]);
	output_text(json->out, n > 0 ? "\"" : "");
}

static void firefox_write_lib(struct firefox *f, const char *path, const unsigned char *id,
			      unsigned n)
{
	const char *const keys_of[] = { "name", "path", "debugName", "debugPath" };

	json_begin_object(json_line(f->json), NULL);
	json_raw(f->json, "arch", "null");
	for (unsigned i = 0; i < 4; i++)
		json_string(f->json, keys_of[i], i % 2 == 0 ? path_base(path) : path);
	firefox_write_breakpad(f->json, id, n);
	firefox_write_code_id(f->json, id, n);
	json_end(f->json);
	f->lib_text[f->nlibs++] = path_base(path);
}

static unsigned firefox_nibble(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Writes the program, whose build id is a string, then the objects on stacks. */
static void firefox_write_libs(struct firefox *f)
{
	const struct export_view *e = f->e;
	const struct address_space *space = e->a->program->address_space;
	struct bitset modules = export_modules(e);
	uint32_t naddresses = e->trees->naddresses;
	const char *text = e->mapping.build_id ? e->mapping.build_id : "";
	unsigned char id[MODULE_BUILD_ID_BYTES];
	unsigned n = 0;

	for (; n < MODULE_BUILD_ID_BYTES && text[2 * n] && text[2 * n + 1]; n++)
		id[n] = (unsigned char)(firefox_nibble(text[2 * n]) << 4 |
					firefox_nibble(text[2 * n + 1]));
	json_begin_array(json_line(f->json), "libs");
	firefox_write_lib(f, e->a->program->path, id, n);
	for (uint32_t i = 0; space && i < space->recorded->modules.n; i++)
		f->lib[i] = i == space->own ? PROGRAM_LIB : FIREFOX_NONE;
	/* Objects on stacks are written in the order of modules. */
	for (uint32_t i = 0; space && i < naddresses + space->recorded->modules.n; i++) {
		uint32_t m = i < naddresses ? export_module(e, e->trees->address[i].symbol)
					    : i - naddresses;
		const struct module *module;

		if (m == RECORDED_NONE || !bitset_has(modules, m) || f->lib[m] != FIREFOX_NONE)
			continue;
		module = &space->recorded->modules.at[m];
		f->lib[m] = f->nlibs;
		firefox_write_lib(f, module->path, module->build_id, module->build_id_bytes);
	}
	json_end(json_line(f->json));
}

static void firefox_write_meta(const struct firefox *f)
{
	const struct export_view *e = f->e;
	struct json *json = f->json;

	json_begin_object(json, "meta");
	json_format(json, "interval", "%.9g",
		    e->integer_costs->timed ? e->integer_costs->per_tick / 1e6 : 1.0);
	json_uint(json, "startTime", 0);
	json_uint(json, "processType", 0);
	json_uint(json, "stackwalk", 0);
	json_bool(json, "debug", false);
	json_uint(json, "version", 28);
	json_uint(json, "preprocessedProfileVersion", FORM_VERSION);
	json_bool(json, "symbolicated", true);
	json_string(json, "importedFrom", PACKAGE_STRING);
	json_string(json, "product", e->title);
	json_raw(json, "categories", categories);
	json_raw(json, "markerSchema", "[]");
	json_bool(json, "usesOnlyOneStackType", true);
	json_bool(json, "doesNotUseFrameImplementation", true);
	json_bool(json, "sourceCodeIsNotOnSearchfox", true);
	json_raw(json, "initialSelectedThreads", "[0]");
	json_end(json);
}

static void firefox_write(const struct export_view *e, struct output *out)
{
	const struct address_space *space = e->a->program->address_space;
	size_t nmodules = space ? space->recorded->modules.n : 0;
	struct json json = { .out = out };
	struct firefox f = {
		.e = e,
		.json = &json,
		.lib = arena_array(e->mem, uint32_t, nmodules),
		.lib_text = arena_array(e->mem, const char *, nmodules + 1),
		.threads = export_threads(e),
		.mem = arena_scratch(e->mem),
	};

	json_begin_object(&json, NULL);
	firefox_write_meta(&f);
	firefox_write_libs(&f);
	json_raw(json_line(&json), "pages", "[],\"counters\":[],\"profilerOverhead\":[]");
	json_begin_array(json_line(&json), "threads");
	firefox_begin_thread(&f, RECORDED_NONE);
	samples_walk_slices(e, firefox_take, &f);
	firefox_end_thread(&f);
	json_end(&json);
	json_end(&json);
	output_char(out, '\n');
	arena_free(&f.mem);
}

const struct exporter export_firefox = {
	.by_time = true,
	.write = firefox_write,
};
