/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mutants: runs gprof on randomly damaged programs and profiles, and tells the worst of them.
 *
 *   mutants [-f FIRST] [-n] WHAT COUNT GPROF OUT DIR...
 *
 * Each DIR has a good a.out and gmon.out, and perhaps gmon.out.ext. WHAT, `profiles`, `objects` or
 * `stacks`, says which of them is damaged, and only with the last is there a gmon.out.ext; each
 * mutant depends on its number alone, from FIRST (1) on. It is made in OUT, where gprof runs on it
 * with one of mutant_options. It must end with status 0 (--explain: or 3), or with status 1 and a
 * message, within 2 seconds of the processor and 10 times the input and 64 MB of memory. With -n,
 * time and memory are not judged.
 *
 * A line on stdout tells of each that does not; its files are kept as OUT/NUMBER.a.out and
 * OUT/NUMBER.gmon.out. The last line has the worst. Status 0, or 1 if any did not, or 2 in trouble.
 */
#include "child.h"
#include "mutate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char tool_name[] = "mutants";

enum { MAX_WORDS = 24, LINE = 200, MAX_CHANGES = 4 };
enum {
	MAX_SECONDS = 2,
	KILL_SECONDS = 10,
	KILL_WALL = 60,
	FIXED_KILOBYTES = 64 * 1024,
	FACTOR = 10
};
/* Address space, so that a mutant harms nobody else on the machine. */
#define KILL_BYTES (4ull << 30)

struct pair {
	struct bytes image, profile, stacks;
};

enum target { PROFILES, OBJECTS, STACKS, TARGETS };

static const char *const target_names[TARGETS] = { "profiles", "objects", "stacks" };

struct run {
	const char *gprof, *out, *options;
	bool judges;
};

/* What one gprof did. */
struct outcome {
	int status;
	double seconds;
	long kilobytes;
	off_t message_bytes;
};

struct worst {
	double seconds;
	long kilobytes;
	uint64_t slowest, largest;
	unsigned long status[2], nfaults;
};

static _Noreturn void become(const struct run *run)
{
	char line[LINE], *words[MAX_WORDS + 4] = { NULL };
	int null = open("/dev/null", O_RDWR), err;

	snprintf(line, sizeof(line), "%s", run->options);
	snprintf(line + strlen(line), sizeof(line) - strlen(line), " a.out gmon.out");
	split_words(line, words + 1, MAX_WORDS);
	words[0] = (char *)"gprof";
	if (chdir(run->out) != 0)
		_exit(126);
	err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	dup2(null, 0);
	dup2(null, 1);
	dup2(err, 2);
	child_limit(RLIMIT_CORE, 0);
	child_limit(RLIMIT_CPU, KILL_SECONDS);
	child_limit(RLIMIT_FSIZE, KILL_BYTES);
	if (run->judges)
		child_limit(RLIMIT_AS, KILL_BYTES);
	alarm(KILL_WALL);
	execv(run->gprof, words);
	_exit(126);
}

static struct outcome run_one(const struct run *run)
{
	struct outcome o = { 0 };
	char path[4096];
	struct rusage use;
	struct stat st;
	pid_t pid = fork();

	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid == 0)
		become(run);
	while (wait4(pid, &o.status, 0, &use) < 0)
		if (errno != EINTR)
			die("wait: %s", strerror(errno));
	if (WIFEXITED(o.status) && WEXITSTATUS(o.status) == 126)
		die("cannot run %s in %s", run->gprof, run->out);
	snprintf(path, sizeof(path), "%s/stderr", run->out);
	o.message_bytes = stat(path, &st) == 0 ? st.st_size : 0;
	/* What --explain says of a mutant is that something is wrong with it. */
	if (WIFEXITED(o.status) && WEXITSTATUS(o.status) == 3 && strstr(run->options, "--explain"))
		o.status = 0;
	o.seconds = child_seconds(use.ru_utime) + child_seconds(use.ru_stime);
	o.kilobytes = use.ru_maxrss;
	return o;
}

/* What is wrong with it, in text, which is empty if nothing is. */
static void judge(const struct outcome *o, size_t input, bool judges, char *text, size_t size)
{
	long most = FIXED_KILOBYTES + (long)(FACTOR * input >> 10);

	text[0] = '\0';
	if (WIFSIGNALED(o->status))
		snprintf(text, size, "signal %d after %.2f s", WTERMSIG(o->status), o->seconds);
	else if (WEXITSTATUS(o->status) > 1)
		snprintf(text, size, "status %d", WEXITSTATUS(o->status));
	else if (WEXITSTATUS(o->status) == 1 && o->message_bytes == 0)
		snprintf(text, size, "status 1 without a message");
	else if (judges && o->seconds > MAX_SECONDS)
		snprintf(text, size, "%.2f s", o->seconds);
	else if (judges && o->kilobytes > most)
		snprintf(text, size, "%ld kB for an input of %zu bytes", o->kilobytes, input);
}

