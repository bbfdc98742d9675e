/* SPDX-License-Identifier: MIT */
/* Stubs: what a counted call leads to. See stubs.h. */
#include "calls/stubs.h"

#include "base/sys.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum {
	STUBS_NEAR = 0x7f000000, /* how far a stub may be from the code: less than a 32-bit distance
				    reaches */
	STUBS_STEP = 0x04000000, /* how far apart the addresses are that are tried for stubs */
	STUBS_COUNTER = 8
};

/*
 * Called by a callee's stub, with the address of the counter in %rax: numbers the first call of its
 * site. Another call of the site may have come in between, in a signal handler; and a handler may
 * have given counts to this thread, in which case the counter is none of these. The frame is that
 * of the function which is about to be called.
 */
void calls_first(void);
__asm__(".text\n"
	".globl calls_first\n"
	".hidden calls_first\n"
	".type calls_first, @function\n"
	".p2align 4\n"
	"calls_first:\n"
	".cfi_startproc\n"
	".cfi_def_cfa_offset 24\n"
	"endbr64\n"
	"pushq %rcx\n"
	".cfi_adjust_cfa_offset 8\n"
	"pushq %rdx\n"
	".cfi_adjust_cfa_offset 8\n"
	"pushq %rsi\n"
	".cfi_adjust_cfa_offset 8\n"
	"movq 16 + calls_firsts(%rip), %rcx\n"
	"movq %fs:(%rcx), %rdx\n"
	"movq %rax, %rcx\n"
	"subq %rdx, %rcx\n"
	"cmpq calls_firsts(%rip), %rcx\n"
	"jae 1f\n"
	"shrq $1, %rcx\n" /* numbers have 4 bytes, counts 8 */
	"addq calls_firsts(%rip), %rcx\n"
	"addq %rdx, %rcx\n"
	"movq 8 + calls_firsts(%rip), %rsi\n"
	"movl $1, %edx\n"
	"lock xaddq %rdx, (%rsi)\n"
	"incl %edx\n"
	"cmpl $0, (%rcx)\n"
	"jne 1f\n"
	"movl %edx, (%rcx)\n"
	"1: popq %rsi\n"
	".cfi_adjust_cfa_offset -8\n"
	"popq %rdx\n"
	".cfi_adjust_cfa_offset -8\n"
	"popq %rcx\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n"
	".size calls_first, . - calls_first\n");

static uintptr_t stubs_round(uintptr_t bytes)
{
	return (bytes + CODE_PAGE - 1) & ~(uintptr_t)(CODE_PAGE - 1);
}

/* Memory at an address that was free; 0: it is not. Older kernels take the address for a wish. */
static uintptr_t stubs_memory_at(uintptr_t at, size_t bytes)
{
	void *memory = sys_mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (memory && (uintptr_t)memory != at)
		sys_munmap(memory, bytes);
	return (uintptr_t)memory == at ? at : 0;
}

/*
 * Memory that reaches all of the object's code: below it, or else above, where the heap of a
 * program with fixed addresses grows: so from the farthest place on. 0: none is free.
 */
static uintptr_t stubs_memory(const struct code *code, size_t bytes)
{
	const uintptr_t most = STUBS_NEAR - (code->high - code->low) - bytes;
	uintptr_t at = 0;

	if (code->high - code->low + bytes >= STUBS_NEAR)
		return 0;
	for (uintptr_t far = STUBS_STEP; !at && far < most; far += STUBS_STEP)
		if (far + bytes + STUBS_STEP < code->low)
			at = stubs_memory_at(
				(code->low - far - bytes) & ~(uintptr_t)(CODE_PAGE - 1), bytes);
	for (uintptr_t far = most; !at && far > STUBS_STEP; far -= STUBS_STEP)
		at = stubs_memory_at(stubs_round(code->high) + (far & ~(uintptr_t)(CODE_PAGE - 1)),
				     bytes);
	return at;
}

static uint8_t *stubs_put(uint8_t *to, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	for (size_t i = 0; i < n; i++)
		*to++ = from[i];
	return to;
}

static uint8_t *stubs_put_int(uint8_t *to, intptr_t value)
{
	const int32_t narrow = (int32_t)value;

	__builtin_memcpy(to, &narrow, sizeof(narrow));
	return to + sizeof(narrow);
}

/* Writes the distance from the byte after it, which will run at `next`, to an address. */
static uint8_t *stubs_put_distance(uint8_t *to, uintptr_t next, uintptr_t target)
{
	return stubs_put_int(to, (intptr_t)(target - next));
}

/* Whether a 32-bit distance leads from all of the object and its stubs to an address. */
static bool stubs_reach(const struct stubs *stubs, uintptr_t target)
{
	const intptr_t from_low = (intptr_t)(target - stubs->low);
	const intptr_t from_high = (intptr_t)(target - stubs->high);

	return from_low == (int32_t)from_low && from_high == (int32_t)from_high;
}

