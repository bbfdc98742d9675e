/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits time and memory with setrlimit(), counted from what the process has used so far, and
 * wall-clock time with a timer. */
#include "config.h"

#include "io/image/limits.h"

#include "io/file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECONDS = 120, BYTES_A_SECOND = 1 << 20, TIMES = 64, WALL_TIMES = 5 };

#define LEAST_MEMORY (UINT64_C(4) << 30)

/* Sanitizers reserve terabytes of address space, so memory cannot be limited. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || UINTPTR_MAX <= UINT32_MAX
#define LIMITS_MEMORY false
#else
#define LIMITS_MEMORY true
#endif

/* Lowers a limit to `most`; false if it is that low already. */
static bool limits_lower(int resource, uint64_t most, struct rlimit *old)
{
	struct rlimit now;

	if (getrlimit(resource, old) < 0 || (uint64_t)old->rlim_cur <= most)
		return false;
	now = *old;
	now.rlim_cur = (rlim_t)most;
	return setrlimit(resource, &now) == 0;
}

static uint64_t limits_seconds_used(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
}

/* Returns the bytes of address space in use; 0: not known. */
static uint64_t limits_memory_used(void)
{
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char text[32];
	ssize_t n;

	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t limits_file_bytes(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? file_weight(&st) : 0;
}

static uint64_t limits_seconds_for(uint64_t bytes)
{
	return SECONDS + bytes / BYTES_A_SECOND;
}

static void limits_set(struct limits *limits)
{
	limits->has_cpu = limits_lower(RLIMIT_CPU, limits->most_seconds, &limits->cpu);
	limits->has_memory = limits->most_bytes > 0 &&
			     limits_lower(RLIMIT_AS, limits->most_bytes, &limits->memory);
}

struct limits limits_begin(const char *path)
{
	uint64_t file_bytes = limits_file_bytes(path);
	uint64_t used = LIMITS_MEMORY ? limits_memory_used() : 0;
	struct limits limits = { .most_seconds =
					 limits_seconds_used() + limits_seconds_for(file_bytes) };

	if (used > 0)
		limits.most_bytes = used + LEAST_MEMORY + TIMES * file_bytes;
	limits_set(&limits);
	return limits;
}

void limits_end(const struct limits *limits)
{
	if (limits->has_cpu)
		setrlimit(RLIMIT_CPU, &limits->cpu);
	if (limits->has_memory)
		setrlimit(RLIMIT_AS, &limits->memory);
}

void limits_pause(struct limits *limits)
{
	limits_end(limits);
	limits->seconds = limits_seconds_used();
	limits->bytes = limits_memory_used();
}

void limits_resume(struct limits *limits)
{
	uint64_t bytes = limits_memory_used();
	uint64_t more = bytes > limits->bytes ? bytes - limits->bytes : 0;

	if (limits->most_seconds == 0)
		return;
	limits->most_seconds += limits_seconds_used() - limits->seconds + more / BYTES_A_SECOND;
	if (limits->most_bytes > 0)
		limits->most_bytes += TIMES * more;
	limits_set(limits);
}

struct deadline limits_deadline_begin_seconds(uint64_t seconds)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGVTALRM };
	const struct itimerspec when = { .it_value.tv_sec = (time_t)seconds };
	struct deadline deadline;

	deadline.is_set = timer_create(CLOCK_MONOTONIC, &event, &deadline.timer) == 0;
	if (deadline.is_set)
		timer_settime(deadline.timer, 0, &when, NULL);
	return deadline;
}

struct deadline limits_deadline_begin(const char *path)
{
	return limits_deadline_begin_seconds(WALL_TIMES *
					     limits_seconds_for(limits_file_bytes(path)));
}

void limits_deadline_end(const struct deadline *deadline)
{
	if (deadline->is_set)
		timer_delete(deadline->timer);
}
