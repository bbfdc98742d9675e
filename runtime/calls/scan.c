/* SPDX-License-Identifier: MIT */
/* What instructions say of other places. See scan.h. */
#include "calls/scan.h"

#include <gmon_ext.h>

#include "base/sys.h"
#include "calls/decode.h"
#include "calls/lengths.h"
#include "calls/slots.h"
#include "calls/suspects.h"
#include "calls/tables.h"

enum {
	SCAN_BITS = LENGTHS_BOUNDARY,
	SCAN_FIRST = 4096,
	SCAN_LOCK = 0xf0,
	SCAN_EVENTS = 512,
	SCAN_SITE_BYTES = 12, /* of code, for which room is made for one site, */
	SCAN_SITE_NOW = 6     /* so many times as many have one in most objects */
};

/* A function that is being looked through, or was since events were last looked at. */
struct scan_slot {
	uintptr_t low, size;
	struct code_function *function;
	struct scan_lane *lane;
};

/* The functions of a lane are one after another, so its sites come in order. */
struct scan_lane {
	size_t next, last; /* its next function, and the one after its last */
	struct site *site; /* in what all lanes share */
	size_t n;
};

/* What is known while an object is looked through. Bits are counted from `base`. */
struct scan {
	struct scan_found *found;
	struct code *code;
	uintptr_t base;
	uint64_t *boundary;         /* an instruction begins */
	uint64_t *target;           /* a branch leads there; in the same memory, behind it */
	size_t words;               /* of each; both are whole pages */
	uintptr_t size;             /* of the code */
	uint32_t low_int, size_int; /* of it, what operands of 32 bits can name */
	struct tables tables;
	struct site *site; /* of all lanes, room for so many of each */
	size_t room;
	bool failed; /* no memory */
	struct lengths lengths;
	struct lengths_lane lane[LENGTHS_LANES]; /* as lengths.h has them */
	struct scan_lane at[LENGTHS_LANES];      /* the same lanes */
	struct lengths_notes notes;
	struct scan_slot slot[LENGTHS_SLOTS];
	uint32_t nslots;
	struct slots slots;
	struct lengths_event event[SCAN_EVENTS + 2 * LENGTHS_LANES];
	struct lengths_event named[SCAN_EVENTS + 2 * LENGTHS_LANES]; /* those that have addresses */
};

_Static_assert((int)SCAN_LANES == (int)LENGTHS_LANES, "a part of the sites for each lane");

static void scan_set(uint64_t *bits, uintptr_t i)
{
	bits[i / SCAN_BITS] |= UINT64_C(1) << i % SCAN_BITS;
}

static bool scan_has(const uint64_t *bits, uintptr_t i)
{
	return bits[i / SCAN_BITS] >> i % SCAN_BITS & 1;
}

static bool scan_in_code(const struct code *code, uintptr_t at)
{
	return at - code->low < code->high - code->low;
}

static bool scan_inside(const struct code_function *function, uintptr_t at)
{
	return at - function->low < function->high - function->low;
}

static int32_t scan_int(const uint8_t *at)
{
	int32_t value;

	__builtin_memcpy(&value, at, sizeof(value));
	return value;
}

/* Makes room for n sites of each lane. False: no memory, and all stays. */
static bool scan_make_room(struct scan *scan, size_t n)
{
	struct site *site = sys_memory(LENGTHS_LANES * n * sizeof(*site));

	if (!site)
		return false;
	for (size_t i = 0; i < LENGTHS_LANES; i++) {
		if (!scan->room)
			sys_populate(site + i * n, n / SCAN_SITE_NOW * sizeof(*site));
		for (size_t k = 0; k < scan->at[i].n; k++)
			site[i * n + k] = scan->at[i].site[k];
		scan->at[i].site = site + i * n;
	}
	if (scan->room)
		sys_munmap(scan->site, LENGTHS_LANES * scan->room * sizeof(*site));
	scan->site = site;
	scan->room = n;
	return true;
}

/* Adds what may be a site, which ends at `next`. */
static void scan_add(struct scan *scan, const struct scan_slot *slot, uintptr_t next,
		     enum site_kind kind, uint32_t callee)
{
	struct scan_lane *lane = slot->lane;

	if (lane->n == scan->room && !scan_make_room(scan, 2 * scan->room)) {
		scan->failed = true;
		return;
	}
	lane->site[lane->n++] = (struct site){
		.next = (uint32_t)(next - scan->code->low),
		.callee = callee % SITES_CALLEES,
		.kind = kind,
	};
}

