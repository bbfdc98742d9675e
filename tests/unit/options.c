/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines. */
#include "testing.h"

#include "run/line/options.h"

#include <limits.h>

enum { MAX_WORDS = 20 };

/* A parsed command line and what was said and written meanwhile. */
struct parsed {
	struct options opt;
	enum options_result result;
	struct messages log;
	const char *out;
	char text[500];
	char *argv[MAX_WORDS];
	struct arena mem;
};

/* Parses "gprof" and the words of `line`, which single blanks part; a '~' is an empty word. */
static void parse(struct parsed *p, const char *line)
{
	struct diag diag = test_diag(&p->log);
	const struct options *opt;
	struct output out;
	int fd = memory_file(), argc = 0;

	p->log = (struct messages){ 0 };
	p->mem = test_arena();
	snprintf(p->text, sizeof(p->text), "%s", line);
	p->argv[argc++] = (char *)"gprof";
	for (char *word = strtok(p->text, " "); word; word = strtok(NULL, " "))
		p->argv[argc++] = strcmp(word, "~") == 0 ? (char *)"" : word;
	p->argv[argc] = NULL;
	output_open(&out, fd, "out", &diag);
	p->result = options_parse(&opt, argc, p->argv, &out, &p->mem, &diag);
	p->opt = *opt;
	assert_int_equal(output_close(&out), 0);
	p->out = written_text(fd, &p->mem);
	if (p->result != OPTIONS_WRONG)
		assert_int_equal(p->log.n, 0);
	if (p->result != OPTIONS_DONE)
		assert_string_equal(p->out, "");
}

static void forget(struct parsed *p)
{
	arena_free(&p->mem);
}

/* The line is right; the caller looks at its options. */
static struct options good(const char *line)
{
	struct parsed p;

	parse(&p, line);
	if (p.result != OPTIONS_RUN)
		fail_msg("'%s' gives %d: %s", line, p.result, p.log.line[0]);
	forget(&p);
	return p.opt;
}

/* The line is wrong, for which one message with `text` is the reason. */
static void wrong(const char *line, const char *text)
{
	struct parsed p;

	parse(&p, line);
	if (p.result != OPTIONS_WRONG)
		fail_msg("'%s' gives %d", line, p.result);
	expect_message(&p.log, text);
	forget(&p);
}

static void expect_operands(const char *line, const char *expected)
{
	struct parsed p;
	char got[500];
	int n;

	parse(&p, line);
	assert_int_equal(p.result, OPTIONS_RUN);
	n = snprintf(got, sizeof(got), "%s:", p.opt.input.program.path);
	for (int i = 0; i < p.opt.input.nprofiles; i++)
		n += snprintf(got + n, sizeof(got) - (size_t)n, " %s", p.opt.input.profiles[i]);
	assert_string_equal(got, expected);
	forget(&p);
}

static void defaults(void **state)
{
	struct options opt = good("");

	(void)state;
	assert_int_equal(opt.report.wanted, 0);
	assert_int_equal(opt.report.mentioned, 0);
	assert_false(opt.report.brief || opt.report.zeros);
	assert_false(opt.report.traditional || opt.report.raw_names || opt.trace);
	assert_int_equal(opt.analysis.select.requests.n, 0);
	assert_false(opt.report.print_path || opt.report.inline_files);
	assert_int_equal(opt.report.width, 80);
	assert_int_equal(opt.report.demangle, DEMANGLE_AUTO);
	expect_operands("", "a.out: gmon.out");
}

static void no_words_at_all(void **state)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	char *argv[] = { NULL };
	struct arena mem = test_arena();
	const struct options *opt;

	(void)state;
	assert_int_equal(options_parse(&opt, 0, argv, NULL, &mem, &diag), OPTIONS_RUN);
	assert_string_equal(opt->input.program.path, "a.out");
	assert_int_equal(opt->input.nprofiles, 1);
	assert_string_equal(opt->input.profiles[0], "gmon.out");
	arena_free(&mem);
}

