/* SPDX-License-Identifier: MIT */
/* What the program has set for the signal of samples; in the shared library only. */
#ifndef PRELOAD_ACTIONS_H
#define PRELOAD_ACTIONS_H

struct sigaction;

/* The C library's sigaction(), which calls inside our library are linked to (--wrap). */
int __wrap_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
	__attribute__((visibility("hidden")));

/* In the child of a fork, which uses another signal for samples or none: installs what the program
 * has set for `signal`. */
void actions_release(int signal) __attribute__((weak));

#endif
