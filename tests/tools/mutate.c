/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mutate.h"

#include "extrecords.h"

#include <elf.h>
#include <string.h>

const char *const mutant_options[] = {
	"-b",
	"-b -p -q -C -i -z",
	"-b -l",
	"-b -l -q -C",
	"-b -A -x",
	"-b -l -A -y",
	"-b -c",
	"-b -r",
	"-b -R map",
	"-b -S list -q",
	"-b -a -D -L -p -q",
	"-b -T --all-symbols --inline-file-names",
	"-b -s",
	"-d -b -pmain -Qwork -E a.c:2",
	"--explain",
	"--explain --image-base=0x1000 -c -pmain",
};
const unsigned mutant_noptions = sizeof(mutant_options) / sizeof(mutant_options[0]);

unsigned split_words(char *line, char **words, unsigned max)
{
	unsigned n = 0;

	for (char *word = strtok(line, " "); word && n < max; word = strtok(NULL, " "))
		words[n++] = word;
	return n;
}

/* A value for a field of a file of `size` bytes. */
static uint64_t odd_value(uint64_t old, size_t size, struct prng *r)
{
	static const uint64_t limits[] = { 0x7f,       0xff,        0x7fff,         0xffff,
					   0x7fffffff, 0xffffffff,  0x7fffffffffff, INT64_MAX,
					   UINT64_MAX, 1ull << 31,  1ull << 32,     1ull << 40,
					   1ull << 63, 0xffffff000, 0x401000,       0x10000 };

	switch (prng_below(r, 8)) {
	case 0:
		return prng_below(r, 9);
	case 1:
		return limits[prng_below(r, sizeof(limits) / sizeof(limits[0]))];
	case 2:
		return limits[prng_below(r, sizeof(limits) / sizeof(limits[0]))] -
		       prng_below(r, 64);
	case 3:
		return old + prng_below(r, 33) - 16;
	case 4:
		return old ^ (uint64_t)1 << prng_below(r, 64);
	case 5:
		return size - prng_below(r, 2) * prng_below(r, 100);
	case 6:
		return prng_below(r, (uint32_t)size + 1);
	default:
		return prng_next(r) >> prng_below(r, 64);
	}
}

/* Changes the field at offset `at`, if all of it is in the file. */
static void change_field(struct bytes *b, uint64_t at, unsigned width, struct prng *r)
{
	if (width <= b->n && at <= b->n - width)
		bytes_set(b, at, odd_value(bytes_get(b, at, width), b->n, r), width);
}

static void cut_out(struct bytes *b, size_t at, size_t n)
{
	memmove(b->data + at, b->data + at + n, b->n - at - n);
	b->n -= n;
}

/* Changes something in [at, at + n), which is in the file. */
static void change_range(struct bytes *b, size_t at, size_t n, struct prng *r)
{
	static const unsigned char widths[] = { 1, 1, 2, 4, 8 };
	size_t place = at + prng_below(r, (uint32_t)n), other = at + prng_below(r, (uint32_t)n);
	size_t most = at + n - (place > other ? place : other);
	size_t len = 1 + prng_below(r, (uint32_t)(most < 64 ? most : 64));

	if (n == 0)
		return;
	if (len > most)
		len = most;
	switch (prng_below(r, 6)) {
	case 0:
		b->data[place] ^= (unsigned char)(1 << prng_below(r, 8));
		break;
	case 1:
		b->data[place] = (unsigned char)prng_next(r);
		break;
	case 2:
		memmove(b->data + place, b->data + other, len);
		break;
	case 3:
		memset(b->data + place, prng_chance(r, 50) ? 0 : 0xff, len);
		break;
	default:
		change_field(b, place, widths[prng_below(r, sizeof(widths))], r);
	}
}

void mutate_bytes(struct bytes *b, struct prng *r)
{
	size_t at = prng_below(r, (uint32_t)b->n), left = b->n - at;
	size_t n = prng_below(r, (uint32_t)(left < 256 ? left : 256) + 1);

	if (b->n == 0)
		return;
	switch (prng_below(r, 12)) {
	case 0:
		b->n = at;
		break;
	case 1:
		cut_out(b, at, n);
		break;
	case 2:
		bytes_fill(b, 0, n);
		memmove(b->data + at + n, b->data + at, left);
		break;
	default:
		change_range(b, 0, b->n, r);
	}
}

/* Profiles. */

enum { GMON_HEAD = 20, HIST_TAIL = 24, MAX_FIELDS = 400 };

struct fields {
	struct {
		size_t at;
		unsigned width;
	} field[MAX_FIELDS];
	unsigned n;
};

/* Notes fields of the given widths, ended by 0, and returns what is behind them. */
static size_t note_fields(struct fields *f, size_t at, const unsigned *widths)
{
	for (; *widths; at += *widths++) {
		if (f->n < MAX_FIELDS) {
			f->field[f->n].at = at;
			f->field[f->n++].width = *widths;
		}
	}
	return at;
}