/* Two numbers: the code of a site's stub has 11 bytes, and there are many of them. */
static void stubs_write_site(const struct stubs *stubs, size_t i, size_t counter, size_t callee)
{
	enum { PUSH = 0x50, LOAD = 0xb8, JUMP = 0xe9, OF_LOAD = 8, OF_COUNTER = 16, OF_JUMP = 48 };
	uint8_t *to = (uint8_t *)(stubs->low + i * STUBS_SITE_BYTES);
	uint8_t *distance = to + STUBS_SITE_BYTES - sizeof(int32_t);
	const uint64_t code = PUSH | LOAD << OF_LOAD |
			      (uint64_t)(counter * STUBS_COUNTER) << OF_COUNTER |
			      (uint64_t)JUMP << OF_JUMP;
	const int32_t way = (int32_t)(stubs->callees + callee * STUBS_CALLEE_BYTES -
				      (uintptr_t)(to + STUBS_SITE_BYTES));

	__builtin_memcpy(to, &code, sizeof(code));
	__builtin_memcpy(distance, &way, sizeof(way));
}

/* Where a callee is entered: behind its hook, if it has one. */
static uintptr_t stubs_behind(const struct stubs *stubs, const struct code *code,
			      const struct entries *entries, const struct site_callee *callee)
{
	const size_t number = callee->is_slot ? 0 : entries_number(entries, code->low, callee->at);

	return number ? stubs->entries + (number - 1) * ENTRIES_BYTES + ENTRIES_MOVED : callee->at;
}

static void stubs_write_callee(const struct stubs *stubs, size_t i,
			       const struct site_callee *callee, uintptr_t target, intptr_t counts)
{
	static const uint8_t load[] = { 0x64, 0x48, 0x03, 0x04, 0x25 };
	static const uint8_t count[] = { 0x48, 0x83, 0x28, 0x01, 0x72, 0x07, 0x58 };
	static const uint8_t jump[] = { 0xe9 }, jump_memory[] = { 0xff, 0x25 };
	static const uint8_t call[] = { 0xe8 }, back[] = { 0xeb, 0xf2 };
	uint8_t *to = (uint8_t *)(stubs->callees + i * STUBS_CALLEE_BYTES);
	uint8_t *first = to + STUBS_FIRST;

	to = stubs_put(to, load, sizeof(load));
	to = stubs_put_int(to, counts);
	to = stubs_put(to, count, sizeof(count));
	to = callee->is_slot ? stubs_put(to, jump_memory, sizeof(jump_memory))
			     : stubs_put(to, jump, sizeof(jump));
	stubs_put_distance(to, (uintptr_t)to + sizeof(int32_t), target);
	first = stubs_put(first, call, sizeof(call));
	first = stubs_put_distance(first, (uintptr_t)first + sizeof(int32_t), stubs->first);
	stubs_put(first, back, sizeof(back));
}

/* Writes the jump to calls_first(). */
static void stubs_write_first(const struct stubs *stubs)
{
	static const uint8_t jump[] = { 0xff, 0x25, 0, 0, 0, 0 };
	const uintptr_t target = (uintptr_t)calls_first;
	uint8_t *to = (uint8_t *)stubs->first;

	to = stubs_put(to, jump, sizeof(jump));
	stubs_put(to, &target, sizeof(target));
}

/* Has a site lead to its stub. FF 15 and FF 25 get a prefix that means nothing to them. */
static void stubs_redirect(const struct stubs *stubs, const struct code *code, size_t i,
			   const struct site *site)
{
	enum { MEMORY = 6 /* bytes of FF 15 and FF 25 */ };
	static const uint8_t call[] = { 0x67, 0xe8 }, jump[] = { 0x67, 0xe9 };
	const uintptr_t next = code->low + site->next;

	if (site->kind == SITE_CALL_MEMORY || site->kind == SITE_JUMP_MEMORY)
		stubs_put((uint8_t *)next - MEMORY, site->kind == SITE_CALL_MEMORY ? call : jump,
			  sizeof(call));
	stubs_put_distance((uint8_t *)next - sizeof(int32_t), next,
			   stubs->low + i * STUBS_SITE_BYTES);
}

/* Writes all stubs. NULL, or why that cannot be. */
static const char *stubs_write(const struct stubs *stubs, const struct code *code,
			       const struct sites *sites, const struct entries *entries,
			       intptr_t counts, size_t first)
{
	static const char far[] = "its code and data are too far apart";
	const struct entries_stubs places = { stubs->entries, stubs->enter, stubs->low,
					      STUBS_SITE_BYTES };

	for (size_t i = 0; i < sites->ncallees; i++) {
		const struct site_callee *callee = &sites->callee[i];

		if (!stubs_reach(stubs, callee->at))
			return far;
		stubs_write_callee(stubs, i, callee, stubs_behind(stubs, code, entries, callee),
				   counts);
	}
	for (size_t i = 0; i < sites->n; i++)
		stubs_write_site(stubs, i, first + i, sites->site[i].callee);
	stubs_write_first(stubs);
	if (!entries->n)
		return NULL;
	*(uintptr_t *)stubs->enter = (uintptr_t)calls_enter;
	return entries_write(entries, code, sites, &places) ? NULL : far;
}

