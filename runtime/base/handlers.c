/* SPDX-License-Identifier: MIT */
/* Our handlers of signals, beside the program's. See handlers.h. */
#include "base/handlers.h"

#include <stddef.h>

/* Written by handlers_take() and those that give back; of_program and current by any thread. */
static struct handler handlers[HANDLERS];

static bool handlers_equal(const struct sigaction *a, const struct sigaction *b)
{
	bool info = a->sa_flags & SA_SIGINFO;

	if (info != !!(b->sa_flags & SA_SIGINFO))
		return false;
	return info ? a->sa_sigaction == b->sa_sigaction : a->sa_handler == b->sa_handler;
}

/* For SIG_DFL and SIG_IGN, which mean the same with SA_SIGINFO. */
static bool handlers_is(const struct sigaction *action, void (*handler)(int))
{
	return action->sa_handler == handler;
}

struct handler *handlers_find(int signal)
{
	for (int i = 0; i < HANDLERS && handlers[i].signal; i++)
		if (handlers[i].signal == signal)
			return &handlers[i];
	return NULL;
}

/* A free entry is one whose signal is -1, or the first that was never used. */
static struct handler *handlers_free(void)
{
	for (int i = 0; i < HANDLERS; i++)
		if (handlers[i].signal <= 0)
			return &handlers[i];
	return NULL;
}

const struct sigaction *handlers_of_program(const struct handler *handler)
{
	return &handler->of_program[__atomic_load_n(&handler->current, __ATOMIC_ACQUIRE)];
}

/* Not by an assignment: some compilers call memcpy for it, and entry code reaches this. */
static void handlers_copy(struct sigaction *to, const struct sigaction *from)
{
	for (size_t i = 0; i < sizeof(*to); i++)
		((volatile unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

static void handlers_note(struct handler *handler, const struct sigaction *action)
{
	uint32_t next = !__atomic_load_n(&handler->current, __ATOMIC_RELAXED);

	handlers_copy(&handler->of_program[next], action);
	__atomic_store_n(&handler->current, next, __ATOMIC_RELEASE);
}

bool handlers_stand(const struct handler *handler)
{
	struct sigaction now;

	return sigaction(handler->signal, NULL, &now) == 0 && handlers_equal(&now, &handler->ours);
}

bool handlers_take(int signal, const struct sigaction *ours, bool stays)
{
	struct handler *handler = handlers_find(signal);
	struct sigaction before, now;

	if (!handler)
		handler = handlers_free();
	/* The program's action first: ours may be called at once. */
	if (!handler || sigaction(signal, NULL, &before))
		return false;
	if (handler->signal != signal || !handlers_equal(&before, &handler->ours))
		handlers_note(handler, &before);
	handler->stays = stays;
	handlers_copy(&handler->ours, ours);
	__atomic_store_n(&handler->signal, signal, __ATOMIC_RELEASE);
	if (sigaction(signal, ours, NULL) || sigaction(signal, NULL, &now))
		return false;
	handler->added_flags = now.sa_flags & ~ours->sa_flags;
	return true;
}

void handlers_reset(struct handler *handler)
{
	struct sigaction action;

	handlers_copy(&action, handlers_of_program(handler));
	action.sa_handler = SIG_DFL;
	handlers_note(handler, &action);
}

void handlers_set(struct handler *handler, const struct sigaction *action)
{
	struct sigaction seen; /* as the kernel would report it */

	handlers_copy(&seen, action);
	seen.sa_flags |= handler->added_flags;
	sigdelset(&seen.sa_mask, SIGKILL);
	sigdelset(&seen.sa_mask, SIGSTOP);
	handlers_note(handler, &seen);
	if (!handler->stays)
		sigaction(handler->signal, handlers_is(action, SIG_DFL) ? &handler->ours : action,
			  NULL);
}

static void handlers_install(const struct handler *handler, void (*call)(int))
{
	struct sigaction action; /* no initializer: some compilers call memset for it */

	action.sa_flags = 0;
	action.sa_handler = call;
	sigemptyset(&action.sa_mask);
	sigaction(handler->signal, &action, NULL);
}

void handlers_give_back(int signal)
{
	struct handler *handler = handlers_find(signal);

	if (!handler)
		return;
	if (handler->stays)
		handlers_install(handler, SIG_IGN);
	sigaction(signal, handlers_of_program(handler), NULL);
	__atomic_store_n(&handler->signal, -1, __ATOMIC_RELEASE);
}

void handlers_give_back_all(void)
{
	for (int i = 0; i < HANDLERS; i++)
		if (handlers[i].signal > 0)
			handlers_give_back(handlers[i].signal);
}

uint32_t handlers_hand_on(void)
{
	uint32_t which = 0;

	for (int i = 0; i < HANDLERS; i++) {
		const struct handler *handler = &handlers[i];

		if (handler->signal <= 0 || !handlers_is(handlers_of_program(handler), SIG_IGN) ||
		    !handlers_stand(handler))
			continue;
		handlers_install(handler, SIG_IGN);
		which |= 1u << i;
	}
	return which;
}

void handlers_resume(uint32_t which)
{
	for (int i = 0; i < HANDLERS; i++)
		if (which >> i & 1)
			sigaction(handlers[i].signal, &handlers[i].ours, NULL);
}
