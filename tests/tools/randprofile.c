/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * randprofile: writes a random program with profiles, in the text that mkprofile reads.
 *
 *   randprofile SEED
 *
 * The text depends on SEED alone. Each unusual feature has its own probability, so simple programs
 * occur too; the first line names those that were drawn. What we do otherwise than GNU gprof on
 * purpose is kept out, so that both must print the same bytes:
 *
 *  - no tick lies in or behind the last symbol of the table; no call goes to it outside of .text;
 *  - no callee address is the start of a symbol that is not a function (inside one is fine);
 *  - names are separated by empty strings in .strtab (mkprofile's default);
 *  - one profile at least has a histogram; the rate is never 0, the dimension always seconds;
 *  - there are no basic-block records.
 */
#include "bytes.h"
#include "prng.h"
#include "randnames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tool_name[] = "randprofile";

enum { MAX_HISTS = 4, MAX_BIN = 65535 };

enum feature {
	MANY,        /* more than 1000 functions */
	MANGLED,     /* C++ and other mangled names */
	UNDERSCORES, /* names that begin with underscores */
	LONG,        /* long names */
	FEW_NAMES,   /* names that repeat */
	STATICS,     /* local symbols */
	SUFFIXES,    /* names like f.part.0, some of them not accepted */
	NOTYPE,      /* symbols that are not functions */
	ALIASES,     /* several symbols at one address */
	ODD,         /* odd addresses, tiny functions */
	SECTIONS,    /* functions in sections besides .text */
	DATA,        /* a weak symbol in data, last of all */
	NOISE,       /* symbols that are never accepted */
	SHUFFLED,    /* .symtab is not in address order */
	PROFILER,    /* mcount and the like */
	CYCLES,      /* arcs backwards */
	RINGS,       /* several separate cycles */
	HUBS,        /* one with many callees or callers */
	SELF_ARCS,   /* recursion */
	ZERO_ARCS,   /* arcs that were never taken */
	TWICE,       /* several records for one arc */
	OUTSIDE,     /* arcs with ends that belong to no symbol */
	INNER,       /* callee addresses that are not a symbol's start */
	TIES,        /* equal counts, equal ticks */
	LARGE,       /* counts near the limit of the file */
	FRACTIONAL,  /* bins of a fractional number of bytes */
	FINE_BINS,   /* bins below 2 bytes */
	SEVERAL,     /* several histograms */
	PARTIAL,     /* histogram covers less or more than .text */
	RATE,        /* other than 100 a second */
	GAP_TICKS,   /* ticks where no symbol is */
	NO_TICKS,    /* all bins zero */
	NO_ARCS,     /* no arc record */
	PROFILES,    /* several profiles to be added up */
	HIGH,        /* addresses above 2 GiB */
	NFEATURES
};

static const struct {
	const char *name;
	uint32_t percent;
} features[NFEATURES] = {
	[MANY] = { "many", 2 },
	[MANGLED] = { "mangled", 25 },
	[UNDERSCORES] = { "underscores", 30 },
	[LONG] = { "long", 15 },
	[FEW_NAMES] = { "few-names", 15 },
	[STATICS] = { "statics", 40 },
	[SUFFIXES] = { "suffixes", 25 },
	[NOTYPE] = { "notype", 25 },
	[ALIASES] = { "aliases", 25 },
	[ODD] = { "odd", 15 },
	[SECTIONS] = { "sections", 30 },
	[DATA] = { "data", 30 },
	[NOISE] = { "noise", 25 },
	[SHUFFLED] = { "shuffled", 30 },
	[PROFILER] = { "profiler", 20 },
	[CYCLES] = { "cycles", 40 },
	[RINGS] = { "rings", 20 },
	[HUBS] = { "hubs", 15 },
	[SELF_ARCS] = { "self-arcs", 35 },
	[ZERO_ARCS] = { "zero-arcs", 25 },
	[TWICE] = { "twice", 30 },
	[OUTSIDE] = { "outside", 20 },
	[INNER] = { "inner", 20 },
	[TIES] = { "ties", 30 },
	[LARGE] = { "large", 15 },
	[FRACTIONAL] = { "fractional", 30 },
	[FINE_BINS] = { "fine-bins", 3 },
	[SEVERAL] = { "several", 15 },
	[PARTIAL] = { "partial", 20 },
	[RATE] = { "rate", 20 },
	[GAP_TICKS] = { "gap-ticks", 20 },
	[NO_TICKS] = { "no-ticks", 8 },
	[NO_ARCS] = { "no-arcs", 4 },
	[PROFILES] = { "profiles", 20 },
	[HIGH] = { "high", 5 },
};

/* is_exact: calls to the very start are the same for every reader. */
struct function {
	uint64_t addr;
	uint32_t size;
	bool is_exact;
};

struct histogram {
	uint64_t lo, hi;
	uint32_t nbins;
};

/* Functions are in address order. The last symbol of the table reaches from quiet_lo to quiet_hi.
 */
struct program {
	struct prng prng;
	bool has[NFEATURES];
	struct name_features names;
	struct function *functions;
	uint32_t nfunctions;
	char **symbols; /* lines of output */
	uint32_t nsymbols;
	uint64_t text_lo, text_hi, quiet_lo, quiet_hi;
	struct histogram hists[MAX_HISTS];
	uint32_t nhists, rate;
};

static uint32_t below(struct program *p, uint32_t n)
{
	return prng_below(&p->prng, n);
}

static bool chance(struct program *p, uint32_t percent)
{
	return prng_chance(&p->prng, percent);
}

/* True if the program has the feature, and then with the given probability. */
static bool maybe(struct program *p, enum feature f, uint32_t percent)
{
	return p->has[f] && chance(p, percent);
}

static void draw_features(struct program *p)
{
	printf("# features:");
	for (int i = 0; i < NFEATURES; i++) {
		p->has[i] = chance(p, features[i].percent);
		if (p->has[i])
			printf(" %s", features[i].name);
	}
	putchar('\n');
	p->names = (struct name_features){
		.mangled = p->has[MANGLED],
		.underscores = p->has[UNDERSCORES],
		.longs = p->has[LONG],
		.few = p->has[FEW_NAMES],
	};
}

static void add_symbol(struct program *p, const char *name, uint64_t addr, const char *rest)
{
	char line[NAME_SIZE + 200];

	snprintf(line, sizeof(line), "sym %s 0x%llx %s", name, (unsigned long long)addr, rest);
	p->symbols = xrealloc(p->symbols, (p->nsymbols + 1) * sizeof(*p->symbols));
	p->symbols[p->nsymbols++] = strdup(line);
}

/* Adds a symbol that may or may not be accepted; returns whether it is marked as a function. */
static bool add_any_symbol(struct program *p, uint64_t addr, unsigned id)
{
	char name[NAME_SIZE], rest[80];
	bool local = maybe(p, STATICS, 40), notype = maybe(p, NOTYPE, 20);
	const char *type = notype ? (chance(p, 20) ? "object" : "notype") : "func";

	if (maybe(p, SUFFIXES, 30)) {
		local = local || chance(p, 70);
		name_suffixed(&p->prng, name);
	} else if (maybe(p, PROFILER, 8)) {
		snprintf(name, sizeof(name), "%s", name_of_profiler(&p->prng));
	} else {
		name_ordinary(&p->prng, &p->names, id, name);
	}
	if (strcmp(name, "\"\"") == 0)
		local = true;
	snprintf(rest, sizeof(rest), "%s %s", type,
		 local           ? "local"
		 : chance(p, 10) ? "weak"
				 : "global");
	add_symbol(p, name, addr, rest);
	return !notype;
}

static uint32_t draw_size(struct program *p)
{
	if (maybe(p, ODD, 60))
		return 1 + below(p, 40);
	return 16 * (1 + (chance(p, 70) ? below(p, 3) : below(p, 20)));
}

static uint64_t add_functions(struct program *p, uint64_t addr, uint32_t n)
{
	p->functions = xrealloc(p->functions, (p->nfunctions + n) * sizeof(*p->functions));
	for (uint32_t i = 0; i < n; i++) {
		struct function *f = &p->functions[p->nfunctions++];

		f->addr = addr;
		f->size = draw_size(p);
		f->is_exact = add_any_symbol(p, addr, p->nfunctions);
		while (maybe(p, ALIASES, 30))
			f->is_exact = add_any_symbol(p, addr, p->nfunctions) && f->is_exact;
		addr += f->size;
	}
	return addr;
}

static void print_section(const char *name, uint64_t lo, uint64_t hi, const char *rest)
{
	if (strcmp(name, ".text") == 0)
		printf("text 0x%llx 0x%llx\n", (unsigned long long)lo,
		       (unsigned long long)(hi - lo));
	else
		printf("section %s 0x%llx 0x%llx%s\n", name, (unsigned long long)lo,
		       (unsigned long long)(hi - lo), rest);
}

static void add_noise(struct program *p)
{
	static const char *const lines[] = {
		"file local",           "section local",      "ifunc global",
		"ifunc local",          "object weak",        "notype global in undef",
		"notype weak in undef", "func global in abs",
	};
	uint32_t n = 1 + below(p, 8), span = (uint32_t)(p->text_hi - p->text_lo);

	for (uint32_t i = 0; i < n; i++) {
		char name[NAME_SIZE];

		name_ordinary(&p->prng, &p->names, i, name);
		add_symbol(p, name, p->text_lo + below(p, span), lines[below(p, 8)]);
	}
}

static void add_fini(struct program *p, uint64_t addr)
{
	print_section(".fini", addr, addr + 0x10, "");
	add_symbol(p, "_fini", addr, "func global");
}

/* Chooses the last symbol; addr is the end of the code so far, which is the end of .text if
 * in_text. Before data there is a function without calls and ticks, as in real programs: GNU's -l
 * knows the data no more, so that it is the last one then. */
static void add_last_symbol(struct program *p, uint64_t addr, bool in_text)
{
	char name[NAME_SIZE];

	p->quiet_lo = addr;
	p->quiet_hi = addr;
	if (p->has[DATA]) {
		p->quiet_lo = addr + 0x10;
		p->quiet_hi = addr + 0x1010;
		add_fini(p, p->quiet_lo);
		print_section(".data", addr + 0x1000, p->quiet_hi, " data");
		add_symbol(p, "data_start", addr + 0x1000, "notype weak");
	} else if (in_text && chance(p, 30)) {
		/* a function that is called but has no ticks */
		name_ordinary(&p->prng, &p->names, 0, name);
		p->quiet_hi = addr + 32;
		p->text_hi = p->quiet_hi;
		p->functions[p->nfunctions++] = (struct function){ addr, 32, true };
		add_symbol(p, name, addr, "func global");
	} else if (chance(p, 40)) {
		p->quiet_lo = addr + 0x10;
		p->quiet_hi = addr + 0x20;
		add_fini(p, p->quiet_lo);
	} else {
		add_symbol(p, chance(p, 50) ? "etext" : "_etext", addr, "notype global");
	}
}

static void shuffle_symbols(struct program *p)
{
	for (uint32_t i = p->nsymbols; i > 1; i--) {
		uint32_t j = below(p, i);
		char *s = p->symbols[i - 1];

		p->symbols[i - 1] = p->symbols[j];
		p->symbols[j] = s;
	}
}

static void lay_out(struct program *p)
{
	static const uint64_t bases[] = { 0x1000, 0x10000, 0x400ff0, 0x401000, 0x8048000 };
	uint64_t base = p->has[HIGH] ? 0xc0001000 : bases[below(p, 5)], custom_lo, custom_hi;
	uint32_t n = p->has[MANY]    ? 1000 + below(p, 300)
		     : chance(p, 50) ? 2 + below(p, 8)
				     : 2 + below(p, 60);
	bool own = maybe(p, SECTIONS, 50);

	if (maybe(p, SECTIONS, 60)) {
		print_section(".init", base - 0x40, base - 0x20, "");
		add_functions(p, base - 0x40, 1);
		p->functions[0].size = 0x20;
	}
	p->text_lo = base;
	p->text_hi = add_functions(p, base + (chance(p, 15) ? below(p, 64) : 0), n);
	p->text_hi += chance(p, 15) ? below(p, 64) : 0;
	custom_lo = custom_hi = p->text_hi + 0x100;
	if (own)
		custom_hi = add_functions(p, custom_lo, 1 + below(p, 5));
	/* room for the last function, which add_last_symbol may append */
	p->functions = xrealloc(p->functions, (p->nfunctions + 1) * sizeof(*p->functions));
	if (own)
		print_section(".custom", custom_lo, custom_hi, "");
	add_last_symbol(p, own ? custom_hi : p->text_hi, !own);
	print_section(".text", p->text_lo, p->text_hi, "");
	if (p->has[NOISE])
		add_noise(p);
	if (p->has[SHUFFLED])
		shuffle_symbols(p);
	for (uint32_t i = 0; i < p->nsymbols; i++)
		puts(p->symbols[i]);
}

/* Histograms of one program have one scale: p/q units of two bytes a bin. */
static void draw_several(struct program *p, uint64_t lo, uint64_t hi)
{
	static const uint32_t ratios[][2] = { { 2, 1 }, { 1, 1 }, { 3, 2 },
					      { 7, 3 }, { 4, 1 }, { 5, 4 } };
	const uint32_t *ratio = ratios[below(p, p->has[FRACTIONAL] ? 6 : 2)];
	uint64_t at = lo;

	p->nhists = 0;
	while (p->nhists < MAX_HISTS && at < hi) {
		struct histogram *h = &p->hists[p->nhists++];
		uint32_t room = (uint32_t)((hi - at) / 2 / ratio[0]),
			 k = 1 + below(p, room / 2 + 1);

		h->lo = at;
		h->hi = at + (uint64_t)2 * ratio[0] * k;
		h->nbins = ratio[1] * k;
		at = h->hi + (chance(p, 50) ? 0 : 2 * below(p, 50));
	}
	if (p->nhists > 1 && chance(p, 30)) {
		struct histogram first = p->hists[0];

		p->hists[0] = p->hists[1];
		p->hists[1] = first;
	}
}

static void draw_histograms(struct program *p)
{
	static const uint32_t rates[] = { 1, 60, 250, 1000, 8192, 1000000 };
	uint64_t lo = p->text_lo, hi = p->text_hi;
	struct histogram *h = &p->hists[0];
	uint32_t size;

	p->rate = p->has[RATE] ? rates[below(p, 6)] : 100;
	if (p->has[PARTIAL]) {
		lo = chance(p, 50) ? lo - below(p, (uint32_t)(lo < 300 ? lo : 300))
				   : lo + below(p, (uint32_t)(hi - lo) / 2);
		hi = chance(p, 50) ? hi + below(p, 300) : hi - below(p, (uint32_t)(hi - lo) / 2);
	}
	if (!p->has[ODD])
		lo &= ~(uint64_t)1;
	if (hi < lo + 4)
		hi = lo + 4;
	if (p->has[SEVERAL]) {
		draw_several(p, lo, hi);
		return;
	}
	size = (uint32_t)(hi - lo);
	p->nhists = 1;
	*h = (struct histogram){ lo, hi, 0 };
	if (p->has[FINE_BINS])
		h->nbins = size / 2 + 1 + below(p, size);
	else if (p->has[FRACTIONAL])
		h->nbins = chance(p, 50) ? size / 4 + 1 + below(p, 3) : 1 + below(p, size / 2);
	else
		h->nbins = size / (chance(p, 50) ? 2 : 4);
	if (!p->has[FRACTIONAL] && !p->has[FINE_BINS])
		h->hi = h->lo + (uint64_t)h->nbins * (size / h->nbins);
}

/* Whether bin i reaches the last symbol; two units early because of rounding. */
static bool is_quiet(const struct program *p, const struct histogram *h, uint32_t i)
{
	uint64_t units = (h->hi - h->lo) / 2;

	return h->lo + 2 * (units * (i + 1) / h->nbins) + 4 > p->quiet_lo;
}

static uint32_t draw_ticks(struct program *p)
{
	if (p->has[TIES])
		return 1 + below(p, 2);
	if (maybe(p, LARGE, 20))
		return MAX_BIN - below(p, 10000);
	return 1 + (chance(p, 50) ? below(p, 10) : below(p, 1000));
}

static void print_histogram(struct program *p, const struct histogram *h)
{
	uint32_t *bins = xcalloc(h->nbins, sizeof(*bins));
	uint32_t n = p->has[NO_TICKS] ? 0 : 1 + below(p, chance(p, 30) ? 4 : 2 * p->nfunctions);

	printf("hist 0x%llx 0x%llx %u %u\n", (unsigned long long)h->lo, (unsigned long long)h->hi,
	       h->nbins, p->rate);
	for (uint32_t i = 0; i < n; i++) {
		const struct function *f = &p->functions[below(p, p->nfunctions)];
		uint64_t at = f->addr + below(p, f->size);

		if (at >= h->lo && at < h->hi)
			bins[(at - h->lo) * h->nbins / (h->hi - h->lo)] = draw_ticks(p);
	}
	if (p->has[GAP_TICKS] && !p->has[NO_TICKS]) {
		bins[0] = draw_ticks(p);
		bins[h->nbins - 1] = draw_ticks(p);
	}
	for (uint32_t i = 0; i < h->nbins; i++)
		if (bins[i] && !is_quiet(p, h, i))
			printf("bin %u %u\n", i, bins[i]);
	free(bins);
}

static uint32_t draw_calls(struct program *p)
{
	if (maybe(p, ZERO_ARCS, 25))
		return 0;
	if (p->has[TIES])
		return 1 + below(p, 2);
	if (maybe(p, LARGE, 30))
		return UINT32_MAX - below(p, 1000);
	return 1 + (chance(p, 60) ? below(p, 10) : below(p, 100000));
}

static uint64_t draw_outside(struct program *p)
{
	switch (below(p, 3)) {
	case 0:
		return below(p, 0x100);
	case 1:
		return p->quiet_hi + 0x10000 + below(p, 100);
	default:
		return 0xfffffff0 + below(p, 16);
	}
}

static void print_arc(struct program *p, uint32_t caller, uint32_t callee)
{
	const struct function *from = &p->functions[caller], *to = &p->functions[callee];
	bool inside = !to->is_exact || maybe(p, INNER, 30);
	uint64_t from_pc = from->addr + below(p, from->size), self_pc = to->addr;
	uint32_t times = maybe(p, TWICE, 20) ? 2 + below(p, 2) : 1;

	if (inside && to->size < 2)
		return;
	if (inside)
		self_pc += 1 + below(p, to->size - 1);
	while (times-- > 0) {
		printf("arc 0x%llx 0x%llx %u\n", (unsigned long long)from_pc,
		       (unsigned long long)self_pc, draw_calls(p));
		if (chance(p, 70))
			from_pc = from->addr + below(p, from->size);
	}
	if (maybe(p, OUTSIDE, 10))
		printf("arc 0x%llx 0x%llx %u\n", (unsigned long long)draw_outside(p),
		       (unsigned long long)self_pc, draw_calls(p));
	if (maybe(p, OUTSIDE, 10))
		printf("arc 0x%llx 0x%llx %u\n", (unsigned long long)from_pc,
		       (unsigned long long)draw_outside(p), draw_calls(p));
}

/* A ring of a few functions, then into another function of the same ring: a nested cycle. */
static void print_ring(struct program *p)
{
	uint32_t n = 2 + below(p, p->nfunctions < 8 ? p->nfunctions - 1 : 7);
	uint32_t first = below(p, p->nfunctions - n + 1);

	for (uint32_t i = 0; i < n; i++)
		print_arc(p, first + i, first + (i + 1) % n);
	if (n > 2 && chance(p, 60))
		print_arc(p, first + below(p, n), first + below(p, n));
}

static void print_hub(struct program *p)
{
	uint32_t hub = below(p, p->nfunctions), n = 1 + below(p, p->nfunctions);
	bool caller = chance(p, 50);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t other = below(p, p->nfunctions);

		if (other != hub)
			print_arc(p, caller ? hub : other, caller ? other : hub);
	}
}

