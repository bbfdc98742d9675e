/* SPDX-License-Identifier: MIT */
/* Stores strings, one after the other. See strings.h. */
#include "record/strings.h"

#include "base/text.h"
#include "count/count_block.h"
#include "state.h"

enum { STRINGS_BYTES = 512 * 1024 };

struct strings_block {
	struct count_block head; /* word: how many bytes there is room for */
	_Alignas(64) char byte[STRINGS_BYTES];
};

bool strings_start(void)
{
	gmon.strings.used = 1;
	gmon.strings.block =
		count_block_new(GMON_LIVE_STRINGS, sizeof(struct strings_block), STRINGS_BYTES, 0);
	return gmon.strings.block;
}

/* Reserves n bytes and returns their offset; 0: no room. */
static uint32_t strings_take(size_t n)
{
	uint32_t used = __atomic_load_n(&gmon.strings.used, __ATOMIC_RELAXED);

	do
		if (n > STRINGS_BYTES - used)
			return 0;
	while (!__atomic_compare_exchange_n(&gmon.strings.used, &used, used + (uint32_t)n, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return used;
}

uint32_t strings_add(const char *string)
{
	size_t n = text_length(string) + 1;
	uint32_t at = n > 1 ? strings_take(n) : 0;

	for (size_t i = 0; at && i < n; i++)
		gmon.strings.block->byte[at + i] = string[i];
	return at;
}

const char *strings_all(uint32_t *nbytes)
{
	*nbytes = __atomic_load_n(&gmon.strings.used, __ATOMIC_RELAXED);
	return gmon.strings.block->byte;
}
