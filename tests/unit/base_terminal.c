/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal would take for a command is told from characters, also where bytes end early. */
#include "testing.h"

#include "base/output.h"
#include "base/terminal.h"

static void each_byte_alone(void **state)
{
	(void)state;
	for (int c = 0; c < 256; c++) {
		char byte = (char)c;
		bool control = c < ' ' || (c >= 0x7f && c < 0xa0);

		assert_int_equal(terminal_shows(&byte, 1), !control);
	}
}

static void characters_are_whole(void **state)
{
	static const struct {
		const char *bytes;
		size_t n, shows;
	} cases[] = {
		{ "\303\244", 2, 2 },         { "\303\244", 1, 1 },
		{ "\342\202\254", 3, 3 },     { "\342\202\254", 2, 1 },
		{ "\360\237\230\200", 4, 4 }, { "\360\237\230\200", 3, 1 },
		{ "\302\233", 2, 0 },         { "\302\237", 2, 0 },
		{ "\302\240", 2, 2 },         { "\302\033", 2, 1 },
		{ "\300\233", 2, 1 },         { "\340\202\233", 3, 1 },
		{ "\360\200\202\233", 4, 1 }, { "\365\200\200\200", 4, 1 },
		{ "\377\377", 2, 1 },         { "\342\033\233", 3, 1 },
		{ "\342\200\256", 3, 0 },     { "\342\200\255", 3, 0 },
		{ "\342\200\215", 3, 3 },     { "\342\200\217", 3, 0 },
		{ "\342\200\250", 3, 0 },     { "\342\200\247", 3, 3 },
		{ "\342\201\246", 3, 0 },     { "\342\201\252", 3, 3 },
		{ "\330\234", 2, 0 },         { "\330\235", 2, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(terminal_shows(cases[i].bytes, cases[i].n), cases[i].shows);
}

static void control_characters_become_question_marks(void **state)
{
	char text[] = "a\tb\342\200\256c\302\233d\303\244\233\342\200";

	(void)state;
	terminal_tame(text);
	assert_string_equal(text, "a?b???c??d\303\244?\342?");
}

/* What is shown of a name, of text, and of a name that goes elsewhere. */
static void output_escapes_on_terminals_only(void **state)
{
	static const char bytes[] = "a\tb\nc\033[m\302\233\233\303\244\\";
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	int fd = memory_file();

	(void)state;
	output_open(&out, fd, "file", &diag);
	assert_int_equal(output_name(&out, bytes, sizeof(bytes) - 1), sizeof(bytes) - 1);
	output_text(&out, "|");
	out.terminal = true;
	assert_int_equal(output_name(&out, bytes, sizeof(bytes) - 1), 32);
	output_text(&out, "|");
	output_foreign_text(&out, bytes, sizeof(bytes) - 1);
	assert_int_equal(output_name(&out, "", 0), 0);
	assert_int_equal(output_name(&out, "\0", 1), 4);
	assert_int_equal(output_close(&out), 0);
	assert_string_equal(written_text(fd, &mem), "a\tb\nc\033[m\302\233\233\303\244\\|"
						    "a\\011b\\012c\\033[m\\302\\233\\233\303\244\\|"
						    "a\tb\nc\\033[m\\302\\233\\233\303\244\\\\000");
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_alone),
		cmocka_unit_test(characters_are_whole),
		cmocka_unit_test(control_characters_become_question_marks),
		cmocka_unit_test(output_escapes_on_terminals_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
