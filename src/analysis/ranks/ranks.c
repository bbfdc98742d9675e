/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/ranks/ranks.h"

#include "analysis/ranks/outliers.h"
#include "base/dispersion.h"
#include "base/interval.h"
#include "base/radix.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

/* Confidence level in percent: chance alone marks one row in 1000 as slower. */
static const double mark_level = 99.8;

/*
 * Functions whose ticks are below this share of the longest rank's ticks, in all ranks, get no row.
 */
static const double small_share = 0.005;

struct ranks_maker {
	const struct ranks_input *in;
	const struct run_sums *sums;
	struct ranks *ranks;
	struct arena *mem;
	double z;
};

static double ranks_deviation_of(const struct run_sum *sum, uint32_t n)
{
	double off = sum->squares - sum->total / n * sum->total;

	return off > 0.0 ? sqrt(off / (n - 1)) : 0.0;
}

static struct ranks_row ranks_row_of(const struct ranks_maker *m, uint32_t i)
{
	const struct run_sum *sum = &m->sums->sum[i];
	uint32_t n = m->ranks->n;
	double mean = sum->total / n, weight = m->in->per_sample;

	return (struct ranks_row){
		.symbol = i == m->sums->n ? SYM_NONE : i,
		.total = sum->total,
		.mean = mean,
		.min = sum->n == n ? sum->min : 0.0,
		.max = sum->max,
		.deviation = ranks_deviation_of(sum, n),
		.imbalance =
			sum->max > 0.0 ? (sum->max - mean) / sum->max * n / (n - 1.0) * 100.0 : 0.0,
		.most = sum->most,
		.least = sum->n == n ? sum->least : sum->first_without,
		.uneven = !m->in->exact &&
			  dispersion_is_uneven(sum->total / weight, sum->squares / weight / weight,
					       n, m->z),
		.calls = sum->calls,
		.min_calls = sum->ncalls == n ? sum->min_calls : 0,
		.max_calls = sum->max_calls,
		.most_calls = sum->most_calls,
	};
}

/*
 * Whether a function gets a row. If the profile has no time, its calls are enough where these were
 * asked for.
 */
static bool ranks_shows(const struct ranks_maker *m, uint32_t i, double least)
{
	const struct ranks_request *request = m->in->request;
	const struct run_sum *sum = &m->sums->sum[i];

	if (i < m->sums->n && !bitset_has(m->in->shown, i))
		return false;
	if (request->all)
		return sum->total > 0.0 || sum->calls > 0;
	return (sum->total > 0.0 && sum->max >= least) ||
	       (request->calls && m->ranks->total == 0.0 && sum->calls > 0);
}

static double ranks_key(const struct ranks_row *row, enum ranks_order order)
{
	return order == RANKS_BY_TOTAL ? row->total
	       : order == RANKS_BY_MAX ? row->max
				       : ranks_excess(row);
}

/* The demangled names of rows, for sorting. */
struct ranks_names {
	const struct ranks_row *row;
	const char **name; /* of each row */
};

static int ranks_compare_names(uint32_t a, uint32_t b, const void *arg)
{
	const struct ranks_names *names = arg;
	bool x = names->row[a].symbol == SYM_NONE, y = names->row[b].symbol == SYM_NONE;

	return x || y ? x - y : strcmp(names->name[a], names->name[b]);
}

static void ranks_sort_by_name(const struct ranks_maker *m, uint32_t *order, struct arena *scratch)
{
	const struct ranks_row *row = m->ranks->row;
	const struct sym *sym = m->in->symtab->sym;
	struct ranks_names names = { row, arena_array(scratch, const char *, m->ranks->nrows) };

	for (uint32_t i = 0; i < m->ranks->nrows; i++) {
		if (row[i].symbol != SYM_NONE)
			names.name[i] = demangle(sym[row[i].symbol].name, m->in->style, scratch);
	}
	sort_ids(order, m->ranks->nrows, ranks_compare_names, &names, scratch);
}

/* Sorts rows by the key, the largest first, or by name; equal ones by address. */
static void ranks_sort(struct ranks_maker *m, struct arena *scratch)
{
	struct ranks *ranks = m->ranks;
	enum ranks_order by = m->in->request->order;
	uint32_t *order = arena_array(scratch, uint32_t, ranks->nrows);
	struct keyed *keyed = arena_array(scratch, struct keyed, ranks->nrows);
	struct ranks_row *sorted = arena_array(m->mem, struct ranks_row, ranks->nrows);

	for (uint32_t i = 0; i < ranks->nrows; i++) {
		keyed[i] = (struct keyed){ radix_key_descending(ranks_key(&ranks->row[i], by)), i };
		order[i] = i;
	}
	if (by == RANKS_BY_NAME)
		ranks_sort_by_name(m, order, scratch);
	else
		radix_sort_keyed(keyed, ranks->nrows, scratch);
	for (uint32_t i = 0; i < ranks->nrows; i++)
		sorted[i] = ranks->row[by == RANKS_BY_NAME ? order[i] : keyed[i].id];
	ranks->row = sorted;
}

