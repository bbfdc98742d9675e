/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that wait for descriptors of all sorts, each in a function of its own, for 0.6 s
 * together. Prints the functions whose wait could not be set up: "LEFT OUT name".
 *
 *     awaits [NAME [MILLISECONDS]]     only one of them; for how long
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TIME_US = 600000, LONG_MS = 60000, ROOM = 4096 };

#define ALONE __attribute__((noinline, noclone)) static

/* A descriptor of each sort; -1: there is none. */
static int emptied[2], filled[2], pair[2], port, terminal, event, locked, polled[2];

static volatile long result;

ALONE void read_pipe(void)
{
	char byte;

	result = read(emptied[0], &byte, 1);
}

ALONE void write_pipe(void)
{
	result = write(filled[1], "", 1);
}

ALONE void receive_local(void)
{
	char byte;

	result = recv(pair[0], &byte, 1, 0);
}

ALONE void accept_network(void)
{
	result = accept(port, NULL, NULL);
}

ALONE void read_terminal(void)
{
	char byte;

	result = read(terminal, &byte, 1);
}

ALONE void read_event(void)
{
	eventfd_t value;

	result = eventfd_read(event, &value);
}

ALONE void poll_pipe(void)
{
	struct pollfd of = { .fd = polled[0], .events = POLLIN };

	result = poll(&of, 1, LONG_MS);
}

ALONE void poll_both(void)
{
	struct pollfd of[] = { { .fd = emptied[0], .events = POLLIN },
			       { .fd = port, .events = POLLIN } };

	result = poll(of, 2, LONG_MS);
}

/* As programs do that wake up their threads. */
ALONE void poll_network(void)
{
	struct pollfd of[] = { { .fd = port, .events = POLLIN },
			       { .fd = event, .events = POLLIN },
			       { .fd = pair[1], .events = POLLIN } };

	result = poll(of, 3, LONG_MS);
}

ALONE void lock_file(void)
{
	int other = open("locked", O_RDWR);

	result = flock(other, LOCK_EX);
}

static void fill(int descriptor)
{
	static const char zeros[ROOM];

	fcntl(descriptor, F_SETFL, O_NONBLOCK);
	while (write(descriptor, zeros, sizeof(zeros)) > 0)
		;
	fcntl(descriptor, F_SETFL, 0);
}

static int open_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int made = socket(AF_INET, SOCK_STREAM, 0);

	return made >= 0 && bind(made, (struct sockaddr *)&address, sizeof(address)) == 0 &&
			       listen(made, 1) == 0
		       ? made
		       : -1;
}

static int open_terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);

	return master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0
		       ? open(ptsname(master), O_RDWR | O_NOCTTY)
		       : -1;
}

struct task {
	void (*run)(void);
	const char *name;
	const int *descriptor;
};

static void *begin(void *task)
{
	((const struct task *)task)->run();
	return NULL;
}

int main(int argc, char **argv)
{
	static const struct task tasks[] = {
		{ read_pipe, "read_pipe", emptied },
		{ write_pipe, "write_pipe", filled },
		{ receive_local, "receive_local", pair },
		{ accept_network, "accept_network", &port },
		{ read_terminal, "read_terminal", &terminal },
		{ read_event, "read_event", &event },
		{ poll_pipe, "poll_pipe", polled },
		{ poll_both, "poll_both", &port },
		{ poll_network, "poll_network", &port },
		{ lock_file, "lock_file", &locked },
	};
	pthread_t thread;

	if (pipe(emptied) != 0 || pipe(filled) != 0 || pipe(polled) != 0)
		return 1;
	fill(filled[1]);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		pair[0] = -1;
	port = open_port();
	terminal = open_terminal();
	event = eventfd(0, 0);
	locked = open("locked", O_RDWR | O_CREAT, 0600);
	if (locked >= 0 && flock(locked, LOCK_EX) != 0)
		locked = -1;
	for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++) {
		if (argc > 1 && strcmp(argv[1], tasks[i].name) != 0)
			continue;
		if (*tasks[i].descriptor < 0)
			printf("LEFT OUT %s\n", tasks[i].name);
		else if (pthread_create(&thread, NULL, begin, (void *)&tasks[i]) != 0)
			return 1;
	}
	usleep(argc > 2 ? (unsigned)atoi(argv[2]) * 1000 : TIME_US);
	exit(0);
}
