/* SPDX-License-Identifier: MIT */
/*
 * The life of a recording: preparing, starting, pausing, ending, and what fork does to it.
 *
 * Three ways lead to a start. A program linked with -pg has gcrt1.o, which calls __monstartup
 * before constructors run and leaves _mcleanup to exit(). A program may call monstartup itself.
 * Else the first call that is counted starts it, from the time our constructor has run: programs
 * linked without -pg, or by libraries that have no gcrt1.o, need nothing more, and a program that
 * never calls is left alone.
 */
#include <gmon.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "internal.h"
#include "live.h"
#include "objects.h"
#include "sample.h"
#include "settings.h"
#include "signals.h"
#include "summary.h"
#include "sys.h"
#include "text.h"
#include "thread.h"
#include "write.h"

struct gmon gmon;
unsigned char gmon_on;

static bool change_phase(enum gmon_phase from, enum gmon_phase to)
{
	uint32_t seen = from;

	return __atomic_compare_exchange_n(&gmon.phase, &seen, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

/* Sets gmon_on from phase and paused. */
static void set_on(void)
{
	bool counts = gmon.phase == READY || gmon.phase == RUNNING;

	__atomic_store_n(&gmon_on, counts && !gmon.paused, __ATOMIC_RELEASE);
}

static void forked_child(void)
{
	gmon.pid = sys_getpid();
	gmon.forked = true;
	if (gmon.phase != RUNNING && gmon.phase != READY)
		return;
	gmon.declined = 0;
	gmon.elsewhere = 0;
	write_forked();
	live_forked();
	region_renew_all();
	thread_forked();
	sample_forked();
}

/* At exit, when no gcrt1.o has seen to it. */
static void at_exit(void)
{
	_mcleanup();
}

/* Once, before other threads exist. */
static void prepare(void)
{
	if (gmon.phase != UNREADY)
		return;
	if (getauxval(AT_SECURE) || !program_find(&gmon.program)) {
		gmon.phase = REFUSED;
		return;
	}
	gmon.pid = sys_getpid();
	settings_read();
	objects_start();
	gmon.paused = settings.off;
	pthread_atfork(NULL, NULL, forked_child);
	at_quick_exit(at_exit);
	gmon.phase = READY;
}

/* Code outside the program's segments is no code of ours; a start before all of it means all of it.
 */
static struct bins *new_bins(uintptr_t low, uintptr_t high)
{
	const struct program *program = &gmon.program;
	struct bins *bins;
	size_t nbins;

	if (low <= program->low && high > program->entry) {
		low = program->low;
		high = program->high;
	}
	low &= ~(uintptr_t)3;
	nbins = high > low ? (high - low + 3) / 4 * 2 : 0;
	if (!nbins || nbins > UINT32_MAX)
		return NULL;
	bins = region_new(REGION_BINS, sizeof(*bins) + nbins * sizeof(bins->tick[0]), nbins);
	if (bins)
		bins->region.low = low;
	return bins;
}

static void zero_counts(void)
{
	for (struct region *region = region_first(); region; region = region_next(region)) {
		if (region->kind == REGION_COUNTS) {
			struct table *table = (struct table *)region;

			for (size_t i = 0; i < table_ncells(table); i++)
				if (cell_count(&table->cell[i]))
					wide_store(&table->cell[i].count, 0);
		} else {
			struct bins *bins = (struct bins *)region;

			for (size_t i = 0; i < region->word; i++)
				if (__atomic_load_n(&bins->tick[i], __ATOMIC_RELAXED))
					__atomic_store_n(&bins->tick[i], 0, __ATOMIC_RELAXED);
		}
	}
	wide_store(&gmon.declined, 0);
	wide_store(&gmon.elsewhere, 0);
}

void gmon_start(uintptr_t low, uintptr_t high)
{
	bool again = change_phase(STOPPED, STARTING);

	if (!again && !change_phase(READY, STARTING))
		return;
	if (again)
		zero_counts();
	else
		live_start();
	if (!again || !gmon.bins || gmon.bins->region.low != low)
		gmon.bins = new_bins(low, high);
	signals_start();
	if (!gmon_table)
		thread_begin();
	/* Without memory for counts too it is the summary that complains. */
	if (!gmon.bins && !thread_refused(gmon_table))
		text_complain("no memory for samples: the profile will hold counts only", NULL, 0);
	sample_start();
	__atomic_store_n(&gmon.phase, RUNNING, __ATOMIC_RELEASE);
	set_on();
}

/* Of the first priority that is not the C library's, so that the constructors of a program that is
 * linked without -pg are counted too. */
__attribute__((constructor(101))) static void construct(void)
{
	if (gmon.phase != UNREADY)
		return;
	prepare();
	if (gmon.phase == READY) {
		atexit(at_exit);
		set_on();
	}
}

/* The name that gcrt1.o calls. */
PUBLIC void __monstartup(unsigned long low, unsigned long high);

PUBLIC void __monstartup(unsigned long low, unsigned long high)
{
	prepare();
	if (gmon.phase == READY || gmon.phase == STOPPED)
		gmon_start(low, high);
}

PUBLIC void monstartup(unsigned long low, unsigned long high)
	__attribute__((alias("__monstartup")));

PUBLIC void moncontrol(int mode)
{
	__atomic_store_n(&gmon.paused, mode == 0, __ATOMIC_RELAXED);
	set_on();
}

static void write_libraries(void)
{
	struct objects *objects = objects_list();

	if (!objects)
		return;
	write_objects(objects);
	if (objects->left_out)
		text_complain(
			"GMON=libs: some objects were closed: those that were opened after the "
			"start are left out",
			NULL, 0);
	objects_free(objects);
}

PUBLIC void _mcleanup(void)
{
	if (!change_phase(RUNNING, STOPPING))
		return;
	set_on();
	sample_stop();
	write_profile(1);
	write_libraries();
	live_end();
	summary_say();
	__atomic_store_n(&gmon.phase, STOPPED, __ATOMIC_RELEASE);
}

PUBLIC void mcleanup(void) __attribute__((alias("_mcleanup")));

PUBLIC int gmon_dump(void)
{
	return gmon.phase == RUNNING && write_profile(0) == 0 ? 0 : -1;
}

PUBLIC void gmon_reset(void)
{
	zero_counts();
}
