/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangling: the styles, and what stays around the mangled part. */
#include "testing.h"

#include "base/demangle.h"

struct example {
	enum demangle_style style;
	const char *name, *shown;
};

static void check(const struct example *examples, size_t n)
{
	struct arena mem = test_arena();

	for (size_t i = 0; i < n; i++)
		assert_string_equal(demangle(examples[i].name, examples[i].style, &mem),
				    examples[i].shown);
	arena_free(&mem);
}

static void words_name_styles(void **state)
{
	static const struct {
		const char *word;
		enum demangle_style style;
	} words[] = {
		{ "none", DEMANGLE_NONE }, { "auto", DEMANGLE_AUTO }, { "gnu-v3", DEMANGLE_GNU_V3 },
		{ "java", DEMANGLE_JAVA }, { "gnat", DEMANGLE_GNAT }, { "dlang", DEMANGLE_DLANG },
		{ "rust", DEMANGLE_RUST },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(words); i++) {
		enum demangle_style style =
			words[i].style == DEMANGLE_AUTO ? DEMANGLE_NONE : DEMANGLE_AUTO;

		assert_true(demangle_style_find(words[i].word, &style));
		assert_int_equal(style, words[i].style);
	}
}

static void other_words_name_nothing(void **state)
{
	static const char *const words[] = { "",      "AUTO",  "gnu", "gnu-v2", "arm",
					     "auto ", "lucid", "edg", "hp",     "autoo" };
	enum demangle_style style = DEMANGLE_RUST;

	(void)state;
	for (size_t i = 0; i < COUNT(words); i++)
		assert_false(demangle_style_find(words[i], &style));
	assert_int_equal(style, DEMANGLE_RUST);
}

static void styles_read_their_names(void **state)
{
	static const struct example examples[] = {
		{ DEMANGLE_AUTO, "_Z3fooid", "foo(int, double)" },
		{ DEMANGLE_GNU_V3, "_Z3fooid", "foo(int, double)" },
		{ DEMANGLE_AUTO, "_ZN1a1bIiE1cEv", "a::b<int>::c()" },
		{ DEMANGLE_AUTO, "_ZNK1a1bEv", "a::b() const" },
		{ DEMANGLE_AUTO, "_Z1fv.cold", "f() [clone .cold]" },
		{ DEMANGLE_JAVA, "_ZN4java4lang6ObjectEv", "java.lang.Object()" },
		{ DEMANGLE_GNAT, "store__open_door", "store.open_door" },
		{ DEMANGLE_GNAT, "_ada_main", "main" },
		{ DEMANGLE_DLANG, "_D3foo3barFiZv", "foo.bar(int)" },
		{ DEMANGLE_RUST, "_RNvC6_123foo3bar", "123foo::bar" },
		{ DEMANGLE_AUTO, "_RNvC6_123foo3bar", "123foo::bar" },
		{ DEMANGLE_RUST, "_ZN3foo3bar17h0123456789abcdefE", "foo::bar" },
		{ DEMANGLE_AUTO, "_ZN3foo3bar17h0123456789abcdefE", "foo::bar" },
		{ DEMANGLE_GNU_V3, "_ZN3foo3bar17h0123456789abcdefE",
		  "foo::bar::h0123456789abcdef" },
		{ DEMANGLE_AUTO, "_ZN3foo3bar17h0123456789abcdefEv",
		  "foo::bar::h0123456789abcdef()" },
	};

	(void)state;
	check(examples, COUNT(examples));
}

static void names_of_other_styles_stay(void **state)
{
	static const struct example examples[] = {
		{ DEMANGLE_AUTO, "main", "main" },
		{ DEMANGLE_AUTO, "", "" },
		{ DEMANGLE_AUTO, "_Z", "_Z" },
		{ DEMANGLE_AUTO, "_Z3fo", "_Z3fo" },
		{ DEMANGLE_AUTO, "store__open_door", "store__open_door" },
		{ DEMANGLE_GNU_V3, "_D3foo3barFiZv", "_D3foo3barFiZv" },
		{ DEMANGLE_DLANG, "_Z3fooid", "_Z3fooid" },
		{ DEMANGLE_RUST, "_Z3fooid", "_Z3fooid" },
	};
	struct arena mem = test_arena();

	(void)state;
	check(examples, COUNT(examples));
	for (size_t i = 0; i < COUNT(examples); i++)
		assert_ptr_equal(demangle(examples[i].name, examples[i].style, &mem),
				 examples[i].name);
	assert_null(mem.top);
}

