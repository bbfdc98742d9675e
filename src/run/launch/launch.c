/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's environment has the library in LD_PRELOAD, before the user's libraries, and its
 * keys in GMON, after the user's. The library removes both again, so that the program's children
 * see the user's environment.
 */
#include "config.h"

#include "run/launch/launch.h"

#include "base/join.h"
#include "run/launch/runnable.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* Data of a launch until it has ended. */
struct launching {
	struct arena *mem;
	struct diag *diag;
	const char *library; /* path of libgmon.so */
	const char *passed;  /* the user's keys for GMON, with a comma before each */
	const char *keep;    /* the file or directory in which to keep recordings, or NULL */
	const struct launch_files *files; /* of launch_again(); NULL: gprof's own */
	struct runnable program;
};

/* Finds the library beside this executable, as in a build directory, or where it is installed. */
static int launch_find_library(struct launching *l)
{
	static const char *const places[] = { "/libgmon.so", "/../lib/libgmon.so" };
	char own[PATH_BYTES];
	ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);
	char *slash;

	own[n > 0 ? n : 0] = '\0';
	slash = strrchr(own, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; slash && i < sizeof(places) / sizeof(places[0]); i++) {
		l->library = JOIN(l->mem, own, places[i]);
		if (access(l->library, R_OK) == 0)
			return 0;
	}
	l->library = LIBDIR "/libgmon.so";
	if (access(l->library, R_OK) == 0)
		return 0;
	diag_error(l->diag, "--run needs libgmon.so, which is neither in %s nor in %s", own,
		   LIBDIR);
	return -1;
}

/*
 * Returns NAME=FIRST SEPARATOR SECOND without blanks; without the separator if a part is empty or
 * NULL.
 */
static char *launch_join(const char *name, const char *first, const char *separator,
			 const char *second, struct arena *mem)
{
	bool both = first && *first && second && *second;

	return JOIN(mem, name, first ? first : "", both ? separator : "", second ? second : "");
}

static bool launch_is_ours(const char *entry)
{
	static const char *const names[] = { "LD_PRELOAD=", "ASAN_OPTIONS=", "GMON=" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strncmp(entry, names[i], strlen(names[i])) == 0)
			return true;
	}
	return false;
}

/* Whether the program writes kept files itself, on a signal. */
static bool launch_dumps(const struct launching *l)
{
	return l->keep && strstr(l->passed, ",dump=");
}

/* Returns the user's environment with the variables that the runtime needs. */
static char **launch_environment(const struct launch *launch, const struct launching *l)
{
	const char *kept =
		launch_dumps(l)
			? JOIN(l->mem, ",file=", recordings_pattern(&launch->recordings, l->mem))
			: "";
	char which[64] = ",children", **made;
	size_t n = 0, to = 0;

	while (environ[n])
		n++;
	made = arena_array(l->mem, char *, n + 4);
	for (size_t i = 0; i < n; i++) {
		if (!launch_is_ours(environ[i]))
			made[to++] = environ[i];
	}
	made[to++] = launch_join("LD_PRELOAD=", l->library, ":", getenv("LD_PRELOAD"), l->mem);
	/* Without this, AddressSanitizer ends programs in which it is not the first library. */
	made[to++] = launch_join("ASAN_OPTIONS=", getenv("ASAN_OPTIONS"), ":",
				 "verify_asan_link_order=0", l->mem);
	if (launch->children == LAUNCH_ALONE)
		snprintf(which, sizeof(which), ",only=%u:%u:%llu", major(l->program.device),
			 minor(l->program.device), (unsigned long long)l->program.inode);
	/* The library takes the keys after "run" for gprof's, not for the user's. */
	made[to++] =
		launch_join("GMON=", getenv("GMON"), ",",
			    JOIN(l->mem, "run", which, ",stacks", l->passed, kept,
				 ",windows=", windows_key(&launch->recordings.windows, l->mem)),
			    l->mem);
	return made;
}

/* For how long the first thread of a process was ready to run while others ran, in ns; 0: it is not
 * known. */
static uint64_t launch_queued_ns(pid_t child)
{
	char name[64];
	uint64_t ran, queued = 0;
	FILE *times;

	snprintf(name, sizeof(name), "/proc/%d/schedstat", (int)child);
	times = fopen(name, "re");
	if (times && fscanf(times, "%" SCNu64 " %" SCNu64, &ran, &queued) != 2)
		queued = 0;
	if (times)
		fclose(times);
	return queued;
}

/* Passes a signal on to the program, if it is one that ends programs. */
static void launch_pass_on(pid_t child, int number, struct launch *launch)
{
	if (number == SIGTERM || number == SIGHUP || number == SIGINT)
		kill(child, number);
	launch->stopped |= number == SIGTERM || number == SIGINT;
}

