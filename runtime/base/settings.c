/* SPDX-License-Identifier: MIT */
/* Reading GMON and GMON_OUT_PREFIX. See settings.h. */
#include "base/settings.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "base/sys.h"
#include "base/text.h"

enum { MAX_RATE = 1000000 };
enum { DEFAULT_NODES = 262144, MIN_NODES = 1000, MAX_NODES = 16777216 };
enum { DEFAULT_MPI_WAIT = 300, MAX_MPI_WAIT = 86400, MAX_MPI_KEEP = 1000000 };
enum { DEFAULT_SLICES = 400, MAX_SLICES = 4096 };
enum { DEFAULT_DEPTH = 1024, MIN_DEPTH = 16, MAX_DEPTH = 65535 };

/* A decimal number of at most `max`, or -1. */
static long settings_number(const char *value, long max)
{
	long n = 0;

	if (!*value)
		return -1;
	for (; *value; value++) {
		if (*value < '0' || *value > '9')
			return -1;
		n = n * 10 + (*value - '0');
		if (n > max)
			return -1;
	}
	return n;
}

/* The signal called `name`, with or without SIG; 0: not one of these. */
static int settings_signal(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = {
		{ "USR1", SIGUSR1 }, { "USR2", SIGUSR2 },     { "HUP", SIGHUP },
		{ "ALRM", SIGALRM }, { "PROF", SIGPROF },     { "WINCH", SIGWINCH },
		{ "URG", SIGURG },   { "VTALRM", SIGVTALRM }, { "IO", SIGIO },
		{ "PWR", SIGPWR },
	};
	long n;

	if (text_skip(name, "SIG"))
		name += 3;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (text_equal(name, signals[i].name))
			return signals[i].number;
	name = text_skip(name, "RTMIN");
	if (name) {
		n = *name == '+' ? settings_number(name + 1, SIGRTMAX - SIGRTMIN) : *name ? -1 : 0;
		return n < 0 ? 0 : SIGRTMIN + (int)n;
	}
	return 0;
}

static bool settings_take_number(uint32_t *field, const char *value, long min, long max)
{
	long n = settings_number(value, max);

	if (n >= min)
		*field = (uint32_t)n;
	return n >= min;
}

/*
 * Copies a value into a field of `room` bytes. Returns false, and leaves the field empty, if the
 * value is too long or empty.
 */
static bool settings_take_string(char *field, size_t room, const char *value)
{
	struct text text = text_in(field, room);

	text_add(&text, value);
	if (text.full)
		field[0] = '\0';
	return *field;
}

/* Takes one of two words; *field tells whether it is the second. */
static bool settings_take_choice(bool *field, const char *value, const char *first,
				 const char *second)
{
	*field = text_equal(value, second);
	return *field || text_equal(value, first);
}

static bool settings_take_jitter(struct settings *s, const char *value)
{
	return settings_take_choice(&s->steady, value, "yes", "no");
}

static bool settings_take_dir(struct settings *s, const char *value)
{
	return settings_take_choice(&s->start_directory, value, "exit", "start");
}

static bool settings_take_file(struct settings *s, const char *value)
{
	return settings_take_string(s->file, sizeof(s->file), value);
}

static bool settings_take_stacks(struct settings *s, const char *value)
{
	if (*value)
		return settings_take_number(&s->stacks, value, MIN_NODES, MAX_NODES);
	s->stacks = DEFAULT_NODES;
	return true;
}

static bool settings_take_slices(struct settings *s, const char *value)
{
	s->has_slices = settings_take_number(&s->slices, value, 0, MAX_SLICES);
	return s->has_slices;
}

/* Implies libs=ext, which has the calls between objects. */
static bool settings_take_calls(struct settings *s, const char *value)
{
	static const char libs[] = "libs", entries[] = "entries";
	const char *rest = value;

	s->calls_libs = false;
	s->calls_entries = false;
	while (rest && *rest) {
		bool *word = text_skip(rest, libs) ? &s->calls_libs : &s->calls_entries;

		rest = text_skip(rest, word == &s->calls_libs ? libs : entries);
		*word = true;
		if (rest && *rest && (*rest != '+' || !*++rest))
			rest = NULL;
	}
	s->calls = rest;
	s->calls_libs &= s->calls;
	s->calls_entries &= s->calls;
	s->libs |= s->calls;
	return s->calls;
}

static bool settings_take_libs(struct settings *s, const char *value)
{
	bool ext = text_equal(value, "ext");

	s->libs |= ext || !*value;
	s->libs_files |= !*value;
	return ext || !*value;
}

/* Takes the value "sum" or "sum+N". */
static bool settings_take_mpi(struct settings *s, const char *value)
{
	value = text_skip(value, "sum");
	if (!value || (*value && (*value != '+' ||
				  !settings_take_number(&s->mpi_keep, value + 1, 1, MAX_MPI_KEEP))))
		return false;
	s->mpi = true;
	return true;
}

