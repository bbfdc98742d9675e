/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls functions in an order that is that of neither their addresses nor their names, and prints
 * it: each notes its own first call.
 *
 * first-calls THREADS [backwards]   in so many threads by turns, or in main() if it is 1;
 * backwards: half of them
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define UNSEEN __attribute__((no_instrument_function))

enum { FUNCTIONS = 24, STEP = 7 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const char *noted[4 * FUNCTIONS];
static int nnoted, turn, threads;

UNSEEN static void note(const char *name)
{
	int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < nnoted && noted[i] != name; i++)
		;
	noted[i] = name;
	nnoted += i == nnoted;
	pthread_mutex_unlock(&lock);
}

#define FUNCTION(name, n)                                         \
	__attribute__((noinline)) static int inner_##name(int x)  \
	{                                                         \
		note(__func__);                                   \
		return x + (n);                                   \
	}                                                         \
	__attribute__((noinline)) static int name(int x)          \
	{                                                         \
		note(__func__);                                   \
		return (x & 1 ? inner_##name(x) : x) * ((n) + 2); \
	}

#define FUNCTIONS_OF(F) \
	F(kiwi, 0)      \
	F(ash, 1)       \
	F(zinc, 2)      \
	F(bay, 3)       \
	F(yew, 4)       \
	F(cedar, 5)     \
	F(xenon, 6)     \
	F(date, 7)      \
	F(willow, 8)    \
	F(elm, 9)       \
	F(violet, 10)   \
	F(fir, 11)      \
	F(umber, 12)    \
	F(gold, 13)     \
	F(tin, 14)      \
	F(hazel, 15)    \
	F(slate, 16)    \
	F(iris, 17)     \
	F(rose, 18)     \
	F(jade, 19)     \
	F(quartz, 20)   \
	F(lime, 21)     \
	F(pine, 22)     \
	F(moss, 23)

FUNCTIONS_OF(FUNCTION)

#define ENTRY(name, n) [n] = name,
static int (*const function[FUNCTIONS])(int) = { FUNCTIONS_OF(ENTRY) };

/* Waits for the K-th turn, and ends it. */
UNSEEN static void await(int k)
{
	pthread_mutex_lock(&lock);
	while (turn != k)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

UNSEEN static void pass(void)
{
	pthread_mutex_lock(&lock);
	turn++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* A thread's turns: each has its function twice, the second time with what that calls. */
static void *work(void *first)
{
	note(__func__);
	for (int k = (int)(size_t)first; k < 2 * FUNCTIONS; k += threads) {
		await(k);
		function[k * STEP % FUNCTIONS](k >= FUNCTIONS);
		pass();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[16];

	note(__func__);
	threads = atoi(argv[1]);
	if (argc > 2)
		for (int k = FUNCTIONS - 1; k >= 0; k -= 2)
			function[k](1);
	else if (threads == 1)
		work(NULL);
	for (int i = 0; i < threads && threads > 1; i++)
		pthread_create(&thread[i], NULL, work, (void *)(size_t)i);
	for (int i = 0; i < threads && threads > 1; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < nnoted; i++)
		puts(noted[i]);
	return 0;
}
