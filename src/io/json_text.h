/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads JSON (RFC 8259): a single pass that names each number, word and string by where it is. */
#ifndef IO_JSON_TEXT_H
#define IO_JSON_TEXT_H

#include "io/lines.h"

/* A number, string, true, false or null. */
struct json_scalar {
	const char *path; /* the keys around it and its own, as in "pairs.cpu.ratio"; within arrays,
			     and if it is too long to be any that a reader knows, "" */
	struct span text; /* of a string, what is between the quotes */
	bool is_string;
};

/*
 * Calls found(arg) with each scalar of an object, in order; the path is valid during the call.
 * Returns false if the text is not one object, is nested more than 8 deep, or has a key with an
 * escape. Numbers and escapes are not checked. Linear.
 */
bool json_text_walk(struct span text, void (*found)(void *arg, const struct json_scalar *scalar),
		    void *arg);

/* The scalar as a number; 0 if it is none, or not finite. */
double json_text_number(const struct json_scalar *scalar);

/* A string's text with its escapes resolved, in mem; those that are wrong become U+FFFD. */
const char *json_text_string(const struct json_scalar *scalar, struct arena *mem);

#endif
