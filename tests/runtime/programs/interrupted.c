/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * interrupted timer|thread: a signal handler makes calls of its own 5000 times a second while the
 * program makes calls; every now and then to a function never called before.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "hundreds.h"
#include "truth.h"

enum { PERIOD_NS = 200000, ENOUGH = 300 };

static volatile uint64_t nhandled;
static uint64_t nmain;
static volatile bool ready;

#define CALLEE(n)                     \
	APART static void f##n(void)  \
	{                             \
		__asm__ volatile(""); \
	}
HUNDRED(CALLEE, 1)
HUNDRED(CALLEE, 2)
HUNDRED(CALLEE, 3)

#define ENTRY(n) { f##n, "f" #n },
static const struct {
	void (*call)(void);
	const char *name;
} callees[] = { HUNDRED(ENTRY, 1) HUNDRED(ENTRY, 2) HUNDRED(ENTRY, 3) };

enum { NCALLEES = sizeof(callees) / sizeof(callees[0]) };

static uint64_t from_handler[NCALLEES], from_main[NCALLEES];

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void on_signal(int number)
{
	size_t at = nhandled++ % NCALLEES;

	(void)number;
	for (int i = 0; i < 10; i++)
		leaf();
	callees[at].call();
	from_handler[at]++;
	callees[NCALLEES - 1 - at].call();
	from_handler[NCALLEES - 1 - at]++;
}

APART void *send_signals(void *to)
{
	const struct timespec period = { 0, PERIOD_NS };

	while (!ready) {
		nanosleep(&period, NULL);
		pthread_kill(*(pthread_t *)to, SIGUSR1);
	}
	return NULL;
}

APART void make_calls(void)
{
	size_t next = 0;

	do {
		for (int i = 0; i < 1000; i++) {
			leaf();
			nmain++;
		}
		callees[next].call();
		from_main[next]++;
		next = (next + 1) % NCALLEES;
	} while (nhandled < ENOUGH);
}

UNCOUNTED static void tell(void)
{
	arc(OUTSIDE, "on_signal", nhandled);
	arc("on_signal", "leaf", 10 * nhandled);
	arc("make_calls", "leaf", nmain);
	for (size_t i = 0; i < NCALLEES; i++) {
		arc("on_signal", callees[i].name, from_handler[i]);
		arc("make_calls", callees[i].name, from_main[i]);
	}
}

UNCOUNTED static int by_timer(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	struct itimerspec times = { { 0, PERIOD_NS }, { 0, PERIOD_NS } };
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &times, NULL))
		return 1;
	make_calls();
	return timer_delete(timer);
}

UNCOUNTED static int by_thread(void)
{
	pthread_t self = pthread_self();
	pthread_t thread;

	if (pthread_create(&thread, NULL, send_signals, &self))
		return 1;
	make_calls();
	ready = true;
	return pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGUSR1, &action, NULL);
	if (argc > 1 && !strcmp(argv[1], "timer") ? by_timer() : by_thread())
		return 1;
	signal(SIGUSR1, SIG_IGN);
	tell();
	return 0;
}
