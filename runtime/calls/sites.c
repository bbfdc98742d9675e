/* SPDX-License-Identifier: MIT */
/* The call sites of an object. See sites.h. */
#include "calls/sites.h"

#include <gmon_ext.h>

#include "base/sys.h"
#include "calls/decode.h"

enum {
	SITES_BITS = 64,
	SITES_FIRST = 4096,
	SITES_LOCK = 0xf0,
	SITES_ALIGNED = 16,
	SITES_TABLE = 4096,                 /* entries of a table of distances that are read */
	SITES_TABLES = 64,                  /* tables of a function */
	SITES_NOT_ENTRY = SITES_CALLEES - 1 /* the callee of a site that leads to no function */
};

/* What is known while an object is looked through. Bits are counted from code->low. */
struct sites_scan {
	struct sites *sites;
	struct code *code;
	uint64_t *boundary; /* an instruction begins */
	uint64_t *target;   /* a branch leads there */
	size_t words;
	uintptr_t table[SITES_TABLES]; /* what may be tables of distances, of one function */
	size_t ntables;
	bool failed;   /* no memory */
	uintptr_t end; /* of the segment in which the function is */
	struct decode_lengths lengths;
};

static void sites_set(uint64_t *bits, uintptr_t i)
{
	bits[i / SITES_BITS] |= UINT64_C(1) << i % SITES_BITS;
}

static bool sites_has(const uint64_t *bits, uintptr_t i)
{
	return bits[i / SITES_BITS] >> i % SITES_BITS & 1;
}

static void sites_mark(const struct code *code, uintptr_t target, enum gmon_ext_partial why)
{
	struct code_function *function = code_entry_at(code, target);

	if (function)
		function->partial |= (uint8_t)why;
}

static void sites_mark_exported(void *code, uintptr_t address)
{
	sites_mark(code, address, GMON_EXT_PARTIAL_EXPORTED);
}

/* Returns the array, of `*room` parts of `bytes` each, with room for more; NULL: no memory, and the
 * array stays. */
static void *sites_grow(void *array, size_t *room, size_t bytes)
{
	const size_t more = *room ? 2 * *room : SITES_FIRST;
	void *grown = NULL;

	if (*room) {
		const long moved =
			SYS4(SYS_mremap, array, *room * bytes, more * bytes, MREMAP_MAYMOVE);

		if (!sys_failed(moved))
			grown = (void *)moved;
	} else {
		grown = sys_memory(more * bytes);
	}
	if (grown)
		*room = more;
	return grown;
}

void sites_free(struct sites *sites)
{
	if (sites->room)
		sys_munmap(sites->site, sites->room * sizeof(*sites->site));
	if (sites->callee_room)
		sys_munmap(sites->callee, sites->callee_room * sizeof(*sites->callee));
	sites->site = NULL;
	sites->callee = NULL;
	sites->n = sites->room = sites->ncallees = sites->callee_room = 0;
}

/* Adds a site that ends at `next`; whether it is one is decided when the whole object was seen.
 * False: no memory. */
static bool sites_add(struct sites_scan *scan, uintptr_t next, enum site_kind kind)
{
	struct sites *sites = scan->sites;

	if (sites->n == sites->room) {
		void *grown = sites_grow(sites->site, &sites->room, sizeof(*sites->site));

		if (!grown)
			return false;
		sites->site = grown;
	}
	sites->site[sites->n++] = (struct site){
		.next = (uint32_t)(next - scan->code->low),
		.kind = kind,
	};
	return true;
}

static bool sites_inside(const struct code_function *function, uintptr_t at)
{
	return at - function->low < function->high - function->low;
}

/* Drops the function whose code at an address is said to be data, unless that is its start, which
 * an address may well be. */
static void sites_drop_data(const struct code *code, uintptr_t at, bool is_address)
{
	struct code_function *function =
		at - code->low < code->high - code->low ? code_function_at(code, at) : NULL;

	if (function && !function->plt && !(is_address && function->low == at))
		function->dropped = true;
}

