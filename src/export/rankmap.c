/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "export/rankmap.h"

#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The limits of the picture, and the least share of the longest rank's time that a function must
 * have in some rank. */
enum { MOST_COLUMNS = 400, MOST_ROWS = 40 };

static const double least_share = 0.005;

struct rankmap {
	const struct export_view *e;
	const struct ranks *ranks;
	struct json *json;
	uint32_t *place; /* column of each rank */
	uint32_t *order; /* ranks sorted by label */
	uint32_t each;   /* ranks per column */
	uint32_t ncolumns;
	double *most; /* greatest value of each column for the current row; all zero between rows */
};

/* Compares numbers within labels by value: rank2 is before rank10. */
static int rankmap_compare_labels(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		size_t na = strspn(a, "0123456789"), nb = strspn(b, "0123456789");

		if (na > 0 && nb > 0) {
			unsigned long long x = strtoull(a, NULL, 10), y = strtoull(b, NULL, 10);

			if (x != y)
				return x < y ? -1 : 1;
			a += na - 1;
			b += nb - 1;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		}
	}
	return (*a != 0) - (*b != 0);
}

static int rankmap_compare(uint32_t a, uint32_t b, const void *ranks)
{
	const struct ranks *r = ranks;

	return rankmap_compare_labels(r->rank[a].label, r->rank[b].label);
}

static void rankmap_arrange(struct rankmap *m)
{
	uint32_t n = m->ranks->n;

	m->order = arena_array(m->e->mem, uint32_t, n);
	m->place = arena_array(m->e->mem, uint32_t, n);
	for (uint32_t i = 0; i < n; i++)
		m->order[i] = i;
	sort_ids(m->order, n, rankmap_compare, m->ranks, m->e->mem);
	m->each = (n + MOST_COLUMNS - 1) / MOST_COLUMNS;
	m->ncolumns = (n + m->each - 1) / m->each;
	for (uint32_t i = 0; i < n; i++)
		m->place[m->order[i]] = i / m->each;
	m->most = arena_array(m->e->mem, double, m->ncolumns);
}

/* Writes the first or the last label of each column. */
static void rankmap_write_labels(const struct rankmap *m, const char *key, bool last)
{
	json_begin_array(json_line(m->json), key);
	for (uint32_t c = 0; c < m->ncolumns; c++) {
		uint32_t end = (c + 1) * m->each, n = m->ranks->n;
		uint32_t i = last ? (end < n ? end : n) - 1 : c * m->each;

		json_string(json_next_line(m->json), NULL, m->ranks->rank[m->order[i]].label);
	}
	json_end(m->json);
}

static void rankmap_write_time(const struct rankmap *m, double ticks)
{
	json_uint(m->json, NULL, integer_costs_rounded(m->e->integer_costs, ticks));
}

/* Writes function, mark, mean, imbalance in percent, and the columns. */
static void rankmap_write_row(const struct rankmap *m, int64_t function,
			      const struct ranks_row *row)
{
	json_begin_array(m->json, NULL);
	json_format(m->json, NULL, "%" PRId64 ",%d", function, row->uneven);
	rankmap_write_time(m, row->mean);
	json_format(m->json, NULL, "%.1f", row->imbalance);
	json_begin_array(m->json, NULL);
	for (uint32_t c = 0; c < m->ncolumns; c++) {
		rankmap_write_time(m, m->most[c]);
		m->most[c] = 0.0;
	}
	json_end(m->json);
	json_end(m->json);
}

static void rankmap_add(const struct rankmap *m, uint32_t rank, double ticks)
{
	double *most = &m->most[m->place[rank]];

	*most = ticks > *most ? ticks : *most;
}

/* Writes the row of all functions together. */
static void rankmap_write_whole(const struct rankmap *m)
{
	const struct ranks *ranks = m->ranks;
	double max = ranks->rank[ranks->most].ticks, n = ranks->n;
	const struct ranks_row all = {
		.mean = ranks->mean,
		.imbalance = max > 0.0 ? (max - ranks->mean) / max * n / (n - 1.0) * 100.0 : 0.0,
	};

	for (uint32_t i = 0; i < ranks->n; i++)
		rankmap_add(m, i, ranks->rank[i].ticks);
	rankmap_write_row(m, -2, &all);
}

void rankmap_write(const struct export_view *e, const uint32_t *index, struct json *json)
{
	const struct ranks *ranks = e->ranks;
	struct rankmap m = { .e = e, .ranks = ranks, .json = json };
	double least = least_share * ranks->rank[ranks->most].ticks;
	uint32_t written = 0;

	rankmap_arrange(&m);
	json_begin_object(json_line(json), "ranks");
	json_uint(json, "n", ranks->n);
	json_uint(json, "each", m.each);
	json_uint(json, "threads", ranks->threads);
	json_uint(json, "inclusive", ranks->inclusive);
	json_format(json, "perSample", "%.6g", ranks->per_sample);
	if (ranks->exact)
		json_string(json, "exact",
			    ranks->has_waiting                               ? "wall"
			    : clock_is_waiting(&e->a->costs.origin.clock)    ? "off"
			    : clock_is_attributed(&e->a->costs.origin.clock) ? "attributed"
									     : "events");
	rankmap_write_labels(&m, "from", false);
	rankmap_write_labels(&m, "to", true);
	json_begin_array(json_line(json), "rows");
	rankmap_write_whole(&m);
	for (uint32_t i = 0; i < ranks->nrows && written < MOST_ROWS; i++) {
		const struct ranks_row *row = &ranks->row[i];
		bool named = row->symbol != SYM_NONE && e->name[row->symbol];

		if (row->max < least || !(row->max > 0.0))
			continue;
		for (uint32_t k = ranks->of_row[i]; k < ranks->of_row[i + 1]; k++)
			rankmap_add(&m, ranks->cell[k].rank, ranks->cell[k].ticks);
		json_line(json);
		rankmap_write_row(&m, named ? (int64_t)index[row->symbol] : -1, row);
		written++;
	}
	json_end(json);
	json_end(json);
}
