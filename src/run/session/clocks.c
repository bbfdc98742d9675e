/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/clocks.h"

#include "analysis/stacks/idle.h"
#include "base/join.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TOLD = 4, TOLD_BYTES = 64 };

/* Returns the words that --clock accepts: "cpu, wall, off, page-faults". */
static const char *clocks_list(const struct recorded *recorded, struct arena *mem)
{
	const char *list = "cpu";

	for (size_t i = 1; i < recorded->kinds.n; i++) {
		const char *name = recorded->kinds.at[i].name;

		list = JOIN(mem, list, ", ",
			    strcmp(name, RECORDED_WAITING_KIND) == 0 ? "wall, off" : name);
	}
	return list;
}

/* Finds the clock for a word. Returns 0, or -1 after saying which there are. */
static int clocks_find(struct clock *clock, const struct profile *prof, const char *word,
		       struct arena *mem, struct diag *diag)
{
	const struct recorded *recorded = &prof->recorded;
	const char *name = prof->files.n > 0 ? prof->files.at[prof->files.n - 1].name : "";
	bool off, wall;

	*clock = (struct clock){ .off = clock_find(recorded, RECORDED_WAITING_KIND),
				 .elapsed = clock_find(recorded, RECORDED_ELAPSED_KIND),
				 .critical = clock_find(recorded, RECORDED_CRITICAL_KIND),
				 .blame = clock_find(recorded, RECORDED_BLAME_KIND) };
	if (!word || strcmp(word, "cpu") == 0) {
		clock->waiting = word ? 0 : clock->off;
		return 0;
	}
	off = strcmp(word, "off") == 0;
	wall = strcmp(word, "wall") == 0;
	if ((off || wall) && !clock->off) {
		diag_error(diag, "no waiting in %s: GMON=clock=wall records it", name);
		return -1;
	}
	if (wall)
		clock->waiting = clock->off;
	else
		clock->kind = off ? clock->off : clock_find(recorded, word);
	if (wall || clock->kind)
		return 0;
	diag_error(diag, "%s: no clock '%s': there is %s", name, word, clocks_list(recorded, mem));
	return -1;
}

/* Names the threads whose waiting is left out, if there are any. */
static void clocks_note_idle(const struct clock *clock, const struct recorded *recorded,
			     struct arena *mem, struct diag *diag)
{
	const char *list = "";
	uint32_t n = 0;
	char text[TOLD_BYTES];

	for (uint32_t i = 0; clock->nidle > 0 && i < recorded->threads.n; i++) {
		const struct recorded_thread *thread = &recorded->threads.at[i];

		if (!bitset_has(clock->idle, i) || n++ >= TOLD)
			continue;
		snprintf(text, sizeof(text), "%s%.32s (%" PRIu32 ")", n > 1 ? ", " : "",
			 thread->name, thread->tid);
		list = JOIN(mem, list, text);
	}
	if (n > TOLD) {
		snprintf(text, sizeof(text), " and %" PRIu32 " more", n - TOLD);
		list = JOIN(mem, list, text);
	}
	if (n > 0)
		diag_note(diag,
			  "left out: the waiting of %" PRIu32 " idle thread%s, blocked in one "
			  "place for over 95 %% of %s time: %s; --thread-view=all shows it",
			  n, n == 1 ? "" : "s", n == 1 ? "its" : "their", list);
}

/* If the user chose no clock, notes what was recorded besides time. */
static void clocks_note_others(const struct clock *clock, const struct recorded *recorded,
			       struct diag *diag)
{
	for (uint32_t i = 1; i < recorded->kinds.n; i++) {
		const char *name = recorded->kinds.at[i].name;

		if (i != clock->off && i != clock->elapsed && i != clock->critical &&
		    i != clock->blame)
			diag_note(diag, "%s were recorded, too: --clock=%s shows them", name, name);
	}
}

static uint64_t clocks_queued(const struct clock *clock, const struct recorded *recorded)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < recorded->threads.n; i++) {
		if (!clock->idle.bits || !bitset_has(clock->idle, i))
			sum += recorded->threads.at[i].runnable_ns;
	}
	return sum;
}

bool clocks_need_stacks(const struct clocks_input *input)
{
	return input->word && strcmp(input->word, "cpu") != 0;
}

int clocks_choose(struct clock *clock, const struct profile *prof, bool stacks,
		  const struct clocks_input *input, struct arena *mem, struct diag *diag)
{
	if (!stacks)
		return 0;
	if (clocks_find(clock, prof, input->word, mem, diag) < 0)
		return -1;
	if ((clock->waiting || clock_is_waiting(clock)) && !input->all_threads)
		idle_leave_out(clock, &prof->recorded, input->apart, mem);
	clocks_note_idle(clock, &prof->recorded, mem, diag);
	clock->queued_ns = clocks_queued(clock, &prof->recorded);
	if (!input->word)
		clocks_note_others(clock, &prof->recorded, diag);
	return 0;
}

void clocks_set_unit(struct profile *prof, const struct clock *clock)
{
	if (clock->kind == 0)
		return;
	prof->unit = prof->recorded.kinds.at[clock->kind].unit;
	prof->has_hists = true;
}
