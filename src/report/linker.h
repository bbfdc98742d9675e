/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Function orders in the formats of linkers. */
#ifndef REPORT_LINKER_H
#define REPORT_LINKER_H

#include "base/output.h"
#include "model/function_order.h"
#include "model/program.h"

enum linker_style {
	LINKER_NONE,
	LINKER_LLD_CALLGRAPH, /* lld --call-graph-ordering-file */
	LINKER_SYMBOLS,       /* lld --symbol-ordering-file */
	LINKER_APPLE,         /* Apple's ld -order_file */
	LINKER_GOLD,          /* gold --section-ordering-file */
	LINKER_LD,            /* GNU ld --section-ordering-file, from 2.43 on */
	LINKER_LD_SCRIPT,     /* part of a GNU ld linker script */
	LINKER_STYLES
};

/* Returns the name of a style in options. */
const char *linker_style_name(enum linker_style style);

/* The values in the comments at the beginning. */
struct linker_head {
	const char *program;
	const char *build_id; /* or NULL */
};

/*
 * Writes a function order; its arcs are written for LINKER_LLD_CALLGRAPH only. Allocates nothing.
 * Linear.
 */
void linker_write(const struct function_order *placement, enum linker_style style,
		  const struct linker_head *head, struct output *out);

#endif
