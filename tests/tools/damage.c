/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * damage: makes a damaged copy of a program and its profile.
 *
 *   damage KIND GOOD OUT     writes OUT/a.out and OUT/gmon.out
 *   damage -l                lists the kinds
 *
 * GOOD is a directory that mkprofile filled for each machine: GOOD/64le/a.out, GOOD/64le/gmon.out,
 * and so on. The program and profile for 64le are the ones damaged. That profile begins with one
 * histogram, followed by arcs; the first symbols there are a file and then a function.
 */
#include "bytes.h"
#include "prng.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char tool_name[] = "damage";

/* Offsets in the profile: header, then the histogram's tag and fields, then bins. */
enum {
	VERSION = 4,
	HIST = 20,
	HIST_LO = HIST + 1,
	HIST_HI = HIST_LO + 8,
	HIST_BINS = HIST_HI + 8,
	HIST_RATE = HIST_BINS + 4,
	HIST_DIMENSION = HIST_RATE + 4,
	HIST_ABBREVIATION = HIST_DIMENSION + 15,
	HIST_END = HIST_ABBREVIATION + 1,
	ARC_SIZE = 21
};

/* What is damaged, and where copies of it are written. */
struct pair {
	const char *good, *out;
	struct bytes image, profile;
	bool no_image, no_profile; /* made in another way: not to be written */
};

/* How a kind is made: one of the functions, with the row's numbers and words. */
struct kind {
	const char *name;
	void (*make)(struct pair *, const struct kind *);
	uint64_t at, value;
	unsigned width;
	const char *section;
};

static size_t bins_end(const struct bytes *profile)
{
	return HIST_END + 2 * bytes_get(profile, HIST_BINS, 4);
}

static void cut_profile(struct pair *p, const struct kind *k)
{
	p->profile.n = k->at;
}

/* Cuts at some bytes behind the histogram, or before if `value` is 1. */
static void cut_behind_bins(struct pair *p, const struct kind *k)
{
	p->profile.n = k->value ? bins_end(&p->profile) - k->at : bins_end(&p->profile) + k->at;
}

static void set_profile(struct pair *p, const struct kind *k)
{
	bytes_set(&p->profile, k->at, k->value, k->width);
}

/* The histogram once more at the end, with one field changed. */
static void second_histogram(struct pair *p, const struct kind *k)
{
	size_t from = p->profile.n, n = bins_end(&p->profile) - HIST;
	struct bytes copy = { 0 };

	bytes_add(&copy, p->profile.data + HIST, n);
	bytes_add(&p->profile, copy.data, n);
	bytes_set(&p->profile, from + k->at - HIST, k->value, k->width);
	bytes_free(&copy);
}

/* A second histogram that begins in the middle of the first. */
static void overlapping_histogram(struct pair *p, const struct kind *k)
{
	uint64_t lo = bytes_get(&p->profile, HIST_LO, 8), hi = bytes_get(&p->profile, HIST_HI, 8);
	size_t from = p->profile.n;

	(void)k;
	second_histogram(p, &(struct kind){ .at = HIST_LO, .value = (lo + hi) / 2, .width = 8 });
	bytes_set(&p->profile, from + HIST_HI - HIST, (lo + hi) / 2 + (hi - lo), 8);
}

static void swap_range(struct pair *p, const struct kind *k)
{
	uint64_t lo = bytes_get(&p->profile, HIST_LO, 8);

	(void)k;
	bytes_set(&p->profile, HIST_LO, bytes_get(&p->profile, HIST_HI, 8), 8);
	bytes_set(&p->profile, HIST_HI, lo, 8);
}

static void empty_range(struct pair *p, const struct kind *k)
{
	(void)k;
	bytes_set(&p->profile, HIST_HI, bytes_get(&p->profile, HIST_LO, 8), 8);
}

/* Basic-block records: `value` is the number they claim, `at` the bytes that follow. */
static void add_blocks(struct pair *p, const struct kind *k)
{
	bytes_put(&p->profile, 2, 1);
	bytes_put(&p->profile, k->value, 4);
	bytes_fill(&p->profile, 0, k->at);
}

static void add_bytes(struct pair *p, const struct kind *k)
{
	bytes_add(&p->profile, k->section, strlen(k->section));
}

static void only_arcs(struct pair *p, const struct kind *k)
{
	size_t end = bins_end(&p->profile);

	(void)k;
	memmove(p->profile.data + HIST, p->profile.data + end, p->profile.n - end);
	p->profile.n -= end - HIST;
}

