/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What makes two equal programs look different, and what is done about it: a cold start (each has a
 * run before the first pair), a machine that becomes slower or faster (the runs of a pair follow
 * each other), what the first run of a pair leaves for the second (their order is random), many
 * looks at the result (analysis/versus/sequential.h).
 */
#include "config.h"

#include "run/launch/experiment.h"

#include "analysis/versus/pairs.h"
#include "analysis/versus/sequential.h"
#include "base/join.h"
#include "run/launch/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* Recordings beyond this end the experiment. */
static const uint64_t most_memory = (uint64_t)1 << 30;

static const char *const side_name[SIDES] = { [SIDE_BASE] = "old", [SIDE_NEW] = "new" };

struct experimenting {
	struct experiment *e;
	const struct experiment_request *request;
	struct launch_request program[SIDES];
	struct spool_input input;
	int first;   /* the output of the base's first run; -1: outputs are ignored */
	int output;  /* the output of a run */
	int nothing; /* /dev/null */
	bool varies, differs, large;
	pair_array pairs;
	struct sequential looks;
	uint64_t random;
	double begin; /* when the pairs began, in seconds of the clock */
	struct progress *progress;
	struct arena *mem;
	struct diag *diag;
};

static double experiment_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The next bit of the generator xorshift64*: whether the new program is the first of a pair. */
static bool experiment_toss(struct experimenting *x)
{
	x->random ^= x->random >> 12;
	x->random ^= x->random << 25;
	x->random ^= x->random >> 27;
	return x->random * 0x2545f4914f6cdd1du >> 63;
}

static void experiment_seed(struct experimenting *x)
{
	x->random = x->request->seed;
	if (x->random == 0 && getrandom(&x->random, sizeof(x->random), 0) < 0)
		x->random = (uint64_t)getpid();
	x->random |= (uint64_t)1 << 40;
}

/* The words of the base: its own, or with the arguments of the new program. */
static char *const *experiment_words(const struct experiment_request *request, char *const *fresh,
				     struct arena *mem)
{
	size_t n = 0;
	char **words;

	if (request->command[1])
		return request->command;
	while (fresh[n])
		n++;
	words = arena_array(mem, char *, n + 1);
	words[0] = request->command[0];
	for (size_t i = 1; i < n; i++)
		words[i] = fresh[i];
	return words;
}

/* Opens what the runs read and write. 0, or -1 with the reason said. */
static int experiment_open(struct experimenting *x)
{
	x->first = x->output = -1;
	x->nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (x->nothing < 0) {
		diag_error(x->diag, "/dev/null: %s", strerror(errno));
		return -1;
	}
	if (spool_take_input(&x->input, x->diag) < 0)
		return -1;
	if (x->request->ignores)
		return 0;
	x->first = spool_make(x->diag);
	x->output = x->first < 0 ? -1 : spool_make(x->diag);
	return x->output < 0 ? -1 : 0;
}

static void experiment_close(const struct experimenting *x)
{
	const int open[] = { x->nothing, x->input.fd, x->first, x->output };

	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
		if (open[i] >= 0)
			close(open[i]);
	}
}

/* Whether a signal came that ends the experiment; it is taken. */
static bool experiment_is_stopped(void)
{
	const struct timespec now = { 0 };
	sigset_t ending;

	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	return sigtimedwait(&ending, NULL, &now) > 0;
}

/* Compares the output of a run with that of the base's first run. */
static void experiment_compare(struct experimenting *x, enum difference_side k)
{
	struct paired *paired = &x->e->paired;
	struct spool_place place;

	if (x->first < 0 || x->large)
		return;
	if (spool_bytes(x->output) > SPOOL_MOST_OUTPUT)
		x->large = true;
	if ((k == SIDE_NEW && x->differs) || !spool_differs(x->first, x->output, &place))
		return;
	if (k == SIDE_BASE) {
		x->varies = true;
		return;
	}
	x->differs = true;
	paired->answer_at = place.byte;
	paired->answer_line = place.line;
}

/* Runs one side once. 0; or -1 with the reason said, or x->e->launch[k].stopped set. */
static int experiment_run_side(struct experimenting *x, enum difference_side k, bool trial)
{
	struct launch *launch = &x->e->launch[k];
	struct diag silent = diag_silent(NULL);
	bool first = trial && k == SIDE_BASE, ignored = x->first < 0 || x->large;
	int output = ignored ? x->nothing : first ? x->first : x->output;
	struct launch_files files = { .output = output,
				      .errors = trial ? STDERR_FILENO : x->nothing };
	int rc;

	if (!ignored)
		spool_clear(output);
	files.input = spool_open_input(&x->input);
	if (files.input < 0) {
		diag_error(x->diag, "standard input: %s", strerror(errno));
		return -1;
	}
	rc = launch_again(launch, &x->program[k], &files, trial, x->mem, trial ? x->diag : &silent);
	close(files.input);
	launch->stopped |= experiment_is_stopped();
	if (rc == 0 && !launch->stopped && !first)
		experiment_compare(x, k);
	return launch->stopped ? -1 : rc;
}

