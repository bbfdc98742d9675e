/* SPDX-License-Identifier: MIT */
/* Bytes of code that were not decoded. See suspects.h. */
#include "calls/suspects.h"

#include <gmon_ext.h>

/* Marks whatever bytes that were not decoded may lead to: any four may be a distance or an address.
 */
static void suspects_look(const struct code *code, uintptr_t low, uintptr_t high)
{
	const uintptr_t size = code->high - code->low;

	for (uintptr_t at = low + 2; at + sizeof(int32_t) <= high; at++) {
		int32_t bytes;

		__builtin_memcpy(&bytes, (const void *)at, sizeof(bytes));
		if (suspects_may_be_distance(at))
			code_mark(code, at + sizeof(bytes) + (uintptr_t)(intptr_t)bytes,
				  GMON_EXT_PARTIAL_UNCOUNTED);
		if ((uint32_t)bytes - code->low < size)
			code_mark(code, (uint32_t)bytes, GMON_EXT_PARTIAL_UNCOUNTED);
	}
}

void suspects_before(const struct code *code, size_t number)
{
	const struct code_function *function = &code->function[number];
	uintptr_t at = number ? function[-1].high : code->low;

	for (size_t i = 0; i < code->ntext; i++)
		if (at < code->text[i].low && code->text[i].low <= function->low)
			at = code->text[i].low;
	suspects_look(code, at, function->low);
}

uint32_t suspects_left(const struct code *code)
{
	uint32_t dropped = 0;

	for (size_t i = 0; i < code->ntext; i++) {
		uintptr_t at = code->text[i].low;

		for (size_t k = 0; k < code->nfunctions; k++) {
			const struct code_function *function = &code->function[k];

			if (function->low < at || function->high > code->text[i].high)
				continue;
			if (function->dropped)
				suspects_look(code, function->low, function->high);
			dropped += function->dropped;
			at = function->high;
		}
		suspects_look(code, at, code->text[i].high);
	}
	return dropped;
}