/* Notes the addresses that an instruction names. */
static void sites_note_addresses(struct sites_scan *scan, const struct decoded *d)
{
	struct code *code = scan->code;

	if (d->is_lea && d->has_target) {
		sites_mark(code, d->target, GMON_EXT_PARTIAL_TAKEN);
		if (scan->ntables < SITES_TABLES)
			scan->table[scan->ntables++] = d->target;
	}
	if (d->has_memory)
		sites_drop_data(code, d->memory, d->is_lea);
	if (d->has_value) {
		sites_mark(code, (uintptr_t)d->value, GMON_EXT_PARTIAL_TAKEN);
		sites_drop_data(code, (uintptr_t)d->value, true);
	}
}

/* Notes what an instruction says of other places. False: no memory. */
static bool sites_note(struct sites_scan *scan, const struct code_function *in,
		       const struct decoded *d, uintptr_t at)
{
	struct code *code = scan->code;
	const bool branches =
		d->kind == DECODE_SHORT || d->kind == DECODE_JUMP || d->kind == DECODE_JUMP_IF;

	if (branches && d->has_target && d->target - code->low < code->high - code->low)
		sites_set(scan->target, d->target - code->low);
	sites_note_addresses(scan, d);
	if (d->kind == DECODE_CALL_OTHER)
		scan->sites->nindirect++;
	if (d->kind == DECODE_SETS_BASE)
		scan->sites->refused = true;
	if (d->kind == DECODE_OTHER || d->kind == DECODE_CALL_OTHER ||
	    d->kind == DECODE_JUMP_OTHER || d->kind == DECODE_SETS_BASE)
		return true;
	if (branches && sites_inside(in, d->target))
		return true;
	if (d->kind == DECODE_SHORT || (in->fragment && branches)) {
		sites_mark(code, d->target, GMON_EXT_PARTIAL_UNCOUNTED);
		scan->sites->ndirect += d->kind == DECODE_CALL;
		return true;
	}
	return sites_add(scan, at + d->length,
			 d->kind == DECODE_CALL_MEMORY   ? SITE_CALL
			 : d->kind == DECODE_JUMP_MEMORY ? SITE_JUMP
							 : SITE_DIRECT);
}

/*
 * Reads a table of distances from its start, as compilers make them for switches and for relative
 * pointers: where its entries lead, as long as that is in code. Where it ends is not known: entries
 * after the first may be those of the next table, from whose start they count, so that a wrong one
 * says nothing but that this one has ended.
 */
static void sites_read_table(struct sites_scan *scan, struct code_function *in, uintptr_t table)
{
	const struct code *code = scan->code;

	for (size_t i = 0; i < SITES_TABLE; i++) {
		const uintptr_t at = table + i * sizeof(int32_t);
		uintptr_t target;

		if (at % sizeof(int32_t) || !code_has_data(code, at, sizeof(int32_t)))
			return;
		target = table + (uintptr_t)(intptr_t) * (const volatile int32_t *)at;
		if (target - code->low >= code->high - code->low)
			return;
		sites_mark(code, target, GMON_EXT_PARTIAL_TAKEN);
		if (!sites_inside(in, target) || sites_has(scan->boundary, target - code->low))
			continue;
		if (i == 0)
			in->dropped = true;
		return;
	}
}

/* The distance that the four bytes before `next` are, from there. */
static uintptr_t sites_distance(uintptr_t next)
{
	int32_t distance;

	__builtin_memcpy(&distance, (const void *)(next - sizeof(distance)), sizeof(distance));
	return next + (uintptr_t)(intptr_t)distance;
}

/* The length of an instruction that says no more of other places than that is noted here: a call,
 * or a jump in its function. 0: it may. */
static size_t sites_skip(struct sites_scan *scan, const struct code_function *in, uintptr_t at)
{
	enum { CALL = 0xe8, JUMP = 0xe9, TWO = 0x0f, JUMP_IF = 0x80, CALL_BYTES = 5 };
	const uint8_t *code = (const uint8_t *)at;
	const bool is_jump_if = *code == TWO && (code[1] & 0xf0) == JUMP_IF;
	const size_t left = in->high - at;
	uintptr_t target;
	size_t n;

	if (*code == CALL) {
		n = left >= CALL_BYTES ? CALL_BYTES : 0;
		scan->failed |= n && !sites_add(scan, at + n, SITE_DIRECT);
		return n;
	}
	if (*code == JUMP || is_jump_if) {
		n = CALL_BYTES + is_jump_if;
		target = left >= n ? sites_distance(at + n) : 0;
	} else {
		n = decode_length(&scan->lengths, code, scan->end - at, at);
		if (n > left)
			return 0;
		if (!n || !decode_is_short(code))
			return n;
		target = at + n + (uintptr_t)(intptr_t)(int8_t)code[n - 1];
	}
	if (!sites_inside(in, target))
		return 0;
	sites_set(scan->target, target - scan->code->low);
	return n;
}

