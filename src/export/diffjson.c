/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of --diff as JSON. doc/export-json.md defines its meaning and doc/diff-schema.json its
 * form: a change here needs a change there. */
#include "config.h"

#include "export/diffjson.h"

#include "export/compared.h"

enum { DIFF_VERSION = 1 };

static const char *const sides[SIDES] = { [SIDE_BASE] = "base", [SIDE_NEW] = "new" };

static void diffjson_double(struct json *to, const char *key, double x)
{
	json_format(to, key, "%.9g", x);
}

static void diffjson_side(const struct difference *d, int k, struct json *to)
{
	const struct difference_total *total = &d->total[k];
	const struct profile *prof = total->profile;

	json_begin_object(json_line(to), sides[k]);
	json_string(to, "program", total->program);
	json_begin_array(to, "files");
	for (size_t i = 0; i < prof->files.n; i++)
		json_string(to, NULL, prof->files.at[i].name);
	json_end(to);
	json_uint(to, "runs", total->nruns);
	json_exact(to, "samples", total->samples);
	json_exact(to, "time", total->time);
	diffjson_double(to, "value", total->value);
	diffjson_double(to, "period", total->per_tick);
	diffjson_double(to, "per_sample", total->per_sample);
	json_end(to);
}

static void diffjson_head(const struct difference *d, struct json *to)
{
	json_string(to, "format", "gprof-difference");
	json_uint(to, "version", DIFF_VERSION);
	json_string(to, "generator", PACKAGE_STRING);
	for (int k = 0; k < SIDES; k++)
		diffjson_side(d, k, to);
	json_begin_object(json_line(to), "unit");
	json_string(to, "value", d->normalized ? "percent" : d->unit);
	json_string(to, "time", d->timed ? "nanoseconds" : "samples");
	json_end(to);
	json_string(json_line(to), "clock", d->waited ? "off" : d->counted ? "events" : "cpu");
	json_format(to, "level", "%g", d->level);
	json_bool(to, "normalized", d->normalized);
	json_bool(to, "tested", !d->counts_only && !difference_is_exact(d));
	json_bool(to, "measured", d->measured);
	json_format(to, "spread", d->repeated ? "%.9g" : "null", d->variance.excess);
	json_begin_object(json_line(to), "total");
	diffjson_double(to, "percent", d->delta);
	diffjson_double(to, "low", d->low);
	diffjson_double(to, "high", d->high);
	json_end(to);
}

static void diffjson_amount(const struct difference *d, const struct difference_row *row, int k,
			    struct json *to)
{
	const struct difference_amount *amount = &row->amount[k];

	if (!row->has[k]) {
		json_raw(to, sides[k], "null");
		return;
	}
	json_begin_object(to, sides[k]);
	if (row->linker[k])
		json_string(to, "linker_name", row->linker[k]);
	json_exact(to, "samples", amount->samples);
	json_exact(to, "time", amount->time);
	json_exact(to, "calls", amount->calls);
	diffjson_double(to, "value", row->value[k]);
	if (d->measured)
		json_exact(to, "inclusive", amount->inclusive);
	json_end(to);
}

static void diffjson_test(const struct difference_test *test, struct json *to)
{
	diffjson_double(to, "delta", test->delta);
	diffjson_double(to, "margin", test->margin);
	json_format(to, "p", test->tested ? "%.9g" : "null", test->p);
}

static void diffjson_row(const struct difference *d, const struct difference_row *row,
			 struct json *to)
{
	json_begin_object(json_line(to), NULL);
	json_string(to, "name", row->name);
	json_string(to, "matched", compared_rule(row->rule));
	json_string(to, "verdict", compared_verdict(row->self.verdict));
	for (int k = 0; k < SIDES; k++)
		diffjson_amount(d, row, k, to);
	diffjson_test(&row->self, to);
	if (d->measured) {
		json_begin_object(to, "inclusive");
		json_string(to, "verdict", compared_verdict(row->whole.verdict));
		diffjson_test(&row->whole, to);
		json_end(to);
	}
	json_end(to);
}

