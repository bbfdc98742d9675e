/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mkprofile: makes an executable and its profiles from readable text.
 *
 *   mkprofile [-m 64le|32le|64be|32be] IN.profile OUTDIR
 *
 * writes OUTDIR/a.out (x86-64, i386, s390x or PowerPC; 64le if -m is missing) and OUTDIR/gmon.out,
 * OUTDIR/gmon.2, OUTDIR/gmon.3 and so on, one for each `profile` line. Words are separated by
 * blanks; a word that begins with '#' begins a comment.
 *
 *   text ADDR SIZE             the section .text
 *   section NAME ADDR SIZE [data]
 *                              another section, of code unless `data` is said
 *   strings packed             names follow one another in .strtab as in files of a linker; if not
 *                              said, an empty string stands behind each
 *   sym NAME ADDR [TYPE] [BINDING] [size N] [in SECTION]
 *                              the next entry of .symtab; "" is the empty name
 *                              TYPE: func (if missing) notype object ifunc tls file section common
 *                              BINDING: global (if missing) local weak
 *                              SECTION: a section's name, undef or abs; if missing, the section
 *                              that contains ADDR, else .text
 *   profile [VERSION]          the records of the next file follow; VERSION is 1 if missing;
 *                              `profile bare` writes no header; `profile bsd` and
 *                              `profile bsd44` write the old BSD and the 4.4BSD layout, which need
 *                              one `hist`, and have no `bb`
 *   hist LOW HIGH BINS RATE [DIMENSION [ABBREVIATION]]
 *                              a histogram, of "seconds" and "s" if not said otherwise
 *   tick ADDR COUNT            adds to the bin of the last `hist` that contains ADDR
 *   bin INDEX COUNT            adds to a bin of the last `hist`
 *   arc FROM SELF COUNT        a record of calls
 *   bb ADDR COUNT [ADDR COUNT]...
 *                              a record of basic-block counts
 *   raw HEXDIGITS...           bytes as they are
 *
 * With one of these, a file of call stacks stands beside the profile, gmon.out.ext and so on:
 *
 *   module PATH LOW HIGH BIAS [BUILDID] [program] [vdso] [unloaded] [several] [recorder]
 *                              an object; if none is said, there is the program, a.out, with the
 *                              section .text. BUILDID: hexadecimal digits
 *   thread TID [NAME [CPU_NS [LOOKS SQUARES [RUNNABLE LIFE]]]]
 *                              stacks that follow are of this thread; if none is said, of 1, "main"
 *   kind NAME [RATE DIMENSION ABBREVIATION]
 *                              and of this kind of ticks, new or one above; the first is to be
 *                              "cpu", and is if none is said, with the rate of the last `hist`
 *   square SQUARES FRAME...    the squares of waiting in that stack of the thread
 *   hold TICKS LOCK [deadlock|waker|unwoken] FRAME... by FRAME...
 *                              the first stack waited for the lock at that address, which the
 *                              second one had; LOCK is a FRAME, of data
 *   timeline START SLICE_NS SLICES
 *                              slices of the time of the recording, which begins at START ns
 *   slice NUMBER TICKS         so many ticks of the last `stack` were in that slice
 *   stack TICKS [complete|guessed|broken|cut] FRAME...
 *                              a sample, the outermost function first. FRAME: ADDR in the first
 *                              module, MODULE:ADDR in the one with this path or last part of it,
 *                              or -:ADDR outside of all, where -:1 is a gap. None, not cut: nobody
 *                              looked at that time
 *   call FROM SELF COUNT [ORDER]
 *                              calls of modules, each end a FRAME as above
 *   outside FRAME TICKS        ticks outside of the program
 *   site FRAME FUNCTIONS DROPPED SITES DIRECT INDIRECT
 *                              the calls of the module of FRAME were counted in its code
 *   part FRAME REASONS         a function that may have had more calls
 *   process PID PARENT CPU_NS PROGRAM COMMAND...
 *                              the process that was recorded, which exited with 0. PROGRAM: the
 *                              path of its executable; "" is the module that is the program
 *
 * ADDR is a sum or difference of numbers (as in C) and names of earlier symbols: main+4
 */
