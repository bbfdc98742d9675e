/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the command line by the rows of options.def. */
#include "config.h"

#include "run/line/options.h"

#include "run/line/check_options.h"
#include "run/line/help.h"
#include "run/line/mistakes.h"
#include "run/line/option_keys.h"
#include "run/line/option_table.h"
#include "run/line/synonyms.h"
#include "run/line/versus_keys.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The command line's parser: its input, its state and its result. */
struct options_parser {
	struct options *opt;
	struct output *out;
	struct arena *mem;
	struct diag *diag;
	const char *first_file; /* the argument of a -o before all exports, or NULL; see
				   check_options_output() */
	bool stops; /* options end at the first operand; the words after it are a program's */
	const char *meant; /* what the user may have meant by the current option, or NULL */
};

static enum options_result options_result_of(int rc)
{
	return rc < 0 ? OPTIONS_WRONG : OPTIONS_RUN;
}

/* Adds a specification to each table of the set. */
static void options_select_in(const struct options_parser *p, unsigned tables, bool exclude,
			      const char *spec)
{
	for (unsigned t = 0; t < NTABLES; t++) {
		if (tables & 1u << t)
			array_push(p->mem, &p->opt->analysis.select.requests) =
				(struct select_request){ spec, (enum select_table)t, exclude,
							 p->meant };
	}
}

/*
 * Parses text that is a number and nothing else. Like atoi(), loses the upper bits of a number that
 * does not fit.
 */
static enum options_result options_parse_number(struct options_parser *p, const struct row *row,
						const char *value)
{
	struct report_options *report = &p->opt->report;
	char name[OPTION_TABLE_NAME_BYTES], *end;
	int n = (int)(uint32_t)strtol(value, &end, 10);

	if (end == value || *end != '\0') {
		option_table_name(row, name);
		diag_error(p->diag, "%s must be a number, not '%s'%s", name, value,
			   p->meant ? p->meant : "");
		return OPTIONS_WRONG;
	}
	if (row->action == WIDTH)
		report->width = n < 1 ? 1 : n;
	else if (row->action == TABLE_LENGTH)
		report->table_length = n < 0 ? 0 : n;
	else
		report->min_count = strtoul(value, NULL, 10);
	return OPTIONS_RUN;
}

/* Returns the table that a specification given with a report's option (-pSPEC) applies to. */
static unsigned options_table_of_report(unsigned report, const char *spec)
{
	switch (report) {
	case REPORT_FLAT:
		return TABLE(FLAT);
	case REPORT_GRAPH:
		return strchr(spec, '/') ? TABLE(ARCS) : TABLE(GRAPH);
	case REPORT_COUNTS:
		return TABLE(EXEC);
	case REPORT_SOURCE:
		return TABLE(LINES);
	case REPORT_INCLUSIVE:
		return TABLE(INCLUSIVE);
	case REPORT_TREE:
		return TABLE(TREE);
	default:
		return 0;
	}
}

/*
 * Turns a report on or, for -P and the like, off. A report that was turned off counts as mentioned,
 * so that it does not come back as a default. Turning it off for a specification asks for the
 * report of all other functions.
 */
static void options_want_report(const struct options_parser *p, const struct row *row,
				const char *spec)
{
	struct report_options *report = &p->opt->report;
	unsigned bit = (unsigned)row->target;
	bool off = row->action == REPORT_OFF;

	if (spec)
		options_select_in(p, options_table_of_report(bit, spec), off, spec);
	report->mentioned |= bit;
	if (off && !spec)
		report->wanted &= ~bit;
	else
		report->wanted |= bit;
}

static enum options_result options_want_order(const struct options_parser *p, enum order_kind kind,
					      const char *map)
{
	p->opt->report.mentioned |= REPORT_ORDER;
	p->opt->report.wanted |= REPORT_ORDER;
	if (kind == ORDER_OBJECTS)
		p->opt->input.program.mapfile = map;
	else
		p->opt->analysis.order = kind;
	return OPTIONS_RUN;
}

static enum options_result options_add_entry(const struct options_parser *p, const char *value)
{
	static const struct option_keys_named entry = { "entry", "NAME[,depth=N]", 1 };
	struct named_request request;

