/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare: runs two programs on the same command lines and compares stdout and exit status.
 *
 *   compare [-eu] [-t SECONDS] [-o MAXBYTES] [-M MEGABYTES] [-n K] [-p PREFIX]
 *           OURS THEIRS DIR < CASES
 *
 * CASES has one command line (without the program's name) a line: words separated by blanks,
 * single quotes group, '#' at the start of a word begins a comment, blank lines are skipped.
 * Both programs run at once in DIR with argv[0] "gprof", no input, and LC_ALL=C. Each case is one
 * TAP line, numbered from K+1, described by PREFIX and the command line; no plan is printed.
 *
 *   -e  a run of OURS that ends with status 1 must have written exactly one line to stderr
 *   -u  repeated lines count once, and one line that is only in OURS not at all
 *   -t  limit of time for each run (default 20)        -o  limit of output (default 64 MiB)
 *   -M  limit of OURS' address space; none by default because sanitizers need it unlimited
 *
 * A case fails if OURS is killed, even by a limit. If only THEIRS is killed, the case passes with a
 * note. The exit status is 0 when all cases were run, whatever they showed, and 2 on misuse.
 */
#include "bytes.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char tool_name[] = "compare";

enum { MAX_WORDS = 256 };

/* One of the two programs: out and err are unlinked files, used again for each case. */
struct side {
	char *program;
	uint64_t max_memory; /* 0: no limit */
	int out, err;
	pid_t pid;
	int status;
};

struct settings {
	const char *dir, *prefix;
	unsigned seconds;
	uint64_t max_bytes;
	bool one_line_errors, unique;
	long number;
};

struct text {
	const char *data;
	size_t n;
};

static _Noreturn void become(const struct side *s, const struct settings *set, char **argv)
{
	int null = open("/dev/null", O_RDONLY);

	signal(SIGALRM, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	child_limit(RLIMIT_CORE, 0);
	child_limit(RLIMIT_FSIZE, set->max_bytes);
	if (s->max_memory)
		child_limit(RLIMIT_AS, s->max_memory);
	if (chdir(set->dir) == 0 && dup2(null, 0) == 0 && dup2(s->out, 1) == 1 &&
	    dup2(s->err, 2) == 2) {
		alarm(set->seconds);
		execvp(s->program, argv);
	}
	_exit(CHILD_CANNOT_RUN);
}

static void start(struct side *s, const struct settings *set, char **argv)
{
	if (ftruncate(s->out, 0) != 0 || ftruncate(s->err, 0) != 0)
		die("scratch file: %s", strerror(errno));
	lseek(s->out, 0, SEEK_SET);
	lseek(s->err, 0, SEEK_SET);
	s->pid = fork();
	if (s->pid < 0)
		die("fork: %s", strerror(errno));
	if (s->pid == 0)
		become(s, set, argv);
}

static void finish(struct side *s)
{
	while (waitpid(s->pid, &s->status, 0) < 0)
		if (errno != EINTR)
			die("wait: %s", strerror(errno));
}

static struct text map_file(int fd)
{
	struct text t = { "", 0 };
	struct stat st;

	if (fstat(fd, &st) != 0)
		die("scratch file: %s", strerror(errno));
	if (st.st_size > 0) {
		t.n = (size_t)st.st_size;
		t.data = mmap(NULL, t.n, PROT_READ, MAP_SHARED, fd, 0);
		if (t.data == MAP_FAILED)
			die("scratch file: %s", strerror(errno));
	}
	return t;
}

static void unmap(struct text t)
{
	if (t.n)
		munmap((void *)(uintptr_t)t.data, t.n);
}

static void print_status(const char *who, const struct side *s, const struct settings *set)
{
	if (WIFSIGNALED(s->status) && WTERMSIG(s->status) == SIGALRM)
		printf("# %s: more than %u seconds\n", who, set->seconds);
	else if (WIFSIGNALED(s->status) && WTERMSIG(s->status) == SIGXFSZ)
		printf("# %s: more than %llu bytes\n", who, (unsigned long long)set->max_bytes);
	else if (WIFSIGNALED(s->status))
		printf("# %s: signal %d\n", who, WTERMSIG(s->status));
	else if (WEXITSTATUS(s->status) == CHILD_CANNOT_RUN)
		printf("# %s: cannot be run\n", who);
	else
		printf("# %s: exit status %d\n", who, WEXITSTATUS(s->status));
}

/* Prints the line of t that contains offset `at`, with blanks made visible at its end. */
static void print_line_at(const char *who, struct text t, size_t at)
{
	size_t from = at < t.n ? at : t.n, to;

	while (from > 0 && t.data[from - 1] != '\n')
		from--;
	for (to = from; to < t.n && t.data[to] != '\n' && to - from < 400; to++)
		;
	printf("# %s: |", who);
	for (size_t i = from; i < to; i++) {
		unsigned char c = (unsigned char)t.data[i];

		if (c < 0x20 || c > 0x7e)
			printf("\\x%02x", c);
		else
			putchar(c);
	}
	printf(to == t.n ? "| (end)\n" : "|\n");
}

static void print_text(const char *who, struct text t)
{
	size_t shown = 0;

	for (size_t at = 0; at < t.n && shown < 5; shown++) {
		print_line_at(who, t, at);
		while (at < t.n && t.data[at++] != '\n')
			;
	}
}

static size_t first_difference(struct text a, struct text b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	while (i < n && a.data[i] == b.data[i])
		i++;
	return i;
}

static bool is_one_line(struct text t)
{
	return t.n > 1 && memchr(t.data, '\n', t.n) == t.data + t.n - 1;
}

static bool died(const struct side *s)
{
	return WIFSIGNALED(s->status) || WEXITSTATUS(s->status) == CHILD_CANNOT_RUN;
}

/* What both printed, and in what they differ. */
struct verdict {
	struct text a, b; /* stdout of ours and theirs */
	struct text err;  /* stderr of ours */
	bool ours_died, theirs_died, status, output, errors;
};

static void explain(const struct verdict *v, const struct side *ours, const struct side *theirs,
		    const struct settings *set)
{
	if (v->theirs_died && !v->ours_died)
		printf("# note: theirs was killed, nothing compared\n");
	if (v->ours_died || v->theirs_died || v->status) {
		print_status("ours", ours, set);
		print_status("theirs", theirs, set);
	}
	if (v->output) {
		size_t at = first_difference(v->a, v->b);

		printf("# first difference at byte %zu (sizes %zu and %zu)\n", at, v->a.n, v->b.n);
		print_line_at("ours", v->a, at);
		print_line_at("theirs", v->b, at);
	}
	if (v->errors)
		printf("# stderr of ours is not one line\n");
	if (v->ours_died || v->status || v->errors)
		print_text("stderr", v->err);
}

/* The length of the line at `at`, its newline included. */
static size_t line_length(struct text t, size_t at)
{
	const char *end = memchr(t.data + at, '\n', t.n - at);

	return end ? (size_t)(end - t.data) + 1 - at : t.n - at;
}

/* Whether the line at `at`, n bytes long, is there before. */
static bool is_repeated(struct text t, size_t at, size_t n)
{
	for (size_t i = 0; i < at; i += line_length(t, i)) {
		if (line_length(t, i) == n && memcmp(t.data + i, t.data + at, n) == 0)
			return true;
	}
	return false;
}

/* The first line from `at` on that is not repeated; the end without one. */
static size_t skip_repeated(struct text t, size_t at)
{
	while (at < t.n && is_repeated(t, at, line_length(t, at)))
		at += line_length(t, at);
	return at;
}

/* Whether both have the same lines if repeated ones, and one that only ours has, are left out. */
static bool same_lines(struct text ours, struct text theirs)
{
	size_t i = skip_repeated(ours, 0), j = skip_repeated(theirs, 0);
	int more = 0;

	while (i < ours.n) {
		size_t n = line_length(ours, i);

		if (j < theirs.n && line_length(theirs, j) == n &&
		    memcmp(ours.data + i, theirs.data + j, n) == 0)
			j = skip_repeated(theirs, j + n);
		else
			more++;
		i = skip_repeated(ours, i + n);
	}
	return j >= theirs.n && more <= 1;
}

static void judge(const struct side *ours, const struct side *theirs, struct settings *set,
		  const char *description)
{
	bool failed = WIFEXITED(ours->status) && WEXITSTATUS(ours->status) == 1;
	struct verdict v = {
		.a = map_file(ours->out),
		.b = map_file(theirs->out),
		.err = map_file(ours->err),
		.ours_died = died(ours),
		.theirs_died = died(theirs),
	};
	bool bad;

	v.errors = set->one_line_errors && failed && !is_one_line(v.err);
	if (!v.ours_died && !v.theirs_died) {
		v.status = WEXITSTATUS(ours->status) != WEXITSTATUS(theirs->status);
		v.output = v.a.n != v.b.n || memcmp(v.a.data, v.b.data, v.a.n) != 0;
		v.output = v.output && !(set->unique && same_lines(v.a, v.b));
	}
	bad = v.ours_died || v.status || v.output || v.errors;
	printf("%s %ld - %s", bad ? "not ok" : "ok", ++set->number, set->prefix);
	for (const char *p = description; *p; p++)
		printf(*p == '#' ? "\\%c" : "%c", *p);
	putchar('\n');
	if (bad)
		printf("# command: gprof %s\n", description);
	explain(&v, ours, theirs, set);
	unmap(v.a);
	unmap(v.b);
	unmap(v.err);
}

/* Splits line in place into argv[1..]; cuts a comment off. Returns the number of words. */
static int split(char *line, char **argv, const char *whole)
{
	int n = 0;
	char *to;

	for (;;) {
		bool quoted = false;

		line += strspn(line, " \t\n");
		if (!*line || *line == '#')
			break;
		if (n == MAX_WORDS)
			die("too many words: %s", whole);
		argv[++n] = to = line;
		for (; *line && (quoted || !strchr(" \t\n", *line)); line++) {
			if (*line == '\'')
				quoted = !quoted;
			else
				*to++ = *line;
		}
		if (quoted)
			die("unclosed quote: %s", whole);
		if (*line)
			line++;
		*to = '\0';
	}
	argv[n + 1] = NULL;
	return n;
}

/* The command line as it stands in CASES, without comment and outer blanks. */
static char *description_of(const char *line)
{
	bool quoted = false;
	size_t n = 0;

	line += strspn(line, " \t");
	while (line[n] && line[n] != '\n') {
		if (line[n] == '#' && !quoted && (n == 0 || strchr(" \t", line[n - 1])))
			break;
		if (line[n] == '\'')
			quoted = !quoted;
		n++;
	}
	while (n > 0 && strchr(" \t", line[n - 1]))
		n--;
	return strndup(line, n);
}

static void run_cases(struct side *ours, struct side *theirs, struct settings *set)
{
	char *argv[MAX_WORDS + 2] = { (char[]){ "gprof" } };
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		char *description = description_of(line);

		if (split(line, argv, description) > 0) {
			fflush(stdout);
			start(ours, set, argv);
			start(theirs, set, argv);
			finish(ours);
			finish(theirs);
			judge(ours, theirs, set, description);
		}
		free(description);
	}
	free(line);
}

/* The program's path, good in any directory; a bare name is searched for in PATH. */
static char *resolved(const char *program)
{
	char *path;

	if (!strchr(program, '/'))
		return strdup(program);
	path = realpath(program, NULL);
	if (!path || access(path, X_OK) != 0)
		die("%s: %s", program, strerror(errno));
	return path;
}

static void begin(struct side *s, const char *program)
{
	s->program = resolved(program);
	s->out = child_scratch_file();
	s->err = child_scratch_file();
}

static void end(struct side *s)
{
	free(s->program);
	close(s->out);
	close(s->err);
}

int main(int argc, char **argv)
{
	struct settings set = { .prefix = "", .seconds = 20, .max_bytes = 64 << 20 };
	struct side ours = { 0 }, theirs = { .max_memory = (uint64_t)4 << 30 };
	int c;

	while ((c = getopt(argc, argv, "eM:n:o:p:t:u")) != -1) {
		switch (c) {
		case 'e':
			set.one_line_errors = true;
			break;
		case 'M':
			ours.max_memory = number_of(optarg) << 20;
			break;
		case 'n':
			set.number = (long)number_of(optarg);
			break;
		case 'o':
			set.max_bytes = number_of(optarg);
			break;
		case 'p':
			set.prefix = optarg;
			break;
		case 't':
			set.seconds = (unsigned)number_of(optarg);
			break;
		case 'u':
			set.unique = true;
			break;
		default:
			return 2;
		}
	}
	if (argc - optind != 3)
		die("usage: compare [-eu] [-t SECONDS] [-o MAXBYTES] [-M MEGABYTES] [-n K] [-p PREFIX] "
		    "OURS THEIRS DIR < CASES");
	begin(&ours, argv[optind]);
	begin(&theirs, argv[optind + 1]);
	set.dir = argv[optind + 2];
	if (access(set.dir, X_OK) != 0)
		die("%s: %s", set.dir, strerror(errno));
	setenv("LC_ALL", "C", 1);
	unsetenv("GPROF_PATH");
	run_cases(&ours, &theirs, &set);
	end(&ours);
	end(&theirs);
	return fflush(stdout) == 0 ? 0 : 2;
}
