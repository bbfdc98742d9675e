/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of code that are hard to walk out of. A timer interrupts each; the handler walks along the
 * stack by runtime/unwind.h and, where there is one, by the compiler's own library.
 *
 *   unwind SAMPLES [PHASE...]
 *
 * prints "unknown" where there is no way to walk, or takes so many samples of each phase and prints
 * a line for each:
 *
 *   PHASE samples N complete N guessed N broken N main N equal N frames N undescribed N own N
 *
 * main: stacks with main() in them; equal: those that the compiler's library agrees with;
 * undescribed: those that are not complete and have a frame in code for which it finds no
 * call-frame information; own: those that the timer found in a function of this file. With -DALONE
 * the library is not asked: equal is complete, and undescribed 0 but for -DASK_FDES or ppc64le.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#ifndef ALONE
#include <unwind.h>
#endif

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_DEFINED_IF_ADDRESSABLE(at, bytes) ((void)0)
#endif

#include "../../../runtime/unwind/unwind.h"

/* At the beginning of a phase: no sample before this one knows the call. */
#define FROM_HERE (in_main = (uintptr_t)__builtin_return_address(0) - 1)
#define BEGIN     (FROM_HERE, wanted = asked)
/* The functions of this file lie between the two symbols that the linker makes of the name. */
#ifdef __clang__
#define NOINLINE __attribute__((noinline, section("own_code")))
#else
#define NOINLINE __attribute__((noinline, noclone, section("own_code")))
#endif
extern const char __start_own_code[], __stop_own_code[];

enum { MOST = 2000, SEARCHED = 65536 };

static struct {
	long samples, complete, guessed, broken, with_main, equal, frames, undescribed, own;
} told;

static struct unwinder *unwinder;
static volatile sig_atomic_t busy; /* in a place that the compiler's library cannot bear */
static volatile double sink;
static volatile long number;
static long asked;
static volatile long wanted; /* in the phase under way; 0 between phases */
static const char *phase_name;
static volatile uintptr_t in_main; /* the call that leads to what is under way */

static int leads_to_main(const struct unwound *stack)
{
	for (uint32_t i = 0; i < stack->n; i++)
		if (stack->frame[i] == in_main)
			return 1;
	return 0;
}

#ifndef ALONE
struct trace {
	uintptr_t pc[MOST];
	int n;
};

static _Unwind_Reason_Code trace_add(struct _Unwind_Context *context, void *to)
{
	struct trace *trace = to;
	int exact;
	uintptr_t ip = _Unwind_GetIPInfo(context, &exact);

	if (ip && trace->n < MOST)
		trace->pc[trace->n++] = ip - !exact;
	return _URC_NO_REASON;
}

/* Whether the compiler's library finds the same frames behind the handler's. */
static int agrees(const struct unwound *stack)
{
	static struct trace trace;
	int first = 0;

	trace.n = 0;
	_Unwind_Backtrace(trace_add, &trace);
	while (first < trace.n && trace.pc[first] != stack->frame[0])
		first++;
	/* It stops in padding of glibc 2.41's memmove(), which nobody describes, and leaves one
	 * frame out, main(), where vary() returns: GCC's information is wrong. */
	if ((trace.n - first == 1 || trace.n - first == (int)stack->n - 1) && leads_to_main(stack))
		return !leads_to_main(&(struct unwound){ trace.pc, trace.n, 0, 0 });
	if (trace.n - first != (int)stack->n)
		return 0;
	for (uint32_t i = 0; i < stack->n; i++)
		if (trace.pc[first + i] != stack->frame[i] &&
		    /* what nobody has called has no instruction before */
		    (i + 1 < stack->n || trace.pc[first + i] + 1 != stack->frame[i]))
			return 0;
	return 1;
}
#else
static int agrees(const struct unwound *stack)
{
	return stack->end == UNWIND_COMPLETE;
}
#endif

#if !defined(ALONE) || defined(ASK_FDES)
/* The library has this, by no header: what it knows of the code at an address. */
struct dwarf_eh_bases {
	void *text, *data, *function;
};
const void *_Unwind_Find_FDE(void *pc, struct dwarf_eh_bases *bases);