/* Has the object's code be writable, of which so many places will be changed, and the stubs be run.
 * NULL, or why that cannot be. */
static const char *stubs_prepare(const struct stubs *stubs, struct code *code, size_t changes)
{
	if (!sys_failed(SYS3(SYS_mprotect, stubs->low, stubs->high - stubs->low,
			     PROT_READ | PROT_EXEC)) &&
	    code_protect(code, PROT_READ | PROT_WRITE)) {
		if ((code->high - code->low) / CODE_PAGE < changes)
			code_own(code);
		return NULL;
	}
	code_protect(code, PROT_READ | PROT_EXEC);
	return "the kernel refuses changes of its code";
}

/* Has the pages of the stubs be there: those of the sites' spare memory, whatever is in them, and
 * new ones, since a page that is moved takes a tenth of the time. False: the memory is lost. */
static bool stubs_fill(const struct stubs *stubs, struct sites *sites)
{
	const size_t bytes = stubs->high - stubs->low;
	size_t moved = sites->spare_bytes < bytes ? sites->spare_bytes : bytes;

	if (!sites->spare)
		moved = 0;
	else if (sys_failed(SYS6(SYS_mremap, sites->spare, sites->spare_bytes, moved,
				 MREMAP_MAYMOVE | MREMAP_FIXED, stubs->low, 0)))
		return false;
	sites->spare = NULL;
	if (moved < bytes)
		sys_populate((const void *)(stubs->low + moved), bytes - moved);
	return true;
}

/* Finds memory for the stubs, or makes that of earlier ones writable. */
static bool stubs_reserve(struct stubs *stubs, const struct code *code, struct sites *sites,
			  size_t nentries)
{
	const size_t of_sites = (sites->n * STUBS_SITE_BYTES + STUBS_CALLEE_BYTES - 1) &
				~(size_t)(STUBS_CALLEE_BYTES - 1);
	const size_t of_callees = sites->ncallees * STUBS_CALLEE_BYTES;
	const size_t of_entries = nentries ? nentries * ENTRIES_BYTES + STUBS_CALLEE_BYTES : 0;
	const size_t bytes = stubs_round(of_sites + of_callees + STUBS_CALLEE_BYTES + of_entries);

	if (stubs->low)
		return !sys_failed(SYS3(SYS_mprotect, stubs->low, stubs->high - stubs->low,
					PROT_READ | PROT_WRITE));
	stubs->low = stubs_memory(code, bytes);
	if (!stubs->low)
		return false;
	stubs->high = stubs->low + bytes;
	stubs->callees = stubs->low + of_sites;
	stubs->first = stubs->callees + of_callees;
	stubs->entries = stubs->first + STUBS_CALLEE_BYTES;
	stubs->enter = stubs->entries + nentries * ENTRIES_BYTES;
	if (stubs_fill(stubs, sites))
		return true;
	*stubs = (struct stubs){ 0 };
	return false;
}

struct stubs_place stubs_find(const struct stubs *stubs, uintptr_t address)
{
	size_t at = address - stubs->callees;

	if (address < stubs->callees) {
		at = address - stubs->low;
		return (struct stubs_place){ .is_site = true,
					     .number = at / STUBS_SITE_BYTES,
					     .pushed = at % STUBS_SITE_BYTES >= STUBS_PUSHED };
	}
	return (struct stubs_place){ .is_callee = address < stubs->first,
				     .number = at / STUBS_CALLEE_BYTES,
				     .pushed = at % STUBS_CALLEE_BYTES < STUBS_POPPED ||
					       at % STUBS_CALLEE_BYTES >= STUBS_FIRST };
}

const char *stubs_make(struct stubs *stubs, struct code *code, struct sites *sites,
		       const struct entries *entries, intptr_t counts, size_t first)
{
	const char *why;

	if (!sites->n && !entries->n)
		return NULL;
	if (first + sites->n > INT32_MAX / STUBS_COUNTER || counts != (int32_t)counts)
		return "too many call sites";
	if (!stubs_reserve(stubs, code, sites, entries->n))
		return "no room near its code";
	why = stubs_write(stubs, code, sites, entries, counts, first);
	if (!why)
		why = stubs_prepare(stubs, code, sites->n + entries->n);
	if (why) {
		sys_munmap((void *)stubs->low, stubs->high - stubs->low);
		*stubs = (struct stubs){ 0 };
		return why;
	}
	for (size_t i = 0; i < sites->n; i++)
		stubs_redirect(stubs, code, i, &sites->site[i]);
	entries_redirect(entries, code, stubs->entries);
	return code_protect(code, PROT_READ | PROT_EXEC)
		       ? NULL
		       : "the kernel refuses to run its code again";
}
