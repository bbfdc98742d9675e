/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds by setrlimit(), above what the process has already. */
#include "config.h"

#include "io/image/limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECONDS = 120, BYTES_A_SECOND = 1 << 20, TIMES = 64 };

#define LEAST_MEMORY (UINT64_C(4) << 30)

/* Sanitizers reserve terabytes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || UINTPTR_MAX <= UINT32_MAX
#define LIMITS_MEMORY false
#else
#define LIMITS_MEMORY true
#endif

/* Lowers a limit to `most`; false if it is as low as that. */
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

/* Bytes of address space, or 0 if that is not known. */
static uint64_t limits_memory_used(void)
{
	FILE *statm = fopen("/proc/self/statm", "re");
	uint64_t pages = 0;

	if (!statm)
		return 0;
	if (fscanf(statm, "%" SCNu64, &pages) != 1)
		pages = 0;
	fclose(statm);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

struct limits limits_begin(const char *path)
{
	struct stat st;
	uint64_t file_size = stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
	struct limits limits = { .has_cpu = false };
	uint64_t used = LIMITS_MEMORY ? limits_memory_used() : 0;

	limits.has_cpu = limits_lower(RLIMIT_CPU,
				      limits_seconds_used() + SECONDS + file_size / BYTES_A_SECOND,
				      &limits.cpu);
	if (used > 0)
		limits.has_memory = limits_lower(RLIMIT_AS, used + LEAST_MEMORY + TIMES * file_size,
						 &limits.memory);
	return limits;
}

void limits_end(const struct limits *limits)
{
	if (limits->has_cpu)
		setrlimit(RLIMIT_CPU, &limits->cpu);
	if (limits->has_memory)
		setrlimit(RLIMIT_AS, &limits->memory);
}
