/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keywords of mkprofile that make a file of call stacks, and of calls and ticks of modules. */
#include "mkprofile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0 if the word is not all pairs of hexadecimal digits, at most 20 of them. */
static unsigned build_id(const char *word, unsigned char id[20])
{
	unsigned n = 0;

	for (; n < 20 && isxdigit((unsigned char)word[0]) && isxdigit((unsigned char)word[1]);
	     word += 2)
		id[n++] = (unsigned char)strtoul((char[]){ word[0], word[1], 0 }, NULL, 16);
	return *word ? 0 : n;
}

void make_module(struct maker *m)
{
	static const struct word_value flags[] = {
		{ "program", GMON_EXT_PROGRAM },   { "vdso", GMON_EXT_VDSO },
		{ "unloaded", GMON_EXT_UNLOADED }, { "several", GMON_EXT_SEVERAL },
		{ "recorder", GMON_EXT_RECORDER }, { NULL, 0 }
	};
	struct stackfile_module module = { .path = m->words[1] };

	module.low = address(m, m->words[2]);
	module.high = address(m, m->words[3]);
	module.bias = address(m, m->words[4]);
	for (size_t i = 5; i < m->nwords; i++) {
		const struct word_value *flag = look_up(flags, m->words[i]);

		if (flag)
			module.flags |= flag->value;
		else
			module.build_id_bytes = build_id(m->words[i], module.build_id);
		if (!flag && !module.build_id_bytes)
			bad(m, "not known here: %s", m->words[i]);
	}
	stackfile_module(&m->stacks, &module);
}

void make_thread(struct maker *m)
{
	uint32_t tid = (uint32_t)number_up_to(m, m->words[1], UINT32_MAX);

	m->thread = stackfile_find_thread(&m->stacks, tid);
	if (m->thread == STACKFILE_NONE || m->nwords > 2)
		m->thread = stackfile_thread(&m->stacks, tid, m->nwords > 2 ? m->words[2] : "",
					     m->nwords > 3 ? number(m, m->words[3]) : 0);
	if (m->nwords >= 6)
		stackfile_looks(&m->stacks, m->thread, number(m, m->words[4]),
				number(m, m->words[5]));
	if (m->nwords == 8)
		stackfile_life(&m->stacks, m->thread, number(m, m->words[6]),
			       number(m, m->words[7]));
}

void make_kind(struct maker *m)
{
	m->kind = stackfile_find_kind(&m->stacks, m->words[1]);
	if (m->kind == STACKFILE_NONE && m->nwords != 5)
		bad(m, "no kind %s so far", m->words[1]);
	if (m->kind == STACKFILE_NONE)
		m->kind = stackfile_kind(&m->stacks, m->words[1], number(m, m->words[2]),
					 m->words[3], m->words[4][0]);
}

/* What is there if nothing is said. */
static void begin_modules(struct maker *m)
{
	const struct section *text = &m->image.sections[section_named(m, ".text")];

	if (!stackfile_count(&m->stacks, IN_MODULES))
		stackfile_module(&m->stacks,
				 &(struct stackfile_module){ .path = "a.out",
							     .low = text->addr,
							     .high = text->addr + text->size,
							     .flags = GMON_EXT_PROGRAM });
	if (!stackfile_count(&m->stacks, IN_KINDS))
		m->kind = stackfile_kind(&m->stacks, "cpu", m->hist.rate, "seconds", 's');
}

/* Cuts the module off FRAME. */
static struct stackfile_place find_place(struct maker *m, char *frame)
{
	struct stackfile_place place = { .module = 0 };
	char *colon = strchr(frame, ':');

	if (colon) {
		*colon = '\0';
		place.module = stackfile_find_module(&m->stacks, frame);
		if (place.module == STACKFILE_NONE && strcmp(frame, "-") != 0)
			bad(m, "no module %s so far", frame);
		frame = colon + 1;
	}
	place.address = address(m, frame);
	return place;
}

void make_call(struct maker *m)
{
	begin_modules(m);
	stackfile_arc(&m->stacks, find_place(m, m->words[1]), find_place(m, m->words[2]),
		      number(m, m->words[3]),
		      m->nwords > 4 ? (uint32_t)number_up_to(m, m->words[4], UINT32_MAX) : 0);
}

void make_outside(struct maker *m)
{
	begin_modules(m);
	stackfile_bin(&m->stacks, find_place(m, m->words[1]), m->kind, number(m, m->words[2]));
}

/* Returns the node of the stack that the words from `from` up to `end` say. */
static uint32_t stack_between(struct maker *m, size_t from, size_t end)
{
	uint32_t node = STACKFILE_NONE;

	for (size_t i = from; i < end; i++) {
		struct stackfile_place place = find_place(m, m->words[i]);

		node = stackfile_child(&m->stacks, node, place.module, place.address);
	}
	return node;
}

