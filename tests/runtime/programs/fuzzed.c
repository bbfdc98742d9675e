/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For clang -fsanitize=fuzzer -pg: counts how often it is called.
 */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

__attribute__((noinline)) int leaf(int c)
{
	return c == 'a';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int n = 0;

	for (size_t i = 0; i < size; i++)
		n += leaf(data[i]);
	return n < 0;
}
