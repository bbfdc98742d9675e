/* SPDX-License-Identifier: MIT */
/* The file that holds the counts of a running program. See live.h. */
#include "live.h"

#include <gmon_live.h>

#include "region.h"
#include "settings.h"
#include "state.h"
#include "text.h"

_Static_assert(sizeof(struct gmon_live_head) == 56, "the same for all pointer widths");

void live_start(void)
{
	const struct program *program = &gmon.program;
	struct gmon_live_head head = {
		.version = GMON_LIVE_VERSION,
		.pointer_bytes = sizeof(void *),
		.rate = gmon.settings.rate,
		.bias = program->bias,
		.low = program->low,
		.high = program->high,
		.entry = program->entry,
	};
	struct text text;
	long error;

	for (size_t i = 0; i < sizeof(head.magic); i++)
		head.magic[i] = GMON_LIVE_MAGIC[i];
	if (!gmon.settings.crash ||
	    !settings_path(&gmon.settings, gmon.live_path, gmon.pid, gmon.forked, false))
		return;
	text = text_behind(gmon.live_path, sizeof(gmon.live_path));
	text_add(&text, ".live");
	error = region_share(gmon.live_path, &head, sizeof(head));
	if (error)
		text_complain("GMON=crash: cannot make", gmon.live_path, error);
}

void live_forked(void)
{
	region_forget();
	live_start();
}

void live_end(void)
{
	region_unshare();
}
