/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "export/webcode.h"

#include "base/strtable.h"
#include "model/address_space.h"

#include <inttypes.h>

/*
 * Instructions without time or calls are written if one with some is at most NEAR away. A page has
 * at most MOST_ROWS rows.
 */
enum { NEAR = 10, MOST_ROWS = 12 * 1000 };

struct webcode {
	const struct export_view *e;
	const uint32_t *index;
	struct json *json;
	struct strtable files; /* from place 1 on */
	const struct instruction_listing *l;
};

static bool webcode_is_busy(const struct instruction_cost *cost)
{
	return cost->self > 0.0 || cost->ncalls > 0;
}

/* Returns whether each instruction is written, in e->mem; *nrows: how many are. */
static const bool *webcode_choose(const struct webcode *w, uint32_t *nrows)
{
	uint32_t n = w->l->code.n, busy = 0;
	bool *shown = arena_array(w->e->mem, bool, n);

	*nrows = 0;
	for (uint32_t i = 0; i < n; i++) {
		busy = webcode_is_busy(&w->l->cost[i]) ? NEAR + 1 : busy;
		shown[i] = busy > 0;
		busy -= busy > 0;
	}
	busy = 0;
	for (uint32_t i = n; i-- > 0;) {
		busy = webcode_is_busy(&w->l->cost[i]) ? NEAR + 1 : busy;
		shown[i] |= busy > 0;
		busy -= busy > 0;
		*nrows += shown[i];
	}
	return shown;
}

/* Writes the name of the function, or of the entry of a linkage table, that an instruction names.
 */
static void webcode_write_callee(const struct webcode *w, const struct instruction *in)
{
	const struct symtab *symtab = &w->e->a->program->symtab;
	const struct sym *sym = &symtab->sym[w->l->symbol];
	uint64_t by = sym->lo - address_space_code_address(sym, sym->lo);
	sym_id s = in->target ? symtab_find(symtab, in->target + by) : SYM_NONE;
	bool begins = s != SYM_NONE && symtab->sym[s].lo == in->target + by;
	const char *name = in->stub ? in->stub : "";

	if (begins && s != w->l->symbol)
		name = w->e->name[s] ? w->e->name[s] : symtab->sym[s].name;
	json_string(w->json, NULL, name);
}

static void webcode_write_time(const struct webcode *w, double ticks)
{
	json_format(w->json, NULL, "%.0f", ticks * w->e->integer_costs->per_tick);
}

static void webcode_write_row(struct webcode *w, uint32_t i)
{
	const struct disassembly *code = &w->l->code;
	const struct instruction *in = &code->at[i];
	const struct instruction_cost *cost = &w->l->cost[i];
	const struct instruction *last = &code->at[code->n - 1];
	bool inside = in->target >= code->at[0].pc && in->target <= last->pc;

	json_begin_array(json_next_line(w->json), NULL);
	json_uint(w->json, NULL, in->bytes);
	json_string(w->json, NULL, in->text);
	webcode_write_time(w, cost->self);
	webcode_write_time(w, cost->error);
	json_uint(w->json, NULL, cost->ncalls);
	json_uint(w->json, NULL, cost->is_target);
	webcode_write_callee(w, in);
	if (inside)
		json_uint(w->json, NULL, in->target - code->at[0].pc);
	else
		json_raw(w->json, NULL, "-1");
	json_uint(w->json, NULL, cost->file ? strtable_place(&w->files, cost->file) : 0);
	json_uint(w->json, NULL, cost->file ? cost->line : 0);
	json_end(w->json);
}

static void webcode_write_function(struct webcode *w, const bool *shown)
{
	uint32_t gap = 0;

	json_begin_object(json_next_line(w->json), NULL);
	json_uint(w->json, "f", w->index[w->l->symbol]);
	json_format(w->json, "from", "\"%" PRIx64 "\"", w->l->code.n > 0 ? w->l->code.at[0].pc : 0);
	json_format(w->json, "outside", "%.0f", w->l->outside * w->e->integer_costs->per_tick);
	json_begin_array(w->json, "rows");
	for (uint32_t i = 0; i < w->l->code.n; i++) {
		if (shown[i]) {
			webcode_write_row(w, i);
			continue;
		}
		gap += w->l->code.at[i].bytes;
		if (i + 1 < w->l->code.n && !shown[i + 1])
			continue;
		json_uint(w->json, NULL, gap);
		gap = 0;
	}
	json_end(w->json);
	json_end(w->json);
}

void webcode_write(const struct export_view *e, const uint32_t *index, struct json *json)
{
	struct webcode w = { .e = e, .index = index, .json = json, .files.mem = e->mem };
	uint32_t total = 0;

	if (!e->code || e->code->n == 0)
		return;
	strtable_place(&w.files, "");
	json_begin_array(json_line(json), "code");
	for (uint32_t i = 0; i < e->code->n; i++) {
		const bool *shown;
		uint32_t n;

		w.l = &e->code->at[i];
		shown = webcode_choose(&w, &n);
		if (!e->name[w.l->symbol] || total + n > MOST_ROWS)
			continue;
		total += n;
		webcode_write_function(&w, shown);
	}
	json_end(json);
	json_uint(json_line(json), "codeSpread", e->code->spread);
	json_begin_array(json_line(json), "codeFiles");
	for (size_t i = 0; i < w.files.texts.n; i++)
		json_string(json_next_line(json), NULL, w.files.texts.at[i].s);
	json_end(json);
}
