/* SPDX-License-Identifier: MIT */
/*
 * Steps without call-frame information. See guess.h.
 *
 * The search of the stack (guess_search()) of work(), which main() has called:
 *
 *   sp        0x7ffd3f10   no code lies there
 *   sp + 8    0x4011f0     code, but no call ends there
 *   sp + 16   0x401252     a call of another function ends there: `likely`, if the two frames
 *                          that would follow have callers, too; perhaps left by an earlier call
 *   sp + 24   0x401190     a call of work() ends there: `caller`, and the search is over
 *
 * The walk goes on in main(), at ip 0x401190 with sp + 32. Had the search ended without a `caller`,
 * it would go on at the next frame record or at `likely`, and the stack be marked as guessed.
 */
#include <registers.h>

#if ARCH_UNWINDS
#include "unwind/guess.h"

#include "state.h"

enum {
	WORD = sizeof(uintptr_t),
	GUESS_BYTES = 4096,     /* how far the stack is searched */
	GUESS_FUNCTION = 2048,  /* the most bytes from a function's entry to an ip in it */
	GUESS_START = 96,       /* bytes of the code that starts a program */
	GUESS_RECORD = 1 << 23, /* the most bytes between two frame records */
	GUESS_SAVED = 256,      /* bytes of registers that a function saves where it is entered */
	GUESS_ALIGNED = 16,     /* functions without call-frame information begin at multiples */
	GUESS_TRIALS = 8,       /* return addresses from which steps are tried */
	GUESS_FAR = 1 << 18,    /* how far guess_register() searches for a frame record */
	GUESS_FITS = 64,        /* values of the register from which steps are tried */
	GUESS_CALL_BYTES = 8,   /* of code, in which a call instruction has room */
	GUESS_PLT = 16,         /* bytes of a PLT entry */
	GUESS_ENTRY = 64,       /* bytes of code that take the stack of a function */
};

/* Which call ends at an address. */
enum guess_call {
	GUESS_NO_CALL,
	GUESS_CALL,  /* a call of another function, or of an unknown one */
	GUESS_CALLER /* a call of the frame's function */
};

/* Whether pc is in the code that starts the program or its loader. */
static bool guess_starts(const struct frame_kit *kit, uintptr_t pc)
{
	for (size_t i = 0; i < 2; i++)
		if (kit->starts->entry[i] && pc - kit->starts->entry[i] < GUESS_START)
			return true;
	return false;
}

/* Whether pc may be in the function with this entry. */
static bool guess_within(uintptr_t pc, uintptr_t entry)
{
	return entry && pc - entry < GUESS_FUNCTION;
}

/* Follows a PLT entry, or `slot`, to the function that it jumps to: that becomes *target. */
static void guess_follow(struct frame_kit *kit, uintptr_t *target, uintptr_t slot)
{
#if ARCH_LINK
	(void)kit; /* not needed where calls leave the return address in a register */
	(void)target;
	(void)slot;
#else
	uint8_t code[GUESS_PLT];
	uintptr_t function;

	if (gmon.call_target)
		*target = gmon.call_target(*target);
	if (*target && frame_code(kit, *target, code, sizeof(code)))
		slot = arch_plt_slot(code, *target);
	if (slot && readable_copy(&function, slot, sizeof(function)))
		*target = function;
#endif
}

/* Whether an address may be one that a call returns to. `anywhere`: as in guess_look(). */
static bool guess_may_return(struct frame_kit *kit, const struct frame *frame, uintptr_t at,
			     bool anywhere)
{
	const struct eh_object *object;

	if (at < GUESS_BYTES || at - frame->registers.value[REGISTER_SP] < GUESS_BYTES)
		return false;
	object = eh_objects_find(&kit->objects, kit->starts, at);
	if (!object)
		return anywhere;
	return at >= object->text_low + GUESS_CALL_BYTES && at <= object->text_high;
}

