/* SPDX-License-Identifier: MIT */
/* Records of threads. See roster.h. */
#include "roster.h"

#include <sys/prctl.h>

#include "region.h"
#include "state.h"
#include "strings.h"
#include "sys.h"
#include "text.h"

/* The kernel's names of threads have 15 bytes at most; those of its own threads more. */
enum { ROSTER_NAME_BYTES = 64, ROSTER_LOOK_BACK = 64 };

struct roster_block {
	struct region region; /* word: records that there is room for */
	_Alignas(64) struct gmon_ext_thread thread[ROSTER_ROOM];
};

bool roster_start(void)
{
	gmon.roster.used = ROSTER_UNKNOWN + 1;
	gmon.roster.block =
		region_new(GMON_LIVE_THREADS, sizeof(struct roster_block), ROSTER_ROOM, 0);
	return gmon.roster.block;
}

uint32_t roster_add(int32_t tid)
{
	uint32_t record = __atomic_load_n(&gmon.roster.used, __ATOMIC_RELAXED);

	do
		if (record == ROSTER_ROOM)
			return ROSTER_UNKNOWN;
	while (!__atomic_compare_exchange_n(&gmon.roster.used, &record, record + 1, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	gmon.roster.block->thread[record].tid = (uint32_t)tid;
	return record;
}

/* Whether a string of the block, which may have been spoiled, is this name. */
static bool roster_is_called(uint32_t string, const char *name)
{
	uint32_t nbytes;
	const char *all = strings_all(&nbytes);
	uint32_t length = (uint32_t)text_length(name) + 1;

	if (string >= nbytes || length > nbytes - string)
		return false;
	for (uint32_t i = 0; i < length; i++)
		if (all[string + i] != name[i])
			return false;
	return true;
}

/* Threads of a pool have one name: a few that came before are asked. */
static void roster_set_name(uint32_t record, const char *name)
{
	struct gmon_ext_thread *thread = gmon.roster.block->thread;
	uint32_t last = record > ROSTER_LOOK_BACK ? record - ROSTER_LOOK_BACK : 0;

	if (record == ROSTER_UNKNOWN)
		return;
	for (uint32_t i = record; i > last; i--) {
		uint32_t string = __atomic_load_n(&thread[i].name, __ATOMIC_RELAXED);

		if (roster_is_called(string, name)) {
			thread[record].name = string;
			return;
		}
	}
	thread[record].name = strings_add(name);
}

void roster_name(uint32_t record)
{
	char name[ROSTER_NAME_BYTES];

	name[0] = '\0';
	if (!sys_failed(SYS2(SYS_prctl, PR_GET_NAME, name)))
		roster_set_name(record, name);
}

void roster_name_of(uint32_t record, int32_t tid)
{
	char name[ROSTER_NAME_BYTES];
	struct text path = text_in(name, sizeof(name));
	long fd;
	long n;

	text_add(&path, "/proc/self/task/");
	text_add_number(&path, (uint32_t)tid);
	text_add(&path, "/comm");
	fd = sys_open(name, O_RDONLY | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return;
	n = SYS3(SYS_read, fd, name, sizeof(name) - 1);
	sys_close((int)fd);
	if (n <= 1)
		return;
	name[n - 1] = '\0'; /* the end of the line */
	roster_set_name(record, name);
}

void roster_cpu(uint32_t record, uint64_t ns)
{
	if (record != ROSTER_UNKNOWN)
		gmon.roster.block->thread[record].cpu_ns = ns;
}

const struct gmon_ext_thread *roster_all(uint32_t *n)
{
	*n = __atomic_load_n(&gmon.roster.used, __ATOMIC_ACQUIRE);
	return gmon.roster.block->thread;
}

void roster_zero(void)
{
	for (uint32_t i = 0; i < __atomic_load_n(&gmon.roster.used, __ATOMIC_ACQUIRE); i++)
		gmon.roster.block->thread[i].cpu_ns = 0;
}

void roster_forked(void)
{
	gmon.roster.used = ROSTER_UNKNOWN + 1;
}
