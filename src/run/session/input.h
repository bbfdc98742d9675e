/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a session reads: what the user named, or what that leads to. */
#ifndef RUN_SESSION_INPUT_H
#define RUN_SESSION_INPUT_H

#include "analysis/stacks/symbolize.h"
#include "io/image/program.h"
#include "io/profile/gmon_read.h"
#include "io/source.h"
#include "run/launch/launch.h"
#include "run/session/libraries.h"

/* A value: the functions below return changed copies. Strings are the user's. */
struct session_input {
	struct program_input program;
	bool program_named;          /* by the user, not by default */
	bool profile_named;          /* the same; else there is one, gmon.out */
	const char *const *profiles; /* one or more, to be added up */
	int nprofiles;
	bool together;            /* profiles of the processes of one run, of any programs */
	int main_pid;             /* of these, the process that gprof started; 0: none */
	int main_status;          /* its exit status, as launch.h has it */
	uint64_t used_ns;         /* CPU time of that run, profiled or not; 0: not known */
	enum gmon_format format;  /* of the profiles */
	bool keeps_pipes;         /* as profile.h has it */
	string_array source_path; /* directories in which source files are looked for */
	bool lines_elsewhere;     /* -l was given, but not for this session */
	bool inlined;             /* functions that the compiler inlined have rows of their own */
	bool estimated;           /* times of callees follow from call counts, never from stacks */
	bool measured;            /* they come from call stacks, which are required */
	enum symbolize_libraries libraries; /* how call stacks show libraries */
	struct library_search search;       /* for the files of libraries */
	bool objects;                       /* calls and ticks in libraries are shown, too */
	string_array patterns; /* of names: whose functions are shown; none: those of all */
	bool plain_names;      /* "@LIBRARY" follows only names that several modules have */
	const char *thread;    /* whose stacks count: a name or a number; NULL: those of all */
	bool all_threads;      /* idle threads count, too */
	const char *clock;     /* what ticks count, as clocks.h has words; or NULL */
	bool has_image_base;   /* the user said where the image was loaded: */
	uint64_t image_base;
};

/* What the run left behind, in place of what was named. It refers to the launch. */
struct session_input input_of_launch(const struct session_input *named,
				     const struct launch *launch);

/*
 * What was named; but if that is a data file with call stacks alone, or a directory that gprof
 * --run=keep has filled, these are the profiles, and the program is that of the process that began
 * first. If that program is not known, or is gone, nothing changes. Says nothing. Strings live in
 * mem. Linear in the profiles, which it reads.
 */
struct session_input input_of_saved(const struct session_input *named, struct arena *mem);

/*
 * The same with the functions that GNU gprof counts with their neighbours, unless `gnu_symbols`
 * declines them or they are listed in a file, and without source lines as symbols.
 */
struct session_input input_with_all_functions(const struct session_input *input, bool gnu_symbols);

/* Whether the file in the program's place is a profile, or missing though none was named. Says what
 * to write instead. */
bool input_is_mistaken(const struct session_input *input, struct diag *diag);

/* The first profile that does not exist, or NULL. */
const char *input_missing(const struct session_input *input);

/* The profile to read where none was named: gmon.out, or what a program that runs or was killed has
 * left. A note says so. */
const char *input_find_profile(const struct session_input *input, struct diag *diag);

#endif
