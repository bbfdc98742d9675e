/* SPDX-License-Identifier: MIT */
/* Functions that are counted where they begin. See entries.h. */
#include "calls/entries.h"

#include <gmon_ext.h>

#include "base/sys.h"
#include "base/wide.h"
#include "calls/decode.h"
#include "calls/grow.h"
#include "calls/moves.h"
#include "count/hooks.h"
#include "count/thread.h"
#include "state.h"

enum { ENTRIES_JUMP = 5, ENTRIES_MARK = 4, ENTRIES_TRAP = 0xcc };

static bool entries_is_marked(uintptr_t at)
{
	static const uint8_t mark[ENTRIES_MARK] = { 0xf3, 0x0f, 0x1e, 0xfa }; /* endbr64 */

	return __builtin_memcmp((const void *)at, mark, sizeof(mark)) == 0;
}

/* What is known while it is decided which functions can be counted where they begin. */
struct entries_choice {
	const struct code *code;
	const struct sites *sites;
	const struct code_function *function;
	uintptr_t limit; /* here the next function begins, or the segment ends */
};

/* Whether an instruction of the function leads to its start. */
static bool entries_loops(const struct code_function *function)
{
	struct decoded d;

	for (uintptr_t at = function->low; at < function->high; at += d.length)
		if (!decode(&d, (const uint8_t *)at, function->high - at, at) ||
		    (d.has_target && !d.is_lea && d.target == function->low))
			return true;
	return false;
}

/* Whether the function may hold a jump by a table of addresses, or through a register. */
static bool entries_may_switch(const struct code_function *function)
{
	const uint8_t *bytes = (const uint8_t *)function->low;

	for (size_t i = 1; i < function->high - function->low; i++)
		if (bytes[i - 1] == 0xff && ((bytes[i] & 0xf8) == 0xe0 || bytes[i] == 0x24))
			return true;
	return false;
}

/* Whether something may lead into [at, end), in which the jump will be, or back to the start. */
static bool entries_is_entered(const struct entries_choice *choice, uintptr_t end)
{
	const struct landings *landings = &choice->sites->landings;
	const struct code_function *function = choice->function;
	const uintptr_t low = function->low;

	if (landings_between(landings, low + 1, end))
		return true;
	if (landings_between(landings, low, low + 1) &&
	    ((function->partial & GMON_EXT_PARTIAL_UNCOUNTED) || entries_loops(function)))
		return true;
	/* By a table of addresses, which has another one, too. */
	return landings_by_words(landings, low, low + 1) && entries_may_switch(function) &&
	       landings_by_words(landings, low + 1, function->high);
}

/* Looks for what can be moved. Returns why there is too little, or 0. */
static unsigned entries_measure(const struct entries_choice *choice, struct entry *entry)
{
	const struct code_function *function = choice->function;
	const uintptr_t start = function->low + entry->kept;
	uintptr_t at = start;
	struct moves moves = { 0 };
	struct decoded d;

	while (at - start < ENTRIES_JUMP && at < function->high && !entry->ends) {
		struct move move;

		if (!decode(&d, (const uint8_t *)at, function->high - at, at))
			return GMON_EXT_PARTIAL_FIXED;
		move = moves_look(&moves, (const uint8_t *)at, d.length);
		if (move.why != MOVES_CAN)
			return GMON_EXT_PARTIAL_FIXED;
		entry->ends = move.ends;
		at += d.length;
	}
	entry->moved = (uint8_t)(at - start);
	while (entry->ends && at - start < ENTRIES_JUMP && at < choice->limit) {
		const unsigned n =
			moves_padding((const uint8_t *)at, (unsigned)(choice->limit - at));

		if (!n)
			break;
		at += n;
	}
	return at - start < ENTRIES_JUMP ? GMON_EXT_PARTIAL_SHORT : 0;
}

/* Whether the first site, by which it is known later that the code is changed, is in [low, high).
 */
static bool entries_has_first(const struct entries_choice *choice, uintptr_t low, uintptr_t high)
{
	const struct sites *sites = choice->sites;

	return sites->n && choice->code->low + sites->site[0].next - low - 1 < high - low;
}

