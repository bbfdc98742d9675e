/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of dumps: what each form is taken for, and what is no line of a dump. */
#include "testing.h"

#include "io/profile/text_lines.h"

static struct text_line read_line(const char *text)
{
	struct text_line line;

	text_line_read(&line, text, strlen(text));
	return line;
}

/* A line of bytes is of that form, at that address, and begins with n bytes 67 6d 6f 6e, repeated.
 */
static void expect_bytes(const char *text, enum text_form form, uint64_t address, size_t n)
{
	static const unsigned char gmon[] = { 0x67, 0x6d, 0x6f, 0x6e };
	struct text_line line = read_line(text);

	assert_int_equal(line.form, form);
	assert_int_equal(line.part, TEXT_BYTES);
	assert_int_equal(line.address, address);
	assert_int_equal(line.n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(line.bytes[i], gmon[i % 4]);
	assert_false(line.damaged);
}

static void lines_of_bytes(void **state)
{
	(void)state;
	expect_bytes("0010: 67 6d 6f 6e gmon", TEXT_COLON, 0x10, 4);
	expect_bytes("0010: 67 6d                                           gm", TEXT_COLON, 0x10,
		     2);
	expect_bytes("00000010: 676d 6f6e 67                            gmong", TEXT_COLON, 0x10,
		     5);
	expect_bytes("00000010  67 6d 6f 6e 67 6d 6f 6e  67 6d 6f 6e  |gmongmongmon|", TEXT_HEXDUMP,
		     0x10, 12);
	expect_bytes("0000020 67 6d 6f 6e", TEXT_OD, 0x20, 4);
	expect_bytes("0000020  67  6d  6f  6e  >gmon<", TEXT_OD, 0x20, 4);
	expect_bytes("0000010 6d67 6e6f", TEXT_OD, 0x10, 4);
	expect_bytes(" 67 6d 6f 6e", TEXT_BARE, 0, 4);
	expect_bytes("[12:34:56.789] 0010: 67 6d 6f 6e gmon\r", TEXT_COLON, 0x10, 4);
	expect_bytes(":04001000676D6F6E3B", TEXT_INTEL, 0x10, 4);
	expect_bytes("S1070010676D6F6E37", TEXT_S, 0x10, 4);
	expect_bytes("S30900000010676D6F6E35", TEXT_S, 0x10, 4);
	expect_bytes("Z21vbg==:0000", TEXT_OWN, 0, 4);
}

static void other_lines(void **state)
{
	struct text_line line = read_line("*");

	(void)state;
	assert_int_equal(line.part, TEXT_SAME);
	line = read_line("00000123");
	assert_int_equal(line.form, TEXT_HEXDUMP);
	assert_int_equal(line.n, 0);
	assert_int_equal(line.address, 0x123);
	line = read_line(":02000004200ADA");
	assert_int_equal(line.part, TEXT_SEGMENT);
	assert_int_equal(line.address, 0x200a0000);
	assert_int_equal(read_line(":00000001FF").part, TEXT_END);
	assert_int_equal(read_line("S9030000FC").part, TEXT_END);
	assert_int_equal(read_line("S00600004844521B").part, TEXT_IGNORED);
	line = read_line("@gmon1 4711");
	assert_int_equal(line.part, TEXT_LENGTH);
	assert_int_equal(line.address, 4711);
	line = read_line("@gmonext 4712");
	assert_int_equal(line.part, TEXT_STACKS);
	assert_int_equal(line.address, 4712);
	line = read_line("@end 89abcdef");
	assert_int_equal(line.part, TEXT_END);
	assert_int_equal(line.address, 0x89abcdef);
	assert_true(read_line(":04001000676D6F6E40").damaged);
	assert_true(read_line("S1070010676D6F6E38").damaged);
}

static void noise(void **state)
{
	static const char *const lines[] = {
		"",
		"nsh> hexdump /data/gmon.out",
		"12:34:56 started",
		"1234 requests",
		"0010:67",
		"0010: the address",
		"00000010 675",
		"67",
		":04001000676D6F6E",
		":05001000676D6F6E3B",
		"S107",
		"S6",
		"@gmon1 4711x",
		"@gmon1 99999999999999999999",
		"@end 123x",
		"Z21v:0",
		"====:0000",
		"[12:34:56.789]",
		"[",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (read_line(lines[i]).form != TEXT_NOISE)
			fail_msg("taken for a line of a dump: %s", lines[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_bytes),
		cmocka_unit_test(other_lines),
		cmocka_unit_test(noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
