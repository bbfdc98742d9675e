/* SPDX-License-Identifier: MIT */
/*
 * A module of Zephyr for Cortex-M: "gmon start", "gmon stop", "gmon dump" in its shell. A timer of
 * the kernel expires in the interrupt of the clock; threads have the process stack, so the frame on
 * its top is that of the thread that was interrupted.
 */
#include <zephyr/kernel.h>
#include <zephyr/linker/linker-defs.h>
#include <zephyr/shell/shell.h>

#include <cmsis_core.h>

#include "gmon_embedded.h"

static uintptr_t gmon_memory[CONFIG_GMON_EMBEDDED_BYTES / sizeof(uintptr_t)];

__attribute__((no_instrument_function)) static void gmon_zephyr_timer(struct k_timer *timer)
{
	ARG_UNUSED(timer);
	gmon_tick(GMON_PC_CORTEX_M(__get_PSP()));
}

K_TIMER_DEFINE(gmon_timer, gmon_zephyr_timer, NULL);

static int gmon_zephyr_print(void *context, const char *line)
{
	shell_print(context, "%s", line);
	return 0;
}

static int gmon_zephyr_start(const struct shell *sh, size_t argc, char **argv)
{
	const struct gmon_range text = { (uintptr_t)__text_region_start,
					 (uintptr_t)__text_region_end, CONFIG_GMON_EMBEDDED_SHIFT };

	ARG_UNUSED(argc);
	ARG_UNUSED(argv);
	if (gmon_start(gmon_memory, sizeof(gmon_memory), &text, 1, CONFIG_GMON_EMBEDDED_RATE) !=
	    0) {
		shell_error(sh, "GMON_EMBEDDED_BYTES is less than %zu", gmon_size(&text, 1, 1));
		return -ENOMEM;
	}
	k_timer_start(&gmon_timer, K_USEC(1000000 / CONFIG_GMON_EMBEDDED_RATE),
		      K_USEC(1000000 / CONFIG_GMON_EMBEDDED_RATE));
	return 0;
}

static int gmon_zephyr_stop(const struct shell *sh, size_t argc, char **argv)
{
	ARG_UNUSED(sh);
	ARG_UNUSED(argc);
	ARG_UNUSED(argv);
	gmon_control(0);
	k_timer_stop(&gmon_timer);
	return 0;
}

static int gmon_zephyr_dump(const struct shell *sh, size_t argc, char **argv)
{
	ARG_UNUSED(argc);
	ARG_UNUSED(argv);
	return gmon_dump_text(gmon_zephyr_print, (void *)sh) != 0 ? -EIO : 0;
}

SHELL_STATIC_SUBCMD_SET_CREATE(gmon_commands,
			       SHELL_CMD(start, NULL, "Begin a profile.", gmon_zephyr_start),
			       SHELL_CMD(stop, NULL, "Count no more.", gmon_zephyr_stop),
			       SHELL_CMD(dump, NULL, "Print it, for gprof.", gmon_zephyr_dump),
			       SHELL_SUBCMD_SET_END);
SHELL_CMD_REGISTER(gmon, &gmon_commands, "Calls and time, as gprof reads them", NULL);
