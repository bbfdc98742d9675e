/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbols read without libbfd are those that libbfd reads: of this program, which has static and
 * weak ones, of several sections and of none, and of what else is named on the command line.
 */
#include "testing.h"

#include "io/image/image_elf.h"

#include <stdlib.h>
#include <string.h>

/* What reports depend on. */
enum {
	FLAGS = BSF_LOCAL | BSF_GLOBAL | BSF_WEAK | BSF_GNU_UNIQUE | BSF_FUNCTION | BSF_OBJECT |
		BSF_FILE | BSF_SECTION_SYM | BSF_GNU_INDIRECT_FUNCTION
};

static bfd *open_image(const char *path)
{
	bfd *abfd;

	bfd_init();
	abfd = bfd_openr(path, NULL);
	assert_non_null(abfd);
	assert_true(bfd_check_format(abfd, bfd_object));
	return abfd;
}

static void expect_same(asymbol *symbol, asymbol *expected)
{
	assert_ptr_equal(symbol->section, expected->section);
	assert_true(bfd_asymbol_value(symbol) == bfd_asymbol_value(expected));
	assert_int_equal(symbol->flags & FLAGS, expected->flags & FLAGS);
	assert_int_equal(bfd_decode_symclass(symbol), bfd_decode_symclass(expected));
	if (!(symbol->flags & BSF_SECTION_SYM))
		assert_string_equal(symbol->name, expected->name);
}

static void same_as_libbfd(void **state)
{
	bfd *abfd = open_image(*state);
	asymbol **expected = malloc((size_t)bfd_get_symtab_upper_bound(abfd)), *symbol;
	long n = bfd_canonicalize_symtab(abfd, expected), i = 0;
	struct arena mem = test_arena();
	struct image_elf elf;

	assert_true(image_elf_begin(&elf, abfd, &mem, &mem));
	assert_int_equal(elf.left + elf.n - elf.next, n);
	for (; (symbol = image_elf_next(&elf)); i++)
		expect_same(symbol, expected[i]);
	assert_false(elf.failed);
	assert_int_equal(i, n);
	arena_free(&mem);
	free(expected);
	bfd_close(abfd);
}

/* Relocatable files, and files of other machines, are libbfd's. */
static void others_are_left_to_libbfd(void **state)
{
	struct arena mem = test_arena();
	struct image_elf elf;
	bfd *abfd = open_image("/proc/self/exe");

	(void)state;
	abfd->flags &= ~(flagword)(EXEC_P | DYNAMIC);
	assert_false(image_elf_begin(&elf, abfd, &mem, &mem));
	arena_free(&mem);
	bfd_close(abfd);
}

int main(int argc, char **argv)
{
	static char self[] = "/proc/self/exe";
	struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(same_as_libbfd, self),
		cmocka_unit_test(others_are_left_to_libbfd),
	};
	int rc = cmocka_run_group_tests(tests, NULL, NULL);

	for (int i = 1; i < argc && rc == 0; i++) {
		tests[0].initial_state = argv[i];
		rc = cmocka_run_group_tests(tests, NULL, NULL);
	}
	return rc;
}
