/* SPDX-License-Identifier: MIT */
/* Exact counts of calls in programs that were not built for that. See calls.h. */
#include "calls/calls.h"

#include <gmon_live.h>
#include <link.h>
#include <sys/time.h>

#include "base/mask.h"
#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/wide.h"
#include "calls/counted.h"
#include "count/count_block.h"
#include "count/thread.h"
#include "state.h"

#include <registers.h>

enum { CALLS_PAGE = 4096 };

/*
 * The counts of a thread, one for each site, and then for each the number of its first call, in the
 * order in which all first calls were made: see gmon_live.h.
 */
struct calls_counts {
	struct count_block head;
	_Alignas(64) uint64_t count[];
};

/*
 * The calling thread's counts. Each thread begins with what the loader copies from the library's
 * image of this variable, which calls_set_fallback() changes: so a thread that begins without our
 * knowledge counts, if not exactly, and does no harm.
 */
__thread uint64_t *calls_counts = (uint64_t *)1;

struct calls_firsts calls_firsts;

/* Whether there is one thread: glibc, since 2.32. */
extern char calls_single_threaded __asm__("__libc_single_threaded") __attribute__((weak));

intptr_t calls_distance(void)
{
	return (intptr_t)((uintptr_t)&calls_counts - arch_thread());
}

/* Finds calls_counts in the image from which new threads begin, of the library that this function
 * is in. */
static int calls_find_image(struct dl_phdr_info *info, size_t size, void *image)
{
	struct program own = { .bias = info->dlpi_addr };
	uintptr_t offset;

	(void)size;
	if (!program_segments(&own, info->dlpi_phdr, info->dlpi_phnum) ||
	    !program_has(&own, (uintptr_t)calls_find_image))
		return 0;
	offset = (uintptr_t)&calls_counts - (uintptr_t)info->dlpi_tls_data;
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS && offset < info->dlpi_phdr[i].p_filesz)
			*(uintptr_t *)image = own.bias + info->dlpi_phdr[i].p_vaddr + offset;
	return 1;
}

/* Sets where threads count to which the runtime has given no counts. False: it cannot.
 * Async-signal-safe. */
static bool calls_set_fallback(uint64_t *counts)
{
	const uintptr_t page = gmon.calls->image & ~(uintptr_t)(CALLS_PAGE - 1);

	if (!page || sys_failed(SYS3(SYS_mprotect, page, CALLS_PAGE, PROT_READ | PROT_WRITE)))
		return false;
	*(uint64_t **)gmon.calls->image = counts;
	SYS3(SYS_mprotect, page, CALLS_PAGE, PROT_READ);
	gmon.calls->fallback = counts;
	return true;
}

static struct calls_counts *calls_new_counts(void)
{
	const size_t n = gmon.calls->room;

	return count_block_new(
		GMON_LIVE_SITE_COUNTS,
		sizeof(struct calls_counts) + n * (sizeof(uint64_t) + sizeof(uint32_t)), n, 0);
}

void calls_thread_begin(struct thread *thread)
{
	if (!gmon.calls || !thread)
		return;
	if (!thread->counts)
		thread->counts = (struct count_block *)calls_new_counts();
	if (thread->counts)
		calls_counts = ((struct calls_counts *)thread->counts)->count;
}

void calls_forked(void)
{
	struct thread *self = thread_self();

	if (!gmon.calls)
		return;
	calls_thread_begin(self);
	if (gmon.settings.calls_entries)
		state_count_entries(true);
	/* Who forks may be another thread than the first, whose counts are still the parent's. */
	if (self && self->counts && calls_counts != gmon.calls->fallback)
		calls_set_fallback(calls_counts);
}

void calls_zero(void)
{
	for (struct count_block *block = count_block_first(); block && gmon.calls;
	     block = count_block_next(block)) {
		uint64_t *count = ((struct calls_counts *)block)->count;
		uint32_t *first = (uint32_t *)(count + block->word);

		if (!count_block_is(block, GMON_LIVE_SITE_COUNTS))
			continue;
		for (size_t i = 0; i < gmon.calls->nsites; i++) {
			wide_store(&count[i], 0);
			__atomic_store_n(&first[i], 0, __ATOMIC_RELAXED);
		}
	}
}

