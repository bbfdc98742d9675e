/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Four ways to sort the same numbers, the last by qsort with callbacks.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 20000 };

static uint32_t seed = 12345;

static uint32_t next_random(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

static int less(uint32_t a, uint32_t b)
{
	return a < b;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t t = *a;

	*a = *b;
	*b = t;
}

static void sift_down(uint32_t *v, size_t root, size_t n)
{
	for (size_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
		if (child + 1 < n && less(v[child], v[child + 1]))
			child++;
		if (!less(v[root], v[child]))
			return;
		swap(&v[root], &v[child]);
		root = child;
	}
}

void heap_sort(uint32_t *v, size_t n)
{
	for (size_t i = n / 2; i > 0; i--)
		sift_down(v, i - 1, n);
	for (size_t end = n; end > 1; end--) {
		swap(&v[0], &v[end - 1]);
		sift_down(v, 0, end - 1);
	}
}

static void merge(uint32_t *v, size_t half, size_t n, uint32_t *spare)
{
	size_t left = 0, right = half, out = 0;

	memcpy(spare, v, half * sizeof(*v));
	while (left < half && right < n)
		v[out++] = less(v[right], spare[left]) ? v[right++] : spare[left++];
	while (left < half)
		v[out++] = spare[left++];
}

void merge_sort(uint32_t *v, size_t n, uint32_t *spare)
{
	if (n < 2)
		return;
	merge_sort(v, n / 2, spare);
	merge_sort(v + n / 2, n - n / 2, spare);
	merge(v, n / 2, n, spare);
}

void quick_sort(uint32_t *v, size_t n)
{
	size_t low = 0;

	if (n < 2)
		return;
	swap(&v[n / 2], &v[n - 1]);
	for (size_t i = 0; i + 1 < n; i++)
		if (less(v[i], v[n - 1]))
			swap(&v[i], &v[low++]);
	swap(&v[low], &v[n - 1]);
	quick_sort(v, low);
	quick_sort(v + low + 1, n - low - 1);
}

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int descending(const void *a, const void *b)
{
	return ascending(b, a);
}

static void fill(uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = next_random();
}

static void check(const uint32_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (less(v[i], v[i - 1]))
			abort();
}

int main(int argc, char **argv)
{
	static uint32_t v[COUNT], spare[COUNT];
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < 6 * rounds; i++) {
		fill(v, COUNT);
		heap_sort(v, COUNT);
		check(v, COUNT);
		fill(v, COUNT);
		merge_sort(v, COUNT, spare);
		check(v, COUNT);
		fill(v, COUNT);
		quick_sort(v, COUNT);
		check(v, COUNT);
		qsort(v, COUNT, sizeof(*v), descending);
		qsort(v, COUNT, sizeof(*v), ascending);
		check(v, COUNT);
	}
	printf("%u\n", v[COUNT / 2]);
	return 0;
}
