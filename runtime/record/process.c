/* SPDX-License-Identifier: MIT */
/* The record of the process. See process.h. */
#include "record/process.h"

#include <time.h>

#include "base/sandbox.h"
#include "base/sys.h"
#include "record/strings.h"
#include "sample/clock.h"
#include "state.h"
#include "wait/offcpu_helper.h"

enum { COMMAND_BYTES = 256 };

/*
 * Adds the words of the command as a string, with blanks between them; a long command is cut off.
 * Returns its offset.
 */
static uint32_t process_command(void)
{
	char line[COMMAND_BYTES];
	long fd = sys_open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
	long n = 0;

	if (!sys_failed(fd)) {
		n = SYS3(SYS_read, fd, line, sizeof(line) - 1);
		sys_close((int)fd);
	}
	if (sys_failed(n))
		n = 0;
	while (n > 0 && !line[n - 1])
		n--;
	for (long i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ')
			line[i] = ' ';
	line[n] = '\0';
	return strings_add(line);
}

static void process_begin(void)
{
	struct gmon_ext_process *process = &gmon.process;

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
	process_begin();
	gmon.process.command = process_command();
}

void process_forked(void)
{
	if (gmon.settings.run)
		process_begin();
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