static uintptr_t sites_segment_end(const struct code *code, uintptr_t at)
{
	for (size_t i = 0; i < code->ntext; i++)
		if (at - code->text[i].low < code->text[i].high - code->text[i].low)
			return code->text[i].high;
	return at;
}

/* Decodes a function, and drops it if that fails. False: no memory. */
static bool sites_scan_function(struct sites_scan *scan, struct code_function *function)
{
	const size_t first = scan->sites->n;
	const uintptr_t high = function->high, low = scan->code->low;
	uint64_t *const boundary = scan->boundary;
	uintptr_t at = function->low;

	scan->ntables = 0;
	scan->end = sites_segment_end(scan->code, at);
	while (at < high) {
		const size_t skipped = sites_skip(scan, function, at);
		struct decoded d;

		sites_set(boundary, at - low);
		if (skipped) {
			at += skipped;
			continue;
		}
		if (!decode(&d, (const uint8_t *)at, high - at, at)) {
			function->dropped = true;
			scan->sites->n = first;
			return true;
		}
		if (!sites_note(scan, function, &d, at))
			return false;
		at += d.length;
	}
	for (size_t i = 0; i < scan->ntables; i++)
		sites_read_table(scan, function, scan->table[i]);
	return !scan->failed;
}

/* Drops functions into whose instructions a branch leads: they are not what they were taken for.
 * Branches past a lock prefix are meant. */
static void sites_check_targets(const struct sites_scan *scan)
{
	for (size_t i = 0; i < scan->words; i++) {
		uint64_t wrong = scan->target[i] & ~scan->boundary[i];

		for (; wrong; wrong &= wrong - 1) {
			uintptr_t at = scan->code->low + i * SITES_BITS +
				       (uintptr_t)__builtin_ctzll(wrong);
			struct code_function *function = code_function_at(scan->code, at);

			if (!function || function->plt || function->low == at)
				continue;
			if (((const uint8_t *)at)[-1] == SITES_LOCK &&
			    sites_has(scan->boundary, at - 1 - scan->code->low))
				continue;
			function->dropped = true;
		}
	}
}

/* Marks functions whose distance from a word of the object's data is in that word. */
static void sites_scan_distances(const struct code *code, const struct code_segment *data)
{
	const uintptr_t step = sizeof(int32_t);
	uintptr_t at = (code_end_of_tables(code, data) + step - 1) / step * step;

	for (; at + step <= data->high; at += step) {
		uintptr_t target = at + (uintptr_t)(intptr_t) * (const volatile int32_t *)at;

		if (target - code->low < code->high - code->low &&
		    at - code->frames.low >= code->frames.high - code->frames.low)
			sites_mark(code, target, GMON_EXT_PARTIAL_TAKEN);
	}
}

/* Marks the functions whose address lies in the object's data, aligned. */
static void sites_scan_data(const struct code *code)
{
	for (size_t i = 0; i < code->ndata; i++) {
		const uintptr_t step = sizeof(uintptr_t);
		uintptr_t at = (code->data[i].low + step - 1) / step * step;

		sites_scan_distances(code, &code->data[i]);
		for (; at + step <= code->data[i].high; at += step) {
			uintptr_t word = *(const volatile uintptr_t *)at;

			if (word - code->low < code->high - code->low)
				sites_mark(code, word, GMON_EXT_PARTIAL_TAKEN);
		}
	}
}

/* Whether the four bytes at an address may be a distance from the address after them: they follow
 * the opcode of a call or jump, or a ModRM byte that says so. */
static bool sites_may_be_distance(uintptr_t at)
{
	const uint8_t *bytes = (const uint8_t *)at;

	return bytes[-1] == 0xe8 || bytes[-1] == 0xe9 || (bytes[-1] & 0xc7) == 0x05 ||
	       (bytes[-2] == 0x0f && (bytes[-1] & 0xf0) == 0x80);
}

/* Marks whatever bytes that were not decoded may lead to: any four may be a distance or an address.
 */