#include "mkprofile.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char tool_name[] = "mkprofile";

struct keyword {
	const char *name;
	void (*make)(struct maker *);
	size_t min, max; /* words behind the keyword */
	bool in_profile;
	const char *usage;
};

static const struct word_value types[] = {
	{ "notype", STT_NOTYPE },   { "object", STT_OBJECT },   { "func", STT_FUNC },
	{ "section", STT_SECTION }, { "file", STT_FILE },       { "common", STT_COMMON },
	{ "tls", STT_TLS },         { "ifunc", STT_GNU_IFUNC }, { NULL, 0 },
};

static const struct word_value bindings[] = {
	{ "local", STB_LOCAL }, { "global", STB_GLOBAL }, { "weak", STB_WEAK }, { NULL, 0 }
};

void bad(const struct maker *m, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	die("%s:%ld: %s", m->path, m->line, message);
}

uint64_t number(const struct maker *m, const char *text)
{
	uint64_t value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (!isdigit((unsigned char)*text) || *end || errno)
		bad(m, "not a number: %s", text);
	return value;
}

uint64_t number_up_to(const struct maker *m, const char *text, uint64_t max)
{
	uint64_t value = number(m, text);

	if (value > max)
		bad(m, "%s is above %llu", text, (unsigned long long)max);
	return value;
}

static uint64_t term(const struct maker *m, const char *text)
{
	if (isdigit((unsigned char)*text))
		return number(m, text);
	for (size_t i = 0; i < m->image.nsymbols; i++)
		if (strcmp(m->image.symbols[i].name, text) == 0)
			return m->image.symbols[i].addr;
	bad(m, "no symbol %s so far", text);
}

uint64_t address(const struct maker *m, const char *text)
{
	char *copy = strdup(text), *at = copy;
	uint64_t sum = 0;
	char sign = '+';

	while (sign) {
		size_t n = strcspn(at, "+-");
		char next = at[n];
		uint64_t value;

		at[n] = '\0';
		value = term(m, at);
		sum = sign == '+' ? sum + value : sum - value;
		at += n + 1;
		sign = next;
	}
	free(copy);
	if (!m->image.machine->is_64 && sum > UINT32_MAX)
		bad(m, "%s does not fit in 32 bits", text);
	return sum;
}

const struct word_value *look_up(const struct word_value *table, const char *word)
{
	while (table->word && strcmp(table->word, word) != 0)
		table++;
	return table->word ? table : NULL;
}

static void add_section(struct maker *m, const char *name, const char *addr, const char *size,
			bool code)
{
	struct image *image = &m->image;
	struct section *s;

	if (image->nsymbols)
		bad(m, "sections must stand before symbols");
	image->sections = xrealloc(image->sections, (image->nsections + 1) * sizeof(*s));
	s = &image->sections[image->nsections++];
	*s = (struct section){
		.name = strdup(name),
		.addr = address(m, addr),
		.size = number_up_to(m, size, (uint64_t)1 << 30),
		.code = code,
	};
}

static void make_text(struct maker *m)
{
	add_section(m, ".text", m->words[1], m->words[2], true);
}

static void make_section(struct maker *m)
{
	bool data = m->nwords == 5;

	if (data && strcmp(m->words[4], "data") != 0)
		bad(m, "not `data': %s", m->words[4]);
	add_section(m, m->words[1], m->words[2], m->words[3], !data);
}

static void make_strings(struct maker *m)
{
	if (strcmp(m->words[1], "packed") != 0)
		bad(m, "not `packed': %s", m->words[1]);
	m->image.packed_names = true;
}

int section_named(const struct maker *m, const char *name)
{
	if (strcmp(name, "undef") == 0)
		return IN_UNDEF;
	if (strcmp(name, "abs") == 0)
		return IN_ABS;
	for (size_t i = 0; i < m->image.nsections; i++)
		if (strcmp(m->image.sections[i].name, name) == 0)
			return (int)i;
	bad(m, "no section %s", name);
}

