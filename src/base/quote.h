/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign names in the notations of others: JSON, XML and formats of plain lines. */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

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

#endif
