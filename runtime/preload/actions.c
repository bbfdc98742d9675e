/* SPDX-License-Identifier: MIT */
/*
 * sigaction() and the older functions that set what a signal does, in the shared library only. For
 * the signals that libgmon handles (handlers.h) the program is told what it would see without us;
 * the kernel keeps our handler where that stays.
 */
#include <errno.h>
#include <gmon.h>
#include <signal.h>
#include <stddef.h>

#include "base/handlers.h"
#include "preload/next.h"
#include "state.h"

typedef int actions_sigaction(int signal, const struct sigaction *action, struct sigaction *old);
typedef void actions_handler(int signal);
typedef actions_handler *actions_signal(int signal, actions_handler *handler);

/* Other names, which some headers declare and others do not. */
PUBLIC int actions_set(int signal, const struct sigaction *action,
		       struct sigaction *old) __asm__("__sigaction");
PUBLIC actions_handler *actions_bsd_signal(int number,
					   actions_handler *handler) __asm__("bsd_signal");
PUBLIC actions_handler *actions_ssignal(int number, actions_handler *handler) __asm__("ssignal");
PUBLIC actions_handler *actions_sysv_signal(int signal,
					    actions_handler *handler) __asm__("sysv_signal");
PUBLIC actions_handler *actions_old_sysv_signal(int signal,
						actions_handler *handler) __asm__("__sysv_signal");

/* Calls inside our library are linked to this (--wrap). */
int __wrap_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
	__attribute__((visibility("hidden")));

int __wrap_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	return ((actions_sigaction *)next_of(NEXT_SIGACTION))(signal, action, old);
}

/* In a child that shares or has copied our memory, and for which fork's handlers were not called:
 * the kernel has its own actions for it, so it sets them there. */
static int actions_set_in_child(struct handler *handler, const struct sigaction *action,
				struct sigaction *old)
{
	bool ours = old && handlers_stand(handler);

	if (__wrap_sigaction(handler->signal, action, old))
		return -1;
	if (ours)
		*old = *handlers_of_program(handler);
	return 0;
}

PUBLIC int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	struct handler *handler = handlers_find(signal);
	struct sigaction copy;

	if (!handler)
		return __wrap_sigaction(signal, action, old);
	if (!state_is_ours())
		return actions_set_in_child(handler, action, old);
	if (action)
		copy = *action; /* `old` may be the same */
	/* If the handler may have been reset (SA_RESETHAND), the kernel knows what is set. */
	if (old && !handler->stays && !handlers_stand(handler))
		__wrap_sigaction(signal, NULL, old);
	else if (old)
		*old = *handlers_of_program(handler);
	if (action)
		handlers_set(handler, &copy);
	return 0;
}

int actions_set(int signal, const struct sigaction *action, struct sigaction *old)
{
	return sigaction(signal, action, old);
}

/* Sets a handler for a signal that we handle; returns the one before. */
static actions_handler *actions_exchange(int signal, actions_handler *handler, unsigned flags,
					 bool blocks)
{
	struct sigaction action, old;

	action.sa_handler = handler;
	action.sa_flags = (int)flags;
	sigemptyset(&action.sa_mask);
	if (blocks)
		sigaddset(&action.sa_mask, signal);
	sigaction(signal, &action, &old);
	return old.sa_handler;
}

PUBLIC actions_handler *signal(int signal, actions_handler *handler)
{
	const struct handler *ours = handlers_find(signal);

	if (!ours)
		return ((actions_signal *)next_of(NEXT_SIGNAL))(signal, handler);
	return actions_exchange(signal, handler, ours->interrupts ? 0 : SA_RESTART, true);
}

actions_handler *actions_bsd_signal(int number, actions_handler *handler)
{
	return signal(number, handler);
}

actions_handler *actions_ssignal(int number, actions_handler *handler)
{
	return signal(number, handler);
}

/* What signal() is in programs for System V or strict POSIX. */
actions_handler *actions_sysv_signal(int signal, actions_handler *handler)
{
	if (!handlers_find(signal))
		return ((actions_signal *)next_of(NEXT_SYSV_SIGNAL))(signal, handler);
	return actions_exchange(signal, handler, SA_RESETHAND | SA_NODEFER, false);
}

actions_handler *actions_old_sysv_signal(int signal, actions_handler *handler)
{
	return actions_sysv_signal(signal, handler);
}

/* For all signals, since the C library's changes the mask unseen (masks.c). */
PUBLIC actions_handler *sigset(int signal, actions_handler *handler)
{
	struct sigaction action, old;
	sigset_t set, before;

	action.sa_handler = handler;
	action.sa_flags = 0;
	sigemptyset(&action.sa_mask);
	sigemptyset(&set);
	if (sigaddset(&set, signal) ||
	    sigaction(signal, handler == SIG_HOLD ? NULL : &action, &old) ||
	    sigprocmask(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &set, &before))
		return SIG_ERR;
	return sigismember(&before, signal) == 1 ? SIG_HOLD : old.sa_handler;
}

PUBLIC int sigignore(int signal)
{
	if (!handlers_find(signal))
		return ((int (*)(int))next_of(NEXT_SIGIGNORE))(signal);
	actions_exchange(signal, SIG_IGN, 0, false);
	return 0;
}

PUBLIC int siginterrupt(int signal, int interrupts)
{
	struct handler *handler = handlers_find(signal);
	struct sigaction action;

	if (!handler)
		return ((int (*)(int, int))next_of(NEXT_SIGINTERRUPT))(signal, interrupts);
	handler->interrupts = interrupts;
	sigaction(signal, NULL, &action);
	action.sa_flags &= ~SA_RESTART;
	if (!interrupts)
		action.sa_flags |= SA_RESTART;
	return sigaction(signal, &action, NULL);
}