static const struct counted *calls_find(uintptr_t address)
{
	const struct calls *calls = __atomic_load_n(&gmon.calls, __ATOMIC_ACQUIRE);
	const size_t n = calls ? __atomic_load_n(&calls->nobjects, __ATOMIC_ACQUIRE) : 0;

	for (size_t i = 0; i < n; i++)
		if (address - calls->object[i].stubs.low <
		    calls->object[i].stubs.high - calls->object[i].stubs.low)
			return &calls->object[i];
	return NULL;
}

/* The function to which a stub leads; any other address as it is. Async-signal-safe. */
static uintptr_t calls_target(uintptr_t address)
{
	const struct counted *object = calls_find(address);
	bool pushed;

	return object ? counted_target(object, address, &pushed) : address;
}

bool calls_skip_stub(ucontext_t *context, struct calls_registers *saved)
{
	greg_t *registers = context->uc_mcontext.gregs;
	const uintptr_t pc = (uintptr_t)registers[REG_RIP];
	const struct counted *object = calls_find(pc);
	bool pushed;

	if (!object)
		return false;
	*saved = (struct calls_registers){ pc, (uintptr_t)registers[REG_RSP] };
	registers[REG_RIP] = (greg_t)counted_target(object, pc, &pushed);
	if (pushed)
		registers[REG_RSP] += (greg_t)sizeof(uintptr_t);
	return true;
}

void calls_restore(ucontext_t *context, const struct calls_registers *saved)
{
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)saved->ip;
	context->uc_mcontext.gregs[REG_RSP] = (greg_t)saved->sp;
}

void calls_note_plt(void)
{
	const struct calls *calls = gmon.calls;
	const size_t n = calls ? __atomic_load_n(&calls->nobjects, __ATOMIC_ACQUIRE) : 0;

	for (size_t i = 0; i < n; i++) {
		counted_note_plt(&calls->object[i]);
		if (gmon.settings.calls_entries)
			counted_note_entries(&calls->object[i], calls->object, n);
	}
}

/*
 * Whether the kernel lets code that was changed run: SELinux may not (execmod), nor does a process
 * that gave that up (PR_SET_MDWE). Tried with a page of the program's file.
 */
