/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times are from call stacks, which are in the session, or else from the data files, which are read
 * once more, as calls are in any case: a sum does not tell whose they are.
 */
#include "config.h"

#include "run/command/ranks.h"

#include "analysis/confidence.h"
#include "analysis/ranks/ranks.h"
#include "base/path.h"
#include "base/radix.h"
#include "io/profile/visit.h"
#include "model/needs.h"
#include "run/command/steps.h"
#include "run/line/rankkeys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { THREAD_BYTES = 16 };

struct ranks_run {
	const struct session *s;
	const struct options *opt;
	struct ranks_request request;
	struct diag *notes; /* which files are no ranks */
	bool calls;
	bool has_waiting;            /* is added to CPU time */
	const struct bitset *wanted; /* symbols whose cells are to be kept, or NULL */
	struct rank *rank;
	uint32_t n;
	double *total;             /* of each rank */
	const uint32_t *of_thread; /* with call stacks: its rank */
	uint32_t *of_file;         /* its rank; UINT32_MAX: none */
	bool *is_foreign;          /* the same, as it turned out: a sum, or of another program */
	struct rank_count count;   /* of all */
};

static uint32_t ranks_nsyms(const struct ranks_run *r)
{
	return r->s->program->symtab.nsyms;
}

int ranks_check(const struct session *s, const struct ranks_request *request, struct diag *diag)
{
	const char *what = request->threads ? "--ranks=threads" : "--ranks=inclusive";

	if ((request->threads || request->inclusive) && s->input->estimated) {
		diag_error(diag, "%s and --estimated cannot be combined", what);
		return -1;
	}
	if ((request->threads || request->inclusive) &&
	    needs_check(NEEDS_MEASURED, what, &s->profile, diag) < 0)
		return -1;
	if (request->threads && s->profile.recorded.threads.n < 2) {
		diag_error(diag, "--ranks=threads needs two or more threads");
		return -1;
	}
	if (!request->threads && s->profile.files.n < 2) {
		diag_error(diag, "--ranks needs two or more profiles");
		return -1;
	}
	if (s->input->objects && (s->input->estimated || s->profile.recorded.nfiles == 0 ||
				  s->profile.recorded.nlack > 0)) {
		diag_error(diag, "--ranks needs call stacks for --objects: GMON=stacks records "
				 "them");
		return -1;
	}
	return 0;
}

bool ranks_can_read_again(const struct session *s)
{
	for (size_t i = 0; i < s->profile.files.n; i++) {
		const char *name = s->profile.files.at[i].name;
		struct stat st;

		if (strcmp(name, "-") == 0 || stat(name, &st) < 0 || !S_ISREG(st.st_mode))
			return false;
	}
	return true;
}

/* Whether no two files have the same last part of the path. */
static bool ranks_has_bases(const struct profile *prof, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t n = prof->files.n;
	const char **base = arena_array(&scratch, const char *, n);
	uint32_t *order = arena_array(&scratch, uint32_t, n);
	bool distinct = true;

	for (uint32_t i = 0; i < n; i++) {
		base[i] = path_base(prof->files.at[i].name);
		order[i] = i;
	}
	sort_by_name(order, n, (struct name_column){ base, sizeof(*base) }, &scratch);
	for (size_t i = 1; i < n && distinct; i++)
		distinct = strcmp(base[order[i - 1]], base[order[i]]) != 0;
	arena_free(&scratch);
	return distinct;
}

static struct rank ranks_of_file(const struct ranks_run *r, size_t file, bool bases)
{
	const char *name = r->s->profile.files.at[file].name;
	struct rank rank = { .label = NULL };

	if (!r->request.pattern || !rankkeys_match(&rank, r->request.pattern, name, r->s->mem))
		rank.label = bases ? path_base(name) : name;
	return rank;
}

/* What tells that a file is a sum: the call stacks of several recordings beside it or, as without
 * any there is nothing else, its name. NULL: nothing. */
static const char *ranks_sign_of_sum(const struct profile_file *file)
{
	static const char suffix[] = ".sum";
	size_t n = strlen(file->name), nsuffix = sizeof(suffix) - 1;

	if (file->stacks.nrecordings + file->stacks.nlack > 1)
		return "call stacks tell";
	if (n > nsuffix && strcmp(file->name + n - nsuffix, suffix) == 0)
		return "name tells";
	return NULL;
}

