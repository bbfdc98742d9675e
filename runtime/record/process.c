/* SPDX-License-Identifier: MIT */
/* The record of the process. See process.h. */
#include "record/process.h"

#include <sys/auxv.h>
#include <time.h>

#include "base/readable.h"
#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "count/count_block.h"
#include "record/strings.h"
#include "sample/clock.h"
#include "state.h"
#include "wait/offcpu_helper.h"

enum { COMMAND_BYTES = 256 };

/* What the live file has of it. */
struct process_block {
	struct count_block head; /* word: 1 */
	_Alignas(64) unsigned char process[sizeof(struct gmon_ext_process)];
};

/* Adds the words of the command, with blanks between them; the end of a long one is missing. */
static uint32_t process_command(void)
{
	char line[COMMAND_BYTES];
	size_t n = sys_read_text(AT_FDCWD, "/proc/self/cmdline", line, sizeof(line));

	while (n > 0 && !line[n - 1])
		n--;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ')
			line[i] = ' ';
	line[n] = '\0';
	return strings_add(line);
}

/* Puts the record into the live file. Byte by byte: an assignment may call memcpy(). */
static void process_put(const struct gmon_ext_process *process)
{
	volatile unsigned char *to = gmon.process_block ? gmon.process_block->process : NULL;

	for (size_t i = 0; to && i < GMON_EXT_PROCESS_LEAST; i++)
		to[i] = ((const unsigned char *)process)[i];
}

void process_begin(void)
{
	struct gmon_ext_process *process = &gmon.process;

	/* Once: a fork's child has it from its parent. */
	if (!gmon.executable[0]) {
		struct text path = text_in(gmon.executable, sizeof(gmon.executable));

		readable_string(&path, getauxval(AT_EXECFN));
	}

	process->pid = (uint32_t)gmon.pid;
	process->parent = (uint32_t)SYS0(SYS_getppid);
	process->ending = GMON_EXT_GOES_ON;
	process->status = 0;
	process->start_ns = clock_real_ns();
	process->before_ns = clock_process_ns();
}

void process_start(void)
{
	if (!gmon.stacks.on)
		return;
	gmon.process.command = process_command();
	if (gmon.blocks.apart)
		gmon.process_block =
			count_block_new(GMON_LIVE_PROCESS, sizeof(struct process_block), 1, 0);
	process_put(&gmon.process);
}

void process_share(void)
{
	struct gmon_ext_process process; /* no initializer: some compilers call memset for it */

	if (!gmon.process_block)
		return;
	process_copy(&process);
	process_put(&process);
}

void process_note_command(const char *const *words)
{
	struct text text = text_in(gmon.command, sizeof(gmon.command));

	for (; *words && !text.full; words++) {
		text_add(&text, gmon.command[0] ? " " : "");
		text_add(&text, *words);
	}
}

void process_tell(struct gmon_live_ended *to)
{
	struct gmon_ext_process process; /* no initializer: some compilers call memset for it */
	struct text program, command;

	/* The record leaves the process: nothing else of its memory may. */
	for (size_t i = 0; i < sizeof(*to); i++)
		((volatile unsigned char *)to)[i] = 0;
	program = text_in(to->program, sizeof(to->program));
	command = text_in(to->command, sizeof(to->command));
	text_add(&program, gmon.executable);
	text_add(&command, gmon.command);
	process_copy(&process);
	to->pid = process.pid;
	to->parent = process.parent;
	to->ending = process.ending;
	to->status = process.status;
	to->start_ns = process.start_ns;
	to->end_ns = process.end_ns;
	to->cpu_ns = process.cpu_ns;
	to->before_ns = process.before_ns;
}

void process_end(enum gmon_ext_ending ending, int32_t status)
{
	gmon.process.ending = ending;
	gmon.process.status = (uint32_t)status;
}

void process_copy(struct gmon_ext_process *process)
{
	*process = gmon.process;
	if (sandbox_closed())
		return;
	process->end_ns = clock_real_ns();
	process->cpu_ns = clock_process_ns() - offcpu_helper_used_ns();
}
