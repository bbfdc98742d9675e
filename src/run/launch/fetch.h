/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process that fetches debug files and source files by debuginfod, since that needs the network
 * and libraries which gprof does not load itself.
 */
#ifndef RUN_LAUNCH_FETCH_H
#define RUN_LAUNCH_FETCH_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The usual limit for each file, and the most that can be asked for. */
enum { FETCH_SECONDS = 90, FETCH_MOST_SECONDS = 3600 };

enum fetch_result {
	FETCH_GOT,     /* it is in the cache of debuginfod's client now */
	FETCH_UNKNOWN, /* no server has it */
	FETCH_LATE,    /* it took longer than the limit */
	FETCH_LARGE,   /* it is larger than DEBUGINFOD_MAXSIZE; or than 2 GB, sources than 64 MB */
	FETCH_SKIPPED, /* the user has typed Ctrl-C, this time or before */
	FETCH_FAILED,  /* the server refused, or something else went wrong */
	FETCH_ABSENT,  /* there is no libdebuginfod.so.1 */
};

struct fetch {
	int fd; /* of a socket to the process; -1: there is none */
	pid_t pid;
	unsigned seconds; /* the limit for each file */
};

/*
 * Starts the process, with a limit in seconds; 0: none is wanted. `cache` is where the client of
 * debuginfod keeps files, or NULL. The process opens no file and no
 * connection before fetch_debug(), and ends with this process, whose progress it shows. Returns
 * false in the new process, which is then to exit.
 */
bool fetch_begin(struct fetch *f, unsigned seconds, const char *cache, struct progress *progress);

/*
 * Fetches the debug file with this build id of n bytes, and waits for it. Meanwhile SIGINT does not
 * end this process: it skips this file and all after it. Whether the file is the right one is for
 * its reader to find out.
 */
enum fetch_result fetch_debug(struct fetch *f, const unsigned char *id, size_t n);

/*
 * Does the same with a source file of what has that build id. `name` is an absolute path, as debug
 * information has it. Sets *path, to be freed, to where it is in the cache; NULL: it is not.
 */
enum fetch_result fetch_source(struct fetch *f, const unsigned char *id, size_t n, const char *name,
			       char **path);

#endif
