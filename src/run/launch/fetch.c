/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packets of a socket: a request is struct fetch_request, as far as it is needed; an answer is a
 * byte, enum fetch_result, and for a source file the path of its copy. libdebuginfod calls back at
 * least once a second while it waits, which is when the limits of time and size and Ctrl-C are
 * seen.
 */
#include "config.h"

#include "run/launch/fetch.h"

#include "io/image/debug_places.h"
#include "io/source.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if HAVE_DEBUGINFOD
#include <dlfcn.h>

/* Bytes of a build id, and of a file unless DEBUGINFOD_MAXSIZE says so. */
enum { ID_BYTES = 64 };
#define MOST_BYTES INT64_C(2000000000)

struct fetch_request {
	unsigned char nid, id[ID_BYTES];
	char name[PATH_MAX]; /* of a source file; "": the debug file is wanted */
};

struct fetch_answer {
	unsigned char result;
	char path[PATH_MAX];
};

/* Types of libdebuginfod, as in debuginfod_find_debuginfo(3). */
struct debuginfod_client;
typedef int fetch_progress(struct debuginfod_client *client, long done, long total);

struct fetch_library {
	struct debuginfod_client *(*begin)(void);
	int (*find)(struct debuginfod_client *, const unsigned char *id, int n, char **path);
	int (*find_source)(struct debuginfod_client *, const unsigned char *id, int n,
			   const char *name, char **path);
	void (*set_progress)(struct debuginfod_client *, fetch_progress *);
	void (*set_data)(struct debuginfod_client *, void *);
};

/* The process's own data; libdebuginfod hands it to the function that it calls back. */
struct fetch_work {
	struct fetch_library library;
	struct debuginfod_client *client;
	struct progress *progress;
	const char *cache;
	unsigned seconds;
	int64_t most, most_asked; /* bytes: of this file; what DEBUGINFOD_MAXSIZE says, or 0 */
	time_t begun;
	enum fetch_result stopped; /* FETCH_GOT: not stopped */
};

/* Whether Ctrl-C was typed: the signal is blocked and stays pending, for all files after this one.
 */
static bool fetch_is_skipped(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1;
}

static time_t fetch_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Called back while a file is fetched. Returns whether to stop. */
static int fetch_watch(struct debuginfod_client *client, long done, long total)
{
	void *(*data)(struct debuginfod_client *) =
		(__typeof__(data))dlsym(RTLD_DEFAULT, "debuginfod_get_user_data");
	struct fetch_work *w = data ? data(client) : NULL;

	if (!w)
		return 1;
	if (w->progress && total > 0)
		w->progress->total = (size_t)total;
	if (total > 0 && done > 0)
		progress_at(w->progress, (size_t)done);
	if (fetch_is_skipped())
		w->stopped = FETCH_SKIPPED;
	else if (fetch_now() - w->begun >= (time_t)w->seconds)
		w->stopped = FETCH_LATE;
	else if (done > w->most || total > w->most)
		w->stopped = FETCH_LARGE;
	return w->stopped != FETCH_GOT;
}

/* Loads the library. Returns whether it has all that is needed. */
static bool fetch_load(struct fetch_work *w)
{
	struct fetch_library *l = &w->library;
	void *handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_GLOBAL);

	if (!handle)
		return false;
	l->begin = (__typeof__(l->begin))dlsym(handle, "debuginfod_begin");
	l->find = (__typeof__(l->find))dlsym(handle, "debuginfod_find_debuginfo");
	l->find_source = (__typeof__(l->find_source))dlsym(handle, "debuginfod_find_source");
	l->set_progress = (__typeof__(l->set_progress))dlsym(handle, "debuginfod_set_progressfn");
	l->set_data = (__typeof__(l->set_data))dlsym(handle, "debuginfod_set_user_data");
	if (!l->begin || !l->find || !l->find_source || !l->set_progress || !l->set_data)
		return false;
	w->client = l->begin();
	if (!w->client)
		return false;
	l->set_data(w->client, w);
	l->set_progress(w->client, fetch_watch);
	return true;
}

