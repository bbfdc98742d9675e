/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/blame.h"

#include "analysis/blame.h"
#include "base/demangle.h"
#include "base/join.h"
#include "base/path.h"
#include "base/radix.h"
#include "run/session/libraries.h"

#include <inttypes.h>
#include <string.h>

bool blame_is_known(const struct session *s)
{
	return s->uninlined && !s->range && !s->input->thread &&
	       clock_find(s->uninlined->recorded, RECORDED_BLAME_KIND) != 0;
}

/* The names of locks that are variables of one module. */
struct blame_names {
	struct keyed *lock; /* their addresses, sorted, with the index of the hold */
	uint64_t *address;
	const char **name;
	size_t n;
};

static struct blame_names blame_locks_in(const struct recorded *rec, uint32_t module,
					 struct arena *mem)
{
	struct blame_names names = { .lock = arena_array(mem, struct keyed, rec->holds.n) };

	for (size_t i = 0; i < rec->holds.n; i++) {
		if (rec->holds.at[i].module == module && rec->holds.at[i].lock != 0)
			names.lock[names.n++] =
				(struct keyed){ rec->holds.at[i].lock, (uint32_t)i };
	}
	radix_sort_keyed(names.lock, names.n, mem);
	names.address = arena_array(mem, uint64_t, names.n);
	names.name = arena_array(mem, const char *, names.n);
	for (size_t i = 0; i < names.n; i++)
		names.address[i] = names.lock[i].key;
	return names;
}

/* Opens the file of a module other than the program; NULL: it has none. */
static struct image *blame_open(const struct session *s, const struct module *module)
{
	struct diag silent = diag_silent(NULL);

	return module->path[0] == '/' && !(module->flags & (MODULE_MADE | MODULE_SEVERAL))
		       ? libraries_open(module, &s->input->search, s->mem, &silent)
		       : NULL;
}

/* Returns a readable name for that of a variable, which may have an offset in it: "log+0x8". */
static const char *blame_demangle(const char *name, enum demangle_style style, struct arena *mem)
{
	const char *offset = strrchr(name, '+');

	if (!offset)
		return demangle(name, style, mem);
	return JOIN(mem, demangle(arena_strndup(mem, name, (size_t)(offset - name)), style, mem),
		    offset);
}

/* Names the locks of a module. */
static void blame_name_locks(const struct session *s, uint32_t module, enum demangle_style style,
			     const char **lock)
{
	const struct recorded *rec = s->uninlined->recorded;
	struct arena scratch = arena_scratch(s->mem);
	struct blame_names names = blame_locks_in(rec, module, &scratch);
	const struct module *of = &rec->modules.at[module];
	bool own = of->flags & MODULE_PROGRAM;
	struct image *image = names.n == 0 ? NULL : own ? s->image : blame_open(s, of);

	if (image) {
		image_data_names(image, names.address, names.n, names.name, s->mem);
		for (size_t i = 0; i < names.n; i++)
			if (names.name[i])
				lock[names.lock[i].id] =
					*names.name[i]
						? blame_demangle(names.name[i], style, s->mem)
						: join_format(s->mem, "[%s+0x%" PRIx64 "]",
							      path_base(of->path),
							      names.address[i]);
		if (!own)
			image_close(image);
	}
	arena_free(&scratch);
}

/* Returns the lines of n places. */
static struct line_table blame_lines(const struct session *s, const struct blame_places *places,
				     size_t n)
{
	address_list all = { 0 }, pcs = { 0 };

	for (size_t i = 0; i < n; i++) {
		const uint64_t pc[] = { places[i].holder.pc, places[i].waiter.pc,
					places[i].first.pc };

		for (size_t k = 0; k < sizeof(pc) / sizeof(pc[0]); k++) {
			if (pc[k] != 0)
				array_push(s->mem, &all) = pc[k];
		}
	}
	if (all.n == 0)
		return (struct line_table){ 0 };
	radix_sort_numbers(all.at, all.n, s->mem);
	for (size_t i = 0; i < all.n; i++) {
		if (i == 0 || all.at[i] != all.at[i - 1])
			array_push(s->mem, &pcs) = all.at[i];
	}
	return session_lines(s, &pcs);
}

const struct blame *blame_gather(const struct session *s, enum demangle_style style,
				 struct diag *diag)
{
	struct blame_input input = { .stacks = s->uninlined };
	const struct recorded *rec;
	struct blame *blame;
	struct line_table lines;
	const char **lock;

	if (!blame_is_known(s)) {
		diag_error(diag, "who waited for locks was not recorded: that takes "
				 "gprof --run=clock=wall, or GMON=clock=wall");
		return NULL;
	}
	rec = s->uninlined->recorded;
	lock = arena_array(s->mem, const char *, rec->holds.n);
	for (uint32_t i = 0; i < rec->modules.n; i++)
		blame_name_locks(s, i, style, lock);
	input.places = blame_locate(&s->analysis, s->uninlined, s->mem);
	lines = blame_lines(s, input.places, rec->holds.n);
	input.lines = &lines;
	input.lock = lock;
	blame = arena_array(s->mem, struct blame, 1);
	*blame = blame_make(&input, s->mem);
	return blame;
}
