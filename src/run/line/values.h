/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses arguments of options. */
#ifndef RUN_LINE_VALUES_H
#define RUN_LINE_VALUES_H

#include "analysis/stacks/symbolize.h"
#include "analysis/when/range.h"
#include "base/demangle.h"
#include "base/diag.h"
#include "io/profile/gmon_read.h"
#include "io/source.h"
#include "model/load_alias.h"
#include "run/launch/fetch.h"

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Each function stores what the user has written. Returns 0, or -1 after saying what is wrong. */
int value_format(enum gmon_format *format, const char *value, struct diag *diag);
int value_demangle(enum demangle_style *style, const char *value, struct diag *diag);
int value_image_base(uint64_t *base, const char *value, struct diag *diag);
/* Adds a range RUN:LOAD:BYTES. */
int value_load_alias(load_aliases *aliases, const char *value, struct arena *mem,
		     struct diag *diag);
int value_libraries(enum symbolize_libraries *libraries, const char *value, struct diag *diag);
/* Adds the patterns of a comma-separated list. The word "show" is no pattern and is skipped. */
int value_objects(string_array *patterns, const char *value, struct arena *mem);

/* Reads a number of seconds from the start of the run on: `to` says which end of the range. */
int value_moment(struct range *range, bool to, const char *value, struct diag *diag);

int value_level(double *level, const char *value,
		struct diag *diag); /* percent; a value of NULL means the default */
int value_names(bool *plain, const char *value, struct diag *diag);
int value_top(uint32_t *functions, const char *value,
	      struct diag *diag); /* a number of at least 1 */
int value_color(enum color_when *when, const char *value, struct diag *diag);

int value_seconds(unsigned *seconds, const char *value,
		  struct diag *diag); /* to FETCH_MOST_SECONDS; NULL means the default */

/* Whether the file is another name of standard output, such as /dev/stdout. */
bool value_is_stdout(const char *file);

#endif