/* How a program ended, as a text in mem. */
static const char *experiment_ending(const struct experimenting *x, enum difference_side k)
{
	const struct launch *launch = &x->e->launch[k];
	char number[40];

	if (launch->status > LAUNCH_SIGNALED)
		return JOIN(x->mem, "was ended by a signal (",
			    strsignal(launch->status - LAUNCH_SIGNALED), ")");
	snprintf(number, sizeof(number), "%d", launch->status);
	return JOIN(x->mem, "exits with status ", number);
}

/* The first run of each. 0, or -1 with the reason said and *status set. */
static int experiment_warm_up(struct experimenting *x, int *status)
{
	struct paired *paired = &x->e->paired;

	for (int k = 0; k < SIDES; k++) {
		struct launch *launch = &x->e->launch[k];
		int rc = experiment_run_side(x, (enum difference_side)k, true);

		*status = launch->status > 0 && !launch->stopped ? launch->status : EXIT_FAILURE;
		if (launch->stopped)
			diag_error(x->diag, "stopped before the first pair");
		else if (rc == 0 && launch->status > LAUNCH_SIGNALED)
			diag_error(x->diag, "%s: the %s program %s in its first run",
				   x->program[k].command[0], side_name[k],
				   experiment_ending(x, (enum difference_side)k));
		if (rc < 0 || launch->status > LAUNCH_SIGNALED)
			return -1;
		paired->status[k] = launch->status;
	}
	if (x->first >= 0)
		paired->answer_bytes = spool_bytes(x->first);
	return 0;
}

/* Runs one pair. 0; or -1 with the reason in paired->ending, and without that pair. */
static int experiment_run_pair(struct experimenting *x)
{
	struct paired *paired = &x->e->paired;
	struct pair pair;
	bool turned = experiment_toss(x);
	int done = 0;

	for (; done < SIDES; done++) {
		enum difference_side k = done ^ turned ? SIDE_NEW : SIDE_BASE;
		struct launch *launch = &x->e->launch[k];
		uint32_t before = launch->recordings.nruns;
		int rc = experiment_run_side(x, k, false);

		if (rc == 0 && launch->status == paired->status[k]) {
			pair.seconds[k][PAIRED_ELAPSED] = (double)launch->elapsed_ns / 1e9;
			pair.seconds[k][PAIRED_CPU] = (double)launch->used_ns / 1e9;
			continue;
		}
		paired->ending = launch->stopped ? PAIRED_INTERRUPTED : PAIRED_FAILED;
		if (rc == 0)
			paired->failure = JOIN(x->mem, "the ", side_name[k], " program ",
					       experiment_ending(x, k));
		else if (!launch->stopped)
			paired->failure = JOIN(x->mem, "the ", side_name[k],
					       " program could not be run again");
		if (launch->recordings.nruns > before)
			recordings_drop_run(&launch->recordings);
		if (done == 1)
			recordings_drop_run(
				&x->e->launch[k == SIDE_NEW ? SIDE_BASE : SIDE_NEW].recordings);
		return -1;
	}
	array_push(x->mem, &x->pairs) = pair;
	return 0;
}

/* How much of what was planned is done, from 0 to 1. */
static double experiment_fraction(const struct experimenting *x)
{
	const struct experiment_request *request = x->request;
	double n = (double)x->pairs.n, spent = experiment_now() - x->begin;
	double fraction = request->runs > 0 ? n / request->runs : n / EXPERIMENT_MOST_PAIRS;

	/* The next pair must fit. */
	if (request->seconds > 0.0)
		fraction = fmax(fraction, spent * (1.0 + 1.0 / n) > request->seconds
						  ? 1.0
						  : spent / request->seconds);
	return fmin(fraction, 1.0);
}

static bool experiment_is_full(const struct experimenting *x)
{
	return windows_memory(&x->e->launch[SIDE_BASE].recordings.windows) +
		       windows_memory(&x->e->launch[SIDE_NEW].recordings.windows) >
	       most_memory;
}

/* Looks at the pairs; `fraction` as in sequential_look(). */
static void experiment_look(struct experimenting *x, double fraction)
{
	struct paired *paired = &x->e->paired;
	double nominal = sequential_look(&x->looks, (double)x->pairs.n, fraction);

	paired->npairs = (uint32_t)x->pairs.n;
	paired->pair = x->pairs.at;
	if (nominal > 0.0)
		paired->nominal = nominal;
	for (int i = 0; i < PAIRED_COSTS; i++)
		paired->total[i] = pairs_compare(x->pairs.at, paired->npairs, (enum paired_cost)i,
						 paired->nominal);
}

