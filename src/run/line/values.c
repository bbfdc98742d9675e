/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/line/values.h"

#include "base/keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char default_level[] = "95";

/* Only the first letter counts. */
int value_format(enum gmon_format *format, const char *value, struct diag *diag)
{
	static const struct {
		char letter;
		enum gmon_format format;
	} formats[] = {
		{ 'a', GMON_ANY }, { 'm', GMON_CURRENT }, { 'b', GMON_BSD }, { '4', GMON_BSD44 }
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (value[0] == formats[i].letter) {
			*format = formats[i].format;
			return 0;
		}
	}
	if (value[0] == 'p')
		diag_error(diag, "data files of prof ('%s') are not supported", value);
	else
		diag_error(diag,
			   "unknown data file format '%s': expected auto, magic, bsd or 4.4bsd",
			   value);
	return -1;
}

int value_demangle(enum demangle_style *style, const char *value, struct diag *diag)
{
	if (demangle_style_find(value, style))
		return 0;
	diag_error(diag,
		   "unknown demangling style '%s': "
		   "expected auto, gnu-v3, java, gnat, dlang, rust or none",
		   value);
	return -1;
}

/*
 * Reads a number up to `end`, which is after it, hexadecimal after 0x and else decimal. Returns
 * what follows `end`, or NULL if there is anything else.
 */
static const char *value_address(const char *text, char end, uint64_t *number)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : text;
	size_t n = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");

	errno = 0;
	*number = strtoull(digits, NULL, is_hex ? 16 : 10);
	return n > 0 && digits[n] == end && errno == 0 ? digits + n + (end != '\0') : NULL;
}

int value_image_base(uint64_t *base, const char *value, struct diag *diag)
{
	if (value_address(value, '\0', base))
		return 0;
	diag_error(diag, "--image-base must be an address such as 0x400000, not '%s'", value);
	return -1;
}

int value_load_alias(load_aliases *aliases, const char *value, struct arena *mem, struct diag *diag)
{
	struct load_alias alias = { 0 };
	const char *load = value_address(value, ':', &alias.run);
	const char *bytes = load ? value_address(load, ':', &alias.load) : NULL;

	if (!bytes || !value_address(bytes, '\0', &alias.bytes) || alias.bytes == 0 ||
	    alias.run + (alias.bytes - 1) < alias.run ||
	    alias.load + (alias.bytes - 1) < alias.load) {
		diag_error(diag,
			   "--load-alias must be RUN:LOAD:BYTES, such as 0x20000000:0x8000:0x400, "
			   "not '%s'",
			   value);
		return -1;
	}
	for (size_t i = 0; i < aliases->n; i++) {
		const struct load_alias *other = &aliases->at[i];

		if (alias.run - other->run < other->bytes || other->run - alias.run < alias.bytes) {
			diag_error(diag, "--load-alias: '%s' has addresses of another --load-alias",
				   value);
			return -1;
		}
	}
	array_push(mem, aliases) = alias;
	return 0;
}

int value_top(uint32_t *functions, const char *value, struct diag *diag)
{
	static const struct keys_row row = { .kind = KEYS_COUNT, .least = 1, .most = INT32_MAX };
	struct keys_value number;

	if (!keys_read(&row, value, &number)) {
		diag_error(diag, "--top must be a number of functions from 1, not '%s'", value);
		return -1;
	}
	*functions = (uint32_t)number.count;
	return 0;
}

int value_seconds(unsigned *seconds, const char *value, struct diag *diag)
{
	static const struct keys_row row = { .kind = KEYS_COUNT,
					     .least = 1,
					     .most = FETCH_MOST_SECONDS };
	struct keys_value number = { .count = FETCH_SECONDS };

	if (value && !keys_read(&row, value, &number)) {
		diag_error(diag, "--debuginfod must be a number of seconds from 1 to %d, not '%s'",
			   FETCH_MOST_SECONDS, value);
		return -1;
	}
	*seconds = (unsigned)number.count;
	return 0;
}

/* Returns the index of a value in the list of n words; -1 after an error that lists the words. */
static int value_find(const char *const *words, size_t n, const char *value, const char *what,
		      struct diag *diag)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(value, words[i]) == 0)
			return (int)i;
	}
	diag_error(diag, "unknown %.*s '%s': expected %s", (int)strcspn(what, ":"), what, value,
		   strchr(what, ':') + 1);
	return -1;
}

int value_color(enum color_when *when, const char *value, struct diag *diag)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"
	};
	int i = value_find(names, sizeof(names) / sizeof(names[0]), value,
			   "colour choice:auto, always or never", diag);

	if (i < 0)
		return -1;
	*when = (enum color_when)i;
	return 0;
}

int value_libraries(enum symbolize_libraries *libraries, const char *value, struct diag *diag)
{
	static const char *const names[] = { "object", "hide", "show" };
	int i = value_find(names, sizeof(names) / sizeof(names[0]), value,
			   "choice of libraries:object, hide or show", diag);

	if (i < 0)
		return -1;
	*libraries = (enum symbolize_libraries)(SYMBOLIZE_OBJECT + i);
	return 0;
}

int value_names(bool *plain, const char *value, struct diag *diag)
{
	static const char *const names[] = { "object", "plain" };
	int i = value_find(names, sizeof(names) / sizeof(names[0]), value,
			   "choice of names:object or plain", diag);

	*plain = i == 1;
	return i < 0 ? -1 : 0;
}

int value_objects(string_array *patterns, const char *value, struct arena *mem)
{
	while (value && *value) {
		size_t n = strcspn(value, ",");

		if (n > 0 && strncmp(value, "show", n + (value[n] == ',' ? 0 : 1)) != 0)
			array_push(mem, patterns) = arena_strndup(mem, value, n);
		value += n + (value[n] == ',');
	}
	return 0;
}

int value_level(double *level, const char *value, struct diag *diag)
{
	static const struct keys_row row = { .kind = KEYS_SHARE, .low = 50.0, .high = 99.9 };
	struct keys_value number;

	if (!keys_read(&row, value ? value : default_level, &number)) {
		diag_error(diag,
			   "--confidence must be a level in percent from 50 to 99.9, not '%s'",
			   value);
		return -1;
	}
	*level = number.share;
	return 0;
}

int value_moment(struct range *range, bool to, const char *value, struct diag *diag)
{
	static const struct keys_row row = { .kind = KEYS_SHARE, .low = 0.0, .high = 1e9 };
	struct keys_value number;

	if (!keys_read(&row, value, &number)) {
		diag_error(diag, "--%s must be a number of seconds, not '%s'", to ? "to" : "from",
			   value);
		return -1;
	}
	*(to ? &range->to : &range->from) = number.share;
	*(to ? &range->has_to : &range->has_from) = true;
	return 0;
}

bool value_is_stdout(const char *file)
{
	return strcmp(file, "/dev/stdout") == 0 || strcmp(file, "/dev/fd/1") == 0 ||
	       strcmp(file, "/proc/self/fd/1") == 0;
}
