/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One program with its data files, and the values made of them, step by step. Commands take what
 * they show from a session. Several can exist at once.
 */
#ifndef RUN_SESSION_SESSION_H
#define RUN_SESSION_SESSION_H

#include "analysis/analyze.h"
#include "analysis/functions/inlined.h"
#include "analysis/lines/line_costs.h"
#include "analysis/stacks/trees.h"
#include "io/fileids.h"
#include "io/image/limits.h"
#include "model/line_costs.h"
#include "model/symbolized.h"
#include "run/session/input.h"

/*
 * Each function below fills in the fields that are listed under its name, and changes no others.
 * Values refer to one another, so a session must not be copied. Everything lives in mem, except the
 * image.
 */
struct session {
	/* session_open() fills in: */
	const struct session_input *input;
	struct image *image;
	struct limits limits; /* on time and memory; paused while data files are read */
	struct arena *mem;
	struct diag *diag;
	/* session_read() or session_read_some() fills in: */
	struct program own_program; /* with the symbols of its file */
	struct profile profile;     /* as it was recorded */
	struct profile linked; /* the profile with the addresses for which the image is linked */
	/*
	 * own_program; after session_symbolize() a program that also has symbols of all code on
	 * stacks, and of inlined functions
	 */
	const struct program *program;
	/*
	 * `linked`; after session_symbolize() a profile with the addresses of
	 * program->address_space, including the requested data of libraries
	 */
	const struct profile *rebased;
	/* session_symbolize() fills in: */
	/*
	 * The call stacks that times are from, with the user's choice of them; program->symtab has
	 * symbols for all their code. NULL: times are from samples and calls.
	 */
	const struct stacks_choice *stacks;
	const struct symbolized_stacks *uninlined; /* the same stacks without inlined functions */
	/* for each module, its symbols; NULL: no functions of modules are shown */
	const struct module_code *code;
	struct bitset threads; /* the threads that were asked for, by index in the recording */
	struct clock clock;    /* what ticks count */
	const char *range;     /* what reports call the time of these stacks; NULL: the whole run */
	double range_s;        /* its length in seconds */
	/*
	 * session_locate() fills in, one entry for each symbol; locations are set for the wanted
	 * ones:
	 */
	const struct location *locations;
	struct line_table lines; /* filled in by session_locate_with_lines() */
	/* session_analyze() fills in, from `program` and `rebased`: */
	struct analysis analysis;
};

/*
 * Opens the program of `input`, which must outlive the session. Returns 0, or -1 after saying why
 * not.
 */
int session_open(struct session *s, const struct session_input *input, struct arena *mem,
		 struct diag *diag);

/* Reads the program and all data files. Returns 0, or -1 after saying why not. */
int session_read(struct session *s);

/*
 * Whether all data files have call stacks and the program has functions that GNU gprof's table
 * lacks, such as those that compilers split off (.part, .cold).
 */
bool session_has_split_functions(const struct session *s);

/* Reads the program's functions again, after the choice of symbols in *s->input was changed.
 * session_read() must have been called. Returns 0, or -1 after saying why not. */
int session_read_functions(struct session *s);

/*
 * Reads what there is: functions (none of a stripped program), but no source lines; data files only
 * if `has_files`. Returns 0, or -1 after saying why not.
 */
int session_read_some(struct session *s, bool has_files);

/*
 * Returns the profile with the addresses for which the image is linked, in mem. session_open() must
 * have been called.
 */
struct profile session_link_profile(const struct session *s, const struct profile *prof,
				    struct arena *mem);

/* What session_sum_files() adds up. */
struct session_sums {
	const uint32_t *run_of; /* for each data file, the number of its run, or RUN_NONE; NULL: its
				   own index */
	bool ticks, calls;
	bool same_rate;   /* ticks are converted to the sampling rate of the session's profile */
	bool *is_foreign; /* for each data file, gets run_sums_is_foreign(); may be NULL */
};

