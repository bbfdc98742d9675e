/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mix() computes x anew n times. */
#ifndef WORK_H
#define WORK_H

/* A function that is called where the source calls it. */
#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif

double mix(double x, int n);

#endif
