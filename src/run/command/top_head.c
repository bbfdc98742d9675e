/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/top_head.h"

#include "analysis/top_frames.h"
#include "base/join.h"
#include "base/path.h"
#include "base/short_name.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

/* Returns how a process ended, in mem; NULL: well, or nobody knows. */
static const char *top_head_ending(const struct recorded_process *process, struct arena *mem)
{
	const char *name;

	if (process->ending == PROCESS_EXITED && process->status > 0)
		return join_format(mem, "exited with %" PRIu32, process->status);
	if (process->ending != PROCESS_KILLED)
		return NULL;
	name = process->status > 0 ? sigabbrev_np((int)process->status) : NULL;
	if (process->status == SIGSYS)
		return "killed by SIGSYS: a seccomp filter?";
	return name ? JOIN(mem, "killed by SIG", name) : "killed";
}

/* Returns the record of the program that a process executed last. */
static const struct recorded_process *top_head_last(const struct recorded *r,
						    const struct recorded_process *process)
{
	const struct recorded_process *last = process;

	for (size_t i = 0; i < r->processes.n; i++) {
		const struct recorded_process *other = &r->processes.at[i];

		if (other->pid == process->pid && other->start > last->start)
			last = other;
	}
	return last;
}

/* Whether a signal tells of an error: not one by which processes are asked to end. */
static bool top_head_is_fault(uint32_t signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE ||
	       signal == SIGABRT || signal == SIGSYS;
}

/*
 * Returns which other process than `first` was killed, or how many, in mem; NULL: none. If no
 * signal is known, it was SIGKILL, a fault, or a signal that asks processes to end, which matters
 * if the first process failed, too. The status of a shell tells which: 128 and the signal.
 */
static const char *top_head_killed(const struct recorded *r, const struct recorded_process *first,
				   struct arena *mem)
{
	static const uint32_t shell = 128;
	bool failed = first->ending == PROCESS_EXITED && first->status > 0;
	struct recorded_process killed = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < r->processes.n; i++) {
		const struct recorded_process *process = &r->processes.at[i];

		if (process->pid == first->pid || process->ending != PROCESS_KILLED ||
		    !(process->status > 0 ? top_head_is_fault(process->status) : failed))
			continue;
		killed = *process;
		n++;
	}
	if (n == 0)
		return NULL;
	if (n > 1)
		return join_format(mem, "%zu other processes were killed", n);
	if (killed.status == 0 && first->status > shell && top_head_is_fault(first->status - shell))
		killed.status = first->status - shell;
	return JOIN(mem, recorded_process_called(&killed, mem), " was ",
		    top_head_ending(&killed, mem));
}

/* Returns the path of the program, in mem: after another name that it was called by. */
static const char *top_head_program(const struct recorded *r, const char *path, struct arena *mem)
{
	for (size_t i = 0; i < r->processes.n; i++) {
		const struct recorded_process *process = &r->processes.at[i];
		const char *called = recorded_process_called(process, mem);

		if (strcmp(process->program, path) != 0)
			continue;
		/* python3 is python3.13, whose name says more. */
		if (*called == '-' || strncmp(path_base(path), called, strlen(called)) == 0)
			return path;
		return JOIN(mem, called, " (", path, ")");
	}
	return path;
}

/* What takes more samples of a program that used little CPU time; NULL: nothing would, the user has
 * chosen, or the program mostly waited, of which more samples would not tell more. */
static const char *top_head_more(const struct top *top, const struct session *s,
				 const struct launch_request *launch)
{
	static const uint64_t least_ns = 5000000;
	double rate = (double)s->rebased->unit.rate;

	if (s->profile.recorded.used_ns < least_ns || top->off_cpu > 0.0 || top->waits_lead)
		return NULL;
	if (!launch->wanted || !s->stacks || !top->is_cpu || top->total >= rate ||
	    strstr(launch->passed, ",clock=") || strstr(launch->passed, ",rate="))
		return NULL;
	return "more samples: --run=rate=1000,clock=task";
}

/*
 * Returns the library that has at least half of the time although calls were counted in the code of
 * the program alone; NULL: none, or one whose calls are never counted, as are the C library's.
 */
