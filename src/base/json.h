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

enum { JSON_MOST_OPEN = 64 }; /* the deepest nesting of objects and arrays */

/* The caller sets `out`, and `flat` if it wants that; all else is zero at the start. */
struct json {
	struct output *out;
	uint64_t arrays; /* one bit for each open bracket, the innermost lowest: 1 for an array */
	unsigned nopen;
	/* the innermost object or array has a value already, so a comma must follow */
	bool follows;
	bool line; /* the next value or closing bracket goes onto a new line */
	bool flat; /* all is one line: json_line() and json_next_line() change nothing */
};

/*
 * Opens an object or array. `key` is the key of this value if it is in an object, in ASCII without
 * '"' and '\'; NULL if it is in an array.
 */
void json_begin_object(struct json *json, const char *key);
void json_begin_array(struct json *json, const char *key);

/* Closes the innermost open object or array. */
void json_end(struct json *json);

/* Puts the next value or closing bracket onto a new line. Returns json. */
static inline struct json *json_line(struct json *json)
{
	json->line = !json->flat;
	return json;
}

/* Does the same, unless the value is the first of its object or array. */
static inline struct json *json_next_line(struct json *json)
{
	json->line = json->follows && !json->flat;
	return json;
}

/* Writes a string of any bytes, as quote_json() does. */
void json_string(struct json *json, const char *key, const char *text);

void json_uint(struct json *json, const char *key, uint64_t n);

/*
 * Writes a number, as a string if it is above 2^53: readers that keep numbers as double would
 * change it.
 */
void json_exact(struct json *json, const char *key, uint64_t n);

/* Writes `value` unchanged. It is valid JSON: null, false, or several values with their keys. */
void json_raw(struct json *json, const char *key, const char *value);

static inline void json_bool(struct json *json, const char *key, bool value)
{
	json_raw(json, key, value ? "true" : "false");
}

/* Writes a value of less than 1,000 bytes, such as a double, formatted as by printf. */
void json_format(struct json *json, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
