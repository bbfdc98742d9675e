/* SPDX-License-Identifier: MIT */
/* Exact counts of calls in programs that were not built for that. See calls.h. */
#include "calls/calls.h"

#include <gmon_ext.h>
#include <gmon_live.h>
#include <link.h>

#include "base/mask.h"
#include "base/sys.h"
#include "base/text.h"
#include "calls/code.h"
#include "calls/sites.h"
#include "calls/stubs.h"
#include "count/count_block.h"
#include "count/thread.h"
#include "record/modules.h"
#include "state.h"

#include <registers.h>

enum { CALLS_OBJECTS = 256, CALLS_PAGE = 4096 };

/* Blocks of the window: see gmon_live.h. */
struct calls_sites {
	struct count_block head;
	_Alignas(64) struct gmon_live_site site[];
};

struct calls_counts {
	struct count_block head;
	_Alignas(64) uint64_t count[];
};

struct calls_objects {
	struct count_block head;
	_Alignas(64) struct gmon_ext_site object[CALLS_OBJECTS];
};

struct calls_parts {
	struct count_block head;
	_Alignas(64) struct gmon_ext_part part[];
};

/* An object whose calls are counted. */
struct calls_object {
	struct code code;
	struct sites sites;
	struct stubs stubs;
	size_t first; /* number of its first site */
	size_t nparts;
};

/* A site whose function the loader finds later. */
struct calls_late {
	uintptr_t slot, before; /* before: what the slot held at the start */
	size_t site;
};

struct calls {
	struct calls_object object[CALLS_OBJECTS];
	size_t nobjects, nsites, nlate;
	struct calls_late *late;
	struct calls_sites *sites;
	struct calls_objects *objects;
	uintptr_t image;    /* what new threads begin with, as calls_counts; 0: not found */
	uint64_t *fallback; /* the counts that it leads to */
};

/*
 * The calling thread's counts. Each thread begins with what the loader copies from the library's
 * image of this variable, which calls_set_fallback() changes: so a thread that begins without our
 * knowledge counts, if not exactly, and does no harm.
 */
__thread uint64_t *calls_counts = (uint64_t *)1;

/* Whether there is one thread: glibc, since 2.32. */
extern char calls_single_threaded __asm__("__libc_single_threaded") __attribute__((weak));

static intptr_t calls_distance(void)
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

/* Sets the counts of threads that nobody gives any. False: it cannot be done. Async-signal-safe. */
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
	const size_t n = gmon.calls->nsites;

	return count_block_new(GMON_LIVE_SITE_COUNTS,
			       sizeof(struct calls_counts) + n * sizeof(uint64_t), n, 0);
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
	/* Who forks may be another thread than the first, whose counts are still the parent's. */
	if (self && self->counts && calls_counts != gmon.calls->fallback)
		calls_set_fallback(calls_counts);
}

void calls_zero(void)
{
	for (struct count_block *block = count_block_first(); block && gmon.calls;
	     block = count_block_next(block))
		if (count_block_is(block, GMON_LIVE_SITE_COUNTS))
			for (size_t i = 0; i < block->word; i++)
				wide_store(&((struct calls_counts *)block)->count[i], 0);
}

static const struct calls_object *calls_find(uintptr_t address)
{
	const struct calls *calls = __atomic_load_n(&gmon.calls, __ATOMIC_ACQUIRE);

	for (size_t i = 0; calls && i < calls->nobjects; i++)
		if (address - calls->object[i].stubs.low <
		    calls->object[i].stubs.high - calls->object[i].stubs.low)
			return &calls->object[i];
	return NULL;
}

/* The function to which a stub leads; any other address as it is. Async-signal-safe. */
static uintptr_t calls_target(uintptr_t address)
{
	const struct calls_object *object = calls_find(address);
	size_t i = object ? (address - object->stubs.low) / STUBS_BYTES : 0;

	if (!object || object->first + i >= gmon.calls->nsites)
		return address;
	return gmon.calls->sites->site[object->first + i].self;
}