/* Why a function cannot be counted where it begins; 0: it can. */
static unsigned entries_try(const struct entries_choice *choice, struct entry *entry)
{
	const struct code_function *function = choice->function;
	uintptr_t start, end;
	unsigned why;

	if (function->dropped)
		return GMON_EXT_PARTIAL_UNKNOWN;
	if (function->partial & GMON_EXT_PARTIAL_EARLY)
		return GMON_EXT_PARTIAL_EARLY;
	*entry = (struct entry){ .at = (uint32_t)(function->low - choice->code->low) };
	if (entries_is_marked(function->low))
		entry->kept = ENTRIES_MARK;
	why = entries_measure(choice, entry);
	if (why)
		return why;
	start = function->low + entry->kept;
	end = start + (entry->moved < ENTRIES_JUMP ? ENTRIES_JUMP : entry->moved);
	if (entries_has_first(choice, start, end))
		return GMON_EXT_PARTIAL_FIXED;
	return entries_is_entered(choice, end) ? GMON_EXT_PARTIAL_ENTERED : 0;
}

static void entries_mark_early(void *code, uintptr_t address)
{
	code_mark(code, address, GMON_EXT_PARTIAL_EARLY);
}

/* Where the segment of the i-th function ends, or the next function begins. */
static uintptr_t entries_limit(const struct code *code, size_t i)
{
	for (size_t k = 0; k < code->ntext; k++)
		if (code->function[i].high <= code->text[k].high &&
		    code->function[i].low >= code->text[k].low)
			return i + 1 < code->nfunctions &&
					       code->function[i + 1].low < code->text[k].high
				       ? code->function[i + 1].low
				       : code->text[k].high;
	return code->function[i].high;
}

bool entries_find(struct entries *entries, struct code *code, struct sites *sites)
{
	*entries = (struct entries){ 0 };
	if (!landings_find(&sites->landings, code))
		return false;
	code_each_begin(code, entries_mark_early, code);
	for (size_t i = 0; i < code->nfunctions; i++) {
		struct code_function *function = &code->function[i];
		struct entries_choice choice = { code, sites, function, 0 };
		struct entry entry;

		if (!function->partial || function->fragment || function->plt)
			continue;
		choice.limit = entries_limit(code, i);
		if (entries->n == entries->room) {
			void *grown = grow_array(entries->entry, &entries->room, sizeof(entry));

			if (!grown)
				return false;
			entries->entry = grown;
		}
		function->partial |= (uint8_t)entries_try(&choice, &entry);
		if (function->partial & ~GMON_EXT_PARTIAL_CALLED)
			continue;
		entries->entry[entries->n++] = entry;
		function->jumped = function->partial & GMON_EXT_PARTIAL_UNCOUNTED;
		function->partial = 0;
	}
	return true;
}

void entries_leave_marked(struct entries *entries, const struct code *code)
{
	size_t kept = 0;

	for (size_t i = 0; i < entries->n; i++) {
		const struct code_function *function =
			code_entry_at(code, code->low + entries->entry[i].at);

		if (function && !function->partial)
			entries->entry[kept++] = entries->entry[i];
	}
	entries->n = kept;
}

void entries_free(struct entries *entries)
{
	if (entries->room)
		sys_munmap(entries->entry, entries->room * sizeof(*entries->entry));
	*entries = (struct entries){ 0 };
}

bool entries_are_same(const struct entries *one, const struct entries *other)
{
	return one->n == other->n &&
	       (!one->n ||
		__builtin_memcmp(one->entry, other->entry, one->n * sizeof(*one->entry)) == 0);
}

size_t entries_number(const struct entries *entries, uintptr_t low, uintptr_t function)
{
	size_t first = 0, end = entries->n;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (low + entries->entry[middle].at < function)
			first = middle + 1;
		else
			end = middle;
	}
	return first < entries->n && low + entries->entry[first].at == function ? first + 1 : 0;
}

uintptr_t entries_place(const struct entries *entries, uintptr_t low, uintptr_t stubs,
			uintptr_t address, bool *pushed)
{
	const size_t i = (address - stubs) / ENTRIES_BYTES;
	const uintptr_t at = (address - stubs) % ENTRIES_BYTES;
	const struct entry *entry = &entries->entry[i];

	if (address < stubs || i >= entries->n)
		return 0;
	*pushed = at >= ENTRIES_PUSHED && at < ENTRIES_MOVED;
	if (at <= ENTRIES_MOVED)
		return low + entry->at + (at == ENTRIES_MOVED ? entry->kept : 0);
	return low + entry->at + entry->kept +
	       (at - ENTRIES_MOVED < entry->moved ? at - ENTRIES_MOVED : entry->moved);
}

/* Code in the making. */
struct entries_code {
	uint8_t *to;
	bool far; /* a distance has more than 32 bits */
};

static void entries_put(struct entries_code *code, const void *bytes, size_t n)
{
	__builtin_memcpy(code->to, bytes, n);
	code->to += n;
}

