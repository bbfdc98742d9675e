/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Says all that a program can see of its signals: what it finds, sets, blocks, waits for, gets and
 * hands on. Alone and recorded it says the same. guest-signals seen: only what it finds.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { SIGNALS = 65, NS_MS = 1000000 };

extern char **environ;
static volatile sig_atomic_t got, got_code;

static void on_signal(int signal)
{
	got = signal;
}

static void on_info(int signal, siginfo_t *info, void *context)
{
	got = context ? signal : 0;
	got_code = info->si_code;
}

/* Where many ticks come. */
static void use_ms(long ms)
{
	clock_t start = clock();

	while (clock() - start < ms * (CLOCKS_PER_SEC / 1000))
		;
}

/* The C library keeps two or three signals for itself. */
static bool is_usual(int signal)
{
	return signal != SIGKILL && signal != SIGSTOP && (signal < 32 || signal >= SIGRTMIN);
}

static void say_set(const char *what, const sigset_t *set)
{
	printf("%s:", what);
	for (int i = 1; i < SIGNALS; i++)
		if (is_usual(i) && sigismember(set, i) == 1)
			printf(" %d", i);
	putchar('\n');
}

static const char *name_of(void (*handler)(int))
{
	return handler == SIG_DFL ? "default" : handler == SIG_IGN ? "ignored" : "a handler";
}

static void say_found(void)
{
	struct sigaction now;
	sigset_t set;

	for (int i = 1; i < SIGNALS; i++)
		if (is_usual(i) && !sigaction(i, NULL, &now) &&
		    (now.sa_handler != SIG_DFL || now.sa_flags))
			printf("finds %d: %s, flags %x\n", i, name_of(now.sa_handler),
			       (unsigned)now.sa_flags);
	sigprocmask(SIG_SETMASK, NULL, &set);
	say_set("finds blocked", &set);
	sigpending(&set);
	say_set("finds pending", &set);
	fflush(stdout);
}

static void say_action(const char *what, int signal)
{
	struct sigaction now;

	memset(&now, 0, sizeof(now));
	sigaction(signal, NULL, &now);
	printf("%s %d: %s, flags %x, ", what, signal,
	       now.sa_handler == on_signal || now.sa_sigaction == on_info ? "its own"
									  : name_of(now.sa_handler),
	       (unsigned)now.sa_flags);
	say_set("mask", &now.sa_mask);
}

/* Sets, asks and restores in each of the ways that there are. */
static void set_signal(int number)
{
	struct sigaction action, before;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_info;
	action.sa_flags = SA_SIGINFO | SA_RESTART;
	sigfillset(&action.sa_mask);
	sigaction(number, &action, &before);
	printf("before: %s\n", name_of(before.sa_handler));
	say_action("sigaction", number);
	raise(number);
	printf("raised: %d, %d\n", got, got_code);
	kill(getpid(), number);
	printf("sent: %d, %d\n", got, got_code);
	got = 0;
	printf("signal: %s\n", name_of(signal(number, on_signal)));
	say_action("signal", number);
	raise(number);
	siginterrupt(number, 1);
	say_action("siginterrupt", number);
	siginterrupt(number, 0);
	printf("raised: %d, sigset: %d\n", got, sigset(number, SIG_HOLD) == on_signal);
	raise(number);
	printf("held: %d\n", sigset(number, on_signal) == SIG_HOLD);
	say_action("sigset", number);
	sigignore(number);
	raise(number);
	say_action("sigignore", number);
	action.sa_flags = SA_SIGINFO | (int)SA_RESETHAND | SA_NODEFER;
	sigaction(number, &action, NULL);
	raise(number);
	say_action("reset", number);
	sigaction(number, &before, NULL);
	say_action("restored", number);
}

static void *begin_thread(void *argument)
{
	sigset_t set;

	pthread_sigmask(SIG_BLOCK, NULL, &set);
	say_set("a thread finds blocked", &set);
	use_ms(30);
	return argument;
}

static void wait_by_descriptor(const sigset_t *all)
{
	struct signalfd_siginfo read_info;
	int fd = signalfd(-1, all, SFD_NONBLOCK);

	use_ms(30);
	printf("signalfd: %zd\n", read(fd, &read_info, sizeof(read_info)));
	raise(SIGUSR2);
	printf("signalfd: %zd,", read(fd, &read_info, sizeof(read_info)));
	printf(" %u\n", read_info.ssi_signo);
	close(fd);
}