/* Whether nobody describes some code on the stack, as a library's _init(). */
static int is_undescribed(const struct unwound *stack)
{
	struct dwarf_eh_bases bases;

	for (uint32_t i = 0; i < stack->n; i++)
		if (!_Unwind_Find_FDE((void *)stack->frame[i], &bases))
			return 1;
	return 0;
}
#elif defined(__powerpc64__)
/* Whether a handler was returning, by "li r0,172; sc": interrupted there on a stack of its own, it
 * has lost its caller in QEMU's vDSO of ppc64le. */
static int is_undescribed(const struct unwound *stack)
{
	const uint32_t *code = (const uint32_t *)stack->frame[0];

	return code[0] == 0x380000ac || code[-1] == 0x380000ac;
}
#else
#define is_undescribed(stack) 0
#endif

static int is_own(const struct unwound *stack)
{
	return stack->frame[0] - (uintptr_t)__start_own_code <
	       (uintptr_t)(__stop_own_code - __start_own_code);
}

static void show(const struct unwound *stack, int equal)
{
	char line[64];
	static int shown;

	if (!getenv("SHOW") || shown++ >= atoi(getenv("SHOW")))
		return;
	for (uint32_t i = 0; i < stack->n; i++)
		if (write(2, line, snprintf(line, sizeof(line), " %" PRIxPTR, stack->frame[i])) < 0)
			return;
	if (write(2, line,
		  snprintf(line, sizeof(line), " %s end %d equal %d\n", phase_name, stack->end,
			   equal)) < 0)
		return;
}

static void on_tick(int signal, siginfo_t *info, void *context)
{
	struct unwound stack;
	int equal;

	(void)signal;
	(void)info;
	if (told.samples >= wanted)
		return;
	/* A walk may look at any word of the stack, whether there is a value in it or not. */
	VALGRIND_MAKE_MEM_DEFINED_IF_ADDRESSABLE(__builtin_frame_address(0), SEARCHED);
	stack = unwind(unwinder, context);
	told.samples++;
	told.complete += stack.end == UNWIND_COMPLETE;
	told.guessed += stack.end == UNWIND_GUESSED;
	told.broken += stack.end == UNWIND_BROKEN;
	told.frames += stack.n;
	told.with_main += leads_to_main(&stack);
	told.own += is_own(&stack);
	equal = !busy && agrees(&stack);
	told.equal += equal;
	told.undescribed += stack.end != UNWIND_COMPLETE && !busy && is_undescribed(&stack);
	if (!equal || stack.end != UNWIND_COMPLETE)
		show(&stack, equal);
}

/* The phases: each calls this now and then, until it has its samples. */
static NOINLINE int more(void)
{
	return told.samples < wanted;
}

static NOINLINE double leaf(int n)
{
	double x = 0;

	for (int i = 0; i < n; i++)
		x += i * 0.5;
	return x;
}

static NOINLINE long tiny(long n)
{
	return n * 3 + 1;
}

static NOINLINE long fib(long n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static NOINLINE void phase_own(void)
{
	BEGIN;
	while (more()) {
		sink += leaf(50);
		for (long i = 0; i < 100; i++)
			number += tiny(i);
		number += fib(12);
	}
}

static NOINLINE void phase_libm(void)
{
	BEGIN;
	while (more())
		for (int i = 1; i < 100; i++)
			sink += sin(sink + i) + exp(i % 7) + pow(i, 0.3) + fmod(i * 1e9, 3.7);
}

static NOINLINE int compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y) + (int)(tiny((long)x) & 0);
}

static NOINLINE void phase_libc(void)
{
	static double value[500];
	char text[400];

	BEGIN;
	while (more()) {
		for (int i = 0; i < 500; i++)
			value[i] = (i * 7919) % 503;
		qsort(value, 500, sizeof(*value), compare);
		for (int i = 0; i < 50; i++) {
			void *p = malloc((size_t)i * 100 + 1);

			snprintf(text, sizeof(text), "%.15g %d %s", value[i] / 3, i, "word");
			sink += strtod(text, NULL);
			free(p);
		}
	}
}