/* As arch_called(). False also where the code before the address cannot be read. */
static bool guess_called(struct frame_kit *kit, uintptr_t at, uintptr_t *target, uintptr_t *slot)
{
	_Alignas(8) uint8_t code[GUESS_CALL_BYTES];

	return frame_code(kit, at - sizeof(code), code, sizeof(code)) &&
	       arch_called(code + sizeof(code), at, target, slot);
}

/*
 * Which call ends at an address, if any. `anywhere`: the address may be in code that was made at
 * run time, which takes a system call to check.
 */
static enum guess_call guess_look(struct frame_kit *kit, const struct frame *frame, uintptr_t at,
				  bool anywhere)
{
	uintptr_t target;
	uintptr_t slot;

	if (!guess_may_return(kit, frame, at, anywhere) || !guess_called(kit, at, &target, &slot))
		return GUESS_NO_CALL;
	if (guess_within(frame->ip, target))
		return GUESS_CALLER;
	guess_follow(kit, &target, slot);
	return guess_within(frame->ip, target) ? GUESS_CALLER : GUESS_CALL;
}

/*
 * Makes it the frame that resumes at ip with stack pointer sp. `untouched`: its function has not
 * changed the registers that it must preserve.
 */
static void guess_go(struct frame *frame, uintptr_t ip, uintptr_t sp, bool untouched)
{
	struct registers *registers = &frame->registers;

	frame->ip = arch_plain(ip);
	frame->exact = false;
	registers->value[REGISTER_SP] = sp;
	registers->known &= ((uint64_t)1 << REGISTERS_KEPT) - 1;
	registers->known &= ~((uint64_t)1 << REGISTER_RA);
	registers->sure &= registers->known;
	if (!untouched)
		registers->sure &= (uint64_t)1 << REGISTER_SP;
}

/* Whether two more steps succeed from a frame that resumes at ip with stack pointer sp. */
static bool guess_holds(struct frame_kit *kit, const struct frame *frame, uintptr_t ip,
			uintptr_t sp)
{
	struct frame trial;

	frame_copy(&trial, frame);
	guess_go(&trial, ip, sp, false);
	for (int i = 0; i < 2; i++) {
		enum frame_step step = frame_step(kit, &trial);

		if (step == FRAME_OUTERMOST)
			return true;
		if (step == FRAME_UNKNOWN ||
		    guess_look(kit, frame, trial.ip, false) == GUESS_NO_CALL)
			return false;
	}
	return true;
}

/* What a search of the stack found: addresses of words in it. 0: none. */
struct guess_found {
	uintptr_t caller; /* a return address after a call of the frame's function */
	uintptr_t likely; /* a return address from which two more steps succeed */
	bool start;       /* only code that starts the program or a thread can have called */
};

/*
 * Searches [from, from + bytes). *passed: how many return addresses were tried; while it is 0, code
 * that starts the program may be met. Returns true if the search is over.
 */
static bool guess_search_in(struct frame_kit *kit, const struct frame *frame, uintptr_t from,
			    uintptr_t bytes, struct guess_found *found, int *passed)
{
	for (uintptr_t at = from; at - from < bytes; at += WORD) {
		enum guess_call call;
		uintptr_t word;

		if (!readable_word(&kit->readable, at, &word))
			return true;
		if (!*passed && guess_starts(kit, word - 1)) {
			found->start = true;
			return true;
		}
		call = guess_look(kit, frame, word, false);
		if (call == GUESS_CALLER) {
			found->caller = at;
			return true;
		}
		if (call == GUESS_NO_CALL || !frame_has_cfi(kit, word - 1))
			continue;
		if (!found->likely && ++*passed < GUESS_TRIALS &&
		    guess_holds(kit, frame, word, at + WORD))
			found->likely = at;
	}
	return false;
}

static void guess_search(struct frame_kit *kit, const struct frame *frame,
			 struct guess_found *found)
{
	uintptr_t sp = frame->registers.value[REGISTER_SP];
	uintptr_t bytes = kit->top - sp < GUESS_BYTES ? kit->top - sp : GUESS_BYTES;
	/* Code made at run time may have been called by such code: that is not the start. */
	int passed = !eh_objects_find(&kit->objects, kit->starts, frame->ip);

