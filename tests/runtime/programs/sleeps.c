/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sleeps in every system call that a signal would end, SA_RESTART or not, while another thread uses
 * CPU time and is sampled. Prints the calls that were interrupted.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

enum { NAP_MS = 60, NAP_NS = NAP_MS * 1000000, SECOND_NS = 1000000000 };

static volatile bool done;
static int ninterrupted;

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void *be_busy(void *argument)
{
	while (!done)
		leaf();
	return argument;
}

UNCOUNTED static void slept(const char *call, int result)
{
	if (result < 0 && errno == EINTR) {
		ninterrupted++;
		printf("%s was interrupted\n", call);
	}
}

APART void nap(void)
{
	const struct timespec time = { 0, NAP_NS };
	struct timeval timeout = { 0, NAP_NS / 1000 };
	struct timespec end;
	struct epoll_event event;
	struct pollfd none;
	sem_t semaphore;
	int pair[2];
	char byte;
	pid_t pid;

	slept("nanosleep", nanosleep(&time, NULL));
	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
	slept("clock_nanosleep", errno ? -1 : 0);
	slept("usleep", usleep(NAP_NS / 1000));
	slept("poll", poll(&none, 0, NAP_MS));
	slept("select", select(0, NULL, NULL, NULL, &timeout));
	slept("epoll_wait", epoll_wait(epoll_create1(0), &event, 1, NAP_MS));
	sem_init(&semaphore, 0, 0);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += (end.tv_nsec + NAP_NS) / SECOND_NS;
	end.tv_nsec = (end.tv_nsec + NAP_NS) % SECOND_NS;
	slept("sem_timedwait", sem_timedwait(&semaphore, &end));
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	timeout = (struct timeval){ 0, NAP_NS / 1000 };
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	slept("recv", (int)recv(pair[0], &byte, 1, 0));
	pid = fork();
	if (!pid) {
		usleep(NAP_NS / 1000);
		_exit(write(pair[1], "x", 1) != 1);
	}
	slept("read", (int)read(pair[0], &byte, 1));
	slept("waitpid", waitpid(pid, NULL, 0));
}

int main(void)
{
	pthread_t thread;

	leaf();
	if (pthread_create(&thread, NULL, be_busy, NULL))
		return 99;
	nap();
	done = true;
	pthread_join(thread, NULL);
	return ninterrupted;
}
