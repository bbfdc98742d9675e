/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One symbol for each module or, where it has some, its symbols. */
#include "config.h"

#include "analysis/space.h"

#include "base/join.h"
#include "base/path.h"
#include "base/sort.h"
#include "base/strtable.h"

#include <string.h>

struct bitset space_used(const struct recorded *recorded, unsigned parts, struct arena *mem)
{
	struct bitset used = bitset_empty(mem, recorded->modules.n);

	for (size_t i = 0; parts & SPACE_STACKS && i < recorded->nodes.n; i++) {
		if (recorded->nodes.at[i].module != RECORDED_NONE)
			bitset_add(used, recorded->nodes.at[i].module);
	}
	for (uint32_t i = 0; i < recorded->modules.n; i++) {
		if (recorded->modules.at[i].flags & (MODULE_PROGRAM | MODULE_RECORDER))
			bitset_remove(used, i);
	}
	return used;
}

/* Whether the symbols of a module are its own functions. */
static bool space_is_shown(const struct space_maker *m, uint32_t module)
{
	return m->in.code && m->in.code[module].symtab.nsyms > 0;
}

static bool space_is_own(const struct space_maker *m, uint32_t module)
{
	return module != RECORDED_NONE && m->in.recorded->modules.at[module].flags & MODULE_PROGRAM;
}

/* Which symbol that stands for no module an address has, or NSPACE_SPECIALS. */
static enum space_special space_special(const struct space_maker *m, uint32_t module,
					uint64_t address)
{
	const struct program *program = m->in.program;
	const struct module_code *code;

	if (module == RECORDED_NONE)
		return address == RECORDED_GAP ? SPACE_CUT : SPACE_CODE;
	if (m->in.recorded->modules.at[module].flags & MODULE_RECORDER)
		return SPACE_STUBS;
	if (space_is_own(m, module))
		return code_range_search(program->stubs, program->nstubs, address) ? SPACE_STUBS
										   : SPACE_PROGRAM;
	if (!space_is_shown(m, module))
		return NSPACE_SPECIALS;
	code = &m->in.code[module];
	return code_range_search(code->stubs, code->nstubs, address) ? SPACE_STUBS
								     : NSPACE_SPECIALS;
}

bool space_has_room(const struct symtab *program, const struct recorded *recorded)
{
	uint64_t end = program->nsyms > 0 ? program->sym[program->nsyms - 1].hi : 0;

	return end <= UINT64_MAX / 2 && recorded->modules.n < UINT64_MAX / 4 / SPACE_STRIDE;
}

struct space_maker space_begin(const struct space_input *in, struct arena *mem,
			       struct arena *scratch)
{
	size_t n = in->recorded->modules.n;
	const struct symtab *own = &in->program->symtab;
	uint64_t end = own->nsyms > 0 ? own->sym[own->nsyms - 1].hi : 0;

	return (struct space_maker){
		.in = *in,
		.finder = symtab_finder_make(own, scratch),
		.space = { .recorded = in->recorded,
			   .code = in->code,
			   .used = in->used,
			   .base = (end / SPACE_STRIDE + 1) * SPACE_STRIDE },
		.first = arena_array(scratch, sym_id, n),
		.whole = arena_array(scratch, sym_id, n),
		.mem = mem,
		.scratch = scratch,
	};
}

sym_id space_see(struct space_maker *m, uint32_t module, uint64_t address)
{
	enum space_special special = space_special(m, module, address);
	sym_id s = special == SPACE_PROGRAM ? symtab_finder_find(&m->finder, address) : SYM_NONE;

	if (s == SYM_NONE && special != NSPACE_SPECIALS)
		m->has[special] = true;
	return s;
}

static int space_compare_names(uint32_t x, uint32_t y, const void *modules)
{
	const struct module *m = modules;

	return strcmp(path_base(m[x].path), path_base(m[y].path));
}

/* The last parts of the paths; the whole of those that share one. */
static void space_name_modules(struct space_maker *m)
{
	const struct module *at = m->in.recorded->modules.at;
	uint32_t n = (uint32_t)m->in.recorded->modules.n, nused = 0;
	uint32_t *ids = arena_array(m->scratch, uint32_t, n);
	const char **names = arena_array(m->mem, const char *, n);

	for (uint32_t i = 0; i < n; i++) {
		if (bitset_has(m->in.used, i))
			ids[nused++] = i;
	}
	sort_ids(ids, nused, space_compare_names, at, m->scratch);
	for (uint32_t i = 0; i < nused; i++) {
		const struct module *module = &at[ids[i]];
		bool shared = (i > 0 && space_compare_names(ids[i - 1], ids[i], at) == 0) ||
			      (i + 1 < nused && space_compare_names(ids[i], ids[i + 1], at) == 0);
		const char *name = module->flags & MODULE_VDSO ? "vdso"
				   : shared                    ? module->path
							       : path_base(module->path);

		names[ids[i]] = *name ? name : "?";
	}
	m->space.name = names;
}

static sym_id space_add(struct space_maker *m, struct sym *table, struct sym sym)
{
	sym.flags |= SYM_FUNC | SYM_FOREIGN;
	sym.place = UINT32_MAX;
	table[m->symtab.nsyms] = sym;
	return m->symtab.nsyms++;
}

/* "sin@libm.so.6", without a version of the name; what has the module in its name already keeps it.
 */
static const char *space_name_foreign(const char *name, const char *module, struct arena *mem)
{
	if (name[0] == '[')
		return name;
	return JOIN(mem, arena_strndup(mem, name, strcspn(name, "@")), "@", module);
}