static void flags_have_their_fields(void **state)
{
	static const char *const lines[][4] = {
		{ "-b", "-z", "-L", "--inline-file-names" },
		{ "--brief", "--display-unused-functions", "--print-path", "--inline-f" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		for (int k = 0; k < 4; k++) {
			struct options opt = good(lines[i][k]);

			assert_int_equal(opt.report.brief, k == 0);
			assert_int_equal(opt.report.zeros, k == 1);
			assert_int_equal(opt.report.print_path, k == 2);
			assert_int_equal(opt.report.inline_files, k == 3);
			assert_int_equal(opt.report.mentioned, 0);
		}
	}
	assert_true(good("-T").report.traditional);
	assert_true(good("--tradit").report.traditional);
	assert_true(good("-d").trace && good("-d7").trace && good("--debug=7").trace);
	assert_true(good("-b -b -b").report.brief);
	assert_true(good("-a").input.program.symbols.no_static);
	assert_true(good("--no-static").input.program.symbols.no_static);
	assert_false(good("-D").input.program.symbols.no_static);
	assert_true(good("-D").input.program.symbols.no_untyped_static);
	assert_true(good("--ignore-non").input.program.symbols.no_untyped_static);
	assert_false(good("-a").input.program.symbols.no_untyped_static);
}

/* The selections of a line, in order: "+flat main, -arcs a/b". */
static void expect_requests(const char *line, const char *expected)
{
	static const char *const names[NTABLES] = {
		[SELECT_FLAT] = "flat", [SELECT_GRAPH] = "graph", [SELECT_ARCS] = "arcs",
		[SELECT_TIME] = "time", [SELECT_EXEC] = "exec",
	};
	struct parsed p;
	char got[500] = "";
	size_t n = 0;

	parse(&p, line);
	if (p.result != OPTIONS_RUN)
		fail_msg("'%s' gives %d: %s", line, p.result, p.log.line[0]);
	for (size_t i = 0; i < p.opt.analysis.select.requests.n; i++) {
		struct select_request *request = &p.opt.analysis.select.requests.at[i];

		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%c%s %s", i ? ", " : "",
				      request->exclude ? '-' : '+', names[request->table],
				      request->text);
	}
	if (strcmp(got, expected) != 0)
		fail_msg("'%s' selects %s", line, got);
	forget(&p);
}

static void letters_cluster(void **state)
{
	struct options opt = good("-bzLp");

	(void)state;
	assert_true(opt.report.brief && opt.report.zeros && opt.report.print_path);
	assert_int_equal(opt.report.wanted, REPORT_FLAT);
	opt = good("-bp -q");
	assert_true(opt.report.brief);
	assert_int_equal(opt.report.wanted, REPORT_FLAT | REPORT_GRAPH);
	assert_int_equal(good("-bw40").report.width, 40);
	/* An optional argument is what is glued to its letter, even if it looks like options. */
	expect_requests("-pb", "+flat b");
	assert_false(good("-pb").report.brief);
	expect_requests("-bqz", "+graph z");
	expect_requests("-pqi", "+flat qi");
	expect_requests("-Pmain", "-flat main");
	expect_requests("--no-graph=a/b", "-arcs a/b");
}

static void reports_wanted_and_mentioned(void **state)
{
	static const struct {
		const char *line;
		unsigned wanted, mentioned;
	} cases[] = {
		{ "-p", REPORT_FLAT, REPORT_FLAT },
		{ "-P", 0, REPORT_FLAT },
		{ "-p -P", 0, REPORT_FLAT },
		{ "-P -p", REPORT_FLAT, REPORT_FLAT },
		{ "-P -Q", 0, REPORT_FLAT | REPORT_GRAPH },
		{ "-q", REPORT_GRAPH, REPORT_GRAPH },
		{ "-B", REPORT_GRAPH, REPORT_GRAPH },
		{ "-q -Q", 0, REPORT_GRAPH },
		{ "-i", REPORT_INFO, REPORT_INFO },
		{ "-C", REPORT_COUNTS, REPORT_COUNTS },
		{ "-C -Z", 0, REPORT_COUNTS },
		{ "--exec-counts --no-exec-c", 0, REPORT_COUNTS },
		{ "-Z", 0, REPORT_COUNTS },
		{ "-p -q -i", REPORT_FLAT | REPORT_GRAPH | REPORT_INFO,
		  REPORT_FLAT | REPORT_GRAPH | REPORT_INFO },
		{ "--flat-profile --no-graph", REPORT_FLAT, REPORT_FLAT | REPORT_GRAPH },
		{ "--graph --file-info", REPORT_GRAPH | REPORT_INFO, REPORT_GRAPH | REPORT_INFO },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct options opt = good(cases[i].line);

		assert_int_equal(opt.report.wanted, cases[i].wanted);
		assert_int_equal(opt.report.mentioned, cases[i].mentioned);
	}
}

