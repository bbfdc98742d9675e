/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the processes of a run and the programs that they executed. */
#include "config.h"

#include "base/display_width.h"
#include "report/views.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct explanation processes_explanation = {
	"How to read the lists of programs and processes\n",
	"\n"
	" % time       share of all samples that were taken in these processes, or in this one\n"
	" sampled      time by their samples; the lists are sorted by it\n"
	" CPU          time that they used as the kernel says\n"
	" processes    how many ran the program\n"
	" process      its number, as the kernel has it; (N): so many that ran the same program,\n"
	"              ended alike, and had one sample or a hundredth of all at most\n"
	" end          how it ended: the status of its exit, or the signal that killed it;\n"
	"              \"?\" where nobody knows, mostly since it was killed by SIGKILL or a\n"
	"              fault, \"goes on\" if it was still there\n"
	" command      the last one that it ran; of processes with different ones, the program\n",
	"",
	NULL,
};

enum { END_BYTES = 24 };

static void processes_write_times(const struct text *t, uint64_t ticks, uint64_t cpu_ns,
				  struct output *out)
{
	uint64_t total = t->a->processes.ticks;

	output_fixed(out, total > 0 ? 100.0 * (double)ticks / (double)total : 0.0, 5, 1);
	output_char(out, ' ');
	output_fixed(out, (double)ticks / t->rate, 9, 2);
	output_char(out, ' ');
	output_fixed(out, (double)cpu_ns / 1e9, 8, 2);
}

static void processes_write_heads(const struct text *t, const char *title, const char *rest,
				  struct output *out)
{
	text_page(out);
	text_heading(out, STYLE_TITLE, title);
	output_text(out, "  %     sampled      CPU\n");
	output_style(out, STYLE_COLUMNS);
	output_format(out, "%5.5s %9.9s %8.8s %s", "time", t->dimension, "seconds", rest);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

/* Writes the number and time of processes that were not recorded, if there were any. */
static void processes_write_others(const struct processes *p, struct output *out)
{
	if (p->other_ns > 0)
		output_format(out,
			      "\n%.2f seconds more of CPU time are of processes without a profile: "
			      "linked statically,\nof another C library or machine, or started "
			      "without LD_PRELOAD.\n",
			      (double)p->other_ns / 1e9);
}

/* On the first screen: the programs with most time, in few lines that are no wider than it. */
static void processes_write_first(const struct text *t, struct output *out)
{
	enum { BEFORE_PATH = 29, LEAST = 8 };
	const struct processes *p = &t->a->processes;
	struct arena scratch = arena_scratch(t->mem);
	uint32_t n = processes_on_screen(p), columns = t->view->top->columns;
	uint32_t room = columns > BEFORE_PATH + LEAST ? columns - BEFORE_PATH : LEAST;

	text_page(out);
	output_style(out, STYLE_COLUMNS);
	output_text(out, " % time    CPU s  processes  program");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	for (uint32_t i = 0; i < n; i++) {
		const struct process_program *row = &p->program[i];

		output_fixed(out,
			     p->ticks > 0 ? 100.0 * (double)row->ticks / (double)p->ticks : 0.0, 7,
			     1);
		output_fixed(out, (double)row->cpu_ns / 1e9, 9, 2);
		output_format(out, "%11" PRIu32 "  ", row->nprocesses);
		output_text(out, display_width_cut_middle(row->path, room, &scratch).text);
		output_char(out, '\n');
	}
	if (p->nprograms > n)
		output_format(out, "%" PRIu32 " more program%s: --processes\n", p->nprograms - n,
			      p->nprograms - n == 1 ? "" : "s");
	arena_free(&scratch);
}

void processes_write_programs(const struct text *t, struct output *out)
{
	const struct processes *p = &t->a->processes;
	bool all = t->reports & REPORT_PROCESSES;

	if (t->reports & REPORT_TOP && !all) {
		processes_write_first(t, out);
		return;
	}
	processes_write_heads(t, "Programs of the run:\n\n", "processes  program", out);
	for (uint32_t i = 0; i < p->nprograms; i++) {
		const struct process_program *row = &p->program[i];

		if (row->ticks == 0 && !all)
			continue;
		processes_write_times(t, row->ticks, row->cpu_ns, out);
		output_format(out, " %9" PRIu32 "  ", row->nprocesses);
		output_name(out, row->path, strlen(row->path));
		output_char(out, '\n');
	}
	processes_write_others(p, out);
}

static void processes_end(const struct recorded_process *process, char text[END_BYTES])
{
	const char *name;

	switch (process->ending) {
	case PROCESS_EXITED:
		snprintf(text, END_BYTES, "%" PRIu32, process->status);
		break;
	case PROCESS_KILLED:
		name = process->status > 0 ? sigabbrev_np((int)process->status) : NULL;
		snprintf(text, END_BYTES, name ? "SIG%s" : "?", name);
		break;
	case PROCESS_REPLACED:
		snprintf(text, END_BYTES, "exec");
		break;
	default:
		snprintf(text, END_BYTES, "%s", process->end > 0 ? "?" : "goes on");
		break;
	}
}

/* The number of the process or, in parentheses, that of several processes. */
static void processes_number(const struct process_row *row, char text[END_BYTES])
{
	if (row->n > 1)
		snprintf(text, END_BYTES, "(%" PRIu32 ")", row->n);
	else
		snprintf(text, END_BYTES, "%" PRIu32, row->last->pid);
}

void processes_write(const struct text *t, struct output *out)
{
	const struct processes *p = &t->a->processes;
	char end[END_BYTES], number[END_BYTES];

	processes_write_heads(t, "Processes of the run:\n\n", "  process     end  command", out);
	for (uint32_t i = 0; i < p->nrows; i++) {
		const struct process_row *row = &p->row[i];
		const char *command = row->same_command ? row->last->command : row->last->program;

		processes_end(row->last, end);
		processes_number(row, number);
		processes_write_times(t, row->ticks, row->cpu_ns, out);
		output_format(out, " %9s %7s  ", number, end);
		output_name(out, command, strlen(command));
		output_char(out, '\n');
	}
	if (!t->opt->brief)
		text_explain(t, &processes_explanation, out);
}
