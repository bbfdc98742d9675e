/* SPDX-License-Identifier: MIT */
/*
 * sigaction() and signal(), in the shared library only and with GMON=run. A program may set a
 * handler of its own for the signal of samples; sort has one for SIGPROF, by which it ends. The
 * kernel keeps our handler, which calls the program's for signals that are not ours; and the
 * program is told the action that it has set.
 */
#include "preload/actions.h"

#include <dlfcn.h>
#include <gmon.h>
#include <stddef.h>

#include "sample/clock.h"
#include "state.h"

typedef int actions_sigaction(int signal, const struct sigaction *action, struct sigaction *old);
typedef void (*actions_signal(int signal, void (*handler)(int)))(int);

int __wrap_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	if (!gmon.actions.next)
		gmon.actions.next = dlsym(RTLD_NEXT, "sigaction");
	return ((actions_sigaction *)gmon.actions.next)(signal, action, old);
}

static bool actions_covers(int signal)
{
	return gmon.settings.run && signal == clock_signal() &&
	       (gmon.phase == RUNNING || gmon.phase == STOPPING || gmon.phase == STOPPED) &&
	       state_is_ours();
}

static void actions_set(const struct sigaction *action)
{
	uint32_t next = !__atomic_load_n(&gmon.actions.current, __ATOMIC_ACQUIRE);

	gmon.actions.of_program[next] = *action;
	__atomic_store_n(&gmon.actions.current, next, __ATOMIC_RELEASE);
	__atomic_store_n(&gmon.actions.set, true, __ATOMIC_RELEASE);
}

PUBLIC int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction copy;

	if (!actions_covers(signal))
		return __wrap_sigaction(signal, action, old);
	if (action)
		copy = *action; /* `old` may be the same */
	if (old)
		*old = gmon.actions.of_program[gmon.actions.current];
	if (action)
		actions_set(&copy);
	return 0;
}

PUBLIC void (*signal(int signal, void (*handler)(int)))(int)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigaction old;

	if (!actions_covers(signal)) {
		if (!gmon.actions.next_signal)
			gmon.actions.next_signal = dlsym(RTLD_NEXT, "signal");
		return ((actions_signal *)gmon.actions.next_signal)(signal, handler);
	}
	sigaction(signal, &action, &old);
	return old.sa_handler;
}

void actions_release(int signal)
{
	const struct sigaction *action = &gmon.actions.of_program[gmon.actions.current];

	__wrap_sigaction(signal, action, NULL);
	gmon.actions.set = false;
}
