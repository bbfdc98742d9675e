/* SPDX-License-Identifier: MIT */
/* The call sites of an object. See sites.h. */
#include "calls/sites.h"

#include <gmon_ext.h>

#include "base/sys.h"
#include "calls/grow.h"
#include "calls/slots.h"
#include "calls/suspects.h"

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
	if (sites->spare)
		sys_munmap(sites->spare, sites->spare_bytes);
	landings_free(&sites->landings);
	sites->spare = NULL;
	sites->site = NULL;
	sites->callee = NULL;
	sites->n = sites->room = sites->ncallees = sites->callee_room = 0;
}

/* Marks the function whose address is in data, if it is one. */
static void sites_take(const struct code *code, uintptr_t address)
{
	struct code_function *function = code_entry_at(code, address);

	if (!function)
		return;
	function->partial |= GMON_EXT_PARTIAL_TAKEN;
	function->pointed = true;
}

/* Marks functions whose distance from the four bytes at an address is in these. */
static void sites_take_distance(const struct code *code, uintptr_t at)
{
	sites_take(code, at + (uintptr_t)(intptr_t) * (const volatile int32_t *)at);
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
	const uintptr_t step = sizeof(uintptr_t), low = code->low, size = code->high - code->low;

	for (at = sites_round(at, step); at + step <= high; at += step) {
		const uintptr_t word = *(const volatile uintptr_t *)at;

		if (word - low < size)
			sites_take(code, word);
	}
}

/* The same, and those whose distance from four bytes is in these. Nearly all words are neither. */
static void sites_scan_both(const struct code *code, uintptr_t at, uintptr_t high)
{
	enum { HALF = sizeof(int32_t), WHOLE = sizeof(uintptr_t) };
	const uintptr_t low = code->low, size = code->high - code->low;

	if (at % WHOLE && at + HALF <= high) {
		sites_take_distance(code, at);
		at += HALF;
	}
	for (; at + WHOLE <= high; at += WHOLE) {
		const uintptr_t word = *(const volatile uintptr_t *)at;
		const uintptr_t first = at + (uintptr_t)(intptr_t)(int32_t)word;
		const uintptr_t second = at + HALF + (uintptr_t)((intptr_t)word >> 32);

		if (word - low >= size && first - low >= size && second - low >= size)
			continue;
		sites_take(code, word);
		sites_take(code, first);
		sites_take(code, second);
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

/*
 * Whether an entry that only jumps lead to looks like the second part of a function, which a
 * compiler has put elsewhere: functions are called, or their address is taken, or they are aligned.
 */
static bool sites_is_part(const struct code *code, size_t number)
{
	const struct code_function *entry = &code->function[number];

	return !code->called[number] && !entry->partial && entry->low % SITES_ALIGNED;
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
	int32_t first;    /* of slots that sites lead to, as slots.h numbers them */
	uint32_t *entry;  /* for each function, its number as a callee, from 1; 0: it has none */
	uint32_t *number; /* the same for each slot from `first` on */
	bool failed;      /* no memory */
};

/* Returns the number of a callee, whose place for it is given; 0: no memory. */
static uint32_t sites_number(struct sites_choice *choice, uint32_t *number, uintptr_t at,
			     bool is_slot)
{
	if (!*number)
		*number = sites_add_callee(choice->sites, at, is_slot);
	choice->failed = choice->failed || !*number;
	return *number;
}

/* The same for a function to which a direct call or jump leads; 0: that is no site, and the
 * function is marked. */
static uint32_t sites_number_direct(struct sites_choice *choice, const struct site *site)
{
	uint32_t *number = &choice->entry[site->callee];
	struct code_function *entry = &choice->code->function[site->callee];

	if (site->kind == SITE_CALL && *number)
		return *number;
	if (site->kind == SITE_CALL || !sites_is_part(choice->code, site->callee))
		return sites_number(choice, number, entry->low, false);
	entry->partial |= GMON_EXT_PARTIAL_UNCOUNTED;
	return 0;
}

/* The number of what a site leads to, from 1; 0: it is none, or there is no memory. */
static uint32_t sites_number_of(struct sites_choice *choice, const struct site *site)
{
	const bool is_memory = site->kind == SITE_CALL_MEMORY || site->kind == SITE_JUMP_MEMORY;
	int32_t number;
	uintptr_t slot;

	if (!(site->callee & SLOTS_SLOT))
		return sites_number_direct(choice, site);
	number = slots_of(site);
	slot = slots_at(choice->code, number);
	if (site->callee != SLOTS_NOTHING && (!is_memory || *(const volatile uintptr_t *)slot))
		return sites_number(choice, &choice->number[number - choice->first], slot, true);
	choice->sites->ndirect += site->kind == SITE_CALL;
	choice->sites->nindirect += site->kind == SITE_CALL_MEMORY;
	return 0;
}

/* Decides which sites are left: puts them one after another. */
static void sites_decide_all(struct sites_choice *choice, const struct scan_found *found)
{
	const struct code *code = choice->code;
	const struct code_function *in = code->function;
	struct site *kept = choice->sites->site;

	for (size_t i = 0; i < SCAN_LANES; i++) {
		const struct site *site = found->part[i].site, *end = site + found->part[i].n;

		for (; site < end && !choice->failed; site++) {
			const struct site is = *site;
			uint32_t number;

			while (in->high - code->low < is.next)
				in++;
			number = in->dropped ? 0 : sites_number_of(choice, site);
			/* In one piece, since the next one may be in the same line of the cache. */
			if (number)
				*kept++ = (struct site){ is.next, (number - 1) % SITES_CALLEES,
							 is.kind };
		}
	}
	choice->sites->n = (size_t)(kept - choice->sites->site);
}

/* The same. False: no memory. */
static bool sites_decide(struct code *code, struct sites *sites, const struct scan_found *found)
{
	const size_t bytes = (code->nfunctions + 1 + found->nslots) * sizeof(uint32_t);
	struct sites_choice choice = { .code = code, .sites = sites, .first = found->first_slot };

	choice.entry = sys_memory(bytes);
	if (!choice.entry)
		return false;
	choice.number = choice.entry + code->nfunctions + 1;
	sites_decide_all(&choice, found);
	sys_munmap(choice.entry, bytes);
	return !choice.failed;
}

/* Adds the calls of other places than functions' starts to the landings. */
static void sites_land(const struct sites *sites, const struct code *code,
		       const struct scan_found *found)
{
	for (size_t i = 0; i < SCAN_LANES; i++)
		for (size_t k = 0; k < found->part[i].n; k++) {
			const struct site *site = &found->part[i].site[k];

			if (site->kind == SITE_CALL && site->callee & SLOTS_SLOT)
				landings_add(&sites->landings, code,
					     site_target(code->low + site->next));
		}
}

bool sites_find(struct sites *sites, struct code *code, bool wants_landings)
{
	struct scan_found found;

	*sites = (struct sites){ 0 };
	if (!scan_functions(&found, code, wants_landings))
		return false;
	sites->site = found.site;
	sites->room = found.room;
	sites->nindirect = found.nindirect;
	sites->refused = found.sets_base;
	sites->landings = found.landings;
	sites->spare = found.spare;
	sites->spare_bytes = found.spare_bytes;
	sites_scan_data(code);
	code_each_exported(code, sites_mark_exported, code);
	sites->dropped = suspects_left(code);
	if (wants_landings)
		sites_land(sites, code, &found);
	return sites_decide(code, sites, &found);
}