static void sites_suspect(const struct code *code, uintptr_t low, uintptr_t high)
{
	const uintptr_t size = code->high - code->low;

	for (uintptr_t at = low + 2; at + sizeof(int32_t) <= high; at++) {
		int32_t bytes;
		uintptr_t target;

		__builtin_memcpy(&bytes, (const void *)at, sizeof(bytes));
		target = at + sizeof(bytes) + (uintptr_t)(intptr_t)bytes;
		if (target - code->low < size && sites_may_be_distance(at))
			sites_mark(code, target, GMON_EXT_PARTIAL_UNCOUNTED);
		if ((uint32_t)bytes - code->low < size)
			sites_mark(code, (uint32_t)bytes, GMON_EXT_PARTIAL_UNCOUNTED);
	}
}

/* The same for functions that were dropped, and for code that no FDE describes. */
static void sites_suspect_all(struct sites_scan *scan)
{
	const struct code *code = scan->code;

	for (size_t i = 0; i < code->ntext; i++) {
		uintptr_t at = code->text[i].low;

		for (size_t k = 0; k < code->nfunctions; k++) {
			const struct code_function *function = &code->function[k];

			if (function->low < at || function->high > code->text[i].high)
				continue;
			sites_suspect(code, at, function->low);
			if (function->dropped)
				sites_suspect(code, function->low, function->high);
			at = function->high;
		}
		sites_suspect(code, at, code->text[i].high);
	}
	for (size_t k = 0; k < code->nfunctions; k++)
		scan->sites->dropped += code->function[k].dropped;
}

/*
 * Whether an entry that only jumps lead to looks like the second part of a function, which a
 * compiler has put elsewhere: functions are called, or their address is taken, or they are aligned.
 */
static bool sites_is_part(const struct code_function *entry)
{
	return !entry->called && !entry->partial && entry->low % SITES_ALIGNED;
}

static uintptr_t sites_target(const struct code *code, const struct site *site)
{
	return sites_distance(code->low + site->next);
}

static bool sites_is_call(const struct code *code, const struct site *site)
{
	enum { CALL = 0xe8, DISTANCE = 4 };

	return site->kind == SITE_CALL ||
	       (site->kind == SITE_DIRECT &&
		((const uint8_t *)code->low)[site->next - DISTANCE - 1] == CALL);
}

/* Adds what sites lead to. Returns its number, from 1; 0: no memory. */
static uint32_t sites_add_callee(struct sites *sites, uintptr_t at, bool is_slot)
{
	if (sites->ncallees >= SITES_CALLEES - 1)
		return 0;
	if (sites->ncallees == sites->callee_room) {
		void *grown =
			sites_grow(sites->callee, &sites->callee_room, sizeof(*sites->callee));

		if (!grown)
			return 0;
		sites->callee = grown;
	}
	sites->callee[sites->ncallees++] = (struct site_callee){ at, is_slot };
	return (uint32_t)sites->ncallees;
}

/* What is known while it is decided what are sites. */
struct sites_choice {
	struct code *code;
	struct sites *sites;
	uintptr_t low, high; /* the slots of sites are in [low, high) */
	uint32_t *number;    /* for each word there, its number as a callee, from 1 */
	bool failed;         /* no memory */
};

/* Sets the site's callee. False: no memory. */
static bool sites_set_callee(struct sites_choice *choice, struct site *site, uint32_t *number,
			     uintptr_t at, bool is_slot)
{
	if (!*number)
		*number = sites_add_callee(choice->sites, at, is_slot);
	choice->failed = choice->failed || !*number;
	site->callee = (*number - 1) % SITES_CALLEES;
	return *number;
}

static bool sites_set_slot(struct sites_choice *choice, struct site *site, uintptr_t slot)
{
	uint32_t other = 0;
	const bool fits = (slot - choice->low) % sizeof(slot) == 0;

	return sites_set_callee(
		choice, site, fits ? &choice->number[(slot - choice->low) / sizeof(slot)] : &other,
		slot, true);
}

