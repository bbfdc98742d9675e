/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GMON and GMON_OUT_PREFIX, and the names that are made of them. */
#include "base/profile_name.h"

#include <signal.h>
#include <sys/utsname.h>

#include "runtime_said.h"
#include "testing.h"

static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK",  "PMI_RANK",
				     "MV2_COMM_WORLD_RANK",  "MPI_RANKID", "MPI_RANK",
				     "SLURM_PROCID",         "ALPS_APP_PE" };

static void set(const char *variable, const char *value)
{
	assert_int_equal(value ? setenv(variable, value, 1) : unsetenv(variable), 0);
}

static int clean(void **state)
{
	(void)state;
	set("GMON", NULL);
	set("GMON_OUT_PREFIX", NULL);
	for (size_t i = 0; i < COUNT(ranks); i++)
		set(ranks[i], NULL);
	return 0;
}

/* Reads GMON=`value`, which must lead to these lines on stderr. */
static struct settings read_gmon(const char *value, const char *lines)
{
	struct settings settings = { 0 };
	struct said said = said_begin();

	set("GMON", value);
	settings_read(&settings);
	said_end(&said);
	assert_string_equal(said.text, lines);
	return settings;
}

static void test_defaults(void **state)
{
	struct settings settings = read_gmon(NULL, "");
	char directory[PATH_BYTES];

	(void)state;
	assert_non_null(getcwd(directory, sizeof(directory)));
	assert_int_equal(settings.rate, 0);
	assert_int_equal(settings.sample_signal, SIGPROF);
	assert_int_equal(settings.dump_signal, 0);
	assert_int_equal(settings.stacks, 0);
	assert_int_equal(settings.depth, 1024);
	assert_false(settings.itimer_clock || settings.start_directory || settings.off ||
		     settings.term || settings.crash || settings.libs || settings.verbose ||
		     settings.has_prefix || settings.steady);
	assert_int_equal(settings.seed, 0);
	assert_string_equal(settings.file, "");
	assert_string_equal(settings.rank, "0");
	assert_string_equal(settings.program, "runtime_settings");
	assert_string_equal(settings.directory, directory);
}

static void test_all(void **state)
{
	struct settings settings = read_gmon(
		"rate=1000,clock=profil,file=x-%p,dir=start,dump=USR1,signal=SIGURG,term,crash,"
		"libs,calls=libs,verbose,off,jitter=no,seed=5,slices=200,",
		"");

	(void)state;
	assert_int_equal(settings.rate, 1000);
	assert_true(settings.itimer_clock);
	assert_string_equal(settings.file, "x-%p");
	assert_true(settings.start_directory);
	assert_int_equal(settings.dump_signal, SIGUSR1);
	assert_int_equal(settings.sample_signal, SIGURG);
	assert_true(settings.steady);
	assert_int_equal(settings.seed, 5);
	assert_int_equal(settings.slices, 200);
	assert_true(settings.term && settings.crash && settings.libs && settings.calls &&
		    settings.calls_libs && settings.verbose && settings.off);
	assert_false(settings.calls_entries);
	settings = read_gmon("calls=entries+libs", "");
	assert_true(settings.calls && settings.calls_libs && settings.calls_entries);
	settings = read_gmon("calls=entries", "");
	assert_true(settings.calls && !settings.calls_libs && settings.calls_entries);
	settings = read_gmon(
		"clock=profil,clock=thread,dir=start,dir=exit,rate=1000000,jitter=no,jitter=yes",
		"");
	assert_false(settings.steady);
	assert_false(settings.itimer_clock || settings.start_directory);
	assert_int_equal(settings.rate, 1000000);
	settings = read_gmon("clock=task,event=page-faults", "");
	assert_true(settings.task_clock && settings.event && !settings.itimer_clock);
	assert_string_equal(settings.event->name, "page-faults");
	assert_int_equal(settings.event_period, 0);
	settings =
		read_gmon("event=page-faults,event=cycles:2147483647,clock=task,clock=thread", "");
	assert_string_equal(settings.event->name, "cycles");
	assert_int_equal(settings.event_period, 2147483647);
	assert_false(settings.task_clock);
	settings = read_gmon("stacks", "");
	assert_int_equal(settings.stacks, 262144);
	settings = read_gmon("stacks=1000,depth=16", "");
	assert_int_equal(settings.stacks, 1000);
	assert_int_equal(settings.depth, 16);
	settings = read_gmon("stacks=16777216,depth=65535", "");
	assert_int_equal(settings.stacks, 16777216);
	assert_int_equal(settings.depth, 65535);
}