static void ranks_make_rows(struct ranks_maker *m)
{
	struct arena scratch = arena_scratch(m->mem);
	struct ranks *ranks = m->ranks;
	double least = small_share * ranks->rank[ranks->most].ticks;
	struct ranks_row *row;
	uint32_t n = 0;

	for (uint32_t i = 0; i <= m->sums->n; i++)
		n += ranks_shows(m, i, least);
	row = arena_array(&scratch, struct ranks_row, n);
	for (uint32_t i = 0; i <= m->sums->n; i++) {
		const struct run_sum *sum = &m->sums->sum[i];

		if (ranks_shows(m, i, least))
			row[ranks->nrows++] = ranks_row_of(m, i);
		else
			ranks->nsmall += sum->total > 0.0;
	}
	ranks->row = row;
	ranks_sort(m, &scratch);
	arena_free(&scratch);
}

struct bitset ranks_wanted(const struct ranks *ranks, uint32_t nsyms, struct arena *mem)
{
	struct bitset wanted = bitset_empty(mem, (size_t)nsyms + 1);

	for (uint32_t i = 0; i < ranks->nrows; i++)
		bitset_add(wanted, ranks->row[i].symbol == SYM_NONE ? nsyms : ranks->row[i].symbol);
	return wanted;
}

/*
 * Sorts the cells of a row by rank and joins cells of the same rank, such as its ticks and its
 * calls, which were added up separately. Returns how many are left.
 */
static uint32_t ranks_order_cells(struct ranks_cell *cell, uint32_t n, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct keyed *order;
	struct ranks_cell *old;
	uint32_t kept = 0, sorted = 1;

	while (sorted < n && cell[sorted - 1].rank < cell[sorted].rank)
		sorted++;
	if (sorted >= n)
		return n;
	order = arena_array(&scratch, struct keyed, n);
	old = arena_array(&scratch, struct ranks_cell, n);
	memcpy(old, cell, n * sizeof(*cell));
	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct keyed){ old[i].rank, i };
	radix_sort_keyed(order, n, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		const struct ranks_cell *one = &old[order[i].id];

		if (kept > 0 && cell[kept - 1].rank == one->rank) {
			cell[kept - 1].ticks += one->ticks;
			cell[kept - 1].calls += one->calls;
		} else {
			cell[kept++] = *one;
		}
	}
	arena_free(&scratch);
	return kept;
}

void ranks_add_cells(struct ranks *ranks, const struct run_sums *sums, bool outliers,
		     struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t ncells = (uint32_t)sums->cells.n, n = 0;
	uint32_t *row_of = arena_array(&scratch, uint32_t, (size_t)sums->n + 1);
	uint32_t *next = arena_array(&scratch, uint32_t, (size_t)ranks->nrows + 1);
	struct ranks_cell *cell = arena_array(mem, struct ranks_cell, ncells);
	uint32_t *of_row = arena_array(mem, uint32_t, (size_t)ranks->nrows + 1);

	for (uint32_t i = 0; i < ranks->nrows; i++) {
		sym_id s = ranks->row[i].symbol;

		row_of[s == SYM_NONE ? sums->n : s] = i;
	}
	for (uint32_t i = 0; i < ncells; i++)
		next[row_of[sums->cells.at[i].row] + 1]++;
	for (uint32_t i = 0; i < ranks->nrows; i++)
		next[i + 1] += next[i];
	for (uint32_t i = 0; i < ncells; i++) {
		struct ranks_cell one = sums->cells.at[i];

		one.row = row_of[one.row];
		cell[next[one.row]++] = one;
	}
	for (uint32_t i = 0, start = 0; i < ranks->nrows; start = next[i++]) {
		uint32_t kept = ranks_order_cells(cell + start, next[i] - start, mem);

		memmove(cell + n, cell + start, kept * sizeof(*cell));
		n += kept;
		of_row[i + 1] = n;
	}
	ranks->cell = cell;
	ranks->of_row = of_row;
	arena_free(&scratch);
	if (outliers)
		ranks->outlier = outliers_find(ranks, &ranks->noutliers, mem);
}

struct ranks *ranks_make(const struct ranks_input *in, const struct run_sums *sums,
			 struct arena *mem)
{
	struct ranks *ranks = arena_array(mem, struct ranks, 1);
	struct ranks_maker m = { in, sums, ranks, mem, interval_normal(mark_level) };

	*ranks = (struct ranks){ .threads = in->request->threads,
				 .inclusive = in->request->inclusive,
				 .has_calls = in->has_calls,
				 .exact = in->exact,
				 .has_waiting = in->has_waiting,
				 .n = in->list->n,
				 .rank = in->list->rank,
				 .per_sample = in->per_sample,
				 .per_sample_told = in->per_sample_told };
	for (uint32_t i = 0; i < ranks->n; i++) {
		in->list->rank[i].ticks = sums->total[i];
		ranks->total += sums->total[i];
		if (sums->total[i] < sums->total[ranks->least])
			ranks->least = i;
		if (sums->total[i] > sums->total[ranks->most])
			ranks->most = i;
	}
	ranks->mean = ranks->total / ranks->n;
	ranks_make_rows(&m);
	return ranks;
}