static const char *top_head_uncounted(const struct session *s)
{
	const struct recorded *r = &s->profile.recorded;
	const struct object_rows *objects = &s->analysis.objects;
	const char *name = NULL;
	double most = 0.0, all = 0.0;

	if (r->sites.n != 1 || recorded_counted_part(r) <= 0.0)
		return NULL;
	for (uint32_t i = 0; i < objects->n; i++) {
		const struct object_row *row = &objects->at[i];

		all += row->ticks;
		if (row->ticks <= most)
			continue;
		most = row->ticks;
		name = i > 0 && row->is_file ? row->name : NULL;
	}
	if (!name || 2.0 * most < all)
		return NULL;
	name = short_name_library(path_base(name), s->mem);
	return strcmp(name, "libc") == 0 || strncmp(name, "ld-", 3) == 0 ? NULL : name;
}

/*
 * The time that is worth to be told of as waiting, in seconds, and which share of all time. Of one
 * thread the time is known in which it was ready to run while others ran. Others may have been
 * ready while the first one waited for them, so only a share is said that no busy machine makes.
 */
static const double least_waited = 0.1, share_waited = 0.5, share_of_several = 0.9;

/* Whether all CPU time is of the first thread of one process. */
static bool top_head_is_alone(const struct top *top, const struct session *s)
{
	const struct recorded *r = &s->profile.recorded;

	for (size_t i = 0; s->stacks && i < r->threads.n; i++) {
		if (s->analysis.costs.origin.of_thread[i] > 0 &&
		    r->threads.at[i].tid != (uint32_t)s->input->main_pid)
			return false;
	}
	return top->nprocesses <= 1;
}

/* Returns top->off_cpu. */
static double top_head_off_cpu(const struct top *top, const struct session *s)
{
	const struct recorded *r = &s->profile.recorded;
	uint64_t used_ns = 0;
	double waited, share;

	if (s->range || !top->is_cpu || clock_find(r, RECORDED_WAITING_KIND) != 0)
		return 0.0;
	for (size_t i = 0; i < r->processes.n; i++) {
		const struct recorded_process *process = &r->processes.at[i];

		if (process->cpu_ns > process->before_ns)
			used_ns += process->cpu_ns - process->before_ns;
	}
	if (r->used_ns > used_ns)
		used_ns = r->used_ns;
	waited = top->elapsed_s - (double)(used_ns + s->input->main_queued_ns) / 1e9;
	share = top_head_is_alone(top, s) ? share_waited : share_of_several;
	return waited >= least_waited && waited > share * top->elapsed_s ? waited / top->elapsed_s
									 : 0.0;
}

void top_head_describe(struct top *top, const struct session *s)
{
	const struct recorded *r = &s->profile.recorded;
	const struct costs *costs = &s->analysis.costs;
	const struct recorded_process *first = NULL, *last;
	uint64_t end = 0, elapsed_ns = s->input->main_elapsed_ns;

	for (size_t i = 0; s->stacks && i < r->threads.n; i++)
		top->nthreads += recorded_thread_is_known(&r->threads.at[i]) &&
				 (costs->origin.of_thread[i] > 0 ||
				  (costs->origin.clock.waiting && costs->waits.of_thread[i] > 0));
	top->nprocesses = s->analysis.processes.nprocesses;
	top->program = top_head_program(r, s->input->program.path, s->mem);
	for (size_t i = 0; i < r->processes.n; i++) {
		const struct recorded_process *process = &r->processes.at[i];

		if (!first || process->start < first->start)
			first = process;
		if (process->end > end)
			end = process->end;
	}
	top->uncounted = top_head_uncounted(s);
	if (!first)
		return;
	if (end > first->start && first->start > 0 && end - first->start > elapsed_ns)
		elapsed_ns = end - first->start;
	top->elapsed_s = s->range ? s->range_s : (double)elapsed_ns / 1e9;
	top->off_cpu = top_head_off_cpu(top, s);
	last = top_head_last(r, first);
	top->ending = top_head_ending(last, s->mem);
	top->killed = top_head_killed(r, last, s->mem);
	if (top->ending && (top->killed || strcmp(path_base(last->program),
						  path_base(s->input->program.path)) != 0))
		top->ending = JOIN(s->mem, recorded_process_called(last, s->mem), " ", top->ending);
}