static void long_names_can_be_short(void **state)
{
	(void)state;
	assert_int_equal(good("--fl").report.wanted, REPORT_FLAT);
	assert_int_equal(good("--flat-profil").report.wanted, REPORT_FLAT);
	assert_int_equal(good("--no-f").report.mentioned, REPORT_FLAT);
	assert_int_equal(good("--gr").report.wanted, REPORT_GRAPH);
	assert_int_equal(good("--wid=33").report.width, 33);
	assert_true(good("--no-d").report.raw_names);
	assert_true(good("--br").report.brief);
	expect_requests("--no-f=leaf", "-flat leaf");
	wrong("--fi", "'--fi' is short for several: --file-info --file-ordering --file-format");
	wrong("--file=x", "'--file' is short for several: --file-info");
	wrong("--no", "'--no' is short for several:");
	wrong("x --fi y", "'--fi' is short for several");
}

static void unknown_options(void **state)
{
	(void)state;
	wrong("-g", "unknown option '-g' (try --help)");
	wrong("-bG", "unknown option '-G'");
	wrong("-:", "unknown option '-:'");
	wrong("--nonsense", "unknown option '--nonsense' (try --help)");
	wrong("--nonsense=7", "unknown option '--nonsense=7'");
	wrong("a b --nonsense c", "unknown option '--nonsense'");
	wrong("--flat-profiles",
	      "unknown option '--flat-profiles'; did you mean '--flat-profile'?");
	wrong("--Brief", "unknown option '--Brief'; did you mean '--brief'?");
	wrong("--exprot=csv", "unknown option '--exprot=csv'; did you mean '--export'?");
	wrong("--no-tame", "unknown option '--no-tame'; did you mean '--no-time'?");
	wrong("--flot", "unknown option '--flot'; did you mean '--flat-profile'?");
	wrong("--exx",
	      "unknown option '--exx'; did you mean '--exec-counts', '--explain' or '--export'?");
	wrong("--brief=3", "option '--brief' takes no argument");
	wrong("--bri=3", "option '--bri' takes no argument");
}