/* Puts the distance from its own end, or `after` bytes behind that, to an address. */
static void entries_put_distance(struct entries_code *code, unsigned after, uintptr_t target)
{
	const intptr_t distance =
		(intptr_t)(target - ((uintptr_t)code->to + sizeof(int32_t) + after));
	const int32_t narrow = (int32_t)distance;

	code->far |= distance != narrow;
	entries_put(code, &narrow, sizeof(narrow));
}

/* The stub of the site that ends at an address, or 0. log n. */
static uintptr_t entries_site(const struct code *code, const struct sites *sites,
			      const struct entries_stubs *stubs, uintptr_t next)
{
	size_t first = 0, end = sites->n;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (code->low + sites->site[middle].next < next)
			first = middle + 1;
		else
			end = middle;
	}
	if (first == sites->n || code->low + sites->site[first].next != next)
		return 0;
	return stubs->sites + first * stubs->bytes;
}

/* Puts an instruction that is at an address; `site`: the stub to which it leads, or 0. */
static void entries_put_moved(struct entries_code *code, const struct move *move, uintptr_t at,
			      unsigned length, uintptr_t site)
{
	static const uint8_t jump[] = { 0x67, 0xe9 };
	const uint8_t *bytes = (const uint8_t *)at;
	const unsigned relative = move->relative;
	uintptr_t target;
	int32_t distance;

	if (!relative) {
		entries_put(code, bytes, length);
		return;
	}
	__builtin_memcpy(&distance, bytes + relative, sizeof(distance));
	target = at + length + (uintptr_t)(intptr_t)distance;
	if (site && relative >= sizeof(jump) && bytes[relative - sizeof(jump)] == 0xff)
		entries_put(code, jump, sizeof(jump));
	else
		entries_put(code, bytes, relative);
	entries_put_distance(code, length - relative - (unsigned)sizeof(distance),
			     site ? site : target);
	entries_put(code, bytes + relative + sizeof(distance),
		    length - relative - sizeof(distance));
}

static void entries_put_hook(struct entries_code *code, uintptr_t function, uintptr_t enter)
{
	static const uint8_t push_lea[] = { 0x50, 0x48, 0x8d, 0x05 };
	static const uint8_t call[] = { 0xff, 0x15 }, pop[] = { 0x58 };

	entries_put(code, push_lea, sizeof(push_lea));
	entries_put_distance(code, 0, function);
	entries_put(code, call, sizeof(call));
	entries_put_distance(code, 0, enter);
	entries_put(code, pop, sizeof(pop));
}

bool entries_write(const struct entries *entries, const struct code *code,
		   const struct sites *sites, const struct entries_stubs *stubs)
{
	static const uint8_t jump[] = { 0xe9 };
	struct entries_code to = { 0 };

	for (size_t i = 0; i < entries->n; i++) {
		const struct entry *entry = &entries->entry[i];
		const uintptr_t function = code->low + entry->at;
		const uintptr_t end = function + entry->kept + entry->moved;
		struct moves moves = { 0 };
		struct decoded d;

		to.to = (uint8_t *)(stubs->entries + i * ENTRIES_BYTES);
		entries_put_hook(&to, function, stubs->enter);
		for (uintptr_t at = function + entry->kept; at < end; at += d.length) {
			struct move move;

			decode(&d, (const uint8_t *)at, end - at, at);
			move = moves_look(&moves, (const uint8_t *)at, d.length);
			entries_put_moved(&to, &move, at, d.length,
					  entries_site(code, sites, stubs, at + d.length));
		}
		if (entry->ends)
			continue;
		entries_put(&to, jump, sizeof(jump));
		entries_put_distance(&to, 0, end);
	}
	return !to.far;
}

void entries_redirect(const struct entries *entries, const struct code *code, uintptr_t stubs)
{
	static const uint8_t jump[] = { 0xe9 };

	for (size_t i = 0; i < entries->n; i++) {
		const struct entry *entry = &entries->entry[i];
		struct entries_code to = {
			.to = (uint8_t *)code->low + entry->at + entry->kept,
		};
		const uint8_t *end = to.to + entry->moved;

		entries_put(&to, jump, sizeof(jump));
		entries_put_distance(&to, 0, stubs + i * ENTRIES_BYTES);
		/* Nobody comes there, and if somebody does, it is seen. */
		while (to.to < end)
			*to.to++ = ENTRIES_TRAP;
	}
}

void entries_enter(uintptr_t from, uintptr_t self)
{
	/* What is new needs memory, which a filter of system calls may forbid. */
	if (gmon.phase != REFUSED)
		__mcount_internal(from, self);
	else if (!gmon_table || !table_add(gmon_table, from, self, 1, table_full(gmon_table)))
		wide_add(&gmon.declined, 1);
}