	if (option_keys_named(&request, &entry, value, p->mem, p->diag) < 0)
		return OPTIONS_WRONG;
	array_push(p->mem, &p->opt->analysis.entry.requests) = request;
	p->opt->report.mentioned |= REPORT_GRAPH;
	p->opt->report.wanted |= REPORT_GRAPH;
	return OPTIONS_RUN;
}

static enum options_result options_add_source(const struct options_parser *p, const char *value)
{
	static const struct option_keys_named source = { "source", "SPEC[,context=N|,asm]",
							 UINT32_MAX };
	struct named_request request;

	if (option_keys_named(&request, &source, value, p->mem, p->diag) < 0)
		return OPTIONS_WRONG;
	if (request.flagged) {
		array_push(p->mem, &p->opt->analysis.instructions) = request;
		p->opt->report.wanted |= REPORT_INSTRUCTIONS;
		return OPTIONS_RUN;
	}
	array_push(p->mem, &p->opt->analysis.source.requests) = request;
	p->opt->report.wanted |= REPORT_LISTING;
	return OPTIONS_RUN;
}

static enum options_result options_add_export(const struct options_parser *p, const char *value)
{
	struct export_request request;

	if (export_parse(&request, value, p->mem, p->diag) < 0)
		return OPTIONS_WRONG;
	array_push(p->mem, &p->opt->exports) = request;
	return OPTIONS_RUN;
}

/*
 * Sets the output file (-o) of the last export before it or, if there is no export yet, keeps it
 * for the sum or the first export.
 */
static enum options_result options_name_output(struct options_parser *p, const char *file)
{
	size_t n = p->opt->exports.n;
	const char **of = n > 0 ? &p->opt->exports.at[n - 1].file : &p->first_file;

	if (*of) {
		diag_error(p->diag, "two files for one export: '%s' and '%s'", *of, file);
		return OPTIONS_WRONG;
	}
	*of = value_is_stdout(file) ? "-" : file;
	return OPTIONS_RUN;
}

/* Asks for --ranks: a report or, with the key csv, an export. */
static enum options_result options_want_ranks(const struct options_parser *p, const char *keys)
{
	bool csv;

	if (option_keys_ranks(&p->opt->ranks, &csv, keys, p->mem, p->diag) < 0)
		return OPTIONS_WRONG;
	if (csv)
		return options_add_export(p, "csv,table=ranks");
	p->opt->report.wanted |= REPORT_RANKS;
	return OPTIONS_RUN;
}

/*
 * Options after the program's name are the program's own, so this must be known before any word is
 * parsed.
 */
static bool options_has_run(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--run") == 0 || strncmp(argv[i], "--run=", 6) == 0)
			return true;
	}
	return false;
}

static enum options_result options_want_run(struct options_parser *p, const char *keys)
{
	if (!p->stops) {
		diag_error(p->diag, "--run cannot be abbreviated");
		return OPTIONS_WRONG;
	}
	p->opt->launch.wanted = true;
	return options_result_of(option_keys_run(&p->opt->launch, keys, p->mem, p->diag));
}

static enum options_result options_want_top(const struct options_parser *p, const char *value)
{
	struct report_options *report = &p->opt->report;

	report->wanted |= REPORT_TOP;
	report->top = 0;
	return options_result_of(value ? value_top(&report->top, value, p->diag) : 0);
}

/* Applies an option whose argument has keys or names a file. */
static enum options_result options_apply_request(struct options_parser *p, const struct row *row,
						 const char *value)
{
	switch (row->action) {
	case ENTRY:
		return options_add_entry(p, value);
	case SOURCE:
		return options_add_source(p, value);
	case EXPORT:
		return options_add_export(p, value);
	case OUTPUT:
		return options_name_output(p, value);
	case DIFF:
		return options_result_of(option_keys_diff(&p->opt->diff, value, p->mem, p->diag));
	case VERSUS:
		return options_result_of(
			versus_keys_parse(&p->opt->versus, value, p->mem, p->diag));
	case ORDER:
		return options_result_of(option_keys_order(&p->opt->order, value, p->mem, p->diag));
	case RANKS:
		return options_want_ranks(p, value);
	case RUN:
		return options_want_run(p, value);
	default:
		return OPTIONS_RUN;
	}
}