static void print_arcs(struct program *p)
{
	uint32_t n = p->nfunctions * (1 + below(p, p->nfunctions > 20 ? 3 : 5)) / (1 + below(p, 3));
	uint32_t nrings = p->has[RINGS] ? 1 + below(p, 4) : 0;

	for (uint32_t i = 0; i <= n; i++) {
		uint32_t a = below(p, p->nfunctions), b = below(p, p->nfunctions);

		if (a == b ? !maybe(p, SELF_ARCS, 80) : a > b && !maybe(p, CYCLES, 50)) {
			uint32_t c = a;

			a = a == b ? 0 : b;
			b = c;
		}
		if (a != b || p->has[SELF_ARCS])
			print_arc(p, a, b);
		if (maybe(p, SELF_ARCS, 5))
			print_arc(p, a, a);
	}
	for (uint32_t i = 0; i < nrings; i++)
		print_ring(p);
	if (p->has[HUBS])
		print_hub(p);
}

/* Returns whether it printed a histogram, which must be so in one profile at least. */
static bool print_profile(struct program *p, bool hists_last, bool must_have_hist)
{
	bool hists = true, arcs = !p->has[NO_ARCS];

	puts("profile");
	if (p->has[PROFILES] && arcs) {
		hists = must_have_hist || !chance(p, 20);
		arcs = !hists || !chance(p, 10);
	}
	for (uint32_t i = 0; hists && !hists_last && i < p->nhists; i++)
		print_histogram(p, &p->hists[i]);
	if (arcs)
		print_arcs(p);
	for (uint32_t i = 0; hists && hists_last && i < p->nhists; i++)
		print_histogram(p, &p->hists[i]);
	return hists;
}

int main(int argc, char **argv)
{
	struct program p = { 0 };
	uint32_t nprofiles;
	bool any_hist = false;
	char *end;

	if (argc != 2)
		die("usage: randprofile SEED");
	p.prng.state = strtoull(argv[1], &end, 0);
	if (*end || end == argv[1])
		die("not a number: %s", argv[1]);
	draw_features(&p);
	lay_out(&p);
	draw_histograms(&p);
	nprofiles = p.has[PROFILES] ? 2 + below(&p, 3) : 1;
	for (uint32_t i = 0; i < nprofiles; i++)
		any_hist = print_profile(&p, chance(&p, 10), !any_hist && i + 1 == nprofiles) ||
			   any_hist;
	for (uint32_t i = 0; i < p.nsymbols; i++)
		free(p.symbols[i]);
	free(p.symbols);
	free(p.functions);
	if (fflush(stdout) != 0)
		die("cannot write");
	return 0;
}
