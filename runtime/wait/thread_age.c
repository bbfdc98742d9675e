/* SPDX-License-Identifier: MIT */
/* When a thread began. See thread_age.h. */
#include "wait/thread_age.h"

#include <stddef.h>
#include <time.h>

#include "base/sys.h"
#include "base/text.h"

/* A tick of USER_HZ, in which times of proc_pid_stat(5) are. */
enum { TICK_NS = 10000000, NS = 1000000000 };

/* Field 22 is the start; the second one is a name in parentheses, which can contain anything. */
enum { AFTER_NAME = 3, START = 22, STAT_BYTES = 640, NAME_BYTES = 24 };

/* Returns the start in ticks since the system was started; 0: the text does not tell. */
static uint64_t thread_age_start(const char *stat)
{
	const char *at = NULL;
	uint64_t ticks = 0;

	for (const char *c = stat; *c; c++)
		if (*c == ')')
			at = c + 1;
	for (int field = AFTER_NAME; at && *at == ' '; field++) {
		at++;
		if (field == START) {
			for (; *at >= '0' && *at <= '9'; at++)
				ticks = ticks * 10 + (uint64_t)(*at - '0');
			return *at == ' ' ? ticks : 0;
		}
		while (*at && *at != ' ')
			at++;
	}
	return 0;
}

static uint64_t thread_age_read(int directory, int32_t tid)
{
	char name[NAME_BYTES], stat[STAT_BYTES];
	struct text text = text_in(name, sizeof(name));

	text_add_number(&text, (uint32_t)tid);
	text_add(&text, "/stat");
	return sys_read_text(directory, name, stat, sizeof(stat)) ? thread_age_start(stat) : 0;
}

uint64_t thread_age(int directory, int32_t tid, uint64_t most)
{
	long time[2] = { 0, 0 };
	uint64_t start, now;

	if (most <= 2 * (uint64_t)TICK_NS)
		return most / 2;
	start = thread_age_read(directory, tid);
	if (!start)
		return most / 2;
	/* It began within that tick; the middle is as likely as any other moment. */
	start = start * TICK_NS + TICK_NS / 2;
	SYS2(SYS_clock_gettime, CLOCK_BOOTTIME, time);
	now = (uint64_t)time[0] * NS + (uint64_t)time[1];
	if (now <= start)
		return 0;
	return now - start < most ? now - start : most;
}
