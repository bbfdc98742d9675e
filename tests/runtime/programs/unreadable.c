/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unreadable WHAT SECONDS PLUGIN: a correct program, in which not everything that stacks and
 * call-frame information lead to can be read:
 *
 *   closes    a thread opens and closes PLUGIN all the time, and calls it now and then. Others
 * wait, with addresses of its code on their stacks. tables    nobody may read PLUGIN's call-frame
 * information; it is called. code      nobody may read nor run PLUGIN's code; threads wait, with
 * addresses of it on their stacks. low       the call-frame information of waits_low() says that
 * this begins 256 MB lower; threads wait there.
 *
 * It ends with status 7. Linked with PLUGIN, but for `closes`.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 6, WORDS = 48, US = 300, PAGE = 4096, LOWER = 256 << 20 };

static atomic_bool over;
static _Atomic uintptr_t code; /* of the plugin */
static const char *path;
static volatile double sum;

typedef int called(void (*)(double), double);

static void add(double seconds)
{
	sum += seconds;
}

static void *function(void *object)
{
	void *found = dlsym(object, "plugin");

	if (!found) {
		fprintf(stderr, "no plugin: %s\n", dlerror());
		exit(1);
	}
	code = (uintptr_t)found;
	return found;
}

static void call(void *object)
{
	called *plugin;

	*(void **)&plugin = function(object);
	plugin(add, 0);
}

/* Its frame pointer is needed to find its caller, and its stack is full of addresses. */
__attribute__((noipa, optimize("no-omit-frame-pointer"))) static void waits(int n)
{
	volatile uintptr_t words[WORDS + n];

	for (int i = 0; i < WORDS; i++)
		words[i] = code + 5 * (uintptr_t)i;
	usleep(US);
	sum += (double)words[n];
}

/* The same; what its last instructions need is what all of them need. */
__attribute__((noipa, noreturn, optimize("no-omit-frame-pointer"))) static void waits_low(int n)
{
	volatile uintptr_t words[WORDS + n];

	for (;;) {
		for (int i = 0; i < WORDS; i++)
			words[i] = code + 5 * (uintptr_t)i;
		usleep(US);
	}
}

static void *waiter(void *unused)
{
	while (!over)
		waits(3);
	return unused;
}

static void *low_waiter(void *unused)
{
	(void)unused;
	waits_low(3);
}

static void *closer(void *unused)
{
	for (unsigned i = 0; !over; i++) {
		void *object = dlopen(path, RTLD_NOW);

		if (!object)
			exit(1);
		if (i % 256)
			function(object);
		else
			call(object);
		dlclose(object);
	}
	return unused;
}

/* What of the plugin gets another protection: its call-frame information, or its code. */
struct segments {
	bool tables;
	int protection, n;
};

static int protect(struct dl_phdr_info *info, size_t size, void *context)
{
	struct segments *segments = context;

	(void)size;
	if (!strstr(info->dlpi_name, strrchr(path, '/') + 1))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + segment->p_vaddr, page = low & -(uintptr_t)PAGE;

		if (segment->p_type == PT_GNU_EH_FRAME && segments->tables)
			segments->n += !mprotect((void *)page, PAGE, segments->protection);
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X && !segments->tables)
			segments->n +=
				!mprotect((void *)page, segment->p_memsz, segments->protection);
	}
	return 1;
}

/* Lets the FDE of waits_low() begin lower. */
static int lower(struct dl_phdr_info *info, size_t size, void *found)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		const int32_t *table = (const int32_t *)(at + 12), *end = table + 2 * table[-1];
		uintptr_t page;
		int32_t *fde;

		if (info->dlpi_phdr[i].p_type != PT_GNU_EH_FRAME)
			continue;
		while (table < end && at + (uintptr_t)(intptr_t)*table != (uintptr_t)waits_low)
			table += 2;
		if (table == end)
			break;
		fde = (int32_t *)(at + (uintptr_t)(intptr_t)table[1]);
		page = (uintptr_t)fde & -(uintptr_t)PAGE;
		if (mprotect((void *)page, 2 * PAGE, PROT_READ | PROT_WRITE))
			break;
		fde[2] -= LOWER;
		fde[3] += LOWER;
		*(bool *)found = true;
	}
	return 1; /* the program is the first */
}

static void start(void *run(void *), int n)
{
	pthread_t thread;

	for (int i = 0; i < n; i++)
		if (pthread_create(&thread, NULL, run, NULL))
			exit(1);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const char *what = argc == 4 ? argv[1] : "";
	bool closes = !strcmp(what, "closes"), tables = !strcmp(what, "tables");
	struct segments segments = { .tables = tables, .protection = PROT_NONE };
	bool lowered = false;
	double end;

	if (argc != 4)
		return 1;
	path = argv[3];
	end = now() + atof(argv[2]);
	if (!closes)
		function(RTLD_DEFAULT);
	if (tables || !strcmp(what, "code"))
		dl_iterate_phdr(protect, &segments);
	if (!strcmp(what, "low"))
		dl_iterate_phdr(lower, &lowered);
	if (!closes && !segments.n && !lowered)
		return 2;
	if (closes)
		start(closer, 1);
	start(lowered ? low_waiter : waiter, THREADS);
	while (now() < end)
		if (tables)
			call(RTLD_DEFAULT);
		else
			usleep(10000);
	segments.protection = PROT_READ | PROT_EXEC;
	if (segments.n)
		dl_iterate_phdr(protect, &segments);
	return 7;
}
