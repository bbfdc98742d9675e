/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/json.h"

#include "base/quote.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

/*
 * Writes what precedes a value: comma, newline and key. The caller then writes the value itself to
 * json->out.
 */
static void json_begin_value(struct json *json, const char *key)
{
	enum { MOST = 100, AROUND = 5 };
	size_t n = key ? strlen(key) : 0;
	char *to = output_room(json->out, MOST + AROUND);

	if (json->follows)
		*to++ = ',';
	if (json->line)
		*to++ = '\n';
	json->follows = true;
	json->line = false;
	if (key) {
		*to++ = '"';
		if (n <= MOST) {
			to = mempcpy(to, key, n);
		} else {
			output_took(json->out, to);
			output_bytes(json->out, key, n);
			to = output_room(json->out, AROUND);
		}
		*to++ = '"';
		*to++ = ':';
	}
	output_took(json->out, to);
}

static void json_open(struct json *json, const char *key, bool array)
{
	assert(json->nopen < JSON_MOST_OPEN);
	json_begin_value(json, key);
	output_char(json->out, array ? '[' : '{');
	json->arrays = json->arrays << 1 | array;
	json->nopen++;
	json->follows = false;
}

void json_begin_object(struct json *json, const char *key)
{
	json_open(json, key, false);
}

void json_begin_array(struct json *json, const char *key)
{
	json_open(json, key, true);
}

void json_end(struct json *json)
{
	assert(json->nopen > 0);
	if (json->line)
		output_char(json->out, '\n');
	output_char(json->out, json->arrays & 1 ? ']' : '}');
	json->arrays >>= 1;
	json->nopen--;
	json->follows = true;
	json->line = false;
}

void json_string(struct json *json, const char *key, const char *text)
{
	json_begin_value(json, key);
	quote_json(json->out, text);
}

void json_uint(struct json *json, const char *key, uint64_t n)
{
	json_begin_value(json, key);
	output_uint(json->out, n, 0);
}

void json_exact(struct json *json, const char *key, uint64_t n)
{
	bool quoted = n > UINT64_C(1) << 53;

	json_begin_value(json, key);
	if (quoted)
		output_char(json->out, '"');
	output_uint(json->out, n, 0);
	if (quoted)
		output_char(json->out, '"');
}

void json_raw(struct json *json, const char *key, const char *value)
{
	json_begin_value(json, key);
	output_text(json->out, value);
}

void json_format(struct json *json, const char *key, const char *format, ...)
{
	va_list args;

	json_begin_value(json, key);
	va_start(args, format);
	output_format_list(json->out, format, args);
	va_end(args);
}
