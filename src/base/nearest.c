/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

enum { NEAREST_EDITS = 2 };

/* Fills row i of the edit distances, for `other`, and returns the smallest of them. */
static size_t nearest_fill_row(const struct nearest_rows *m, const char *other, size_t i)
{
	size_t least = m->row[0] = i;

	for (size_t j = 1; j <= m->len; j++) {
		size_t d = m->above[j - 1] + (other[i - 1] != m->name[j - 1]);

		if (m->above[j] + 1 < d)
			d = m->above[j] + 1;
		if (m->row[j - 1] + 1 < d)
			d = m->row[j - 1] + 1;
		if (i > 1 && j > 1 && other[i - 1] == m->name[j - 2] &&
		    other[i - 2] == m->name[j - 1] && m->before[j - 2] + 1 < d)
			d = m->before[j - 2] + 1;
		m->row[j] = d;
		least = d < least ? d : least;
	}
	return least;
}

/*
 * Returns the number of characters that must be inserted, deleted, replaced, or swapped with the
 * next one, or `limit` if it is at least that. Stops at the first two rows that are all at the
 * limit.
 */
static size_t nearest_count_edits(struct nearest_rows m, const char *other, size_t n, size_t limit)
{
	size_t least = 0;

	for (; m.len && n && *m.name == *other; m.name++, other++, m.len--, n--)
		;
	for (size_t j = 0; j <= m.len; j++)
		m.row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *oldest = m.before, last = least;

		m.before = m.above;
		m.above = m.row;
		m.row = oldest;
		least = nearest_fill_row(&m, other, i);
		if (least >= limit && last + 1 >= limit)
			return limit;
	}
	return m.row[m.len];
}

/* Inserts a name after those that are equally near, and drops the last if there is no room. */
static void nearest_insert_nearest(struct nearest *kept, const char *name, size_t d)
{
	size_t at = kept->n;

	for (size_t i = 0; i < kept->n; i++) {
		if (strcmp(kept->name[i], name) == 0)
			return;
	}
	if (at == NEAREST_NAMES)
		at--;
	else
		kept->n++;
	for (; at > 0 && kept->edits[at - 1] > d; at--) {
		kept->name[at] = kept->name[at - 1];
		kept->edits[at] = kept->edits[at - 1];
	}
	kept->name[at] = name;
	kept->edits[at] = d;
}

struct nearest_search nearest_begin(const char *name, struct arena *mem)
{
	size_t len = strlen(name), limit = len == 2 ? 2 : (len + 1) / 2;
	struct nearest_search search = {
		.rows = { .name = name,
			  .len = len,
			  .before = arena_array(mem, size_t, len + 1),
			  .above = arena_array(mem, size_t, len + 1),
			  .row = arena_array(mem, size_t, len + 1) },
		.limit = limit > NEAREST_EDITS + 1 ? NEAREST_EDITS + 1 : limit,
	};

	return search;
}

void nearest_offer(struct nearest_search *search, const char *other)
{
	const struct nearest_rows *rows = &search->rows;
	size_t limit = search->limit, len = rows->len, n, d;

	if (limit == 0)
		return;
	n = strnlen(other, len + limit);
	if (n + limit <= len || n >= len + limit)
		return;
	d = nearest_count_edits(*rows, other, n, limit);
	/*
	 * One edit of a word of two characters leaves hardly anything of it, so only swapping
	 * counts.
	 */
	if (len == 2 && d == 1 && (other[0] != rows->name[1] || other[1] != rows->name[0]))
		return;
	if (d == 0) {
		search->found.n = 0;
		search->limit = 0;
		return;
	}
	if (d < limit)
		nearest_insert_nearest(&search->found, other, d);
	if (search->found.n == NEAREST_NAMES)
		search->limit = search->found.edits[NEAREST_NAMES - 1];
}

void nearest_offer_start(struct nearest_search *search, const char *other)
{
	size_t limit = search->limit, len = search->rows.len, most = strnlen(other, len + limit);
	size_t least = limit;

	for (size_t n = len < limit ? 1 : len - limit + 1; n <= most; n++) {
		size_t d = nearest_count_edits(search->rows, other, n, limit);

		least = d < least ? d : least;
	}
	if (least < limit)
		nearest_insert_nearest(&search->found, other, least);
	if (search->found.n == NEAREST_NAMES)
		search->limit = search->found.edits[NEAREST_NAMES - 1];
}

const char *nearest_question(const struct nearest *found, const char *before, struct arena *mem)
{
	size_t size = sizeof("; did you mean ?"), used;
	char *text;

	for (size_t i = 0; i < found->n; i++)
		size += strlen(before) + strlen(found->name[i]) + sizeof("'' or ");
	text = arena_array(mem, char, size);
	if (found->n == 0)
		return text;
	used = (size_t)snprintf(text, size, "; did you mean ");
	for (size_t i = 0; i < found->n; i++)
		used += (size_t)snprintf(text + used, size - used, "%s'%s%s'",
					 i == 0              ? ""
					 : i + 1 == found->n ? " or "
							     : ", ",
					 before, found->name[i]);
	snprintf(text + used, size - used, "?");
	return text;
}
