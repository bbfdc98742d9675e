/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Abbreviations: each prefix of each of GNU gprof's long names means what it means there, whatever
 * options we have added. Names, and which have an argument, are those of its documentation.
 */
#include "testing.h"

#include "run/line/options.h"

enum { NONE, OPTIONAL, REQUIRED };

static const struct {
	const char *name;
	int argument;
} gnu[] = {
	{ "all-lines", NONE },
	{ "annotated-source", OPTIONAL },
	{ "brief", NONE },
	{ "debug", OPTIONAL },
	{ "demangle", OPTIONAL },
	{ "directory-path", REQUIRED },
	{ "display-unused-functions", NONE },
	{ "exec-counts", OPTIONAL },
	{ "external-symbol-table", REQUIRED },
	{ "file-format", REQUIRED },
	{ "file-info", NONE },
	{ "file-ordering", REQUIRED },
	{ "flat-profile", OPTIONAL },
	{ "function-ordering", NONE },
	{ "graph", OPTIONAL },
	{ "help", NONE },
	{ "ignore-non-functions", NONE },
	{ "inline-file-names", NONE },
	{ "line", NONE },
	{ "min-count", REQUIRED },
	{ "no-annotated-source", OPTIONAL },
	{ "no-demangle", NONE },
	{ "no-exec-counts", OPTIONAL },
	{ "no-flat-profile", OPTIONAL },
	{ "no-graph", OPTIONAL },
	{ "no-static", NONE },
	{ "no-time", REQUIRED },
	{ "print-path", NONE },
	{ "separate-files", NONE },
	{ "static-call-graph", NONE },
	{ "sum", NONE },
	{ "table-length", REQUIRED },
	{ "time", REQUIRED },
	{ "traditional", NONE },
	{ "version", NONE },
	{ "width", REQUIRED },
};

/* Of GNU gprof's long names the one that a word is short for: its place, or none, or several. */
enum { NO_NAME = -1, SEVERAL = -2 };

static int slow_find(const char *word)
{
	int found = NO_NAME;

	for (int i = 0; i < (int)COUNT(gnu); i++) {
		if (strcmp(gnu[i].name, word) == 0)
			return i;
	}
	for (int i = 0; i < (int)COUNT(gnu); i++) {
		if (strncmp(gnu[i].name, word, strlen(word)) == 0)
			found = found == NO_NAME ? i : SEVERAL;
	}
	return found;
}

/* What comes of one word: the options, whether they run, and all that is said or written. */
struct outcome {
	struct options opt;
	enum options_result result;
	struct messages log;
	const char *out;
};

static void parse(struct outcome *o, const char *name, const char *argument, struct arena *mem)
{
	struct diag diag = test_diag(&o->log);
	const struct options *opt;
	struct output out;
	char word[100], *argv[] = { (char *)"gprof", word, NULL };
	int fd = memory_file();

	memset(o, 0, sizeof(*o));
	snprintf(word, sizeof(word), "--%s%s", name, argument);
	output_open(&out, fd, "out", &diag);
	o->result = options_parse(&opt, 2, argv, &out, mem, &diag);
	o->opt = *opt;
	o->opt.input.search.debug.cache =
		NULL; /* from the environment, at another address each time */
	assert_int_equal(output_close(&out), 0);
	o->out = written_text(fd, mem);
}

static void expect_equal(const char *word, const char *name)
{
	struct arena mem = test_arena();
	struct outcome *a = arena_array(&mem, struct outcome, 2), *b = a + 1;

	/* Without their arguments, of which some name the option: no pointer of theirs can differ.
	 */
	parse(a, word, "", &mem);
	parse(b, name, "", &mem);
	if (a->result != b->result || a->log.n != b->log.n ||
	    strcmp(a->log.line[0], b->log.line[0]) != 0 || strcmp(a->out, b->out) != 0 ||
	    memcmp(&a->opt, &b->opt, sizeof(a->opt)) != 0)
		fail_msg("--%s is not --%s: '%s'", word, name, a->log.line[0]);
	arena_free(&mem);
}

/* The word is refused; the message has it between two texts. */
static void expect_refused(const char *word, const char *argument, const char *before,
			   const char *behind)
{
	struct arena mem = test_arena();
	struct outcome *o = arena_array(&mem, struct outcome, 1);
	char message[200];

	parse(o, word, argument, &mem);
	snprintf(message, sizeof(message), "%s--%s%s", before, word, behind);
	if (o->result != OPTIONS_WRONG || o->log.n != 1 || !strstr(o->log.line[0], message))
		fail_msg("--%s%s gives %d: '%s'", word, argument, o->result, o->log.line[0]);
	arena_free(&mem);
}

static void each_prefix_of_each_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(gnu); i++) {
		for (size_t len = 1; len <= strlen(gnu[i].name); len++) {
			char word[60];
			int found;

			snprintf(word, sizeof(word), "%.*s", (int)len, gnu[i].name);
			found = slow_find(word);
			assert_int_not_equal(found, NO_NAME);
			if (found == SEVERAL) {
				expect_refused(word, "", "option '", "' is short for several: --");
				expect_refused(word, "=x", "option '",
					       "' is short for several: --");
				continue;
			}
			expect_equal(word, gnu[found].name);
			if (gnu[found].argument == NONE)
				expect_refused(word, "=x", "option '", "' takes no argument");
		}
	}
}

static void missing_arguments(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(gnu); i++) {
		if (gnu[i].argument == REQUIRED)
			expect_refused(gnu[i].name, "", "(", ") needs an argument: ");
	}
}

/* One changed or added character more is no name any longer. */
static void near_each_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(gnu); i++) {
		char word[60];

		snprintf(word, sizeof(word), "%s_", gnu[i].name);
		expect_refused(word, "", "unknown option '", "'");
		snprintf(word, sizeof(word), "%s", gnu[i].name);
		word[strlen(word) - 1] = '_';
		expect_refused(word, "", "unknown option '", "'");
		word[0] = (char)(word[0] - 'a' + 'A');
		expect_refused(word, "", "unknown option '", "'");
	}
}

/* Names that differ are told apart here: the comparison can fail. */
static void names_differ(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(gnu); i++) {
		for (size_t k = 0; k < i; k++) {
			struct arena mem = test_arena();
			struct outcome *a = arena_array(&mem, struct outcome, 2), *b = a + 1;

			parse(a, gnu[i].name, "", &mem);
			parse(b, gnu[k].name, "", &mem);
			if (strcmp(a->log.line[0], b->log.line[0]) == 0 &&
			    strcmp(a->out, b->out) == 0 && strcmp(gnu[k].name, "demangle") != 0)
				if (memcmp(&a->opt, &b->opt, sizeof(a->opt)) == 0)
					fail_msg("--%s is --%s", gnu[i].name, gnu[k].name);
			arena_free(&mem);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_prefix_of_each_name),
		cmocka_unit_test(missing_arguments),
		cmocka_unit_test(near_each_name),
		cmocka_unit_test(names_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