static void garble(struct bytes *b, size_t from)
{
	struct prng r = { 1 };

	for (size_t i = from; i < b->n; i++)
		b->data[i] = (unsigned char)(prng_next(&r) | 0x80);
}

static void garble_profile(struct pair *p, const struct kind *k)
{
	garble(&p->profile, k->at);
}

static void profile_is_text(struct pair *p, const struct kind *k)
{
	p->profile.n = 0;
	while (p->profile.n < 4096)
		add_bytes(p, k);
}

static void profile_is_image(struct pair *p, const struct kind *k)
{
	(void)k;
	p->profile.n = 0;
	bytes_add(&p->profile, p->image.data, p->image.n);
}

/* The profile, or with `value` 1 the image, of another machine. */
static void other_machine(struct pair *p, const struct kind *k)
{
	struct bytes *b = k->value ? &p->image : &p->profile;
	char dir[4096];

	snprintf(dir, sizeof(dir), "%s/%s", p->good, k->section);
	b->n = 0;
	bytes_load(b, dir, k->value ? "a.out" : "gmon.out");
}

/* Something that is no regular file: `at` says what. */
enum { NOTHING, DIRECTORY, FIFO, UNREADABLE };

static void not_a_file(struct pair *p, const struct kind *k)
{
	const char *name = k->value ? "a.out" : "gmon.out";
	char path[4096];
	int failed = 0;

	snprintf(path, sizeof(path), "%s/%s", p->out, name);
	if (k->at == DIRECTORY)
		failed = mkdir(path, 0777);
	else if (k->at == FIFO)
		failed = mkfifo(path, 0666);
	else if (k->at == UNREADABLE)
		bytes_save(k->value ? &p->image : &p->profile, p->out, name);
	if (failed || (k->at == UNREADABLE && chmod(path, 0) != 0))
		die("%s: %s", path, strerror(errno));
	*(k->value ? &p->no_image : &p->no_profile) = true;
}

static void cut_image(struct pair *p, const struct kind *k)
{
	p->image.n = k->at;
}

/* Keeps `at` hundredths of the image. */
static void cut_image_part(struct pair *p, const struct kind *k)
{
	p->image.n = p->image.n * k->at / 100;
}

static void set_image(struct pair *p, const struct kind *k)
{
	bytes_set(&p->image, k->at, k->value, k->width);
}

static void garble_image(struct pair *p, const struct kind *k)
{
	garble(&p->image, k->at);
}

static void image_is(struct pair *p, const struct kind *k)
{
	p->image.n = 0;
	bytes_add(&p->image, k->section, strlen(k->section));
}

/* An archive with the good image as its only member. */
static void image_is_archive(struct pair *p, const struct kind *k)
{
	struct bytes archive = { 0 };
	char head[80];
	size_t n = p->image.n;

	(void)k;
	snprintf(head, sizeof(head), "!<arch>\n%-16s%-12d%-6d%-6d%-8d%-10zu`\n", "a.o/", 0, 0, 0,
		 644, n);
	bytes_add(&archive, head, strlen(head));
	bytes_add(&archive, p->image.data, n);
	bytes_free(&p->image);
	p->image = archive;
}

/* The offset of the header of a section of the good image. */
static size_t section_header(const struct bytes *image, const char *name)
{
	size_t shoff = bytes_get(image, offsetof(Elf64_Ehdr, e_shoff), 8);
	size_t n = bytes_get(image, offsetof(Elf64_Ehdr, e_shnum), 2);
	size_t names = shoff + (n - 1) * sizeof(Elf64_Shdr);
	size_t strings = bytes_get(image, names + offsetof(Elf64_Shdr, sh_offset), 8);

	for (size_t i = 0; i < n; i++) {
		size_t header = shoff + i * sizeof(Elf64_Shdr);

		if (strcmp((char *)image->data + strings + bytes_get(image, header, 4), name) == 0)
			return header;
	}
	die("no section %s", name);
}

static uint64_t section_field(const struct bytes *image, const char *name, size_t field)
{
	return bytes_get(image, section_header(image, name) + field, 8);
}

static void set_section(struct pair *p, const struct kind *k)
{
	bytes_set(&p->image, section_header(&p->image, k->section) + k->at, k->value, k->width);
}

/* Sets a field of entry 2 of .symtab, the first one that is a function. */
static void set_symbol(struct pair *p, const struct kind *k)
{
	size_t symbols = section_field(&p->image, ".symtab", offsetof(Elf64_Shdr, sh_offset));

	bytes_set(&p->image, symbols + 2 * sizeof(Elf64_Sym) + k->at, k->value, k->width);
}