static NOINLINE void phase_memory(void)
{
	static char a[200000];
	static char b[200000];

	BEGIN;
	while (more())
		for (int i = 0; i < 50; i++) {
			memcpy(a, b, 50 + i * 3000);
			memset(b, i, sizeof(b) - 1);
			number += (long)strlen(b) + memcmp(a, b, sizeof(a));
			number += strchr(b, 'x') != NULL;
		}
}

static NOINLINE long recurse(int n)
{
	volatile long here = n;

	if (n == 0)
		return (long)leaf(300);
	return recurse(n - 1) + here;
}

static NOINLINE void phase_deep(void)
{
	BEGIN;
	while (more())
		number += recurse(200);
}

static NOINLINE void phase_system(void)
{
	struct timespec time;

	BEGIN;
	while (more()) {
		for (int i = 0; i < 50; i++) {
			clock_gettime(CLOCK_MONOTONIC, &time);
			number += time.tv_nsec;
		}
		number += (long)getppid() + syscall(SYS_getpid);
	}
}

static NOINLINE void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	sink += leaf(500);
}

static NOINLINE void phase_signal(void)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

	BEGIN;
	sigaction(SIGUSR1, &action, NULL);
	while (more())
		raise(SIGUSR1);
}

static NOINLINE void phase_altstack(void)
{
	static char room[65536];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_ONSTACK | SA_SIGINFO };

	BEGIN;
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR2, &action, NULL);
	while (more())
		raise(SIGUSR2);
}

static NOINLINE double vary(int n)
{
	double array[n];
	_Alignas(64) double aligned[8];

	memset(array, 0, sizeof(array));
	memset(aligned, 0, sizeof(aligned));
	for (int i = 0; i < n; i++) {
		array[i] += i + aligned[i % 8];
		aligned[i & 7] += leaf(n % 10) + array[i];
	}
	return array[n - 1] + aligned[3];
}

static NOINLINE void phase_frames(void)
{
	BEGIN;
	while (more())
		for (int i = 1; i < 60; i++)
			sink += vary(i);
}

#ifndef JUMP_WORK
#define JUMP_WORK 20
#endif

static jmp_buf back;
static volatile int jumps = 1;

/* A compiler that sees that it never returns does without its return address. */
static NOINLINE void jump(int n)
{
	if (n == 0) {
		sink += leaf(JUMP_WORK);
		if (jumps)
			longjmp(back, 1);
		return;
	}
	jump(n - 1);
	number++;
}

static NOINLINE void phase_jump(void)
{
	BEGIN;
	while (more())
		if (setjmp(back) == 0)
			jump(5);
}

static ucontext_t outer, inner;

static NOINLINE void coroutine(void)
{
	for (;;) {
		sink += leaf(200);
		swapcontext(&inner, &outer);
	}
}

static NOINLINE void phase_coroutine(void)
{
	void *room = malloc(65536);

	BEGIN;
	getcontext(&inner);
	inner.uc_stack.ss_sp = room;
	inner.uc_stack.ss_size = 65536;
	inner.uc_link = &outer;
	makecontext(&inner, coroutine, 0);
	busy = 1;
	while (more())
		swapcontext(&outer, &inner);
	busy = 0;
}

static NOINLINE void phase_load(void)
{
	BEGIN;
	while (more()) {
		void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);

		if (library) {
			unsigned long (*sum)(unsigned long, const char *, unsigned) =
				(unsigned long (*)(unsigned long, const char *, unsigned))dlsym(
					library, "crc32");
			static const char text[20000];

			number += sum ? (long)sum(0, text, sizeof(text)) : 0;
			dlclose(library);
		}
	}
}

static NOINLINE void work(void)
{
	sink += leaf(1000);
}

static sigset_t tick; /* SIGPROF */
static NOINLINE void *work_in_thread(void *unused)
{
	FROM_HERE;
	pthread_sigmask(SIG_UNBLOCK, &tick, NULL);
	while (more()) {
		sink += leaf(100);
		number += fib(10);
	}
	return unused;
}

