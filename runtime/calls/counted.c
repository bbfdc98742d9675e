/* SPDX-License-Identifier: MIT */
/* Objects whose calls are counted. See counted.h. */
#include "calls/counted.h"

#include "base/readable.h"
#include "base/sys.h"
#include "base/text.h"
#include "calls/early.h"
#include "preload/wakes.h"
#include "record/modules.h"
#include "state.h"

/* Its sites, behind them struct counted_callees, and behind that u32: see gmon_live.h. */
struct counted_sites {
	struct count_block head;
	_Alignas(64) uint32_t site[];
};

struct counted_callees {
	uint64_t base, n;
	uint64_t callee[];
};

struct counted_parts {
	struct count_block head;
	_Alignas(64) struct gmon_ext_part part[];
};

bool counted_wants(const struct dl_phdr_info *info, size_t number)
{
	static const char *const never[] = { "libc.so",       "ld-linux", "libc-",  "linux-vdso",
					     "libpthread.so", "libdl.so", "libgmon" };
	const char *name = text_last_part(info->dlpi_name);

	if (number == 0)
		return true;
	if (!gmon.settings.calls_libs || !*name)
		return false;
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (text_skip(name, never[i]))
			return false;
	return true;
}

/* Whether an object counts its calls itself, as -pg has it. */
static bool counted_by_itself(const struct code *code)
{
	static const char *const names[] = { "mcount", "_mcount", "__fentry__" };

	return code_imports(code, names, sizeof(names) / sizeof(names[0]));
}

static const char *counted_why_not(struct counted *object)
{
	const bool entries = gmon.settings.calls_entries;

	if (!sites_find(&object->sites, &object->code, entries) ||
	    (entries && !entries_find(&object->entries, &object->code, &object->sites)))
		return "calls are not counted, for lack of memory, in";
	if (object->sites.ncallees > 1U << GMON_LIVE_SITE_AFTER)
		return "calls are not counted, since they lead to too many functions, in";
	if (object->sites.refused)
		return "calls are not counted, since it sets %fs or %gs itself, in";
	return NULL;
}

const char *counted_look(struct counted *object, const struct dl_phdr_info *info, bool may_change,
			 bool *has_code)
{
	const bool itself = code_locate(&object->code, info) && counted_by_itself(&object->code);
	const char *why;

	if (!code_open(&object->code, info, may_change && !itself))
		why = "calls are not counted, for lack of call-frame information, in";
	else if (itself)
		why = "calls are counted by the code itself, which is built with -pg, in";
	else
		why = counted_why_not(object);
	*has_code = object->code.function;
	object->low = object->code.low;
	object->high = object->code.high;
	object->nparts = 0;
	if (why) {
		counted_close(object);
		entries_free(&object->entries);
		object->code.nfunctions = 0;
		return why;
	}
	object->nsites = object->sites.n;
	object->ncallees = object->sites.ncallees;
	return NULL;
}

bool counted_mark_early(struct counted *object, size_t n)
{
	const size_t bytes = n * sizeof(struct early_object);
	struct early_object *early = sys_memory(bytes);
	bool done;

	if (!early)
		return false;
	for (size_t i = 0; i < n; i++)
		early[i].code = &object[i].code;
	done = early_mark(early, n);
	sys_munmap(early, bytes);
	for (size_t i = 0; i < n; i++) {
		const struct code *code = &object[i].code;

		entries_leave_marked(&object[i].entries, code);
		for (size_t k = 0; k < code->nfunctions; k++)
			object[i].nparts += code->function[k].partial != 0;
	}
	return done;
}

void counted_close(struct counted *object)
{
	sites_free(&object->sites);
	code_close(&object->code);
}

/*
 * What a slot leads to: the function is known now, or the slot still leads back to the PLT, until
 * the first call.
 */
static void counted_find_function(struct counted *object, uintptr_t slot, uint64_t *callee)
{
	const uintptr_t function = *(const volatile uintptr_t *)slot;

	*callee = wakes_behind(function);
	if (!code_is_constant(&object->code, slot) && code_has(&object->code, function, 1) &&
	    !code_entry_at(&object->code, function) && object->late)
		object->late[object->nlate++] = (struct counted_late){ slot, function, callee };
}

