/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/fetches_sources.h"

#include "base/join.h"
#include "base/path.h"
#include "base/sort.h"
#include "base/strtable.h"
#include "run/session/fetched.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct fetched_words fetches_sources_words = {
	"the source of ",
	"sources of ",
	"no source",
	"it cannot be read",
};

struct fetches_sources {
	const struct session *s;
	struct source_search search;
	struct fetched fetched;
	bool asks; /* servers are asked */
	bool late; /* a file took too long */
	source_copies copies;
};

/* Returns the bytes of the build id of the program, from its file, and writes the id; 0: it has
 * none. */
static size_t fetches_sources_own_id(const struct session *s, unsigned char *id)
{
	const char *text = image_mapping(s->image, s->mem).build_id;
	size_t n = 0;

	for (; text && text[0] && n < MODULE_BUILD_ID_BYTES; text += 2) {
		char byte[3] = { text[0], text[1], '\0' };

		id[n++] = (unsigned char)strtoul(byte, NULL, 16);
	}
	return n;
}

/* Does the same for what has the code at an address. */
static size_t fetches_sources_id(const struct session *s, uint64_t pc, unsigned char *id)
{
	const struct address_space *space = s->program->address_space;
	uint32_t i = space ? address_space_module(space, pc) : RECORDED_NONE;
	const struct module *module;

	if (i == RECORDED_NONE)
		return fetches_sources_own_id(s, id);
	module = &space->recorded->modules.at[i];
	memcpy(id, module->build_id, module->build_id_bytes);
	return module->build_id_bytes;
}

static void fetches_sources_add(struct fetches_sources *f, const char *name, const char *path)
{
	array_push(f->s->mem, &f->copies) = (struct source_copy){ name, JOIN(f->s->mem, path) };
}

/* Adds the copy that the client has, if it has one. */
static bool fetches_sources_keeps(struct fetches_sources *f, const unsigned char *id, size_t n,
				  const char *name)
{
	struct stat st;
	bool found = false;
	char *path;

	for (size_t i = 0;
	     !found && (path = debug_places_source(&f->s->input->search.debug, i, id, n, name));
	     i++) {
		found = lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
		if (found)
			fetches_sources_add(f, name, path);
		free(path);
	}
	return found;
}

static void fetches_sources_ask(struct fetches_sources *f, const unsigned char *id, size_t n,
				const char *name)
{
	char *path = NULL;
	enum fetch_result result = FETCH_SKIPPED;

	if (!f->late)
		result = fetch_source(f->s->input->fetch, id, n, name, &path);
	f->late = f->late || result == FETCH_LATE;
	if (path)
		fetches_sources_add(f, name, path);
	fetched_add(&f->fetched, path_base(name), result, path && access(path, R_OK) == 0,
		    &fetches_sources_words);
	free(path);
}

static void fetches_sources_one(struct fetches_sources *f, const struct source_wish *wish)
{
	unsigned char id[MODULE_BUILD_ID_BYTES];
	size_t n;

	if (wish->file[0] != '/' || source_is_here(wish->file, &f->search, f->s->mem))
		return;
	n = fetches_sources_id(f->s, wish->pc, id);
	if (n > 0 && !fetches_sources_keeps(f, id, n, wish->file) && f->asks)
		fetches_sources_ask(f, id, n, wish->file);
}

static int fetches_sources_order(uint32_t x, uint32_t y, const void *wishes)
{
	const struct source_wish *wish = wishes;

	return (wish[x].ticks < wish[y].ticks) - (wish[x].ticks > wish[y].ticks);
}

/* Returns each file once, with the sum of its ticks, the most first. */
static source_wishes fetches_sources_sort(const source_wishes *wishes, struct arena *mem)
{
	struct strtable names = { .mem = mem };
	source_wishes sums = { 0 }, sorted = { 0 };
	uint32_t *ids;

	for (size_t i = 0; i < wishes->n; i++) {
		uint32_t place = strtable_place(&names, wishes->at[i].file);

		if (place == sums.n)
			array_push(mem, &sums) = wishes->at[i];
		else
			sums.at[place].ticks += wishes->at[i].ticks;
	}
	ids = arena_array(mem, uint32_t, sums.n);
	for (uint32_t i = 0; i < sums.n; i++)
		ids[i] = i;
	sort_ids(ids, sums.n, fetches_sources_order, sums.at, mem);
	for (uint32_t i = 0; i < sums.n; i++)
		array_push(mem, &sorted) = sums.at[ids[i]];
	return sorted;
}

source_copies fetches_sources_make(const struct session *s, const source_wishes *wishes)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	struct arena scratch = arena_scratch(s->mem);
	source_wishes sorted = fetches_sources_sort(wishes, &scratch);
	struct fetches_sources f = {
		.s = s,
		.search = { .path = &s->input->source_path, .quiet = true },
		.fetched.mem = s->mem,
		.asks = s->input->fetch && s->input->fetch->seconds > 0 && servers && *servers,
	};

	if (f.asks)
		progress_step(s->diag->progress, "fetching sources", 0);
	for (size_t i = 0; i < sorted.n; i++)
		fetches_sources_one(&f, &sorted.at[i]);
	fetched_say(&f.fetched, &fetches_sources_words, s->diag);
	arena_free(&scratch);
	return f.copies;
}
