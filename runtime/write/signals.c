/* SPDX-License-Identifier: MIT */
/* Handlers that write the profile. See signals.h. */
#include "write/signals.h"

#include <signal.h>
#include <stddef.h>

#include "base/handlers.h"
#include "base/mask.h"
#include "base/sys.h"
#include "record/process.h"
#include "sample/sample.h"
#include "state.h"
#include "wait/offcpu_helper.h"
#include "write/live.h"
#include "write/write.h"

static void signals_on_dump(int signal)
{
	(void)signal;
	if (gmon.phase == RUNNING && state_is_ours())
		write_profile(false);
}

/* Makes the process die of a signal when the handler, which blocks it, returns. */
static void signals_die(int signal)
{
	struct sigaction action; /* no initializer: some compilers call memset for it */

	action.sa_flags = 0;
	action.sa_handler = SIG_DFL;
	mask_fill(&action.sa_mask);
	sigaction(signal, &action, NULL);
	SYS3(SYS_tgkill, sys_getpid(), sys_gettid(), signal);
}

static void signals_on_term(int signal)
{
	if (!state_is_ours()) {
		signals_die(signal);
		return;
	}
	/* A second signal, in another thread, must not end the process before this has written. */
	if (__atomic_exchange_n(&gmon.ending, 1, __ATOMIC_ACQ_REL))
		sys_sleep_for_ever();
	if (gmon.phase == RUNNING) {
		offcpu_helper_flush(false);
		sample_hold_others();
	}
	if (gmon.phase == RUNNING || gmon.phase == HELD || gmon.phase == STOPPING) {
		process_end(GMON_EXT_KILLED, signal);
		if (write_profile(true) == 0)
			live_end();
		else
			live_keep();
	}
	signals_die(signal);
}

static void signals_handle(int signal, void (*handler)(int), int flags)
{
	struct sigaction action; /* no initializer: some compilers call memset for it */

	action.sa_flags = flags | SA_ONSTACK;
	action.sa_handler = handler;
	mask_fill(&action.sa_mask);
	handlers_take(signal, &action, false);
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
			signals_handle(terminating[i], signals_on_term, 0);
	}
}
