/* SPDX-License-Identifier: MIT */
/*
 * Calls that wake other threads: who makes them is noted for --blame. See wakes.h.
 *
 * glibc has two kinds of condition variables for programs of x86-64, by the version of the symbol.
 * Ours are for the newer kind; an object with the older one keeps what it has.
 */
#include "preload/wakes.h"

#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/program.h"
#include "preload/imports.h"
#include "preload/next.h"
#include "record/wakers.h"
#include "state.h"

#define WAKES_OLDEST "GLIBC_2.2.5"

/* All objects that were loaded at the start call us; set before main(). */
static bool wakes_on;

typedef int wakes_condition(pthread_cond_t *condition);
typedef int wakes_semaphore(sem_t *semaphore);
typedef int wakes_barrier(pthread_barrier_t *barrier);

static int wakes_signal(pthread_cond_t *condition)
{
	wakers_note(condition);
	return ((wakes_condition *)next_quickly(NEXT_PTHREAD_COND_SIGNAL))(condition);
}

static int wakes_broadcast(pthread_cond_t *condition)
{
	wakers_note(condition);
	return ((wakes_condition *)next_quickly(NEXT_PTHREAD_COND_BROADCAST))(condition);
}

static int wakes_post(sem_t *semaphore)
{
	wakers_note(semaphore);
	return ((wakes_semaphore *)next_quickly(NEXT_SEM_POST))(semaphore);
}

/* The beginning of glibc's barriers since its version 2.25, as its source describes them. */
struct wakes_barrier_words {
	uint32_t came;  /* how many have come, since the barrier is there; */
	uint32_t ended; /* how many of them in rounds that have ended */
	uint32_t count; /* how many make a round */
};

/* Whether the others have all come to a barrier, as it seems. */
static bool wakes_is_last(const pthread_barrier_t *barrier)
{
	const struct wakes_barrier_words *words = (const void *)barrier;
	const uint32_t came = __atomic_load_n(&words->came, __ATOMIC_RELAXED);
	const uint32_t ended = __atomic_load_n(&words->ended, __ATOMIC_RELAXED);

	return came - ended + 1 == __atomic_load_n(&words->count, __ATOMIC_RELAXED);
}

/*
 * The last one to come wakes all: in glibc, the one that is told so. On a busy machine those run at
 * once, while it has lost its processor to them: so it is noted before, if it can be known.
 */
static int wakes_wait(pthread_barrier_t *barrier)
{
	const bool last = wakes_is_last(barrier);
	int told;

	if (last)
		wakers_note(barrier);
	told = ((wakes_barrier *)next_quickly(NEXT_PTHREAD_BARRIER_WAIT))(barrier);
	if (!last && told == PTHREAD_BARRIER_SERIAL_THREAD)
		wakers_note(barrier);
	return told;
}

enum { WAKES_FUNCTIONS = 4 };

static const struct {
	enum next which;
	const char *name, *other;
	uintptr_t ours;
} wakes_functions[WAKES_FUNCTIONS] = {
	{ NEXT_PTHREAD_COND_SIGNAL, "pthread_cond_signal", WAKES_OLDEST, (uintptr_t)wakes_signal },
	{ NEXT_PTHREAD_COND_BROADCAST, "pthread_cond_broadcast", WAKES_OLDEST,
	  (uintptr_t)wakes_broadcast },
	{ NEXT_SEM_POST, "sem_post", NULL, (uintptr_t)wakes_post },
	{ NEXT_PTHREAD_BARRIER_WAIT, "pthread_barrier_wait", NULL, (uintptr_t)wakes_wait },
};

/* What an object calls now, and is to call. */
static void wakes_find(struct imports_function functions[WAKES_FUNCTIONS])
{
	for (size_t i = 0; i < WAKES_FUNCTIONS; i++)
		functions[i] = (struct imports_function){
			.name = wakes_functions[i].name,
			.other = wakes_functions[i].other,
			.behind = (uintptr_t)next_of(wakes_functions[i].which),
			.ours = wakes_functions[i].ours,
		};
}

static int wakes_take_over(struct dl_phdr_info *info, size_t size, void *functions)
{
	(void)size;
	imports_lead(info, functions, WAKES_FUNCTIONS);
	return 0;
}

/* An object that has begun to be initialised, and what it is to call. */
struct wakes_library {
	uintptr_t caller;
	struct imports_function functions[WAKES_FUNCTIONS];
};

/* Takes the calls of one object over: then no other is looked at. */
static int wakes_take_over_one(struct dl_phdr_info *info, size_t size, void *given)
{
	const struct wakes_library *library = given;
	struct program place = { .bias = info->dlpi_addr };

	(void)size;
	if (!program_segments(&place, info->dlpi_phdr, info->dlpi_phnum) ||
	    !program_has(&place, library->caller))
		return 0;
	imports_lead(info, library->functions, WAKES_FUNCTIONS);
	return 1;
}

void wakes_start(void)
{
	struct imports_function functions[WAKES_FUNCTIONS];

	if (!gmon.offcpu.wakers)
		return;
	wakes_find(functions);
	dl_iterate_phdr(wakes_take_over, functions);
	wakes_on = true;
}

void wakes_library_begins(uintptr_t caller)
{
	struct wakes_library library = { .caller = caller };

	if (!wakes_on)
		return;
	wakes_find(library.functions);
	dl_iterate_phdr(wakes_take_over_one, &library);
}

uintptr_t wakes_behind(uintptr_t function)
{
	for (size_t i = 0; i < WAKES_FUNCTIONS; i++)
		if (function == wakes_functions[i].ours)
			return (uintptr_t)next_quickly(wakes_functions[i].which);
	return function;
}
