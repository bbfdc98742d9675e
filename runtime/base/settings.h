/* SPDX-License-Identifier: MIT */
/*
 * What the user asked for: GMON=key=value,... and GMON_OUT_PREFIX, read once at the start and
 * copied, since programs overwrite their environment.
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
	uint32_t rate;        /* ticks a second: rate=HZ */
	bool steady;          /* jitter=no: samples at equal distances */
	uint32_t seed;        /* seed=N: of the random places of samples; 0: none was given */
	bool classic_clock;   /* clock=profil */
	bool task_clock;      /* clock=task */
	bool insistent_clock; /* clock=thread: in a sandbox, too */
	bool wall;            /* clock=wall: and the time that threads wait; implies stacks */
	bool start_directory; /* dir=start: relative names are taken from `directory` */
	bool off;             /* off: nothing counts before moncontrol(1) */
	bool term;            /* term: write, then die, on SIGTERM, SIGINT, SIGHUP, SIGQUIT */
	bool crash;           /* crash: counts lie in a file from the start */
	bool libs;            /* libs: calls and ticks of all modules go into the extension, */
	bool libs_files;      /* and, but for libs=ext alone, a file is for each shared object */
	uint32_t stacks;      /* stacks[=NODES]: most nodes of the tree of stacks; 0: none */
	uint32_t depth;       /* depth=N: most functions of a stack that are kept */
	bool run;             /* run: record from the start, whatever the program is, ... */
	bool again;           /* again: ... and is once more what recorded here before; */
	bool children;        /* children: ... and so what it starts, each to a file of its own; */
	bool has_only;        /* only=MAJOR:MINOR:INODE: ... if it is this file; */
	uint64_t only_device; /* the first two as in struct sys_file */
	uint64_t only_inode;
	const struct event_name *event; /* event=NAME; NULL: none */
	uint32_t event_period;          /* event=NAME:PERIOD; 0: the usual one */
	bool verbose;                   /* verbose: say at the end what was recorded */
	bool mpi;                       /* mpi=sum: ranks' profiles become one, see handover.h */
	bool mpi_apart;                 /* ... but not with these settings */
	uint32_t mpi_keep;              /* mpi=sum+N: so many ranks write their own besides */
	uint32_t mpi_wait;              /* mpiwait=SECONDS: how long one rank waits for others */
	int dump_signal;                /* dump=USR1: write on it and go on; 0: none */
	int sample_signal;              /* signal=PROF */
	bool has_prefix;                /* GMON_OUT_PREFIX is set */
	char file[PATH_BYTES];          /* file=PATTERN; empty: none */
	uint32_t copy;           /* with run: added to the name, which another file has; 0: none */
	char prefix[PATH_BYTES]; /* GMON_OUT_PREFIX */
	char directory[PATH_BYTES];
	struct sys_file root, start; /* of dir=start: "/" and `directory` when that was noted */
	char program[WORD_BYTES];    /* last part of its name, for %e */
	char rank[WORD_BYTES];       /* of an MPI process, for %r; "0" if there is none; holding */
};

/*
 * Reads the environment into settings that are all zero. Each key that is unknown or has a wrong
 * value is one line on stderr. Not async-signal-safe.
 */
void settings_read(struct settings *settings);

#endif
