/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the table: a module has one symbol for each of its functions or, without functions, one
 * symbol in all.
 */
#include "config.h"

#include "analysis/functions/address_space.h"

#include "base/join.h"
#include "base/number.h"
#include "base/path.h"
#include "base/sort.h"
#include "base/strtable.h"
#include "model/awaited.h"
#include "model/syscalls.h"

#include <string.h>

/* Compares build ids or, without these, paths; modules that are equal are the same object. */
static int address_space_compare_modules(uint32_t a, uint32_t b, const void *modules)
{
	const struct module *x = (const struct module *)modules + a;
	const struct module *y = (const struct module *)modules + b;
	unsigned kinds = MODULE_PROGRAM | MODULE_SEVERAL;

	if ((x->flags & kinds) != (y->flags & kinds))
		return (x->flags & kinds) < (y->flags & kinds) ? -1 : 1;
	if (x->build_id_bytes != y->build_id_bytes)
		return x->build_id_bytes < y->build_id_bytes ? -1 : 1;
	if (x->build_id_bytes > 0)
		return memcmp(x->build_id, y->build_id, x->build_id_bytes);
	return strcmp(x->path, y->path);
}

const uint32_t *address_space_same(const struct recorded *recorded, struct arena *mem)
{
	uint32_t n = (uint32_t)recorded->modules.n, first = 0;
	struct arena scratch = arena_scratch(mem);
	uint32_t *ids = arena_array(&scratch, uint32_t, n);
	uint32_t *same = arena_array(mem, uint32_t, n);

	for (uint32_t i = 0; i < n; i++)
		ids[i] = i;
	sort_ids(ids, n, address_space_compare_modules, recorded->modules.at, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 ||
		    address_space_compare_modules(ids[i - 1], ids[i], recorded->modules.at) != 0)
			first = ids[i];
		same[ids[i]] = first;
	}
	arena_free(&scratch);
	return same;
}

static void address_space_use(struct bitset used, const uint32_t *same, uint32_t module)
{
	if (module != RECORDED_NONE)
		bitset_add(used, same[module]);
}

struct bitset address_space_used(const struct recorded *recorded, const uint32_t *same,
				 unsigned parts, struct arena *mem)
{
	struct bitset used = bitset_empty(mem, recorded->modules.n);

	for (size_t i = 0; parts & ADDRESS_SPACE_STACKS && i < recorded->nodes.n; i++)
		address_space_use(used, same, recorded->nodes.at[i].module);
	for (size_t i = 0; parts & ADDRESS_SPACE_ARCS && i < recorded->arcs.n; i++) {
		address_space_use(used, same, recorded->arcs.at[i].from_module);
		address_space_use(used, same, recorded->arcs.at[i].self_module);
	}
	for (size_t i = 0; parts & ADDRESS_SPACE_TICKS && i < recorded->bins.n; i++) {
		if (recorded->bins.at[i].kind == ADDRESS_SPACE_KIND)
			address_space_use(used, same, recorded->bins.at[i].module);
	}
	for (uint32_t i = 0; i < recorded->modules.n; i++) {
		if (recorded->modules.at[i].flags & (MODULE_PROGRAM | MODULE_RECORDER))
			bitset_remove(used, i);
	}
	return used;
}

/* Whether the table has a symbol for each function of a module. */
static bool address_space_is_shown(const struct address_space_maker *m, uint32_t module)
{
	return m->in.code && m->in.code[module].symtab.nsyms > 0;
}

static bool address_space_is_own(const struct address_space_maker *m, uint32_t module)
{
	return module != RECORDED_NONE && m->in.recorded->modules.at[module].flags & MODULE_PROGRAM;
}

/*
 * Returns the special symbol to which an address belongs, ADDRESS_SPACE_WAITING for system calls,
 * or NADDRESS_SPACE_SPECIALS if the address is a module's.
 */
static enum address_space_special address_space_special(const struct address_space_maker *m,
							uint32_t module, uint64_t address)
{
	const struct program *program = m->in.program;
	const struct module_code *code;

	if (module == RECORDED_NONE && address - RECORDED_WAITING < RECORDED_WAITS)
		return ADDRESS_SPACE_WAITING;
	if (module == RECORDED_NONE)
		return address == RECORDED_GAP        ? ADDRESS_SPACE_CUT
		       : address == RECORDED_ALL_WAIT ? ADDRESS_SPACE_ALL_WAIT
						      : ADDRESS_SPACE_CODE;
	if (m->in.recorded->modules.at[module].flags & MODULE_RECORDER)
		return ADDRESS_SPACE_STUBS;
	if (address_space_is_own(m, module))
		return code_range_search(program->stubs, program->nstubs, address)
			       ? ADDRESS_SPACE_STUBS
			       : ADDRESS_SPACE_PROGRAM;
	module = m->in.same[module];
	if (!address_space_is_shown(m, module))
		return NADDRESS_SPACE_SPECIALS;
	code = &m->in.code[module];
	return code_range_search(code->stubs, code->nstubs, address) ? ADDRESS_SPACE_STUBS
								     : NADDRESS_SPACE_SPECIALS;
}

