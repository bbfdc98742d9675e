/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One symbol for each object or, where it has some, its symbols; then the node's frames. */
#include "config.h"

#include "analysis/stacks/place.h"

#include "base/path.h"
#include "base/sort.h"

#include <string.h>

/* Symbols behind those of the program; the modules' own follow. */
enum { PLACE_CODE, PLACE_PROGRAM, PLACE_STUBS, PLACE_BROKEN, NPLACES };

struct place_work {
	const struct place_input *in;
	struct symtab_finder finder;
	struct placed_stacks placed;
	struct bitset used; /* modules with nodes */
	bool has[NPLACES];
	sym_id special[NPLACES];
	sym_id *first;     /* of each module, its first symbol */
	const char **name; /* the same */
	struct sym *sym;   /* the table */
	uint32_t nsyms;
	struct arena *mem, *scratch;
};

/* Whether the symbols of a module are its own functions. */
static bool place_is_shown(const struct place_work *p, uint32_t module)
{
	return p->in->of_module && p->in->of_module[module].nsyms > 0;
}

static bool place_is_own(const struct place_work *p, uint32_t module)
{
	return module != RECORDED_NONE &&
	       p->in->recorded->modules.at[module].flags & MODULE_PROGRAM;
}

/* The program's symbol, or which of the special ones. */
static sym_id place_find_own(const struct place_work *p, uint64_t address, int *special)
{
	const struct program *program = p->in->program;
	sym_id s;

	*special = PLACE_STUBS;
	if (code_range_search(program->stubs, program->nstubs, address))
		return SYM_NONE;
	s = symtab_finder_find(&p->finder, address);
	*special = PLACE_PROGRAM;
	return s;
}

/* Which modules and special symbols there are; frames of the program are final. */
static void place_look(struct place_work *p, sym_id *frame)
{
	const struct recorded *r = p->in->recorded;

	for (size_t i = 0; i < r->nodes.n; i++) {
		const struct recorded_node *node = &r->nodes.at[i];
		int special = PLACE_CODE;

		frame[i] = SYM_NONE;
		if (place_is_own(p, node->module))
			frame[i] = place_find_own(p, node->address, &special);
		else if (node->module != RECORDED_NONE)
			bitset_add(p->used, node->module);
		if (frame[i] == SYM_NONE)
			p->has[special] |=
				node->module == RECORDED_NONE || place_is_own(p, node->module);
	}
	for (size_t i = 0; i < r->samples.n; i++)
		p->has[PLACE_BROKEN] |= r->samples.at[i].quality == STACK_BROKEN ||
					r->samples.at[i].node == RECORDED_NONE;
}

static int place_compare_names(uint32_t x, uint32_t y, const void *modules)
{
	const struct module *m = modules;

	return strcmp(path_base(m[x].path), path_base(m[y].path));
}

/* The last parts of the paths; the whole of those that share one. */
static void place_name_modules(struct place_work *p)
{
	const struct module *m = p->in->recorded->modules.at;
	uint32_t n = (uint32_t)p->in->recorded->modules.n, nused = 0;
	uint32_t *ids = arena_array(p->scratch, uint32_t, n);

	for (uint32_t i = 0; i < n; i++) {
		if (bitset_has(p->used, i))
			ids[nused++] = i;
	}
	sort_ids(ids, nused, place_compare_names, m, p->scratch);
	for (uint32_t i = 0; i < nused; i++) {
		const struct module *at = &m[ids[i]];
		bool shared = (i > 0 && place_compare_names(ids[i - 1], ids[i], m) == 0) ||
			      (i + 1 < nused && place_compare_names(ids[i], ids[i + 1], m) == 0);

		p->name[ids[i]] = at->flags & MODULE_VDSO ? "vdso"
				  : shared                ? at->path
							  : path_base(at->path);
		if (!*p->name[ids[i]])
			p->name[ids[i]] = "?";
	}
}

static const char *place_text(const char *before, const char *name, const char *after,
			      struct arena *mem)
{
	size_t n = strlen(before), len = strlen(name);
	char *text = arena_array(mem, char, n + len + strlen(after) + 1);

	memcpy(text, before, n);
	memcpy(text + n, name, len);
	strcpy(text + n + len, after);
	return text;
}

bool place_has_room(const struct symtab *program, const struct recorded *recorded)
{
	uint64_t end = program->nsyms > 0 ? program->sym[program->nsyms - 1].hi : 0;

	return end <= UINT64_MAX / 2 && recorded->modules.n < UINT64_MAX / 4 / PLACE_STRIDE;
}

static uint64_t place_base(const struct place_work *p, uint64_t i)
{
	const struct symtab *own = &p->in->program->symtab;
	uint64_t end = own->nsyms > 0 ? own->sym[own->nsyms - 1].hi : 0;

	return (end / PLACE_STRIDE + 1 + i) * PLACE_STRIDE;
}

static sym_id place_add(struct place_work *p, uint64_t lo, uint64_t hi, const char *name,
			unsigned flags)
{
	p->sym[p->nsyms] = (struct sym){ .lo = lo,
					 .hi = hi,
					 .name = name,
					 .flags = flags | SYM_FUNC | SYM_FOREIGN,
					 .place = UINT32_MAX };
	return p->nsyms++;
}

