/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks have few addresses, files may have a million ranges. So addresses are sorted, and each
 * range names those in it that have no name yet. An address that has one is never looked at again,
 * as `next` leads past it (a union-find).
 */
#include "config.h"

#include "io/profile/made_names.h"

#include "base/index.h"
#include "base/radix.h"
#include "base/search.h"
#include "base/strtable.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Whether a node's code is in no module: neither a gap nor a system call. */
static bool made_names_wants(const struct recorded_node *node)
{
	return node->module == RECORDED_NONE && node->address >= RECORDED_WAITING + RECORDED_WAITS;
}

void made_names_begin(struct made_names *names, const struct recorded *rec, struct arena *mem)
{
	size_t n = 0;

	*names = (struct made_names){ .mem = mem };
	for (size_t i = 0; i < rec->nodes.n; i++) {
		if (made_names_wants(&rec->nodes.at[i]))
			array_push(mem, &names->pc) = rec->nodes.at[i].address;
	}
	radix_sort_numbers(names->pc.at, names->pc.n, mem);
	for (size_t i = 0; i < names->pc.n; i++) {
		if (i == 0 || names->pc.at[i] != names->pc.at[i - 1])
			names->pc.at[n++] = names->pc.at[i];
	}
	names->pc.n = n;
	names->range = arena_array(mem, struct made_range *, n);
	names->next = arena_array(mem, uint32_t, n + 1);
	for (uint32_t i = 0; i <= n; i++)
		names->next[i] = i;
}

/* Returns the index of the first address that is not below pc. */
static uint32_t made_names_from(const struct made_names *names, uint64_t pc)
{
	return pc == 0 ? 0
		       : (uint32_t)search_above(names->pc.at, names->pc.n, sizeof(pc), 0, pc - 1);
}

/* Returns the first address without a name, at or after address i; pc.n: there is none. */
static uint32_t made_names_open(struct made_names *names, uint32_t i)
{
	while (names->next[i] != i) {
		names->next[i] = names->next[names->next[i]];
		i = names->next[i];
	}
	return i;
}

struct made_range *made_names_add(struct made_names *names, uint64_t start, uint64_t size,
				  const char *text, size_t bytes)
{
	struct made_range *range = NULL;

	for (uint32_t i = made_names_open(names, made_names_from(names, start));
	     i < names->pc.n && names->pc.at[i] - start < size; i = made_names_open(names, i)) {
		if (!range) {
			range = arena_array(names->mem, struct made_range, 1);
			*range = (struct made_range){ start, size, text, bytes, NULL, NULL };
		}
		names->range[i] = range;
		names->next[i] = i + 1;
	}
	return range;
}

/* Returns the name, cut, with control characters as "\ooo", in mem. */
static const char *made_names_cut(const char *from, size_t n, struct arena *mem)
{
	char text[4 * MADE_NAMES_BYTES + sizeof("...")], *to = text;
	size_t most = n < MADE_NAMES_BYTES ? n : MADE_NAMES_BYTES;

	/* No character of UTF-8 is cut. */
	while (most > 0 && most < n && ((unsigned char)from[most] & 0xc0) == 0x80)
		most--;
	for (size_t i = 0; i < most; i++) {
		unsigned c = (unsigned char)from[i];

		if (c < ' ' || c == 0x7f)
			to += sprintf(to, "\\%03o", c);
		else
			*to++ = (char)c;
	}
	if (most < n)
		to = stpcpy(to, "...");
	return arena_strndup(mem, text, (size_t)(to - text));
}

/* Adds the module for made code, unless there are as many as there may be. */
static uint32_t made_names_add_module(struct recorded *rec, size_t n, struct arena *mem)
{
	if (rec->modules.n >= RECORDED_MODULES)
		return RECORDED_NONE;
	array_push(mem, &rec->modules) =
		(struct module){ .hi = n, .path = "[jit]", .flags = MODULE_MADE };
	return (uint32_t)rec->modules.n - 1;
}

INDEX_KEY(made_names_made_key, struct recorded_made, (uintptr_t)x->name, (uintptr_t)x->file,
	  x->line)