static void note_worst(struct worst *w, const struct outcome *o, uint64_t number)
{
	if (o->seconds > w->seconds) {
		w->seconds = o->seconds;
		w->slowest = number;
	}
	if (o->kilobytes > w->kilobytes) {
		w->kilobytes = o->kilobytes;
		w->largest = number;
	}
	if (WIFEXITED(o->status) && WEXITSTATUS(o->status) <= 1)
		w->status[WEXITSTATUS(o->status)]++;
}

static void copy(struct bytes *to, const struct bytes *from)
{
	to->n = 0;
	bytes_add(to, from->data, from->n);
}

static void keep(const struct run *run, const struct pair *p, uint64_t number)
{
	char name[64];

	snprintf(name, sizeof(name), "%llu.a.out", (unsigned long long)number);
	bytes_save(&p->image, run->out, name);
	snprintf(name, sizeof(name), "%llu.gmon.out", (unsigned long long)number);
	bytes_save(&p->profile, run->out, name);
	snprintf(name, sizeof(name), "%llu.gmon.out.ext", (unsigned long long)number);
	if (p->stacks.n)
		bytes_save(&p->stacks, run->out, name);
}

static void damage(struct pair *p, enum target target, struct prng *r)
{
	unsigned width = p->image.n > 4 && p->image.data[4] == 1 ? 4 : 8;

	if (target == OBJECTS)
		mutate_image(&p->image, prng_chance(r, 40), r);
	else if (target == PROFILES)
		mutate_profile(&p->profile, width, r);
	else
		mutate_stacks(&p->stacks, r);
}

/* Makes the mutant of a number, runs it and tells of a fault. */
static void try_one(struct run *run, const struct pair *good, size_t ngood, enum target target,
		    uint64_t number, struct worst *worst)
{
	struct prng r = { number };
	const struct pair *from = &good[prng_below(&r, (uint32_t)ngood)];
	unsigned changes = 1 + prng_below(&r, MAX_CHANGES);
	struct pair p = { 0 };
	struct outcome o;
	char fault[200];

	copy(&p.image, &from->image);
	copy(&p.profile, &from->profile);
	if (target == STACKS)
		copy(&p.stacks, &from->stacks);
	p.profile.big = from->image.n > 5 && from->image.data[5] == 2;
	run->options = mutant_options[prng_below(&r, mutant_noptions)];
	for (unsigned i = 0; i < changes; i++)
		damage(&p, target, &r);
	bytes_save(&p.image, run->out, "a.out");
	bytes_save(&p.profile, run->out, "gmon.out");
	if (target == STACKS)
		bytes_save(&p.stacks, run->out, "gmon.out.ext");
	o = run_one(run);
	note_worst(worst, &o, number);
	judge(&o, p.image.n + p.profile.n + p.stacks.n, run->judges, fault, sizeof(fault));
	if (fault[0]) {
		worst->nfaults++;
		printf("%llu: gprof %s: %s\n", (unsigned long long)number, run->options, fault);
		keep(run, &p, number);
	}
	bytes_free(&p.image);
	bytes_free(&p.profile);
	bytes_free(&p.stacks);
}

static struct pair *load(char **dirs, int n, enum target target)
{
	struct pair *good = xcalloc((size_t)n, sizeof(*good));

	for (int i = 0; i < n; i++) {
		bytes_load(&good[i].image, dirs[i], "a.out");
		bytes_load(&good[i].profile, dirs[i], "gmon.out");
		if (target == STACKS)
			bytes_load(&good[i].stacks, dirs[i], "gmon.out.ext");
	}
	return good;
}

static void unload(struct pair *good, int n)
{
	for (int i = 0; i < n; i++) {
		bytes_free(&good[i].image);
		bytes_free(&good[i].profile);
		bytes_free(&good[i].stacks);
	}
	free(good);
}

int main(int argc, char **argv)
{
	struct run run = { .judges = true };
	struct worst worst = { 0 };
	uint64_t first = 1, count;
	struct pair *good;
	unsigned target = 0;
	int c;

	while ((c = getopt(argc, argv, "+f:n")) != -1) {
		if (c == 'f')
			first = number_of(optarg);
		else if (c == 'n')
			run.judges = false;
		else
			return 2;
	}
	if (argc - optind < 5)
		die("usage: mutants [-f FIRST] [-n] profiles|objects|stacks COUNT GPROF OUT DIR...");
	while (target < TARGETS && strcmp(argv[optind], target_names[target]) != 0)
		target++;
	if (target == TARGETS)
		die("not known: %s", argv[optind]);
	count = number_of(argv[optind + 1]);
	run.gprof = argv[optind + 2];
	run.out = argv[optind + 3];
	good = load(argv + optind + 4, argc - optind - 4, target);
	for (uint64_t i = first; i < first + count; i++)
		try_one(&run, good, (size_t)(argc - optind - 4), target, i, &worst);
	unload(good, argc - optind - 4);
	printf("%llu %s: status 0 %lu times, 1 %lu times, else %lu times; at most %.2f s (%llu), "
	       "%ld kB (%llu)\n",
	       (unsigned long long)count, argv[optind], worst.status[0], worst.status[1],
	       (unsigned long)count - worst.status[0] - worst.status[1], worst.seconds,
	       (unsigned long long)worst.slowest, worst.kilobytes,
	       (unsigned long long)worst.largest);
	return worst.nfaults > 0;
}