/* Returns that of the words from `from` on. */
static uint32_t stack_of(struct maker *m, size_t from)
{
	return stack_between(m, from, m->nwords);
}

void make_hold(struct maker *m)
{
	struct stackfile_place lock;
	struct gmon_ext_hold hold = { .ticks = number(m, m->words[1]) };
	size_t from = 3, by;

	begin_modules(m);
	lock = find_place(m, m->words[2]);
	if (strcmp(m->words[from], "deadlock") == 0)
		hold.flags = GMON_EXT_DEADLOCK;
	else if (strcmp(m->words[from], "waker") == 0)
		hold.flags = GMON_EXT_WAKER;
	else if (strcmp(m->words[from], "unwoken") == 0)
		hold.flags = GMON_EXT_WAKER | GMON_EXT_UNWOKEN;
	from += hold.flags != 0;
	for (by = from; by < m->nwords && strcmp(m->words[by], "by") != 0; by++)
		;
	hold.module = lock.module;
	hold.lock = lock.address;
	hold.waiter = hold.first = stack_between(m, from, by);
	hold.holder = stack_between(m, by + 1, m->nwords);
	stackfile_hold(&m->stacks, &hold);
}

void make_square(struct maker *m)
{
	begin_modules(m);
	stackfile_square(&m->stacks, stack_of(m, 2), m->thread, number(m, m->words[1]));
}

void make_stack(struct maker *m)
{
	static const struct word_value qualities[] = {
		{ "complete", 0 }, { "guessed", 1 }, { "broken", 2 }, { "cut", 3 }, { NULL, 0 }
	};
	const struct word_value *quality = m->nwords > 2 ? look_up(qualities, m->words[2]) : NULL;
	uint32_t node;

	begin_modules(m);
	if (!stackfile_count(&m->stacks, IN_THREADS))
		m->thread = stackfile_thread(&m->stacks, 1, "main", 0);
	node = stack_of(m, quality ? 3 : 2);
	stackfile_sample(&m->stacks, node, m->thread, m->kind, quality ? quality->value : 0,
			 number(m, m->words[1]));
}

void make_timeline(struct maker *m)
{
	stackfile_timeline(&m->stacks, number(m, m->words[1]), number(m, m->words[2]),
			   (uint32_t)number_up_to(m, m->words[3], UINT32_MAX));
}

void make_slice(struct maker *m)
{
	if (!stackfile_count(&m->stacks, IN_SAMPLES))
		bad(m, "no `stack' so far");
	stackfile_slice(&m->stacks, stackfile_count(&m->stacks, IN_SAMPLES) - 1,
			(uint32_t)number_up_to(m, m->words[1], UINT32_MAX), number(m, m->words[2]));
}

void make_site(struct maker *m)
{
	begin_modules(m);
	stackfile_site(&m->stacks,
		       &(struct gmon_ext_site){
			       .module = find_place(m, m->words[1]).module,
			       .functions = (uint32_t)number_up_to(m, m->words[2], UINT32_MAX),
			       .dropped = (uint32_t)number_up_to(m, m->words[3], UINT32_MAX),
			       .sites = number(m, m->words[4]),
			       .direct = number(m, m->words[5]),
			       .indirect = number(m, m->words[6]) });
}

void make_part(struct maker *m)
{
	begin_modules(m);
	stackfile_part(&m->stacks, find_place(m, m->words[1]),
		       (uint32_t)number_up_to(m, m->words[2], UINT32_MAX));
}

void make_process(struct maker *m)
{
	char command[256] = "";

	begin_modules(m);
	for (size_t i = 5; i < m->nwords; i++) {
		size_t n = strlen(command);

		snprintf(command + n, sizeof(command) - n, "%s%s", i > 5 ? " " : "", m->words[i]);
	}
	stackfile_process(&m->stacks, (uint32_t)number_up_to(m, m->words[1], UINT32_MAX),
			  (uint32_t)number_up_to(m, m->words[2], UINT32_MAX),
			  number(m, m->words[3]),
			  strcmp(m->words[4], "\"\"") == 0 ? "" : m->words[4], command);
}

void save_stacks(struct maker *m, const char *profile)
{
	char name[40];

	snprintf(name, sizeof(name), "%s.ext", profile);
	if (stackfile_count(&m->stacks, IN_MODULES) + stackfile_count(&m->stacks, IN_THREADS) +
	    stackfile_count(&m->stacks, IN_KINDS))
		stackfile_save(&m->stacks, &m->profile, machine_width(m->image.machine), m->outdir,
			       name);
	stackfile_free(&m->stacks);
}