static void note_records(struct fields *f, const struct bytes *b, unsigned width)
{
	const unsigned hist[] = { 1, width, width, 4, 4, 15, 1, 0 };
	const unsigned arc[] = { 1, width, width, 4, 0 };
	const unsigned blocks[] = { 1, 4, width, width, 0 };
	size_t at = note_fields(f, 0, (const unsigned[]){ 4, 4, 0 });

	for (at = GMON_HEAD; at < b->n && f->n < MAX_FIELDS;) {
		size_t start = at;
		uint64_t more = 0;

		if (b->data[at] == 0) {
			at = note_fields(f, at, hist);
			if (at <= b->n)
				more = 2 * bytes_get(b, start + 1 + 2 * (size_t)width, 4);
		} else if (b->data[at] == 1) {
			at = note_fields(f, at, arc);
		} else if (b->data[at] == 2 && b->n - at > 5) {
			note_fields(f, at, blocks);
			more = 5 + bytes_get(b, start + 1, 4) * 2 * width;
		} else {
			return;
		}
		if (at > b->n || more > b->n - at)
			return;
		at += more;
	}
}

void mutate_profile(struct bytes *b, unsigned width, struct prng *r)
{
	struct fields f = { .n = 0 };
	unsigned i;

	if (b->n > 0)
		note_records(&f, b, width);
	if (f.n == 0 || prng_chance(r, 30)) {
		mutate_bytes(b, r);
		return;
	}
	i = prng_below(r, f.n);
	if (f.field[i].width == 15)
		change_range(b, f.field[i].at, f.field[i].at + 15 <= b->n ? 15 : 0, r);
	else
		change_field(b, f.field[i].at, f.field[i].width, r);
}

/* Stacks. */

enum {
	STACKS_HEAD = 40,
	STACKS_ORDER = 12,
	STACKS_NSECTIONS = 20,
	STACKS_SIZE = 32,
	STACKS_ENTRY = 24
};

/* Changes one of the fields that follow one another at `at`. */
static void change_one(struct bytes *b, uint64_t at, const unsigned char *widths, struct prng *r)
{
	unsigned n = 0, i;

	while (widths[n])
		n++;
	i = prng_below(r, n);
	for (unsigned k = 0; k < i; k++)
		at += widths[k];
	change_field(b, at, widths[i], r);
}

/* Changes a field of any record of the section whose entry of the table is at `entry`. */
static void change_record(struct bytes *b, size_t entry, struct prng *r)
{
	uint64_t record = bytes_get(b, entry + 4, 4), at = bytes_get(b, entry + 8, 8);
	uint64_t n = bytes_get(b, entry + 16, 8);

	if (n == 0 || n > b->n || at > b->n || record > b->n)
		return;
	at += record * prng_below(r, (uint32_t)n);
	for (size_t i = 0; i < IN_PARTS; i++) {
		if (memcmp(b->data + entry, ext_tags[i], 4) == 0) {
			const struct ext_record_field *field =
				&ext_records[i].fields[prng_below(r, ext_records[i].nfields)];

			change_field(b, at + field->at, field->width < 8 ? field->width : 8, r);
		}
	}
}

static void change_stacks(struct bytes *b, struct prng *r)
{
	uint64_t n = bytes_get(b, STACKS_NSECTIONS, 4);
	size_t entry = STACKS_HEAD;

	if (n > (b->n - STACKS_HEAD) / STACKS_ENTRY || n == 0 || prng_chance(r, 5)) {
		change_one(b, 8, (const unsigned char[]){ 4, 4, 4, 4, 8, 8, 0 }, r);
		return;
	}
	entry += STACKS_ENTRY * prng_below(r, (uint32_t)n);
	if (prng_chance(r, 20))
		change_one(b, entry, (const unsigned char[]){ 4, 4, 8, 8, 0 }, r);
	else
		change_record(b, entry, r);
}

void mutate_stacks(struct bytes *b, struct prng *r)
{
	if (b->n >= STACKS_HEAD)
		b->big = b->data[STACKS_ORDER] == 1;
	if (b->n < STACKS_HEAD || prng_chance(r, 10))
		mutate_bytes(b, r);
	else
		change_stacks(b, r);
	if (b->n >= STACKS_HEAD && prng_chance(r, 95))
		bytes_set(b, STACKS_SIZE, b->n, 8);
}

/* ELF. */

struct elf {
	bool is_64;
	unsigned width;
	uint64_t sections, nsections, section_size;
};

