/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interning by open addressing, at most half full. */
#include "config.h"

#include "base/strtable.h"

#include <string.h>

struct strtable_slot {
	const char *s;
	uint64_t hash;
};

static uint64_t hash_string(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h ^ h >> 32;
}

/* The slot of an equal string, or the free one where it belongs. */
static struct strtable_slot *find(const struct strtable *table, const char *s, uint64_t hash)
{
	for (uint64_t i = hash;; i++) {
		struct strtable_slot *slot = &table->slot[i & (table->nslots - 1)];

		if (!slot->s || (slot->hash == hash && strcmp(slot->s, s) == 0))
			return slot;
	}
}

static void grow(struct strtable *table)
{
	const struct strtable_slot *old = table->slot;
	uint32_t nold = table->nslots;

	table->nslots = nold ? 2 * nold : 64;
	table->slot = arena_array(table->mem, struct strtable_slot, table->nslots);
	for (uint32_t i = 0; i < nold; i++) {
		if (old[i].s)
			*find(table, old[i].s, old[i].hash) = old[i];
	}
}

const char *strtable_add(struct strtable *table, const char *s)
{
	struct strtable_slot *slot;
	uint64_t hash;

	if (!s)
		return NULL;
	if (2 * table->n >= table->nslots)
		grow(table);
	hash = hash_string(s);
	slot = find(table, s, hash);
	if (!slot->s) {
		*slot = (struct strtable_slot){ arena_strndup(table->mem, s, strlen(s)), hash };
		table->n++;
	}
	return slot->s;
}
