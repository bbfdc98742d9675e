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
	NEXT_PTHREAD_COND_SIGNAL,
	NEXT_PTHREAD_COND_BROADCAST,
	NEXT_SEM_POST,
	NEXT_PTHREAD_BARRIER_WAIT,
	NEXT_UNSHARE,
	NEXT_SETNS,
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

/* What next_of() has found so far, or NULL; any thread. */
extern void *next_found[NEXT_FUNCTIONS] __attribute__((visibility("hidden")));

/* next_of() without a call where it has been found. */
static inline void *next_quickly(enum next which)
{
	void *next = __atomic_load_n(&next_found[which], __ATOMIC_RELAXED);

	return next ? next : next_of(which);
}

#endif
