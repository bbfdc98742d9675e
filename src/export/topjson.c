/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For scripts that read the answer alone. doc/export-json.md defines its meaning and
 * doc/top-schema.json its form: a change here needs a change there. */
#include "config.h"

#include "export/topjson.h"

#include "base/json.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/radix.h"

#include <string.h>

enum { TOP_VERSION = 1, MOST_NAME = 80, MOST_FILE = 60 };

/* Writes a text that is cut if it is long: a file at its beginning, a name at its end. */
static void topjson_text(struct json *to, const char *key, const char *text, bool file,
			 struct arena *mem)
{
	const char *plain = quote_copy(text, '?', mem);
	size_t n = strlen(plain), most = file ? MOST_FILE : MOST_NAME;
	const char *from = file && n > most ? plain + n - most : plain;
	char cut[MOST_NAME + sizeof("...")];

	if (n <= most) {
		json_string(to, key, plain);
		return;
	}
	while (file && (*from & 0xc0) == 0x80)
		from++;
	n = file ? strlen(from) : most;
	while (!file && n > 0 && (from[n] & 0xc0) == 0x80)
		n--;
	memcpy(cut, file ? "..." : from, file ? 3 : n);
	memcpy(cut + (file ? 3 : n), file ? from : "...", file ? n : 3);
	cut[n + 3] = '\0';
	json_string(to, key, cut);
}

static double topjson_value(const struct export_view *e, uint64_t time)
{
	return e->integer_costs->timed ? (double)time / 1e9 : (double)time;
}

static void topjson_function(const struct export_view *e, sym_id s, struct json *to)
{
	const struct location *loc = &e->locations[s];
	double total = e->integer_costs->total > 0 ? (double)e->integer_costs->total : 1.0;

	json_begin_object(json_line(to), NULL);
	topjson_text(to, "name", e->name[s], false, e->mem);
	json_format(to, "self", "%.6g", topjson_value(e, e->integer_costs->self[s]));
	json_format(to, "percent", "%.1f", 100.0 * (double)e->integer_costs->self[s] / total);
	json_format(to, "inclusive", "%.6g", topjson_value(e, e->integer_costs->inclusive[s]));
	if (e->integer_costs->has_calls)
		json_exact(to, "calls", e->a->costs.calls.outer[s]);
	if (costs_may_have_more(&e->a->costs.calls, s))
		json_bool(to, "calls_at_least", true);
	if (loc->file && *loc->file) {
		topjson_text(to, "file", loc->file, true, e->mem);
		json_exact(to, "line", loc->line);
	}
	json_end(to);
}

void topjson_write(const struct export_view *e, uint64_t rows, struct output *out)
{
	const struct integer_costs *costs = e->integer_costs;
	uint32_t n = costs->nlisted, i;
	struct keyed *items = arena_array(e->mem, struct keyed, n);
	struct json to = { .out = out };
	uint64_t others = costs->total;

	for (i = 0; i < n; i++)
		items[i] = (struct keyed){ ~costs->self[costs->listed[i]], costs->listed[i] };
	radix_sort_keyed(items, n, e->mem);
	json_begin_object(&to, NULL);
	json_string(&to, "format", "gprof-top");
	json_uint(&to, "version", TOP_VERSION);
	topjson_text(&to, "program", path_base(e->a->program->path), false, e->mem);
	json_string(&to, "unit", costs->timed ? "seconds" : "samples");
	json_string(&to, "clock", export_clock(e));
	json_bool(&to, "measured", e->a->costs.origin.measured);
	json_format(&to, "total", "%.6g", topjson_value(e, costs->total));
	json_exact(&to, "samples", costs->nsamples);
	json_begin_array(json_line(&to), "functions");
	for (i = 0; i < n && i < rows; i++) {
		topjson_function(e, items[i].id, &to);
		others -= costs->self[items[i].id];
	}
	json_end(json_line(&to));
	json_begin_object(json_line(&to), "others");
	json_exact(&to, "functions", n - i);
	json_format(&to, "self", "%.6g", topjson_value(e, others));
	json_end(&to);
	json_end(&to);
	output_char(out, '\n');
}
