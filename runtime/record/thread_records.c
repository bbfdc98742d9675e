/* SPDX-License-Identifier: MIT */
/* Records of threads. See thread_records.h. */
#include "record/thread_records.h"

#include <stddef.h>
#include <sys/prctl.h>

#include "base/sys.h"
#include "base/text.h"
#include "base/wide.h"
#include "count/count_block.h"
#include "record/strings.h"
#include "state.h"

/* Names of threads have at most 15 bytes, those of kernel threads more. */
enum { THREAD_RECORDS_NAME_BYTES = 64, THREAD_RECORDS_LOOK_BACK = 64 };

/* struct gmon_ext_thread, divided as in gmon_live.h: its first fields, */
struct thread_records_thread {
	uint32_t tid, name;
	uint64_t cpu_ns;
	uint32_t recording, zero;
};

/* then looks and squares, */
struct thread_records_weights {
	_Alignas(8) uint64_t looks;
	_Alignas(8) uint64_t squares;
};

_Static_assert(sizeof(struct thread_records_thread) == GMON_EXT_THREAD_LEAST,
	       "as the format has it");

/* ... and times of waiting. */
struct thread_records_times {
	_Alignas(8) uint64_t runnable;
	_Alignas(8) uint64_t life;
};

struct thread_records_block {
	struct count_block head; /* word: how many records there is room for */
	_Alignas(64) struct thread_records_thread thread[THREAD_RECORDS_ROOM];
	struct thread_records_weights weights[THREAD_RECORDS_ROOM];
	struct thread_records_times times[THREAD_RECORDS_ROOM];
};

_Static_assert(offsetof(struct thread_records_block, times) -
			       offsetof(struct thread_records_block, weights) ==
		       THREAD_RECORDS_ROOM * sizeof(struct thread_records_weights),
	       "nothing in between");
_Static_assert(offsetof(struct thread_records_block, weights) -
			       offsetof(struct thread_records_block, thread) ==
		       THREAD_RECORDS_ROOM * GMON_EXT_THREAD_LEAST,
	       "nothing in between");

/* The size of the block: without its end if threads' waiting is not recorded. */
static size_t thread_records_bytes(void)
{
	return gmon.settings.wall ? sizeof(struct thread_records_block)
				  : offsetof(struct thread_records_block, times);
}

/* The times of a thread, or NULL. */
static struct thread_records_times *thread_records_times(uint32_t record)
{
	return gmon.thread_records.watched ? &gmon.thread_records.block->times[record] : NULL;
}

bool thread_records_start(void)
{
	gmon.thread_records.used = THREAD_RECORDS_UNKNOWN + 1;
	gmon.thread_records.block =
		count_block_new(GMON_LIVE_THREADS, thread_records_bytes(), THREAD_RECORDS_ROOM, 0);
	gmon.thread_records.watched = gmon.settings.wall && gmon.thread_records.block;
	return gmon.thread_records.block;
}

