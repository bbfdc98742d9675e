/* SPDX-License-Identifier: MIT */
/* The last words of a recording. See summary.h. */
#include "summary.h"

#include <time.h>

#include "internal.h"
#include "sample.h"
#include "settings.h"
#include "sys.h"
#include "text.h"

struct totals {
	uint64_t calls, inside, outside;
};

static void add_cells(const struct table *table, struct totals *totals)
{
	for (size_t i = 0; i < table_ncells(table); i++) {
		uintptr_t self = table->cell[i].self;

		if (self == CELL_OUTSIDE_TICKS)
			totals->outside += cell_count(&table->cell[i]);
		else if (self > CELL_MARKS)
			totals->calls += cell_count(&table->cell[i]);
	}
}

static struct totals add_up(void)
{
	struct totals totals = { .outside = gmon.elsewhere };

	for (struct region *region = region_first(); region; region = region_next(region)) {
		if (region->kind == REGION_COUNTS)
			add_cells((struct table *)region, &totals);
		else
			for (size_t i = 0; i < region->word; i++)
				totals.inside += ((struct bins *)region)->tick[i];
	}
	return totals;
}

static uint64_t cpu_milliseconds(void)
{
	long now[2] = { 0, 0 };

	SYS2(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, now);
	return (uint64_t)now[0] * 1000 + (uint64_t)now[1] / 1000000;
}

static void say_totals(void)
{
	struct totals totals = add_up();
	char line[256];
	struct text text = text_in(line, sizeof(line));

	text_add_number(&text, totals.calls);
	text_add(&text, " calls, ");
	text_add_number(&text, totals.inside);
	text_add(&text, " ticks in the program and ");
	text_add_number(&text, totals.outside);
	text_add(&text, " outside at ");
	text_add_number(&text, settings.rate);
	text_add(&text, " a second, ");
	text_add_number(&text, cpu_milliseconds());
	text_add(&text, " ms of CPU time");
	text_complain(line, NULL, 0);
	if (!sample_arrives())
		text_complain(
			"samples are missing: the program blocks or handles the signal of the clock",
			NULL, 0);
}

void summary_say(void)
{
	char line[64];
	struct text text = text_in(line, sizeof(line));

	if (settings.verbose)
		say_totals();
	if (!gmon.declined)
		return;
	text_add_number(&text, gmon.declined);
	text_add(&text, " calls not counted: no memory");
	text_complain(line, NULL, 0);
}
