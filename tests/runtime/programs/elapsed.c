/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * elapsed serial|mutex|unseen|pipeline|join|phases|sleep|nap MS [THREADS]: programs of several
 * threads that write down what each thread does when, and for whom it waits; from that they reckon
 * which function each moment belongs to, by the rules of runtime/wait/elapsed.h, and print it:
 *
 *     TRUE critical serial_part 0.801
 *     TRUE elapsed serial_part 0.801
 *     ALL 2.004
 *
 * It ends when its time has come, however busy the machine is: pieces that take all of it work
 * until then, and short ones, of which there are as many as there is time for, use some CPU time,
 * so that where a thread was ready to run is where it ran.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "used.h"

enum { MOST_THREADS = 130, MOST_PIECES = 1 << 18, MAIN = 0, NOBODY = -1, BY_LOCK = -2 };

/* What a thread does from a time on, until its next piece. */
struct piece {
	double from;
	const char *name; /* of the function that works */
	int whom;         /* the thread that it waits for; BY_LOCK: who holds the lock; NOBODY: it
			     does not wait */
};

struct history {
	struct piece *piece;
	int n;
};

static struct history of[MOST_THREADS];
static struct history holders; /* `whom` has the lock */
static double ended[MOST_THREADS];
static double begun, length;
static int threads; /* how many there are beside the first one; 0: as many as a mode takes */
static volatile unsigned sink;

static double now_by(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double now(void)
{
	return now_by(CLOCK_MONOTONIC);
}

static void note_at(struct history *h, double from, const char *name, int whom)
{
	if (h->n == MOST_PIECES)
		abort();
	h->piece[h->n++] = (struct piece){ from, name, whom };
}

static void note(int thread, const char *name, int whom)
{
	note_at(&of[thread], now(), name, whom);
}

/* Short pieces take small steps; long ones do not read a CPU clock all the time, for used.h's
 * reason.
 */
static void work(double s, clockid_t clock)
{
	double end = now_by(clock) + s;
	int steps = clock == CLOCK_THREAD_CPUTIME_ID && s >= 0.02 ? USED_STEPS : 20000;

	do
		for (int i = 0; i < steps; i++)
			sink += (unsigned)i;
	while (now_by(clock) < end);
}

#define WORKS(name, clock)                                                        \
	__attribute__((noinline, noclone)) static void name(int thread, double s) \
	{                                                                         \
		note(thread, #name, NOBODY);                                      \
		work(s, clock);                                                   \
		note(thread, "other", NOBODY);                                    \
	}

WORKS(serial_part, CLOCK_MONOTONIC)
WORKS(parallel_part, CLOCK_MONOTONIC)
WORKS(slow_path, CLOCK_THREAD_CPUTIME_ID)
WORKS(outside, CLOCK_THREAD_CPUTIME_ID)
WORKS(quick, CLOCK_THREAD_CPUTIME_ID)
WORKS(rest, CLOCK_THREAD_CPUTIME_ID)
WORKS(stage_one, CLOCK_THREAD_CPUTIME_ID)
WORKS(stage_two, CLOCK_THREAD_CPUTIME_ID)
WORKS(stage_three, CLOCK_THREAD_CPUTIME_ID)
WORKS(small_share, CLOCK_MONOTONIC)
WORKS(big_share, CLOCK_MONOTONIC)

static pthread_t thread[MOST_THREADS];

static void *wait_for_ever(void *);

static void start(int i, void *run(void *))
{
	if (pthread_create(&thread[i], NULL, run, (void *)(long)i) != 0)
		abort();
}

static void await(int i)
{
	note(MAIN, "join", i);
	pthread_join(thread[i], NULL);
	/* It may have ended before, or be noticed late. */
	note_at(&of[MAIN],
		ended[i] > of[MAIN].piece[of[MAIN].n - 1].from
			? ended[i]
			: of[MAIN].piece[of[MAIN].n - 1].from,
		"other", NOBODY);
}

static void end(int i)
{
	ended[i] = now();
	note_at(&of[i], ended[i], "ended", i);
}

static int threads_or(int n)
{
	return threads > 0 ? threads : n;
}

/* Starts so many threads, or as many as were asked for. They wait for their turn as they would for
 * the first thread. */
static pthread_barrier_t turn;
static double turn_at; /* when it began */
static volatile int turns_end;

static void take_turn(int i)
{
	note(i, "turn", MAIN);
	pthread_barrier_wait(&turn);
	note_at(&of[i], turn_at, "other", NOBODY);
}

static void give_turn(void)
{
	turn_at = now();
	pthread_barrier_wait(&turn);
}

static void start_all(int n, void *run(void *))
{
	threads = threads_or(n);
	pthread_barrier_init(&turn, NULL, (unsigned)threads + 1);
	for (int i = 1; i <= threads; i++)
		start(i, run);
}

static void await_all(void)
{
	for (int i = 1; i <= threads; i++)
		await(i);
}

/* One part alone, then the other one in eight threads. */
static void *parallel(void *given)
{
	int i = (int)(long)given;

	take_turn(i);
	parallel_part(i, length * 0.6);
	end(i);
	return NULL;
}

static void serial(void)
{
	start_all(8, parallel);
	serial_part(MAIN, length * 0.4);
	give_turn();
	await_all();
}

/* The same again and again. Whom the first thread waits for is not reckoned. */
static void *parallel_again(void *given)
{
	int i = (int)(long)given;

	for (;;) {
		take_turn(i);
		if (turns_end)
			break;
		parallel_part(i, 0.150);
		note(i, "turn", MAIN);
		pthread_barrier_wait(&turn);
	}
	end(i);
	return NULL;
}

static void phases(void)
{
	start_all(8, parallel_again);
	while (now() < begun + length) {
		serial_part(MAIN, 0.100);
		give_turn();
		note(MAIN, "turn", 1);
		pthread_barrier_wait(&turn);
		note(MAIN, "other", NOBODY);
	}
	turns_end = 1;
	give_turn();
	await_all();
}

/* One of four threads, or fewer, holds a lock in slow_path() for four fifths of the time. Other
 * threads have nothing to do with it. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int done;
static int contenders; /* how many threads want it; all but one as long together */

static void take(int i)
{
	note(i, "lock", BY_LOCK);
	pthread_mutex_lock(&mutex);
	note(i, "other", NOBODY);
	note_at(&holders, now(), "", i);
}

static void give(void)
{
	note_at(&holders, now(), "", NOBODY);
	pthread_mutex_unlock(&mutex);
}

static void *slow(void *i)
{
	while (now() < begun + length) {
		take(1);
		slow_path(1, 0.024);
		give();
		outside(1, 0.006);
	}
	done = 1;
	end(1);
	return i;
}

/* The same, but no signal comes until others have waited for the lock. */
static void *slow_unseen(void *i)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	take(1);
	slow_path(1, 0.2);
	give();
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	length += now() - begun; /* the others never read it */
	return slow(i);
}

static void *fast(void *given)
{
	int i = (int)(long)given;

	while (!done) {
		take(i);
		quick(i, 0.0015 / (contenders - 1));
		give();
		rest(i, 0.002);
	}
	end(i);
	return NULL;
}

static void contend_with(void *first(void *))
{
	int n = threads_or(4);

	contenders = n < 4 ? n : 4;
	for (int i = contenders + 1; i <= n; i++)
		start(i, wait_for_ever);
	start(1, first);
	for (int i = 2; i <= contenders; i++)
		start(i, fast);
	for (int i = 1; i <= contenders; i++)
		await(i);
}

static void contend(void)
{
	contend_with(slow);
}

static void contend_unseen(void)
{
	contend_with(slow_unseen);
}

/* Three stages, of which the middle one is the slowest. */
static struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int n, all; /* how many members it has; no more will come */
	double at;  /* when it was changed */
} queue[2] = {
	{ .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER },
	{ .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER },
};

