/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/strtable.h"

#include <string.h>

static uint64_t hash_string(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h ^ h >> 32;
}

static uint64_t text_hash(const void *texts, size_t place)
{
	return ((const struct strtable_text *)texts)[place].hash;
}

static bool text_is(const void *texts, size_t place, const void *wanted)
{
	const struct strtable_text *x = (const struct strtable_text *)texts + place, *y = wanted;

	return x->hash == y->hash && strcmp(x->s, y->s) == 0;
}

uint32_t strtable_place(struct strtable *table, const char *s)
{
	struct strtable_text text = { s, 0 };
	uint32_t *slot;

	text.hash = hash_string(s);
	index_reserve(&table->index, table->texts.n + 1, text_hash, table->texts.at, table->texts.n,
		      table->mem);
	slot = index_find(&table->index, text.hash, text_is, table->texts.at, &text);
	if (*slot)
		return *slot - 1;
	text.s = arena_strndup(table->mem, s, strlen(s));
	array_push(table->mem, &table->texts) = text;
	*slot = (uint32_t)table->texts.n;
	return *slot - 1;
}

const char *strtable_add(struct strtable *table, const char *s)
{
	uint32_t place;

	if (!s)
		return NULL;
	place = strtable_place(table, s); /* which may move the texts */
	return table->texts.at[place].s;
}