	found->caller = found->likely = 0;
	found->start = false;
	if (guess_search_in(kit, frame, sp, bytes, found, &passed))
		return;
	found->start = !passed && bytes < GUESS_BYTES;
	/* A function that aligns its stack, or has large buffers there, keeps the stack pointer
	 * that it was entered with in a register; most often some saved registers lie there. */
	for (int i = 0; i < REGISTERS_KEPT && bytes == GUESS_BYTES; i++) {
		uintptr_t value = frame->registers.value[i];

		passed = 1;
		if (frame->registers.known >> i & 1 && value - sp >= GUESS_BYTES &&
		    value - sp < GUESS_FAR &&
		    guess_search_in(kit, frame, value, GUESS_SAVED, found, &passed))
			return;
	}
}

/* Steps by the frame record to which the frame pointer points. */
static bool guess_by_record(struct frame_kit *kit, struct frame *frame)
{
#ifdef ARCH_RECORD
	struct registers *registers = &frame->registers;
	uintptr_t at = registers->value[REGISTER_FP] + (uintptr_t)(ARCH_RECORD * WORD);
	uintptr_t sp = registers->value[REGISTER_SP];
	uintptr_t next;
	uintptr_t ip;

	if (!(registers->known >> REGISTER_FP & 1) || at - sp > GUESS_RECORD ||
	    !readable_word(&kit->readable, at, &next) ||
	    !readable_word(&kit->readable, at + WORD, &ip))
		return false;
	/* A caller with call-frame information may use the frame pointer for anything. Nothing may
	 * have called the last one (guess_made_by_hand()). */
	if ((guess_look(kit, frame, arch_plain(ip), true) == GUESS_NO_CALL &&
	     (next || !guess_may_return(kit, frame, arch_plain(ip), false))) ||
	    (next && next - at > GUESS_RECORD && !frame_has_cfi(kit, arch_plain(ip) - 1)))
		return false;
	guess_go(frame, ip, at + 2 * WORD, false);
	if (!ARCH_RECORD_ENDS)
		registers->known &= ~((uint64_t)1 << REGISTER_SP);
	registers->value[REGISTER_FP] = next;
	frame->guessed = true;
	return true;
#else
	(void)kit;
	(void)frame;
	return false;
#endif
}

/* If the return address at `at` is in the frame's own record, restores the caller's frame pointer.
 */
static void guess_leave_record(struct frame_kit *kit, struct frame *frame, uintptr_t at)
{
#ifdef ARCH_RECORD
	uintptr_t *pointer = &frame->registers.value[REGISTER_FP];
	uintptr_t record = at - WORD;

	if (*pointer + (uintptr_t)(ARCH_RECORD * WORD) == record)
		readable_word(&kit->readable, record, pointer);
#else
	(void)kit;
	(void)frame;
	(void)at;
#endif
}

/* Steps by the link register, if it may still hold what it did at the entry of the function. */
static bool guess_by_link(struct frame_kit *kit, struct frame *frame)
{
#if ARCH_LINK
	uintptr_t link = arch_plain(frame->registers.value[REGISTER_RA]);
	_Alignas(8) uint8_t code[GUESS_PLT];
	enum guess_call call;

	if (!frame->exact)
		return false;
	call = guess_look(kit, frame, link, false);
	if (frame_code(kit, frame->ip, code, sizeof(code)) && arch_in_plt(code))
		call = GUESS_CALLER;
	if (call == GUESS_NO_CALL || (call == GUESS_CALL && !frame_has_cfi(kit, link - 1)))
		return false;
	frame->guessed |= call != GUESS_CALLER;
	guess_go(frame, link, frame->registers.value[REGISTER_SP], true);
	return true;
#else
	(void)kit;
	(void)frame;
	return false;
#endif
}

