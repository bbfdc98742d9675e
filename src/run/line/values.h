/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of options that have to be understood. */
#ifndef RUN_LINE_VALUES_H
#define RUN_LINE_VALUES_H

#include "analysis/stacks/symbolize.h"
#include "base/demangle.h"
#include "base/diag.h"
#include "io/profile/gmon_read.h"
#include "io/source.h"

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Each stores what the user has written. 0, or -1 with the reason said. */
int value_format(enum gmon_format *format, const char *value, struct diag *diag);
int value_demangle(enum demangle_style *style, const char *value, struct diag *diag);
int value_image_base(uint64_t *base, const char *value, struct diag *diag);
int value_libraries(enum symbolize_libraries *libraries, const char *value, struct diag *diag);
/* Adds the patterns of a list with commas between them, but for "show", which is none. */
int value_objects(string_array *patterns, const char *value, struct arena *mem);

int value_level(double *level, const char *value, struct diag *diag); /* NULL: the usual one */
int value_names(bool *plain, const char *value, struct diag *diag);
int value_top(uint32_t *functions, const char *value, struct diag *diag); /* at least 1 */
int value_color(enum color_when *when, const char *value, struct diag *diag);

/* Whether it is another name for standard output. */
bool value_is_stdout(const char *file);

#endif
