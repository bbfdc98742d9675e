/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each table is an object with a list for each of its columns. */
#include "config.h"

#include "export/firefox_tables.h"

#include "base/quote.h"

#include <inttypes.h>

/* A row of a table, in one of its columns. */
typedef void firefox_cell(const struct firefox *f, size_t row);

static void firefox_write_number(const struct firefox *f, uint32_t n)
{
	if (n == FIREFOX_NONE)
		output_text(f->out, "null");
	else
		output_uint(f->out, n, 0);
}

static void firefox_zero(const struct firefox *f, size_t row)
{
	(void)row;
	output_char(f->out, '0');
}

static void firefox_null(const struct firefox *f, size_t row)
{
	(void)row;
	output_text(f->out, "null");
}

static void firefox_false(const struct firefox *f, size_t row)
{
	(void)row;
	output_text(f->out, "false");
}

static void firefox_write_column(const struct firefox *f, const char *key, size_t n,
				 firefox_cell *cell)
{
	output_format(f->out, ",\"%s\":[", key);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			output_char(f->out, ',');
		cell(f, i);
	}
	output_char(f->out, ']');
}

/* Milliseconds with all digits of nanoseconds. */
static void firefox_write_ms(const struct firefox *f, uint64_t ns)
{
	output_format(f->out, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000);
}

static void firefox_weight(const struct firefox *f, size_t row)
{
	if (f->e->integer_costs->timed)
		firefox_write_ms(f, f->samples.at[row].self);
	else
		output_uint(f->out, f->samples.at[row].samples, 0);
}

/* When the sample would begin if they came one after the other. */
static void firefox_time(const struct firefox *f, size_t row)
{
	if (f->e->integer_costs->timed)
		firefox_write_ms(f, f->samples.at[row].before);
	else
		output_uint(f->out, f->samples.at[row].before, 0);
}

static void firefox_sample_stack(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->samples.at[row].stack);
}

static void firefox_write_samples(const struct firefox *f)
{
	size_t n = f->samples.n;

	output_format(f->out, ",\n\"samples\":{\"length\":%zu,\"weightType\":\"%s\"", n,
		      f->e->integer_costs->timed ? "tracing-ms" : "samples");
	firefox_write_column(f, "stack", n, firefox_sample_stack);
	firefox_write_column(f, "time", n, firefox_time);
	firefox_write_column(f, "weight", n, firefox_weight);
	output_char(f->out, '}');
}

static void firefox_prefix(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->stacks.at[row].prefix);
}

static void firefox_stack_frame(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->stacks.at[row].frame);
}

static void firefox_write_stacks(const struct firefox *f)
{
	output_format(f->out, ",\n\"stackTable\":{\"length\":%zu", f->stacks.n);
	firefox_write_column(f, "prefix", f->stacks.n, firefox_prefix);
	firefox_write_column(f, "frame", f->stacks.n, firefox_stack_frame);
	output_char(f->out, '}');
}

static void firefox_address(const struct firefox *f, size_t row)
{
	if (f->functions.at[f->frames.at[row].function].lib == FIREFOX_NONE)
		output_text(f->out, "-1");
	else
		output_uint(f->out, f->frames.at[row].address, 0);
}

static void firefox_depth(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->frames.at[row].depth);
}

static void firefox_category(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->frames.at[row].category);
}

static void firefox_frame_function(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->frames.at[row].function);
}

static void firefox_frame_line(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->frames.at[row].line);
}

static void firefox_write_frames(const struct firefox *f)
{
	size_t n = f->frames.n;

	output_format(f->out, ",\n\"frameTable\":{\"length\":%zu", n);
	firefox_write_column(f, "address", n, firefox_address);
	firefox_write_column(f, "inlineDepth", n, firefox_depth);
	firefox_write_column(f, "category", n, firefox_category);
	firefox_write_column(f, "subcategory", n, firefox_zero);
	firefox_write_column(f, "func", n, firefox_frame_function);
	firefox_write_column(f, "nativeSymbol", n, firefox_null);
	firefox_write_column(f, "innerWindowID", n, firefox_null);
	firefox_write_column(f, "line", n, firefox_frame_line);
	firefox_write_column(f, "column", n, firefox_null);
	output_char(f->out, '}');
}

static void firefox_name(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->functions.at[row].name);
}

/* Resources are the objects, in their order. */
static void firefox_resource(const struct firefox *f, size_t row)
{
	if (f->functions.at[row].lib == FIREFOX_NONE)
		output_text(f->out, "-1");
	else
		output_uint(f->out, f->functions.at[row].lib, 0);
}

static void firefox_file(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->functions.at[row].file);
}

static void firefox_line(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->functions.at[row].line);
}

static void firefox_write_functions(const struct firefox *f)
{
	size_t n = f->functions.n;

	output_format(f->out, ",\n\"funcTable\":{\"length\":%zu", n);
	firefox_write_column(f, "name", n, firefox_name);
	firefox_write_column(f, "isJS", n, firefox_false);
	firefox_write_column(f, "relevantForJS", n, firefox_false);
	firefox_write_column(f, "resource", n, firefox_resource);
	firefox_write_column(f, "fileName", n, firefox_file);
	firefox_write_column(f, "lineNumber", n, firefox_line);
	firefox_write_column(f, "columnNumber", n, firefox_null);
	output_char(f->out, '}');
}

static void firefox_resource_lib(const struct firefox *f, size_t row)
{
	output_uint(f->out, row, 0);
}

static void firefox_resource_name(const struct firefox *f, size_t row)
{
	firefox_write_number(f, f->lib_name.at[row]);
}

static void firefox_one(const struct firefox *f, size_t row)
{
	(void)row;
	output_char(f->out, '1');
}

static void firefox_write_resources(const struct firefox *f)
{
	size_t n = f->lib_name.n;

	output_format(f->out, ",\n\"resourceTable\":{\"length\":%zu", n);
	firefox_write_column(f, "lib", n, firefox_resource_lib);
	firefox_write_column(f, "name", n, firefox_resource_name);
	firefox_write_column(f, "host", n, firefox_null);
	firefox_write_column(f, "type", n, firefox_one);
	output_char(f->out, '}');
}

static void firefox_write_strings(const struct firefox *f)
{
	output_text(f->out, ",\n\"stringArray\":[");
	for (size_t i = 0; i < f->strings.texts.n; i++) {
		output_text(f->out, i > 0 ? ",\n" : "");
		quote_json(f->out, f->strings.texts.at[i].s);
	}
	output_char(f->out, ']');
}

void firefox_write_thread(const struct firefox *f, const char *name, uint32_t tid)
{
	output_text(f->out, f->nthreads > 0 ? ",\n{\"name\":" : "\n{\"name\":");
	quote_json(f->out, name);
	output_format(f->out,
		      ",\"isMainThread\":%s,\"pid\":\"1\",\"tid\":%" PRIu32
		      ",\"processType\":\"default\",\"processStartupTime\":0,"
		      "\"processShutdownTime\":null,\"registerTime\":0,"
		      "\"unregisterTime\":null,\"pausedRanges\":[]",
		      f->nthreads == 0 ? "true" : "false", tid);
	firefox_write_samples(f);
	firefox_write_stacks(f);
	firefox_write_frames(f);
	firefox_write_functions(f);
	firefox_write_resources(f);
	output_text(f->out,
		    ",\n\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
		    "\"name\":[],\"functionSize\":[]},\n\"markers\":{\"length\":0,\"data\":[],"
		    "\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[]}");
	firefox_write_strings(f);
	output_char(f->out, '}');
}
