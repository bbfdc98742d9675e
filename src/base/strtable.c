/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/strtable.h"

#include <string.h>

static uint64_t strtable_hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h ^ h >> 32;
}

INDEX_KEY(strtable_key, struct strtable_text, x->hash)

static bool strtable_same(const void *texts, size_t place, const void *wanted)
{
	const struct strtable_text *x = (const struct strtable_text *)texts + place, *y = wanted;

	return strcmp(x->s, y->s) == 0;
}

uint32_t strtable_place(struct strtable *table, const char *s)
{
	const struct strtable_text text = { s, strtable_hash(s) };
	size_t n = table->texts.n;
	uint32_t place = index_intern_same(&table->index, &table->texts, &text, strtable_key,
					   strtable_same, table->mem);

	if (place == n)
		table->texts.at[place].s = arena_strndup(table->mem, s, strlen(s));
	return place;
}

const char *strtable_add(struct strtable *table, const char *s)
{
	uint32_t place;

	if (!s)
		return NULL;
	place = strtable_place(table, s); /* strtable_place() may move the texts */
	return table->texts.at[place].s;
}
