/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/slower.h"

#include <string.h>

static bool slower_total(const struct paired *paired, double percent, struct diag *diag)
{
	static const char *const name[PAIRED_COSTS] = {
		[PAIRED_ELAPSED] = "elapsed time", [PAIRED_CPU] = "CPU time"
	};
	bool fails = false;

	for (int i = 0; i < PAIRED_COSTS; i++) {
		const struct paired_total *total = &paired->total[i];

		if (!total->tested || !(total->low > 1.0 + percent / 100.0))
			continue;
		diag_note(
			diag,
			"%s: slower by %.1f %% (%.1f .. %.1f), which is certainly more than %g %%",
			name[i], 100.0 * (total->ratio - 1.0), 100.0 * (total->low - 1.0),
			100.0 * (total->high - 1.0), percent);
		fails = true;
	}
	return fails;
}

/* Whether a row is what the user calls a function: by its name, with parameters or without. */
static bool slower_is_named(const struct difference_row *row, const char *function)
{
	size_t n = strlen(function);

	if (strcmp(row->name, function) == 0 ||
	    (strncmp(row->name, function, n) == 0 && row->name[n] == '('))
		return true;
	for (int k = 0; k < SIDES; k++) {
		if (row->linker[k] && strcmp(row->linker[k], function) == 0)
			return true;
	}
	return false;
}

static bool slower_row(const struct difference_row *row, double percent, struct diag *diag)
{
	double base = row->value[SIDE_BASE];
	double low = row->self.delta - row->self.margin;

	if (row->self.verdict != VERDICT_MORE || !(low > base * percent / 100.0))
		return false;
	if (base > 0.0)
		diag_note(diag, "%s: slower by %.1f %%, which is certainly more than %g %%",
			  row->name, 100.0 * row->self.delta / base, percent);
	else
		diag_note(diag, "%s: slower: it took no time before", row->name);
	return true;
}

static bool slower_function(const struct difference *d, const struct experiment_limit *limit,
			    struct diag *diag)
{
	bool found = false, fails = false;

	for (uint32_t i = 0; d && i < d->n; i++) {
		if (!slower_is_named(&d->row[i], limit->function))
			continue;
		found = true;
		fails = slower_row(&d->row[i], limit->percent, diag) || fails;
	}
	if (!found)
		diag_warn(diag, "fail=%s:%g: no function of this name has time or calls",
			  limit->function, limit->percent);
	return fails;
}

bool slower_check(const struct experiment_request *request, const struct paired *paired,
		  const struct difference *d, struct diag *diag)
{
	bool fails = false;

	for (size_t i = 0; i < request->limits.n; i++) {
		const struct experiment_limit *limit = &request->limits.at[i];

		fails = (limit->function ? slower_function(d, limit, diag)
					 : slower_total(paired, limit->percent, diag)) ||
			fails;
	}
	if (request->limits.n > 0 && paired->answer == PAIRED_ANSWER_OTHER) {
		diag_note(diag, "the outputs differ");
		fails = true;
	}
	return fails;
}