bool calls_leave(ucontext_t *context, struct calls_before *before)
{
	greg_t *registers = context->uc_mcontext.gregs;
	const uintptr_t pc = (uintptr_t)registers[REG_RIP];
	const struct calls_object *object = calls_find(pc);
	unsigned inside;

	if (!object)
		return false;
	*before = (struct calls_before){ pc, (uintptr_t)registers[REG_RSP] };
	inside = (unsigned)((pc - object->stubs.low) % STUBS_BYTES);
	registers[REG_RIP] = (greg_t)calls_target(pc);
	if (inside >= STUBS_PUSHED && inside < STUBS_POPPED)
		registers[REG_RSP] += (greg_t)sizeof(uintptr_t);
	return true;
}

void calls_come_back(ucontext_t *context, const struct calls_before *before)
{
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)before->ip;
	context->uc_mcontext.gregs[REG_RSP] = (greg_t)before->sp;
}

void calls_share(void)
{
	const struct calls *calls = gmon.calls;

	for (size_t i = 0; calls && i < calls->nlate; i++) {
		const struct calls_late *late = &calls->late[i];
		uintptr_t function = *(const volatile uintptr_t *)late->slot;

		if (function != late->before)
			calls->sites->site[late->site].self = function;
	}
}

/* Whether an object's calls are to be counted: not those of the C library and its loader, which
 * call us, nor our own. */
static bool calls_wants(const struct dl_phdr_info *info, size_t number)
{
	static const char *const never[] = { "libc.so",       "ld-linux", "libc-",  "linux-vdso",
					     "libpthread.so", "libdl.so", "libgmon" };
	const char *name = text_last_part(info->dlpi_name);

	if (number == 0)
		return true;
	if (!gmon.settings.calls_libs || !*name)
		return false;
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (text_skip(name, never[i]))
			return false;
	return true;
}