/* How well a return address fits the frame's function: the lower, the better. */
enum guess_rank {
	GUESS_IT_CALLS, /* the call instruction before the return address has the function as its
			   target */
	GUESS_MAY_CALL, /* the call is indirect: its target is not known */
	GUESS_CALLS_OTHERS, /* the call goes to another function, which may have jumped here */
	GUESS_RANKS,        /* no call ends there */
};

static enum guess_rank guess_rank(struct frame_kit *kit, const struct frame *frame,
				  const struct frame_lack *lack, uintptr_t at)
{
	uintptr_t target;
	uintptr_t slot;

	switch (guess_look(kit, frame, at, false)) {
	case GUESS_CALLER:
		return GUESS_IT_CALLS;
	case GUESS_NO_CALL:
		return GUESS_RANKS;
	case GUESS_CALL:
		break;
	}
	guess_called(kit, at, &target, &slot);
	guess_follow(kit, &target, slot);
	return target == lack->entry ? GUESS_IT_CALLS
	       : target              ? GUESS_CALLS_OTHERS
				     : GUESS_MAY_CALL;
}

/* Whether the register can have this value: the walk goes on for three steps, or to its end. */
static bool guess_fits(struct frame_kit *kit, const struct frame *frame,
		       const struct frame_lack *lack, uintptr_t value)
{
	struct frame trial;

	frame_copy(&trial, frame);
	frame_learn(&trial, lack->number, value, true);
	if (frame_step(kit, &trial) != FRAME_STEPPED || !frame_has_cfi(kit, frame_pc(&trial)))
		return false;
	for (int i = 0; i < 2; i++) {
		enum frame_step step = frame_step(kit, &trial);

		if (step != FRAME_STEPPED)
			return step == FRAME_OUTERMOST || i > 0;
		if (guess_look(kit, frame, trial.ip, false) == GUESS_NO_CALL)
			return false;
	}
	return true;
}

/* The lowest address at which the return address can be, by the function's code. *exact: it most
 * likely is there. */
static uintptr_t guess_first(struct frame_kit *kit, const struct frame *frame,
			     const struct frame_lack *lack, bool *exact)
{
	uintptr_t sp = frame->registers.value[REGISTER_SP];
#ifdef ARCH_ROOM
	uint8_t code[GUESS_ENTRY];
	size_t n = frame_pc(frame) - lack->entry;
	uintptr_t taken = UINTPTR_MAX;

	n = n < sizeof(code) ? n : sizeof(code);
	if (frame_code(kit, lack->entry, code, n))
		taken = ARCH_ROOM(code, code + n);
	*exact = lack->number == REGISTER_FP && taken < GUESS_RECORD;
	return *exact ? sp + taken + lack->distance : sp;
#else
	(void)kit;
	(void)lack;
	*exact = false;
	return sp;
#endif
}

/*
 * Finds the register that the CFA is computed from, in a blocked thread: the kernel shows its stack
 * pointer alone. Each word of the stack that may be the return address gives a value of the
 * register; the best rank wins, and the nearest of equal rank. Locals that the function has not
 * written yet may hold older return addresses, so the search begins above them where the function's
 * code tells how many there are. From GUESS_BYTES on, only frame records that point outwards count.
 */
static bool guess_register(struct frame_kit *kit, struct frame *frame)
{
	uintptr_t found[GUESS_RANKS] = { 0, 0, 0 };
	struct frame_lack lack;
	uintptr_t first, bytes = GUESS_FAR;
	unsigned rank, tries = 0;
	bool exact;

	if (!kit->readable.blocked || !frame_lacks(kit, frame, &lack))
		return false;
	first = guess_first(kit, frame, &lack, &exact);
	for (uintptr_t at = first; at - first < bytes && !found[GUESS_IT_CALLS]; at += WORD) {
		uintptr_t value = at - lack.distance;
		uintptr_t word;

		if (at - first >= GUESS_BYTES &&
		    (!readable_word(&kit->readable, value, &word) || word - value > GUESS_RECORD))
			continue;
		if (!readable_word(&kit->readable, at, &word))
			break;
		rank = guess_rank(kit, frame, &lack, arch_plain(word));
		if (rank < GUESS_RANKS && !found[rank] && tries++ < GUESS_FITS &&
		    guess_fits(kit, frame, &lack, value))
			found[at == first && exact ? GUESS_IT_CALLS : rank] = value;
		if (found[GUESS_MAY_CALL] && bytes == GUESS_FAR)
			bytes = at - first + GUESS_BYTES;
	}
	for (rank = 0; rank < GUESS_RANKS && !found[rank];)
		rank++;
	if (rank == GUESS_RANKS)
		return false;
	frame_learn(frame, lack.number, found[rank], rank == GUESS_IT_CALLS);
	frame->guessed |= rank != GUESS_IT_CALLS;
	return true;
}

