/* SPDX-License-Identifier: MIT */
/* Handlers that write the profile. See signals.h. */
#include "signals.h"

#include <signal.h>
#include <stddef.h>

#include "live.h"
#include "mask.h"
#include "sample.h"
#include "state.h"
#include "sys.h"
#include "write.h"

static void signals_on_dump(int signal)
{
	(void)signal;
	if (gmon.phase == RUNNING && state_is_ours())
		write_profile(false);
}

/* SA_RESETHAND has put the default action back: the signal comes again when this returns. */
static void signals_on_term(int signal)
{
	bool ours = state_is_ours();

	if (gmon.phase == RUNNING && ours)
		sample_hold_others();
	if (ours && (gmon.phase == RUNNING || gmon.phase == STOPPING)) {
		if (write_profile(true) == 0)
			live_end();
		else
			live_keep();
	}
	SYS3(SYS_tgkill, sys_getpid(), sys_gettid(), signal);
}

static void signals_handle(int signal, void (*handler)(int), int flags)
{
	struct sigaction action; /* no initializer: some compilers call memset for it */

	action.sa_flags = flags | SA_ONSTACK;
	action.sa_handler = handler;
	mask_fill(&action.sa_mask);
	sigaction(signal, &action, NULL);
}

void signals_start(void)
{
	static const int terminating[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

	if (gmon.settings.dump_signal)
		signals_handle(gmon.settings.dump_signal, signals_on_dump, SA_RESTART);
	for (size_t i = 0; gmon.settings.term && i < sizeof(terminating) / sizeof(terminating[0]);
	     i++) {
		struct sigaction now;

		if (sigaction(terminating[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			signals_handle(terminating[i], signals_on_term, SA_RESETHAND);
	}
}