/* Removes the empty file that marks what no server has: the library leaves one if it was stopped,
 * too, and would not ask again for ten minutes. */
static void fetch_forget(const struct fetch_work *w, const struct fetch_request *asked)
{
	const struct debug_places places = { .cache = w->cache };
	struct stat st;

	for (size_t i = 0; i < 2; i++) {
		char *path = *asked->name ? debug_places_source(&places, i, asked->id, asked->nid,
								asked->name)
					  : debug_places_by_id(&places, 1, asked->id, asked->nid);

		if (path && lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
			unlink(path);
		free(path);
	}
}

static enum fetch_result fetch_why(const struct fetch_work *w, int found)
{
	if (w->stopped != FETCH_GOT)
		return w->stopped;
	return found == -ENOENT                         ? FETCH_UNKNOWN
	       : found == -ETIME || found == -ETIMEDOUT ? FETCH_LATE
	       : found == -EFBIG                        ? FETCH_LARGE
							: FETCH_FAILED;
}

/* Fetches what is asked for. Returns a descriptor, or less than 0, as libdebuginfod does. */
static int fetch_find(struct fetch_work *w, const struct fetch_request *asked, char **path)
{
	int64_t usual = *asked->name ? SOURCE_COPY_BYTES : MOST_BYTES;

	w->begun = fetch_now();
	w->stopped = FETCH_GOT;
	w->most = w->most_asked > 0 && (w->most_asked < usual || !*asked->name) ? w->most_asked
										: usual;
	if (*asked->name)
		return w->library.find_source(w->client, asked->id, asked->nid, asked->name, path);
	return w->library.find(w->client, asked->id, asked->nid, path);
}

static enum fetch_result fetch_one(struct fetch_work *w, const struct fetch_request *asked,
				   struct fetch_answer *answer)
{
	char *path = NULL;
	int found;

	if (fetch_is_skipped())
		return FETCH_SKIPPED;
	if (!w->client && !fetch_load(w))
		return FETCH_ABSENT;
	found = fetch_find(w, asked, &path);
	if (found >= 0) {
		close(found);
		if (*asked->name && path && strlen(path) < sizeof(answer->path))
			strcpy(answer->path, path);
		free(path);
		return FETCH_GOT;
	}
	if (w->stopped != FETCH_GOT || found != -ENOENT)
		fetch_forget(w, asked);
	return fetch_why(w, found);
}

/* What the client gives up by itself, if it does not call back. */
static void fetch_set_limits(struct fetch_work *w)
{
	const char *most = getenv("DEBUGINFOD_MAXSIZE");
	char text[32];

	w->most_asked = most && *most ? strtoll(most, NULL, 10) : 0;
	snprintf(text, sizeof(text), "%u", w->seconds);
	setenv("DEBUGINFOD_TIMEOUT", text, 1);
	setenv("DEBUGINFOD_MAXTIME", text, 1);
	unsetenv("DEBUGINFOD_PROGRESS");
	unsetenv("DEBUGINFOD_VERBOSE");
}

/* What the process does: answers until the other end of the socket is closed. */
static void fetch_serve(int fd, struct fetch_work *w)
{
	struct fetch_request asked = { 0 };

	fetch_set_limits(w);
	while (recv(fd, &asked, sizeof(asked), 0) > 0) {
		struct fetch_answer answer = { 0 };
		size_t n;

		answer.result = (unsigned char)fetch_one(w, &asked, &answer);
		n = offsetof(struct fetch_answer, path) + strlen(answer.path) + 1;
		if (send(fd, &answer, n, MSG_NOSIGNAL) != (ssize_t)n)
			break;
		asked = (struct fetch_request){ 0 };
	}
}

/* Forks the process. It holds Ctrl-C back from its start on. Returns 0 in it, when it is to end. */
static pid_t fetch_fork(int fds[2], struct fetch_work *w)
{
	pid_t parent = getpid(), child;
	sigset_t typed, before;

	sigemptyset(&typed);
	sigaddset(&typed, SIGINT);
	sigprocmask(SIG_BLOCK, &typed, &before);
	child = fork();
	if (child == 0) {
		close(fds[0]);
		signal(SIGINT, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			fetch_serve(fds[1], w);
		return 0;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(fds[1]);
	return child;
}

bool fetch_begin(struct fetch *f, unsigned seconds, const char *cache, struct progress *progress)
{
	struct fetch_work work = { .progress = progress, .cache = cache, .seconds = seconds };
	int fds[2];

	*f = (struct fetch){ .fd = -1, .seconds = seconds };
	if (seconds == 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return true;
	f->pid = fetch_fork(fds, &work);
	f->fd = fds[0];
	return f->pid != 0;
}

/* Waits for the answer; a process that does not keep the limit is ended. */
static enum fetch_result fetch_wait(struct fetch *f, struct fetch_answer *answer)
{
	enum { SLACK_MS = 5000 };
	struct pollfd readable = { .fd = f->fd, .events = POLLIN };
	int ready;

	do
		ready = poll(&readable, 1, (int)f->seconds * 1000 + SLACK_MS);
	while (ready < 0 && errno == EINTR);
	if (ready > 0 && recv(f->fd, answer, sizeof(*answer), 0) > 0) {
		answer->path[sizeof(answer->path) - 1] = '\0';
		return answer->result;
	}
	if (f->pid > 0)
		kill(f->pid, SIGKILL);
	close(f->fd);
	f->fd = -1;
	return ready == 0 ? FETCH_LATE : FETCH_FAILED;
}

/* Has a file fetched: the debug file if `name` is "". */
static enum fetch_result fetch_ask(struct fetch *f, const unsigned char *id, size_t n,
				   const char *name, struct fetch_answer *answer)
{
	enum fetch_result result = FETCH_FAILED;
	struct fetch_request asked = { .nid = (unsigned char)n };
	size_t size = offsetof(struct fetch_request, name) + strlen(name) + 1;
	void (*before)(int);

	*answer = (struct fetch_answer){ 0 };
	if (f->fd < 0 || n == 0 || n > ID_BYTES || strlen(name) >= sizeof(asked.name))
		return FETCH_FAILED;
	memcpy(asked.id, id, n);
	strcpy(asked.name, name);
	before = signal(SIGINT, SIG_IGN);
	if (send(f->fd, &asked, size, MSG_NOSIGNAL) == (ssize_t)size)
		result = fetch_wait(f, answer);
	signal(SIGINT, before);
	return result;
}

enum fetch_result fetch_debug(struct fetch *f, const unsigned char *id, size_t n)
{
	struct fetch_answer answer;

	return fetch_ask(f, id, n, "", &answer);
}

enum fetch_result fetch_source(struct fetch *f, const unsigned char *id, size_t n, const char *name,
			       char **path)
{
	struct fetch_answer answer;
	enum fetch_result result = fetch_ask(f, id, n, name, &answer);

	*path = result == FETCH_GOT && *answer.path ? strdup(answer.path) : NULL;
	return result;
}
#else
bool fetch_begin(struct fetch *f, unsigned seconds, const char *cache, struct progress *progress)
{
	(void)cache;
	(void)progress;
	*f = (struct fetch){ .fd = -1, .seconds = seconds };
	return true;
}

enum fetch_result fetch_debug(struct fetch *f, const unsigned char *id, size_t n)
{
	(void)f;
	(void)id;
	(void)n;
	return FETCH_ABSENT;
}

enum fetch_result fetch_source(struct fetch *f, const unsigned char *id, size_t n, const char *name,
			       char **path)
{
	(void)name;
	*path = NULL;
	return fetch_debug(f, id, n);
}
#endif
