/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the diagnosis has to know of the command line. */
#ifndef ANALYSIS_DIAGNOSIS_DIAGNOSIS_OPTIONS_H
#define ANALYSIS_DIAGNOSIS_DIAGNOSIS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct diagnosis_options {
	bool selected;    /* the user's specifications are in the analysis */
	bool all_symbols; /* and also what GNU gprof leaves out */
	bool estimated;   /* call stacks, if there are any, are not used */
	uint64_t base;    /* where the program was taken to be loaded; the data are moved by it */
};

#endif
