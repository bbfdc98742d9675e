/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * waiters MS WORK: eight threads, of which each waits about MS milliseconds in each of seven calls,
 * and works for WORK milliseconds between. Prints what it has measured itself:
 *
 *   WAIT FUNCTION US     what passed in its calls, but for the time that they ran or could have
 * run, of all threads BROKEN N             calls that returned -1, or something else than they
 * should
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, WAYS = 7, MS = 1000000 };

static long wait_ms, work_ms;
static atomic_long broken;
static atomic_ullong waited[WAYS];

/* What the calls of a thread wait for. */
struct waiter {
	int pipe[2], epoll, schedstat;
	pthread_t feeder;
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	volatile unsigned sink;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* How long the thread has been without a reason to run. */
static uint64_t idle(int schedstat)
{
	char line[128];
	ssize_t n = pread(schedstat, line, sizeof(line) - 1, 0);
	unsigned long long queued = 0;

	line[n > 0 ? n : 0] = '\0';
	sscanf(line, "%*u %llu", &queued);
	return now() - clock_ns(CLOCK_THREAD_CPUTIME_ID) - queued;
}

__attribute__((noinline)) static int way_nanosleep(struct waiter *w)
{
	struct timespec t = { wait_ms / 1000, wait_ms % 1000 * MS };

	w->sink++;
	return nanosleep(&t, NULL) == 0;
}

__attribute__((noinline)) static int way_usleep(struct waiter *w)
{
	w->sink++;
	return usleep((useconds_t)wait_ms * 1000) == 0;
}

__attribute__((noinline)) static int way_poll(struct waiter *w)
{
	struct pollfd fd = { w->pipe[0], POLLIN, 0 };

	w->sink++;
	return poll(&fd, 1, (int)wait_ms) == 0;
}

__attribute__((noinline)) static int way_epoll(struct waiter *w)
{
	struct epoll_event event;

	w->sink++;
	return epoll_wait(w->epoll, &event, 1, (int)wait_ms) == 0;
}

__attribute__((noinline)) static int way_select(struct waiter *w)
{
	struct timeval t = { wait_ms / 1000, wait_ms % 1000 * 1000 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(w->pipe[0], &set);
	w->sink++;
	return select(w->pipe[0] + 1, &set, NULL, NULL, &t) == 0;
}

__attribute__((noinline)) static int way_condition(struct waiter *w)
{
	struct timespec t;
	int result;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += wait_ms % 1000 * MS;
	t.tv_sec += wait_ms / 1000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	pthread_mutex_lock(&w->mutex);
	result = pthread_cond_timedwait(&w->condition, &w->mutex, &t);
	pthread_mutex_unlock(&w->mutex);
	w->sink++;
	return result == ETIMEDOUT;
}

/* The other end of the pipe: as long as the rest. */
static void *feed(void *given)
{
	struct waiter *w = given;
	struct timespec t = { wait_ms / 1000, wait_ms % 1000 * MS };

	nanosleep(&t, NULL);
	return (void *)(write(w->pipe[1], "", 1) - 1);
}

/* Far from where its caller is. */
__attribute__((noinline)) static int way_read(struct waiter *w)
{
	char room[20000], *end = room + sizeof(room) - 1;
	void *result;
	int done;

	w->sink++;
	pthread_create(&w->feeder, NULL, feed, w);
	done = read(w->pipe[0], end, 1) == 1;
	pthread_join(w->feeder, &result);
	return done && !result;
}

__attribute__((noinline)) static void work(struct waiter *w)
{
	uint64_t end = now() + (uint64_t)work_ms * MS;

	while (now() < end)
		w->sink++;
}

static int (*const ways[WAYS])(struct waiter *) = {
	way_nanosleep, way_usleep, way_poll, way_epoll, way_select, way_condition, way_read,
};
static const char *const names[WAYS] = {
	"way_nanosleep", "way_usleep",    "way_poll", "way_epoll",
	"way_select",    "way_condition", "way_read",
};

__attribute__((noinline)) static void wait_by(struct waiter *w, int way)
{
	uint64_t begin = idle(w->schedstat);

	if (!ways[way](w))
		broken++;
	waited[way] += idle(w->schedstat) - begin;
	w->sink++;
}

static void *live(void *given)
{
	struct waiter *w = given;
	int others = (int)(w->sink % WAYS);

	w->schedstat = open("/proc/thread-self/schedstat", O_RDONLY);
	w->epoll = epoll_create1(0);
	if (pipe(w->pipe))
		abort();
	for (int i = 0; i < WAYS; i++) {
		wait_by(w, (i + others) % WAYS);
		work(w);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static struct waiter waiters[THREADS];
	pthread_t thread[THREADS];

	wait_ms = argc > 1 ? atol(argv[1]) : 100;
	work_ms = argc > 2 ? atol(argv[2]) : 10;
	for (int i = 0; i < THREADS; i++) {
		waiters[i].sink = (unsigned)i;
		pthread_mutex_init(&waiters[i].mutex, NULL);
		pthread_cond_init(&waiters[i].condition, NULL);
		pthread_create(&thread[i], NULL, live, &waiters[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < WAYS; i++)
		printf("WAIT %s %llu\n", names[i], waited[i] / 1000);
	printf("BROKEN %ld\n", broken);
	return 0;
}