/* Whether a direct call or jump is a site. Marks the function that it leads to if it is none. */
static bool sites_keep_direct(struct sites_choice *choice, struct site *site)
{
	struct code *code = choice->code;
	struct code_function *entry =
		site->callee == SITES_NOT_ENTRY ? NULL : &code->function[site->callee];
	const bool is_call = sites_is_call(code, site);
	uintptr_t slot;

	if (entry && (is_call || !sites_is_part(entry)))
		return sites_set_callee(choice, site, &entry->callee, entry->low, false);
	if (entry) {
		entry->partial |= GMON_EXT_PARTIAL_UNCOUNTED;
		return false;
	}
	slot = code_plt_slot(code, sites_target(code, site));
	choice->sites->ndirect += !slot && is_call;
	return slot && sites_set_slot(choice, site, slot);
}

static bool sites_keep(struct sites_choice *choice, struct site *site)
{
	uintptr_t slot;

	if (site->kind == SITE_DIRECT)
		return sites_keep_direct(choice, site);
	slot = sites_target(choice->code, site);
	if (code_is_constant(choice->code, slot) && *(const volatile uintptr_t *)slot)
		return sites_set_slot(choice, site, slot);
	choice->sites->nindirect += site->kind == SITE_CALL;
	return false;
}

/* Notes the function, or else the slot, that a site leads to. */
static void sites_look_up(struct sites_choice *choice, struct site *site)
{
	struct code *code = choice->code;
	const uintptr_t target = sites_target(code, site);
	struct code_function *entry =
		site->kind == SITE_DIRECT ? code_entry_at(code, target) : NULL;
	uintptr_t slot = site->kind == SITE_DIRECT ? 0 : target;

	site->callee = entry ? (uint32_t)(entry - code->function) % SITES_CALLEES : SITES_NOT_ENTRY;
	if (entry) {
		entry->called |= sites_is_call(code, site);
		return;
	}
	if (site->kind == SITE_DIRECT)
		slot = code_plt_slot(code, target);
	else if (!code_is_constant(code, slot))
		slot = 0;
	if (slot && (!choice->high || slot < choice->low))
		choice->low = slot;
	if (slot && slot >= choice->high)
		choice->high = slot + sizeof(slot);
}

/* Decides which sites are left. False: no memory. */
static bool sites_decide(struct code *code, struct sites *sites)
{
	struct sites_choice choice = { .code = code, .sites = sites };
	const struct code_function *in = code->function;
	size_t kept = 0, bytes;

	for (size_t i = 0; i < sites->n; i++)
		sites_look_up(&choice, &sites->site[i]);
	choice.low -= choice.low % sizeof(uintptr_t);
	bytes = ((choice.high - choice.low) / sizeof(uintptr_t) + 1) * sizeof(*choice.number);
	choice.number = sys_memory(bytes);
	if (!choice.number)
		return false;
	for (size_t i = 0; i < sites->n && !choice.failed; i++) {
		while (in->high - code->low < sites->site[i].next)
			in++;
		if (!in->dropped && sites_keep(&choice, &sites->site[i]))
			sites->site[kept++] = sites->site[i];
	}
	sites->n = kept;
	sys_munmap(choice.number, bytes);
	return !choice.failed;
}

/* Makes room for what is known meanwhile. False: no memory. */
static bool sites_begin(struct sites_scan *scan)
{
	const struct code *code = scan->code;

	if (code->high - code->low > UINT32_MAX)
		return false;
	decode_lengths_prepare(&scan->lengths, code->low, code->high);
	scan->words = (code->high - code->low) / SITES_BITS + 1;
	scan->boundary = sys_memory_now(scan->words * sizeof(*scan->boundary));
	scan->target = sys_memory_now(scan->words * sizeof(*scan->target));
	return scan->boundary && scan->target;
}

static void sites_end(struct sites_scan *scan)
{
	if (scan->boundary)
		sys_munmap(scan->boundary, scan->words * sizeof(*scan->boundary));
	if (scan->target)
		sys_munmap(scan->target, scan->words * sizeof(*scan->target));
}

bool sites_find(struct sites *sites, struct code *code)
{
	struct sites_scan scan = { .sites = sites, .code = code };
	bool found;

	*sites = (struct sites){ 0 };
	found = sites_begin(&scan);
	for (size_t i = 0; i < code->nfunctions && found; i++)
		if (!code->function[i].plt)
			found = sites_scan_function(&scan, &code->function[i]);
	if (found) {
		sites_check_targets(&scan);
		sites_scan_data(code);
		code_each_exported(code, sites_mark_exported, code);
		sites_suspect_all(&scan);
		found = sites_decide(code, sites);
	}
	sites_end(&scan);
	return found;
}
