/* SPDX-License-Identifier: MIT */
/* Records of threads. See roster.h. */
#include "roster.h"

#include <stddef.h>
#include <sys/prctl.h>

#include "region.h"
#include "state.h"
#include "strings.h"
#include "sys.h"
#include "text.h"
#include "wide.h"

/* The kernel's names of threads have 15 bytes at most; those of its own threads more. */
enum { ROSTER_NAME_BYTES = 64, ROSTER_LOOK_BACK = 64 };

/* struct gmon_ext_thread in two parts, as the file of a running program has it. */
struct roster_thread {
	uint32_t tid, name;
	uint64_t cpu_ns;
	uint32_t recording, zero;
};

struct roster_weights {
	_Alignas(8) uint64_t looks;
	_Alignas(8) uint64_t squares;
};

_Static_assert(sizeof(struct roster_thread) == GMON_EXT_THREAD_LEAST, "as the format has it");

/* Not in that file. */
struct roster_times {
	_Alignas(8) uint64_t runnable;
	_Alignas(8) uint64_t life;
};

struct roster_block {
	struct region region; /* word: records that there is room for */
	_Alignas(64) struct roster_thread thread[ROSTER_ROOM];
	struct roster_weights weights[ROSTER_ROOM];
};

_Static_assert(offsetof(struct roster_block, weights) - offsetof(struct roster_block, thread) ==
		       ROSTER_ROOM * GMON_EXT_THREAD_LEAST,
	       "nothing in between");

bool roster_start(void)
{
	gmon.roster.used = ROSTER_UNKNOWN + 1;
	gmon.roster.block =
		region_new(GMON_LIVE_THREADS, sizeof(struct roster_block), ROSTER_ROOM, 0);
	if (gmon.settings.wall)
		gmon.roster.times = sys_memory(ROSTER_ROOM * sizeof(gmon.roster.times[0]));
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
	struct roster_thread *thread = gmon.roster.block->thread;
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

void roster_weigh(uint32_t record, uint32_t ticks)
{
	struct roster_weights *weights = &gmon.roster.block->weights[record];
	uint64_t square = (uint64_t)ticks * ticks;

	if (!ticks)
		return;
	if (record == ROSTER_UNKNOWN) {
		wide_add(&weights->looks, 1);
		wide_add(&weights->squares, square);
	} else {
		wide_store(&weights->looks, weights->looks + 1);
		wide_store(&weights->squares, weights->squares + square);
	}
}

uint32_t roster_number(void)
{
	return __atomic_load_n(&gmon.roster.used, __ATOMIC_ACQUIRE);
}

void roster_copy(uint32_t record, struct gmon_ext_thread *to)
{
	const struct roster_thread *thread = &gmon.roster.block->thread[record];
	const struct roster_weights *weights = &gmon.roster.block->weights[record];

	to->tid = thread->tid;
	to->name = thread->name;
	to->cpu_ns = thread->cpu_ns;
	to->recording = 0;
	to->zero = 0;
	to->looks = wide_load(&weights->looks);
	to->squares = wide_load(&weights->squares);
	to->runnable_ns = gmon.roster.times ? wide_load(&gmon.roster.times[record].runnable) : 0;
	to->life_ns = gmon.roster.times ? wide_load(&gmon.roster.times[record].life) : 0;
}

uint32_t roster_find(int32_t tid)
{
	uint32_t record = roster_number();

	while (--record > ROSTER_UNKNOWN)
		if (gmon.roster.block->thread[record].tid == (uint32_t)tid)
			break;
	return record;
}

void roster_add_times(uint32_t record, uint64_t life, uint64_t runnable)
{
	struct roster_times *times = gmon.roster.times;

	if (!times || record == ROSTER_UNKNOWN)
		return;
	wide_store(&times[record].life, times[record].life + life);
	wide_store(&times[record].runnable, times[record].runnable + runnable);
}

static void roster_zero_times(void)
{
	for (uint32_t i = 0; gmon.roster.times && i < roster_number(); i++) {
		wide_store(&gmon.roster.times[i].life, 0);
		wide_store(&gmon.roster.times[i].runnable, 0);
	}
}

void roster_zero(void)
{
	struct roster_block *block = gmon.roster.block;

	roster_zero_times();

	for (uint32_t i = 0; i < roster_number(); i++) {
		block->thread[i].cpu_ns = 0;
		wide_store(&block->weights[i].looks, 0);
		wide_store(&block->weights[i].squares, 0);
	}
}

void roster_forked(void)
{
	roster_zero_times();
	gmon.roster.used = ROSTER_UNKNOWN + 1;
}
