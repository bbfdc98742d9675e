/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each table is an object with its length and an array for each of its columns. */
#include "config.h"

#include "export/firefox_tables.h"

#include <inttypes.h>
#include <stddef.h>

enum firefox_kind {
	CELL_CONSTANT, /* the column's text, the same in all rows */
	CELL_OR_NULL,  /* uint32_t; FIREFOX_NONE is null */
	CELL_OR_MINUS, /* uint32_t; FIREFOX_NONE is -1 */
	CELL_ADDRESS,  /* uint64_t; FIREFOX_NO_ADDRESS is -1 */
	CELL_WEIGHT    /* uint64_t: nanoseconds, written as milliseconds, or samples */
};

struct firefox_column {
	const char *key;
	enum firefox_kind kind;
	size_t offset; /* offset in the struct of a row */
	const char *constant;
};

struct firefox_table {
	const char *key;
	size_t row_bytes;
	struct firefox_column column[10]; /* ends with one whose key is NULL */
};

/* A column from a field of the rows, and a column with the same value in all rows. */
#define FIELD(key, kind, row, field)                         \
	{                                                    \
		key, kind, offsetof(struct row, field), NULL \
	}
#define CONSTANT(key, text)                   \
	{                                     \
		key, CELL_CONSTANT, 0, (text) \
	}

/* clang-format off: one column per line. */
static const struct firefox_table sample_table = {
	"samples",
	sizeof(struct firefox_sample),
	{
		FIELD("stack", CELL_OR_NULL, firefox_sample, stack),
		FIELD("time", CELL_WEIGHT, firefox_sample, before),
		FIELD("weight", CELL_WEIGHT, firefox_sample, weight),
	}
};

static const struct firefox_table stack_table = {
	"stackTable",
	sizeof(struct firefox_stack),
	{
		FIELD("prefix", CELL_OR_NULL, firefox_stack, prefix),
		FIELD("frame", CELL_OR_NULL, firefox_stack, frame),
	}
};

static const struct firefox_table frame_table = {
	"frameTable",
	sizeof(struct firefox_frame),
	{
		FIELD("address", CELL_ADDRESS, firefox_frame, address),
		FIELD("inlineDepth", CELL_OR_NULL, firefox_frame, depth),
		FIELD("category", CELL_OR_NULL, firefox_frame, category),
		CONSTANT("subcategory", "0"),
		FIELD("func", CELL_OR_NULL, firefox_frame, function),
		CONSTANT("nativeSymbol", "null"),
		CONSTANT("innerWindowID", "null"),
		FIELD("line", CELL_OR_NULL, firefox_frame, line),
		CONSTANT("column", "null"),
	}
};

static const struct firefox_table function_table = {
	"funcTable",
	sizeof(struct firefox_function),
	{
		FIELD("name", CELL_OR_NULL, firefox_function, name),
		CONSTANT("isJS", "false"),
		CONSTANT("relevantForJS", "false"),
		FIELD("resource", CELL_OR_MINUS, firefox_function, lib),
		FIELD("fileName", CELL_OR_NULL, firefox_function, file),
		FIELD("lineNumber", CELL_OR_NULL, firefox_function, line),
		CONSTANT("columnNumber", "null"),
	}
};

static const struct firefox_table resource_table = {
	"resourceTable",
	sizeof(struct firefox_resource),
	{
		FIELD("lib", CELL_OR_NULL, firefox_resource, lib),
		FIELD("name", CELL_OR_NULL, firefox_resource, name),
		CONSTANT("host", "null"),
		CONSTANT("type", "1"),
	}
};
/* clang-format on */

/* These tables have no rows. */
static const char empty_tables[] =
	"{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[]},\n"
	"\"markers\":{\"length\":0,\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
	"\"phase\":[],\"category\":[]}";

static void firefox_write_or(struct json *json, uint64_t n, uint64_t none, const char *instead)
{
	if (n == none)
		json_raw(json, NULL, instead);
	else
		json_uint(json, NULL, n);
}