/* Which functions have a name that they share with none of another module, their suffix aside. */
static struct bitset space_clear_names(const struct space_maker *m)
{
	struct strtable names = { .mem = m->scratch };
	/* of each name, plus 1 */
	uint64_t *module = arena_array(m->scratch, uint64_t, m->symtab.nsyms);
	uint32_t *place = arena_array(m->scratch, uint32_t, m->symtab.nsyms);
	struct bitset shared = bitset_empty(m->scratch, m->symtab.nsyms);
	struct bitset clear = bitset_empty(m->scratch, m->symtab.nsyms);

	for (sym_id s = 0; s < m->symtab.nsyms; s++) {
		const struct sym *sym = &m->symtab.sym[s];
		uint32_t of = space_module(&m->space, sym->lo);
		size_t n = of == RECORDED_NONE ? strlen(sym->name)
					       : space_plain_length(&m->space, sym->name, of);

		place[s] = strtable_place(&names, arena_strndup(m->scratch, sym->name, n));
		if (module[place[s]] != 0 && module[place[s]] != (uint64_t)of + 1)
			bitset_add(shared, place[s]);
		module[place[s]] = (uint64_t)of + 1;
	}
	for (sym_id s = 0; s < m->symtab.nsyms; s++) {
		if (!bitset_has(shared, place[s]))
			bitset_add(clear, s);
	}
	return clear;
}

static void space_drop_suffixes(const struct space_maker *m, struct sym *table)
{
	const struct bitset clear = space_clear_names(m);

	for (sym_id s = m->in.program->symtab.nsyms; s < m->symtab.nsyms; s++) {
		uint32_t module = space_module(&m->space, table[s].lo);

		if (module != RECORDED_NONE && bitset_has(clear, s))
			table[s].name =
				arena_strndup(m->mem, table[s].name,
					      space_plain_length(&m->space, table[s].name, module));
	}
}

/* The functions of a module, and behind them the whole, for addresses that none of them has. */
static void space_add_module(struct space_maker *m, struct sym *table, uint32_t module)
{
	uint64_t base = m->space.base + module * SPACE_STRIDE, end = base;
	const char *name = m->space.name[module];

	m->first[module] = m->symtab.nsyms;
	for (uint32_t i = 0; space_is_shown(m, module) && i < m->in.code[module].symtab.nsyms;
	     i++) {
		const struct sym *sym = &m->in.code[module].symtab.sym[i];
		uint64_t lo = base + space_own_address(sym->lo);

		end = lo + (sym->hi - sym->lo);
		space_add(m, table,
			  (struct sym){ .lo = lo,
					.hi = end,
					.name = space_name_foreign(sym->name, name, m->mem),
					.flags = sym->flags & SYM_STATIC });
	}
	m->whole[module] = space_add(m, table,
				     (struct sym){ .lo = end,
						   .hi = base + SPACE_STRIDE,
						   .name = JOIN(m->mem, "[", name, "]"),
						   .flags = SYM_WHOLE });
}

static void space_add_specials(struct space_maker *m, struct sym *table)
{
	const char *own = JOIN(m->mem, "[", path_base(m->in.program->path), "]");
	const char *const names[NSPACE_SPECIALS] = { "[code]",      own,
						     "[stubs]",     "[broken stack]",
						     "[cut stack]", "[unknown time]" };

	for (unsigned i = 0; i < NSPACE_SPECIALS; i++) {
		uint64_t lo = m->space.base + (m->in.recorded->modules.n + i) * SPACE_STRIDE;

		m->special[i] = m->has[i] ? space_add(m, table,
						      (struct sym){ .lo = lo,
								    .hi = lo + SPACE_STRIDE,
								    .name = names[i],
								    .flags = SYM_WHOLE })
					  : SYM_NONE;
	}
}

void space_end(struct space_maker *m)
{
	const struct symtab *own = &m->in.program->symtab;
	uint32_t nmodules = (uint32_t)m->in.recorded->modules.n;
	size_t room = (size_t)own->nsyms + nmodules + NSPACE_SPECIALS;
	struct sym *table;

	space_name_modules(m);
	for (uint32_t i = 0; i < nmodules; i++)
		room += space_is_shown(m, i) && bitset_has(m->in.used, i)
				? m->in.code[i].symtab.nsyms
				: 0;
	table = arena_array(m->mem, struct sym, room);
	if (own->nsyms > 0)
		memcpy(table, own->sym, own->nsyms * sizeof(*own->sym));
	m->symtab = (struct symtab){ table, own->nsyms };
	for (uint32_t i = 0; i < nmodules; i++) {
		if (bitset_has(m->in.used, i))
			space_add_module(m, table, i);
	}
	space_add_specials(m, table);
	if (m->in.plain)
		space_drop_suffixes(m, table);
}

sym_id space_find(const struct space_maker *m, uint32_t module, uint64_t address)
{
	enum space_special special = space_special(m, module, address);
	sym_id s;

	if (special != NSPACE_SPECIALS)
		return m->special[special];
	s = space_is_shown(m, module) ? symtab_find(&m->in.code[module].symtab, address) : SYM_NONE;
	return s == SYM_NONE ? m->whole[module] : m->first[module] + s;
}

uint64_t space_address(const struct space_maker *m, uint32_t module, uint64_t address)
{
	const struct sym *sym;

	if (space_special(m, module, address) == SPACE_PROGRAM &&
	    symtab_finder_find(&m->finder, address) != SYM_NONE)
		return address;
	sym = &m->symtab.sym[space_find(m, module, address)];
	return sym->flags & SYM_WHOLE
		       ? sym->lo
		       : m->space.base + module * SPACE_STRIDE + space_own_address(address);
}