/* Adds a direct call or jump to an address. */
static void scan_add_direct(struct scan *scan, const struct scan_slot *slot, uintptr_t next,
			    enum site_kind kind, uintptr_t target)
{
	struct code *code = scan->code;
	const struct code_function *entry;

	/* An instruction that does not end in its function is none. */
	if (next > slot->low + slot->size)
		return;
	entry = code_entry_at(code, target);
	if (entry) {
		const size_t number = (size_t)(entry - code->function);

		code->called[number] |= kind == SITE_CALL;
		scan_add(scan, slot, next, kind, (uint32_t)number);
	} else {
		scan_add(scan, slot, next, kind, slots_number_plt(&scan->slots, code, target));
	}
}

/* Adds a call or jump to what a slot holds, which counts if that never changes. */
static void scan_add_memory(struct scan *scan, const struct scan_slot *slot, uintptr_t next,
			    enum site_kind kind)
{
	const uintptr_t at = site_target(next);

	if (next <= slot->low + slot->size)
		scan_add(scan, slot, next, kind,
			 slots_number(&scan->slots, scan->code,
				      code_is_constant(scan->code, at) ? at : 0));
}

/* Drops the function whose code at an address is said to be data, unless that is its start, which
 * an address may well be. */
static void scan_drop_data(const struct code *code, uintptr_t at, bool is_address)
{
	struct code_function *function = scan_in_code(code, at) ? code_function_at(code, at) : NULL;

	if (function && !function->plt && !(is_address && function->low == at))
		function->dropped = true;
}

/* Notes an address that lea makes. */
static void scan_note_address(struct scan *scan, struct code_function *in, uintptr_t at)
{
	if (scan_in_code(scan->code, at)) {
		code_mark(scan->code, at, GMON_EXT_PARTIAL_TAKEN);
		scan_drop_data(scan->code, at, true);
	}
	scan->failed |= !tables_note(&scan->tables, scan->code, at, in);
}

/* Notes a branch out of its function. */
static void scan_note_branch(struct scan *scan, const struct scan_slot *slot, uintptr_t target,
			     uintptr_t next, bool is_short)
{
	struct code *code = scan->code;

	if (scan_in_code(code, target))
		scan_set(scan->target, target - scan->base);
	if (is_short || slot->function->fragment)
		code_mark(code, target, GMON_EXT_PARTIAL_UNCOUNTED);
	else
		scan_add_direct(scan, slot, next, SITE_JUMP, target);
}

/* Notes the addresses that an instruction names. */
static void scan_note_addresses(struct scan *scan, const struct scan_slot *slot,
				const struct decoded *d)
{
	struct code *code = scan->code;

	if (d->is_lea && d->has_target)
		scan_note_address(scan, slot->function, d->target);
	if (d->has_memory)
		scan_drop_data(code, d->memory, d->is_lea);
	if (d->has_value) {
		code_mark(code, (uintptr_t)d->value, GMON_EXT_PARTIAL_TAKEN);
		scan_drop_data(code, (uintptr_t)d->value, true);
	}
}

/* Notes what an instruction says of other places. */
static void scan_note(struct scan *scan, const struct scan_slot *slot, const struct decoded *d,
		      uintptr_t next)
{
	scan_note_addresses(scan, slot, d);
	if (d->kind == DECODE_CALL_OTHER)
		scan->found->nindirect++;
	else if (d->kind == DECODE_SETS_BASE)
		scan->found->sets_base = true;
	else if (d->kind == DECODE_CALL)
		scan_add_direct(scan, slot, next, SITE_CALL, d->target);
	else if (d->kind == DECODE_CALL_MEMORY)
		scan_add_memory(scan, slot, next, SITE_CALL_MEMORY);
	else if (d->kind == DECODE_JUMP_MEMORY)
		scan_add_memory(scan, slot, next, SITE_JUMP_MEMORY);
	else if (d->has_target && !d->is_lea && scan_inside(slot->function, d->target))
		scan_set(scan->target, d->target - scan->base);
	else if (d->has_target && !d->is_lea)
		scan_note_branch(scan, slot, d->target, next, d->kind == DECODE_SHORT);
}

static const struct scan_slot *scan_slot_of(const struct scan *scan,
					    const struct lengths_event *event)
{
	return &scan->slot[event->what >> LENGTHS_SLOT & (LENGTHS_SLOTS - 1)];
}

/* Where the branch of an event leads, which ends at `next`. */
static uintptr_t scan_branch(uintptr_t next, const struct lengths_event *event)
{
	enum { MORE = 24 /* bits that a short one has not */ };
	const int32_t bytes = scan_int((const uint8_t *)next - sizeof(bytes));

	return next + (uintptr_t)(intptr_t)(bytes >> (event->what / (LENGTHS_SHORT / MORE) & MORE));
}