/* With all signals blocked, and these while it waits. */
static void wait_with_mask(const sigset_t *before)
{
	const struct timespec moment = { 0, 20 * NS_MS };
	struct pollfd none = { -1, 0, 0 };
	struct epoll_event event;
	sigset_t now;
	int list = epoll_create1(0);

	raise(SIGUSR2);
	signal(SIGUSR2, on_signal);
	sigfillset(&now);
	sigdelset(&now, SIGUSR2);
	printf("sigsuspend: %d, %d\n", sigsuspend(&now), got == SIGUSR2);
	printf("ppoll: %d\n", ppoll(&none, 1, &moment, before));
	printf("pselect: %d\n", pselect(0, NULL, NULL, NULL, &moment, before));
	printf("epoll_pwait: %d\n", epoll_pwait(list, &event, 1, 20, before));
	close(list);
}

/* Blocks all, uses time, and waits in each of the ways that there are. */
static void wait_blocked(void)
{
	const struct timespec moment = { 0, 20 * NS_MS };
	sigset_t all, before, now;
	siginfo_t info;
	pthread_t thread;
	int number = 0;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	say_set("was blocked", &before);
	sigprocmask(SIG_BLOCK, NULL, &now);
	say_set("is blocked", &now);
	pthread_create(&thread, NULL, begin_thread, NULL);
	pthread_join(thread, NULL);
	use_ms(50);
	sigpending(&now);
	say_set("pending", &now);
	printf("nothing: %d", sigtimedwait(&all, &info, &moment));
	printf(", %d\n", errno);
	raise(SIGUSR1);
	use_ms(30);
	sigpending(&now);
	say_set("pending", &now);
	printf("sigwait: %d, ", sigwait(&all, &number));
	printf("%d\n", number);
	raise(SIGPROF);
	printf("sigwaitinfo: %d\n", sigwaitinfo(&all, &info));
	wait_by_descriptor(&all);
	wait_with_mask(&before);
	sigprocmask(SIG_SETMASK, &before, &now);
	say_set("was blocked", &now);
	signal(SIGUSR2, SIG_DFL);
}

/* The same by another program, which prints what it finds. */
static void hand_on(const char *own)
{
	char *const words[] = { (char *)own, "seen", NULL };
	posix_spawnattr_t attributes;
	char command[4096];
	sigset_t set;
	pid_t child;

	fflush(stdout);
	if (posix_spawn(&child, own, NULL, NULL, words, environ) == 0)
		waitpid(child, NULL, 0);
	posix_spawnattr_init(&attributes);
	sigfillset(&set);
	posix_spawnattr_setsigdefault(&attributes, &set);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	if (posix_spawn(&child, own, NULL, &attributes, words, environ) == 0)
		waitpid(child, NULL, 0);
	snprintf(command, sizeof(command), "%s seen", own);
	if (system(command))
		puts("system fails");
	child = fork();
	if (child == 0) {
		say_found();
		execv(own, words);
		_exit(99);
	}
	waitpid(child, NULL, 0);
	child = vfork();
	if (child == 0) {
		execv(own, words);
		_exit(99);
	}
	waitpid(child, NULL, 0);
}

/* A timer of the program's own, as profilers inside programs have. */
static void count_ticks(void)
{
	const struct itimerval often = { { 0, 10000 }, { 0, 10000 } },
			       never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_info;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGPROF, &action, NULL);
	got = got_code = 0;
	setitimer(ITIMER_PROF, &often, NULL);
	use_ms(60);
	setitimer(ITIMER_PROF, &never, NULL);
	printf("own timer: %d, %x\n", got, (unsigned)got_code);
	signal(SIGPROF, SIG_DFL);
}

int main(int argc, char **argv)
{
	const int signals[] = {
		SIGPROF,   SIGTERM, SIGINT, SIGHUP, SIGQUIT,
		SIGUSR1,   SIGUSR2, SIGBUS, SIGURG, SIGRTMAX,
#ifdef SIGSTKFLT
		SIGSTKFLT,
#endif
	};
	sigset_t all;

	say_found();
	if (argc > 1)
		return 3;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		set_signal(signals[i]);
		use_ms(5);
	}
	wait_blocked();
	count_ticks();
	hand_on(argv[0]);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], i % 2 ? on_signal : SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	hand_on(argv[0]);
	use_ms(20);
	execv(argv[0], (char *const[]){ argv[0], "seen", NULL });
	return 99;
}