/* False if there are no sections to be found. */
static bool find_sections(struct elf *e, struct bytes *b)
{
	if (b->n < sizeof(Elf64_Ehdr))
		return false;
	e->is_64 = b->data[EI_CLASS] == ELFCLASS64;
	e->width = e->is_64 ? 8 : 4;
	b->big = b->data[EI_DATA] == ELFDATA2MSB;
	e->sections = bytes_get(b, e->is_64 ? 40 : 32, e->width);
	e->nsections = bytes_get(b, e->is_64 ? 60 : 48, 2);
	e->section_size = e->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	return e->nsections > 0 && e->sections < b->n &&
	       e->nsections * e->section_size <= b->n - e->sections;
}

/* Field 0 of a section header is its name, then type, flags, addr, offset, size, link, info... */
static uint64_t section_field_at(const struct elf *e, uint64_t i, unsigned field)
{
	static const unsigned char places[] = { 0, 4, 8, 16, 24, 32, 40, 44, 48, 56 };

	return e->sections + i * e->section_size + (e->is_64 ? places[field] : 4 * field);
}

static unsigned section_field_width(const struct elf *e, unsigned field)
{
	return field < 2 || field == 6 || field == 7 ? 4 : e->width;
}

static uint64_t section_field(const struct bytes *b, const struct elf *e, uint64_t i,
			      unsigned field)
{
	return bytes_get(b, section_field_at(e, i, field), section_field_width(e, field));
}

static void change_header(struct bytes *b, const struct elf *e, struct prng *r)
{
	/* Behind the identification: type, machine, version, then three of an address's width... */
	static const unsigned char at_64[] = { 4,  5,  16, 18, 20, 24, 32, 40,
					       48, 52, 54, 56, 58, 60, 62 };
	static const unsigned char at_32[] = { 4,  5,  16, 18, 20, 24, 28, 32,
					       36, 40, 42, 44, 46, 48, 50 };
	static const unsigned char widths[] = { 1, 1, 2, 2, 4, 0, 0, 0, 4, 2, 2, 2, 2, 2, 2 };
	unsigned i = prng_below(r, sizeof(widths));

	change_field(b, e->is_64 ? at_64[i] : at_32[i], widths[i] ? widths[i] : e->width, r);
}

/* A symbol: name, info, other, section, value and size, or for 32 bits in another order. */
static void change_symbol(struct bytes *b, const struct elf *e, uint64_t at, struct prng *r)
{
	static const unsigned char at_64[] = { 0, 4, 5, 6, 8, 16 },
				   at_32[] = { 0, 12, 13, 14, 4, 8 };
	static const unsigned char widths[] = { 4, 1, 1, 2, 0, 0 };
	unsigned i = prng_below(r, sizeof(widths));

	change_field(b, at + (e->is_64 ? at_64[i] : at_32[i]), widths[i] ? widths[i] : e->width, r);
}

/* Something inside a section. */
static void change_contents(struct bytes *b, const struct elf *e, uint64_t i, struct prng *r)
{
	uint64_t type = section_field(b, e, i, 1), at = section_field(b, e, i, 4);
	uint64_t size = section_field(b, e, i, 5);
	uint64_t symbol = e->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);

	if (type == SHT_NOBITS || at >= b->n || size > b->n - at || size == 0)
		mutate_bytes(b, r);
	else if ((type == SHT_SYMTAB || type == SHT_DYNSYM) && size >= symbol && prng_chance(r, 90))
		change_symbol(b, e, at + prng_below(r, (uint32_t)(size / symbol)) * symbol, r);
	else
		change_range(b, at, size, r);
}

static bool is_debug(const struct bytes *b, const struct elf *e, uint64_t i)
{
	uint64_t names = bytes_get(b, e->is_64 ? 62 : 50, 2);
	uint64_t at;

	if (names >= e->nsections)
		return false;
	at = section_field(b, e, names, 4);
	if (at >= b->n || section_field(b, e, i, 0) >= b->n - at)
		return false;
	at += section_field(b, e, i, 0);
	return b->n - at > 7 &&
	       (memcmp(b->data + at, ".debug_", 7) == 0 || memcmp(b->data + at, ".zdebug", 7) == 0);
}

void mutate_image(struct bytes *b, bool debug_only, struct prng *r)
{
	struct elf e;
	uint64_t i;

	if (!find_sections(&e, b)) {
		mutate_bytes(b, r);
		return;
	}
	i = prng_below(r, (uint32_t)e.nsections);
	for (unsigned tries = 0; debug_only && !is_debug(b, &e, i) && tries < 100; tries++)
		i = prng_below(r, (uint32_t)e.nsections);
	switch (prng_below(r, debug_only ? 30 : 10)) {
	case 0:
		mutate_bytes(b, r);
		break;
	case 1:
		change_header(b, &e, r);
		break;
	case 2:
	case 3:
	case 4: {
		unsigned field = prng_below(r, 10);

		change_field(b, section_field_at(&e, i, field), section_field_width(&e, field), r);
		break;
	}
	default:
		change_contents(b, &e, i, r);
	}
}
