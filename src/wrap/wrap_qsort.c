/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libdw sorts the rows of a line program by address. Mostly they are in order already, and checking
 * that takes a tenth of the time of sorting. The linker redirects its calls, and gprof's own, to
 * this function (--wrap, where it has that option and libdw is static).
 */
#include "config.h"

#include <stdlib.h>

void __real_qsort(void *at, size_t n, size_t size, int (*compare)(const void *, const void *));
void __wrap_qsort(void *at, size_t n, size_t size, int (*compare)(const void *, const void *));

void __wrap_qsort(void *at, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	const char *item = at;
	size_t i = 1;

	while (i < n && compare(item + (i - 1) * size, item + i * size) <= 0)
		i++;
	if (i < n)
		__real_qsort(at, n, size, compare);
}
