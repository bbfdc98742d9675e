/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sandbox in which gprof reads files of strangers: libraries that parse them may have holes,
 * and who finds one shall not gain what the user may do. What the kernel lacks is left out.
 *
 * From confine_begin() on, this process and its threads get no privileges by exec; change no file
 * but below the directories of the outputs (Landlock: Linux 5.13; it may still read all files, and
 * write to what is open); and cannot execute programs, open sockets, trace or look into other
 * processes, make system calls that only administrators need, or type into a terminal (seccomp). A
 * call that is refused fails with EPERM or EACCES.
 *
 * Whatever needs a program or a socket must be a process of its own that is forked before, and is
 * told by pipes what to do: as pager.c does.
 *
 * With GPROF_SANDBOX=no in the environment there is no sandbox: for a profile of gprof itself,
 * whose recording ends where a program filters its system calls.
 *
 * A build with sanitizers may execute, trace itself and open sockets, which their reports take; one
 * that measures coverage may write files, since it does when it ends.
 */
#ifndef RUN_LAUNCH_CONFINE_H
#define RUN_LAUNCH_CONFINE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"

typedef ARRAY(const char *) confine_paths;

/* Whether each part is in force: 0, or the errno with which the kernel has refused it. */
struct confined {
	int privileges, files, calls;
};

/*
 * Enters the sandbox for good. `outputs` are names of files that will be written, which need not
 * exist: a file is made anew, under a name beside its own. To be called by the only thread of the
 * process. Memory is taken from mem.
 */
struct confined confine_begin(const confine_paths *outputs, const struct arena *mem);

/* Says what is in force, and what the kernel has refused. */
void confine_say(const struct confined *c, const confine_paths *outputs, struct diag *diag);

#endif