static void none_leaves_everything(void **state)
{
	static const char *const names[] = { "_Z3fooid", ".$_Z3fooid", "_Z3foov@plt", "main", "" };
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++)
		assert_ptr_equal(demangle(names[i], DEMANGLE_NONE, &mem), names[i]);
	assert_null(mem.top);
}

static void surroundings_stay(void **state)
{
	static const struct example examples[] = {
		{ DEMANGLE_AUTO, "._Z3foov", ".foo()" },
		{ DEMANGLE_AUTO, ".._Z3foov", "..foo()" },
		{ DEMANGLE_AUTO, "$_Z3foov", "$foo()" },
		{ DEMANGLE_AUTO, ".$._Z3foov", ".$.foo()" },
		{ DEMANGLE_AUTO, "_Z3foov@plt", "foo()@plt" },
		{ DEMANGLE_AUTO, "_Z3foov@@GLIBC_2.2.5", "foo()@@GLIBC_2.2.5" },
		{ DEMANGLE_AUTO, "_Z3foov@V1", "foo()@V1" },
		{ DEMANGLE_AUTO, "._Z3foov@V1", ".foo()@V1" },
		{ DEMANGLE_AUTO, "main@@V1", "main@@V1" },
		{ DEMANGLE_AUTO, ".main", ".main" },
		{ DEMANGLE_AUTO, "@", "@" },
		{ DEMANGLE_AUTO, ".", "." },
		{ DEMANGLE_AUTO, ".@x", ".@x" },
	};

	(void)state;
	check(examples, COUNT(examples));
}

/* What libiberty writes in many pieces: functions with more and more parameters of one type. */
static void long_names_are_whole(void **state)
{
	static const char type[] = "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij";
	char name[300] = "._Z1f50", shown[4000] = ".f(", expected[4100];
	struct arena mem = test_arena();

	(void)state;
	strcat(name, type);
	strcat(shown, type);
	for (int parameters = 1; parameters < 60; parameters++) {
		snprintf(expected, sizeof(expected), "%s)@V1", shown);
		strcat(name, "@V1");
		assert_string_equal(demangle(name, DEMANGLE_AUTO, &mem), expected);
		name[strlen(name) - 3] = '\0';
		strcat(name, "S_");
		strcat(shown, ", ");
		strcat(shown, type);
	}
	arena_free(&mem);
}

/* A<int, int>, then with each level A of twice the one before; the level that fits, and the next.
 */
static void names_that_explode_stay(void **state)
{
	struct arena mem = test_arena();
	char name[1000] = "_Z1f1AIiiE";
	bool was_shown = false;

	(void)state;
	for (int level = 0; level < 35; level++) {
		static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
		const char *shown = demangle(name, DEMANGLE_AUTO, &mem);
		size_t length = strlen(shown);

		assert_true(length <= DEMANGLE_MOST_BYTES);
		assert_true(shown != name ? level < 11 : level > 10);
		was_shown |= length > DEMANGLE_MOST_BYTES / 2;
		assert_string_equal(demangle(name, DEMANGLE_GNU_V3, &mem), shown);
		snprintf(name + strlen(name), 20, "S_IS%c_S%c_E", digits[level], digits[level]);
	}
	assert_true(was_shown);
	arena_free(&mem);
}

/* Tuples of twice the one before; the numbers are places in the name, to the base of 62. */
static void names_of_rust_that_explode_stay(void **state)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct arena mem = test_arena();
	char name[1000] = "_RINvC1a1fTuuE";
	size_t last = 8;

	(void)state;
	for (int level = 0; level < 50; level++) {
		size_t at = strlen(name) - 2, n = last - 1;
		char number[8];
		const char *shown;

		if (n < 62)
			snprintf(number, sizeof(number), "%c_", digits[n]);
		else
			snprintf(number, sizeof(number), "%c%c_", digits[n / 62], digits[n % 62]);
		snprintf(name + at + 2, 30, "TB%sB%sE", number, number);
		last = at;
		strcat(name, "E");
		shown = demangle(name, DEMANGLE_AUTO, &mem);
		assert_true(strlen(shown) <= DEMANGLE_MOST_BYTES);
		assert_true(shown != name ? level < 14 : level > 8);
		assert_string_equal(demangle(name, DEMANGLE_RUST, &mem), shown);
		name[strlen(name) - 1] = '\0';
	}
	assert_string_equal(demangle(name, DEMANGLE_AUTO, &mem), name);
	arena_free(&mem);
}