/* All bytes of a section become `value`. */
static void fill_section(struct pair *p, const struct kind *k)
{
	memset(p->image.data +
		       section_field(&p->image, k->section, offsetof(Elf64_Shdr, sh_offset)),
	       (int)k->value, section_field(&p->image, k->section, offsetof(Elf64_Shdr, sh_size)));
}

/* The table of sections once more at the end, with so many copies of the header of .text behind it.
 */
static void share_section(struct pair *p, const struct kind *k)
{
	size_t shoff = bytes_get(&p->image, offsetof(Elf64_Ehdr, e_shoff), 8);
	size_t n = bytes_get(&p->image, offsetof(Elf64_Ehdr, e_shnum), 2);
	size_t text = section_header(&p->image, k->section);
	static const unsigned char padding[1 << 20];
	size_t at;
	Elf64_Shdr header;

	/* More than a page, so that many copies are much. */
	bytes_add(&p->image, padding, sizeof(padding) - p->image.n % 8);
	bytes_set(&p->image, text + offsetof(Elf64_Shdr, sh_size),
		  p->image.n - bytes_get(&p->image, text + offsetof(Elf64_Shdr, sh_offset), 8), 8);
	memcpy(&header, p->image.data + text, sizeof(header));
	at = p->image.n;
	bytes_add(&p->image, padding, n * sizeof(header));
	memcpy(p->image.data + at, p->image.data + shoff, n * sizeof(header));
	for (uint64_t i = 0; i < k->value; i++)
		bytes_add(&p->image, &header, sizeof(header));
	bytes_set(&p->image, offsetof(Elf64_Ehdr, e_shoff), at, 8);
	bytes_set(&p->image, offsetof(Elf64_Ehdr, e_shnum), n + k->value, 2);
}

/* So many symbols more than there are, named by all ends of one long name. */
static void share_names(struct pair *p, const struct kind *k)
{
	size_t symtab = section_header(&p->image, ".symtab");
	size_t strtab = section_header(&p->image, ".strtab");
	size_t symbols = bytes_get(&p->image, symtab + offsetof(Elf64_Shdr, sh_offset), 8);
	static const unsigned char padding[8];
	Elf64_Sym symbol;

	memcpy(&symbol, p->image.data + symbols + 2 * sizeof(symbol), sizeof(symbol));
	bytes_set(&p->image, strtab + offsetof(Elf64_Shdr, sh_offset), p->image.n, 8);
	bytes_set(&p->image, strtab + offsetof(Elf64_Shdr, sh_size), k->value + 1, 8);
	for (uint64_t i = 0; i < k->value; i++)
		bytes_add(&p->image, "a", 1);
	bytes_add(&p->image, padding, 8 - p->image.n % 8);
	bytes_set(&p->image, symtab + offsetof(Elf64_Shdr, sh_offset), p->image.n, 8);
	bytes_set(&p->image, symtab + offsetof(Elf64_Shdr, sh_size), k->value * sizeof(symbol), 8);
	bytes_set(&p->image, symtab + offsetof(Elf64_Shdr, sh_info), 1, 4);
	for (uint64_t i = 0; i < k->value; i++) {
		symbol.st_name = (Elf64_Word)i;
		bytes_add(&p->image, &symbol, sizeof(symbol));
	}
}

#define SET_HEADER(kind, field, value)                               \
	{                                                            \
		kind, set_image, offsetof(Elf64_Ehdr, field), value, \
			sizeof(((Elf64_Ehdr *)0)->field), NULL       \
	}
#define SET_SECTION(kind, section, field, value)                       \
	{                                                              \
		kind, set_section, offsetof(Elf64_Shdr, field), value, \
			sizeof(((Elf64_Shdr *)0)->field), section      \
	}
#define SET_SYMBOL(kind, field, value)                               \
	{                                                            \
		kind, set_symbol, offsetof(Elf64_Sym, field), value, \
			sizeof(((Elf64_Sym *)0)->field), NULL        \
	}
#define HUGE_32 0xffffffff
#define HUGE_64 0xfffffffffffffff0

