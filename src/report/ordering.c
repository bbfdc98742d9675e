/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the order of functions or object files: only names. */
#include "config.h"

#include "report/views.h"

#include <string.h>

void ordering_write(const struct text *t, struct output *out)
{
	const struct order *order = &t->a->order;

	for (size_t i = 0; i < order->n; i++) {
		output_name(out, order->name[i], strlen(order->name[i]));
		output_text(out, "\n");
	}
}
