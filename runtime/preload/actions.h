/* SPDX-License-Identifier: MIT */
/* What the program wants to be done on the signal of samples; in the shared library alone. */
#ifndef PRELOAD_ACTIONS_H
#define PRELOAD_ACTIONS_H

struct sigaction;

/* The C library's sigaction(), by the linker's name for what is called inside the library. */
int __wrap_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
	__attribute__((visibility("hidden")));

/*
 * In the child of a fork, which has another signal for samples, or none: gives the program what it
 * has set for this one.
 */
void actions_release(int signal) __attribute__((weak));

#endif
