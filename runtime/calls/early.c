/* SPDX-License-Identifier: MIT */
/* Functions that may have run before counting began. See early.h. */
#include "calls/early.h"

#include <gmon_ext.h>
#include <sys/auxv.h>

#include "base/sys.h"
#include "calls/decode.h"
#include "calls/grow.h"
#include "calls/site.h"
#include "preload/wakes.h"

/* A function that is marked, and whose instructions are still to be looked at. */
struct early_place {
	struct early_object *in;
	const struct code_function *function;
};

struct early {
	struct early_object *object;
	size_t n;
	struct early_place *left;
	size_t nleft, room;
	struct code_segment loader; /* its code */
	bool open;                  /* some function may call what others were told of */
	bool failed;                /* no memory */
};

/* Has a function looked at. */
static void early_push(struct early *early, struct early_object *in,
		       const struct code_function *function)
{
	if (early->nleft == early->room) {
		void *grown = grow_array(early->left, &early->room, sizeof(*early->left));

		early->failed |= !grown;
		if (!grown)
			return;
		early->left = grown;
	}
	early->left[early->nleft++] = (struct early_place){ in, function };
}

static void early_add(struct early *early, struct early_object *in, struct code_function *function)
{
	if (function->early)
		return;
	function->early = true;
	if (!function->fragment)
		function->partial |= GMON_EXT_PARTIAL_EARLY;
	early_push(early, in, function);
}

/* The object whose code an address is in; NULL: none that is counted. */
static struct early_object *early_object_at(const struct early *early, uintptr_t at)
{
	for (size_t i = 0; i < early->n; i++)
		if (early->object[i].code->function && code_has(early->object[i].code, at, 1))
			return &early->object[i];
	return NULL;
}

static void early_reach_any(void *early, uintptr_t at);

/* From here on, whatever a function that is marked takes the address of is marked. */
static void early_open(struct early *early)
{
	if (early->open)
		return;
	early->open = true;
	for (size_t i = 0; i < early->n; i++)
		for (size_t k = 0; k < early->object[i].code->nfunctions; k++)
			if (early->object[i].code->function[k].early)
				early_push(early, &early->object[i],
					   &early->object[i].code->function[k]);
}

/* Marks whatever a call through a pointer, or code that is not known, may lead to. */
static void early_reach_all(struct early *early, struct early_object *from)
{
	struct code *code = from->code;

	if (from->any)
		return;
	from->any = true;
	early_open(early);
	for (size_t i = 0; i < code->nfunctions; i++) {
		struct code_function *function = &code->function[i];

		if (!function->plt && (function->pointed || function->jumped ||
				       (function->partial & GMON_EXT_PARTIAL_UNCOUNTED)))
			early_add(early, from, function);
	}
	code_each_referred(code, early_reach_any, early);
}

/* Marks the function at an address, which is called from `from`, or NULL, if it is one of some
 * object. Returns the slot if it is an entry of a PLT, and nothing is marked; else 0. */
static uintptr_t early_reach(struct early *early, struct early_object *from, uintptr_t at)
{
	struct early_object *in = early_object_at(early, at);
	struct code_function *function = in ? code_function_at(in->code, at) : NULL;
	const uintptr_t slot = in ? code_plt_slot(in->code, at) : 0;

	/* The loader calls nothing that it is told of. */
	if (!in && from && at - early->loader.low >= early->loader.high - early->loader.low)
		early_open(early);
	if (!in || slot || (function && function->plt))
		return slot;
	if (function)
		early_add(early, in, function);
	else if (from)
		early_reach_all(early, from);
	return 0;
}

/* Marks the function whose address a slot holds, which is called from `from`, or NULL. One that
 * nobody has used so far leads back to the PLT. */
static void early_reach_slot(struct early *early, struct early_object *from, uintptr_t slot)
{
	early_reach(early, from, wakes_behind(*(const volatile uintptr_t *)slot));
}

/* The same as early_reach(), by way of the PLT, too. */
static void early_reach_by_plt(struct early *early, struct early_object *from, uintptr_t at)
{
	const uintptr_t slot = early_reach(early, from, at);

	if (slot)
		early_reach_slot(early, from, slot);
}

static void early_reach_any(void *early, uintptr_t at)
{
	early_reach_by_plt(early, NULL, at);
}

/* Whether the jump through a register at `at` takes the sum that the instruction before it has made
 * of a table's entry. */
