/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doc/export-json.md defines what the line means, and io/history.c reads it: a change here needs a
 * change there. */
#include "config.h"

#include "export/historyline.h"

#include "export/compared.h"
#include "export/diffjson.h"

#include <math.h>
#include <string.h>

enum { HISTORY_VERSION = 1, MOST_FUNCTIONS = 3, MOST_NAME = 80 };

/* Whether row a is to be listed before row b, which may be none. */
static bool historyline_is_larger(const struct difference *d, uint32_t a, uint32_t b)
{
	return b == UINT32_MAX || fabs(d->row[a].self.delta) > fabs(d->row[b].self.delta);
}

/* Finds the rows to write, largest first. Returns how many. */
static uint32_t historyline_choose(const struct difference *d, uint32_t chosen[MOST_FUNCTIONS])
{
	uint32_t n = 0;

	for (uint32_t i = 0; d && i < d->n; i++) {
		uint32_t at = n < MOST_FUNCTIONS ? n : MOST_FUNCTIONS;

		if (d->row[i].self.verdict == VERDICT_NOISE)
			continue;
		while (at > 0 && historyline_is_larger(d, i, chosen[at - 1])) {
			if (at < MOST_FUNCTIONS)
				chosen[at] = chosen[at - 1];
			at--;
		}
		if (at < MOST_FUNCTIONS)
			chosen[at] = i;
		n += n < MOST_FUNCTIONS;
	}
	return n;
}

static void historyline_write_row(const struct difference_row *row, struct json *to)
{
	char name[MOST_NAME + 1];
	size_t n = strnlen(row->name, MOST_NAME);

	memcpy(name, row->name, n);
	name[n] = '\0';
	json_begin_object(to, NULL);
	json_string(to, "name", name);
	json_string(to, "verdict", compared_verdict(row->self.verdict));
	json_format(to, "base", "%.9g", row->value[SIDE_BASE]);
	json_format(to, "new", "%.9g", row->value[SIDE_NEW]);
	json_end(to);
}

void historyline_write(const char *time, const char *label, const struct paired *paired,
		       const struct difference *d, struct output *out)
{
	struct json to = { .out = out, .flat = true };
	uint32_t chosen[MOST_FUNCTIONS], n = historyline_choose(d, chosen);

	json_begin_object(&to, NULL);
	json_string(&to, "format", "gprof-history");
	json_uint(&to, "version", HISTORY_VERSION);
	json_string(&to, "time", time);
	json_string(&to, "label", label);
	diffjson_write_pairs(paired, &to);
	json_begin_array(&to, "functions");
	for (uint32_t i = 0; i < n; i++)
		historyline_write_row(&d->row[chosen[i]], &to);
	json_end(&to);
	json_end(&to);
}
