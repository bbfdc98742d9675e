/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a program is slower than the user allows (--versus=...,fail=). */
#ifndef RUN_COMMAND_SLOWER_H
#define RUN_COMMAND_SLOWER_H

#include "model/paired.h"
#include "run/launch/experiment.h"

/*
 * Whether a total, or a function, certainly grew by more than a limit of the request: the whole
 * interval is above it. Functions are marked in `d`, which is NULL if they are not known. With
 * limits, another output is a failure, too. Notes say why. A function that neither program has is
 * an error of the user, which a warning tells.
 */
bool slower_check(const struct experiment_request *request, const struct paired *paired,
		  const struct difference *d, struct diag *diag);

#endif
