/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names from files in other notations: JSON, XML, CSV, graphviz and formats of plain lines. */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include "base/arena.h"
#include "base/output.h"

/*
 * All take any bytes: what is no UTF-8, and characters that the notation cannot hold, come out as
 * U+FFFD, a byte at a time. Linear.
 */

/*
 * A JSON string, with its quotes. Control characters are \u00XX; so are '<', '>' and '&', so that
 * the JSON may stand in a <script> of HTML.
 */
void quote_json(struct output *out, const char *text);

/* Text or, between quotes of either kind, the value of an attribute, for XML and HTML. */
void quote_xml(struct output *out, const char *text);

/*
 * The text with the character `other` in place of each control character and of those in
 * `special`, which are ASCII.
 */
void quote_plain(struct output *out, const char *text, const char *special, char other);

/*
 * A field of CSV with its quotes, which are doubled within. Lines and tabs stay, other control
 * characters become '?'. What a spreadsheet would take for a formula, as it begins with '=', '+',
 * '-', '@' or white space, gets an apostrophe in front, which says that it is text.
 */
void quote_csv(struct output *out, const char *text);

/*
 * For a quoted string of graphviz, where control characters become '?' and nothing is an escape or
 * an entity.
 */
void quote_dot(struct output *out, const char *text);

/* As quote_plain() has it without special characters: text itself if all may stay, else in mem. */
const char *quote_copy(const char *text, char other, struct arena *mem);

#endif