/* Takes the digits at *value, and moves *value after them. Returns false if there are none. */
static bool settings_take_digits(uint64_t *field, const char **value)
{
	const char *start = *value;

	*field = 0;
	while (**value >= '0' && **value <= '9')
		*field = *field * 10 + (uint64_t)(*(*value)++ - '0');
	return *value > start;
}

/* Takes the value MAJOR:MINOR:INODE. */
static bool settings_take_only(struct settings *s, const char *value)
{
	uint64_t major, minor;

	s->has_only = settings_take_digits(&major, &value) && *value++ == ':' &&
		      settings_take_digits(&minor, &value) && *value++ == ':' &&
		      settings_take_digits(&s->only_inode, &value) && !*value;
	if (s->has_only)
		s->only_device = major << 32 | minor;
	return s->has_only;
}

/* FD:PID:MAJOR:MINOR:INODE. */
static bool settings_take_windows(struct settings *s, const char *value)
{
	uint64_t fd, pid, major, minor;

	s->has_windows = settings_take_digits(&fd, &value) && *value++ == ':' &&
			 settings_take_digits(&pid, &value) && *value++ == ':' &&
			 settings_take_digits(&major, &value) && *value++ == ':' &&
			 settings_take_digits(&minor, &value) && *value++ == ':' &&
			 settings_take_digits(&s->windows_inode, &value) && !*value &&
			 fd <= INT32_MAX && pid <= INT32_MAX;
	if (!s->has_windows)
		return false;
	s->windows_fd = (int)fd;
	s->windows_pid = (int32_t)pid;
	s->windows_device = major << 32 | minor;
	return true;
}

static bool settings_take_clock(struct settings *s, const char *value)
{
	static const char *const clocks[] = { "thread", "profil", "task", "wall" };
	bool *const fields[] = { &s->insistent_clock, &s->itimer_clock, &s->task_clock, &s->wall };
	bool known = false;

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		known |= *fields[i] = text_equal(value, clocks[i]);
	if (s->wall && !s->stacks)
		s->stacks = DEFAULT_NODES;
	return known;
}

/* Takes the value NAME or NAME:PERIOD. */
static bool settings_take_event(struct settings *s, const char *value)
{
	size_t n = 0;

	while (value[n] && value[n] != ':')
		n++;
	s->event = event_names_find(value, n);
	s->event_period = 0;
	if (!s->event || !value[n])
		return s->event;
	if (!settings_take_number(&s->event_period, value + n + 1, 1, INT32_MAX))
		s->event = NULL;
	return s->event;
}

/* The keys of GMON. One that has only a name and a field is a flag: it takes no value. */
static const struct settings_key {
	const char *name;
	uint16_t field; /* offset of the field that a flag, a number (uint32_t) or a signal (int)
			   sets */
	bool is_signal;
	int32_t min, max; /* range of a number; max is 0: the value is no number */
	bool (*take)(struct settings *settings,
		     const char *value); /* takes values of all other kinds, or NULL */
} settings_keys[] = {
#define AT(name) .field = offsetof(struct settings, name)
	{ "rate", AT(rate), .min = 1, .max = MAX_RATE },
	{ "clock", .take = settings_take_clock },
	{ "event", .take = settings_take_event },
	{ "jitter", .take = settings_take_jitter },
	{ "seed", AT(seed), .min = 1, .max = INT32_MAX },
	{ "file", .take = settings_take_file },
	{ "dir", .take = settings_take_dir },
	{ "dump", AT(dump_signal), .is_signal = true },
	{ "signal", AT(sample_signal), .is_signal = true },
	{ "term", AT(term) },
	{ "crash", AT(crash) },
	{ "libs", .take = settings_take_libs },
	{ "calls", .take = settings_take_calls },
	{ "stacks", .take = settings_take_stacks },
	{ "slices", .take = settings_take_slices },
	{ "depth", AT(depth), .min = MIN_DEPTH, .max = MAX_DEPTH },
	{ "mpi", .take = settings_take_mpi },
	{ "mpiwait", AT(mpi_wait), .min = 1, .max = MAX_MPI_WAIT },
	{ "verbose", AT(verbose) },
	{ "run", AT(run) },
	{ "children", AT(children) },
	{ "again", AT(again) },
	{ "only", .take = settings_take_only },
	{ "windows", .take = settings_take_windows },
	{ "off", AT(off) },
#undef AT
};

_Static_assert(sizeof(struct settings) <= UINT16_MAX, "fields of keys have 16-bit offsets");

static bool settings_take_key(struct settings *settings, const struct settings_key *key,
			      const char *value)
{
	void *field = (char *)settings + key->field;
	int signal;

	if (key->take)
		return key->take(settings, value);
	if (key->max)
		return settings_take_number(field, value, key->min, key->max);
	if (key->is_signal) {
		signal = settings_signal(value);
		if (signal)
			*(int *)field = signal;
		return signal;
	}
	if (!*value)
		*(bool *)field = true;
	return !*value;
}

