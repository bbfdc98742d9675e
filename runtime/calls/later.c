/* SPDX-License-Identifier: MIT */
/*
 * Objects that come by dlopen(). The start files that compilers link into each object let its
 * initialisation begin with a call of __gmon_start__(), if somebody defines that: so it comes to us
 * when the object and those that it needs are mapped and relocated, and before any of their
 * constructors. Nobody runs their code then: the loader has a lock, and has told nobody of them.
 *
 * Of several objects that one dlopen() loads the first that is initialised has all of them changed:
 * a constructor may start threads, which call the others. An object without such a call may be in
 * use already when we see it; it is named, and left alone.
 */
#include "calls/calls.h"

#include "base/mask.h"
#include "base/sandbox.h"
#include "base/text.h"
#include "calls/counted.h"
#include "record/modules.h"
#include "state.h"
#include "write/live.h"

static const char *const later_hook[] = { CODE_HOOK };

/* Whether one of those that were looked at is this object, and it has not been unloaded since. */
static bool later_has(const struct calls *calls, const struct code_segment *range, uint32_t module)
{
	for (size_t i = 0; i < calls->nobjects; i++) {
		const struct counted *object = &calls->object[i];

		if (object->low == range->low && object->high == range->high &&
		    object->module == module && counted_is_changed(object))
			return true;
	}
	return false;
}

/* Whether the object is as one that was unloaded, at the same addresses: then it gets the numbers
 * and stubs of that. */
static bool later_is_again(const struct counted *before, const struct counted *object)
{
	return !before->stays && before->stubs.low && before->low == object->low &&
	       before->module == object->module && counted_is_described(before, &object->sites) &&
	       entries_are_same(&before->entries, &object->entries);
}

static struct counted *later_find(struct calls *calls, const struct counted *object)
{
	for (size_t i = 0; i < calls->nobjects; i++)
		if (later_is_again(&calls->object[i], object))
			return &calls->object[i];
	return NULL;
}

/* Notes that an object was looked at, and is not counted. */
static const char *later_refuse(struct counted *object, const char *why)
{
	counted_close(object);
	entries_free(&object->entries);
	object->nsites = 0;
	return why;
}

/* Gives an object numbers, stubs and a place in the window. NULL, or why not. */
static const char *later_take(struct calls *calls, struct counted *object)
{
	const size_t number = (size_t)(object - calls->object);
	const char *why;

	if (object->nsites > calls->room - calls->nsites)
		return later_refuse(object, "calls are not counted, since there are too many, in");
	object->first = calls->nsites;
	if (!counted_describe(object, 1, calls->records, number))
		return later_refuse(object, "calls are not counted, for lack of memory, in");
	calls->nsites += object->nsites;
	why = counted_change(object, calls_distance());
	if (!why)
		return NULL;
	calls->records->object[number] = (struct gmon_ext_site){ .module = GMON_EXT_NONE };
	text_complain("calls are not counted in a part of the program:", why, 0);
	return later_refuse(object, "this part is");
}

/* Counts in an object that nobody has run so far. NULL, or why not. */
static const char *later_count(struct calls *calls, const struct dl_phdr_info *info,
			       uint32_t module)
{
	struct counted *object = &calls->object[calls->nobjects], *before;
	bool has_code;
	const char *why;

	*object = (struct counted){ .module = module };
	why = counted_look(object, info, false, &has_code);
	if (!why && !counted_mark_early(object, 1))
		why = later_refuse(object, "calls are not counted, for lack of memory, in");
	before = why ? NULL : later_find(calls, object);
	if (before) {
		before->code = object->code;
		before->sites = object->sites;
		entries_free(&object->entries);
		why = counted_change(before, calls_distance());
		counted_close(before);
		return why;
	}
	if (why)
		object->nsites = 0;
	else if (!code_imports(&object->code, later_hook, 1))
		why = later_refuse(object, "calls are not counted, since it may run already, in");
	else
		why = later_take(calls, object);
	counted_close(object);
	__atomic_store_n(&calls->nobjects, calls->nobjects + 1, __ATOMIC_RELEASE);
	if (gmon.settings.calls_entries)
		counted_note_entries(object, calls->object, calls->nobjects);
	return has_code ? why : NULL;
}

/* Libraries of data alone have no functions. */
static bool later_has_functions(const struct dl_phdr_info *info)
{
	struct code code;
	const bool has = code_open(&code, info, false) && code.nfunctions;

	code_close(&code);
	return has;
}

struct later_listing {
	size_t number; /* of the next object */
	bool ends;     /* objects are named only */
};

/* Looks at an object that the loader knows. */
static int later_look(struct dl_phdr_info *info, size_t size, void *given)
{
	struct later_listing *listing = given;
	struct calls *calls = gmon.calls;
	const struct code_segment range = code_range(info);
	const uint32_t module = range.low ? modules_meet(range.low) : GMON_EXT_NONE;
	const char *why;

	(void)size;
	if (!counted_wants(info, listing->number++) || !range.low ||
	    later_has(calls, &range, module))
		return 0;
	if (calls->nobjects == COUNTED_OBJECTS)
		why = calls->full ? NULL
				  : "calls are not counted, since there are too many libraries, in";
	else if (listing->ends)
		why = later_has_functions(info)
			      ? "calls are not counted, since nobody told of it, in"
			      : NULL;
	else
		why = later_count(calls, info, module);
	calls->full = calls->nobjects == COUNTED_OBJECTS;
	if (why)
		text_complain(why, info->dlpi_name, 0);
	return 0;
}

/* Whether an object at this address was looked at, and is as it was then. */
static bool later_knows(const struct calls *calls, uintptr_t address)
{
	for (size_t i = calls->nobjects; i-- > 0;)
		if (address - calls->object[i].low < calls->object[i].high - calls->object[i].low &&
		    (calls->object[i].stays ||
		     (calls->object[i].nsites && counted_is_changed(&calls->object[i]))))
			return true;
	return false;
}

void calls_end(void)
{
	struct later_listing listing = { .ends = true };

	if (gmon.calls && gmon.settings.calls_libs && gmon.phase == RUNNING && state_is_ours())
		dl_iterate_phdr(later_look, &listing);
}

void calls_library_begins(uintptr_t caller)
{
	struct later_listing listing = { 0 };
	struct mask mask;

	if (!gmon.calls || !gmon.settings.calls_libs || gmon.phase != RUNNING || !state_is_ours() ||
	    !modules_can_find() || later_knows(gmon.calls, caller))
		return;
	/* Else the child of a fork would write to its parent's window. */
	if (live_is_late())
		live_without_ticks();
	if (sandbox_closed() || gmon.phase != RUNNING)
		return;
	mask_all(&mask);
	dl_iterate_phdr(later_look, &listing);
	mask_restore(&mask);
}
