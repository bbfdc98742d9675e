/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of --order. */
#ifndef RUN_LINE_ORDERKEYS_H
#define RUN_LINE_ORDERKEYS_H

#include "analysis/order/function_order.h"
#include "base/diag.h"
#include "report/linker.h"

struct order_request {
	enum linker_style style; /* LINKER_NONE: no order is wanted */
	struct function_order_options placement;
	const char *file; /* NULL or "-": standard output */
};

/* Parses STYLE[,KEY[=VALUE]...]. 0, or -1 with the reason said. */
int orderkeys_parse(struct order_request *request, const char *text, struct arena *mem,
		    struct diag *diag);

#endif
