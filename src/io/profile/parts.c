/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/parts.h"

#include <unistd.h>

__attribute__((noreturn)) static void part_give_up(void *arg)
{
	struct part *part = arg;

	longjmp(part->no_memory, 1);
}

static void *part_run(void *arg)
{
	struct part *part = arg;
	struct parts *parts = part->parts;

	if (setjmp(part->no_memory)) {
		part->exhausted = true;
		parts->stopped = true;
	} else {
		parts->work(part, parts->arg);
	}
	return NULL;
}

unsigned parts_count(size_t nfiles)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned most = online < 1 ? 1 : online > PARTS_MOST ? PARTS_MOST : (unsigned)online;

	return nfiles < most ? (unsigned)nfiles : most;
}

void parts_start(struct parts *parts, size_t nfiles, unsigned n, part_work *work, void *arg)
{
	*parts = (struct parts){ .work = work, .arg = arg, .n = n };
	for (unsigned k = n; k-- > 0;) {
		struct part *part = &parts->part[k];

		part->number = k;
		part->first = nfiles * k / n;
		part->end = nfiles * (k + 1) / n;
		part->mem = (struct arena){ .no_memory = part_give_up, .arg = part };
		part->parts = parts;
		part->started = k > 0 && pthread_create(&part->thread, NULL, part_run, part) == 0;
	}
}

void part_wait(struct part *part)
{
	if (part->started)
		pthread_join(part->thread, NULL);
	else
		part_run(part);
}
