/* SPDX-License-Identifier: MIT */
/* The functions that the shared library takes over, as the program would have them without it: the
 * C library's, or those of another library that was preloaded. */
#ifndef PRELOAD_NEXT_H
#define PRELOAD_NEXT_H

enum next {
	NEXT_SIGACTION,
	NEXT_SIGNAL,
	NEXT_PTHREAD_SIGMASK,
	NEXT_SIGPROCMASK,
	NEXT_SIGPENDING,
	NEXT_PRCTL,
	NEXT_SYSCALL,
	NEXT_EXECVPE,
	NEXT_FEXECVE,
	NEXT_EARLY, /* those before are async-signal-safe */
	NEXT_SYSV_SIGNAL = NEXT_EARLY,
	NEXT_SIGIGNORE,
	NEXT_SIGINTERRUPT,
	NEXT_SIGWAIT,
	NEXT_SIGTIMEDWAIT,
	NEXT_SIGNALFD,
	NEXT_POSIX_SPAWN,
	NEXT_POSIX_SPAWNP,
	NEXT_SYSTEM,
	NEXT_POPEN,
	NEXT_FUNCTIONS,
};

/* The function; NULL: there is none. From main() on async-signal-safe for those before NEXT_EARLY.
 */
void *next_of(enum next which);

#endif
