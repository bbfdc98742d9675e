/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "randnames.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static const char *const words[] = {
	"main",  "alpha", "beta",  "gamma", "delta",  "read",   "write", "sort",
	"merge", "walk",  "Leaf",  "node",  "hash",   "lookup", "parse", "emit",
	"x",     "y",     "do_it", "visit", "update", "Zeta",
};

static const char *const mangled[] = {
	"_Z3foov",
	"_Z3fooi",
	"_Z3barPKcS0_",
	"_ZN3Box4pushERKSs",
	"_ZNK3Box4sizeEv",
	"_ZN3BoxC1Ev",
	"_ZN3BoxC2Ev",
	"_ZN3BoxD0Ev",
	"_ZN3BoxD1Ev",
	"_ZN3BoxD2Ev",
	"_ZN9__gnu_cxx13new_allocatorIiE8allocateEmPKv",
	"_ZNSt6vectorIiSaIiEE9push_backERKi",
	"_ZNSt3mapISsiSt4lessISsESaISt4pairIKSsiEEEixERS3_",
	"_ZSt4sortIPiEvT_S1_",
	"_Z3maxIdET_S0_S0_",
	"_ZplRK7ComplexS1_",
	"_ZN12_GLOBAL__N_16hiddenEv",
	"_ZZ4mainENKUliE_clEi",
	"_ZTv0_n24_N3Box4pushEv",
	"_ZThn16_N3Box4pushEv",
	"_GLOBAL__sub_I_main",
	"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
	"_RNvC6_123foo3bar",
	"_D8demangle4testFZv",
	"_Z3foov.constprop.0",
	"_ZN3Box4pushERKSs.part.0",
	"_Z3foov.cold",
	"_Z",
	"_ZN3Bo",
	"_Z99toolong",
	"_Zx",
};

static const char *const suffixes[] = {
	".0",
	".12.3",
	".clone.4",
	".constprop.0",
	".constprop.5.constprop.6",
	".clone.1.2",
	".cold",
	".part.0",
	".isra.0",
	".lto_priv.0",
	".constprop.0.isra.0",
	".1.cold",
	".",
	".1x",
	"..8",
	".clone.",
	".x",
	"$x",
	"$",
	".llvm.123456789",
	"@plt",
};

static const char *const odd_names[] = {
	".Lx",           ".7",   "$a", "$d.3", "__gnu_compiled_c", "___gnu_compiled_c",
	"__gnu_compile", "\"\"", ".",
};

static const char *const profiler[] = {
	"mcount", "_mcount", "__mcount_internal", "_gprof_mcount", "__mcount", "__mcleanup",
};

static const char *one_of(struct prng *r, const char *const *list, uint32_t n)
{
	return list[prng_below(r, n)];
}

/* A method of a class nested as deep as the random number wants, with parameters. */
static void made_up_method(struct prng *r, unsigned id, char out[NAME_SIZE])
{
	static const char *const parameters[] = { "v",  "i",      "PKc", "RKSs",
						  "dd", "iPFivE", "mz",  "St6vectorIiSaIiEE" };
	uint32_t depth = prng_between(r, 1, 4);
	size_t n = (size_t)snprintf(out, NAME_SIZE, "_ZN%s", prng_chance(r, 20) ? "K" : "");

	for (uint32_t i = 0; i < depth; i++) {
		const char *word = one_of(r, words, COUNT(words));

		n += (size_t)snprintf(out + n, NAME_SIZE - n, "%zu%s", strlen(word), word);
	}
	snprintf(out + n, NAME_SIZE - n, "5f%04uE%s", id % 10000,
		 one_of(r, parameters, COUNT(parameters)));
}

static void long_name(struct prng *r, unsigned id, char out[NAME_SIZE])
{
	size_t want = prng_between(r, 30, 250), n = 0;

	while (n < want)
		n += (size_t)snprintf(out + n, NAME_SIZE - n, "%s_",
				      one_of(r, words, COUNT(words)));
	snprintf(out + n, NAME_SIZE - n, "%u", id);
}

void name_ordinary(struct prng *r, const struct name_features *f, unsigned id, char out[NAME_SIZE])
{
	const char *word = one_of(r, words, COUNT(words));
	const char *start = "";

	if (f->mangled && prng_chance(r, 50)) {
		if (prng_chance(r, 40))
			snprintf(out, NAME_SIZE, "%s", one_of(r, mangled, COUNT(mangled)));
		else
			made_up_method(r, id, out);
		return;
	}
	if (f->longs && prng_chance(r, 20)) {
		long_name(r, id, out);
		return;
	}
	if (f->underscores && prng_chance(r, 50))
		start = prng_chance(r, 50) ? "_" : "__";
	if (f->few)
		snprintf(out, NAME_SIZE, "%s%s", start, word);
	else
		snprintf(out, NAME_SIZE, "%s%s%u", start, word, id);
}

void name_suffixed(struct prng *r, char out[NAME_SIZE])
{
	if (prng_chance(r, 15))
		snprintf(out, NAME_SIZE, "%s", one_of(r, odd_names, COUNT(odd_names)));
	else
		snprintf(out, NAME_SIZE, "%s%s", one_of(r, words, COUNT(words)),
			 one_of(r, suffixes, COUNT(suffixes)));
}

const char *name_of_profiler(struct prng *r)
{
	return one_of(r, profiler, COUNT(profiler));
}