/* Applies an option about load addresses or shared libraries. */
static enum options_result options_apply_objects(struct options_parser *p, const struct row *row,
						 const char *value)
{
	struct session_input *input = &p->opt->input;

	if (row->action == LIBRARIES)
		return options_result_of(value_libraries(&input->libraries, value, p->diag));
	if (row->action == DEBUGINFOD)
		return options_result_of(value_seconds(&input->fetch_seconds, value, p->diag));
	input->objects |= row->action == OBJECTS;
	p->opt->report.objects = input->objects;
	if (row->action == OBJECTS)
		return options_result_of(value_objects(&input->patterns, value, p->mem));
	if (row->action == NAMES)
		return options_result_of(value_names(&input->plain_names, value, p->diag));
	input->has_image_base |= row->action == IMAGE_BASE;
	if (row->action == IMAGE_BASE)
		return options_result_of(value_image_base(&input->image_base, value, p->diag));
	if (row->action == LOAD_ALIAS)
		return options_result_of(value_load_alias(&input->aliases, value, p->mem, p->diag));
	source_add_path(row->action == DEBUG_PATH ? &input->search.debug.roots
						  : &input->search.directories,
			value, p->mem);
	return OPTIONS_RUN;
}

/* Applies an option whose argument must be parsed. */
static enum options_result options_apply_value(struct options_parser *p, const struct row *row,
					       const char *value)
{
	struct options *opt = p->opt;

	switch (row->action) {
	case WIDTH:
	case MIN_COUNT:
	case TABLE_LENGTH:
		return options_parse_number(p, row, value);
	case SOURCE_PATH:
		source_add_path(&opt->input.source_path, value, p->mem);
		break;
	case DEMANGLE:
		opt->report.raw_names = false;
		/*
		 * Without a style, demangling is turned on again in the style that was given last.
		 */
		return options_result_of(
			value ? value_demangle(&opt->report.demangle, value, p->diag) : 0);
	case IMAGE_BASE:
	case LOAD_ALIAS:
	case LIBRARIES:
	case NAMES:
	case OBJECTS:
	case OBJECT_PATH:
	case DEBUG_PATH:
	case DEBUGINFOD:
		return options_apply_objects(p, row, value);
	case THREAD_VIEW:
		opt->input.all_threads = value && strcmp(value, "all") == 0;
		opt->input.thread = opt->input.all_threads ? NULL : value;
		if (!value)
			opt->report.wanted |= REPORT_THREADS;
		break;
	case SECONDS:
		return options_result_of(
			value_moment(&opt->input.range, row->target, value, p->diag));
	case TOP:
		return options_want_top(p, value);
	case COLOR:
		return options_result_of(value_color(&opt->color, value, p->diag));
	case CONFIDENCE:
		return options_result_of(value_level(&opt->analysis.level, value, p->diag));
	case FORMAT:
		return options_result_of(
			value_format(&opt->input.format, value ? value : "", p->diag));
	default:
		return options_apply_request(p, row, value);
	}
	return OPTIONS_RUN;
}

static enum options_result options_apply(struct options_parser *p, const struct row *row,
					 const char *value)
{
	switch (row->action) {
	case TURN_ON:
		*(bool *)((char *)p->opt + row->target) = true;
		return OPTIONS_RUN;
	case TEXT:
		*(const char **)((char *)p->opt + row->target) = value;
		return OPTIONS_RUN;
	case REPORT_ON:
	case REPORT_OFF:
		options_want_report(p, row, value);
		return OPTIONS_RUN;
	case ORDERING:
		return options_want_order(p, (enum order_kind)row->target, value);
	case INCLUDE:
	case EXCLUDE:
		options_select_in(p, (unsigned)row->target, row->action == EXCLUDE, value);
		return OPTIONS_RUN;
	case SHOW_HELP:
		help_write(p->out);
		return OPTIONS_DONE;
	case SHOW_VERSION:
		help_write_version(p->out);
		return OPTIONS_DONE;
	default:
		return options_apply_value(p, row, value);
	}
}

/*
 * Reports an option that getopt_long() rejected. words[0] is the last word that getopt_long() has
 * finished.
 */
static enum options_result options_say_wrong(int result, char **words, struct arena *mem,
					     struct diag *diag)
{
	const char *word = words[0];