bool address_space_has_room(const struct symtab *program, const struct recorded *recorded)
{
	uint64_t end = program->nsyms > 0 ? program->sym[program->nsyms - 1].hi : 0;

	return end <= UINT64_MAX / 2 && recorded->modules.n < UINT64_MAX / 4 / ADDRESS_SPACE_STRIDE;
}

struct address_space_maker address_space_begin(const struct address_space_input *in,
					       struct arena *mem, struct arena *scratch)
{
	size_t n = in->recorded->modules.n;
	const struct symtab *own = &in->program->symtab;
	uint64_t end = own->nsyms > 0 ? own->sym[own->nsyms - 1].hi : 0;

	struct address_space_maker m = {
		.in = *in,
		.finder = symtab_finder_make(own, scratch),
		.waits = bitset_empty(scratch, RECORDED_WAITS),
		.address_space = { .recorded = in->recorded,
				   .code = in->code,
				   .used = in->used,
				   .rest = SYM_NONE,
				   .own_path = in->program->path,
				   .own = RECORDED_NONE,
				   .base = (end / ADDRESS_SPACE_STRIDE + 1) *
					   ADDRESS_SPACE_STRIDE },
		.first = arena_array(scratch, sym_id, n),
		.whole = arena_array(scratch, sym_id, n),
		.mem = mem,
		.scratch = scratch,
	};

	for (uint32_t i = 0; i < n && m.address_space.own == RECORDED_NONE; i++) {
		if (in->recorded->modules.at[i].flags & MODULE_PROGRAM)
			m.address_space.own = i;
	}
	return m;
}

sym_id address_space_note(struct address_space_maker *m, uint32_t module, uint64_t address)
{
	enum address_space_special special = address_space_special(m, module, address);
	sym_id s = special == ADDRESS_SPACE_PROGRAM ? symtab_finder_find(&m->finder, address)
						    : SYM_NONE;

	if (special == ADDRESS_SPACE_WAITING && !bitset_has(m->waits, address - RECORDED_WAITING)) {
		bitset_add(m->waits, address - RECORDED_WAITING);
		m->address_space.nwaits++;
	}
	if (s == SYM_NONE && special < NADDRESS_SPACE_SPECIALS)
		m->has[special] = true;
	return s;
}

static int address_space_compare_names(uint32_t x, uint32_t y, const void *modules)
{
	const struct module *m = modules;
	int order = strcmp(path_base(m[x].path), path_base(m[y].path));

	return order != 0 ? order : strcmp(m[x].path, m[y].path);
}

/*
 * Returns the shortest name that no other module has; `before` and `after` are the module's
 * neighbours in the order of names.
 */
static const char *address_space_module_name(const struct module *module,
					     const struct module *before,
					     const struct module *after, struct arena *mem)
{
	enum { DIGITS = 8 };
	const struct module *const others[] = { before, after };
	const char *name = path_base(module->path), *id = recorded_module_build_id(module, mem);
	bool shared = false, same_path = false;

	if (module->flags & MODULE_VDSO)
		return "vdso";
	if (recorded_module_is_several(module))
		return "unloaded";
	for (int i = 0; i < 2; i++) {
		shared = shared || (others[i] && strcmp(path_base(others[i]->path), name) == 0);
		same_path = same_path || (others[i] && strcmp(others[i]->path, module->path) == 0);
	}
	if (same_path && id)
		return JOIN(mem, module->path, "#", arena_strndup(mem, id, DIGITS));
	if (shared)
		name = module->path;
	return *name ? name : "?";
}

static void address_space_name_modules(struct address_space_maker *m)
{
	const struct module *at = m->in.recorded->modules.at;
	uint32_t n = (uint32_t)m->in.recorded->modules.n, nused = 0;
	uint32_t *ids = arena_array(m->scratch, uint32_t, n);
	const char **names = arena_array(m->mem, const char *, n);

	for (uint32_t i = 0; i < n; i++) {
		if (bitset_has(m->in.used, i))
			ids[nused++] = i;
	}
	sort_ids(ids, nused, address_space_compare_names, at, m->scratch);
	for (uint32_t i = 0; i < nused; i++) {
		names[ids[i]] =
			address_space_module_name(&at[ids[i]], i > 0 ? &at[ids[i - 1]] : NULL,
						  i + 1 < nused ? &at[ids[i + 1]] : NULL, m->mem);
	}
	m->address_space.name = names;
}

