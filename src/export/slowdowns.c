/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "export/slowdowns.h"

#include "base/join.h"
#include "export/compared.h"

#include <inttypes.h>
#include <string.h>

struct slowdowns_made {
	const struct export_view *e;
	struct slowdown *at;
	uint32_t n, most, more;
};

static const char *const slowdowns_total[PAIRED_COSTS] = {
	[PAIRED_ELAPSED] = "elapsed time", [PAIRED_CPU] = "CPU time"
};

static void slowdowns_add(struct slowdowns_made *made, struct slowdown one)
{
	if (made->n < made->most)
		made->at[made->n++] = one;
	else
		made->more++;
}

static const char *slowdowns_ratio(const struct paired_total *total, struct arena *mem)
{
	return total->tested ? join_format(mem, "%.3f of old (%.3f .. %.3f)", total->ratio,
					   total->low, total->high)
			     : join_format(mem, "%.3f of old", total->ratio);
}

static const char *slowdowns_word(enum difference_verdict verdict)
{
	return verdict == VERDICT_MORE   ? ": slower"
	       : verdict == VERDICT_LESS ? ": faster"
					 : ": cannot be told from noise";
}

static const char *slowdowns_verdict(const struct paired *paired, struct arena *mem)
{
	const struct paired_total *total = &paired->total[PAIRED_ELAPSED];
	const struct paired_total *cpu = &paired->total[PAIRED_CPU];
	const char *sentence = JOIN(mem, "new takes ", slowdowns_ratio(total, mem),
				    join_format(mem, ", %" PRIu32 " pair%s", paired->npairs,
						paired->npairs == 1 ? "" : "s"),
				    total->tested ? slowdowns_word(total->verdict) : "");

	if (!cpu->tested || cpu->verdict == total->verdict)
		return sentence;
	return JOIN(mem, sentence, "; of CPU time ", slowdowns_ratio(cpu, mem),
		    slowdowns_word(cpu->verdict));
}

static void slowdowns_add_totals(struct slowdowns_made *made, const struct paired *paired)
{
	struct arena *mem = made->e->mem;

	if (paired->answer == PAIRED_ANSWER_OTHER)
		slowdowns_add(made, (struct slowdown){
					    .kind = SLOWDOWN_ANSWER,
					    .text = "the new program gives another answer: its "
						    "output or its exit status differs" });
	for (int i = 0; i < PAIRED_COSTS; i++) {
		const struct paired_total *total = &paired->total[i];

		if (!total->tested || total->verdict != VERDICT_MORE)
			continue;
		slowdowns_add(made, (struct slowdown){ .kind = SLOWDOWN_TOTAL,
						       .text = JOIN(mem, slowdowns_total[i],
								    " is longer: new takes ",
								    slowdowns_ratio(total, mem)),
						       .percent = 100.0 * (total->ratio - 1.0) });
	}
}

/* The file's name below the current directory, as hosts know it, or else as it is. */
static const char *slowdowns_file(const struct export_view *e, const char *file)
{
	size_t n = e->directory ? strlen(e->directory) : 0;

	if (n > 1 && strncmp(file, e->directory, n) == 0 && file[n] == '/')
		file += n + 1;
	while (strncmp(file, "./", 2) == 0)
		file += 2;
	return file;
}

/* Finds where the new program has the function of each row; SYM_NONE: nowhere. */
static sym_id *slowdowns_symbols(const struct export_view *e)
{
	const struct difference *d = e->difference;
	sym_id *symbol = arena_array(e->mem, sym_id, d->n);

	memset(symbol, 0xff, d->n * sizeof(*symbol));
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		sym_id s = e->integer_costs->listed[i];
		uint32_t row = d->of_match[e->match->row[SIDE_NEW][s]];

		if (row != UINT32_MAX &&
		    (symbol[row] == SYM_NONE || !e->locations[symbol[row]].file))
			symbol[row] = s;
	}
	return symbol;
}

static void slowdowns_add_row(struct slowdowns_made *made, const struct difference_row *row,
			      sym_id symbol)
{
	const struct export_view *e = made->e;
	const struct location *at =
		symbol != SYM_NONE && e->locations ? &e->locations[symbol] : NULL;
	struct slowdown one = { .kind = SLOWDOWN_FUNCTION, .function = row->name };
	double base = row->value[SIDE_BASE];
	const char *change = "";

	if (base > 0.0) {
		one.percent = 100.0 * row->self.delta / base;
		change = join_format(e->mem, ", %+.1f %%", one.percent);
	}
	one.text = JOIN(e->mem, row->name, " is ", compared_more(e->difference),
			join_format(e->mem, ": %.3f to %.3f ", base, row->value[SIDE_NEW]),
			compared_unit(e->difference), " a run", change,
			join_format(e->mem, ", p %.2g", row->self.p));
	if (at && at->file && *at->file) {
		one.file = slowdowns_file(e, at->file);
		one.line = at->line;
	}
	slowdowns_add(made, one);
}

struct slowdowns slowdowns_list(const struct export_view *e, uint32_t most)
{
	const struct difference *d = e->difference;
	struct slowdowns_made made = { e, arena_array(e->mem, struct slowdown, most), 0, most, 0 };
	sym_id *symbol = slowdowns_symbols(e);

	if (e->paired)
		slowdowns_add_totals(&made, e->paired);
	for (uint32_t i = 0; i < d->n; i++) {
		if (d->row[i].self.verdict == VERDICT_MORE)
			slowdowns_add_row(&made, &d->row[i], symbol[i]);
	}
	return (struct slowdowns){ made.at, made.n, made.more,
				   e->paired ? slowdowns_verdict(e->paired, e->mem) : NULL };
}
