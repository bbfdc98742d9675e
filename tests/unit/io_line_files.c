/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files named by line tables are those that libdw reads: of this program, and of what else is named
 * on the command line. In tables made by hand, what compilers do not write is refused.
 */
#include "testing.h"

#include "io/image/debuginfo.h"
#include "io/image/line_files.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 1000 };

static void expect_name(const struct line_file *file, const char *expected)
{
	size_t n = file->directory && file->name[0] != '/' ? strlen(file->directory) : 0;

	if (n > 0) {
		assert_memory_equal(expected, file->directory, n);
		assert_int_equal(expected[n], '/');
		n++;
	}
	assert_string_equal(expected + n, file->name);
}

static void expect_files(Dwarf_Die *unit, struct line_program program, struct line_files *files,
			 struct arena *mem)
{
	Dwarf_Attribute attribute;
	struct line_header header;
	Dwarf_Files *expected;
	uint64_t most = UINT64_MAX;
	size_t n;

	if (!dwarf_attr(unit, DW_AT_stmt_list, &attribute))
		return;
	assert_int_equal(dwarf_formudata(&attribute, &program.at), 0);
	assert_int_equal(dwarf_getsrcfiles(unit, &expected, &n), 0);
	assert_null(line_header_read(&header, &program));
	assert_true(line_files_read(files, &program, &header,
				    dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)),
				    &most, mem));
	assert_int_equal(files->all.n, n);
	assert_int_equal(UINT64_MAX - most,
			 files->directories.n + n - (header.version < 5 ? 2 : 0));
	for (size_t i = 0; i < n; i++)
		expect_name(&files->all.at[i], dwarf_filesrc(expected, i, NULL, NULL));
}