/* Function types of twice the one before, expanded though there is no pack: libiberty looks for one
 * at all leaves before it writes anything. */
static void packs_that_explode_stay(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct arena mem = test_arena();

	(void)state;
	for (int levels = 1; levels < 60; levels++) {
		char name[1000] = "_Z1fIiEvDp", *end = name + strlen(name);
		const char *shown;

		for (int i = 0; i < levels; i++)
			end += sprintf(end, "PFv");
		end += sprintf(end, "iiE");
		for (int i = 1; i < levels; i++)
			end += 2 * i - 1 < 36 ? sprintf(end, "S%c_E", digits[2 * i - 1])
					      : sprintf(end, "S1%c_E", digits[2 * i - 1 - 36]);
		if (2 * levels > 70)
			break;
		shown = demangle(name, DEMANGLE_AUTO, &mem);
		assert_true(shown != name ? levels < 14 : levels > 8);
	}
	assert_string_equal(demangle("_Z1fIiEvDpPFvPFviiES1_E", DEMANGLE_AUTO, &mem),
			    "void f<int>((void (*)(void (*)(int, int), void (*)(int, int)))...)");
	assert_string_equal(demangle("_Z1fIJidEEvDpT_", DEMANGLE_AUTO, &mem),
			    "void f<int, double>(int, double)");
	arena_free(&mem);
}

/* Arrays of the one before by the same. */
static void names_of_d_that_explode_stay(void **state)
{
	struct arena mem = test_arena();
	char name[1000] = "_D1fFiHQcQe";

	(void)state;
	for (int level = 1; level < 150; level++) {
		size_t n = strlen(name);
		const char *shown;

		strcpy(name + n, "Zv");
		shown = demangle(name, DEMANGLE_DLANG, &mem);
		assert_true(strlen(shown) <= DEMANGLE_MOST_BYTES);
		assert_true(shown != name ? level < 14 : level > 8);
		strcpy(name + n, "HQgQi");
	}
	assert_string_equal(demangle("_D1fFiHQcQeZv", DEMANGLE_DLANG, &mem), "f(int, int[int])");
	arena_free(&mem);
}

static void __attribute__((noreturn)) aside_gives_up(void *arg)
{
	longjmp(*(jmp_buf *)arg, 1);
}

static bool gives_up(const char *name, enum demangle_style style)
{
	jmp_buf up;
	struct arena mem = { .no_memory = aside_gives_up, .arg = &up, .aside = true };

	if (setjmp(up) != 0)
		return true;
	demangle(name, style, &mem);
	arena_free(&mem);
	return false;
}

static void other_threads_leave_some_names(void **state)
{
	(void)state;
	assert_false(gives_up("_Z1fi", DEMANGLE_AUTO));
	assert_false(gives_up("_ZN3foo3barE.part.0@plt", DEMANGLE_AUTO));
	assert_false(gives_up("_Z1fIJidEEvDpT_", DEMANGLE_AUTO));
	assert_false(gives_up("main", DEMANGLE_DLANG));
	assert_true(gives_up("_D1fFiHQcQeZv", DEMANGLE_AUTO));
	assert_true(gives_up("_D1fFiHQcQeZv@plt", DEMANGLE_DLANG));
	assert_true(gives_up("pack__proc", DEMANGLE_GNAT));
	assert_false(gives_up("_D1fFiHQcQeZv", DEMANGLE_NONE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_name_styles),
		cmocka_unit_test(other_words_name_nothing),
		cmocka_unit_test(styles_read_their_names),
		cmocka_unit_test(names_of_other_styles_stay),
		cmocka_unit_test(none_leaves_everything),
		cmocka_unit_test(surroundings_stay),
		cmocka_unit_test(long_names_are_whole),
		cmocka_unit_test(names_that_explode_stay),
		cmocka_unit_test(names_of_rust_that_explode_stay),
		cmocka_unit_test(packs_that_explode_stay),
		cmocka_unit_test(names_of_d_that_explode_stay),
		cmocka_unit_test(other_threads_leave_some_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