static sym_id address_space_add(struct address_space_maker *m, struct sym *table, struct sym sym)
{
	sym.flags |= sym.flags & SYM_LINE ? SYM_FOREIGN : SYM_FOREIGN | SYM_FUNC;
	sym.place = UINT32_MAX;
	table[m->symtab.nsyms] = sym;
	return m->symtab.nsyms++;
}

/*
 * Returns "sin@libm.so.6", without the symbol's version; code that was made at run time has none. A
 * name in brackets contains the module's name already.
 */
static const char *address_space_name_foreign(const char *name, const char *module, bool made,
					      struct arena *mem)
{
	if (name[0] == '[')
		return name;
	if (made)
		return JOIN(mem, name, "@", module);
	return JOIN(mem, arena_strndup(mem, name, strcspn(name, "@")), "@", module);
}

/* Returns the functions whose names, without "@MODULE", occur in no other module. */
static struct bitset address_space_clear_names(const struct address_space_maker *m)
{
	struct strtable names = { .mem = m->scratch };
	/* for each name, the module that has it, plus 1 */
	uint64_t *module = arena_array(m->scratch, uint64_t, m->symtab.nsyms);
	uint32_t *place = arena_array(m->scratch, uint32_t, m->symtab.nsyms);
	struct bitset shared = bitset_empty(m->scratch, m->symtab.nsyms);
	struct bitset clear = bitset_empty(m->scratch, m->symtab.nsyms);

