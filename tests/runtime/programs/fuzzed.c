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
	static volatile int found; /* else a compiler may see that no call is needed */

	for (size_t i = 0; i < size; i++)
		found += leaf(data[i]);
	return 0;
}
