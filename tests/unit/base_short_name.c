/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short forms of names. */
#include "testing.h"

#include "base/short_name.h"
#include "tests/tools/prng.h"

static const struct {
	const char *name, *shown, *library;
} shortened[] = {
	{ "main", "main", NULL },
	{ "speedtest1_run.part.0", "speedtest1_run.part.0", NULL },
	{ "engine::parse(std::string const&, engine::Index&)", "engine::parse", NULL },
	{ "bool std::__detail::_Executor<char const*, std::allocator<int>, true>::_M_dfs(int) const",
	  "_Executor::_M_dfs", NULL },
	{ "void std::sort<int*, std::less<int> >(int*, int*, std::less<int>)", "std::sort", NULL },
	{ "ns::Table<int, (ns::Kind)3>::operator[](long)", "Table::operator[]", NULL },
	{ "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char)",
	  "std::operator<<", NULL },
	{ "std::__cxx11::basic_string<char> std::operator+<char>(char const*, "
	  "std::__cxx11::basic_string<char>&&)",
	  "std::operator+", NULL },
	{ "auto a::operator<=><int>(int)", "a::operator<=>", NULL },
	{ "void a::operator<=<int>(int)", "a::operator<=", NULL },
	{ "void a::operator>><int>(int)", "a::operator>>", NULL },
	{ "void A::operator[]<int>(int)", "A::operator[]", NULL },
	{ "void A::operator()<int>(int)", "A::operator()", NULL },
	{ "void A::operator->*<int>(int)", "A::operator->*", NULL },
	{ "std::function<void (int)>::operator()(int) const", "function::operator()", NULL },
	{ "a::Ptr<b::C>::operator->() const", "Ptr::operator->", NULL },
	{ "a::B::operator bool() const", "B::operator bool", NULL },
	{ "a::B::operator std::string() const", "B::operator std::string", NULL },
	{ "operator new(unsigned long)@libstdc++.so.6", "operator new", "libstdc++.so.6" },
	{ "operator delete[](void*)", "operator delete[]", NULL },
	{ "main::{lambda(int)#2}::operator()(int) const", "main::{lambda#2}", NULL },
	{ "a::f(int)::{lambda()#1}::operator()() const::{lambda(char)#3}::operator()(char) const",
	  "operator()::{lambda#3}", NULL },
	{ "(anonymous namespace)::f(int)", "f", NULL },
	{ "a::(anonymous namespace)::B::f()", "B::f", NULL },
	{ "f(int) [clone .isra.0]", "f", NULL },
	{ "f[abi:cxx11](int)", "f", NULL },
	{ "__strlen_evex@libc.so.6", "strlen", "libc.so.6" },
	{ "__memmove_avx512_unaligned_erms@libc.so.6", "memmove", "libc.so.6" },
	{ "__sin_fma@libm.so.6", "sin", "libm.so.6" },
	{ "__GI___libc_read@libc.so.6", "read", "libc.so.6" },
	{ "__GI___lll_lock_wait@libc-2.36.so", "__lll_lock_wait", "libc-2.36.so" },
	{ "__libc_start_main@libc.so.6", "__libc_start_main", "libc.so.6" },
	{ "_int_malloc@libc.so.6", "_int_malloc", "libc.so.6" },
	{ "__sad_avx2@libcodec.so", "__sad_avx2", "libcodec.so" },
	{ "__strlen_evex", "__strlen_evex", NULL },
	{ "memcpy@@GLIBC_2.14", "memcpy", "GLIBC_2.14" },
	{ "[liblzma.so.5+0x16880]", "[liblzma.so.5+0x16880]", NULL },
	{ "[waiting: read]", "[waiting: read]", NULL },
	{ "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop", "Vec::drop", NULL },
	{ "core::ptr::drop_in_place<alloc::string::String>", "ptr::drop_in_place", NULL },
	{ "app::run::{{closure}}", "run::{{closure}}", NULL },
	{ "bufio.(*Reader).ReadByte", "bufio.(*Reader).ReadByte", NULL },
	{ "decltype(auto) a::visit<int>(int&&)", "a::visit", NULL },
	{ "non-virtual thunk to A::f()", "A::f", NULL },
	{ "x<(1>2)", "x", NULL },
	{ "JS:*loop /home/me/a b/fib.js:2:15@[jit]", "JS:*loop", "[jit]" },
	{ "JS:~resolve node:path:1091:10", "JS:~resolve", NULL },
	{ "JS:~ file:///a.mjs:1:1", "JS:~", NULL },
	{ "JS:", "JS:", NULL },
	{ "py::loop:/home/me/fib.py", "loop", NULL },
	{ "py::<module>:/home/me/fib.py", "<module>", NULL },
	{ "py::f(int)", "py::f", NULL },
	{ "std.stdio.File.close()", "File.close", NULL },
	{ "demangle.test()", "demangle.test", NULL },
	{ "app.Table.find(immutable(char)[]) const", "Table.find", NULL },
	{ "app.Table.find(int) shared const", "Table.find", NULL },
	{ "app.Table.~this()", "Table.~this", NULL },
	{ "app.run(int).inner(immutable(char)[])", "run.inner", NULL },
	{ "std.algorithm.sorting.sort!(\"a < b\", 0, int[]).sort(int[])", "sorting.sort", NULL },
	{ "std.array.Appender!(immutable(char)[]).Appender.put!(char).put(char)", "Appender.put",
	  NULL },
	{ "sort!(\"a(\\\"b\").sort(int[])", "sort", NULL },
	{ "app.f!(int).g(int)", "f.g", NULL },
	{ "app.f(int).f(int)", "f.f", NULL },
	{ "app.f!(\"a", "app.f!(\"a", NULL },
	{ "int java.util.HashMap.size()", "HashMap.size", NULL },
	{ "D main", "D main", NULL },
	{ "f.part.0", "f.part.0", NULL },
	{ ".f(int)", ".f", NULL },
	{ "a::b.c(int)", "a::b.c", NULL },
	{ "f(", "f(", NULL },
	{ "operatoring::f()", "operatoring::f", NULL },
};