static const struct kind kinds[] = {
	{ "good", cut_image_part, .at = 100 },
	{ "profile-empty", cut_profile, .at = 0 },
	{ "profile-19-bytes", cut_profile, .at = 19 },
	{ "profile-header-only", cut_profile, .at = 20 },
	{ "profile-tag-only", cut_profile, .at = HIST + 1 },
	{ "profile-bad-magic", set_profile, .at = 3, .value = 'x', .width = 1 },
	{ "profile-version-0", set_profile, .at = VERSION, .value = 0, .width = 4 },
	{ "profile-version-2", set_profile, .at = VERSION, .value = 2, .width = 4 },
	{ "profile-version-huge", set_profile, .at = VERSION, .value = HUGE_32, .width = 4 },
	{ "profile-first-tag", set_profile, .at = HIST, .value = 5, .width = 1 },
	{ "profile-garbage", garble_profile, .at = 0 },
	{ "profile-garbage-records", garble_profile, .at = HIST },
	{ "profile-garbage-behind", add_bytes, .section = "left over" },
	{ "profile-text", profile_is_text, .section = "This is not a profile.\n" },
	{ "profile-image", profile_is_image, .at = 0 },
	{ "profile-32le", other_machine, .section = "32le" },
	{ "profile-64be", other_machine, .section = "64be" },
	{ "profile-32be", other_machine, .section = "32be" },
	{ "profile-missing", not_a_file, .at = NOTHING },
	{ "profile-directory", not_a_file, .at = DIRECTORY },
	{ "profile-unreadable", not_a_file, .at = UNREADABLE },
	{ "hist-cut-low", cut_profile, .at = HIST_LO + 3 },
	{ "hist-cut-high", cut_profile, .at = HIST_HI },
	{ "hist-cut-bin-count", cut_profile, .at = HIST_BINS + 2 },
	{ "hist-cut-rate", cut_profile, .at = HIST_RATE + 1 },
	{ "hist-cut-dimension", cut_profile, .at = HIST_DIMENSION + 7 },
	{ "hist-cut-abbreviation", cut_profile, .at = HIST_ABBREVIATION },
	{ "hist-no-bins", cut_profile, .at = HIST_END },
	{ "hist-half-a-bin", cut_profile, .at = HIST_END + 5 },
	{ "hist-one-bin-short", cut_behind_bins, .at = 2, .value = 1 },
	{ "hist-only", cut_behind_bins, .at = 0 },
	{ "hist-bin-count-0", set_profile, .at = HIST_BINS, .value = 0, .width = 4 },
	{ "hist-bin-count-large", set_profile, .at = HIST_BINS, .value = 0x10000000, .width = 4 },
	{ "hist-bin-count-huge", set_profile, .at = HIST_BINS, .value = HUGE_32, .width = 4 },
	{ "hist-high-below-low", swap_range, .at = 0 },
	{ "hist-empty-range", empty_range, .at = 0 },
	{ "hist-whole-memory", set_profile, .at = HIST_HI, .value = HUGE_64, .width = 8 },
	{ "hist-rate-0", set_profile, .at = HIST_RATE, .value = 0, .width = 4 },
	{ "hist-overlap", overlapping_histogram, .at = 0 },
	{ "hist-other-scale", second_histogram, .at = HIST_BINS, .value = 7, .width = 4 },
	{ "hist-other-dimension", second_histogram, .at = HIST_DIMENSION, .value = 'S',
	  .width = 1 },
	{ "hist-other-abbreviation", second_histogram, .at = HIST_ABBREVIATION, .value = 'S',
	  .width = 1 },
	{ "arc-tag-only", cut_behind_bins, .at = 1 },
	{ "arc-cut-from", cut_behind_bins, .at = 8 },
	{ "arc-cut-self", cut_behind_bins, .at = 10 },
	{ "arc-cut-count", cut_behind_bins, .at = ARC_SIZE - 1 },
	{ "arc-second-cut", cut_behind_bins, .at = 2 * ARC_SIZE - 4 },
	{ "arcs-only", only_arcs, .at = 0 },
	{ "blocks-none", add_blocks, .at = 0, .value = 0 },
	{ "blocks-good", add_blocks, .at = 32, .value = 2 },
	{ "blocks-cut-number", add_bytes, .section = "\2\1" },
	{ "blocks-cut-pair", add_blocks, .at = 18, .value = 2 },
	{ "blocks-huge", add_blocks, .at = 16, .value = HUGE_32 },
	{ "image-empty", cut_image, .at = 0 },
	{ "image-4-bytes", cut_image, .at = 4 },
	{ "image-half-header", cut_image, .at = 40 },
	{ "image-header-only", cut_image, .at = sizeof(Elf64_Ehdr) },
	{ "image-cut-in-text", cut_image, .at = 200 },
	{ "image-cut-half", cut_image_part, .at = 50 },
	{ "image-cut-section-table", cut_image_part, .at = 95 },
	{ "image-text-file", image_is, .section = "#!/bin/sh\necho not an object file\n" },
	{ "image-archive", image_is_archive, .at = 0 },
	{ "image-garbage", garble_image, .at = 0 },
	{ "image-garbage-behind-header", garble_image, .at = sizeof(Elf64_Ehdr) },
	{ "image-missing", not_a_file, .at = NOTHING, .value = 1 },
	{ "image-directory", not_a_file, .at = DIRECTORY, .value = 1 },
	{ "image-fifo", not_a_file, .at = FIFO, .value = 1 },
	{ "image-unreadable", not_a_file, .at = UNREADABLE, .value = 1 },
	SET_HEADER("image-class", e_ident[EI_CLASS], 7),
	SET_HEADER("image-byte-order", e_ident[EI_DATA], 9),
	SET_HEADER("image-other-order", e_ident[EI_DATA], ELFDATA2MSB),
	{ "image-32le", other_machine, .value = 1, .section = "32le" },
	SET_HEADER("image-core", e_type, ET_CORE),
	SET_HEADER("image-object", e_type, ET_REL),
	SET_HEADER("image-shared", e_type, ET_DYN),
	SET_HEADER("image-unknown-machine", e_machine, 0xfedc),
	SET_HEADER("image-shoff-0", e_shoff, 0),
	SET_HEADER("image-shoff-outside", e_shoff, 1 << 20),
	SET_HEADER("image-shoff-huge", e_shoff, HUGE_64),
	SET_HEADER("image-shnum-0", e_shnum, 0),
	SET_HEADER("image-shnum-huge", e_shnum, 0xfeff),
	SET_HEADER("image-shentsize", e_shentsize, 12),
	SET_HEADER("image-shstrndx", e_shstrndx, 0x1234),
	SET_SECTION("text-renamed", ".text", sh_name, 3),
	SET_SECTION("text-name-outside", ".text", sh_name, HUGE_32),
	SET_SECTION("text-size-huge", ".text", sh_size, HUGE_64),
	SET_SECTION("symtab-absent", ".symtab", sh_type, SHT_PROGBITS),
	SET_SECTION("symtab-empty", ".symtab", sh_size, 0),
	SET_SECTION("symtab-only-null", ".symtab", sh_size, 24),
	SET_SECTION("symtab-no-functions", ".symtab", sh_size, 48),
	SET_SECTION("symtab-size-huge", ".symtab", sh_size, 24ULL << 40),
	SET_SECTION("symtab-size-odd", ".symtab", sh_size, 24 * 4 + 5),
	SET_SECTION("symtab-offset-outside", ".symtab", sh_offset, 1 << 20),
	SET_SECTION("symtab-entsize-0", ".symtab", sh_entsize, 0),
	SET_SECTION("symtab-entsize-7", ".symtab", sh_entsize, 7),
	SET_SECTION("symtab-link-0", ".symtab", sh_link, 0),
	SET_SECTION("symtab-link-text", ".symtab", sh_link, 1),
	SET_SECTION("symtab-link-outside", ".symtab", sh_link, 0x4321),
	SET_SECTION("strtab-absent", ".strtab", sh_type, SHT_NULL),
	SET_SECTION("strtab-size-huge", ".strtab", sh_size, HUGE_64),
	SET_SECTION("strtab-offset-outside", ".strtab", sh_offset, 1 << 20),
	{ "strtab-no-end", fill_section, .value = 'a', .section = ".strtab" },
	{ "text-shared", share_section, .value = 300, .section = ".text" },
	{ "symbol-names-shared", share_names, .value = 30000 },
	SET_SYMBOL("symbol-name-outside", st_name, 0xfffffff),
	SET_SYMBOL("symbol-section-outside", st_shndx, 0x1234),
};

static void list_kinds(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		puts(kinds[i].name);
}

static const struct kind *find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	die("no such kind: %s", name);
}

int main(int argc, char **argv)
{
	struct pair p = { 0 };
	const struct kind *k;
	char dir[4096];

	if (argc == 2 && strcmp(argv[1], "-l") == 0) {
		list_kinds();
		return 0;
	}
	if (argc != 4)
		die("usage: damage KIND GOOD OUT, or damage -l");
	k = find(argv[1]);
	p.good = argv[2];
	p.out = argv[3];
	snprintf(dir, sizeof(dir), "%s/64le", p.good);
	bytes_load(&p.image, dir, "a.out");
	bytes_load(&p.profile, dir, "gmon.out");
	k->make(&p, k);
	if (!p.no_image)
		bytes_save(&p.image, p.out, "a.out");
	if (!p.no_profile)
		bytes_save(&p.profile, p.out, "gmon.out");
	bytes_free(&p.image);
	bytes_free(&p.profile);
	return 0;
}