void diffjson_write_pairs(const struct paired *paired, struct json *to)
{
	static const char *const cost[PAIRED_COSTS] = {
		[PAIRED_ELAPSED] = "elapsed", [PAIRED_CPU] = "cpu"
	};
	static const char *const answer[] = { [PAIRED_ANSWER_SAME] = "same",
					      [PAIRED_ANSWER_OTHER] = "other",
					      [PAIRED_ANSWER_VARIES] = "varies",
					      [PAIRED_ANSWER_LARGE] = "large",
					      [PAIRED_ANSWER_IGNORED] = "ignored" };
	static const char *const ending[] = { [PAIRED_ALL] = "runs",
					      [PAIRED_TIME] = "seconds",
					      [PAIRED_SETTLED] = "settled",
					      [PAIRED_FULL] = "memory",
					      [PAIRED_INTERRUPTED] = "interrupted",
					      [PAIRED_FAILED] = "failed" };

	json_begin_object(json_line(to), "pairs");
	json_uint(to, "n", paired->npairs);
	json_format(to, "level", "%g", paired->level);
	json_string(to, "ending", ending[paired->ending]);
	json_string(to, "output", answer[paired->answer]);
	for (int i = 0; i < PAIRED_COSTS; i++) {
		const struct paired_total *total = &paired->total[i];

		if (!total->known)
			continue;
		json_begin_object(json_line(to), cost[i]);
		json_string(to, "verdict", compared_verdict(total->verdict));
		for (int k = 0; k < SIDES; k++)
			diffjson_double(to, sides[k], total->seconds[k]);
		diffjson_double(to, "ratio", total->ratio);
		json_format(to, "low", total->tested ? "%.9g" : "null", total->low);
		json_format(to, "high", total->tested ? "%.9g" : "null", total->high);
		json_format(to, "p", total->tested ? "%.9g" : "null", total->p);
		json_end(to);
	}
	json_end(json_line(to));
}

/* The seconds of each run, for statistics of the reader's own. */
static void diffjson_runs(const struct paired *paired, struct json *to)
{
	json_begin_array(json_line(to), "runs");
	for (uint32_t i = 0; i < paired->npairs; i++) {
		const struct pair *pair = &paired->pair[i];

		json_begin_object(json_next_line(to), NULL);
		for (int k = 0; k < SIDES; k++) {
			json_begin_object(to, sides[k]);
			diffjson_double(to, "elapsed", pair->seconds[k][PAIRED_ELAPSED]);
			diffjson_double(to, "cpu", pair->seconds[k][PAIRED_CPU]);
			json_end(to);
		}
		json_end(to);
	}
	json_end(to);
}

/* Writes the functions; with rows=N, N of them, those first that are marked. Returns how many it
 * has left out. */
static uint64_t diffjson_rows(const struct difference *d, const struct export_request *request,
			      struct json *to)
{
	const struct keys_value *rows = &request->value[EXPORT_JSON_ROWS];
	uint64_t most = rows->given ? rows->count : d->n, done = 0;

	json_begin_array(json_line(to), "functions");
	for (int marked = 1; marked >= 0; marked--) {
		for (uint32_t i = 0; i < d->n && done < most; i++) {
			if (rows->given && difference_is_marked(&d->row[i]) != marked)
				continue;
			diffjson_row(d, &d->row[i], to);
			done++;
		}
	}
	json_end(json_line(to));
	return d->n - done;
}

void diffjson_write(const struct export_view *e, struct output *out)
{
	const struct difference *d = e->difference;
	struct json to = { .out = out };
	uint64_t left;

	json_begin_object(&to, NULL);
	diffjson_head(d, &to);
	if (e->paired)
		diffjson_write_pairs(e->paired, &to);
	if (e->paired && !e->request->value[EXPORT_JSON_ROWS].given)
		diffjson_runs(e->paired, &to);
	left = diffjson_rows(d, e->request, &to);
	if (left > 0)
		json_uint(json_line(&to), "left_out", left);
	json_end(&to);
	output_char(out, '\n');
}