/* Each is one line; the others take effect. */
static const char *const wrong[] = {
	"rate=0",
	"slices=4097",
	"slices=",
	"slices",
	"rate=1000001",
	"rate=1x",
	"rate=-1",
	"rate=",
	"rate",
	"clock=",
	"clock=x",
	"event",
	"event=",
	"event=page-fault",
	"event=page-faultss",
	"event=context-switches",
	"event=:1",
	"event=page-faults:",
	"event=page-faults:0",
	"event=page-faults:x",
	"event=page-faults:2147483648",
	"dir=",
	"dump=KILL",
	"dump=",
	"signal=SEGV",
	"term=1",
	"libs=x",
	"calls=x",
	"off=no",
	"crash=0",
	"RATE=1",
	"unknown=1",
	"unknown",
	"dump=RTMIN+99",
	"dump=RTMIN-1",
	"dump=RTMINx",
	"file=",
	"file",
	"rate=99999999999999999999",
	"stacks=999",
	"stacks=16777217",
	"stacks=x",
	"depth=15",
	"depth=65536",
	"depth",
	"jitter=",
	"jitter=1",
	"seed=0",
	"seed=-1",
	"seed=2147483648",
};

static void test_wrong(void **state)
{
	struct settings settings;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		char value[100], line[100];

		snprintf(value, sizeof(value), "verbose,%s,rate=7", wrong[i]);
		snprintf(line, sizeof(line), "libgmon: ignored in GMON: %s\n", wrong[i]);
		settings = read_gmon(value, line);
		assert_true(settings.verbose);
		assert_int_equal(settings.rate, 7);
		assert_int_equal(settings.sample_signal, SIGPROF);
		assert_int_equal(settings.dump_signal, 0);
		assert_string_equal(settings.file, "");
		assert_false(settings.term || settings.libs || settings.off || settings.crash ||
			     settings.steady);
		assert_int_equal(settings.seed, 0);
		assert_int_equal(settings.stacks, 0);
		assert_int_equal(settings.depth, 1024);
		assert_null(settings.event);
	}
	settings = read_gmon(",,rate=5,,", "");
	assert_int_equal(settings.rate, 5);
}

static void test_signals(void **state)
{
	(void)state;
	assert_int_equal(read_gmon("dump=RTMIN", "").dump_signal, SIGRTMIN);
	assert_int_equal(read_gmon("dump=SIGRTMIN+3", "").dump_signal, SIGRTMIN + 3);
	assert_int_equal(read_gmon("dump=SIGUSR2", "").dump_signal, SIGUSR2);
}

/* A dump that could never come is no setting. */
static void test_one_signal(void **state)
{
	static const char line[] =
		"libgmon: ignored in GMON: dump: this signal is used for samples\n";

	(void)state;
	assert_int_equal(read_gmon("signal=USR1,dump=USR1", line).dump_signal, 0);
	assert_int_equal(read_gmon("dump=SIGUSR1,signal=USR1", line).sample_signal, SIGUSR1);
	assert_int_equal(read_gmon("dump=PROF", line).dump_signal, 0);
	assert_int_equal(read_gmon("dump=PROF,signal=USR1,clock=profil", line).dump_signal, 0);
	assert_int_equal(read_gmon("dump=PROF,signal=USR1", "").dump_signal, SIGPROF);
	assert_int_equal(read_gmon("dump=USR1,signal=USR1,clock=profil", "").dump_signal, SIGUSR1);
}

static void expect_path(const struct settings *settings, bool forked, bool fallback,
			const char *expected)
{
	char path[PATH_BYTES];

	assert_true(profile_name_make(settings, path, 42, forked, fallback));
	assert_string_equal(path, expected);
}

static void test_names(void **state)
{
	struct settings settings = read_gmon(NULL, "");

	(void)state;
	expect_path(&settings, false, false, "gmon.out");
	expect_path(&settings, true, false, "gmon.out.42");
	settings = read_gmon("file=out", "");
	expect_path(&settings, false, false, "out");
	expect_path(&settings, true, false, "out.42");
	set("GMON_OUT_PREFIX", "pre/fix");
	settings = read_gmon(NULL, "");
	expect_path(&settings, false, false, "pre/fix.42");
	expect_path(&settings, true, false, "pre/fix.42");
	expect_path(&settings, false, true, "gmon.out");
	expect_path(&settings, true, true, "gmon.out.42");
	settings = read_gmon("file=out", "");
	expect_path(&settings, false, false, "out");
	expect_path(&settings, false, true, "out");
}

static void test_patterns(void **state)
{
	char expected[PATH_BYTES];
	struct utsname host;
	struct settings settings = read_gmon("file=%e-%p-%r-%%-%x-%", "");

	(void)state;
	expect_path(&settings, false, false, "runtime_settings-42-0-%-%x-%");
	expect_path(&settings, true, false, "runtime_settings-42-0-%-%x-%");
	set("SLURM_PROCID", "7");
	settings = read_gmon("file=%r", "");
	expect_path(&settings, true, false, "7.42");
	set("PMI_RANK", "../3");
	settings = read_gmon("file=%r%h", "");
	assert_int_equal(uname(&host), 0);
	snprintf(expected, sizeof(expected), "3%s", host.nodename);
	expect_path(&settings, false, false, expected);
}