static int section_at(const struct maker *m, uint64_t addr)
{
	int text = 0;

	for (size_t i = 0; i < m->image.nsections; i++) {
		const struct section *s = &m->image.sections[i];

		if (addr - s->addr < s->size)
			return (int)i;
		if (strcmp(s->name, ".text") == 0)
			text = (int)i;
	}
	return text;
}

static void make_sym(struct maker *m)
{
	struct symbol s = { .type = STT_FUNC, .binding = STB_GLOBAL };
	struct image *image = &m->image;
	bool placed = false;

	if (!image->nsections)
		bad(m, "no section so far");
	s.name = strcmp(m->words[1], "\"\"") == 0 ? "" : strdup(m->words[1]);
	s.addr = address(m, m->words[2]);
	for (size_t i = 3; i < m->nwords; i++) {
		const char *word = m->words[i];
		const struct word_value *type = look_up(types, word),
					*binding = look_up(bindings, word);

		if (type) {
			s.type = type->value;
		} else if (binding) {
			s.binding = binding->value;
		} else if (strcmp(word, "size") == 0 && i + 1 < m->nwords) {
			s.size = number_up_to(m, m->words[++i], UINT32_MAX);
		} else if (strcmp(word, "in") == 0 && i + 1 < m->nwords) {
			s.section = section_named(m, m->words[++i]);
			placed = true;
		} else {
			bad(m, "not known here: %s", word);
		}
	}
	if (!placed)
		s.section = s.type == STT_FILE ? IN_ABS : section_at(m, s.addr);
	if ((image->nsymbols & (image->nsymbols + 1)) == 0)
		image->symbols = xrealloc(image->symbols, 2 * (image->nsymbols + 1) * sizeof(s));
	image->symbols[image->nsymbols++] = s;
}

static void end_hist(struct maker *m)
{
	unsigned width = machine_width(m->image.machine);

	if (m->hist.bins && m->layout == GMON_TAGGED)
		gmon_put_hist(&m->profile, width, &m->hist);
	else if (m->hist.bins)
		gmon_put_bsd(&m->profile, width, m->layout, &m->hist);
	free(m->hist.bins);
	m->hist.bins = NULL;
}

static void end_profile(struct maker *m)
{
	char name[32] = "gmon.out";

	if (!m->nprofiles)
		return;
	end_hist(m);
	if (m->layout != GMON_TAGGED && !m->profile.n)
		bad(m, "the profile has no histogram");
	if (m->arcs.n)
		bytes_add(&m->profile, m->arcs.data, m->arcs.n);
	bytes_free(&m->arcs);
	if (m->nprofiles > 1)
		snprintf(name, sizeof(name), "gmon.%u", m->nprofiles);
	bytes_save(&m->profile, m->outdir, name);
	save_stacks(m, name);
	bytes_free(&m->profile);
}

static void make_profile(struct maker *m)
{
	const char *word = m->nwords > 1 ? m->words[1] : "1";

	end_profile(m);
	m->nprofiles++;
	m->profile.big = m->arcs.big = m->stacks.big = m->image.machine->big;
	m->layout = strcmp(word, "bsd") == 0     ? GMON_OLD_BSD
		    : strcmp(word, "bsd44") == 0 ? GMON_BSD44
						 : GMON_TAGGED;
	if (m->layout == GMON_TAGGED && strcmp(word, "bare") != 0)
		gmon_put_header(&m->profile, (uint32_t)number_up_to(m, word, UINT32_MAX));
}

static void make_hist(struct maker *m)
{
	struct gmon_hist *h = &m->hist;

	end_hist(m);
	if (m->layout != GMON_TAGGED && m->profile.n)
		bad(m, "a BSD profile has one histogram");
	h->lo = address(m, m->words[1]);
	h->hi = address(m, m->words[2]);
	h->nbins = (uint32_t)number_up_to(m, m->words[3], MAX_BINS);
	h->rate = (uint32_t)number_up_to(m, m->words[4], UINT32_MAX);
	free((void *)(uintptr_t)h->dimension);
	h->dimension = strdup(m->nwords > 5 ? m->words[5] : "seconds");
	h->abbreviation = m->nwords > 6 ? m->words[6][0] : 's';
	if (strlen(h->dimension) > GMON_DIMENSION)
		bad(m, "dimension longer than %d bytes", GMON_DIMENSION);
	h->bins = xcalloc(h->nbins, sizeof(*h->bins));
}