/* Whether more pairs would not change the answer to the user's question. */
static bool experiment_is_settled(const struct experimenting *x)
{
	const struct paired *paired = &x->e->paired;
	bool limited = x->request->limits.n > 0, below = limited;
	double most = HUGE_VAL;

	for (size_t i = 0; i < x->request->limits.n; i++) {
		if (x->request->limits.at[i].function)
			return false;
		most = fmin(most, 1.0 + x->request->limits.at[i].percent / 100.0);
	}
	for (int i = 0; i < PAIRED_COSTS; i++) {
		const struct paired_total *total = &paired->total[i];

		if (!total->tested)
			continue;
		if (limited ? total->low > most : total->verdict != VERDICT_NOISE)
			return true;
		below = below && total->high < most;
	}
	return below && paired->total[PAIRED_ELAPSED].tested;
}

static void experiment_show(const struct experimenting *x)
{
	progress_at(x->progress, x->pairs.n);
	if (x->progress)
		progress_show(x->progress);
}

/* The line is erased: what follows writes to the terminal. */
static void experiment_hide(const struct experimenting *x)
{
	if (x->progress)
		progress_erase(x->progress);
}

static void experiment_run_pairs(struct experimenting *x)
{
	struct paired *paired = &x->e->paired;
	double fraction = 0.0;

	x->begin = experiment_now();
	progress_count(x->progress, "run", "pairs", x->request->runs);
	while (fraction < 1.0 && experiment_run_pair(x) == 0) {
		experiment_show(x);
		fraction = experiment_fraction(x);
		paired->ending =
			fraction < 1.0 || x->pairs.n == x->request->runs ? PAIRED_ALL : PAIRED_TIME;
		if (fraction < 1.0 && experiment_is_full(x)) {
			paired->ending = PAIRED_FULL;
			break;
		}
		if (fraction < 1.0 && pairs_is_look((uint32_t)x->pairs.n)) {
			experiment_look(x, fraction);
			if (paired->nominal > 0.0 && experiment_is_settled(x)) {
				paired->ending = PAIRED_SETTLED;
				experiment_hide(x);
				return;
			}
		}
	}
	experiment_hide(x);
	experiment_look(x, 1.0);
}

/* Sets what would be found with as many pairs, and with four times as many. */
static void experiment_detectable(struct experimenting *x)
{
	struct paired *paired = &x->e->paired;
	const struct paired_total *total = &paired->total[PAIRED_ELAPSED];

	if (!total->tested)
		return;
	paired->detectable = pairs_detectable(total->deviation, paired->npairs, paired->nominal);
	if (paired->total[PAIRED_CPU].tested)
		paired->detectable_cpu = pairs_detectable(paired->total[PAIRED_CPU].deviation,
							  paired->npairs, paired->nominal);
	paired->more_pairs = 4 * paired->npairs;
	paired->more_detectable =
		pairs_detectable(total->deviation, paired->more_pairs, x->looks.alpha);
}

static enum paired_answer experiment_answer(const struct experimenting *x)
{
	const int *status = x->e->paired.status;

	if (status[SIDE_BASE] != status[SIDE_NEW])
		return PAIRED_ANSWER_OTHER;
	return x->first < 0 ? PAIRED_ANSWER_IGNORED
	       : x->varies  ? PAIRED_ANSWER_VARIES
	       : x->differs ? PAIRED_ANSWER_OTHER
	       : x->large   ? PAIRED_ANSWER_LARGE
			    : PAIRED_ANSWER_SAME;
}

static int experiment_run_all(struct experimenting *x, int *status)
{
	struct paired *paired = &x->e->paired;

	if (experiment_warm_up(x, status) < 0)
		return -1;
	experiment_run_pairs(x);
	if (paired->npairs == 0) {
		*status = EXIT_FAILURE;
		diag_error(x->diag, "%s before the first pair was complete",
			   paired->failure ? paired->failure : "stopped");
		return -1;
	}
	experiment_detectable(x);
	paired->answer = experiment_answer(x);
	return 0;
}

int experiment_run(struct experiment *e, const struct experiment_request *request,
		   const struct launch_request *fresh, int *status, struct arena *mem,
		   struct diag *diag)
{
	struct experimenting x = { .e = e, .request = request, .mem = mem, .diag = diag };
	sigset_t interrupt, before;
	int rc;

	*e = (struct experiment){ .paired = { .level = request->level } };
	*status = EXIT_FAILURE;
	/* Half of the error probability is for functions, which are tested afterwards. */
	x.looks.alpha = (100.0 - request->level) / 100.0 / 2.0 / PAIRED_COSTS;
	for (int k = 0; k < SIDES; k++)
		x.program[k] = *fresh;
	x.program[SIDE_BASE].command = experiment_words(request, fresh->command, mem);
	for (int k = 0; k < SIDES; k++)
		e->paired.name[k] = x.program[k].command[0];
	experiment_seed(&x);
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	/* Until standard input has been read, SIGINT ends gprof. */
	if (experiment_open(&x) < 0) {
		experiment_close(&x);
		return -1;
	}
	sigprocmask(SIG_BLOCK, &interrupt, &before);
	x.progress = progress_make(diag->program);
	rc = experiment_run_all(&x, status);
	sigprocmask(SIG_SETMASK, &before, NULL);
	experiment_close(&x);
	return rc;
}