/* How far the i-th site is behind the one before. */
static uint32_t counted_distance(const struct sites *sites, size_t i)
{
	return sites->site[i].next - (i ? sites->site[i - 1].next : 0);
}

/* What the window says of the i-th site. */
static uint32_t counted_site(const struct sites *sites, size_t i)
{
	const uint32_t distance = counted_distance(sites, i);

	return (distance < GMON_LIVE_SITE_FAR ? distance : GMON_LIVE_SITE_FAR)
		       << GMON_LIVE_SITE_AFTER |
	       sites->site[i].callee;
}

static size_t counted_far(const struct sites *sites)
{
	size_t n = 0;

	for (size_t i = 0; i < sites->n; i++)
		n += counted_distance(sites, i) >= GMON_LIVE_SITE_FAR;
	return n;
}

bool counted_is_described(const struct counted *object, const struct sites *sites)
{
	size_t far = 0;

	if (object->nsites != sites->n || object->ncallees != sites->ncallees)
		return false;
	for (size_t i = 0; i < sites->n; i++) {
		const uint32_t distance = counted_distance(sites, i);

		if (object->site[i] != counted_site(sites, i) ||
		    (distance >= GMON_LIVE_SITE_FAR && object->far[far++] != distance))
			return false;
	}
	return true;
}

/* Makes room in the window for what describes the object's sites. NULL: no memory. */
static struct counted_sites *counted_new_sites(struct counted *object)
{
	/* An even number of them, so that 8 bytes can follow. */
	const size_t of_sites = (object->nsites + 1) / 2 * sizeof(uint64_t);
	struct counted_callees *callees;
	struct counted_sites *sites;
	const size_t bytes = sizeof(*sites) + of_sites + sizeof(*callees) +
			     object->ncallees * sizeof(callees->callee[0]) +
			     counted_far(&object->sites) * sizeof(*object->far);

	sites = count_block_new(GMON_LIVE_SITES, bytes, object->nsites, object->first);
	if (!sites)
		return NULL;
	sys_populate(sites, bytes);
	callees = (void *)((char *)sites->site + of_sites);
	callees->base = object->code.low;
	callees->n = object->ncallees;
	object->site = sites->site;
	object->callee = callees->callee;
	object->far = (void *)(callees->callee + object->ncallees);
	return sites;
}

/* Describes the object's sites, and the functions that they lead to, in the window. False: no
 * memory. */
static bool counted_describe_sites(struct counted *object)
{
	struct counted_sites *sites = counted_new_sites(object);
	uint32_t *far;

	if (!sites)
		return false;
	far = (void *)(object->callee + object->ncallees);
	for (size_t i = 0; i < object->nsites; i++) {
		const uint32_t distance = counted_distance(&object->sites, i);

		sites->site[i] = counted_site(&object->sites, i);
		if (distance >= GMON_LIVE_SITE_FAR)
			*far++ = distance;
	}
	object->nlate = 0;
	if (!object->late)
		object->late = sys_memory((object->ncallees + 1) * sizeof(*object->late));
	for (size_t i = 0; i < object->ncallees; i++) {
		const struct site_callee *callee = &object->sites.callee[i];

		if (callee->is_slot)
			counted_find_function(object, callee->at, &object->callee[i]);
		else
			object->callee[i] = callee->at;
		if (callee->is_slot && gmon.settings.calls_entries)
			object->callee[i] |= GMON_LIVE_BY_SLOT;
	}
	return true;
}

/* A callee as the window has it, without what is said of it there. */
static uintptr_t counted_callee(const struct counted *object, size_t i)
{
	return (uintptr_t)(object->callee[i] & ~(GMON_LIVE_BY_SLOT | GMON_LIVE_AT_ENTRY));
}

uintptr_t counted_target(const struct counted *object, uintptr_t address, bool *pushed)
{
	const struct stubs_place place = stubs_find(&object->stubs, address);
	const uintptr_t begun = entries_place(&object->entries, object->low, object->stubs.entries,
					      address, pushed);
	size_t callee = place.number;

	if (begun)
		return begun;
	*pushed = place.pushed;
	if (place.is_site && place.number < object->nsites)
		callee = object->site[place.number] & ((1U << GMON_LIVE_SITE_AFTER) - 1);
	else if (!place.is_callee)
		return address;
	return callee < object->ncallees ? counted_callee(object, callee) : address;
}

