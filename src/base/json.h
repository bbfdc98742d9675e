/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes JSON value by value, with the commas, brackets and newlines between the values. It
 * allocates nothing. A failed write is kept by the output, which says so when it is closed.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/output.h"

#include <stdbool.h>
#include <stdint.h>

enum { JSON_MOST_OPEN = 64 }; /* objects and arrays within each other */

/* `out` is set by the caller, all else is zero at the start. */
struct json {
	struct output *out;
	uint64_t arrays; /* one bit for each open bracket, the innermost lowest: 1 for an array */
	unsigned nopen;
	bool follows; /* the innermost object or array has a value */
	bool line;    /* the next value or closing bracket begins a line */
};

/* The key is that of an object's value: ASCII without '"' and '\'. In an array it is NULL. */
void json_begin_object(struct json *json, const char *key);
void json_begin_array(struct json *json, const char *key);

/* Closes the innermost object or array that is open. */
void json_end(struct json *json);

/* The next value or closing bracket begins a line. Returns json. */
static inline struct json *json_line(struct json *json)
{
	json->line = true;
	return json;
}

/* The same, unless the value is the first of its object or array. */
static inline struct json *json_next_line(struct json *json)
{
	json->line = json->follows;
	return json;
}

/* Any bytes, which come out as quote_json() writes them. */
void json_string(struct json *json, const char *key, const char *text);

void json_uint(struct json *json, const char *key, uint64_t n);

/* Numbers above 2^53 become strings, as readers that keep numbers as double would change them. */
void json_exact(struct json *json, const char *key, uint64_t n);

/* NUL-terminated, and valid JSON: null, false, or more than one value with its keys. */
void json_raw(struct json *json, const char *key, const char *value);

static inline void json_bool(struct json *json, const char *key, bool value)
{
	json_raw(json, key, value ? "true" : "false");
}

/* A value of less than 1,000 bytes, such as a double, by a format of printf. */
void json_format(struct json *json, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The comma, newline and key before a value, which the caller writes to json->out. */
void json_begin_value(struct json *json, const char *key);

#endif
