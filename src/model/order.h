/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An order in which a linker may place functions or object files. */
#ifndef MODEL_ORDER_H
#define MODEL_ORDER_H

#include <stddef.h>

/* Names as the linker knows them. */
struct order {
	const char *const *name;
	size_t n;
};

#endif
