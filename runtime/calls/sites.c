/* SPDX-License-Identifier: MIT */
/* The call sites of an object. See sites.h. */
#include "calls/sites.h"

#include <gmon_ext.h>

#include "base/sys.h"
#include "calls/grow.h"

enum { SITES_ALIGNED = 16 };

static void sites_mark_exported(void *code, uintptr_t address)
{
	code_mark(code, address, GMON_EXT_PARTIAL_EXPORTED);
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

/* Marks a function as taken that is so far from the start of the code. */
static inline void sites_take(const struct code *code, uintptr_t offset)
{
	if (offset < code->high - code->low)
		code_mark(code, code->low + offset, GMON_EXT_PARTIAL_TAKEN);
}

/* Marks functions whose distance from the four bytes at an address is in these. */
static void sites_take_distance(const struct code *code, uintptr_t at)
{
	sites_take(code, at - code->low + (uintptr_t)(intptr_t) * (const volatile int32_t *)at);
}

static uintptr_t sites_round(uintptr_t at, uintptr_t step)
{
	return (at + step - 1) / step * step;
}

static uintptr_t sites_least(uintptr_t a, uintptr_t b)
{
	return a < b ? a : b;
}

/* Marks functions whose address lies, aligned, in [at, high). */
static void sites_scan_words(const struct code *code, uintptr_t at, uintptr_t high)
{
	const uintptr_t step = sizeof(uintptr_t);

	for (at = sites_round(at, step); at + step <= high; at += step)
		sites_take(code, *(const volatile uintptr_t *)at - code->low);
}

/* The same, and those whose distance from four bytes is in these. */
static void sites_scan_both(const struct code *code, uintptr_t at, uintptr_t high)
{
	enum { HALF = sizeof(int32_t), WHOLE = sizeof(uintptr_t) };
	const uintptr_t low = code->low;

	if (at % WHOLE && at + HALF <= high) {
		sites_take_distance(code, at);
		at += HALF;
	}
	for (; at + WHOLE <= high; at += WHOLE) {
		const uintptr_t word = *(const volatile uintptr_t *)at;
		const uintptr_t first = (uintptr_t)(intptr_t)(int32_t)word;
		const uintptr_t second = (uintptr_t)((intptr_t)word >> 32);

		sites_take(code, word - low);
		sites_take(code, at - low + first);
		sites_take(code, at + HALF - low + second);
	}
	if (at + HALF <= high)
		sites_take_distance(code, at);
}

/*
 * Marks the functions whose address lies in a segment of data, aligned, or whose distance from
 * there does. What the loader reads, and call-frame information, [frames, behind), has distances of
 * its own, that nobody takes.
 */
static void sites_scan_segment(const struct code *code, const struct code_segment *data)
{
	const uintptr_t half = sizeof(int32_t), whole = sizeof(uintptr_t);
	const uintptr_t at = sites_round(code_end_of_tables(code, data), half);
	const uintptr_t frames = code->frames.low, behind = sites_round(code->frames.high, half);

	sites_scan_words(code, data->low, sites_least(sites_round(at, whole), data->high));
	if (frames < at || behind > data->high) {
		sites_scan_both(code, at, data->high);
		return;
	}
	sites_scan_both(code, at, frames);
	sites_scan_words(code, frames / whole * whole,
			 sites_least(sites_round(behind, whole), data->high));
	sites_scan_both(code, behind, data->high);
}

static void sites_scan_data(const struct code *code)
{
	for (size_t i = 0; i < code->ndata; i++)
		sites_scan_segment(code, &code->data[i]);
}

/* Whether the four bytes at an address may be a distance from the address after them: they follow
 * the opcode of a call or jump, or a ModRM byte that says so. */
static bool sites_may_be_distance(uintptr_t at)
{
	const uint8_t *bytes = (const uint8_t *)at;

	return (bytes[-1] & 0xfe) == 0xe8 || (bytes[-1] & 0xc7) == 0x05 ||
	       (bytes[-2] == 0x0f && (bytes[-1] & 0xf0) == 0x80);
}

/* Marks whatever bytes that were not decoded may lead to: any four may be a distance or an address.
 */
static void sites_suspect(const struct code *code, uintptr_t low, uintptr_t high)
{
	const uintptr_t size = code->high - code->low;

	for (uintptr_t at = low + 2; at + sizeof(int32_t) <= high; at++) {
		int32_t bytes;

		__builtin_memcpy(&bytes, (const void *)at, sizeof(bytes));
		if (sites_may_be_distance(at))
			code_mark(code, at + sizeof(bytes) + (uintptr_t)(intptr_t)bytes,
				  GMON_EXT_PARTIAL_UNCOUNTED);
		if ((uint32_t)bytes - code->low < size)
			code_mark(code, (uint32_t)bytes, GMON_EXT_PARTIAL_UNCOUNTED);
	}
}

/* The same for functions that were dropped, and for code that no FDE describes. */
static void sites_suspect_all(struct sites *sites, const struct code *code)
{
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
		sites->dropped += code->function[k].dropped;
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
	return scan_distance(code->low + site->next);
}

static bool sites_is_direct(const struct site *site)
{
	return site->kind == SITE_CALL || site->kind == SITE_JUMP;
}

/* Adds what sites lead to. Returns its number, from 1; 0: no memory. */
static uint32_t sites_add_callee(struct sites *sites, uintptr_t at, bool is_slot)
{
	if (sites->ncallees >= SITES_CALLEES - 1)
		return 0;
	if (sites->ncallees == sites->callee_room) {
		void *grown =
			grow_array(sites->callee, &sites->callee_room, sizeof(*sites->callee));

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
	const bool is_call = site->kind == SITE_CALL;
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

	if (sites_is_direct(site))
		return sites_keep_direct(choice, site);
	slot = sites_target(choice->code, site);
	if (code_is_constant(choice->code, slot) && *(const volatile uintptr_t *)slot)
		return sites_set_slot(choice, site, slot);
	choice->sites->nindirect += site->kind == SITE_CALL_MEMORY;
	return false;
}

/* The slot to which a site leads that leads to no function; 0: to none, or to one that changes. */
static uintptr_t sites_slot(const struct code *code, const struct site *site)
{
	const uintptr_t target = sites_target(code, site);

	if (sites_is_direct(site))
		return code_plt_slot(code, target);
	return code_is_constant(code, target) ? target : 0;
}

/* Notes the slot to which a site leads. */
static void sites_look_up(struct sites_choice *choice, const struct site *site)
{
	const uintptr_t slot = site->callee == SITES_NOT_ENTRY ? sites_slot(choice->code, site) : 0;

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

bool sites_find(struct sites *sites, struct code *code)
{
	struct scan_found found;

	*sites = (struct sites){ 0 };
	if (!scan_functions(&found, code))
		return false;
	sites->site = found.site;
	sites->n = found.n;
	sites->room = found.room;
	sites->nindirect = found.nindirect;
	sites->refused = found.sets_base;
	sites_scan_data(code);
	code_each_exported(code, sites_mark_exported, code);
	sites_suspect_all(sites, code);
	return sites_decide(code, sites);
}
