/* SPDX-License-Identifier: MIT */
/* Kinds of ticks. See kinds.h. */
#include "record/kinds.h"

#include "base/text.h"
#include "record/strings.h"
#include "state.h"

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
	return number;
}

void kinds_start(void)
{
	kinds_add("cpu", gmon.settings.rate, "seconds", 's');
	if (gmon.offcpu.on)
		kinds_add("off-cpu", 1000000, "seconds", 's');
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
