/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do about functions that have no names. */
#ifndef RUN_COMMAND_REMEDY_H
#define RUN_COMMAND_REMEDY_H

#include "run/session/session.h"

/*
 * Each returns a sentence, in s->mem, or NULL: that 5 % of the time or more is in functions of
 * stripped files, with the package that has their names; and that 10 % or more is in code without
 * names that the program made, or half of it in functions of Python, with the words to type. Times
 * must be from call stacks.
 */
const char *remedy_stripped(const struct session *s);
const char *remedy_nameless(const struct session *s);

#endif
