/* SPDX-License-Identifier: MIT */
/* Calls that wake other threads: wakes.c has them. */
#ifndef PRELOAD_WAKES_H
#define PRELOAD_WAKES_H

#include <stdint.h>

/* Returns the function behind one of ours, as the program would have it without us, or any other
 * address as it is. */
uintptr_t wakes_behind(uintptr_t function);

#endif