uint32_t thread_records_add(int32_t tid)
{
	uint32_t record = __atomic_load_n(&gmon.thread_records.used, __ATOMIC_RELAXED);

	do
		if (record == THREAD_RECORDS_ROOM)
			return THREAD_RECORDS_UNKNOWN;
	while (!__atomic_compare_exchange_n(&gmon.thread_records.used, &record, record + 1, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	gmon.thread_records.block->thread[record].tid = (uint32_t)tid;
	return record;
}

/* Whether the string at an offset, which may be damaged, is this name. */
static bool thread_records_is_called(uint32_t string, const char *name)
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

/*
 * Sets a name. Threads of a pool have the same name, so it is looked for in some earlier records
 * first.
 */
static void thread_records_set_name(uint32_t record, const char *name)
{
	struct thread_records_thread *thread = gmon.thread_records.block->thread;
	uint32_t last = record > THREAD_RECORDS_LOOK_BACK ? record - THREAD_RECORDS_LOOK_BACK : 0;

	if (record == THREAD_RECORDS_UNKNOWN)
		return;
	for (uint32_t i = record; i > last; i--) {
		uint32_t string = __atomic_load_n(&thread[i].name, __ATOMIC_RELAXED);

		if (thread_records_is_called(string, name)) {
			thread[record].name = string;
			return;
		}
	}
	thread[record].name = strings_add(name);
}

void thread_records_name(uint32_t record)
{
	char name[THREAD_RECORDS_NAME_BYTES];

	name[0] = '\0';
	if (!sys_failed(SYS2(SYS_prctl, PR_GET_NAME, name)))
		thread_records_set_name(record, name);
}

void thread_records_name_of(uint32_t record, int32_t tid)
{
	char name[THREAD_RECORDS_NAME_BYTES];
	struct text path = text_in(name, sizeof(name));
	size_t n;

	text_add(&path, "/proc/self/task/");
	text_add_number(&path, (uint32_t)tid);
	text_add(&path, "/comm");
	n = sys_read_text(AT_FDCWD, name, name, sizeof(name));
	if (n <= 1)
		return;
	name[n - 1] = '\0'; /* replaces the newline */
	thread_records_set_name(record, name);
}

void thread_records_cpu(uint32_t record, uint64_t ns)
{
	if (record != THREAD_RECORDS_UNKNOWN)
		gmon.thread_records.block->thread[record].cpu_ns = ns;
}

void thread_records_weigh(uint32_t record, uint32_t ticks)
{
	struct thread_records_weights *weights = &gmon.thread_records.block->weights[record];
	uint64_t square = (uint64_t)ticks * ticks;

	if (!ticks)
		return;
	if (record == THREAD_RECORDS_UNKNOWN) {
		wide_add(&weights->looks, 1);
		wide_add(&weights->squares, square);
	} else {
		wide_store(&weights->looks, weights->looks + 1);
		wide_store(&weights->squares, weights->squares + square);
	}
}

uint32_t thread_records_number(void)
{
	return __atomic_load_n(&gmon.thread_records.used, __ATOMIC_ACQUIRE);
}

void thread_records_copy(uint32_t record, struct gmon_ext_thread *to)
{
	const struct thread_records_thread *thread = &gmon.thread_records.block->thread[record];
	const struct thread_records_weights *weights = &gmon.thread_records.block->weights[record];
	const struct thread_records_times *times = thread_records_times(record);

	to->tid = thread->tid;
	to->name = thread->name;
	to->cpu_ns = thread->cpu_ns;
	to->recording = 0;
	to->zero = 0;
	to->looks = wide_load(&weights->looks);
	to->squares = wide_load(&weights->squares);
	to->runnable_ns = times ? wide_load(&times->runnable) : 0;
	to->life_ns = times ? wide_load(&times->life) : 0;
}

uint32_t thread_records_find(int32_t tid)
{
	uint32_t record = thread_records_number();

	while (--record > THREAD_RECORDS_UNKNOWN)
		if (gmon.thread_records.block->thread[record].tid == (uint32_t)tid)
			break;
	return record;
}

void thread_records_add_times(uint32_t record, uint64_t life, uint64_t runnable)
{
	struct thread_records_times *times = thread_records_times(record);

	if (!times || record == THREAD_RECORDS_UNKNOWN)
		return;
	wide_store(&times->life, times->life + life);
	wide_store(&times->runnable, times->runnable + runnable);
}

void thread_records_zero(void)
{
	struct thread_records_block *block = gmon.thread_records.block;

	for (uint32_t i = 0; i < thread_records_number(); i++) {
		struct thread_records_times *times = thread_records_times(i);

		if (times) {
			wide_store(&times->life, 0);
			wide_store(&times->runnable, 0);
		}
		block->thread[i].cpu_ns = 0;
		wide_store(&block->weights[i].looks, 0);
		wide_store(&block->weights[i].squares, 0);
	}
}

void thread_records_forked(void)
{
	thread_records_zero();
	gmon.thread_records.used = THREAD_RECORDS_UNKNOWN + 1;
}
