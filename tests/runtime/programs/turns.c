/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * turns ROUNDS FILE...: loads each library, lets it work and unloads it, in turn. Prints the
 * processor time of each in milliseconds, and whether all had been at one place.
 *
 * turns anonymous: runs code that is in no file, and lets it call a function 1000 times.
 * turns fork: a child makes 7 calls of called(), its parent 5.
 * turns die FILE: calls called() 5 times, lets the library work 50 times, and dies.
 * turns dump: writes the profile by SIGUSR1 after 5 calls, and dies after 5 more.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

typedef int worker(void);
typedef int caller(worker *called, int n);

APART int called(void)
{
	return 1;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Needs nothing from where it is. */
UNCOUNTED static int from_anywhere(worker *f, int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 100000; k++)
			sum += k;
		f();
	}
	return sum;
}

static int anonymous(void)
{
	enum { BYTES = 4096, CODE = 512 };
	char *code = mmap(NULL, BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	caller *call;

	if (code == MAP_FAILED)
		return 77;
	memcpy(code, (const char *)from_anywhere, CODE);
	__builtin___clear_cache(code, code + CODE);
	memcpy(&call, &code, sizeof(call));
	call(called, 1000);
	return 0;
}

static void call(int n)
{
	for (int i = 0; i < n; i++)
		called();
}

static int in_child(void)
{
	pid_t child = fork();

	call(child ? 5 : 7);
	if (child)
		wait(NULL);
	return 0;
}

static int dump(void)
{
	call(5);
	raise(SIGUSR1);
	call(5);
	_exit(0);
}

/* Adds to *ms. False: it cannot be loaded. */
static int turn(const char *path, double *ms, void **base)
{
	void *library = dlopen(path, RTLD_NOW);
	worker *work = library ? (worker *)dlsym(library, "work") : NULL;
	double before = now_ms();
	Dl_info info;

	if (!work || !dladdr((void *)work, &info))
		return 0;
	work();
	*ms += now_ms() - before;
	if (*base && *base != info.dli_fbase)
		*base = (void *)-1;
	else
		*base = info.dli_fbase;
	return dlclose(library) == 0;
}

static int die(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	worker *work = library ? (worker *)dlsym(library, "work") : NULL;

	call(5);
	for (int i = 0; work && i < 50; i++)
		work();
	return kill(getpid(), SIGKILL);
}

int main(int argc, char **argv)
{
	double ms[8] = { 0 };
	void *base = NULL;

	if (argc == 2 && strcmp(argv[1], "anonymous") == 0)
		return anonymous();
	if (argc == 2)
		return strcmp(argv[1], "fork") == 0 ? in_child() : dump();
	if (argc == 3 && strcmp(argv[1], "die") == 0)
		return die(argv[2]);
	for (int i = 0; i < atoi(argv[1]); i++)
		for (int k = 2; k < argc && k < 8; k++)
			if (!turn(argv[k], &ms[k], &base))
				return 1;
	for (int k = 2; k < argc && k < 8; k++)
		printf("%s %.1f\n", argv[k], ms[k]);
	printf("%s\n", base == (void *)-1 ? "apart" : "together");
	return 0;
}
