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
 * Values refer to one another: do not copy a session. All of it lives in mem but the image.
 */
struct session {
	/* session_open(): */
	const struct session_input *input;
	struct image *image;
	struct limits limits; /* on time and memory, except while data files are read */
	struct arena *mem;
	struct diag *diag;
	/* session_read(), or session_read_some(): */
	struct program own_program;    /* with the symbols of its file */
	struct profile profile;        /* as it was recorded */
	struct profile located;        /* the same, by the addresses that the image is linked for */
	const struct program *program; /* own_program; or from session_symbolize() on the same with
					  symbols of all code on stacks, and of inlined functions */
	const struct profile *rebased; /* located; or from then on the same by the addresses of
					  program->address_space, with what else is wanted of
					  libraries */
	/* session_symbolize(): */
	bool has_stacks; /* times are from call stacks; the program's table has all code on them */
	const struct symbolized_stacks *symbolized; /* of the program; NULL without address_space */
	const struct symbolized_stacks *uninlined;  /* the same without inlined functions */
	const struct module_code *code; /* of each module, if functions of some are shown */
	struct bitset threads;          /* that were asked for, by their places in the recording */
	struct clock clock;             /* what ticks count */
	/* session_locate(): one for each symbol, filled in where it was wanted; NULL before */
	const struct location *locations;
	struct line_table lines; /* session_locate_with_lines() */
	/* session_analyze(): of the program and the located profile */
	struct analysis analysis;
};

/* Opens the program of input, which must outlive the session. 0, or -1 with the reason said. */
int session_open(struct session *s, const struct session_input *input, struct arena *mem,
		 struct diag *diag);

/* Reads the program and all data files. 0, or -1 with the reason said. */
int session_read(struct session *s);

/*
 * Reads what there is: functions, but of a stripped program none, and no source lines; of data
 * files nothing unless `has_files`. 0, or -1 with the reason said.
 */
int session_read_some(struct session *s, bool has_files);

/* The profile by the addresses that the image is linked for, in mem, once the image is open. */
struct profile session_locate_profile(const struct session *s, const struct profile *prof,
				      struct arena *mem);

/* What session_sum_files() adds up. */
struct session_sums {
	const uint32_t *run_of; /* the run of each data file, or RUN_NONE; NULL: its index */
	bool ticks, calls;
	bool same_rate;   /* ticks are converted to the sampling rate of the session's profile */
	bool *is_foreign; /* of each data file: gets run_sums_is_foreign(); or NULL */
};

/*
 * Reads the data files of a session once more, one by one, in threads, and adds each to `sums`, for
 * the functions that `sel` credits in the flat profile. sums->mem grows by what the sums need, and
 * each thread needs room for one file. 0, or -1 with the reason said to diag: a file is a pipe, or
 * has changed.
 */
int session_sum_files(struct session *s, struct run_sums *sums, const struct selection *sel,
		      const struct session_sums *choice, struct diag *diag);

/* Whether the symbols and calls of a session that was read are those that another input of the same
 * program asks for. */
bool session_has_read(const struct session *s, const struct session_input *input);

/*
 * Makes a second session on the image and data files of one that was read, with a program as
 * `input` has it, which must outlive it; the image is read again only if that is another one. It
 * lives in the memory of the first, and is not to be closed, nor used once that is. 0, or -1 with
 * the reason said.
 */
int session_read_beside(struct session *s, const struct session *first,
			const struct session_input *input, struct diag *diag);

/*
 * Where all data files have call stacks, and neither the input nor `estimated` declines them, finds
 * the functions on them, for session_analyze() to take all times from. A note tells if only some
 * have them. 0, or -1 with the reason said if the input demands them, or a thread that there is
 * none of.
 */
int session_symbolize(struct session *s, bool estimated);

/* Looks up the locations of the symbols in `wanted`, or if that is NULL, of all. */
void session_locate(struct session *s, const struct bitset *wanted);

/*
 * The lines, with callers, of the code at the addresses, which it sorts, in s->mem: of the program,
 * and with `modules` of its libraries.
 */
struct line_table session_read_lines(const struct session *s, address_list *pcs, bool modules);

/* The same, of libraries if they have locations. */
struct line_table session_lines(const struct session *s, address_list *pcs);

/*
 * The same as session_locate() and, in s->lines, the lines of the code of those symbols and at the
 * addresses, which it sorts; debug information is read once.
 */
void session_locate_with_lines(struct session *s, const struct bitset *wanted, address_list *pcs);

/* Runs the passes, for `needs` of model/needs.h; their messages go to diag. */
void session_analyze(struct session *s, const struct analysis_options *opt, unsigned needs,
		     struct diag *diag);

/* The call stacks of a session that has them, which the user wants; what is selected is to be
 * filled in by analyze_choose(). */
struct stacks_choice session_choice(const struct session *s);

/*
 * Trees of its call stacks, by the options that it was analysed by, in s->mem; NULL if times are
 * not from call stacks. Without `inlined`, inlined functions are not in them even if they were
 * asked for.
 */
const struct call_trees *session_trees(const struct session *s, const struct analysis_options *opt,
				       enum trees_parts parts, bool inlined);

/* Add to ids the files that are read: the program and lists beside it, or the data files. */
void session_inputs(const struct session *s, file_ids *ids);
void session_profiles(const struct session *s, file_ids *ids);

/*
 * The texts of the source files that a report with or without those of no calls (`zeros`) has, and
 * if `sums` is not NULL, of those with lines in it: one for each file of the analysis, in mem;
 * others, and those that are not shown, of which source_read() tells, have no bytes. Adds to ids
 * what was read.
 */
const struct source_text *session_sources(const struct session *s, bool zeros,
					  const struct line_sums *sums, file_ids *ids);

/*
 * The program's own samples by source line, in the functions of a set, such as
 * analysis.selection.flat, in mem: none if no line is known. s->locations has all functions. It
 * reads the line tables of units with samples.
 */
struct line_sums session_line_sums(const struct session *s, struct bitset credited);

/* How many ticks are in inlined functions: reads the debug information of code with samples. The
 * session was symbolized, without source lines as symbols. */
struct inlined_share session_inlined_share(const struct session *s);

/* Closes the image. No value of the session may be used after that. */
void session_close(struct session *s);

#endif