/* Adds a member, or removes one, if there is room or one: `whom` sees to that. False: there is none
 * and none will come. */
static int change(struct queue *q, int by, int i, int whom)
{
	struct history *h = &of[i];
	double since;
	int any;

	pthread_mutex_lock(&q->lock);
	since = now();
	note_at(h, since, "waits", whom);
	while (q->n == (by > 0 ? 4 : 0) && !(by < 0 && q->all))
		pthread_cond_wait(&q->changed, &q->lock);
	note_at(h, q->at > since ? q->at : since, "other", NOBODY);
	any = by > 0 || q->n > 0;
	q->n += any ? by : 0;
	q->at = now();
	pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
	return any;
}

static void finish(struct queue *q, int i)
{
	pthread_mutex_lock(&q->lock);
	q->all = 1;
	q->at = now();
	pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
	end(i);
}

static void *first_stage(void *i)
{
	while (now() < begun + length) {
		stage_one(1, 0.005);
		change(&queue[0], 1, 1, 2);
	}
	finish(&queue[0], 1);
	return i;
}

static void *second_stage(void *i)
{
	while (change(&queue[0], -1, 2, 1)) {
		stage_two(2, 0.020);
		change(&queue[1], 1, 2, 3);
	}
	finish(&queue[1], 2);
	return i;
}

static void *third_stage(void *i)
{
	while (change(&queue[1], -1, 3, 2))
		stage_three(3, 0.005);
	end(3);
	return i;
}

/* Other threads have nothing to do with it. */
static void pipeline(void)
{
	for (int i = 4; i <= threads; i++)
		start(i, wait_for_ever);
	start(1, first_stage);
	start(2, second_stage);
	start(3, third_stage);
	for (int i = 3; i > 0; i--)
		await(i);
}

/* Four shares of work, of which one is larger. Other threads have nothing to do with it. */
static void *share(void *given)
{
	int i = (int)(long)given;

	take_turn(i);
	if (i == 2)
		big_share(i, length * 0.8);
	else
		small_share(i, length * 0.3);
	end(i);
	return NULL;
}

