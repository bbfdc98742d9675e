/* SPDX-License-Identifier: MIT */
/* The file that holds the counts of a running program. See live.h. */
#include "live.h"

#include <gmon_live.h>

#include "internal.h"
#include "settings.h"
#include "text.h"

static char path[PATH_BYTES];

void live_start(void)
{
	const struct program *program = &gmon.program;
	struct gmon_live_head head = {
		.magic = { 'g', 'm', 'o', 'n', 'l', 'i', 'v', 'e' },
		.version = GMON_LIVE_VERSION,
		.pointer_bytes = sizeof(void *),
		.rate = settings.rate,
		.bias = program->bias,
		.low = program->low,
		.high = program->high,
		.entry = program->entry,
	};
	struct text text;
	long error;

	if (!settings.crash || !settings_path(path, gmon.pid, gmon.forked, false))
		return;
	text = text_behind(path, sizeof(path));
	text_add(&text, ".live");
	error = region_share(path, &head, sizeof(head));
	if (error)
		text_complain("GMON=crash: cannot make", path, error);
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