static void add_to_bin(struct maker *m, uint64_t index, const char *count)
{
	struct gmon_hist *h = &m->hist;
	uint64_t value;

	if (!h->bins || index >= h->nbins)
		bad(m, "no such bin");
	value = h->bins[index] + number_up_to(m, count, GMON_MAX_BIN);
	if (value > GMON_MAX_BIN)
		bad(m, "more than %d in one bin", GMON_MAX_BIN);
	h->bins[index] = (uint32_t)value;
}

static void make_tick(struct maker *m)
{
	const struct gmon_hist *h = &m->hist;
	uint64_t at = address(m, m->words[1]);

	if (!h->bins || at < h->lo || at >= h->hi)
		bad(m, "no histogram contains %s", m->words[1]);
	add_to_bin(m, (uint64_t)((unsigned __int128)(at - h->lo) * h->nbins / (h->hi - h->lo)),
		   m->words[2]);
}

static void make_bin(struct maker *m)
{
	add_to_bin(m, number(m, m->words[1]), m->words[2]);
}

static void make_arc(struct maker *m)
{
	uint64_t from = address(m, m->words[1]), self = address(m, m->words[2]);
	unsigned width = machine_width(m->image.machine);
	bool wide = m->layout != GMON_TAGGED && width == 8;
	uint64_t count = number_up_to(m, m->words[3], wide ? UINT64_MAX : UINT32_MAX);

	if (m->layout == GMON_TAGGED) {
		end_hist(m);
		gmon_put_arc(&m->profile, width, from, self, (uint32_t)count);
		return;
	}
	bytes_put(&m->arcs, from, width);
	bytes_put(&m->arcs, self, width);
	bytes_put(&m->arcs, count, width);
}

static void make_bb(struct maker *m)
{
	uint32_t n = (uint32_t)(m->nwords - 1) / 2;
	uint64_t *pairs = xcalloc(m->nwords, sizeof(*pairs));

	if (m->nwords % 2 == 0)
		bad(m, "an address without a count");
	for (size_t i = 0; i < 2 * n; i += 2) {
		pairs[i] = address(m, m->words[i + 1]);
		pairs[i + 1] = number(m, m->words[i + 2]);
	}
	end_hist(m);
	gmon_put_blocks(&m->profile, machine_width(m->image.machine), pairs, n);
	free(pairs);
}

static void make_raw(struct maker *m)
{
	end_hist(m);
	for (size_t i = 1; i < m->nwords; i++) {
		const char *p = m->words[i];

		if (strlen(p) % 2 || p[strspn(p, "0123456789abcdefABCDEF")])
			bad(m, "not pairs of hexadecimal digits: %s", p);
		for (; *p; p += 2) {
			const char pair[] = { p[0], p[1], '\0' };

			bytes_put(&m->profile, strtoul(pair, NULL, 16), 1);
		}
	}
}