/* Waits for the program, and passes on to it those signals of `held` that end programs. */
static int launch_wait(pid_t child, const sigset_t *held, struct launch *launch)
{
	siginfo_t seen = { .si_pid = 0 };
	int ending;
	pid_t ended;

	for (;;) {
		/* Until it is waited for, the kernel still has its times. */
		if (waitid(P_PID, (id_t)child, &seen, WEXITED | WNOHANG | WNOWAIT) == 0 &&
		    seen.si_pid == child)
			launch->queued_ns = launch_queued_ns(child);
		ended = waitpid(-1, &ending, WNOHANG);
		if (ended == child)
			break;
		launch_pass_on(child, ended == 0 ? sigwaitinfo(held, NULL) : 0, launch);
		if (ended < 0)
			return EXIT_FAILURE;
	}
	return WIFSIGNALED(ending) ? LAUNCH_SIGNALED + WTERMSIG(ending) : WEXITSTATUS(ending);
}

/*
 * Waits until all descendants have ended, which become children of this process when their parents
 * end. Any signal that asks gprof to end, as Ctrl-C does, ends the waiting.
 */
static void launch_wait_for_others(const sigset_t *held)
{
	sigset_t all = *held;
	int number = SIGCHLD;
	pid_t ended = 1;

	sigaddset(&all, SIGINT);
	sigaddset(&all, SIGQUIT);
	sigprocmask(SIG_BLOCK, &all, NULL);
	while (number == SIGCHLD && ended >= 0) {
		ended = waitpid(-1, NULL, WNOHANG);
		if (ended == 0)
			number = sigwaitinfo(&all, NULL);
	}
}

/* Masks and dispositions of signals, while the program runs and before. */
struct launch_signals {
	sigset_t held;   /* blocked, and received by sigwaitinfo() */
	sigset_t before; /* the mask before */
	void (*interrupt)(int), (*quit)(int), (*child)(int);
};

/*
 * Blocks and ignores the signals that are meant for the program while it runs. Returns what
 * launch_release_signals() needs to undo that. With `again`, the caller has blocked SIGINT; the
 * program has it unblocked all the same.
 */
static struct launch_signals launch_hold_signals(bool again)
{
	/* While SIGCHLD is ignored, waitpid() learns of no end. */
	struct launch_signals s = { .interrupt = again ? SIG_DFL : signal(SIGINT, SIG_IGN),
				    .quit = signal(SIGQUIT, SIG_IGN),
				    .child = signal(SIGCHLD, SIG_DFL) };

	sigemptyset(&s.held);
	if (again)
		sigaddset(&s.held, SIGINT);
	sigaddset(&s.held, SIGCHLD);
	sigaddset(&s.held, SIGTERM);
	sigaddset(&s.held, SIGHUP);
	sigprocmask(SIG_BLOCK, &s.held, &s.before);
	return s;
}

static void launch_release_signals(const struct launch_signals *s, bool again)
{
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	if (!again)
		signal(SIGINT, s->interrupt);
	signal(SIGQUIT, s->quit);
}

static uint64_t launch_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

/* What all child processes that have ended have used: zeros if that is not known. */
static struct rusage launch_used(void)
{
	struct rusage used = { 0 };

	getrusage(RUSAGE_CHILDREN, &used);
	return used;
}

/* The CPU time in nanoseconds. */
static uint64_t launch_cpu_ns(const struct rusage *used)
{
	return launch_ns(used->ru_utime) + launch_ns(used->ru_stime);
}

static uint64_t launch_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Makes a descriptor of a new process, which has it after exec(), the same as `fd`. */
static int launch_give(int fd, int as)
{
	return fd == as ? fcntl(fd, F_SETFD, 0) : dup2(fd, as);
}

/*
 * In the new process: makes its signals and descriptors those of the program, and becomes it. The
 * dispositions of signals are those of the caller of gprof: posix_spawn() cannot ignore SIGCHLD in
 * the new process alone. Returns if that fails.
 */
static void launch_become(const struct launch *launch, const struct launching *l,
			  const struct launch_signals *signals, char *const *command,
			  char *const *environment)
{
	int windows = launch->recordings.windows.fd;
	sigset_t mask = signals->before;

	if (l->files)
		sigdelset(&mask, SIGINT);
	if (signals->interrupt != SIG_IGN)
		signal(SIGINT, SIG_DFL);
	if (signals->quit != SIG_IGN)
		signal(SIGQUIT, SIG_DFL);
	if (signals->child == SIG_IGN)
		signal(SIGCHLD, SIG_IGN);
	if (windows >= 0 && launch_give(windows, windows) < 0)
		return;
	if (l->files && (launch_give(l->files->input, STDIN_FILENO) < 0 ||
			 launch_give(l->files->output, STDOUT_FILENO) < 0 ||
			 launch_give(l->files->errors, STDERR_FILENO) < 0))
		return;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	execve(l->program.path, command, environment);
}

/* Starts the program. 0, or an errno. */
static int launch_spawn(pid_t *child, const struct launch *launch, const struct launching *l,
			const struct launch_signals *signals, char *const *command)
{
	char **environment = launch_environment(launch, l);
	int failure[2], error = 0;

	/* With other values, daemons become children of init, as they do without gprof. */
	if (launch->children == LAUNCH_CHILDREN_TO_END)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (pipe2(failure, O_CLOEXEC) < 0)
		return errno;
	*child = fork();
	if (*child == 0) {
		launch_become(launch, l, signals, command, environment);
		error = errno;
		if (write(failure[1], &error, sizeof(error)) < 0)
			error = 0;
		raise(SIGKILL); /* nothing of gprof's is to be done here */
	}
	if (*child < 0)
		error = errno;
	close(failure[1]);
	/* Nothing to be read: exec() has closed the other end. */
	if (*child > 0 && read(failure[0], &error, sizeof(error)) > 0)
		waitpid(*child, NULL, 0);
	close(failure[0]);
	return error;
}

