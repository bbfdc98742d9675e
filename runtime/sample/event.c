/* SPDX-License-Identifier: MIT */
/* Counting events. See event.h. */
#include "sample/event.h"

#include "base/text.h"
#include "base/wide.h"
#include "record/kinds.h"
#include "sample/bins.h"
#include "sample/clock.h"
#include "state.h"

void event_prepare(void)
{
	static const char letters[] = { '\0', 'k', 'M', 'G' };
	const struct event_name *event = gmon.settings.event;
	struct text dimension = text_in(gmon.event.dimension, sizeof(gmon.event.dimension));
	int power = 0;

	if (!event)
		return;
	gmon.event.period = gmon.settings.event_period ? gmon.settings.event_period : event->period;
	gmon.event.unit = 1;
	while (gmon.event.period / 1000 >= gmon.event.unit) {
		gmon.event.unit *= 1000;
		power++;
	}
	text_add_bytes(&dimension, &letters[power], power > 0);
	text_add(&dimension, event->unit);
	gmon.event.abbreviation = event->name[0];
	if (gmon.event.period > 1)
		gmon.event.abbreviation -= 'a' - 'A';
}

/*
 * Makes a histogram like that of time. With GMON=run there is none, since the stacks contain the
 * same data.
 */
static void event_make_bins(void)
{
	const struct bins *like = gmon.bins;
	struct bins *old = gmon.event.bins, *bins;
	uintptr_t high;

	if (!like || gmon.settings.run)
		return;
	high = like->head.low + bins_number(like) * GMON_LIVE_BIN_CODE;
	if (old && old->head.low == like->head.low && bins_number(old) == bins_number(like))
		return;
	bins = bins_private(like->head.low, high);
	/* An older histogram is not freed: handlers may still use it. */
	__atomic_store_n(&gmon.event.bins, bins, __ATOMIC_RELEASE);
}

void event_start(void)
{
	if (!gmon.settings.event)
		return;
	event_make_bins();
	gmon.event.kind = KINDS_ROOM;
	if (gmon.stacks.on)
		gmon.event.kind = kinds_add(gmon.settings.event->name, 1, gmon.event.dimension,
					    gmon.event.abbreviation);
}

static long event_open(struct perf *counter, uint32_t config, int32_t tid)
{
	struct perf_request request;

	request.type = gmon.settings.event->type;
	request.config = config;
	request.period = gmon.event.period;
	return perf_open(counter, &request, tid, clock_signal());
}

void event_arm(struct event *event, int32_t tid)
{
	const struct event_name *what = gmon.settings.event;
	long error;

	if (!what || gmon.event.off || !gmon.handled ||
	    (gmon.phase != RUNNING && gmon.phase != STARTING))
		return;
	error = event_open(&event->counter[0], what->config, tid);
	if (!error && what->also)
		error = event_open(&event->counter[1], what->also, tid);
	if (!error)
		return;
	wide_add(&gmon.event.nrefused, 1);
	__atomic_store_n(&gmon.event.refused, (int32_t)error, __ATOMIC_RELAXED);
}

void event_disarm(struct event *event, bool ours)
{
	for (int i = 0; i < EVENT_COUNTERS; i++)
		if (ours)
			perf_close(&event->counter[i]);
		else
			perf_leave(&event->counter[i]);
}

void event_forget(struct event *event)
{
	for (int i = 0; i < EVENT_COUNTERS; i++)
		perf_forget(&event->counter[i]);
}

bool event_is_armed(const struct event *event)
{
	return event->counter[0].map || event->counter[1].map;
}

bool event_sent(const struct event *event, const siginfo_t *info)
{
	return perf_sent(&event->counter[0], info) || perf_sent(&event->counter[1], info);
}

void event_complain(void)
{
	int32_t error = __atomic_load_n(&gmon.event.refused, __ATOMIC_RELAXED);

	if (!error || gmon.event.off)
		return;
	gmon.event.off = true;
	text_complain("GMON=event: no samples, as perf_event_open() refuses",
		      gmon.settings.event->name, error);
}

void event_complain_at_end(void)
{
	char line[96];
	struct text text = text_in(line, sizeof(line));

	if (!gmon.event.nrefused || gmon.event.off)
		return;
	text_add(&text, "GMON=event: ");
	text_add_number(&text, wide_load(&gmon.event.nrefused));
	text_add(&text, " threads have no samples of");
	text_complain(line, gmon.settings.event->name, gmon.event.refused);
}

uint32_t event_take(struct event *event)
{
	uint64_t ticks = 0;

	for (int i = 0; i < EVENT_COUNTERS; i++) {
		struct perf_span span = perf_take(&event->counter[i]);

		if (span.from != span.to)
			ticks += span.to / gmon.event.unit - span.from / gmon.event.unit;
	}
	return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

void event_add(uintptr_t pc, uint32_t ticks)
{
	struct bins *bins = __atomic_load_n(&gmon.event.bins, __ATOMIC_ACQUIRE);

	if (bins ? bins_add(bins, pc, ticks) : program_has(&gmon.program, pc))
		wide_add(&gmon.event.inside, ticks);
	else
		wide_add(&gmon.event.outside, ticks);
}

void event_pass(struct event *event)
{
	for (int i = 0; gmon.settings.event && i < EVENT_COUNTERS; i++)
		perf_take(&event->counter[i]);
}

void event_zero(void)
{
	wide_store(&gmon.event.inside, 0);
	wide_store(&gmon.event.outside, 0);
	if (gmon.event.bins)
		bins_zero(gmon.event.bins);
}