static bool early_is_switch(uintptr_t before, uintptr_t at)
{
	enum { ADD_TO = 0x01, ADD = 0x03, NOTRACK = 0x3e, REX_B = 0x41, GROUP = 0xff };
	const uint8_t *add = (const uint8_t *)before, *jump = (const uint8_t *)at;
	unsigned high = 0, sum;

	if ((add[0] & 0xf8) != 0x48 || at - before != 3 || add[2] < 0xc0)
		return false;
	if (add[1] == ADD_TO)
		sum = (add[2] & 7) + (add[0] & 1U) * 8;
	else if (add[1] == ADD)
		sum = (add[2] >> 3 & 7) + (add[0] >> 2 & 1U) * 8;
	else
		return false;
	jump += *jump == NOTRACK;
	if (*jump == REX_B) {
		high = 8;
		jump++;
	}
	return jump[0] == GROUP && (jump[1] & 0xf8) == 0xe0 && (jump[1] & 7) + high == sum;
}

/* Marks what a branch leads to. `before`: the instruction before it. */
static void early_take_branch(struct early *early, struct early_object *in, const struct decoded *d,
			      uintptr_t before, uintptr_t at)
{
	switch (d->kind) {
	case DECODE_CALL_MEMORY:
	case DECODE_JUMP_MEMORY:
		if (!code_has_data(in->code, d->target, sizeof(uintptr_t)) ||
		    !code_is_constant(in->code, d->target))
			early_reach_all(early, in);
		if (code_has_data(in->code, d->target, sizeof(uintptr_t)))
			early_reach_slot(early, in, d->target);
		return;
	case DECODE_JUMP_OTHER:
	case DECODE_CALL_OTHER:
		if (d->kind == DECODE_CALL_OTHER || !early_is_switch(before, at))
			early_reach_all(early, in);
		return;
	default:
		if (d->has_target && !d->is_lea)
			early_reach_by_plt(early, in, d->target);
	}
}

/* Marks the functions whose address an instruction takes, or reads. */
static void early_take_address(struct early *early, const struct early_object *in,
			       const struct decoded *d)
{
	if (d->is_lea && d->has_target)
		early_reach_by_plt(early, NULL, d->target);
	else if (d->has_memory && code_has_data(in->code, d->memory, sizeof(uintptr_t)))
		early_reach_slot(early, NULL, d->memory);
	if (d->has_value)
		early_reach_by_plt(early, NULL, (uintptr_t)d->value);
}

/* Marks what any four bytes of code that is not known may lead to. */
static void early_take_bytes(struct early *early, struct early_object *in, uintptr_t low,
			     uintptr_t high)
{
	early_reach_all(early, in);
	for (uintptr_t next = low + sizeof(int32_t); next <= high; next++) {
		const uintptr_t target = site_target(next);

		if (code_has(in->code, target, 1))
			early_reach_by_plt(early, in, target);
		else if (code_has_data(in->code, target, sizeof(uintptr_t)))
			early_reach_slot(early, in, target);
	}
}

/* Marks whatever a function leads to. */
static void early_look(struct early *early, const struct early_place *place)
{
	const struct code_function *function = place->function;
	uintptr_t before = function->low;
	struct decoded d;

	if (function->dropped) {
		early_take_bytes(early, place->in, function->low, function->high);
		return;
	}
	for (uintptr_t at = function->low; at < function->high; at += d.length) {
		if (!decode(&d, (const uint8_t *)at, function->high - at, at)) {
			early_take_bytes(early, place->in, at, function->high);
			return;
		}
		early_take_branch(early, place->in, &d, before, at);
		if (early->open)
			early_take_address(early, place->in, &d);
		before = at;
	}
}

/* The range of the loader's code; both 0: there is none. */
static struct code_segment early_find_loader(void)
{
	const uintptr_t base = getauxval(AT_BASE);
	const ElfW(Ehdr) *header = (const void *)base;
	const struct dl_phdr_info info = {
		.dlpi_addr = base,
		.dlpi_phdr = base ? (const void *)(base + header->e_phoff) : NULL,
		.dlpi_phnum = base ? header->e_phnum : 0,
	};

	return code_range(&info);
}

/* Marks what constructors of a library that is not counted may have called. */
static int early_take_library(struct dl_phdr_info *info, size_t size, void *given)
{
	struct early *early = given;
	struct code code;

	(void)size;
	if (code_locate(&code, info) && code.dynamic && !early_object_at(early, code.low))
		code_each_told(&code, early_reach_any, early);
	return 0;
}

bool early_mark(struct early_object *object, size_t n)
{
	struct early early = { .object = object, .n = n, .loader = early_find_loader() };

	for (size_t i = 0; i < n; i++)
		code_each_before(object[i].code, early_reach_any, &early);
	dl_iterate_phdr(early_take_library, &early);
	while (early.nleft && !early.failed) {
		const struct early_place place = early.left[--early.nleft];

		early_look(&early, &place);
	}
	if (early.room)
		sys_munmap(early.left, early.room * sizeof(*early.left));
	return !early.failed;
}