static void widths(void **state)
{
	static const struct {
		const char *line;
		int width;
	} cases[] = {
		{ "-w40", 40 },
		{ "-w 40", 40 },
		{ "--width=40", 40 },
		{ "--width 40", 40 },
		{ "-w 1", 1 },
		{ "-w 0", 1 },
		{ "-w -5", 1 },
		{ "-w 40 -w 50", 50 },
		{ "-w 2147483647", INT_MAX },
		{ "-w 2147483648", 1 },
		{ "-w -99999999999999999999", 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(good(cases[i].line).report.width, cases[i].width);
	wrong("-w", "option -w (--width) needs an argument: COLUMNS");
	wrong("-b --width", "option -w (--width) needs an argument: COLUMNS");
	wrong("-bw", "option -w (--width) needs an argument");
	wrong("-w abc", "-w (--width) must be a number, not 'abc'");
	wrong("-w ~", "-w (--width) must be a number, not ''");
	wrong("-w 12x", "-w (--width) must be a number, not '12x'");
	wrong("-m x", "-m (--min-count) must be a number, not 'x'");
	wrong("-t 1.5", "-t (--table-length) must be a number, not '1.5'");
	wrong("-traditional",
	      "not 'raditional'; -t has the rest of -traditional as its argument: did you mean --traditional?");
	wrong("-graph", "unknown option '-g'; did you mean '--graph'?");
	wrong("-b -sum", "unknown option '-u'; did you mean '--sum'?");
}

static void colors(void **state)
{
	(void)state;
	assert_int_equal(good("").color, COLOR_AUTO);
	assert_int_equal(good("--color=always").color, COLOR_ALWAYS);
	assert_int_equal(good("--color=always --col never").color, COLOR_NEVER);
	assert_int_equal(good("--color never --color=auto").color, COLOR_AUTO);
	wrong("--color=red", "unknown colour choice 'red': expected auto, always or never");
	wrong("--color", "option --color needs an argument: WHEN");
}

static void demangling(void **state)
{
	(void)state;
	assert_int_equal(good("--demangle").report.demangle, DEMANGLE_AUTO);
	assert_int_equal(good("--demangle=rust").report.demangle, DEMANGLE_RUST);
	assert_int_equal(good("--demangle=none").report.demangle, DEMANGLE_NONE);
	assert_false(good("").report.raw_names);
	assert_true(good("--no-demangle").report.raw_names);
	assert_false(good("--no-demangle --demangle").report.raw_names);
	assert_false(good("--no-demangle --demangle=rust").report.raw_names);
	assert_true(good("--demangle=java --no-demangle").report.raw_names);
	/* Without a style it is the one of last time. */
	assert_int_equal(good("--demangle=gnat --demangle").report.demangle, DEMANGLE_GNAT);
	assert_int_equal(good("--demangle=none --demangle").report.demangle, DEMANGLE_NONE);
	expect_operands("--demangle foo", "foo: gmon.out");
	wrong("--demangle=foo", "unknown demangling style 'foo'");
	wrong("--demangle=", "unknown demangling style ''");
	wrong("--demangle=AUTO", "unknown demangling style 'AUTO'");
}

static void formats(void **state)
{
	(void)state;
	assert_int_equal(good("").input.format, GMON_ANY);
	assert_int_equal(good("-O auto").input.format, GMON_ANY);
	assert_int_equal(good("-Omagic").input.format, GMON_CURRENT);
	assert_int_equal(good("--file-format=bsd").input.format, GMON_BSD);
	assert_int_equal(good("--file-format 4.4bsd").input.format, GMON_BSD44);
	/* The first letter decides, of several options the last. */
	assert_int_equal(good("-O 4").input.format, GMON_BSD44);
	assert_int_equal(good("-O bxyz").input.format, GMON_BSD);
	assert_int_equal(good("-Om -Oa -Ob").input.format, GMON_BSD);
	assert_int_equal(good("-Om -Oa").input.format, GMON_ANY);
	wrong("-O x", "unknown data file format 'x'");
	wrong("-O ~", "unknown data file format ''");
	wrong("-O", "option -O (--file-format) needs an argument: FORMAT");
	wrong("-O prof", "prof");
}

static void specifications_go_to_their_tables(void **state)
{
	static const char *const cases[][2] = {
		{ "-pmain", "+flat main" },
		{ "--flat-profile=main", "+flat main" },
		{ "-pa/b", "+flat a/b" },
		{ "-Pmain", "-flat main" },
		{ "-Pa/b", "-flat a/b" },
		{ "-qmain", "+graph main" },
		{ "-qa/b", "+arcs a/b" },
		{ "--graph=a/b", "+arcs a/b" },
		{ "-Qmain", "-graph main" },
		{ "-Qa/b", "-arcs a/b" },
		{ "-q/", "+arcs /" },
		{ "-Cmain", "+exec main" },
		{ "-Ca/b", "+exec a/b" },
		{ "-Zmain", "-exec main" },
		{ "-Za/b", "-exec a/b" },
		{ "-nmain", "+time main" },
		{ "-n a/b", "+time a/b" },
		{ "--time=main", "+time main" },
		{ "--time main", "+time main" },
		{ "-N main", "-time main" },
		{ "-Na/b", "-time a/b" },
		{ "--no-time main", "-time main" },
		{ "-e main", "-graph main" },
		{ "-ea/b", "-graph a/b" },
		{ "-E main", "-graph main, -time main" },
		{ "-Ea/b", "-graph a/b, -time a/b" },
		{ "-f main", "+graph main" },
		{ "-fa/b", "+graph a/b" },
		{ "-F main", "+graph main, +time main" },
		{ "-Fa/b", "+graph a/b, +time a/b" },
		{ "-k a/b", "-arcs a/b" },
		{ "-kmain", "-arcs main" },
		{ "-k -b", "-arcs -b" },
		{ "-e ~", "-graph " },
		{ "-px.c:f.0", "+flat x.c:f.0" },
		/* Without a specification there is none. */
		{ "-p -P -q -Q -C -Z", "" },
		{ "-p main -q a/b", "" },
		/* All count, in their order. */
		{ "-pa -Pb -pa -kc/d -bpz", "+flat a, -flat b, +flat a, -arcs c/d, +flat z" },
		{ "x -e a y -E b", "-graph a, -graph b, -time b" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		expect_requests(cases[i][0], cases[i][1]);
}

static void specifications_are_arguments(void **state)
{
	(void)state;
	wrong("-k", "option -k needs an argument: FROM/TO");
	wrong("-b -e", "option -e needs an argument: SPEC");
	wrong("--time", "option -n (--time) needs an argument: SPEC");
}

/* A report without its specified part is a report; the tables of other options are none. */
static void specifications_choose_reports(void **state)
{
	static const struct {
		const char *line;
		unsigned wanted, mentioned;
	} cases[] = {
		{ "-pmain", REPORT_FLAT, REPORT_FLAT },
		{ "-Pmain", REPORT_FLAT, REPORT_FLAT },
		{ "-qa/b", REPORT_GRAPH, REPORT_GRAPH },
		{ "-Qa/b", REPORT_GRAPH, REPORT_GRAPH },
		{ "-Qmain", REPORT_GRAPH, REPORT_GRAPH },
		{ "-Zmain", REPORT_COUNTS, REPORT_COUNTS },
		{ "-P -Pmain", REPORT_FLAT, REPORT_FLAT },
		{ "-Pmain -P", 0, REPORT_FLAT },
		{ "-e a -E b -f c -F d -n e -N f -k g/h", 0, 0 },
		{ "-s", REPORT_SUM, REPORT_SUM },
		{ "--sum", REPORT_SUM, REPORT_SUM },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct options opt = good(cases[i].line);

		assert_int_equal(opt.report.wanted, cases[i].wanted);
		assert_int_equal(opt.report.mentioned, cases[i].mentioned);
	}
}

/* GNU gprof's long option without a name is -e. */
static void nameless_options(void **state)
{
	(void)state;
	expect_requests("--=main", "-graph main");
	expect_requests("--=a/b x", "-graph a/b");
	expect_requests("--= x", "-graph ");
}

static void our_own_options(void **state)
{
	static const char *const words[] = { "--all-symbols", "--all-symbol", "--all-sy",
					     "--all-s" };

	(void)state;
	assert_false(good("").input.program.symbols.all);
	for (size_t i = 0; i < COUNT(words); i++) {
		assert_true(good(words[i]).input.program.symbols.all);
		assert_true(good("x --all-s y -b").report.brief);
	}
	expect_operands("x --all-s y", "x: y");
	expect_operands("-- --all-s", "--all-s: gmon.out");
	wrong("--all-symbols=3", "option '--all-symbols' takes no argument");
	wrong("--all-s=", "option '--all-s' takes no argument");
	wrong("--all-symbolsx", "unknown option '--all-symbolsx'");
	wrong("--all-x", "unknown option '--all-x'");
	wrong("--a", "'--a' is short for several: --annotated-source --all-symbols --all-lines");
}

static void help_and_version_act_at_once(void **state)
{
	static const char *const help[] = { "-h",  "--help",        "--he", "-h -v",
					    "-bh", "-h --nonsense", "-h -g" };
	static const char *const version[] = { "-v", "--version", "-v -h", "-vh", "x -v -g" };
	struct parsed p;

	(void)state;
	for (size_t i = 0; i < COUNT(help); i++) {
		parse(&p, help[i]);
		assert_int_equal(p.result, OPTIONS_DONE);
		assert_int_equal(strncmp(p.out, "Usage: gprof", 12), 0);
		assert_non_null(strstr(p.out, "  -p, --flat-profile[=SPEC]"));
		assert_non_null(strstr(p.out, "  -w, --width=COLUMNS"));
		assert_non_null(strstr(p.out, "\n  -k FROM/TO"));
		assert_non_null(strstr(p.out, "\n      --inline-file-names"));
		assert_null(strstr(p.out, PACKAGE_STRING));
		forget(&p);
	}
	for (size_t i = 0; i < COUNT(version); i++) {
		parse(&p, version[i]);
		assert_int_equal(p.result, OPTIONS_DONE);
		assert_int_equal(strncmp(p.out, PACKAGE_STRING "\n", strlen(PACKAGE_STRING) + 1),
				 0);
		assert_null(strstr(p.out, "Usage"));
		forget(&p);
	}
	wrong("--nonsense -h", "unknown option");
	wrong("-w", "needs");
	wrong("-g -v", "'-g'");
}

static void operands(void **state)
{
	(void)state;
	expect_operands("prog", "prog: gmon.out");
	expect_operands("prog one", "prog: one");
	expect_operands("prog one two one", "prog: one two one");
	expect_operands("-b prog -p one -q two -w 7 three", "prog: one two three");
	expect_operands("prog -", "prog: -");
	expect_operands("- -", "-: -");
	expect_operands("-- -b -p", "-b: -p");
	expect_operands("prog -- -p --", "prog: -p --");
	expect_operands("-b -p prog", "prog: gmon.out");
	expect_operands("~ ~", ": ");
	assert_false(good("prog -- -b").report.brief);
	assert_true(good("prog one -b").report.brief);
}

static void posix_order_ends_at_the_first_operand(void **state)
{
	(void)state;
	setenv("POSIXLY_CORRECT", "1", 1);
	expect_operands("-b prog -p", "prog: -p");
	unsetenv("POSIXLY_CORRECT");
	expect_operands("-b prog -p", "prog: gmon.out");
}

/* Whatever state a line leaves getopt in, the next one is parsed from its start. */
static void every_line_begins_anew(void **state)
{
	(void)state;
	wrong("-bgp", "'-g'");
	expect_operands("-z x", "x: gmon.out");
	assert_true(good("-z -b").report.brief);
	wrong("a b c -gzzz d e", "-g");
	assert_false(good("-b").report.zeros);
	wrong("-w", "needs");
	assert_int_equal(good("-p -w 3 x y").report.width, 3);
	assert_int_equal(good("x").report.width, 80);
	help_and_version_act_at_once(state);
	assert_int_equal(good("-q").report.wanted, REPORT_GRAPH);
	assert_int_equal(good("").report.wanted, 0);
}

static int without_posix_order(void **state)
{
	(void)state;
	return unsetenv("POSIXLY_CORRECT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(no_words_at_all),
		cmocka_unit_test(flags_have_their_fields),
		cmocka_unit_test(letters_cluster),
		cmocka_unit_test(reports_wanted_and_mentioned),
		cmocka_unit_test(long_names_can_be_short),
		cmocka_unit_test(unknown_options),
		cmocka_unit_test(widths),
		cmocka_unit_test(colors),
		cmocka_unit_test(demangling),
		cmocka_unit_test(formats),
		cmocka_unit_test(specifications_go_to_their_tables),
		cmocka_unit_test(specifications_are_arguments),
		cmocka_unit_test(specifications_choose_reports),
		cmocka_unit_test(nameless_options),
		cmocka_unit_test(our_own_options),
		cmocka_unit_test(help_and_version_act_at_once),
		cmocka_unit_test(operands),
		cmocka_unit_test(posix_order_ends_at_the_first_operand),
		cmocka_unit_test(every_line_begins_anew),
	};

	return cmocka_run_group_tests(tests, without_posix_order, NULL);
}
