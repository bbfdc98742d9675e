/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The package with the symbols of a file, by lists that are made here. */
#include "testing.h"

#include "base/join.h"
#include "io/packages.h"

#include <sys/stat.h>

static void put_list(const char *directory, const char *name, const char *text)
{
	char path[400];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void files_have_packages(void **state)
{
	static const struct {
		const char *path, *package; /* NULL: none */
	} cases[] = {
		{ "/usr/lib/x/liblzma.so.5.4.1", "liblzma5-dbgsym" },
		{ "/lib/x/liblzma.so.5.4.1", "liblzma5-dbgsym" },
		{ "/lib/x/libc.so.6", "libc6-dbg" },
		{ "/usr/lib/x/libc.so.6", "libc6-dbg" },
		{ "/usr/bin/xz", "xz-utils-dbgsym" },
		{ "/opt/last", "xz-utils-dbgsym" },
		{ "/lib/x/liblzma.so.5", NULL },
		{ "/x/liblzma.so.5.4.1", NULL },
		{ "/usr/lib/x/libother.so", NULL },
	};
	char directory[] = "/tmp/packages.XXXXXX";
	struct arena mem = test_arena();

	(void)state;
	assert_non_null(mkdtemp(directory));
	put_list(directory, "liblzma5:amd64.list", "/.\n/lib\n/lib/x\n/lib/x/liblzma.so.5.4.1\n");
	put_list(directory, "libc6:amd64.list", "/.\n/usr/lib/x/libc.so.6\n");
	put_list(directory, "xz-utils.list", "/.\n/usr/bin/xz\n/opt/last");
	put_list(directory, "xz-utils.md5sums", "/usr/lib/x/libother.so\n");
	put_list(directory, "empty.list", "");
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *got = packages_debug(cases[i].path, directory, &mem);

		assert_true((got != NULL) == (cases[i].package != NULL));
		if (got)
			assert_string_equal(got, cases[i].package);
	}
	assert_null(packages_debug("/usr/bin/xz", "/nonexistent", &mem));
	assert_int_equal(system(JOIN(&mem, "rm -r ", directory)), 0);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_have_packages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
