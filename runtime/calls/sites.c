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
	SITES_TABLE = 4096, /* entries of a table of distances that are read */
	SITES_TABLES = 64   /* tables of a function */
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

/* Makes room for one more. */
static bool sites_reserve(struct sites *sites)
{
	const size_t room = sites->room ? 2 * sites->room : SITES_FIRST;
	long grown;

	if (sites->n < sites->room)
		return true;
	if (!sites->room) {
		sites->site = sys_memory(room * sizeof(*sites->site));
		sites->room = sites->site ? room : 0;
		return sites->site;
	}
	grown = SYS4(SYS_mremap, sites->site, sites->room * sizeof(*sites->site),
		     room * sizeof(*sites->site), MREMAP_MAYMOVE);
	if (sys_failed(grown))
		return false;
	sites->site = (struct site *)grown;
	sites->room = room;
	return true;
}

void sites_free(struct sites *sites)
{
	if (sites->room)
		sys_munmap(sites->site, sites->room * sizeof(*sites->site));
	sites->site = NULL;
	sites->n = sites->room = 0;
}

/* Adds a site; whether it is one is decided when the whole object was seen. */
static bool sites_add(struct sites *sites, const struct decoded *d, uintptr_t at)
{
	const bool memory = d->kind == DECODE_CALL_MEMORY || d->kind == DECODE_JUMP_MEMORY;

	if (!sites_reserve(sites))
		return false;
	sites->site[sites->n++] = (struct site){
		.at = at,
		.target = d->target,
		.slot = memory ? d->target : 0,
		.length = d->length,
		.is_call = d->kind == DECODE_CALL || d->kind == DECODE_CALL_MEMORY,
		.kind = !memory                         ? SITE_DIRECT
			: d->kind == DECODE_CALL_MEMORY ? SITE_CALL
							: SITE_JUMP,
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
	return sites_add(scan->sites, d, at);
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

/* The length of an instruction that says nothing of other places; 0: it may. */
static size_t sites_skip(const struct sites_scan *scan, const struct code_function *in,
			 uintptr_t at)
{
	const uint8_t *code = (const uint8_t *)at;
	const size_t n = decode_length(&scan->lengths, code, in->high - at);
	uintptr_t target;

	if (!n || !decode_is_short(code))
		return n;
	target = at + n + (uintptr_t)(intptr_t)(int8_t)code[n - 1];
	if (!sites_inside(in, target))
		return 0;
	sites_set(scan->target, target - scan->code->low);
	return n;
}

/* Decodes a function, and drops it if that fails. False: no memory. */
static bool sites_scan_function(struct sites_scan *scan, struct code_function *function)
{
	const size_t first = scan->sites->n;
	uintptr_t at = function->low;

	scan->ntables = 0;
	while (at < function->high) {
		const size_t skipped = sites_skip(scan, function, at);
		struct decoded d;

		if (skipped) {
			sites_set(scan->boundary, at - scan->code->low);
			at += skipped;
			continue;
		}
		if (!decode(&d, (const uint8_t *)at, function->high - at, at)) {
			function->dropped = true;
			scan->sites->n = first;
			return true;
		}
		sites_set(scan->boundary, at - scan->code->low);
		if (!sites_note(scan, function, &d, at))
			return false;
		at += d.length;
	}
	for (size_t i = 0; i < scan->ntables; i++)
		sites_read_table(scan, function, scan->table[i]);
	return true;
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

/* Whether a direct call or jump is a site. Marks the function that it leads to if it is none. */
static bool sites_keep_direct(const struct code *code, struct sites *sites, struct site *site)
{
	struct code_function *entry = code_entry_at(code, site->target);

	if (entry && (site->is_call || !sites_is_part(entry)))
		return true;
	if (entry) {
		entry->partial |= GMON_EXT_PARTIAL_UNCOUNTED;
		return false;
	}
	site->slot = code_plt_slot(code, site->target);
	sites->ndirect += !site->slot && site->is_call;
	return site->slot;
}

static bool sites_keep(const struct code *code, struct sites *sites, struct site *site)
{
	const struct code_function *in = code_function_at(code, site->at);

	if (!in || in->dropped)
		return false;
	if (site->kind == SITE_DIRECT)
		return sites_keep_direct(code, sites, site);
	if (code_is_constant(code, site->slot)) {
		site->target = *(const volatile uintptr_t *)site->slot;
		if (site->target)
			return true;
	}
	sites->nindirect += site->kind == SITE_CALL;
	return false;
}

static void sites_decide(struct code *code, struct sites *sites)
{
	size_t kept = 0;

	for (size_t i = 0; i < sites->n; i++) {
		struct code_function *entry = code_entry_at(code, sites->site[i].target);

		if (entry && sites->site[i].kind == SITE_DIRECT && sites->site[i].is_call)
			entry->called = true;
	}
	for (size_t i = 0; i < sites->n; i++)
		if (sites_keep(code, sites, &sites->site[i]))
			sites->site[kept++] = sites->site[i];
	sites->n = kept;
}

bool sites_find(struct sites *sites, struct code *code)
{
	struct sites_scan scan = { .sites = sites, .code = code };
	const size_t bytes = ((code->high - code->low) / SITES_BITS + 1) * sizeof(*scan.target);
	bool found;

	*sites = (struct sites){ 0 };
	decode_lengths_prepare(&scan.lengths, code->low, code->high);
	scan.words = bytes / sizeof(*scan.target);
	scan.boundary = sys_memory(bytes);
	scan.target = sys_memory(bytes);
	found = scan.boundary && scan.target;
	for (size_t i = 0; i < code->nfunctions && found; i++)
		if (!code->function[i].plt)
			found = sites_scan_function(&scan, &code->function[i]);
	if (found) {
		sites_check_targets(&scan);
		sites_scan_data(code);
		code_each_exported(code, sites_mark_exported, code);
		sites_suspect_all(&scan);
		sites_decide(code, sites);
	}
	if (scan.boundary)
		sys_munmap(scan.boundary, bytes);
	if (scan.target)
		sys_munmap(scan.target, bytes);
	return found;
}