/* Fills in the window's record of an object, and of its functions that are partly counted. */
static void counted_describe_one(struct counted *object, struct gmon_ext_site *record,
				 struct counted_parts *parts, size_t *nparts)
{
	*record = (struct gmon_ext_site){
		.module = object->module,
		.functions = (uint32_t)object->code.nfunctions,
		.dropped = object->sites.dropped,
		.first_site = (uint32_t)object->first,
		.sites = object->sites.n,
		.direct = object->sites.ndirect,
		.indirect = object->sites.nindirect,
		.entries = (uint32_t)object->entries.n,
	};
	for (size_t i = 0; i < object->code.nfunctions; i++)
		if (object->code.function[i].partial)
			parts->part[(*nparts)++] =
				(struct gmon_ext_part){ object->module,
							object->code.function[i].partial,
							object->code.function[i].low };
}

bool counted_describe(struct counted *object, size_t n, struct counted_records *records,
		      size_t number)
{
	size_t nparts = 0, filled = 0, bytes;
	struct counted_parts *parts;

	for (size_t i = 0; i < n; i++)
		nparts += object[i].nparts;
	/* No block is empty. */
	bytes = sizeof(*parts) + (nparts + 1) * sizeof(parts->part[0]);
	parts = count_block_new(GMON_LIVE_PARTS, bytes, nparts, 0);
	if (!parts)
		return false;
	sys_populate(parts, bytes);
	for (size_t i = 0; i < n; i++) {
		object[i].module = modules_meet(object[i].low);
		if (!object[i].code.nfunctions)
			continue;
		if (object[i].nsites && !counted_describe_sites(&object[i]))
			return false;
		counted_describe_one(&object[i], &records->object[number + i], parts, &filled);
	}
	return true;
}

const char *counted_change(struct counted *object, intptr_t distance)
{
	return stubs_make(&object->stubs, &object->code, &object->sites, &object->entries, distance,
			  object->first);
}

bool counted_is_changed(const struct counted *object)
{
	uintptr_t from;
	int32_t to;

	if (!object->stubs.low || !object->nsites)
		return true;
	from = object->low + (object->site[0] >> GMON_LIVE_SITE_AFTER == GMON_LIVE_SITE_FAR
				      ? object->far[0]
				      : object->site[0] >> GMON_LIVE_SITE_AFTER);
	if (!readable_copy(&to, from - sizeof(to), sizeof(to)))
		return false;
	return from + (uintptr_t)(intptr_t)to == object->stubs.low;
}

/* What a slot holds. Those of an object that was unloaded are gone. */
static bool counted_slot(const struct counted *object, uintptr_t slot, uintptr_t *function)
{
	if (!object->stays)
		return readable_copy(function, slot, sizeof(*function));
	*function = *(const volatile uintptr_t *)slot;
	return true;
}

void counted_note_plt(const struct counted *object)
{
	if (!object->stays && object->nlate && !counted_is_changed(object))
		return;
	for (size_t i = 0; i < object->nlate; i++) {
		const struct counted_late *late = &object->late[i];
		uintptr_t function;

		if (counted_slot(object, late->slot, &function) && function != late->before)
			*late->callee =
				(*late->callee & GMON_LIVE_BY_SLOT) | wakes_behind(function);
	}
}

/* Whether a function is counted where it begins. */
static bool counted_is_entry(const struct counted *objects, size_t n, uintptr_t function)
{
	for (size_t i = 0; i < n; i++)
		if (function - objects[i].low < objects[i].high - objects[i].low &&
		    entries_number(&objects[i].entries, objects[i].low, function))
			return true;
	return false;
}

void counted_note_entries(const struct counted *object, const struct counted *objects, size_t n)
{
	for (size_t i = 0; i < object->ncallees && object->nsites; i++)
		if (object->callee[i] & GMON_LIVE_BY_SLOT &&
		    counted_is_entry(objects, n, counted_callee(object, i)))
			object->callee[i] |= GMON_LIVE_AT_ENTRY;
}
