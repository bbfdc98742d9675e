/* SPDX-License-Identifier: MIT */
/* Finding the functions behind ours. See next.h. */
#include "preload/next.h"

#include <dlfcn.h>
#include <stddef.h>

void *next_found[NEXT_FUNCTIONS];

void *next_of(enum next which)
{
	static const char names[NEXT_FUNCTIONS][24] = {
		[NEXT_SIGACTION] = "sigaction",
		[NEXT_SIGNAL] = "signal",
		[NEXT_PTHREAD_SIGMASK] = "pthread_sigmask",
		[NEXT_SIGPROCMASK] = "sigprocmask",
		[NEXT_SIGPENDING] = "sigpending",
		[NEXT_PRCTL] = "prctl",
		[NEXT_SYSCALL] = "syscall",
		[NEXT_EXECVPE] = "execvpe",
		[NEXT_FEXECVE] = "fexecve",
		[NEXT_PTHREAD_COND_SIGNAL] = "pthread_cond_signal",
		[NEXT_PTHREAD_COND_BROADCAST] = "pthread_cond_broadcast",
		[NEXT_SEM_POST] = "sem_post",
		[NEXT_PTHREAD_BARRIER_WAIT] = "pthread_barrier_wait",
		[NEXT_UNSHARE] = "unshare",
		[NEXT_SETNS] = "setns",
		[NEXT_SYSV_SIGNAL] = "__sysv_signal",
		[NEXT_SIGIGNORE] = "sigignore",
		[NEXT_SIGINTERRUPT] = "siginterrupt",
		[NEXT_SIGWAIT] = "sigwait",
		[NEXT_SIGTIMEDWAIT] = "sigtimedwait",
		[NEXT_SIGNALFD] = "signalfd",
		[NEXT_POSIX_SPAWN] = "posix_spawn",
		[NEXT_POSIX_SPAWNP] = "posix_spawnp",
		[NEXT_SYSTEM] = "system",
		[NEXT_POPEN] = "popen",
	};
	void *next = __atomic_load_n(&next_found[which], __ATOMIC_RELAXED);

	if (!next) {
		next = dlsym(RTLD_NEXT, names[which]);
		__atomic_store_n(&next_found[which], next, __ATOMIC_RELAXED);
	}
	return next;
}

/* Beforehand: neither a signal handler nor the child of a fork may call dlsym(), since the loader's
 * lock may be held. */
__attribute__((constructor(102))) static void next_construct(void)
{
	for (enum next which = 0; which < NEXT_EARLY; which++)
		next_of(which);
}