static void test_directory(void **state)
{
	struct settings settings = read_gmon("dir=start,file=a", "");

	(void)state;
	strcpy(settings.directory, "/somewhere");
	expect_path(&settings, false, false, "/somewhere/a");
	strcpy(settings.file, "/b");
	expect_path(&settings, false, false, "/b");
	strcpy(settings.file, "c");
	settings.directory[0] = '\0';
	expect_path(&settings, false, false, "c");
}

/* A sum of ranks is nobody's own; with one, each rank's own file is. */
static void test_ranks(void **state)
{
	static const struct {
		const char *gmon, *prefix, *sum, *own;
	} cases[] = {
		{ "mpi=sum", NULL, "gmon.sum", "gmon.out.3" },
		{ "mpi=sum+12", "x/p", "x/p.sum", "x/p.42" },
		{ "mpi=sum,file=p", "x/p", "p.sum", "p.3" },
		{ "mpi=sum,file=p.%r.%%", NULL, "p.sum.%", "p.3.%" },
		{ "mpi=sum,file=d/%p", NULL, "d/sum", "d/42" },
		{ "file=p", NULL, "p.sum", "p" },
	};
	char path[PATH_BYTES];

	(void)state;
	set("PMIX_RANK", "3");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct settings settings;

		set("GMON_OUT_PREFIX", cases[i].prefix);
		settings = read_gmon(cases[i].gmon, "");
		assert_true(profile_name_make_sum(&settings, path));
		assert_string_equal(path, cases[i].sum);
		assert_true(profile_name_make(&settings, path, 42, false, false));
		assert_string_equal(path, cases[i].own);
		assert_int_equal(settings.mpi_keep, i == 1 ? 12 : 0);
		assert_int_equal(settings.mpi_wait, 300);
		assert_false(settings.mpi_apart);
	}
	set("GMON_OUT_PREFIX", NULL);
	assert_int_equal(read_gmon("mpiwait=7", "").mpi_wait, 7);
	assert_false(read_gmon("mpi=sum+,mpi=sum+0,mpi=su,mpi,mpiwait=0",
			       "libgmon: ignored in GMON: mpi=sum+\n"
			       "libgmon: ignored in GMON: mpi=sum+0\n"
			       "libgmon: ignored in GMON: mpi=su\n"
			       "libgmon: ignored in GMON: mpi\n"
			       "libgmon: ignored in GMON: mpiwait=0\n")
			     .mpi);
	assert_true(read_gmon("stacks,mpi=sum", "").mpi_apart);
	set("PMIX_RANK", NULL);
	assert_true(
		read_gmon(
			"mpi=sum,libs=ext",
			"libgmon: GMON=mpi=sum: with stacks, libs, event or run nothing is added up: "
			"each rank writes its own files, which 'gprof -s PROGRAM FILE...' adds up\n")
			.mpi_apart);
}

static void test_long(void **state)
{
	static char value[PATH_BYTES + 10] = "file=";
	struct settings settings;
	char path[PATH_BYTES];

	(void)state;
	memset(value + 5, 'f', PATH_BYTES - 6);
	settings = read_gmon(value, "");
	assert_int_equal(strlen(settings.file), PATH_BYTES - 6);
	assert_true(profile_name_make(&settings, path, 42, false, false));
	assert_int_equal(strlen(path), PATH_BYTES - 6);
	assert_false(profile_name_make(&settings, path, INT32_MAX, true, false));
	memset(value, 'p', PATH_BYTES);
	set("GMON_OUT_PREFIX", value);
	settings = read_gmon(NULL, "");
	assert_false(settings.has_prefix);
	set("GMON_OUT_PREFIX", "");
	settings = read_gmon(NULL, "");
	assert_true(settings.has_prefix);
	expect_path(&settings, false, false, ".42");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_defaults, clean),
		cmocka_unit_test_setup(test_all, clean),
		cmocka_unit_test_setup(test_wrong, clean),
		cmocka_unit_test_setup(test_signals, clean),
		cmocka_unit_test_setup(test_one_signal, clean),
		cmocka_unit_test_setup(test_names, clean),
		cmocka_unit_test_setup(test_patterns, clean),
		cmocka_unit_test_setup(test_directory, clean),
		cmocka_unit_test_setup(test_long, clean),
		cmocka_unit_test_setup(test_ranks, clean),
	};

	return cmocka_run_group_tests_name("runtime_settings", tests, NULL, NULL);
}