/* Returns a word as a shell takes it, in mem. */
static const char *top_head_quote(const char *word, struct arena *mem)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_:./+-=,@%~";

	if (*word && word[strspn(word, plain)] == '\0' && *word != '~')
		return word;
	return strchr(word, '\'') ? JOIN(mem, "\"", word, "\"") : JOIN(mem, "'", word, "'");
}

/* Returns the operands that lead to the same data, each after a blank, in mem. */
static const char *top_head_operands(const struct top *top, const struct session *s,
				     const struct command *c)
{
	const struct session_input *named = &c->opt->input;
	const struct launch_request *launch = &c->opt->launch;
	const char *text = "";

	if (launch->wanted && launch->keep && top->off_cpu == 0.0)
		return JOIN(s->mem, " ", top_head_quote(launch->keep, s->mem));
	if (launch->wanted) {
		if (top->off_cpu > 0.0 || strstr(launch->passed, ",clock=wall"))
			text = " --run=clock=wall";
		else
			text = launch->children == LAUNCH_ALONE ? " --run=children=no" : " --run";
		for (char *const *word = launch->command; *word; word++)
			text = JOIN(s->mem, text, " ", top_head_quote(*word, s->mem));
		return text;
	}
	if (named->program_named)
		text = JOIN(s->mem, " ", top_head_quote(named->program.path, s->mem));
	for (int i = 0; named->profile_named && i < named->nprofiles; i++)
		text = JOIN(s->mem, text, " ", top_head_quote(named->profiles[i], s->mem));
	return text;
}

/* Returns the function to look at: where most was waited or, if it is of a library, who called the
 * one with the most time; sets *line to whether its lines are known. SYM_NONE: none has a name. */
static sym_id top_head_function(const struct top *top, const struct session *s, bool *line)
{
	const struct top_row *row = top->row;
	sym_id function;

	if (top->waits_lead && top->nwaits > 0 && top->wait->function != SYM_NONE) {
		function = top->wait->function;
		*line = top->wait->line.file != NULL;
		return s->program->symtab.sym[function].name[0] == '[' ? SYM_NONE : function;
	}
	if (top->nrows == 0)
		return SYM_NONE;
	function = row->function;
	*line = row->line.file != NULL;
	if (!top_frames_is_own(&s->analysis, function) && row->own_caller[0] != SYM_NONE)
		function = row->own_caller[0];
	return s->program->symtab.sym[function].name[0] == '[' ? SYM_NONE : function;
}

/* Adds the range of time that the user has chosen. */
static const char *top_head_add_range(const char *option, const struct range *range,
				      struct arena *mem)
{
	if (range->has_from)
		option = join_format(mem, "%s --from=%g", option, range->from);
	if (range->has_to)
		option = join_format(mem, "%s --to=%g", option, range->to);
	return option;
}

void top_head_advise(struct top *top, const struct session *s, const struct command *c)
{
	bool line = false;
	sym_id function = top_head_function(top, s, &line);
	const char *option = "--call-tree", *name;

	bool entry = s->profile.has_arcs;

	top->more = top_head_more(top, s, &c->opt->launch);

	if (top->off_cpu > 0.0 && c->opt->launch.wanted) {
		top->next = JOIN(s->mem, "gprof", top_head_operands(top, s, c));
		top->next_short = "gprof --run=clock=wall ...";
		return;
	}
	if (top->total <= 0.0 && !top->waits_lead)
		return;
	if ((function == SYM_NONE || !(line || entry)) && !s->stacks)
		return;
	if (function != SYM_NONE && (line || entry)) {
		name = demangle(s->program->symtab.sym[function].name,
				report_style(&c->opt->report), s->mem);
		name = top_head_quote(short_name_make(name, s->mem).name, s->mem);
		option = JOIN(s->mem, line ? "--source=" : "--entry=", name);
	}
	option = top_head_add_range(option, &s->input->range, s->mem);
	top->next_short = JOIN(s->mem, "gprof ", option, " ...");
	top->next = JOIN(s->mem, "gprof ", option, top_head_operands(top, s, c));
}