static void join(void)
{
	int n = threads_or(4);

	threads = 4;
	start_all(4, share);
	for (int i = 5; i <= n; i++)
		start(i, wait_for_ever);
	give_turn();
	await_all();
}

/* Two threads that do nothing. */
__attribute__((noinline, noclone)) static void rest_a_while(void)
{
	long ns = (long)(length * 1e9);
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	while (nanosleep(&t, &t) != 0)
		sink++;
}

static void *wait_for_ever(void *i)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
	return i;
}

/* Sleeps for a fifth of a second, works a little, and so on. */
__attribute__((noinline, noclone)) static void *nap(void *i)
{
	const struct timespec a_while = { 0, 200000000 };

	for (;;) {
		nanosleep(&a_while, NULL);
		work(0.002, CLOCK_THREAD_CPUTIME_ID);
	}
	return i;
}

static void lie_down_beside_a_nap(void)
{
	start(1, nap);
	rest_a_while();
}

static void lie_down(void)
{
	start(1, wait_for_ever);
	rest_a_while();
}

/* Reckoning. */
static const char *const names[] = { "serial_part", "parallel_part", "slow_path", "outside",
				     "quick",       "rest",          "stage_one", "stage_two",
				     "stage_three", "small_share",   "big_share" };
enum { NAMES = sizeof(names) / sizeof(names[0]) };

static double critical[NAMES], elapsed[NAMES], blame[NAMES];
static double blamed; /* all that threads waited for the lock */
static int at[MOST_THREADS], holder_at;

static const struct piece *piece_at(const struct history *h, int *i, double when)
{
	while (*i + 1 < h->n && h->piece[*i + 1].from <= when)
		++*i;
	return *i < h->n && h->piece[*i].from <= when ? &h->piece[*i] : NULL;
}

/* The thread that a thread waits for; NOBODY: it runs, or is about to. */
static int awaited(int i, double when)
{
	const struct piece *piece = piece_at(&of[i], &at[i], when), *held;

	if (!piece)
		return i;
	if (piece->whom != BY_LOCK)
		return piece->whom;
	held = piece_at(&holders, &holder_at, when);
	return held ? held->whom : NOBODY;
}

static void add(double *to, int i, double s)
{
	for (int k = 0; k < NAMES; k++)
		if (strcmp(names[k], of[i].piece[at[i]].name) == 0)
			to[k] += s;
}

/* What a thread waits for the lock is that of the function in which another one has it. */
static void add_blame(int i, double when, double s)
{
	const struct piece *piece = of[i].n > 0 ? piece_at(&of[i], &at[i], when) : NULL;
	int whom = piece && piece->whom == BY_LOCK ? awaited(i, when) : NOBODY;

	if (whom < 0 || whom == i)
		return;
	blamed += s;
	piece_at(&of[whom], &at[whom], when);
	add(blame, whom, s);
}

static void reckon(double life)
{
	const double step = 0.00005;

	for (double when = begun; when < begun + life; when += step) {
		int runs[MOST_THREADS], n = 0, i = MAIN, whom;

		for (int k = 0; k < MOST_THREADS; k++)
			if (of[k].n > 0 && awaited(k, when) == NOBODY)
				runs[n++] = k;
		for (int k = 0; k < n; k++)
			add(elapsed, runs[k], step / n);
		for (int k = 0; k < MOST_THREADS; k++)
			add_blame(k, when, step);
		for (int hops = 0; hops < 8 && (whom = awaited(i, when)) >= 0 && whom != i; hops++)
			i = whom;
		if (awaited(i, when) == NOBODY)
			add(critical, i, step);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = { { "serial", serial },
		      { "mutex", contend },
		      { "unseen", contend_unseen },
		      { "pipeline", pipeline },
		      { "join", join },
		      { "phases", phases },
		      { "sleep", lie_down },
		      { "nap", lie_down_beside_a_nap } };
	double life;

	if (argc != 3 && argc != 4)
		return 2;
	length = atof(argv[2]) / 1000;
	threads = argc == 4 ? atoi(argv[3]) : 0;
	if (threads < 0 || threads >= MOST_THREADS)
		return 2;
	for (int i = 0; i < MOST_THREADS; i++)
		of[i].piece = malloc(sizeof(struct piece) * MOST_PIECES);
	holders.piece = malloc(sizeof(struct piece) * MOST_PIECES);
	begun = now();
	note(MAIN, "other", NOBODY);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			modes[i].run();
	life = now() - begun;
	reckon(life);
	for (int i = 0; i < NAMES; i++)
		if (critical[i] + elapsed[i] > 0)
			printf("TRUE critical %s %.3f\nTRUE elapsed %s %.3f\n", names[i],
			       critical[i], names[i], elapsed[i]);
	for (int i = 0; i < NAMES; i++)
		if (blame[i] > 0)
			printf("TRUE blame %s %.3f\n", names[i], blame[i]);
	printf("BLAMED %.3f\nALL %.3f\n", blamed, now() - begun);
	return 0;
}