	if (result == ':') {
		const struct row *row = option_table_find(optopt);
		char name[OPTION_TABLE_NAME_BYTES];

		option_table_name(row, name);
		diag_error(diag, "option %s needs an argument: %s", name, row->argument_name);
	} else if (optopt >= OPTION_TABLE_FIRST_LONG) {
		diag_error(diag, "option '%.*s' takes no argument", (int)strcspn(word, "="), word);
	} else if (optopt != 0) { /* optopt is negative for bytes that are not ASCII */
		mistakes_say_unknown(words, optopt, diag);
	} else {
		mistakes_say_long(word, mem, diag);
	}
	return OPTIONS_WRONG;
}

static void options_take_operands(struct session_input *input, int argc, char **argv)
{
	static const char *const default_profile[] = { "gmon.out" };

	input->program_named = optind < argc;
	input->profile_named = optind + 1 < argc;
	input->program.path = optind < argc ? argv[optind++] : "a.out";
	input->profiles = optind < argc ? (const char *const *)argv + optind : default_profile;
	input->nprofiles = optind < argc ? argc - optind : 1;
}

/* Takes the operands as the command line of a program to run. */
static enum options_result options_take_command(struct options *opt, int argc, char **argv,
						struct diag *diag)
{
	if (!opt->launch.wanted)
		diag_error(diag, "--run must come before the program: gprof --run %s",
			   optind < argc ? argv[optind] : "PROGRAM");
	else if (optind >= argc)
		diag_error(diag, "--run needs a program to run: gprof --run PROGRAM [ARGUMENT...]");
	else
		opt->launch.command = argv + optind;
	opt->launch.libraries = opt->input.objects;
	opt->separate.n = 0; /* these words are the program's */
	if (!opt->report.wanted && !opt->explain && opt->exports.n == 0 && !opt->diff.base &&
	    !opt->order.style && !opt->versus.wanted)
		opt->report.wanted = REPORT_TOP | (opt->input.objects ? REPORT_OBJECTS : 0);
	return opt->launch.command ? OPTIONS_RUN : OPTIONS_WRONG;
}

/* Parses all options, in the order in which they are given. */
static enum options_result options_parse_words(struct options_parser *p, int argc, char **argv)
{
	enum options_result result = OPTIONS_RUN;
	struct option_table_tables tables;
	int value;

	option_table_describe(&tables, p->stops);
	opterr = 0;
	optind = 0; /* makes GNU's getopt forget a command line that was parsed earlier */
	while (result == OPTIONS_RUN &&
	       (value = getopt_long(argc, argv, tables.letters, tables.names, NULL)) != -1) {
		const struct row *row = NULL;
		const char *argument = optarg;

		if (value != '?' && value != ':')
			row = option_table_find(value);
		else if (value == '?' && optopt == 0)
			row = option_table_find_own(argv[optind - 1], argc, argv, &argument);
		if (!row)
			return options_say_wrong(value, argv + optind - 1, p->mem, p->diag);
		p->meant = mistakes_glued(argv[optind - 1], argument, p->mem);
		result = options_apply(p, row, argument);
	}
	return result;
}

static bool options_shows_cpu(const struct options *opt)
{
	return !opt->input.clock || strcmp(opt->input.clock, "cpu") == 0;
}

/* Returns an option that cannot be combined with --diff, or NULL. */
static const char *options_no_difference(const struct options *opt)
{
	return opt->explain                        ? "--explain"
	       : opt->convert_blocks               ? "--bb-convert"
	       : opt->report.wanted & REPORT_RANKS ? "--ranks"
	       : opt->input.program.by_line        ? "-l (--line)"
	       : !options_shows_cpu(opt) && strcmp(opt->input.clock, "off") != 0
		       ? "a --clock other than cpu or off"
		       : NULL;
}

/* Returns an option that asks for another output than --order, or NULL. */
static const char *options_no_order(const struct options *opt)
{
	return opt->diff.base                               ? "--diff"
	       : opt->versus.wanted                         ? "--versus"
	       : opt->exports.n > 0                         ? "--export"
	       : opt->report.wanted & REPORT_SUM            ? "-s (--sum)"
	       : opt->report.wanted & ~(unsigned)REPORT_SUM ? "a report"
	       : !options_shows_cpu(opt)                    ? "a --clock other than cpu"
							    : options_no_difference(opt);
}

/* Returns an option that cannot be combined with --versus, or NULL. */
static const char *options_no_versus(const struct options *opt)
{
	return opt->diff.base       ? "--diff"
	       : opt->order.style   ? "--order"
	       : opt->launch.keep   ? "--run=keep"
	       : opt->report.wanted ? "a report"
				    : options_no_difference(opt);
}