/* Whether an operand of an instruction names an address in the code: 1 or 0. */
static unsigned scan_names(const struct scan *scan, uintptr_t next, uint32_t what)
{
	const uint8_t *last = (const uint8_t *)next - sizeof(int32_t);
	const int32_t distance = scan_int(last - (what & LENGTHS_BEHIND)), value = scan_int(last);
	const uintptr_t memory = next + (uintptr_t)(intptr_t)distance;
	const unsigned by_memory = memory - scan->code->low < scan->size;
	const unsigned by_distance = (uint32_t)distance - scan->low_int < scan->size_int;
	const unsigned by_value = (uint32_t)value - scan->low_int < scan->size_int;

	return (by_memory & (what / LENGTHS_RIP)) | (by_distance & (what / LENGTHS_DISTANT)) |
	       (by_value & (what / LENGTHS_INT));
}

/*
 * Notes branches in functions, leaves of all other events those that lead elsewhere, before *end,
 * and makes the list of those that have addresses. What comes next cannot be foreseen, so all of
 * this is done for each event, by arithmetic instead of decisions. Reads bytes before the
 * instruction.
 */
static struct lengths_event *scan_sift(struct scan *scan, struct lengths_event **end)
{
	const uint32_t base = (uint32_t)scan->base;
	uint64_t *const targets = scan->target;
	struct lengths_event *kept = scan->event, *named = scan->named;

	for (const struct lengths_event *event = scan->event; event < scan->notes.event; event++) {
		const struct lengths_event is = *event;
		const struct scan_slot *slot = scan_slot_of(scan, &is);
		const uintptr_t next = lengths_next(&scan->notes, &is);
		const uint32_t target = (uint32_t)scan_branch(next, &is);
		const uint32_t is_jump = is.what / LENGTHS_JUMP & 1;
		const uint32_t inside = is_jump & (target - (uint32_t)slot->low < slot->size);
		const uint32_t bit = (target - base) & (0 - inside);

		targets[bit / SCAN_BITS] |= (uint64_t)inside << bit % SCAN_BITS;
		*kept = is;
		kept += (lengths_leads(is.what) != 0) & ~inside;
		*named = is;
		named += lengths_names(is.what) != 0;
	}
	*end = kept;
	return named;
}

/* Notes what an instruction says that no table knows. */
static void scan_take_other(struct scan *scan, const struct scan_slot *slot, uintptr_t next)
{
	const uintptr_t at = lengths_begin(&scan->notes, next), end = slot->low + slot->size;
	struct decoded d;

	if (next <= end && decode(&d, (const uint8_t *)at, end - at, at))
		scan_note(scan, slot, &d, next);
	else
		slot->function->dropped = true;
}

/* Notes what an event says. */
static void scan_take(struct scan *scan, const struct lengths_event *event)
{
	const struct scan_slot *slot = scan_slot_of(scan, event);
	const uintptr_t next = lengths_next(&scan->notes, event);

	if (event->what & LENGTHS_CALL)
		scan_add_direct(scan, slot, next, SITE_CALL, scan_branch(next, event));
	else if (event->what & LENGTHS_JUMP)
		scan_note_branch(scan, slot, scan_branch(next, event), next,
				 event->what & LENGTHS_SHORT);
	else if (event->what & LENGTHS_OTHER)
		scan_take_other(scan, slot, next);
}

/* Notes the address that an instruction names, if that is in the code, or may be a table's. */
static void scan_take_named(struct scan *scan, const struct lengths_event *event)
{
	const uint32_t what = event->what;
	const uintptr_t next = lengths_next(&scan->notes, event);
	const struct scan_slot *slot = scan_slot_of(scan, event);
	const uintptr_t end = slot->low + slot->size;
	const unsigned relative = what / LENGTHS_LEA & what / LENGTHS_RIP;
	uintptr_t at;
	struct decoded d;

	if (!((relative | scan_names(scan, next, what)) & 1))
		return;
	if (relative & 1) {
		scan_note_address(scan, slot->function, site_target(next));
	} else if (next <= end) {
		at = lengths_begin(&scan->notes, next);
		if (decode(&d, (const uint8_t *)at, end - at, at))
			scan_note_addresses(scan, slot, &d);
	}
}

