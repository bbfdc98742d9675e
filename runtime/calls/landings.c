/* SPDX-License-Identifier: MIT */
/* Where code may be entered. See landings.h. */
#include "calls/landings.h"

#include "base/sys.h"
#include "calls/moves.h"
#include "calls/suspects.h"

/* What is added to. */
struct landings_adding {
	struct landings *landings;
	const struct code *code;
};

static void landings_set(uint64_t *bits, uintptr_t i)
{
	bits[i / LANDINGS_BITS] |= UINT64_C(1) << i % LANDINGS_BITS;
}

static bool landings_has(const uint64_t *bits, uintptr_t i)
{
	return bits[i / LANDINGS_BITS] >> i % LANDINGS_BITS & 1;
}

void landings_add(const struct landings *landings, const struct code *code, uintptr_t at)
{
	const struct code_function *function;

	if (at - code->low >= code->high - code->low)
		return;
	function = code_function_at(code, at);
	if (!function || function->low != at)
		landings_set(landings->at, at - landings->base);
}

static void landings_add_symbol(void *to, uintptr_t address)
{
	landings_add(((const struct landings_adding *)to)->landings,
		     ((const struct landings_adding *)to)->code, address);
}

static bool landings_in(const struct code_segment *segment, uintptr_t at)
{
	return at - segment->low < segment->high - segment->low;
}

/* Adds what words of data may be: addresses, or distances from themselves. The loader's tables and
 * call-frame information have distances of their own, that nobody takes. */
static void landings_add_words(const struct landings_adding *to, const struct code_segment *data)
{
	const struct landings *landings = to->landings;
	const struct code *code = to->code;
	const uintptr_t step = sizeof(int32_t);
	const struct code_segment tables = { data->low, code_end_of_tables(code, data) };

	for (uintptr_t at = (data->low + step - 1) / step * step; at + step <= data->high;
	     at += step) {
		uintptr_t word;

		if (!landings_in(&tables, at) && !landings_in(&code->by_address, at) &&
		    !landings_in(&code->frames, at))
			landings_add(landings, code,
				     at + (uintptr_t)(intptr_t) * (const volatile int32_t *)at);
		if (at % sizeof(word) || at + sizeof(word) > data->high)
			continue;
		word = *(const volatile uintptr_t *)at;
		landings_add(landings, code, word);
		if (word - code->low < code->high - code->low)
			landings_set(landings->word, word - landings->base);
	}
}

static bool landings_may_be_short(uint8_t opcode)
{
	return (opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0 || opcode == 0xeb;
}

/* Adds what bytes that were not decoded may lead to. Padding leads nowhere. */
static void landings_add_bytes(const struct landings_adding *to, uintptr_t low, uintptr_t high)
{
	unsigned n = 1;

	while (low < high && n) {
		n = moves_padding((const uint8_t *)low, (unsigned)(high - low));
		low += n;
	}
	for (uintptr_t at = low; at < high; at++) {
		const uint8_t *bytes = (const uint8_t *)at;
		int32_t value;

		if (at > low && landings_may_be_short(bytes[-1]))
			landings_add(to->landings, to->code,
				     at + 1 + (uintptr_t)(intptr_t)(int8_t)bytes[0]);
		if (at + sizeof(value) > high)
			continue;
		__builtin_memcpy(&value, bytes, sizeof(value));
		if (at > low + 1 && suspects_may_be_distance(at))
			landings_add(to->landings, to->code,
				     at + sizeof(value) + (uintptr_t)(intptr_t)value);
		landings_add(to->landings, to->code, (uint32_t)value);
	}
}

/* The same for functions that were dropped, and for code that no FDE describes. */
static void landings_add_undecoded(const struct landings_adding *to)
{
	const struct code *code = to->code;
	size_t k = 0;

	for (size_t i = 0; i < code->ntext; i++) {
		uintptr_t at = code->text[i].low;

		for (; k < code->nfunctions && code->function[k].high <= code->text[i].high; k++) {
			const struct code_function *function = &code->function[k];

			landings_add_bytes(to, at, function->low);
			if (function->dropped)
				landings_add_bytes(to, function->low, function->high);
			at = function->high;
		}
		landings_add_bytes(to, at, code->text[i].high);
	}
}

bool landings_find(struct landings *landings, const struct code *code)
{
	struct landings_adding to = { landings, code };

	landings->word = sys_memory(landings->words * sizeof(*landings->word));
	if (!landings->word)
		return false;
	for (size_t i = 0; i < code->ndata; i++)
		landings_add_words(&to, &code->data[i]);
	code_each_exported(code, landings_add_symbol, &to);
	landings_add_undecoded(&to);
	return true;
}

void landings_free(struct landings *landings)
{
	if (landings->at)
		sys_munmap(landings->at, landings->words * sizeof(*landings->at));
	if (landings->word)
		sys_munmap(landings->word, landings->words * sizeof(*landings->word));
	*landings = (struct landings){ 0 };
}

static bool landings_any(const struct landings *landings, const uint64_t *bits, uintptr_t low,
			 uintptr_t high)
{
	for (uintptr_t at = low; at < high; at++)
		if (landings_has(bits, at - landings->base))
			return true;
	return false;
}

bool landings_between(const struct landings *landings, uintptr_t low, uintptr_t high)
{
	return landings_any(landings, landings->at, low, high);
}

bool landings_by_words(const struct landings *landings, uintptr_t low, uintptr_t high)
{
	return landings_any(landings, landings->word, low, high);
}
