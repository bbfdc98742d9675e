/* SPDX-License-Identifier: MIT */
/*
 * Functions with sets of signals, in the shared library only and with GMON=run. A thread never
 * blocks the signal of samples, whatever it sets; so samples come also where a program blocks
 * all signals. It is told that it does, and no function returns our signals (waits.c).
 *
 * If the program itself sends that signal to a thread that, as it sees itself, blocks it, then the
 * thread does block it from then on, until it unblocks or has received it.
 */
#include "preload/masks.h"

#include <pthread.h>

#include "base/handlers.h"
#include "base/sys.h"
#include "preload/next.h"
#include "sample/clock.h"
#include "state.h"

typedef int masks_change_function(int how, const sigset_t *set, sigset_t *old);

enum { MASKS_ASK = -1, MASKS_HANDED = 1 << 30 };

/*
 * What the thread has set last. siglongjmp() and setcontext() change the mask unseen, so
 * `seen` holds only while the kernel has `mask`.
 */
static __thread struct {
	bool seen;     /* the signal is blocked, as the thread sees itself */
	bool real;     /* it is blocked: one of the program's is or was pending */
	uint64_t mask; /* the other signals that are blocked */
	int32_t child; /* a child of vfork(), in this memory, that has set its own */
} masks;

int masks_signal(void)
{
	return gmon.settings.run && gmon.phase >= STARTING && gmon.phase <= STOPPED ? clock_signal()
										    : 0;
}

/* A set without the sampling signal, those that cannot be blocked, and those of C libraries. */
static uint64_t masks_others(uint64_t set)
{
	enum { FIRST_OF_LIBRARIES = 32, OF_LIBRARIES = 7 };

	return set &
	       ~(UINT64_C(1) << (clock_signal() - 1) | UINT64_C(1) << (SIGKILL - 1) |
		 UINT64_C(1) << (SIGSTOP - 1) | (uint64_t)OF_LIBRARIES << (FIRST_OF_LIBRARIES - 1));
}

static uint64_t masks_bits(const sigset_t *set)
{
	uint64_t bits;

	__builtin_memcpy(&bits, set, sizeof(bits));
	return bits;
}

/* Whether the thread, which blocks `mask`, sees the signal blocked. */
static bool masks_sees(uint64_t mask)
{
	return masks.seen && masks_others(mask) == masks.mask;
}

/* Blocks or unblocks a signal, or with MASKS_ASK neither; returns the mask before. */
static uint64_t masks_set_one(int how, int signal)
{
	const uint64_t bit = UINT64_C(1) << (signal - 1);
	uint64_t before = 0;

	SYS4(SYS_rt_sigprocmask, how, how == MASKS_ASK ? NULL : &bit, &before, sizeof(before));
	return before;
}

static uint64_t masks_set(int how)
{
	return masks_set_one(how, clock_signal());
}

bool masks_blocked(void)
{
	return masks.seen && masks_sees(masks_set(MASKS_ASK));
}

void masks_begin(bool blocked)
{
	masks.seen = blocked;
	masks.mask = masks_others(masks_set(SIG_UNBLOCK));
}

void masks_start(void)
{
	uint64_t mask = masks_set(SIG_UNBLOCK);

	masks.seen = mask >> (clock_signal() - 1) & 1;
	masks.mask = masks_others(mask);
}

void masks_move(int before, bool blocked)
{
	masks.real = false;
	if (blocked)
		masks_set_one(SIG_BLOCK, before);
	masks_start();
}

bool masks_put_off(int signal, siginfo_t *info, ucontext_t *context)
{
	if (signal != masks_signal() || !masks_sees(masks_bits(&context->uc_sigmask)) ||
	    !state_is_ours())
		return false;
	masks.real = true;
	sigaddset(&context->uc_sigmask, signal);
	if (info->si_code == SI_TKILL)
		SYS4(SYS_rt_tgsigqueueinfo, gmon.pid, sys_gettid(), signal, info);
	else
		SYS3(SYS_rt_sigqueueinfo, gmon.pid, signal, info);
	return true;
}

uint32_t masks_hand_on(void)
{
	uint32_t handed = handlers_hand_on();

	if (!masks.real && masks_blocked() && (state_is_ours() || masks.child != sys_getpid())) {
		masks_set(SIG_BLOCK);
		handed |= MASKS_HANDED;
	}
	return handed;
}

