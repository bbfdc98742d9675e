/* SPDX-License-Identifier: MIT */
/* Kinds of ticks. See kinds.h. */
#include "record/kinds.h"

#include "base/text.h"
#include "base/wide.h"
#include "count/count_block.h"
#include "record/strings.h"
#include "state.h"

/* What the live file has of them, for readers of it. */
struct kinds_block {
	struct count_block head; /* word: KINDS_ROOM */
	_Alignas(64) struct gmon_ext_kind kind[KINDS_ROOM];
	_Alignas(8) uint64_t lost[KINDS_ROOM];
};

/* Puts a kind into the block. Field by field: an assignment may call memcpy(). */
static void kinds_put(uint32_t number)
{
	struct kinds_block *block = gmon.kinds.block;

	if (block)
		*(volatile struct gmon_ext_kind *)&block->kind[number] = kinds_copy(number);
}

uint32_t kinds_add(const char *name, uint32_t rate, const char *dimension, char abbreviation)
{
	uint32_t number = 0;

	/* Names are compared, not offsets: strings in the shared file may be damaged. */
	while (number < gmon.kinds.n && !text_equal(gmon.kinds.at[number].name, name))
		number++;
	if (number < gmon.kinds.n || number == KINDS_ROOM)
		return number;
	gmon.kinds.at[number] = (struct kind){ .name = name,
					       .string = strings_add(name),
					       .rate = rate,
					       .dimension = dimension,
					       .abbreviation = abbreviation };
	__atomic_store_n(&gmon.kinds.n, number + 1, __ATOMIC_RELEASE);
	kinds_put(number);
	return number;
}

void kinds_start(void)
{
	if (gmon.blocks.apart)
		gmon.kinds.block =
			count_block_new(GMON_LIVE_KINDS, sizeof(struct kinds_block), KINDS_ROOM, 0);
	kinds_add("cpu", gmon.settings.rate, "seconds", 's');
	if (!gmon.offcpu.on)
		return;
	kinds_add("off-cpu", 1000000, "seconds", 's');
	kinds_add("elapsed", 1000000, "seconds", 's');
	kinds_add("critical", 1000000, "seconds", 's');
	kinds_add("blame", 1000000, "seconds", 's');
}

void kinds_share(void)
{
	for (uint32_t i = 0; gmon.kinds.block && i < KINDS_ROOM; i++)
		wide_store(&gmon.kinds.block->lost[i], wide_load(&gmon.stacks.lost[i]));
}

uint32_t kinds_number(void)
{
	return __atomic_load_n(&gmon.kinds.n, __ATOMIC_ACQUIRE);
}

struct gmon_ext_kind kinds_copy(uint32_t number)
{
	const struct kind *kind = &gmon.kinds.at[number];
	struct gmon_ext_kind copy = { .name = kind->string,
				      .rate = kind->rate,
				      .abbreviation = kind->abbreviation };

	for (size_t i = 0; i < sizeof(copy.dimension) - 1 && kind->dimension[i]; i++)
		copy.dimension[i] = kind->dimension[i];
	return copy;
}