/* A sum of the others, which "prof.*" names with them, is no rank; if all are sums, they are. */
static void ranks_leave_out_sums(struct ranks_run *r)
{
	const struct profile *prof = &r->s->profile;
	const char *sign = NULL, *name = NULL;
	size_t nsums = 0;

	for (size_t i = prof->files.n; i-- > 0;) {
		const char *found = ranks_sign_of_sum(&prof->files.at[i]);

		r->is_foreign[i] = found;
		if (!found)
			continue;
		sign = found;
		name = prof->files.at[i].name;
		nsums++;
	}
	if (nsums == prof->files.n)
		memset(r->is_foreign, 0, nsums * sizeof(*r->is_foreign));
	else if (nsums > 0)
		diag_note(r->notes, "%s: no rank: it is a sum, as its %s%s", name, sign,
			  nsums > 1 ? "; and others like it" : "");
}

/* What was not recorded is not 0. */
static void ranks_leave_out_unclocked(struct ranks_run *r)
{
	const struct session *s = r->s;
	size_t n = 0, first = 0;

	for (size_t i = s->profile.files.n; i-- > 0;) {
		if (r->is_foreign[i] || s->profile.files.at[i].stacks.nkinds > 1)
			continue;
		r->is_foreign[i] = true;
		first = i;
		n++;
	}
	if (n > 0)
		diag_warn(r->notes, "%s: no rank: it has CPU time alone%s",
			  s->profile.files.at[first].name, n > 1 ? "; and others like it" : "");
}

/* Those that are none have no number. */
static void ranks_number_files(struct ranks_run *r)
{
	const struct profile *prof = &r->s->profile;
	bool bases = ranks_has_bases(prof, r->s->mem);

	r->n = 0;
	for (size_t i = 0; i < prof->files.n; i++) {
		r->of_file[i] = r->is_foreign[i] ? UINT32_MAX : r->n;
		if (!r->is_foreign[i])
			r->rank[r->n++] = ranks_of_file(r, i, bases);
	}
}

/* "name (number)", and the file if there are several. */
static const char *ranks_thread_label(const struct ranks_run *r,
				      const struct recorded_thread *thread, const char *file)
{
	size_t size = strlen(thread->name) + strlen(file) + 2 * (size_t)THREAD_BYTES;
	char *label = arena_array(r->s->mem, char, size);

	snprintf(label, size, "%s (%" PRIu32 ")%s%s", thread->name, thread->tid,
		 r->s->profile.files.n > 1 ? " of " : "", r->s->profile.files.n > 1 ? file : "");
	return label;
}

/* The file that each recording is from. */
static uint32_t *ranks_recordings(const struct session *s)
{
	const struct profile *prof = &s->profile;
	uint32_t *file = arena_array(s->mem, uint32_t, (size_t)prof->recorded.nfiles + 1), n = 0;

	for (uint32_t i = 0; i < prof->files.n; i++) {
		for (uint32_t k = 0; k < prof->files.at[i].stacks.nrecordings; k++) {
			if (n < prof->recorded.nfiles)
				file[n++] = i;
		}
	}
	return file;
}

/* The rank of each thread; of threads that are ranks, makes these, but of those without any time.
 */
static uint32_t *ranks_of_threads(struct ranks_run *r)
{
	const struct session *s = r->s;
	const struct recorded *recorded = &s->located.recorded;
	uint32_t *of = arena_array(s->mem, uint32_t, recorded->threads.n);
	const uint32_t *file = ranks_recordings(s);
	const uint64_t *ticks = s->analysis.costs.origin.of_thread;
	const uint64_t *waits = s->analysis.costs.waits.of_thread;

	if (r->request.threads)
		r->rank = arena_array(s->mem, struct rank, recorded->threads.n);
	for (uint32_t i = 0; i < recorded->threads.n; i++) {
		const struct recorded_thread *thread = &recorded->threads.at[i];
		uint32_t of_file = file[thread->recording];
		bool chosen = !r->is_foreign[of_file] &&
			      (!s->input->thread || bitset_has(s->threads, i)) &&
			      (!r->request.threads || ticks[i] > 0 || (waits && waits[i] > 0) ||
			       thread->cpu_ns > 0);

		of[i] = chosen ? r->of_file[of_file] : UINT32_MAX;
		if (!chosen || !r->request.threads)
			continue;
		r->rank[r->n] = ranks_of_file(r, of_file, ranks_has_bases(&s->profile, s->mem));
		r->rank[r->n].label = ranks_thread_label(r, thread, r->rank[r->n].label);
		of[i] = r->n++;
	}
	return of;
}

