/* SPDX-License-Identifier: MIT */
/* Reading GMON and GMON_OUT_PREFIX, and making file names of them. See settings.h. */
#include "base/settings.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#include "base/sys.h"
#include "base/text.h"

enum { DEFAULT_RATE = 100, MAX_RATE = 1000000 };
enum { DEFAULT_NODES = 262144, MIN_NODES = 1000, MAX_NODES = 16777216 };
enum { DEFAULT_MPI_WAIT = 300, MAX_MPI_WAIT = 86400, MAX_MPI_KEEP = 1000000 };
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

/* The signal called `name`, with or without SIG in front; 0: none of ours. */
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

	if (name[0] == 'S' && name[1] == 'I' && name[2] == 'G')
		name += 3;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (text_equal(name, signals[i].name))
			return signals[i].number;
	if (name[0] == 'R' && name[1] == 'T' && name[2] == 'M' && name[3] == 'I' &&
	    name[4] == 'N') {
		n = name[5] == '+' ? settings_number(name + 6, SIGRTMAX - SIGRTMIN)
		    : name[5]      ? -1
				   : 0;
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

static bool settings_take_signal(int *field, const char *value)
{
	int n = settings_signal(value);

	if (n)
		*field = n;
	return n != 0;
}

/* One of two words; *field becomes whether it is the second. */
static bool settings_take_choice(bool *field, const char *value, const char *first,
				 const char *second)
{
	*field = text_equal(value, second);
	return *field || text_equal(value, first);
}

static bool settings_take_flag(bool *field, const char *value)
{
	*field |= !*value;
	return !*value;
}

static bool settings_take_string(char *field, size_t room, const char *value)
{
	struct text text = text_in(field, room);

	text_add(&text, value);
	if (text.full)
		field[0] = '\0';
	return *field;
}

static bool settings_take_stacks(struct settings *s, const char *value)
{
	if (*value)
		return settings_take_number(&s->stacks, value, MIN_NODES, MAX_NODES);
	s->stacks = DEFAULT_NODES;
	return true;
}

static bool settings_take_libs(struct settings *s, const char *value)
{
	bool ext = text_equal(value, "ext");

	s->libs |= ext || !*value;
	s->libs_files |= !*value;
	return ext || !*value;
}

/* "sum" or "sum+N". */
static bool settings_take_mpi(struct settings *s, const char *value)
{
	if (value[0] != 's' || value[1] != 'u' || value[2] != 'm')
		return false;
	value += 3;
	if (*value &&
	    (*value != '+' || !settings_take_number(&s->mpi_keep, value + 1, 1, MAX_MPI_KEEP)))
		return false;
	s->mpi = true;
	return true;
}

/* As much of a decimal number as there is, behind which *value is left. False: there is none. */
static bool settings_take_digits(uint64_t *field, const char **value)
{
	const char *start = *value;

	*field = 0;
	while (**value >= '0' && **value <= '9')
		*field = *field * 10 + (uint64_t)(*(*value)++ - '0');
	return *value > start;
}

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

static bool settings_take_clock(struct settings *s, const char *value)
{
	static const char *const clocks[] = { "thread", "profil", "task", "wall" };
	bool *const fields[] = { &s->insistent_clock, &s->classic_clock, &s->task_clock, &s->wall };
	bool known = false;

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		known |= *fields[i] = text_equal(value, clocks[i]);
	if (s->wall && !s->stacks)
		s->stacks = DEFAULT_NODES;
	return known;
}

/* NAME or NAME:PERIOD. */
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

static bool settings_take(struct settings *s, const char *key, const char *value)
{
	if (text_equal(key, "rate"))
		return settings_take_number(&s->rate, value, 1, MAX_RATE);
	if (text_equal(key, "clock"))
		return settings_take_clock(s, value);
	if (text_equal(key, "event"))
		return settings_take_event(s, value);
	if (text_equal(key, "jitter"))
		return settings_take_choice(&s->steady, value, "yes", "no");
	if (text_equal(key, "seed"))
		return settings_take_number(&s->seed, value, 1, INT32_MAX);
	if (text_equal(key, "file"))
		return settings_take_string(s->file, sizeof(s->file), value);
	if (text_equal(key, "dir"))
		return settings_take_choice(&s->start_directory, value, "exit", "start");
	if (text_equal(key, "dump"))
		return settings_take_signal(&s->dump_signal, value);
	if (text_equal(key, "signal"))
		return settings_take_signal(&s->sample_signal, value);
	if (text_equal(key, "term"))
		return settings_take_flag(&s->term, value);
	if (text_equal(key, "crash"))
		return settings_take_flag(&s->crash, value);
	if (text_equal(key, "libs"))
		return settings_take_libs(s, value);
	if (text_equal(key, "stacks"))
		return settings_take_stacks(s, value);
	if (text_equal(key, "depth"))
		return settings_take_number(&s->depth, value, MIN_DEPTH, MAX_DEPTH);
	if (text_equal(key, "mpi"))
		return settings_take_mpi(s, value);
	if (text_equal(key, "mpiwait"))
		return settings_take_number(&s->mpi_wait, value, 1, MAX_MPI_WAIT);
	if (text_equal(key, "verbose"))
		return settings_take_flag(&s->verbose, value);
	if (text_equal(key, "run"))
		return settings_take_flag(&s->run, value);
	if (text_equal(key, "children"))
		return settings_take_flag(&s->children, value);
	if (text_equal(key, "again"))
		return settings_take_flag(&s->again, value);
	if (text_equal(key, "only"))
		return settings_take_only(s, value);
	if (text_equal(key, "off"))
		return settings_take_flag(&s->off, value);
	return false;
}

/* One signal cannot ask for a dump and stand for a sample. */
static void settings_part_signals(struct settings *settings)
{
	int sampling = settings->classic_clock ? SIGPROF : settings->sample_signal;

	if (settings->dump_signal != sampling)
		return;
	settings->dump_signal = 0;
	text_complain("ignored in GMON: dump: samples come by this signal", NULL, 0);
}

/* What goes into other files is not added up. One rank says so for all. */
static void settings_part_mpi(struct settings *settings)
{
	settings->mpi_apart = settings->mpi && (settings->stacks || settings->libs ||
						settings->event || settings->run);
	if (settings->mpi_apart && text_equal(settings->rank, "0"))
		text_complain(
			"GMON=mpi=sum: with stacks, libs, event or run nothing is added up: each "
			"rank writes its own files, which 'gprof -s PROGRAM FILE...' adds up",
			NULL, 0);
}

/* Each of "key=value,key,..." once. */
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

void settings_read(struct settings *settings)
{
	const char *variable = getenv("GMON");
	const char *prefix = getenv("GMON_OUT_PREFIX");
	const char *program = (const char *)getauxval(AT_EXECFN);

	settings->rate = DEFAULT_RATE;
	settings->depth = DEFAULT_DEPTH;
	settings->mpi_wait = DEFAULT_MPI_WAIT;
	settings->sample_signal = SIGPROF;
	settings_find_rank(settings);
	settings_take_string(settings->program, sizeof(settings->program),
			     text_last_part(program ? program : "a.out"));
	if (variable)
		settings_take_all(settings, variable);
	settings_part_signals(settings);
	settings_part_mpi(settings);
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

bool settings_lost_directory(const struct settings *settings)
{
	struct sys_file now;

	return settings->start_directory && settings->root.number && sys_look(-1, "/", &now) == 0 &&
	       !sys_same_file(&now, &settings->root) &&
	       (sys_look(-1, settings->directory, &now) || !sys_same_file(&now, &settings->start));
}

static void settings_add_host(struct text *text)
{
	struct utsname host;

	if (!sys_failed(SYS1(SYS_uname, &host)))
		text_add(text, host.nodename);
}

/* What a pattern has that makes a name a process's own. */
struct settings_owner {
	bool pid, rank;
};

/* Adds GMON's file pattern, for process `pid`, or, if that is 0, for the sum of ranks. */
static struct settings_owner settings_add_pattern(const struct settings *settings,
						  struct text *text, int32_t pid)
{
	struct settings_owner has = { false, false };

	for (const char *pattern = settings->file; *pattern; pattern++) {
		if (pattern[0] != '%' || !pattern[1]) {
			text_add_bytes(text, pattern, 1);
			continue;
		}
		switch (*++pattern) {
		case 'p':
			if (pid)
				text_add_number(text, (uint32_t)pid);
			else
				text_add(text, "sum");
			has.pid = true;
			break;
		case 'h':
			settings_add_host(text);
			break;
		case 'e':
			text_add(text, settings->program);
			break;
		case 'r':
			text_add(text, pid ? settings->rank : "sum");
			has.rank = true;
			break;
		case '%':
			text_add(text, "%");
			break;
		default:
			text_add_bytes(text, pattern - 1, 2);
		}
	}
	return has;
}

static void settings_add_directory(const struct settings *settings, struct text *text,
				   const char *name)
{
	if (settings->start_directory && name[0] != '/' && settings->directory[0]) {
		text_add(text, settings->directory);
		text_add(text, "/");
	}
}

bool settings_path(const struct settings *settings, char path[PATH_BYTES], int32_t pid, bool forked,
		   bool fallback)
{
	struct text text = text_in(path, PATH_BYTES);
	bool use_prefix = settings->has_prefix && !fallback && !settings->file[0];
	const char *name = settings->file[0] ? settings->file
			   : use_prefix      ? settings->prefix
					     : "gmon.out";
	struct settings_owner has = { false, false };

	settings_add_directory(settings, &text, name);
	if (settings->file[0])
		has = settings_add_pattern(settings, &text, pid);
	else
		text_add(&text, name);
	if (settings->mpi && !use_prefix && !has.pid && !has.rank) {
		text_add(&text, ".");
		text_add(&text, settings->rank);
	}
	if (use_prefix || (forked && !has.pid)) {
		text_add(&text, ".");
		text_add_number(&text, (uint32_t)pid);
	}
	if (settings->copy) {
		text_add(&text, ".");
		text_add_number(&text, settings->copy);
	}
	return !text.full;
}

bool settings_sum_path(const struct settings *settings, char path[PATH_BYTES])
{
	struct text text = text_in(path, PATH_BYTES);
	struct settings_owner has = { false, false };
	const char *name = settings->file[0]      ? settings->file
			   : settings->has_prefix ? settings->prefix
						  : "gmon";

	settings_add_directory(settings, &text, name);
	if (settings->file[0])
		has = settings_add_pattern(settings, &text, 0);
	else
		text_add(&text, name);
	if (!has.pid && !has.rank)
		text_add(&text, ".sum");
	return !text.full;
}