/*
 * --top=N limits an export as JSON, too. If that goes to standard output, it stands in place of the
 * first screen.
 */
static void options_limit_exports(struct options *opt)
{
	if (!(opt->report.wanted & REPORT_TOP) || opt->report.top == 0)
		return;
	for (size_t i = 0; i < opt->exports.n; i++) {
		struct export_request *request = &opt->exports.at[i];

		if (strcmp(request->format->name, "json") != 0)
			continue;
		if (!request->value[EXPORT_JSON_ROWS].given)
			request->value[EXPORT_JSON_ROWS] =
				(struct keys_value){ .given = true, .count = opt->report.top };
		if (request->file && strcmp(request->file, "-") == 0)
			opt->report.wanted &= ~(unsigned)REPORT_TOP;
	}
}

/* Checks combinations of options. */
static enum options_result options_check(const struct options_parser *p)
{
	struct options *opt = p->opt;

	/* GNU gprof's sum (-s) together with other reports makes these reports by line. */
	if (opt->report.wanted & REPORT_SUM && opt->report.wanted & ~(unsigned)OWN_REPORTS)
		opt->input.program.by_line = true;
	opt->input.keeps_pipes = opt->analysis.level > 0.0;
	opt->analysis.entry.style = opt->analysis.source.style = report_style(&opt->report);
	if (opt->report.time_columns && !(opt->report.mentioned & REPORT_SOURCE))
		opt->report.wanted |= REPORT_SOURCE;
	if (opt->order.style)
		opt->order.file = p->first_file;
	else if (check_options_output(opt->report.wanted, p->first_file, &opt->sum,
				      &opt->report_file, &opt->exports, p->diag) < 0)
		return OPTIONS_WRONG;
	options_limit_exports(opt);
	if (!opt->diff.base && !opt->versus.wanted &&
	    export_check_single(&opt->exports, p->diag) < 0)
		return OPTIONS_WRONG;
	if (check_options_exports(&opt->exports, p->diag) < 0 ||
	    check_options_symbols(opt->gnu_symbols, &opt->input, p->diag) < 0 ||
	    check_options_times(opt->report.wanted, &opt->input, p->diag) < 0 ||
	    check_options_diff(&opt->diff, &opt->exports, options_no_difference(opt), p->diag) <
		    0 ||
	    check_options_versus(&opt->versus, opt->history, opt->launch.wanted, &opt->exports,
				 options_no_versus(opt), p->diag) < 0 ||
	    check_options_linker(&opt->order, options_no_order(opt), p->diag) < 0)
		return OPTIONS_WRONG;
	return options_result_of(
		check_options_order(opt->input.program.mapfile, &opt->analysis.order, p->diag));
}

static bool options_is_yes(const char *value)
{
	return value && strcmp(value, "yes") == 0;
}

enum options_result options_parse(const struct options **parsed, int argc, char **argv,
				  struct output *out, struct arena *mem, struct diag *diag)
{
	struct options *opt = arena_array(mem, struct options, 1);
	struct options_parser parser = { .opt = opt, .out = out, .mem = mem, .diag = diag };
	enum options_result result;

	*parsed = opt;
	*opt = (struct options){
		.report = { .width = 80,
			    .min_count = 1,
			    .table_length = 10,
			    .demangle = DEMANGLE_AUTO },
		.separate = mistakes_separate(argc, argv, mem),
	};
	if (synonyms_say_command(argc, argv, diag))
		return OPTIONS_WRONG;
	parser.stops = options_has_run(argc, argv);
	result = options_parse_words(&parser, argc, argv);
	if (result == OPTIONS_RUN && parser.stops)
		result = options_take_command(opt, argc, argv, diag);
	if (result != OPTIONS_RUN)
		return result;
	if (getenv("GPROF_PATH"))
		source_add_path(&opt->input.source_path, getenv("GPROF_PATH"), mem);
	opt->input.search.debug.cache = debug_places_cache(mem);
	if (opt->input.fetch_seconds == 0 && options_is_yes(getenv("GPROF_DEBUGINFOD")))
		opt->input.fetch_seconds = FETCH_SECONDS;
	options_take_operands(&opt->input, argc, argv);
	return options_check(&parser);
}
