/* SPDX-License-Identifier: MIT */
/* Messages at the end of a recording. See summary.h. */
#include "write/summary.h"

#include "base/sandbox.h"
#include "base/text.h"
#include "count/table.h"
#include "record/stacks.h"
#include "record/tree.h"
#include "sample/bins.h"
#include "sample/clock.h"
#include "sample/event.h"
#include "sample/sample.h"
#include "state.h"
#include "write/arcs.h"
#include "write/merge.h"

/* Writes the line "libgmon: N TEXT" to stderr. */
static void summary_say_number(uint64_t number, const char *what)
{
	char line[256];
	struct text text = text_in(line, sizeof(line));

	text_add_number(&text, number);
	text_add(&text, what);
	text_complain(line, NULL, 0);
}

struct summary_totals {
	uint64_t calls, inside, outside;
};
static void summary_add_table(const struct table *table, struct summary_totals *totals)
{
	for (size_t i = 0; i < table_ncells(table); i++) {
		uintptr_t self = table->cell[i].self;

		if (table_is_outside(self))
			totals->outside += table_count(&table->cell[i]);
		else if (self > CELL_LAST_MARK)
			totals->calls += table_count(&table->cell[i]);
	}
}

static struct summary_totals summary_add_up(void)
{
	struct summary_totals totals = { .outside = gmon.elsewhere };

	for (const struct table *table = table_first(GMON_LIVE_COUNTS); table;
	     table = table_next(table))
		summary_add_table(table, &totals);
	for (struct count_block *block = count_block_first(); block;
	     block = count_block_next(block)) {
		const struct bins *bins = bins_of(block);

		if (bins)
			totals.inside += bins_sum(bins);
	}
	return totals;
}

/* Reports the time that all threads together have waited. */
static void summary_say_waiting(void)
{
	const uint64_t us = 1000000;
	uint64_t waited = stacks_add_up().waited_us;
	char line[64];
	struct text text = text_in(line, sizeof(line));

	if (!gmon.offcpu.on)
		return;
	text_add_number(&text, waited / us);
	text_add(&text, ".");
	for (uint64_t place = us / 10; place >= us / 100; place /= 10)
		text_add_number(&text, waited / place % 10);
	text_add(&text, " s of waiting");
	text_complain(line, NULL, 0);
}

static void summary_say_stacks(void)
{
	static const char *const qualities[] = { " complete, ", " guessed, ", " broken, ", " cut" };
	struct stacks_totals totals = stacks_add_up();
	char line[256];
	struct text text = text_in(line, sizeof(line));

	text_add(&text, "call stacks: ticks of ");
	for (int i = 0; i <= GMON_EXT_CUT; i++) {
		text_add_number(&text, totals.ticks[i]);
		text_add(&text, qualities[i]);
	}
	text_add(&text, " ones; ");
	text_add_number(&text, totals.nstacks);
	text_add(&text, " different, of ");
	text_add_number(&text, tree_end() - 1);
	text_add(&text, " nodes");
	text_complain(line, NULL, 0);
	summary_say_waiting();
	if (tree_end() > gmon.settings.stacks)
		text_complain("call stacks are cut: GMON=stacks=NODES allows for more", NULL, 0);
}

/*
 * Reports CPU time from before the recording. A few milliseconds are normal: those of the loader,
 * or of a shell that forked.
 */
static void summary_say_before(void)
{
	enum { WORTH_A_WORD_MS = 10 };

	if (gmon.before_ms >= WORTH_A_WORD_MS)
		summary_say_number(
			gmon.before_ms,
			" ms of that were before the recording: in the loader, or in a program "
			"that called exec(), whose profile is lost unless it called gmon_dump()");
}

static void summary_say_unknown(void)
{
	uint64_t ticks = merge_unknown_ticks();

	if (ticks)
		summary_say_number(
			ticks, " ticks more belong to no function: for their time no sample was "
			       "taken, because threads block or handle the signal of the clock, or "
			       "end before the kernel looks");
}
/* Reports calls and ticks that may belong to any of several libraries. */
static void summary_say_modules(void)
{
	struct arcs_lost lost = arcs_count_lost();
	char line[256];
	struct text text = text_in(line, sizeof(line));

	if (lost.calls || lost.ticks) {
		text_add_number(&text, lost.calls);
		text_add(&text, " calls and ");
		text_add_number(&text, lost.ticks);
		text_add(&text, " ticks belong to [unloaded]: several libraries were at their "
				"addresses, one after the other");
		text_complain(line, NULL, 0);
	}
	if (gmon.modules.unseen)
		summary_say_number(
			gmon.modules.unseen,
			" times a library without a record was closed: its calls may be shown "
			"as those of another library at the same addresses");
}
static void summary_say_event(void)
{
	char line[160];
	struct text text = text_in(line, sizeof(line));

	text_add_number(&text, wide_load(&gmon.event.inside));
	text_add(&text, " ");
	text_add(&text, gmon.event.dimension);
	text_add(&text, " in the program and ");
	text_add_number(&text, wide_load(&gmon.event.outside));
	text_add(&text, " outside, ");
	text_add(&text, gmon.settings.event->name);
	text_add(&text, " per signal: ");
	text_add_number(&text, gmon.event.period);
	text_complain(line, NULL, 0);
}

static void summary_say_totals(void)
{
	struct summary_totals totals = summary_add_up();
	char line[256];
	struct text text = text_in(line, sizeof(line));

	text_add_number(&text, totals.calls);
	text_add(&text, " calls, ");
	text_add_number(&text, totals.inside);
	text_add(&text, " ticks in the program and ");
	text_add_number(&text, totals.outside);
	text_add(&text, " outside at ");
	text_add_number(&text, gmon.settings.rate);
	text_add(&text, " a second, ");
	text_add_number(&text, clock_used_ms());
	text_add(&text, " ms of CPU time");
	text_complain(line, NULL, 0);
	summary_say_unknown();
	summary_say_before();
	if (gmon.settings.event)
		summary_say_event();
	if (gmon.stacks.on)
		summary_say_stacks();
	if (gmon.modules.of_calls)
		summary_say_modules();
	if (!sample_arrives())
		text_complain(
			"samples are missing: the program blocks or handles the signal of the clock",
			NULL, 0);
}

/* Reports what was left out because of a filter of system calls. */
static void summary_say_sandbox(void)
{
	uint64_t threads = wide_load(&gmon.unsampled);

	if (threads)
		summary_say_number(
			threads,
			" threads are not sampled: they began under a filter of system "
			"calls, which may kill a program that makes timers (GMON=clock=thread risks that)");
}
/* With GMON=mpi=sum, reports that libgmon_mpi has not taken the profile. Only rank 0 reports it. */
static void summary_say_alone(void)
{
	if (gmon.settings.mpi && !gmon.settings.mpi_apart && !gmon.sum_begun &&
	    text_equal(gmon.settings.rank, "0"))
		text_complain(
			"GMON=mpi=sum: libgmon_mpi saw no call of MPI_Finalize, or is not linked "
			"after the program's objects: each rank writes its own file",
			NULL, 0);
}

void summary_say(void)
{
	summary_say_alone();
	if (sandbox_was_closed())
		summary_say_sandbox();
	else if (gmon.settings.verbose)
		summary_say_totals();
	event_complain_at_end();
	if (gmon.declined)
		summary_say_number(gmon.declined, " calls not counted: no memory");
}