static bool calls_may_change(void)
{
	long fd = sys_open("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
	volatile uint8_t *page;
	bool may;

	if (sys_failed(fd))
		return false;
	page = sys_mmap(NULL, CALLS_PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, (int)fd, 0);
	sys_close((int)fd);
	if (!page)
		return false;
	may = !sys_failed(SYS3(SYS_mprotect, page, CALLS_PAGE, PROT_READ | PROT_WRITE));
	if (may)
		*page = *page;
	may = may && !sys_failed(SYS3(SYS_mprotect, page, CALLS_PAGE, PROT_READ | PROT_EXEC));
	sys_munmap((void *)page, CALLS_PAGE);
	return may;
}

/* NULL, or why no calls can be counted in this process. */
static const char *calls_refusal(void)
{
	if (!&calls_single_threaded)
		return "calls are not counted: this C library does not tell whether there are threads";
	if (!calls_single_threaded)
		return "calls are not counted: libraries have started threads before main()";
	if (!calls_may_change())
		return "calls are not counted: the kernel does not let changed code run";
	return NULL;
}

struct calls_listing {
	struct calls *calls;
	size_t number; /* of the next object that the loader knows */
	bool said;     /* a line on stderr said why an object is not counted */
};

static int calls_look(struct dl_phdr_info *info, size_t size, void *given)
{
	struct calls_listing *listing = given;
	struct calls *calls = listing->calls;
	struct counted *object = &calls->object[calls->nobjects];
	const size_t number = listing->number++;
	const char *why;
	bool has_code;

	(void)size;
	if (!counted_wants(info, number) || calls->nobjects == COUNTED_OBJECTS)
		return 0;
	why = counted_look(object, info, true, &has_code);
	if (why) {
		if (has_code || number == 0) {
			text_complain(why, *info->dlpi_name ? info->dlpi_name : "the program", 0);
			listing->said = true;
		}
		object->nsites = 0;
	}
	object->first = calls->nsites;
	object->stays = true;
	calls->nsites += object->nsites;
	calls->nobjects++;
	return 0;
}

/* Leads all sites to their counters. */
static void calls_change(struct calls *calls)
{
	for (size_t i = 0; i < calls->nobjects; i++) {
		const char *why = counted_change(&calls->object[i], calls_distance());

		if (!why)
			continue;
		text_complain("calls are not counted in a part of the program:", why, 0);
		calls->records->object[i] = (struct gmon_ext_site){ .module = GMON_EXT_NONE };
		entries_free(&calls->object[i].entries);
	}
	for (size_t i = 0; i < calls->nobjects && gmon.settings.calls_entries; i++)
		counted_note_entries(&calls->object[i], calls->object, calls->nobjects);
}

/* Finds the objects and describes them. False: there is nothing to count, or no memory. */
static bool calls_prepare(struct calls *calls, bool *said)
{
	struct calls_listing listing = { .calls = calls };

	dl_iterate_phdr(calls_look, &listing);
	dl_iterate_phdr(calls_find_image, &calls->image);
	*said = listing.said;
	calls->room = calls->nsites + (gmon.settings.calls_libs ? COUNTED_LATER_SITES : 0);
	calls->records = count_block_new(GMON_LIVE_SITE_OBJECTS, sizeof(*calls->records),
					 COUNTED_OBJECTS, 0);
	return calls->nsites && calls->records &&
	       counted_mark_early(calls->object, calls->nobjects) &&
	       counted_describe(calls->object, calls->nobjects, calls->records, 0);
}

/* Has all threads count, from here on. False: no memory. */
static bool calls_begin(struct calls *calls)
{
	calls_firsts = (struct calls_firsts){ calls->room * sizeof(uint64_t), &gmon.inserted,
					      calls_distance() };
	gmon.calls = calls;
	gmon.call_target = calls_target;
	calls_thread_begin(thread_self());
	if (thread_self() && thread_self()->counts && calls_set_fallback(calls_counts)) {
		if (gmon.settings.calls_entries)
			state_count_entries(true);
		return true;
	}
	gmon.calls = NULL;
	gmon.call_target = NULL;
	return false;
}

/* Looks through the code, and counts in it. */
static void calls_look_and_count(void)
{
	const char *why = calls_refusal();
	struct calls *calls = why ? NULL : sys_memory(sizeof(*calls));
	bool said = false;

	if (!calls || !calls_prepare(calls, &said)) {
		if (!said)
			text_complain(why ? why
					  : "calls are not counted: there are none, or no memory",
				      NULL, 0);
		return;
	}
	if (!calls_begin(calls)) {
		text_complain("calls are not counted: no memory", NULL, 0);
		return;
	}
	calls_change(calls);
	for (size_t i = 0; i < calls->nobjects; i++)
		counted_close(&calls->object[i]);
}

void calls_start(void)
{
	/* A program that another one has become by exec() has that one's timers, and their signals
	 * kill it before it has a handler, so our CPU time must not count. */
	static const int clocks[] = { ITIMER_VIRTUAL, ITIMER_PROF };
	enum { CLOCKS = sizeof(clocks) / sizeof(clocks[0]) };
	static const struct itimerval off;
	struct itimerval timer[CLOCKS] = { 0 };
	struct mask mask;

	for (int i = 0; i < CLOCKS && !sandbox_forbids_looking(); i++)
		SYS3(SYS_setitimer, clocks[i], &off, &timer[i]);
	mask_all(&mask);
	calls_look_and_count();
	mask_restore(&mask);
	for (int i = 0; i < CLOCKS; i++)
		if (timer[i].it_value.tv_sec || timer[i].it_value.tv_usec)
			SYS3(SYS_setitimer, clocks[i], &timer[i], NULL);
}
