/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bounds checks of all binary input. */
#include "config.h"

#include "base/cursor.h"

#include <inttypes.h>

bool cursor_need(struct cursor *c, uint64_t n, const char *what)
{
	if (c->failed)
		return false;
	if (c->size - c->at >= n)
		return true;
	diag_error(c->diag, "%s: %s cut short at byte %zu: %" PRIu64 " bytes needed, %zu left",
		   c->name, what, c->at, n, c->size - c->at);
	c->failed = true;
	return false;
}

const unsigned char *cursor_take(struct cursor *c, uint64_t n, const char *what)
{
	const unsigned char *p;

	if (!cursor_need(c, n, what))
		return NULL;
	p = c->start + c->at;
	c->at += (size_t)n;
	return p;
}
