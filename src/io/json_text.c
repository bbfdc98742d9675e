/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/json_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_DEPTH = 8, MOST_PATH = 64, MOST_NUMBER = 40 };

struct json_walk {
	struct span rest;
	char path[MOST_PATH];
	size_t npath;
	bool unnamed; /* the path is too long, or leads into an array */
	unsigned depth;
	void (*found)(void *arg, const struct json_scalar *scalar);
	void *arg;
};

static bool json_text_take_value(struct json_walk *w);

static bool json_text_take_char(struct json_walk *w, char c)
{
	w->rest = lines_span_trim_left(w->rest);
	if (w->rest.n == 0 || w->rest.at[0] != c)
		return false;
	w->rest = lines_span_skip(w->rest, 1);
	return true;
}

/* Takes a string after its first quote. */
static bool json_text_take_string(struct json_walk *w, struct span *text)
{
	size_t n = 0;

	while (n < w->rest.n && w->rest.at[n] != '"')
		n += w->rest.at[n] == '\\' ? 2 : 1;
	if (n >= w->rest.n)
		return false;
	*text = (struct span){ w->rest.at, n };
	w->rest = lines_span_skip(w->rest, n + 1);
	return true;
}

static void json_text_tell(struct json_walk *w, struct span text, bool is_string)
{
	const struct json_scalar scalar = { w->unnamed ? "" : w->path, text, is_string };

	w->path[w->npath] = '\0';
	w->found(w->arg, &scalar);
}

/* Takes a key and its value. */
static bool json_text_take_member(struct json_walk *w)
{
	size_t before = w->npath, dot = before > 0;
	bool unnamed = w->unnamed, good;
	struct span key;

	if (!json_text_take_char(w, '"') || !json_text_take_string(w, &key) ||
	    memchr(key.at, '\\', key.n) || !json_text_take_char(w, ':'))
		return false;
	if (before + dot + key.n + 1 > sizeof(w->path)) {
		w->unnamed = true;
	} else {
		if (dot)
			w->path[before] = '.';
		memcpy(w->path + before + dot, key.at, key.n);
		w->npath = before + dot + key.n;
	}
	good = json_text_take_value(w);
	w->npath = before;
	w->unnamed = unnamed;
	return good;
}

/* Takes the members of an object, or the elements of an array, and the bracket that closes it. */
static bool json_text_take_members(struct json_walk *w, char close,
				   bool (*member)(struct json_walk *))
{
	bool good = ++w->depth <= MOST_DEPTH;

	if (good && !json_text_take_char(w, close)) {
		do
			good = member(w);
		while (good && json_text_take_char(w, ','));
		good = good && json_text_take_char(w, close);
	}
	w->depth--;
	return good;
}

static bool json_text_take_array(struct json_walk *w)
{
	bool unnamed = w->unnamed, good;

	w->unnamed = true;
	good = json_text_take_members(w, ']', json_text_take_value);
	w->unnamed = unnamed;
	return good;
}

static bool json_text_take_value(struct json_walk *w)
{
	struct span text;
	size_t n = 0;

	if (json_text_take_char(w, '{'))
		return json_text_take_members(w, '}', json_text_take_member);
	if (json_text_take_char(w, '['))
		return json_text_take_array(w);
	if (json_text_take_char(w, '"')) {
		if (!json_text_take_string(w, &text))
			return false;
		json_text_tell(w, text, true);
		return true;
	}
	while (n < w->rest.n && !lines_span_is_blank(w->rest.at[n]) &&
	       !strchr(",:]}[{\"", w->rest.at[n]))
		n++;
	text = (struct span){ w->rest.at, n };
	w->rest = lines_span_skip(w->rest, n);
	if (n > 0)
		json_text_tell(w, text, false);
	return n > 0;
}

bool json_text_walk(struct span text, void (*found)(void *arg, const struct json_scalar *scalar),
		    void *arg)
{
	struct json_walk w = { .rest = text, .found = found, .arg = arg };

	return json_text_take_char(&w, '{') &&
	       json_text_take_members(&w, '}', json_text_take_member) &&
	       lines_span_trim_left(w.rest).n == 0;
}

double json_text_number(const struct json_scalar *scalar)
{
	char digits[MOST_NUMBER];
	double x;
	char *end;

	if (scalar->is_string || scalar->text.n >= sizeof(digits))
		return 0.0;
	memcpy(digits, scalar->text.at, scalar->text.n);
	digits[scalar->text.n] = '\0';
	x = strtod(digits, &end);
	return *end || !isfinite(x) ? 0.0 : x;
}

static size_t json_text_encode(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	to[0] = (char)(0xe0 | c >> 12);
	to[1] = (char)(0x80 | (c >> 6 & 0x3f));
	to[2] = (char)(0x80 | (c & 0x3f));
	return 3;
}

/* The character of the four digits of \uXXXX. Halves of pairs, which labels hardly have, and NUL
 * are U+FFFD. */
static uint32_t json_text_unicode(struct span text)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	uint32_t c = 0;

	for (size_t i = 0; i < 4; i++) {
		const char *digit = i < text.n && text.at[i] ? strchr(digits, text.at[i]) : NULL;

		if (!digit)
			return 0xfffd;
		c = c << 4 | (uint32_t)((digit - digits) & 15);
	}
	return c == 0 || (c >= 0xd800 && c < 0xe000) ? 0xfffd : c;
}

const char *json_text_string(const struct json_scalar *scalar, struct arena *mem)
{
	static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	struct span text = scalar->text;
	/* A character has no more bytes than the shortest escape for it, but for the wrong ones. */
	char *copy = arena_alloc(mem, text.n + 1, 3);
	size_t n = 0;

	while (text.n > 0) {
		const char *escape;
		size_t used = 1;

		if (text.at[0] != '\\' || text.n < 2) {
			copy[n++] = text.at[0];
		} else if (text.at[1] == 'u') {
			n += json_text_encode(copy + n,
					      json_text_unicode(lines_span_skip(text, 2)));
			used = text.n < 6 ? text.n : 6;
		} else {
			escape = text.at[1] ? strchr(escapes, text.at[1]) : NULL;
			n += json_text_encode(copy + n,
					      escape ? (unsigned char)meanings[escape - escapes]
						     : 0xfffd);
			used = 2;
		}
		text = lines_span_skip(text, used);
	}
	return arena_strndup(mem, copy, n);
}