/* Whether an object counts its calls itself, as -pg has it. */
static bool calls_counts_itself(const struct code *code)
{
	static const char *const names[] = { "mcount", "_mcount", "__fentry__" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (code_imports(code, names[i]))
			return true;
	return false;
}

/* NULL, or a literal that says why the calls of an object are not counted. */
static const char *calls_why_not(struct calls_object *object)
{
	if (calls_counts_itself(&object->code))
		return "calls are counted by the code itself, which is built with -pg, in";
	if (!sites_find(&object->sites, &object->code))
		return "calls are not counted, for lack of memory, in";
	if (object->sites.refused)
		return "calls are not counted, since it sets %fs or %gs itself, in";
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
	struct calls_object *object = &calls->object[calls->nobjects];
	const char *why;

	(void)size;
	if (!calls_wants(info, listing->number++) || calls->nobjects == CALLS_OBJECTS)
		return 0;
	why = code_open(&object->code, info) ? calls_why_not(object)
					     : "calls are not counted, for lack of call-frame "
					       "information, in";
	if (why) {
		/* Libraries of data alone have no such information. */
		if (object->code.function || listing->number == 1) {
			text_complain(why, *info->dlpi_name ? info->dlpi_name : "the program", 0);
			listing->said = true;
		}
		sites_free(&object->sites);
		code_close(&object->code);
		return 0;
	}
	object->first = calls->nsites;
	calls->nsites += object->sites.n;
	for (size_t i = 0; i < object->code.nfunctions; i++)
		object->nparts += object->code.function[i].partial != 0;
	calls->nobjects++;
	return 0;
}

/*
 * A site that calls an entry of the PLT: the function is known now, or its slot still leads back to
 * the PLT, until the first call.
 */
static void calls_find_function(struct calls *calls, const struct calls_object *object, size_t i)
{
	const uintptr_t slot = object->sites.site[i].slot;
	const uintptr_t function = *(const volatile uintptr_t *)slot;

	if (!code_has(&object->code, function, 1) || code_entry_at(&object->code, function))
		calls->sites->site[object->first + i].self = function;
	else
		calls->late[calls->nlate++] =
			(struct calls_late){ slot, function, object->first + i };
}

/* Fills in the window's blocks of an object, and notes the sites whose function is not known yet.
 */
static void calls_describe(struct calls *calls, size_t number, struct calls_parts *parts,
			   size_t *nparts)
{
	const struct calls_object *object = &calls->object[number];
	struct modules_recent recent = { 0, 0, GMON_EXT_NONE };
	const uint32_t module = modules_at(object->code.low, &recent);

	calls->objects->object[number] = (struct gmon_ext_site){
		.module = module,
		.functions = (uint32_t)object->code.nfunctions,
		.dropped = object->sites.dropped,
		.sites = object->sites.n,
		.direct = object->sites.ndirect,
		.indirect = object->sites.nindirect,
	};
	for (size_t i = 0; i < object->sites.n; i++) {
		const struct site *site = &object->sites.site[i];

		calls->sites->site[object->first + i] =
			(struct gmon_live_site){ site->at + site->length, site->target };
		if (site->kind == SITE_DIRECT && site->slot)
			calls_find_function(calls, object, i);
	}
	for (size_t i = 0; i < object->code.nfunctions; i++)
		if (object->code.function[i].partial)
			parts->part[(*nparts)++] =
				(struct gmon_ext_part){ module, object->code.function[i].partial,
							object->code.function[i].low };
}

/* Makes the window's blocks. False: no memory. */
static bool calls_make_blocks(struct calls *calls)
{
	size_t nparts = 0, filled = 0;
	struct calls_parts *parts;

	for (size_t i = 0; i < calls->nobjects; i++)
		nparts += calls->object[i].nparts;
	calls->sites = count_block_new(GMON_LIVE_SITES,
				       sizeof(*calls->sites) +
					       calls->nsites * sizeof(calls->sites->site[0]),
				       calls->nsites, 0);
	calls->objects = count_block_new(GMON_LIVE_SITE_OBJECTS, sizeof(*calls->objects),
					 calls->nobjects, 0);
	parts = count_block_new(GMON_LIVE_PARTS, sizeof(*parts) + nparts * sizeof(parts->part[0]),
				nparts, 0);
	calls->late = sys_memory((calls->nsites + 1) * sizeof(*calls->late));
	if (!calls->sites || !calls->objects || !parts || !calls->late)
		return false;
	for (size_t i = 0; i < calls->nobjects; i++)
		calls_describe(calls, i, parts, &filled);
	return true;
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

/* Leads all sites to their counters. */
static void calls_change(struct calls *calls)
{
	struct mask mask;

	mask_all(&mask);
	for (size_t i = 0; i < calls->nobjects; i++) {
		struct calls_object *object = &calls->object[i];
		const char *why = stubs_make(&object->stubs, &object->code, &object->sites,
					     calls_distance(), object->first);

		if (!why)
			continue;
		text_complain("calls are not counted in a part of the program:", why, 0);
		calls->objects->object[i] = (struct gmon_ext_site){ .module = GMON_EXT_NONE };
	}
	mask_restore(&mask);
}

void calls_start(void)
{
	const char *why = calls_refusal();
	struct calls_listing listing = { 0 };
	struct calls *calls = why ? NULL : sys_memory(sizeof(*calls));

	if (calls) {
		listing.calls = calls;
		dl_iterate_phdr(calls_look, &listing);
		dl_iterate_phdr(calls_find_image, &calls->image);
	}
	if (why || !calls || !calls->nsites || !calls_make_blocks(calls)) {
		if (!listing.said)
			text_complain(why ? why
					  : "calls are not counted: there are none, or no memory",
				      NULL, 0);
		return;
	}
	gmon.calls = calls;
	gmon.call_target = calls_target;
	calls_thread_begin(thread_self());
	if (!thread_self() || !thread_self()->counts || !calls_set_fallback(calls_counts)) {
		text_complain("calls are not counted: no memory", NULL, 0);
		gmon.calls = NULL;
		gmon.call_target = NULL;
		return;
	}
	calls_change(calls);
	for (size_t i = 0; i < calls->nobjects; i++) {
		sites_free(&calls->object[i].sites);
		code_close(&calls->object[i].code);
	}
}