static void firefox_write_weight(const struct firefox *f, uint64_t weight)
{
	if (f->e->integer_costs->timed)
		json_format(f->json, NULL, "%" PRIu64 ".%06" PRIu64, weight / 1000000,
			    weight % 1000000);
	else
		json_uint(f->json, NULL, weight);
}

static void firefox_write_cell(const struct firefox *f, const struct firefox_column *column,
			       const char *row)
{
	const void *field = row + column->offset;

	switch (column->kind) {
	case CELL_CONSTANT:
		json_raw(f->json, NULL, column->constant);
		break;
	case CELL_OR_NULL:
		firefox_write_or(f->json, *(const uint32_t *)field, FIREFOX_NONE, "null");
		break;
	case CELL_OR_MINUS:
		firefox_write_or(f->json, *(const uint32_t *)field, FIREFOX_NONE, "-1");
		break;
	case CELL_ADDRESS:
		firefox_write_or(f->json, *(const uint64_t *)field, FIREFOX_NO_ADDRESS, "-1");
		break;
	case CELL_WEIGHT:
		firefox_write_weight(f, *(const uint64_t *)field);
		break;
	}
}

/* Writes a table; `unit` is the unit of weights, NULL for a table without weights. */
static void firefox_write_table(const struct firefox *f, const struct firefox_table *table,
				const void *rows, size_t n, const char *unit)
{
	json_begin_object(json_line(f->json), table->key);
	json_uint(f->json, "length", n);
	if (unit)
		json_string(f->json, "weightType", unit);
	for (const struct firefox_column *column = table->column; column->key; column++) {
		json_begin_array(f->json, column->key);
		for (size_t i = 0; i < n; i++)
			firefox_write_cell(f, column, (const char *)rows + i * table->row_bytes);
		json_end(f->json);
	}
	json_end(f->json);
}

/* Writes what precedes the tables. */
static void firefox_write_thread_head(const struct firefox *f, const char *name, uint32_t tid,
				      const struct recorded_process *process)
{
	json_string(f->json, "name", name);
	json_bool(f->json, "isMainThread", f->nthreads == 0 || process != f->process);
	json_format(f->json, "pid", "\"%" PRIu32 "\"", process ? process->pid : 1);
	if (process)
		json_string(f->json, "processName", recorded_process_called(process, f->e->mem));
	json_uint(f->json, "tid", tid);
	json_string(f->json, "processType", "default");
	json_uint(f->json, "processStartupTime", 0);
	json_raw(f->json, "processShutdownTime", "null");
	json_uint(f->json, "registerTime", 0);
	json_raw(f->json, "unregisterTime", "null");
	json_raw(f->json, "pausedRanges", "[]");
}

void firefox_write_thread(const struct firefox *f, const char *name, uint32_t tid,
			  const struct recorded_process *process)
{
	struct json *json = f->json;

	json_begin_object(json_line(json), NULL);
	firefox_write_thread_head(f, name, tid, process);
	firefox_write_table(f, &sample_table, f->samples.at, f->samples.n,
			    f->e->integer_costs->timed ? "tracing-ms" : "samples");
	firefox_write_table(f, &stack_table, f->stacks.at, f->stacks.n, NULL);
	firefox_write_table(f, &frame_table, f->frames.at, f->frames.n, NULL);
	firefox_write_table(f, &function_table, f->functions.at, f->functions.n, NULL);
	firefox_write_table(f, &resource_table, f->resources.at, f->resources.n, NULL);
	json_raw(json_line(json), "nativeSymbols", empty_tables);
	json_begin_array(json_line(json), "stringArray");
	for (size_t i = 0; i < f->strings.texts.n; i++)
		json_string(json_next_line(json), NULL, f->strings.texts.at[i].s);
	json_end(json);
	json_end(json);
}