static const struct keyword keywords[] = {
	{ "text", make_text, 2, 2, false, "ADDR SIZE" },
	{ "section", make_section, 3, 4, false, "NAME ADDR SIZE [data]" },
	{ "strings", make_strings, 1, 1, false, "packed" },
	{ "sym", make_sym, 2, 8, false, "NAME ADDR [TYPE] [BINDING] [size N] [in SECTION]" },
	{ "profile", make_profile, 0, 1, false, "[VERSION]" },
	{ "hist", make_hist, 4, 6, true, "LOW HIGH BINS RATE [DIMENSION [ABBREVIATION]]" },
	{ "tick", make_tick, 2, 2, true, "ADDR COUNT" },
	{ "bin", make_bin, 2, 2, true, "INDEX COUNT" },
	{ "arc", make_arc, 3, 3, true, "FROM SELF COUNT" },
	{ "bb", make_bb, 2, MAX_WORDS, true, "ADDR COUNT [ADDR COUNT]..." },
	{ "raw", make_raw, 1, MAX_WORDS, true, "HEXDIGITS..." },
	{ "module", make_module, 4, 8, true, "PATH LOW HIGH BIAS [BUILDID] [FLAG]..." },
	{ "thread", make_thread, 1, 7, true,
	  "TID [NAME [CPU_NS [LOOKS SQUARES [RUNNABLE LIFE]]]]" },
	{ "kind", make_kind, 1, 4, true, "NAME [RATE DIMENSION ABBREVIATION]" },
	{ "square", make_square, 2, MAX_WORDS, true, "SQUARES FRAME..." },
	{ "hold", make_hold, 5, MAX_WORDS, true, "TICKS LOCK [deadlock] FRAME... by FRAME..." },
	{ "timeline", make_timeline, 3, 3, true, "START SLICE_NS SLICES" },
	{ "slice", make_slice, 2, 2, true, "NUMBER TICKS" },
	{ "stack", make_stack, 1, MAX_WORDS, true, "TICKS [QUALITY] FRAME..." },
	{ "call", make_call, 3, 4, true, "FROM SELF COUNT [ORDER]" },
	{ "outside", make_outside, 2, 2, true, "FRAME TICKS" },
	{ "site", make_site, 6, 6, true, "FRAME FUNCTIONS DROPPED SITES DIRECT INDIRECT" },
	{ "part", make_part, 2, 2, true, "FRAME REASONS" },
	{ "process", make_process, 5, MAX_WORDS, true, "PID PARENT CPU_NS PROGRAM COMMAND..." },
};

static void obey(struct maker *m)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		const struct keyword *k = &keywords[i];

		if (strcmp(k->name, m->words[0]) != 0)
			continue;
		if (m->nwords - 1 < k->min || m->nwords - 1 > k->max)
			bad(m, "usage: %s %s", k->name, k->usage);
		if (k->in_profile && !m->nprofiles)
			bad(m, "no `profile' so far");
		if (!k->in_profile && m->nprofiles && k->make != make_profile)
			bad(m, "%s must stand before the first `profile'", k->name);
		k->make(m);
		return;
	}
	bad(m, "unknown keyword: %s", m->words[0]);
}

static void read_text(struct maker *m, FILE *in)
{
	char *line = NULL, *save;
	size_t room = 0;

	while (getline(&line, &room, in) > 0) {
		m->line++;
		m->nwords = 0;
		for (char *word = strtok_r(line, " \t\n", &save); word && *word != '#';
		     word = strtok_r(NULL, " \t\n", &save)) {
			if (m->nwords == MAX_WORDS)
				bad(m, "too many words");
			m->words[m->nwords++] = word;
		}
		if (m->nwords)
			obey(m);
	}
	if (ferror(in))
		die("%s: %s", m->path, strerror(errno));
	free(line);
}

static void clear(struct maker *m)
{
	for (size_t i = 0; i < m->image.nsections; i++)
		free((void *)(uintptr_t)m->image.sections[i].name);
	for (size_t i = 0; i < m->image.nsymbols; i++)
		if (*m->image.symbols[i].name)
			free((void *)(uintptr_t)m->image.symbols[i].name);
	free(m->image.sections);
	free(m->image.symbols);
	free((void *)(uintptr_t)m->hist.dimension);
	free(m);
}

int main(int argc, char **argv)
{
	struct maker *m = xcalloc(1, sizeof(*m));
	const char *machine = "64le";
	struct bytes out = { 0 };
	FILE *in;
	int c;

	while ((c = getopt(argc, argv, "m:")) != -1) {
		if (c != 'm')
			return 2;
		machine = optarg;
	}
	m->image.machine = machine_find(machine);
	if (argc - optind != 2 || !m->image.machine)
		die("usage: mkprofile [-m 64le|32le|64be|32be] IN.profile OUTDIR");
	m->path = argv[optind];
	m->outdir = argv[optind + 1];
	in = strcmp(m->path, "-") == 0 ? stdin : fopen(m->path, "r");
	if (!in)
		die("%s: %s", m->path, strerror(errno));
	read_text(m, in);
	fclose(in);
	end_profile(m);
	image_write(&m->image, &out);
	bytes_save(&out, m->outdir, "a.out");
	bytes_free(&out);
	clear(m);
	return 0;
}
