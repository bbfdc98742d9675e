/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What descriptors were when threads waited for them, in words. */
#ifndef MODEL_AWAITED_H
#define MODEL_AWAITED_H

#include "model/recorded.h"

enum { AWAITED_SORTS = RECORDED_WAITS / RECORDED_CALLS };

/* What a wait for such a descriptor is called. */
struct awaited {
	const char *word;  /* before the name of the system call; "": it is not known what it was */
	const char *input; /* the kind of the wait; NULL: the system call tells */
	const char *output; /* the kind, if the call writes */
};

/* By the numbers of enum gmon_ext_awaited. */
extern const struct awaited awaited_sorts[AWAITED_SORTS];

/*
 * Returns the kind of the wait for a descriptor in a call such as "pipe read", a word of the table
 * and the name of the system call; NULL: it begins with no word of the table.
 */
const char *awaited_kind(const char *call);

#endif