/*
 * Whether ip is an address to which no call returns: that of a function, or in one, which a
 * coroutine library has written into a new stack.
 */
static bool guess_made_by_hand(struct frame_kit *kit, const struct frame *frame)
{
	uintptr_t target;
	uintptr_t slot;
	uint8_t byte;

	return !frame->exact && !frame_has_cfi(kit, frame->ip - 1) &&
	       guess_may_return(kit, frame, frame->ip, false) &&
	       frame_code(kit, frame->ip, &byte, 1) &&
	       !guess_called(kit, frame->ip, &target, &slot);
}

#if !ARCH_LINK
/* Whether pc may be the entry of a function. */
static bool guess_is_entry(struct frame_kit *kit, uintptr_t pc)
{
	const struct eh_object *object;
	struct eh_fde function;

	if (pc % GUESS_ALIGNED)
		return false;
	object = eh_objects_find(&kit->objects, kit->starts, pc);
	return object &&
	       (!ehframe_find(object, &kit->readable, pc, &function) || function.low == pc);
}
#endif

void guess_leave_injected(struct frame_kit *kit, struct frame *frame)
{
#if !ARCH_LINK
	uintptr_t *sp = &frame->registers.value[REGISTER_SP];
	uintptr_t target;
	uintptr_t slot;
	uintptr_t word;
	uint8_t byte;

	if (!guess_is_entry(kit, frame->ip) || !readable_word(&kit->readable, *sp, &word) ||
	    !guess_may_return(kit, frame, word, false) || !frame_code(kit, word, &byte, 1) ||
	    guess_called(kit, word, &target, &slot) || frame_is_signal_return(kit, word))
		return;
	*sp += WORD;
	frame->ip = frame->registers.value[REGISTER_RA] = word;
#else
	(void)kit;
	(void)frame;
#endif
}

enum frame_step guess_step(struct frame_kit *kit, struct frame *frame, uintptr_t *pc)
{
	uintptr_t sp = frame->registers.value[REGISTER_SP];
	uintptr_t ip = frame->ip;
	struct guess_found found;
	uintptr_t at;
	uintptr_t word;

	if (frame_leave_signal(kit, frame)) {
		*pc = ip;
		return FRAME_STEPPED;
	}
	if (guess_register(kit, frame) && frame_step(kit, frame) == FRAME_STEPPED)
		return FRAME_STEPPED;
	if (guess_by_link(kit, frame))
		return FRAME_STEPPED;
	if (guess_made_by_hand(kit, frame)) {
		*pc = ip;
		return FRAME_OUTERMOST;
	}
	if (guess_starts(kit, frame_pc(frame)))
		return FRAME_OUTERMOST;
	guess_search(kit, frame, &found);
	if (found.start)
		return FRAME_OUTERMOST;
	if (!found.caller && guess_by_record(kit, frame))
		return FRAME_STEPPED;
	at = found.caller ? found.caller : found.likely;
	if (!ARCH_RETURN_LAST || !at || !readable_word(&kit->readable, at, &word))
		return FRAME_UNKNOWN;
	frame->guessed |= !found.caller;
	guess_leave_record(kit, frame, at);
	guess_go(frame, word, at + WORD, at == sp && frame->exact && !ARCH_LINK);
	return FRAME_STEPPED;
}
#endif
