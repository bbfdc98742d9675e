/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "export/webblame.h"

#include <inttypes.h>

/* The most waits of a holder, and the most holders: a page is for people. */
enum { MOST_WAITS = 20, MOST_HOLDERS = 100 };

struct webblame {
	const struct export_view *e;
	const uint32_t *index;
	struct json *json;
};

static uint64_t webblame_ns(const struct webblame *w, double ticks)
{
	return (uint64_t)(ticks / w->e->blame->rate * 1e9 + 0.5);
}

/* Writes a place as an array: function, or "" if it is not known; file, or ""; line. */
static void webblame_write_place(const struct webblame *w, const struct blame_place *place)
{
	json_begin_array(w->json, NULL);
	if (place->function == SYM_NONE)
		json_string(w->json, NULL, "");
	else if (w->e->name[place->function])
		json_uint(w->json, NULL, w->index[place->function]);
	else
		json_string(w->json, NULL, export_any_name(w->e, place->function));
	json_string(w->json, NULL, place->line.file ? place->line.file : "");
	json_uint(w->json, NULL, place->line.line);
	json_end(w->json);
}

/* Writes a lock: its name; or the place where it was first waited for, how many locks that are, and
 * the address of the only one, or "". */
static void webblame_write_lock(const struct webblame *w, const struct blame_lock *lock)
{
	if (lock->name) {
		json_string(w->json, NULL, lock->name);
		return;
	}
	json_begin_array(w->json, NULL);
	webblame_write_place(w, &lock->first);
	json_uint(w->json, NULL, lock->n);
	if (lock->address != 0)
		json_format(w->json, NULL, "\"0x%" PRIx64 "\"", lock->address);
	else
		json_string(w->json, NULL, "");
	json_end(w->json);
}

static void webblame_write_row(const struct webblame *w, const struct blame_row *row)
{
	json_begin_array(json_line(w->json), NULL);
	json_uint(w->json, NULL, webblame_ns(w, row->ticks));
	webblame_write_place(w, &row->holder);
	json_begin_array(w->json, NULL);
	for (uint32_t i = 0; i < row->nwaits && i < MOST_WAITS; i++) {
		json_begin_array(w->json, NULL);
		json_uint(w->json, NULL, webblame_ns(w, row->wait[i].ticks));
		webblame_write_place(w, &row->wait[i].waiter);
		webblame_write_lock(w, &row->wait[i].lock);
		json_uint(w->json, NULL, row->wait[i].end);
		json_end(w->json);
	}
	json_end(w->json);
	json_end(w->json);
}

void webblame_write(const struct export_view *e, const uint32_t *index, struct json *json)
{
	const struct webblame w = { e, index, json };
	const struct blame *blame = e->blame;

	json_begin_object(json_line(json), "blame");
	json_uint(json, "total", webblame_ns(&w, blame->total));
	json_uint(json, "known", webblame_ns(&w, blame->known));
	json_uint(json, "woken", webblame_ns(&w, blame->woken));
	json_uint(json, "unwoken", webblame_ns(&w, blame->unwoken));
	json_uint(json, "rest", blame_rest_ns(blame));
	json_begin_array(json_line(json), "rows");
	for (uint32_t i = 0; i < blame->nrows && i < MOST_HOLDERS; i++)
		webblame_write_row(&w, &blame->row[i]);
	json_end(json);
	json_begin_array(json_line(json), "deadlocks");
	for (uint32_t i = 0; i < blame->ndeadlocks; i++) {
		json_begin_array(json, NULL);
		webblame_write_place(&w, &blame->deadlock[i].waiter);
		webblame_write_lock(&w, &blame->deadlock[i].lock);
		webblame_write_place(&w, &blame->deadlock[i].holder);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}