static void same_as_libdw(void **state)
{
	const struct image_file file = { .path = *state, .fd = open(*state, O_RDONLY) };
	struct line_damage damage = { 0 };
	struct arena mem = test_arena();
	struct line_files files = { 0 };
	struct debuginfo info;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	/* A program without debug information proves nothing. */
	if (!debuginfo_open(&info, &file, &damage))
		return;
	while (dwarf_get_units(info.dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		expect_files(&unit, debuginfo_lines(&info), &files, &mem);
	debuginfo_close(&info);
	close(file.fd);
	arena_free(&mem);
}

struct tables {
	struct arena mem;
	struct line_files files;
};

/* Reads the tables of a program that consists of them; its texts are "x/y" and "z". */
static bool read_tables(struct tables *tables, unsigned version, const char *bytes, size_t n,
			uint64_t most)
{
	static const unsigned char texts[] = "x/y\0z";
	const struct line_program program = {
		.bytes = (const unsigned char *)bytes,
		.size = n,
		.line_str = { texts, sizeof(texts) },
		.str = { texts, sizeof(texts) - 1 }, /* the last one has no end */
	};
	const struct line_header header = { .code = n, .end = n, .version = version, .width = 4 };

	*tables = (struct tables){ .mem = test_arena() };
	return line_files_read(&tables->files, &program, &header, "/here", &most, &tables->mem);
}

/* Less the NUL that C adds. */
#define READ(tables, version, bytes, most) \
	read_tables(tables, version, bytes, sizeof(bytes) - 1, most)

static void expect_file(const struct tables *tables, size_t i, const char *directory,
			const char *name)
{
	const struct line_file *file = &tables->files.all.at[i];

	assert_true(i < tables->files.all.n);
	assert_string_equal(file->name, name);
	if (directory)
		assert_string_equal(file->directory, directory);
	else
		assert_null(file->directory);
	assert_null(file->path);
}

static void expect_refused(unsigned version, const char *bytes, size_t n)
{
	struct tables tables;

	assert_false(read_tables(&tables, version, bytes, n, MANY));
	arena_free(&tables.mem);
}

#define REFUSED(version, bytes) expect_refused(version, bytes, sizeof(bytes) - 1)

static void old_tables(void **state)
{
	struct tables tables;

	(void)state;
	assert_true(READ(&tables, 4,
			 "in\0\0"
			 "a.c\0\0\x81\1\2"
			 "b.c\0\1\0\0\0",
			 MANY));
	assert_int_equal(tables.files.all.n, 3);
	expect_file(&tables, 0, NULL, "???");
	expect_file(&tables, 1, "/here", "a.c");
	expect_file(&tables, 2, "in", "b.c");
	arena_free(&tables.mem);

	REFUSED(4, "in");
	REFUSED(4, "in\0");
	REFUSED(4, "in\0\0a.c");
	REFUSED(4, "in\0\0a.c\0\1\0\0");   /* no end */
	REFUSED(4, "in\0\0a.c\0\2\0\0\0"); /* no such directory */
}

/* Directories by name; files by what `fields`, two bytes each, say. */
#define TABLES_5(nfields, fields, nfiles, files) \
	"\1\1\x08"                               \
	"\2/top\0sub\0" nfields fields nfiles files

static void tables_of_dwarf_5(void **state)
{
	struct tables tables;

	(void)state;
	assert_true(READ(&tables, 5, TABLES_5("\2", "\1\x08\2\x0b", "\2", "a.c\0\1b.c\0\0"), MANY));
	assert_int_equal(tables.files.all.n, 2);
	expect_file(&tables, 0, "sub", "a.c");
	expect_file(&tables, 1, "/top", "b.c");
	arena_free(&tables.mem);

	/* Names elsewhere, a size, a checksum, and what nobody knows, of each length. */
	assert_true(READ(&tables, 5,
			 TABLES_5("\7", "\2\x0f\1\x1f\4\x05\5\x1e\x81\x40\x09\3\x06\x82\x40\x07",
				  "\1", "\1\4\0\0\0..0123456789abcdef\3xyz....________"),
			 MANY));
	assert_int_equal(tables.files.all.n, 1);
	expect_file(&tables, 0, "sub", "z");
	arena_free(&tables.mem);
	assert_true(READ(&tables, 5, TABLES_5("\1", "\1\x0e", "\1", "\0\0\0\0"), MANY));
	expect_file(&tables, 0, "/top", "x/y");
	arena_free(&tables.mem);

	REFUSED(5, TABLES_5("\1", "\1\x0e", "\1", "\4\0\0\0"));        /* a text without an end */
	REFUSED(5, TABLES_5("\1", "\1\x1f", "\1", "\6\0\0\0"));        /* behind the texts */
	REFUSED(5, TABLES_5("\1", "\1\x1f", "\1", "\0\0\0"));          /* half an offset */
	REFUSED(5, TABLES_5("\2", "\1\x08\2\x0b", "\1", "a.c\0\2"));   /* no such directory */
	REFUSED(5, TABLES_5("\2", "\1\x08\2\x0b", "\2", "a.c\0\1"));   /* fewer than it says */
	REFUSED(5, TABLES_5("\1", "\1\x17", "\1", "\0\0\0\0"));        /* another form */
	REFUSED(5, TABLES_5("\1", "\1\x0b", "\1", "\0"));              /* a number for a name */
	REFUSED(5, TABLES_5("\0", "", "\xff\xff\xff\xff\x0f", ""));    /* of no bytes, but many */
	REFUSED(5, TABLES_5("\2", "\1\x08\3\x09", "\1", "a.c\0\x7f")); /* a block that is longer */
	REFUSED(5, "\1\1\x08");
}

static void no_more_than_told(void **state)
{
	static const char old[] = "in\0\0a.c\0\1\0\0b.c\0\1\0\0";
	static const char new[] = TABLES_5("\1", "\1\x08", "\1", "a.c\0");
	struct tables tables;

	(void)state;
	for (uint64_t most = 0; most <= 3; most++) {
		assert_int_equal(read_tables(&tables, 4, old, sizeof(old), most), most == 3);
		arena_free(&tables.mem);
		assert_int_equal(read_tables(&tables, 5, new, sizeof(new), most), most == 3);
		arena_free(&tables.mem);
	}
}

int main(int argc, char **argv)
{
	static char self[] = "/proc/self/exe";
	struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(same_as_libdw, self),
		cmocka_unit_test(old_tables),
		cmocka_unit_test(tables_of_dwarf_5),
		cmocka_unit_test(no_more_than_told),
	};
	int rc = cmocka_run_group_tests(tests, NULL, NULL);

	for (int i = 1; i < argc && rc == 0; i++) {
		tests[0].initial_state = argv[i];
		rc = cmocka_run_group_tests(tests, NULL, NULL);
	}
	return rc;
}