static bool settings_take(struct settings *settings, const char *name, const char *value)
{
	for (size_t i = 0; i < sizeof(settings_keys) / sizeof(settings_keys[0]); i++)
		if (text_equal(name, settings_keys[i].name))
			return settings_take_key(settings, &settings_keys[i], value);
	return false;
}

/*
 * Reports GMON=dump and GMON=signal with the same signal: it cannot both ask for a profile and take
 * samples.
 */
static void settings_check_signals(struct settings *settings)
{
	int sampling = settings->itimer_clock ? SIGPROF : settings->sample_signal;

	if (settings->dump_signal != sampling)
		return;
	settings->dump_signal = 0;
	text_complain("ignored in GMON: dump: this signal is used for samples", NULL, 0);
}

/*
 * Reports keys that make mpi=sum useless: only gmon.out is added up, no other file. Only rank 0
 * reports it.
 */
static void settings_check_mpi(struct settings *settings)
{
	settings->mpi_apart = settings->mpi && (settings->stacks || settings->libs ||
						settings->event || settings->run);
	if (settings->mpi_apart && text_equal(settings->rank, "0"))
		text_complain(
			"GMON=mpi=sum: with stacks, libs, event or run nothing is added up: each "
			"rank writes its own files, which 'gprof -s PROGRAM FILE...' adds up",
			NULL, 0);
}

/* Takes each key of "key=value,key,..."; each error is one line on stderr. */
static void settings_take_all(struct settings *settings, const char *variable)
{
	char word[PATH_BYTES];

	while (*variable) {
		struct text text = text_in(word, sizeof(word));
		size_t n = 0;
		char *value = word;

		while (variable[n] && variable[n] != ',')
			n++;
		text_add_bytes(&text, variable, n);
		variable += n + (variable[n] == ',');
		while (*value && *value != '=')
			value++;
		bool has_value = *value;
		*value = '\0';
		if (n > 0 && (text.full || !settings_take(settings, word, value + has_value))) {
			if (has_value)
				*value = '=';
			text_complain("ignored in GMON:", word, 0);
		}
	}
}

static void settings_find_rank(struct settings *settings)
{
	static const char *const variables[] = {
		"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",     "MV2_COMM_WORLD_RANK",
		"MPI_RANKID",           "MPI_RANK",  "SLURM_PROCID", "ALPS_APP_PE",
	};
	const char *rank = NULL;

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]) && !rank; i++)
		rank = getenv(variables[i]);
	if (!rank ||
	    !settings_take_string(settings->rank, sizeof(settings->rank), text_last_part(rank)))
		settings_take_string(settings->rank, sizeof(settings->rank), "0");
}

/* Whether a debugger or tracer runs the process. */
static bool settings_is_traced(void)
{
	static const char name[] = "\nTracerPid:\t";
	char status[512], *at = status;

	sys_read_text(AT_FDCWD, "/proc/self/status", status, sizeof(status));
	while (*at && !text_skip(at, name))
		at++;
	return *at && at[sizeof(name) - 1] != '0';
}

/*
 * A signal that programs which were not built for us do not use: SIGPROF is that of setitimer(),
 * and of profilers inside programs. Debuggers stop at one that they do not know, but not at
 * SIGPROF.
 */
static int settings_quiet_signal(void)
{
#ifdef SIGSTKFLT
	return settings_is_traced() ? SIGPROF : SIGSTKFLT;
#else
	return SIGPROF;
#endif
}

void settings_read(struct settings *settings)
{
	const char *variable = getenv("GMON");
	const char *prefix = getenv("GMON_OUT_PREFIX");
	const char *program = (const char *)getauxval(AT_EXECFN);

	settings->depth = DEFAULT_DEPTH;
	settings->mpi_wait = DEFAULT_MPI_WAIT;
	settings_find_rank(settings);
	settings_take_string(settings->program, sizeof(settings->program),
			     text_last_part(program ? program : "a.out"));
	if (variable)
		settings_take_all(settings, variable);
	if (!settings->sample_signal)
		settings->sample_signal = settings->run ? settings_quiet_signal() : SIGPROF;
	if (settings->run && !settings->has_slices)
		settings->slices = DEFAULT_SLICES;
	settings_check_signals(settings);
	settings_check_mpi(settings);
	if (prefix) {
		struct text text = text_in(settings->prefix, sizeof(settings->prefix));

		text_add(&text, prefix);
		settings->has_prefix = !text.full;
	}
	if (sys_failed(SYS2(SYS_getcwd, settings->directory, sizeof(settings->directory))))
		settings->directory[0] = '\0';
	if (settings->start_directory &&
	    (sys_look(-1, "/", &settings->root) || sys_look(-1, ".", &settings->start)))
		settings->root.number = 0;
}

bool settings_count_early(void)
{
	const char *key = getenv("GMON");

	for (; key && *key; key += *key == ',') {
		const char *behind = text_skip(key, "calls");

		if (behind && (!*behind || *behind == ',' || *behind == '='))
			return true;
		while (*key && *key != ',')
			key++;
	}
	return false;
}