/*
 * Reads the data files of a session again, one by one, in threads, and adds each to `sums`, for the
 * functions that `sel` credits in the flat profile. Takes memory of sums->mem for the sums, and in
 * each thread memory for one file. Returns 0, or -1 after saying to diag that a file is a pipe, or
 * has changed.
 */
int session_sum_files(struct session *s, struct run_sums *sums, const struct selection *sel,
		      const struct session_sums *choice, struct diag *diag);

/*
 * Whether another input of the same program asks for the symbols and calls that the session has
 * read.
 */
bool session_has_read(const struct session *s, const struct session_input *input);

/*
 * Makes a second session with the image and data files of `first`, and a program as `input` asks
 * for, which must outlive it. Reads the image again only if `input` asks for other symbols. The
 * second session lives in the memory of the first: it must not be closed, nor used after the first
 * was closed. Returns 0, or -1 after saying why not. session_read(first) must have been called.
 */
int session_read_beside(struct session *s, const struct session *first,
			const struct session_input *input, struct diag *diag);

/*
 * Finds the functions on call stacks, if all data files have stacks and neither the input nor
 * `estimated` declines them; session_analyze() then takes all times from the stacks. Notes if only
 * some files have stacks. Returns 0, or -1 after saying that the input demands stacks and there are
 * none, or that there is no such thread.
 */
int session_symbolize(struct session *s, bool estimated);

/* Looks up the locations of the symbols in `wanted`; NULL: of all symbols. */
void session_locate(struct session *s, const struct bitset *wanted);

/*
 * Returns, in s->mem, the lines of the code at the addresses: of the program and, with `modules`,
 * of its libraries; with `callers`, inlined code has those. Sorts the addresses.
 */
struct line_table session_read_lines(const struct session *s, address_list *pcs, bool callers,
				     bool modules);

/* Does the same with callers; includes libraries if they have locations. */
struct line_table session_lines(const struct session *s, address_list *pcs);

/*
 * Does what session_locate() does, and sets s->lines to the lines of the code of those symbols and
 * at the addresses, which it sorts. Debug information is read only once.
 */
void session_locate_with_lines(struct session *s, const struct bitset *wanted, address_list *pcs);

/* Runs the passes, for a set of needs of model/needs.h. Messages go to diag. */
void session_analyze(struct session *s, const struct analysis_options *opt, unsigned needs,
		     struct diag *diag);

/* Returns how many runs the data are of: recordings of processes, if times are from call stacks;
 * else data files. */
uint32_t session_count_runs(struct session *s);

/*
 * Returns trees of the session's call stacks, with the options of its analysis, in s->mem; NULL if
 * times are not from call stacks. Without `inlined`, inlined functions are not in the trees even if
 * the user asked for them.
 */
const struct call_trees *session_trees(const struct session *s, const struct analysis_options *opt,
				       enum trees_parts parts, bool inlined);

/* Both add to ids the files that were read: the program and lists beside it, and the data files. */
void session_inputs(const struct session *s, file_ids *ids);
void session_profiles(const struct session *s, file_ids *ids);

/*
 * Returns, in mem, the texts of the source files in a report: one for each file of the analysis.
 * `zeros` says whether the report has files without calls; if `sums` is not NULL, files with lines
 * in it are included, too. Files that are not in the report, or that source_read() does not show,
 * have no bytes. Adds to ids the files that were read.
 */
const struct source_text *session_sources(const struct session *s, bool zeros,
					  const struct line_sums *sums, file_ids *ids);

/*
 * Returns, in mem, the program's own samples by source line, in the functions of a set, such as
 * analysis.selection.flat; nothing if no line is known. s->locations must have all functions. Reads
 * the line tables of units with samples.
 */
struct line_sums session_line_sums(const struct session *s, struct bitset credited);

/*
 * Returns how many ticks are in inlined functions and, by call stacks, in what these call; reads
 * the debug information of code with samples. session_symbolize() must have been called, and
 * symbols must not be source lines.
 */
struct inlined_share session_inlined_share(const struct session *s);

/* Closes the image. The session's values must not be used after that. */
void session_close(struct session *s);

#endif