/* "sin@libm.so.6", without a version of the name; what has the module in its name already keeps it.
 */
static const char *place_name_foreign(const char *name, const char *module, struct arena *mem)
{
	if (name[0] == '[')
		return name;
	return place_text(arena_strndup(mem, name, strcspn(name, "@")), "@", module, mem);
}

/* The functions of a module, and behind them the whole, for addresses that none of them has. */
static void place_add_module(struct place_work *p, uint32_t module)
{
	uint64_t base = place_base(p, module), end = base;

	p->first[module] = p->nsyms;
	for (uint32_t i = 0; place_is_shown(p, module) && i < p->in->of_module[module].nsyms; i++) {
		const struct sym *sym = &p->in->of_module[module].sym[i];
		uint64_t lo = base + sym->lo % PLACE_STRIDE;

		end = lo + (sym->hi - sym->lo);
		place_add(p, lo, end, place_name_foreign(sym->name, p->name[module], p->mem),
			  sym->flags & SYM_STATIC);
	}
	place_add(p, end, base + PLACE_STRIDE, place_text("[", p->name[module], "]", p->mem),
		  SYM_WHOLE);
}

static void place_add_special(struct place_work *p)
{
	const char *own = place_text("[", path_base(p->in->program->path), "]", p->mem);
	const char *const names[NPLACES] = { "[code]", own, "[stubs]", "[broken stack]" };

	for (unsigned i = 0; i < NPLACES; i++) {
		uint64_t base = place_base(p, p->in->recorded->modules.n + i);

		p->special[i] =
			p->has[i] ? place_add(p, base, base + PLACE_STRIDE, names[i], SYM_WHOLE)
				  : SYM_NONE;
	}
}

static void place_make_table(struct place_work *p)
{
	const struct symtab *own = &p->in->program->symtab;
	uint32_t nmodules = (uint32_t)p->in->recorded->modules.n;
	size_t room = (size_t)own->nsyms + nmodules + NPLACES;

	for (uint32_t i = 0; i < nmodules; i++)
		room += place_is_shown(p, i) && bitset_has(p->used, i) ? p->in->of_module[i].nsyms
								       : 0;
	p->sym = arena_array(p->mem, struct sym, room);
	if (own->nsyms > 0)
		memcpy(p->sym, own->sym, own->nsyms * sizeof(*own->sym));
	p->nsyms = own->nsyms;
	for (uint32_t i = 0; i < nmodules; i++) {
		if (bitset_has(p->used, i))
			place_add_module(p, i);
	}
	place_add_special(p);
	p->placed.symtab = (struct symtab){ p->sym, p->nsyms };
}

/* The frames of modules; and those of the program in none of its symbols. */
static void place_find(const struct place_work *p, sym_id *frame)
{
	const struct recorded *r = p->in->recorded;

	for (size_t i = 0; i < r->nodes.n; i++) {
		const struct recorded_node *node = &r->nodes.at[i];
		int special = PLACE_CODE;
		sym_id s;

		if (frame[i] != SYM_NONE)
			continue;
		if (node->module == RECORDED_NONE || place_is_own(p, node->module)) {
			if (node->module != RECORDED_NONE)
				place_find_own(p, node->address, &special);
			frame[i] = p->special[special];
			continue;
		}
		frame[i] = p->first[node->module];
		if (!place_is_shown(p, node->module))
			continue;
		s = symtab_find(&p->in->of_module[node->module], node->address);
		frame[i] += s == SYM_NONE ? p->in->of_module[node->module].nsyms : s;
	}
}

/* By the names that C libraries give it. */
static sym_id place_find_start(const struct symtab *symtab)
{
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const char *name = symtab->sym[s].name;

		if (strcmp(name, "_start") == 0 || strcmp(name, "__start") == 0)
			return s;
	}
	return SYM_NONE;
}

struct placed_stacks place_stacks(const struct place_input *input, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct recorded *r = input->recorded;
	sym_id *frame = arena_array(mem, sym_id, r->nodes.n);
	struct place_work p = {
		.in = input,
		.finder = symtab_finder_make(&input->program->symtab, &scratch),
		.placed = { .recorded = r, .frame = frame },
		.used = bitset_empty(&scratch, r->modules.n),
		.first = arena_array(&scratch, sym_id, r->modules.n),
		.name = arena_array(&scratch, const char *, r->modules.n),
		.mem = mem,
		.scratch = &scratch,
	};

	place_look(&p, frame);
	place_name_modules(&p);
	place_make_table(&p);
	place_find(&p, frame);
	p.placed.start = place_find_start(&input->program->symtab);
	p.placed.broken = p.special[PLACE_BROKEN];
	p.placed.skipped = bitset_empty(mem, p.nsyms);
	if (p.has[PLACE_STUBS])
		bitset_add(p.placed.skipped, p.special[PLACE_STUBS]);
	for (uint32_t i = 0; i < r->modules.n && input->libraries == PLACE_HIDE; i++) {
		if (bitset_has(p.used, i))
			bitset_add(p.placed.skipped, p.first[i]);
	}
	arena_free(&scratch);
	return p.placed;
}