/* Looks at all events. The present functions of lanes get the first slots. */
static void scan_flush(struct scan *scan)
{
	struct lengths_event *end;
	const struct lengths_event *named = scan_sift(scan, &end);
	struct scan_slot present[LENGTHS_LANES];

	for (const struct lengths_event *event = scan->event; event < end; event++)
		scan_take(scan, event);
	for (const struct lengths_event *event = scan->named; event < named; event++)
		scan_take_named(scan, event);
	for (size_t i = 0; i < LENGTHS_LANES; i++)
		present[i] = scan->slot[scan->lane[i].slot >> LENGTHS_SLOT];
	for (size_t i = 0; i < LENGTHS_LANES; i++) {
		scan->slot[i] = present[i];
		scan->lane[i].slot = (uint32_t)i << LENGTHS_SLOT;
	}
	scan->nslots = LENGTHS_LANES;
	scan->notes.event = scan->event;
}

/* Decodes the instruction where a lane is, or drops its function. */
static bool scan_decode(struct scan *scan, struct lengths_lane *lane, struct decoded *d)
{
	if (!decode(d, lane->at, (size_t)(lane->end - lane->at), (uintptr_t)lane->at)) {
		scan->slot[lane->slot >> LENGTHS_SLOT].function->dropped = true;
		lane->at = lane->end;
		return false;
	}
	scan_set(scan->boundary, (uintptr_t)lane->at - scan->base);
	lane->at += d->length;
	return true;
}

/* Takes the instruction where a lane is, which lengths_run() does not know. */
static void scan_unknown(struct scan *scan, struct lengths_lane *lane)
{
	struct decoded d;

	if (!scan_decode(scan, lane, &d))
		return;
	*scan->notes.event = (struct lengths_event){
		(uint32_t)(uintptr_t)lane->at,
		LENGTHS_OTHER | lane->slot,
	};
	scan->notes.event += d.kind != DECODE_OTHER || d.has_target || d.has_memory || d.has_value;
}

/* Whether lanes can go through a function: it is so far from both ends of its segment that bytes
 * around its instructions can be read. */
static bool scan_is_amidst(const struct code *code, const struct code_function *function)
{
	return function->high - function->low < LENGTHS_MOST &&
	       code_has(code, function->low - LENGTHS_AHEAD,
			function->high - function->low + 2 * LENGTHS_AHEAD);
}

/* Decodes a function one instruction after another. */
static void scan_slowly(struct scan *scan, struct lengths_lane *lane)
{
	struct decoded d;

	scan_flush(scan);
	while (lane->at < lane->end)
		if (scan_decode(scan, lane, &d))
			scan_note(scan, &scan->slot[lane->slot >> LENGTHS_SLOT], &d,
				  (uintptr_t)lane->at);
}

/* If a lane has come to the end of its function: has it begin with the next. False: it has no more.
 */
static bool scan_next(struct scan *scan, size_t i)
{
	struct scan_lane *at = &scan->at[i];
	struct lengths_lane *lane = &scan->lane[i];

	while (lane->at >= lane->end) {
		struct code_function *function = &scan->code->function[at->next];

		if (lane->at > lane->end)
			scan->slot[lane->slot >> LENGTHS_SLOT].function->dropped = true;
		lane->at = lane->end;
		if (at->next == at->last)
			return false;
		suspects_before(scan->code, at->next++);
		if (function->plt)
			continue;
		if (scan->nslots == LENGTHS_SLOTS)
			scan_flush(scan);
		lane->slot = scan->nslots << LENGTHS_SLOT;
		scan->slot[scan->nslots++] =
			(struct scan_slot){ function->low, function->high - function->low, function,
					    at };
		lane->at = (const uint8_t *)function->low;
		lane->end = (const uint8_t *)function->high;
		if (!scan_is_amidst(scan->code, function))
			scan_slowly(scan, lane);
	}
	return true;
}

/* Steps through n lanes, from the i-th on, until one of them has no more functions. */
static void scan_run(struct scan *scan, size_t i, size_t n)
{
	bool more = true;

	for (size_t k = i; k < i + n; k++)
		more = scan_next(scan, k) && more;
	while (more && !scan->failed) {
		lengths_run(&scan->lengths, &scan->lane[i], n, &scan->notes);
		for (size_t k = i; k < i + n; k++) {
			if (scan->lane[k].unknown)
				scan_unknown(scan, &scan->lane[k]);
			more = scan_next(scan, k) && more;
		}
		if (scan->notes.event >= scan->notes.last)
			scan_flush(scan);
	}
}

/* Drops functions into whose instructions a branch leads: they are not what they were taken for.
 * Branches past a lock prefix are meant. */