static void shortens(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < sizeof(shortened) / sizeof(shortened[0]); i++) {
		struct short_name made = short_name_make(shortened[i].name, &mem);

		assert_string_equal(made.name, shortened[i].shown);
		assert_true(!made.library == !shortened[i].library);
		if (made.library)
			assert_string_equal(made.library, shortened[i].library);
	}
	assert_true(short_name_make("a::f(int) (inlined)", &mem).inlined);
	assert_string_equal(short_name_make("a::f(int) (inlined)", &mem).name, "a::f");
	assert_true(short_name_make("f (inlined)@libc.so.6", &mem).inlined);
	assert_string_equal(short_name_make("f (inlined)@libc.so.6", &mem).name, "f");
	assert_string_equal(short_name_make("f (inlined)@libc.so.6", &mem).library, "libc.so.6");
	assert_string_equal(short_name_make("f(int) [clone .cold]", &mem).clone, "[clone .cold]");
	arena_free(&mem);
}

static void matches(void **state)
{
	static const struct {
		const char *name, *called;
		bool of_class, matches;
	} cases[] = {
		{ "ns::Table<int>::operator[](long)", "operator[]", false, true },
		{ "ns::Table<int>::operator[](long)", "Table::operator[]", false, true },
		{ "ns::Table<int>::operator[](long)", "ns::Table::operator[]", false, true },
		{ "ns::Table<int>::operator[](long)", "able::operator[]", false, false },
		{ "ns::Table<int>::operator[](long)", "Table", false, false },
		{ "ns::Table<int>::operator[](long)", "Table", true, true },
		{ "ns::Table<int>::operator[](long)", "ns", true, false },
		{ "ns::Table<int>::operator[](long)", "", true, false },
		{ "__strlen_evex@libc.so.6", "strlen", false, true },
		{ "__memmove_avx_unaligned_erms@libc.so.6", "memmove", false, true },
		{ "__GI___lll_lock_wait@libc.so.6", "lll_lock_wait", false, true },
		{ "__GI___libc_read@libc.so.6", "read", false, true },
		{ "__strlen_evex", "strlen", false, false },
		{ "__strlen_evex@libc.so.6", "strle", false, false },
		{ "f(int) (inlined)", "f", false, true },
		{ "std.stdio.File.close()", "close", false, true },
		{ "std.stdio.File.close()", "File.close", false, true },
		{ "std.stdio.File.close()", "stdio.File", true, true },
		{ "std.stdio.File.close()", "File", false, false },
		{ "std.stdio.File.close()", "ile.close", false, false },
		{ "app.sort!(\"a < b\").sort(int[])", "app.sort", false, true },
	};
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(
			short_name_matches(cases[i].name, cases[i].called, cases[i].of_class, &mem),
			cases[i].matches);
	arena_free(&mem);
}

/* Different functions have different names where the short ones are the same. */
static void tells_apart(void **state)
{
	static const char *const name[] = { "f(int)",
					    "f(int) [clone .isra.0]",
					    "a::T<int>::get()",
					    "a::T<char>::get()",
					    "main",
					    "a::g(int)",
					    "a::g(int) (inlined)",
					    "__memset_avx2@libc.so.6",
					    "__memset_evex@libc.so.6",
					    "main" },
				 *const shown[] = { "f",
						    "f [clone .isra.0]",
						    "a::T<int>::get()",
						    "a::T<char>::get()",
						    "main",
						    "a::g",
						    "a::g",
						    "__memset_avx2",
						    "__memset_evex",
						    "main" };
	enum { N = sizeof(name) / sizeof(name[0]) };
	struct arena mem = test_arena();
	struct short_name parts[N];

	(void)state;
	for (int i = 0; i < N; i++)
		parts[i] = short_name_make(name[i], &mem);
	short_name_tell_apart(parts, N, &mem);
	for (int i = 0; i < N; i++)
		assert_string_equal(parts[i].name, shown[i]);
	assert_string_equal(short_name_library("libc.so.6", &mem), "libc");
	assert_string_equal(short_name_library("libpython3.11.so.1.0", &mem), "libpython3.11");
	assert_string_equal(short_name_library("libx.so", &mem), "libx");
	assert_string_equal(short_name_library("x.sock", &mem), "x.sock");
	arena_free(&mem);
}

/* Of any bytes there is a name, which is no longer than they are. */
static void any_bytes(void **state)
{
	static const char alphabet[] = "ab<>()[]{}:::  ,@&*-.\303\244\033\377";
	struct arena mem = test_arena();
	struct prng rng = { 7 };

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char text[100];
		size_t n = 0, most = prng_below(&rng, sizeof(text) - 10);

		while (n < most) {
			if (prng_below(&rng, 8) == 0 && n + 8 < sizeof(text) - 1) {
				memcpy(text + n, "operator", 8);
				n += 8;
			} else {
				text[n++] = alphabet[prng_below(&rng, sizeof(alphabet) - 1)];
			}
		}
		text[n] = '\0';
		assert_true(strlen(short_name_make(text, &mem).name) <= n);
		short_name_matches(text, "a", true, &mem);
	}
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shortens),
		cmocka_unit_test(matches),
		cmocka_unit_test(tells_apart),
		cmocka_unit_test(any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
