/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses what part of the run's time is shown (--from, --to). */
#ifndef RUN_SESSION_RANGES_H
#define RUN_SESSION_RANGES_H

#include "run/session/session.h"

/*
 * If the user asks for a range, leaves only its samples in s->linked, and sets s->range. To be
 * called after clocks_choose(), of which s->clock loses what no part of a run has: queued_ns.
 * Returns 0, or -1 after saying why it is not known; `stacks`: whether times are from call stacks.
 * Linear, and n log n in recordings.
 */
int ranges_choose(struct session *s, bool stacks);

#endif