/* Threads on the library's stack and on one between unreadable pages; one at a time gets ticks. */
static NOINLINE void phase_thread(void)
{
	const size_t bytes = 256 << 10;
	char *room = mmap(NULL, 3 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long all = asked;
	pthread_t thread;
	pthread_attr_t attributes;

	mprotect(room + bytes, bytes, PROT_READ | PROT_WRITE);
	pthread_attr_init(&attributes);
	for (int i = 0; i < 2; i++) {
		pthread_sigmask(SIG_BLOCK, &tick, NULL);
		wanted = all / 2 * (i + 1);
		unwind_renew(unwinder);
		if (i)
			pthread_attr_setstack(&attributes, room + bytes, bytes);
		if (pthread_create(&thread, &attributes, work_in_thread, NULL))
			exit(99);
		pthread_join(thread, NULL);
		unwind_renew(unwinder);
		pthread_sigmask(SIG_UNBLOCK, &tick, NULL);
	}
}

#ifdef __x86_64__
/* Code made at run time: with frame records, and described by nobody. */
static NOINLINE void phase_made(void)
{
	static const unsigned char code[] = {
		0x55,             /* push %rbp */
		0x48, 0x89, 0xe5, /* mov %rsp, %rbp */
		0xff, 0xd7,       /* call *%rdi */
		0x5d, 0xc3,       /* pop %rbp; ret */
	};
	char *room = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	BEGIN;
	memcpy(room, code, sizeof(code));
	while (more())
		((void (*)(void (*)(void)))(uintptr_t)room)(work);
}
#endif

#ifdef THROWS
void throw_through(int n);
static NOINLINE void phase_throw(void)
{
	BEGIN;
	busy = 1;
	while (more())
		throw_through(5);
	busy = 0;
}
#endif

static const struct {
	const char *name;
	void (*run)(void);
} phases[] = {
	{ "own", phase_own },
	{ "libm", phase_libm },
	{ "libc", phase_libc },
	{ "memory", phase_memory },
	{ "deep", phase_deep },
	{ "system", phase_system },
	{ "signal", phase_signal },
	{ "altstack", phase_altstack },
	{ "frames", phase_frames },
	{ "jump", phase_jump },
#ifndef NO_COROUTINE
	{ "coroutine", phase_coroutine },
#endif
#ifndef NO_LOAD
	{ "load", phase_load },
#endif
	{ "thread", phase_thread },
#ifdef __x86_64__
	{ "made", phase_made },
#endif
#ifdef THROWS
	{ "throw", phase_throw },
#endif
};

static void start_timer(void)
{
	struct sigaction action = { .sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF };
	struct itimerspec interval = { { 0, 100000 }, { 0, 100000 } };
	timer_t timer;

	sigaddset(&tick, SIGPROF);
	sigfillset(&action.sa_mask);
	sigaction(SIGPROF, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &interval, NULL))
		exit(99);
}

int main(int argc, char **argv)
{
#ifndef ALONE
	static struct trace trace;

	_Unwind_Backtrace(trace_add, &trace);
#endif
	asked = argc > 1 ? atol(argv[1]) : 1000;
	if (!unwind_known()) {
		puts("unknown");
		return 0;
	}
	unwind_prepare();
	unwinder = unwind_new(1024, false);
	if (!unwinder)
		return 99;
	start_timer();
	for (size_t i = 0; i < sizeof(phases) / sizeof(*phases); i++) {
		int chosen = argc < 3;

		for (int j = 2; j < argc; j++)
			chosen |= strcmp(argv[j], phases[i].name) == 0;
		if (!chosen)
			continue;
		memset(&told, 0, sizeof(told));
		phase_name = phases[i].name;
		phases[i].run();
		wanted = 0;
		printf("%s samples %ld complete %ld guessed %ld broken %ld main %ld equal %ld frames %ld "
		       "undescribed %ld own %ld\n",
		       phases[i].name, told.samples, told.complete, told.guessed, told.broken,
		       told.with_main, told.equal, told.frames, told.undescribed, told.own);
	}
	return 0;
}