void masks_resume(uint32_t handed)
{
	handlers_resume(handed & ~MASKS_HANDED);
	if (handed & MASKS_HANDED)
		masks_set(SIG_UNBLOCK);
}

/* A copy of a set without the signal. The kernel knows 64 signals; the program's memory may end
 * behind them. */
static void masks_copy(sigset_t *to, const sigset_t *set, int signal)
{
	sigemptyset(to);
	__builtin_memcpy(to, set, sizeof(uint64_t));
	sigdelset(to, signal);
}

/* A mask after a change. */
static uint64_t masks_after(uint64_t mask, int how, const sigset_t *set)
{
	if (!set)
		return mask;
	if (how == SIG_SETMASK)
		return masks_bits(set);
	return how == SIG_BLOCK ? mask | masks_bits(set) : mask & ~masks_bits(set);
}

/* In the child of a vfork(): samples do not come to it, so it may set what it likes. */
static int masks_change_in_child(enum next function, int how, const sigset_t *set, sigset_t *old)
{
	masks.child = sys_getpid();
	return ((masks_change_function *)next_of(function))(how, set, old);
}

static int masks_change(enum next function, int how, const sigset_t *set, sigset_t *old)
{
	masks_change_function *next = (masks_change_function *)next_of(function);
	const uint64_t bit = UINT64_C(1) << (clock_signal() - 1);
	sigset_t kept, given;
	uint64_t before;
	int result;

	if (!masks_signal())
		return next(how, set, old);
	if (set && (masks.seen || masks_bits(set) & bit) && !state_is_ours())
		return masks_change_in_child(function, how, set, old);
	sigemptyset(&kept);
	if (set && !masks.real) {
		masks_copy(&given, set, clock_signal());
		result = next(how, &given, &kept);
	} else {
		if (set && !(masks_after(bit, how, set) & bit))
			masks.seen = masks.real = false; /* before a pending one comes */
		result = next(how, set, &kept);
	}
	if (result)
		return result;
	before = masks_bits(&kept);
	if (masks_sees(before))
		before |= bit;
	if (set) {
		uint64_t after = masks_after(before, how, set);

		masks.seen = after & bit;
		masks.mask = masks_others(after);
	}
	if (old)
		__builtin_memcpy(old, &before, sizeof(before));
	return 0;
}

PUBLIC int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	return masks_change(NEXT_PTHREAD_SIGMASK, how, set, old);
}

PUBLIC int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	return masks_change(NEXT_SIGPROCMASK, how, set, old);
}

/* The older functions; an int has the first 32 signals. */
static int masks_change_old(int how, int mask)
{
	uint64_t bits = (unsigned)mask;
	sigset_t set, old;

	sigemptyset(&set);
	sigemptyset(&old);
	__builtin_memcpy(&set, &bits, sizeof(bits));
	sigprocmask(how, &set, &old);
	return (int)masks_bits(&old);
}

PUBLIC int sigblock(int mask)
{
	return masks_change_old(SIG_BLOCK, mask);
}

PUBLIC int sigsetmask(int mask)
{
	return masks_change_old(SIG_SETMASK, mask);
}

PUBLIC int siggetmask(void)
{
	return masks_change_old(SIG_BLOCK, 0);
}

static int masks_change_one(int how, int signal)
{
	sigset_t set;

	sigemptyset(&set);
	return sigaddset(&set, signal) ? -1 : sigprocmask(how, &set, NULL);
}

PUBLIC int sighold(int signal)
{
	return masks_change_one(SIG_BLOCK, signal);
}

PUBLIC int sigrelse(int signal)
{
	return masks_change_one(SIG_UNBLOCK, signal);
}

const sigset_t *masks_instead(sigset_t *copy, const sigset_t *set)
{
	int signal = masks_signal();

	if (!signal || !set || masks.real)
		return set;
	masks_copy(copy, set, signal);
	return copy;
}

bool masks_wait_for_program(void)
{
	return masks.real;
}

void masks_received(void)
{
	masks.real = false;
	masks_set(SIG_UNBLOCK);
}

PUBLIC int sigpending(sigset_t *set)
{
	typedef int function(sigset_t *);
	int result = ((function *)next_of(NEXT_SIGPENDING))(set), signal = masks_signal();

	if (!result && signal && !masks.real)
		sigdelset(set, signal);
	return result;
}