	for (sym_id s = 0; s < m->symtab.nsyms; s++) {
		const struct sym *sym = &m->symtab.sym[s];
		uint32_t of = address_space_module(&m->address_space, sym->lo);
		size_t n = of == RECORDED_NONE
				   ? strlen(sym->name)
				   : address_space_plain_length(&m->address_space, sym->name, of);

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

static void address_space_drop_suffixes(const struct address_space_maker *m, struct sym *table)
{
	const struct bitset clear = address_space_clear_names(m);

	const char *last = NULL, *plain = NULL;

	for (sym_id s = m->in.program->symtab.nsyms; s < m->symtab.nsyms; s++) {
		const char *name = table[s].name;
		uint32_t module = address_space_module(&m->address_space, table[s].lo);

		if (module == RECORDED_NONE || !bitset_has(clear, s))
			continue;
		if (name != last)
			plain = arena_strndup(
				m->mem, name,
				address_space_plain_length(&m->address_space, name, module));
		last = name;
		table[s].name = plain;
	}
}

/* Adds the functions of a module, and then one symbol for all of its other addresses. */
static void address_space_add_module(struct address_space_maker *m, struct sym *table,
				     uint32_t module)
{
	uint64_t base = m->address_space.base + module * ADDRESS_SPACE_STRIDE, end = base;
	const char *name = m->address_space.name[module], *last = NULL, *full = NULL;
	bool made = m->in.recorded->modules.at[module].flags & MODULE_MADE;

	m->first[module] = m->symtab.nsyms;
	for (uint32_t i = 0;
	     address_space_is_shown(m, module) && i < m->in.code[module].symtab.nsyms; i++) {
		const struct sym *sym = &m->in.code[module].symtab.sym[i];
		uint64_t lo = base + address_space_own_address(sym->lo);

		/* Lines of one function share its name. */
		if (sym->name != last)
			full = address_space_name_foreign(sym->name, name, made, m->mem);
		last = sym->name;
		end = lo + (sym->hi - sym->lo);
		address_space_add(m, table,
				  (struct sym){ .lo = lo,
						.hi = end,
						.name = full,
						.flags = sym->flags & (SYM_STATIC | SYM_LINE) });
	}
	m->whole[module] =
		address_space_add(m, table,
				  (struct sym){ .lo = end,
						.hi = base + ADDRESS_SPACE_STRIDE,
						.name = made ? name : JOIN(m->mem, "[", name, "]"),
						.flags = SYM_WHOLE });
}

static void address_space_add_specials(struct address_space_maker *m, struct sym *table)
{
	const char *own = JOIN(m->mem, "[", path_base(m->in.program->path), "]");
	const char *const names[NADDRESS_SPACE_SPECIALS] = {
		"[code]",         own,         "[stubs]",   "[broken stack]", "[cut stack]",
		"[unknown time]", "[outside]", "[libgmon]", "[all wait]"
	};

	for (unsigned i = 0; i < NADDRESS_SPACE_SPECIALS; i++) {
		uint64_t lo = m->address_space.base +
			      (m->in.recorded->modules.n + i) * ADDRESS_SPACE_STRIDE;

		if (m->has[i] && i == ADDRESS_SPACE_PROGRAM)
			m->address_space.rest = m->symtab.nsyms;
		m->special[i] =
			m->has[i] ? address_space_add(m, table,
						      (struct sym){ .lo = lo,
								    .hi = lo + ADDRESS_SPACE_STRIDE,
								    .name = names[i],
								    .flags = SYM_WHOLE })
				  : SYM_NONE;
	}
}

/* Returns a name such as "[waiting: pipe read]". */
static const char *address_space_name_wait(const struct address_space_maker *m, unsigned wait)
{
	unsigned number = wait % RECORDED_CALLS;
	const char *of = awaited_sorts[wait / RECORDED_CALLS].word, *blank = *of ? " " : "";
	const char *name = syscalls_name(m->in.program->target.calls, number);
	char digits[NUMBER_ROOM];

	if (number == RECORDED_CALLS - 1)
		return "[waiting]";
	if (name)
		return JOIN(m->mem, "[waiting: ", of, blank, name, "]");
	*number_put(digits, number, 0) = '\0';
	return JOIN(m->mem, "[waiting: ", of, blank, "syscall ", digits, "]");
}

/* System calls have one address each, by number, after those of the special symbols. */
static void address_space_add_waits(struct address_space_maker *m, struct sym *table)
{
	uint64_t base = address_space_waits_base(&m->address_space);

	m->address_space.waits = m->symtab.nsyms;
	m->waiting = arena_array(m->scratch, sym_id, RECORDED_WAITS);
	for (unsigned i = 0; i < RECORDED_WAITS; i++) {
		if (bitset_has(m->waits, i))
			m->waiting[i] = address_space_add(
				m, table,
				(struct sym){ .lo = base + i,
					      .hi = base + i + 1,
					      .name = address_space_name_wait(m, i),
					      .flags = SYM_WHOLE });
	}
}

void address_space_end(struct address_space_maker *m)
{
	const struct symtab *own = &m->in.program->symtab;
	uint32_t nmodules = (uint32_t)m->in.recorded->modules.n;
	size_t room =
		(size_t)own->nsyms + nmodules + NADDRESS_SPACE_SPECIALS + m->address_space.nwaits;
	struct sym *table;

	address_space_name_modules(m);
	for (uint32_t i = 0; i < nmodules; i++)
		room += address_space_is_shown(m, i) && bitset_has(m->in.used, i)
				? m->in.code[i].symtab.nsyms
				: 0;
	table = arena_array(m->mem, struct sym, room);
	if (own->nsyms > 0)
		memcpy(table, own->sym, own->nsyms * sizeof(*own->sym));
	m->symtab = (struct symtab){ table, own->nsyms };
	for (uint32_t i = 0; i < nmodules; i++) {
		if (bitset_has(m->in.used, i))
			address_space_add_module(m, table, i);
	}
	address_space_add_specials(m, table);
	address_space_add_waits(m, table);
	if (m->in.plain)
		address_space_drop_suffixes(m, table);
}

sym_id address_space_find(const struct address_space_maker *m, uint32_t module, uint64_t address)
{
	enum address_space_special special = address_space_special(m, module, address);
	sym_id s;

	if (special == ADDRESS_SPACE_WAITING)
		return m->waiting[address - RECORDED_WAITING];
	if (special != NADDRESS_SPACE_SPECIALS)
		return m->special[special];
	module = m->in.same[module];
	s = address_space_is_shown(m, module) ? symtab_find(&m->in.code[module].symtab, address)
					      : SYM_NONE;
	return s == SYM_NONE ? m->whole[module] : m->first[module] + s;
}

uint64_t address_space_address(const struct address_space_maker *m, uint32_t module,
			       uint64_t address)
{
	const struct sym *sym;

	if (address_space_special(m, module, address) == ADDRESS_SPACE_PROGRAM &&
	    symtab_finder_find(&m->finder, address) != SYM_NONE)
		return address;
	sym = &m->symtab.sym[address_space_find(m, module, address)];
	return sym->flags & SYM_WHOLE
		       ? sym->lo
		       : m->address_space.base + m->in.same[module] * ADDRESS_SPACE_STRIDE +
				 address_space_own_address(address);
}
