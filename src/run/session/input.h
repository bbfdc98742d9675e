/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a session reads: the files that the user named, or those that they lead to. */
#ifndef RUN_SESSION_INPUT_H
#define RUN_SESSION_INPUT_H

#include "analysis/stacks/symbolize.h"
#include "analysis/when/range.h"
#include "io/image/program.h"
#include "io/profile/gmon_read.h"
#include "io/source.h"
#include "model/load_alias.h"
#include "run/launch/fetch.h"
#include "run/launch/launch.h"
#include "run/session/libraries.h"

/* A value: the functions below return changed copies. Strings are the user's. */
struct session_input {
	struct program_input program;
	bool program_named; /* the user named the program; else it is the default, a.out */
	bool profile_named; /* the user named the profiles; else it is the default, gmon.out */
	const char *const *profiles; /* one or more, which are added up */
	int nprofiles;
	const struct recordings *run; /* in place of profiles: what a run has left; NULL: files */
	bool together;   /* the profiles are those of one run's processes, which may be of any
			    programs */
	int main_pid;    /* of such a run, the process that gprof started; 0: none */
	int main_status; /* that process's exit status, as in launch.h */
	uint64_t main_elapsed_ns; /* how long it ran, by the clock */
	uint64_t main_queued_ns;  /* for how long its first thread was ready while others ran */
	uint64_t used_ns;   /* CPU time of that run in nanoseconds, profiled or not; 0: not known */
	uint64_t displaced; /* how often its threads had to leave a processor to another one */
	enum gmon_format format;  /* of the profiles */
	bool keeps_pipes;         /* as in profile.h */
	bool salvages;            /* as in profile.h */
	string_array source_path; /* directories in which source files are looked for */
	bool lines_elsewhere;     /* something else than this session's reports shows lines */
	bool inlined;             /* inlined functions have rows of their own */
	bool inlined_if_known;    /* so they have if there are call stacks and debug information */
	/* times of callees are estimated from call counts, even if there are stacks */
	bool estimated;
	bool measured; /* times of callees come from call stacks, without which there is an error */
	enum symbolize_libraries libraries; /* how call stacks show libraries */
	struct library_search search;       /* where files of libraries are searched */
	/* seconds in which each debug file is fetched by debuginfod; 0: none is */
	unsigned fetch_seconds;
	struct fetch *fetch;   /* the process that does so, or NULL */
	bool objects;          /* calls and ticks in libraries are shown, too */
	string_array patterns; /* patterns for names of libraries whose functions are shown; none:
				  all libraries */
	bool plain_names;      /* "@LIBRARY" is added only to names that several modules have */
	const char *thread;    /* only stacks of this thread, a name or number, count; NULL: of all
				  threads */
	bool all_threads;      /* idle threads are shown, too */
	struct range range;    /* only samples of this time count */
	const char *clock;     /* a word of clocks.h, or NULL */
	bool has_image_base;   /* the user said where the image was loaded, at image_base */
	uint64_t image_base;
	load_aliases aliases; /* code that ran elsewhere than its symbols say */
};

/*
 * Returns the input with what the run has recorded, in place of the files that were named. Refers
 * to the launch.
 */
struct session_input input_of_launch(const struct session_input *named,
				     const struct launch *launch);

/*
 * Returns the input that was named. But if it is a data file with only call stacks, or a directory
 * filled by gprof --run=keep, these are the profiles of the result, and its program is the one with
 * most of the samples or, without any, that of the process that began first. If that program is not
 * known or does not exist any more, nothing changes. So it is, too, if the program that was named
 * beside such a file is another one of its run, as g++ is beside the compiler that it has started,
 * or no file but the mere name of one; a note says which program it is, if that has another name.
 * Strings live in mem. Linear in the profiles, which are read.
 */
struct session_input input_of_saved(const struct session_input *named, struct arena *mem,
				    struct diag *diag);

/*
 * Returns the input with functions that GNU gprof leaves out, unless `gnu_symbols` is set or a file
 * lists the functions, and without source lines as symbols.
 */
struct session_input input_with_all_functions(const struct session_input *input, bool gnu_symbols);

/* Whether the file is a regular file that begins like a data file. */
bool input_is_profile(const char *path);

/*
 * Whether the file in the program's place is a profile, or does not exist. Says what to write
 * instead. mem is for the search of similar names.
 */
bool input_is_mistaken(const struct session_input *input, struct arena *mem, struct diag *diag);

/* Returns the first profile that does not exist, or NULL. */
const char *input_missing(const struct session_input *input);

/*
 * Returns the profile to read if none was named: gmon.out, or the file of a program that still runs
 * or was killed; a note says so.
 */
const char *input_find_profile(const struct session_input *input, struct diag *diag);

#endif