static void scan_check_targets(const struct scan *scan)
{
	for (size_t i = 0; i < scan->words; i++) {
		uint64_t wrong = scan->target[i] & ~scan->boundary[i];

		for (; wrong; wrong &= wrong - 1) {
			const uintptr_t at =
				scan->base + i * SCAN_BITS + (uintptr_t)__builtin_ctzll(wrong);
			struct code_function *function = code_function_at(scan->code, at);

			if (!function || function->plt || function->low == at)
				continue;
			if (((const uint8_t *)at)[-1] == SCAN_LOCK &&
			    scan_has(scan->boundary, at - 1 - scan->base))
				continue;
			function->dropped = true;
		}
	}
}

/* Deals the functions out to the lanes, so that all have about as much code. */
static void scan_deal(struct scan *scan)
{
	const struct code *code = scan->code;
	const uintptr_t part = (code->high - code->low) / LENGTHS_LANES + 1;
	size_t next = 0;

	for (size_t i = 0; i < LENGTHS_LANES; i++) {
		struct scan_lane *lane = &scan->at[i];

		scan->lane[i].slot = (uint32_t)i << LENGTHS_SLOT;
		lane->next = next;
		while (next < code->nfunctions &&
		       code->function[next].low - code->low < (i + 1) * part)
			next++;
		lane->last = next;
	}
	scan->nslots = LENGTHS_LANES;
}

/* Makes room for what is known meanwhile. False: no memory. */
static bool scan_begin(struct scan *scan)
{
	const size_t words = CODE_PAGE / sizeof(uint64_t);
	const struct code *code = scan->code;

	scan->base = code->low - code->low % SCAN_BITS;
	if (code->high - scan->base > UINT32_MAX)
		return false;
	scan->size = code->high - code->low;
	if (code->low <= UINT32_MAX) {
		scan->low_int = (uint32_t)code->low;
		scan->size_int = (uint32_t)(code->high - code->low);
	}
	slots_begin(&scan->slots);
	lengths_prepare(&scan->lengths, scan->size_int != 0);
	scan->words = ((code->high - scan->base) / SCAN_BITS / words + 1) * words;
	scan->boundary = sys_memory_now(2 * scan->words * sizeof(uint64_t));
	scan->target = scan->boundary + scan->words;
	scan->notes = (struct lengths_notes){
		.boundary = scan->boundary,
		.base = scan->base,
		.event = scan->event,
		.last = scan->event + SCAN_EVENTS,
	};
	scan_deal(scan);
	return scan->boundary &&
	       scan_make_room(scan, (code->high - code->low) / SCAN_SITE_BYTES / LENGTHS_LANES +
					    SCAN_FIRST / LENGTHS_LANES);
}

static void scan_end(struct scan *scan)
{
	if (scan->boundary)
		sys_munmap(scan->boundary, 2 * scan->words * sizeof(*scan->boundary));
	tables_free(&scan->tables);
	if (scan->room)
		sys_munmap(scan->site, LENGTHS_LANES * scan->room * sizeof(*scan->site));
	sys_munmap(scan, sizeof(*scan));
}

/* Hands over the sites of all lanes, and if they are wanted, where branches and tables lead. */
static void scan_hand_over(struct scan *scan, bool landings)
{
	struct scan_found *found = scan->found;

	found->site = scan->site;
	found->room = LENGTHS_LANES * scan->room;
	scan->room = 0;
	for (size_t i = 0; i < LENGTHS_LANES; i++)
		found->part[i] = (struct scan_part){ scan->at[i].site, scan->at[i].n };
	slots_range(&scan->slots, &found->first_slot, &found->nslots);
	if (landings) {
		tables_land(&scan->tables, scan->code, scan->boundary, scan->target, scan->base);
		found->landings = (struct landings){ .base = scan->base,
						     .words = scan->words,
						     .at = scan->target };
	}
	found->spare = scan->boundary;
	found->spare_bytes = (landings ? 1 : 2) * scan->words * sizeof(*scan->boundary);
	scan->boundary = NULL;
}

bool scan_functions(struct scan_found *found, struct code *code, bool wants_landings)
{
	struct scan *scan = sys_memory_now(sizeof(*scan));
	bool done;

	*found = (struct scan_found){ 0 };
	if (!scan)
		return false;
	scan->found = found;
	scan->code = code;
	done = scan_begin(scan);
	if (done) {
		scan_run(scan, 0, LENGTHS_LANES);
		for (size_t i = 0; i < LENGTHS_LANES; i++)
			scan_run(scan, i, 1);
		scan_flush(scan);
		tables_read(&scan->tables, code, scan->boundary, scan->base);
		scan_check_targets(scan);
		done = !scan->failed;
	}
	if (done)
		scan_hand_over(scan, wants_landings);
	scan_end(scan);
	return done;
}