/* Of a thread that reads files. */
struct ranks_reader {
	const struct ranks_run *r;
	struct rank_count count;
	uint64_t shift;
};

static void *ranks_begin_reader(struct arena *mem, void *arg)
{
	const struct ranks_run *r = arg;
	struct ranks_reader *reader = arena_array(mem, struct ranks_reader, 1);

	reader->r = r;
	reader->shift = session_shift(r->s);
	reader->count = rankcount_begin(ranks_nsyms(r), r->total, r->wanted, mem);
	return reader;
}

static uint64_t ranks_move(uint64_t pc, const void *by)
{
	return pc - *(const uint64_t *)by;
}

static void ranks_read(const struct profile *one, uint32_t file, void *state)
{
	struct ranks_reader *reader = state;
	const struct ranks_run *r = reader->r;
	const struct session *s = r->s;
	const struct selection *sel = &s->analysis.selection;
	struct arena scratch = arena_scratch(reader->count.mem);
	uint32_t all = s->profile.unit.rate, own = one->unit.rate;
	struct profile moved = *one;

	if (r->of_file[file] == UINT32_MAX)
		return;
	if (reader->shift != 0)
		moved = profile_map(one, ranks_move, &reader->shift, &scratch);
	if (!s->has_stacks)
		rankcount_add_bins(&reader->count, &moved, &s->program->symtab, sel->flat,
				   all > 0 && own > 0 ? (double)all / own : 1.0);
	if (r->calls)
		rankcount_add_arcs(&reader->count, &moved, &s->program->symtab, sel);
	r->is_foreign[file] = rankcount_is_foreign(&reader->count);
	rankcount_end_rank(&reader->count, r->of_file[file]);
	arena_free(&scratch);
}

static void ranks_end_reader(void *state, void *arg)
{
	const struct ranks_reader *reader = state;
	struct ranks_run *r = arg;

	rankcount_join(&r->count, &reader->count);
}

/* Counts what only the files tell; twice if some of them turn out to be no ranks. */
static int ranks_read_files(struct ranks_run *r)
{
	const struct session *s = r->s;
	const struct visitor visitor = { ranks_begin_reader, ranks_read, ranks_end_reader, r,
					 !r->calls };
	struct rank_count before = r->count;
	uint32_t nforeign = 0, nfiles = (uint32_t)s->profile.files.n, first = 0;

	if (visit_files(&s->profile, s->input->format, &visitor, s->mem, s->diag) < 0)
		return -1;
	for (uint32_t i = nfiles; i-- > 0 && !s->has_stacks;) {
		if (r->is_foreign[i] && r->of_file[i] != UINT32_MAX) {
			first = i;
			nforeign++;
		}
	}
	if (nforeign == 0)
		return 0;
	diag_warn(r->notes, "%s: no rank: no address in it is in a function of %s%s",
		  s->profile.files.at[first].name, s->program->path,
		  nforeign > 1 ? "; and others like it" : "");
	ranks_number_files(r);
	if (r->n < 2) {
		diag_error(s->diag, "--ranks needs two or more profiles of %s", s->program->path);
		return -1;
	}
	memset(r->total, 0, nfiles * sizeof(*r->total));
	r->count = before;
	r->count.sum = rankcount_begin(ranks_nsyms(r), r->total, NULL, s->mem).sum;
	return ranks_read_files(r);
}

static const char *const *ranks_names(const struct ranks_run *r)
{
	const struct symtab *symtab = &r->s->program->symtab;
	const char **name = arena_array(r->s->mem, const char *, symtab->nsyms);

	for (sym_id i = 0; i < symtab->nsyms; i++)
		name[i] = demangle(symtab->sym[i].name, report_style(&r->opt->report), r->s->mem);
	return name;
}

static struct ranks *ranks_finish(const struct ranks_run *r)
{
	const struct session *s = r->s;
	const struct analysis *a = &s->analysis;
	struct confidence weights = { 0 };
	struct ranks_input in = { .a = a,
				  .request = &r->request,
				  .shown = r->request.inclusive ? a->selection.inclusive
								: a->selection.flat,
				  .rank = r->rank,
				  .n = r->n,
				  .has_calls = r->calls,
				  .exact = r->has_waiting || analysis_is_exact(a),
				  .has_waiting = r->has_waiting,
				  .per_sample = 1.0 };

