/* SPDX-License-Identifier: MIT */
/*
 * An application of NuttX (flat builds): "gmon start", "gmon stop", "gmon dump" on its shell. Each
 * tick of the system's clock is a sample. Copy runtime/embedded and the three headers beside
 * this, and leave CONFIG_SCHED_GPROF off: it has another mcount.
 */
#include <nuttx/config.h>

#include <nuttx/arch.h>
#include <nuttx/clock.h>
#include <nuttx/wdog.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gmon_embedded.h"

extern uint8_t _stext[], _etext[];

static uintptr_t gmon_memory[CONFIG_GMON_EMBEDDED_BYTES / sizeof(uintptr_t)];
static struct wdog_s gmon_wdog;

__attribute__((no_instrument_function)) static void gmon_nuttx_tick(wdparm_t arg)
{
	gmon_tick(up_getusrpc(NULL));
	wd_start(&gmon_wdog, 1, gmon_nuttx_tick, arg);
}

static int gmon_nuttx_print(void *context, const char *line)
{
	return fprintf(context, "%s\n", line) < 0;
}

int main(int argc, char *argv[])
{
	const struct gmon_range text = { (uintptr_t)_stext, (uintptr_t)_etext,
					 CONFIG_GMON_EMBEDDED_SHIFT };
	const char *what = argc == 2 ? argv[1] : "";

	if (strcmp(what, "start") == 0) {
		if (gmon_start(gmon_memory, sizeof(gmon_memory), &text, 1, TICK_PER_SEC) != 0) {
			fprintf(stderr, "gmon: GMON_EMBEDDED_BYTES is less than %zu\n",
				gmon_size(&text, 1, 1));
			return 1;
		}
		return wd_start(&gmon_wdog, 1, gmon_nuttx_tick, 0) < 0;
	}
	if (strcmp(what, "stop") == 0) {
		gmon_control(0);
		return wd_cancel(&gmon_wdog) < 0;
	}
	if (strcmp(what, "dump") == 0)
		return gmon_dump_text(gmon_nuttx_print, stdout) != 0;
	fprintf(stderr, "usage: gmon start | stop | dump\n");
	return 1;
}
