/* SPDX-License-Identifier: MIT */
/*
 * Functions that may have run before counting began: those that code_each_before() finds, as
 * resolvers of indirect functions, those that a library has been told of which does not begin the
 * counting and is not counted itself, and whatever these lead to, in all objects. They are marked
 * (GMON_EXT_PARTIAL_EARLY), since their counts lack these calls.
 *
 * A function leads to where its calls and jumps do, and to what the slots hold now by which they
 * go. If it calls through a pointer, it may lead to all functions of its object whose address is
 * in data, and to those of other objects to which relocations of its object's data refer. Then, and
 * if one of these functions calls an object that is not counted, other than the loader, they may
 * all lead to functions whose address they take themselves; else resolvers only return these. A
 * jump by a table of distances stays in the function: it comes right behind the addition that makes
 * its address, as compilers have it. Of a function whose instructions are not known, any four bytes
 * may be a distance.
 *
 * For the start of a program, while it has one thread. Linear in the bytes of functions that are
 * marked; relocations and symbols are looked through once.
 */
#ifndef CALLS_EARLY_H
#define CALLS_EARLY_H

#include <stdbool.h>
#include <stddef.h>

#include "calls/code.h"

struct early_object {
	struct code *code;
	bool any; /* it was found to call through pointers; false at first */
};

/* Marks such functions of n objects. False: no memory; then not all are marked. */
bool early_mark(struct early_object *object, size_t n);

#endif