	if (!in.exact) {
		confidence_weigh(&weights, a, s->input->thread ? &s->threads : NULL, s->mem);
		in.per_sample = weights.per_sample;
		in.per_sample_told = weights.signals > 0;
	}
	if (r->request.order == RANKS_BY_NAME)
		in.name = ranks_names(r);
	return ranks_make(&in, &r->count, s->mem);
}

static void ranks_walk(struct ranks_run *r)
{
	const struct session *s = r->s;
	struct rankcount_choice choice = { .credited = s->analysis.selection.flat,
					   .inclusive = r->request.inclusive,
					   .clock = s->clock,
					   .of_thread = r->of_thread };

	if (r->has_waiting)
		choice.per_wait = s->profile.unit.rate / s->analysis.costs.waits.rate;
	rankcount_walk(&r->count, s->symbolized, &choice);
}

/* Counts all that the ranks have. */
static int ranks_count_all(struct ranks_run *r)
{
	const struct session *s = r->s;

	memset(r->total, 0, r->n * sizeof(*r->total));
	r->count = rankcount_begin(ranks_nsyms(r), r->total, r->wanted, s->mem);
	if (s->has_stacks)
		ranks_walk(r);
	return s->has_stacks && !r->calls ? 0 : ranks_read_files(r);
}

/* The ranks, and room for what they have. */
static int ranks_begin(struct ranks_run *r)
{
	const struct session *s = r->s;
	size_t nfiles = s->profile.files.n;

	r->rank = arena_array(s->mem, struct rank, nfiles);
	r->of_file = arena_array(s->mem, uint32_t, nfiles);
	r->is_foreign = arena_array(s->mem, bool, nfiles);
	r->total = arena_array(s->mem, double, nfiles + s->profile.recorded.threads.n);
	ranks_leave_out_sums(r);
	if (s->clock.kind != 0 || r->has_waiting)
		ranks_leave_out_unclocked(r);
	if (!r->request.threads)
		ranks_number_files(r);
	if (s->has_stacks)
		r->of_thread = ranks_of_threads(r);
	if (r->n >= 2)
		return 0;
	diag_error(s->diag, r->request.threads
				    ? "--ranks=threads needs two or more threads with time"
				    : "--ranks needs two or more profiles that can be compared");
	return -1;
}

const struct ranks *ranks_gather(const struct session *s, const struct options *opt,
				 enum ranks_cells cells, struct diag *notes)
{
	struct ranks_run r = { .s = s, .opt = opt, .request = opt->ranks, .notes = notes };
	struct ranks *ranks;
	struct bitset wanted;

	r.request.all = r.request.all || cells == RANKS_ALL_CELLS;
	r.calls = (cells == RANKS_ALL_CELLS || r.request.calls) && s->profile.has_arcs &&
		  !r.request.threads;
	r.request.inclusive = (r.request.inclusive || s->input->measured) && s->has_stacks;
	r.has_waiting = s->has_stacks && s->clock.waiting && s->input->clock;
	if (ranks_begin(&r) < 0 || ranks_count_all(&r) < 0)
		return NULL;
	ranks = ranks_finish(&r);
	if (cells == RANKS_NO_CELLS && !r.request.outliers)
		return ranks;
	/* Only now it is known of which functions. */
	wanted = ranks_wanted(ranks, ranks_nsyms(&r), s->mem);
	r.wanted = &wanted;
	if (ranks_count_all(&r) < 0)
		return NULL;
	ranks_add_cells(ranks, &r.count, r.request.outliers, s->mem);
	return ranks;
}

static int ranks_steps(struct steps *steps)
{
	const struct command *c = steps->c;
	struct session *s = &steps->session;
	struct view view;

	if (steps_read(steps) < 0 || ranks_check(s, &c->opt->ranks, c->diag) < 0 ||
	    steps_analyze(steps) < 0)
		return -1;
	steps_locate(steps);
	view = steps_view(steps);
	view.ranks = ranks_gather(s, c->opt, RANKS_NO_CELLS, c->diag);
	if (!view.ranks || steps_write(steps, &view) < 0)
		return -1;
	return steps_end(steps);
}

int ranks_run(const struct command *c)
{
	return steps_run(c, STEPS_ALL_FUNCTIONS, ranks_steps);
}
