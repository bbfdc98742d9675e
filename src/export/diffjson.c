/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of --diff for programs to read. Its meaning is in doc/export-json.md and its form in
 * doc/diff-schema.json: a change here is a change there.
 */
#include "config.h"

#include "export/diffjson.h"

#include "base/quote.h"
#include "export/compared.h"

#include <inttypes.h>

enum { DIFF_VERSION = 1 };

static const char *const sides[SIDES] = { [SIDE_BASE] = "base", [SIDE_NEW] = "new" };

static void diffjson_text(struct output *out, const char *key, const char *text)
{
	output_text(out, key);
	quote_json(out, text);
}

/* Greater ones would lose digits in programs that read all numbers as double. */
static void diffjson_count(struct output *out, const char *key, uint64_t n)
{
	const char *quote = n > UINT64_C(1) << 53 ? "\"" : "";

	output_format(out, "%s%s%" PRIu64 "%s", key, quote, n, quote);
}

static void diffjson_side(const struct difference *d, int k, struct output *out)
{
	const struct difference_total *total = &d->total[k];
	const struct profile *prof = total->profile;

	output_format(out, "\"%s\":{", sides[k]);
	diffjson_text(out, "\"program\":", total->program);
	output_text(out, ",\"files\":[");
	for (size_t i = 0; i < prof->files.n; i++)
		diffjson_text(out, i > 0 ? "," : "", prof->files.at[i].name);
	output_format(out, "],\"runs\":%" PRIu32, total->nruns);
	diffjson_count(out, ",\"samples\":", total->samples);
	diffjson_count(out, ",\"time\":", total->time);
	output_format(out, ",\"value\":%.9g,\"period\":%.9g,\"per_sample\":%.9g},\n", total->value,
		      total->per_tick, total->per_sample);
}

static void diffjson_head(const struct difference *d, struct output *out)
{
	output_format(out,
		      "{\"format\":\"gprof-difference\",\"version\":%d,\"generator\":\"%s\",\n",
		      DIFF_VERSION, PACKAGE_STRING);
	for (int k = 0; k < SIDES; k++)
		diffjson_side(d, k, out);
	diffjson_text(out, "\"unit\":{\"value\":", d->normalized ? "percent" : d->unit);
	output_format(out, ",\"time\":\"%s\"},\n", d->timed ? "nanoseconds" : "samples");
	output_format(
		out,
		"\"clock\":\"%s\",\"level\":%g,\"normalized\":%s,\"tested\":%s,\"measured\":%s,\"spread\":",
		d->waited    ? "off"
		: d->counted ? "events"
			     : "cpu",
		d->level, d->normalized ? "true" : "false",
		d->counts_only || difference_is_exact(d) ? "false" : "true",
		d->measured ? "true" : "false");
	output_format(out, d->repeated ? "%.9g,\n" : "null,\n", d->variance.excess);
	output_format(out,
		      "\"total\":{\"percent\":%.9g,\"low\":%.9g,\"high\":%.9g},\n\"functions\":[",
		      d->delta, d->low, d->high);
}

static void diffjson_amount(const struct difference *d, const struct difference_row *row, int k,
			    struct output *out)
{
	const struct difference_amount *amount = &row->amount[k];

	output_format(out, ",\"%s\":", sides[k]);
	if (!row->has[k]) {
		output_text(out, "null");
		return;
	}
	output_char(out, '{');
	if (row->linker[k]) {
		diffjson_text(out, "\"linker_name\":", row->linker[k]);
		output_char(out, ',');
	}
	diffjson_count(out, "\"samples\":", amount->samples);
	diffjson_count(out, ",\"time\":", amount->time);
	diffjson_count(out, ",\"calls\":", amount->calls);
	output_format(out, ",\"value\":%.9g", row->value[k]);
	if (d->measured)
		diffjson_count(out, ",\"inclusive\":", amount->inclusive);
	output_char(out, '}');
}

static void diffjson_test(const struct difference_test *test, struct output *out)
{
	output_format(out, ",\"delta\":%.9g,\"margin\":%.9g,\"p\":", test->delta, test->margin);
	output_format(out, test->tested ? "%.9g" : "null", test->p);
}

static void diffjson_row(const struct difference *d, const struct difference_row *row,
			 struct output *out)
{
	diffjson_text(out, "{\"name\":", row->name);
	output_format(out, ",\"matched\":\"%s\",\"verdict\":\"%s\"", compared_rule(row->rule),
		      compared_word(row->self.verdict));
	for (int k = 0; k < SIDES; k++)
		diffjson_amount(d, row, k, out);
	diffjson_test(&row->self, out);
	if (d->measured) {
		output_format(out, ",\"inclusive\":{\"verdict\":\"%s\"",
			      compared_word(row->whole.verdict));
		diffjson_test(&row->whole, out);
		output_char(out, '}');
	}
	output_char(out, '}');
}

void diffjson_write(const struct export_view *e, struct output *out)
{
	const struct difference *d = e->difference;

	diffjson_head(d, out);
	for (uint32_t i = 0; i < d->n; i++) {
		output_text(out, i == 0 ? "\n" : ",\n");
		diffjson_row(d, &d->row[i], out);
	}
	output_text(out, "\n]}\n");
}
