/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes names from files in other notations: JSON, XML, CSV, graphviz and formats of plain lines.
 */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include "base/arena.h"
#include "base/output.h"

/*
 * All take any bytes. Bytes that are not UTF-8, and characters that the notation cannot hold,
 * become U+FFFD each. Linear.
 */

/*
 * A JSON string, with its quotes. Control characters are \u00XX; so are '<', '>' and '&', so that
 * the JSON may be part of a <script> of HTML.
 */
void quote_json(struct output *out, const char *text);

/* For XML and HTML: text or, between quotes of either kind, an attribute's value. */
void quote_xml(struct output *out, const char *text);

/*
 * Writes the text with `other` in place of each control character and of the ASCII characters in
 * `special`.
 */
void quote_plain(struct output *out, const char *text, const char *special, char other);

/*
 * Writes a field of CSV in quotes; quotes within it are doubled. Newlines and tabs stay, other
 * control characters become '?'. A field that a spreadsheet would take for a formula, as it begins
 * with '=', '+', '-', '@' or white space, gets an apostrophe in front, which marks it as text.
 */
void quote_csv(struct output *out, const char *text);

/*
 * Writes the inside of a quoted string for graphviz. Control characters become '?'; backslashes and
 * ampersands are escaped, so that they mean themselves.
 */
void quote_dot(struct output *out, const char *text);

/*
 * Returns the text as quote_plain() writes it without special characters: `text` itself if nothing
 * changes, else a copy in mem.
 */
const char *quote_copy(const char *text, char other, struct arena *mem);

#endif
