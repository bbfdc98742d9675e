/* SPDX-License-Identifier: MIT */
/*
 * What the user asked for: GMON=key=value,... and GMON_OUT_PREFIX. Both are read once at the start
 * and copied, since programs overwrite their environment. libgmon.3 explains the keys.
 */
#ifndef BASE_SETTINGS_H
#define BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/event_names.h"
#include "base/sys.h"
#include "base/text.h"

enum { WORD_BYTES = 64 };

struct settings {
	uint32_t rate;        /* rate=HZ: samples per second; 0: none was given, until
				 clock_prepare() */
	bool steady;          /* jitter=no: samples at equal distances */
	uint32_t seed;        /* seed=N: seed of the random sampling points; 0: none was given */
	bool itimer_clock;    /* clock=profil */
	bool task_clock;      /* clock=task */
	bool insistent_clock; /* clock=thread: use timers of threads also in a sandbox */
	bool wall;            /* clock=wall: also the time in which threads wait; implies stacks */
	bool start_directory; /* dir=start: relative names begin at `directory` */
	bool off;             /* off: nothing is recorded before moncontrol(1) */
	bool term;            /* term: on SIGTERM, SIGINT, SIGHUP and SIGQUIT, write and then die */
	bool crash;           /* crash: counts are in the live file from the start */
	bool libs;            /* libs: calls and ticks of all modules go into gmon.out.ext */
	bool libs_files;      /* libs: unless libs=ext, each shared object gets a file, too */
	uint32_t stacks; /* stacks[=NODES]: the most nodes of the tree of stacks; 0: no stacks */
	uint32_t depth;  /* depth=N: the most functions of a stack that are kept */
	/* slices=N: ticks of stacks are also counted in at most N slices of the time; 0: they are
	 * not. With run 400 by default */
	uint32_t slices;
	bool has_slices;    /* slices was given */
	bool calls;         /* calls: with run, calls of the program are counted where they are */
	bool calls_libs;    /* calls=libs: those of its libraries, too */
	bool calls_entries; /* calls=entries: functions that are called by pointer, too, where they
			       begin */
	bool run;           /* run: record from the start, whatever the program is */
	bool again; /* again: with run, record also when exec() starts the same program once more */
	bool children; /* children: with run, record also the processes that the program starts, in
			  their own files */
	bool has_only; /* only=MAJOR:MINOR:INODE: with run, record only if the executable is this
			  file */
	uint64_t only_device; /* MAJOR and MINOR as in struct sys_file */
	uint64_t only_inode;
	/* windows=FD:PID:MAJOR:MINOR:INODE: with run, counts go into the file of this device and
	 * inode, by descriptor windows_fd, which is inherited, or by that of windows_pid */
	bool has_windows;
	int windows_fd;
	int32_t windows_pid;
	uint64_t windows_device, windows_inode;
	const struct event_name *event; /* event=NAME; NULL: none */
	uint32_t event_period;          /* event=NAME:PERIOD; 0: the event's own */
	bool verbose;                   /* verbose: at the end, a message says what was recorded */
	bool mpi;          /* mpi=sum: the profiles of all ranks are added up, see handover.h */
	bool mpi_apart;    /* mpi=sum has no effect because of other keys */
	uint32_t mpi_keep; /* mpi=sum+N: how many ranks also write their own file */
	uint32_t mpi_wait; /* mpiwait=SECONDS: how long a rank waits for others */
	int dump_signal;   /* dump=USR1: write on this signal; 0: none */
	int sample_signal; /* signal=PROF: the signal of samples; with run SIGSTKFLT by default */
	bool has_prefix;   /* GMON_OUT_PREFIX is set */
	char file[PATH_BYTES]; /* file=PATTERN; empty: none */
	uint32_t copy; /* with run: a number that is added to the name because other files have the
			  name; 0: none */
	char prefix[PATH_BYTES];     /* GMON_OUT_PREFIX */
	char directory[PATH_BYTES];  /* the current directory at the start; empty: unknown */
	struct sys_file root, start; /* with dir=start: "/" and `directory` at the start */
	char program[WORD_BYTES];    /* the last component of the program's path, for %e */
	char rank[WORD_BYTES]; /* the rank of an MPI process, for %r; "0" if there is none. The
				  thread that hands a profile over sets it again (handover.c) */
};

/*
 * Reads the environment into settings that are all zero. Each key that is unknown or has a wrong
 * value is one line on stderr. Not async-signal-safe.
 */
void settings_read(struct settings *settings);

/* Whether the environment asks for calls; before settings are read. Not async-signal-safe. */
bool settings_count_early(void);

#endif