/*
 * Runs the command and sets launch->status. Returns 0, or -1 after saying why it could not be run.
 */
static int launch_execute(struct launch *launch, const struct launching *l, char *const *command)
{
	struct launch_signals signals = launch_hold_signals(l->files);
	struct rusage before = launch_used(), used;
	uint64_t begin = launch_now_ns();
	pid_t child = -1;
	int error = launch_spawn(&child, launch, l, &signals, command);

	if (error) {
		diag_error(l->diag, "%s: %s", l->program.path, strerror(error));
		launch->status = error == ENOENT ? RUNNABLE_MISSING : RUNNABLE_REFUSED;
	} else {
		launch->pid = child;
		launch->status = launch_wait(child, &signals.held, launch);
		launch->elapsed_ns = launch_now_ns() - begin;
		if (launch->children == LAUNCH_CHILDREN_TO_END)
			launch_wait_for_others(&signals.held);
		used = launch_used();
		launch->used_ns = launch_cpu_ns(&used) - launch_cpu_ns(&before);
		launch->displaced = (uint64_t)(used.ru_nivcsw - before.ru_nivcsw);
	}
	launch_release_signals(&signals, l->files);
	return error ? -1 : 0;
}

/* Finds what was recorded. If that is nothing, the program's exit status stays what it is. */
static int launch_find(struct launch *launch, const struct launching *l)
{
	struct recordings *r = &launch->recordings;
	uint64_t refused = windows_refused(&r->windows);

	windows_find(&r->used, &r->windows, 0, l->mem);
	if (refused > 0)
		diag_warn(l->diag,
			  "%" PRIu64 " process%s not recorded: there is room for %" PRIu64 "%s",
			  refused, refused == 1 ? " was" : "es were", r->windows.n,
			  r->windows.limited ? ", by the limit of file sizes (ulimit -f)" : "");
	if (r->used.n > 0)
		return 0;
	if (windows_processes(&r->windows) == 0)
		diag_warn(l->diag,
			  "%s was not profiled: %s was not loaded into it, or found no memory",
			  l->program.path, l->library);
	else
		diag_warn(l->diag, "%s was not profiled: there was no memory for its recording",
			  l->program.path);
	return -1;
}

/* Finds the program and the library. 0, or -1 with the reason said and launch->status set. */
static int launch_prepare(struct launch *launch, struct launching *l,
			  const struct launch_request *request)
{
	int refused;

	l->passed = JOIN(l->mem, request->libraries ? ",libs=ext" : "", request->passed);
	launch->status = EXIT_FAILURE;
	launch->children = request->children != LAUNCH_USUAL ? request->children
			   : l->files                        ? LAUNCH_ALONE
							     : LAUNCH_CHILDREN;
	if (launch_find_library(l) < 0)
		return -1;
	refused = runnable_find(&l->program, request->command[0], l->mem, l->diag);
	if (refused) {
		launch->status = refused;
		return -1;
	}
	if (!runnable_takes(&l->program, l->library, l->diag))
		return -1;
	launch->image = l->program.image;
	return 0;
}

int launch_program(struct launch *launch, const struct launch_request *request, struct arena *mem,
		   struct diag *diag)
{
	struct launching l = { .mem = mem, .diag = diag, .keep = request->keep };

	*launch = (struct launch){ .status = EXIT_FAILURE, .nruns = 1 };
	if (launch_prepare(launch, &l, request) < 0 ||
	    recordings_place(&launch->recordings, l.keep, launch->children == LAUNCH_ALONE, mem,
			     diag) < 0 ||
	    launch_execute(launch, &l, request->command) < 0)
		return -1;
	return launch_find(launch, &l);
}

int launch_again(struct launch *launch, const struct launch_request *request,
		 const struct launch_files *files, bool trial, struct arena *mem, struct diag *diag)
{
	struct launching l = { .mem = mem, .diag = diag, .files = files };
	struct recordings *r = &launch->recordings;
	uint64_t first;

	if (launch_prepare(launch, &l, request) < 0 ||
	    (!r->windows.head &&
	     recordings_place(r, NULL, launch->children == LAUNCH_ALONE, mem, diag) < 0))
		return -1;
	first = windows_taken(&r->windows);
	if (launch_execute(launch, &l, request->command) < 0)
		return -1;
	if (trial)
		return 0;
	recordings_add_run(r, first, mem);
	launch->nruns++;
	return 0;
}

int launch_end(const struct launch *launch, int rc, bool verdict)
{
	if (launch->status || verdict || !launch->pid)
		return launch->status ? launch->status : rc;
	return rc == EXIT_FAILURE ? EXIT_SUCCESS : rc;
}
