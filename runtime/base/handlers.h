/* SPDX-License-Identifier: MIT */
/*
 * The signals that libgmon handles, and the program's own action for each: the one that stood
 * before ours, then what the program sets by sigaction(), which the shared library takes over
 * (preload/actions.c). The program is to see and to get what it would without us.
 *
 * Async-signal-safe. Handlers are taken before other threads exist, or by the one thread that
 * starts or stops a recording.
 */
#ifndef BASE_HANDLERS_H
#define BASE_HANDLERS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* How many signals there may be: of samples, SIGPROF, the dump's, four that end, SIGBUS. */
enum { HANDLERS = 8 };

struct handler {
	int signal;      /* 0: not taken */
	bool interrupts; /* the program has called siginterrupt() */
	bool stays; /* ours stays whatever the program sets, and calls what it has set; else the
		       program's replaces it, unless that is the default action */
	int added_flags; /* by the C library, to every action */
	struct sigaction ours;
	struct sigaction of_program[2]; /* the second is in use while the first is written */
	uint32_t current;               /* which is valid */
};

/* Installs an action of ours, again if it was replaced. False: the system refuses. */
bool handlers_take(int signal, const struct sigaction *ours, bool stays);

/* The entry of a signal; NULL: it is not taken. */
struct handler *handlers_find(int signal);

/* The program's action; valid until it sets two others. */
const struct sigaction *handlers_of_program(const struct handler *handler);

/* Notes an action that the program sets, and installs it if ours does not stay. */
void handlers_set(struct handler *handler, const struct sigaction *action);

/* What SA_RESETHAND does when the program's handler is called. */
void handlers_reset(struct handler *handler);

/* Whether the process still has our action. One system call. */
bool handlers_stand(const struct handler *handler);

/* Installs the program's action, and forgets ours. Of a signal that stays, what is pending is
 * discarded, since it may be ours. */
void handlers_give_back(int signal);
void handlers_give_back_all(void);

/*
 * Before exec(), which keeps signals ignored but resets handlers: has the process ignore what the
 * program ignores. Returns which entries, as bits for handlers_resume(). Also in the child of a
 * vfork().
 */
uint32_t handlers_hand_on(void);
void handlers_resume(uint32_t which);

#endif
