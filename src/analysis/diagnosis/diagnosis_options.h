/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line's options that the diagnosis needs. */
#ifndef ANALYSIS_DIAGNOSIS_DIAGNOSIS_OPTIONS_H
#define ANALYSIS_DIAGNOSIS_DIAGNOSIS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct diagnosis_options {
	bool selected;    /* the analysis shows only what the user selected */
	bool all_symbols; /* the analysis has symbols that GNU gprof leaves out */
	bool estimated;   /* the user wants no times from call stacks */
	uint64_t base;    /* where the program was assumed to be loaded */
};

#endif