/* The functions with their lines, in the making; strings are interned. */
struct made_functions {
	struct recorded *rec;
	struct index index;
	struct strtable texts;
	struct arena *mem;
};

/* Returns the index of a line of a function. */
static uint32_t made_names_place(struct made_functions *f, const char *name,
				 const struct made_line *line)
{
	struct recorded_made made = { .name = name, .file = "" };

	if (line && line->file) {
		made.file = strtable_add(&f->texts, arena_strndup(f->mem, line->file, line->bytes));
		made.line = line->line;
	}
	return index_intern(&f->index, &f->rec->made, &made, made_names_made_key, f->mem);
}

/* Returns the line of the code at an offset; NULL: no line is known. */
static const struct made_line *made_names_line(const struct made_lines *lines, uint64_t offset)
{
	size_t after = lines ? search_above(lines->at, lines->n, sizeof(*lines->at),
					    offsetof(struct made_line, offset), offset)
			     : 0;

	if (!lines || lines->n == 0)
		return NULL;
	return &lines->at[after > 0 ? after - 1 : 0];
}

/* Makes the name of a range, and the lines where its function begins and ends. */
static void made_names_begin_range(struct made_functions *f, struct made_range *range)
{
	const struct made_lines *lines = range->lines;

	range->name = strtable_add(&f->texts, made_names_cut(range->text, range->bytes, f->mem));
	if (lines && lines->first) {
		made_names_place(f, range->name, lines->first);
		made_names_place(f, range->name, lines->last);
	}
}

/* Moves the nodes whose addresses have names into the module. */
static void made_names_move_nodes(const struct made_names *names, struct recorded *rec,
				  struct arena *mem)
{
	struct made_functions f = { .rec = rec, .texts.mem = mem, .mem = mem };
	uint32_t module = made_names_add_module(rec, 0, mem);

	for (size_t i = 0; i < rec->nodes.n && module != RECORDED_NONE; i++) {
		struct recorded_node *node = &rec->nodes.at[i];
		uint32_t at = made_names_wants(node) ? made_names_from(names, node->address) : 0;
		struct made_range *range = made_names_wants(node) ? names->range[at] : NULL;

		if (!range)
			continue;
		if (!range->name)
			made_names_begin_range(&f, range);
		node->module = module;
		node->address = made_names_place(
			&f, range->name,
			made_names_line(range->lines, node->address - range->start));
	}
	if (module != RECORDED_NONE)
		rec->modules.at[module].hi = rec->made.n;
	index_free(&f.index, mem);
	index_free(&f.texts.index, mem);
}

INDEX_KEY(made_names_node_key, struct recorded_node, (uint64_t)x->module << 32 | x->parent,
	  x->address)

/* Makes nodes one whose function and caller are the same. */
static void made_names_join_nodes(struct recorded *rec, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t *now = arena_array(&scratch, uint32_t, rec->nodes.n);
	ARRAY(struct recorded_node) nodes = { 0 };
	struct index index = { 0 };

	index_reserve(&index, rec->nodes.n, made_names_node_key, NULL, 0, &scratch);
	for (size_t i = 0; i < rec->nodes.n; i++) {
		struct recorded_node node = rec->nodes.at[i];

		if (node.parent != RECORDED_NONE)
			node.parent = now[node.parent];
		now[i] = index_intern(&index, &nodes, &node, made_names_node_key, &scratch);
	}
	for (size_t i = 0; i < rec->samples.n; i++) {
		if (rec->samples.at[i].node != RECORDED_NONE)
			rec->samples.at[i].node = now[rec->samples.at[i].node];
	}
	/* There are no more than before. */
	memcpy(rec->nodes.at, nodes.at, nodes.n * sizeof(*nodes.at));
	rec->nodes.n = nodes.n;
	arena_free(&scratch);
}

void made_names_end(const struct made_names *names, struct recorded *rec, struct arena *mem)
{
	for (size_t i = 0; i < names->pc.n; i++) {
		if (!names->range[i])
			continue;
		made_names_move_nodes(names, rec, mem);
		made_names_join_nodes(rec, mem);
		return;
	}
}
