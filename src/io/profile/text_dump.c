/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two passes over the lines: the first finds the form that most bytes are in, the second takes the
 * lines of that form. Bytes go where a line's address says:
 *
 *   0000: 67 6d 6f 6e 01 00 00 00 00 00 00 00 00 00 00 00 gmon............   offset 0, the next is
 * 16 cpu load 3 %                                                            noise 0020: 00 80 00
 * 00 ..                                                    16 bytes are missing before it
 *
 * A line may have a few bytes too many at its end, characters that look like bytes: the next
 * address, or the length of other lines, tells how many are its own.
 */
#include "config.h"

#include "io/profile/text_dump.h"

#include "base/array.h"
#include "gmon_out.h"
#include "gmon_text.h"
#include "io/profile/text_lines.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { COLON_BYTES = 16, LINES_AHEAD = 64 };

struct text_decoder {
	const char *name;
	struct arena *mem;
	struct diag *diag;
	bool salvages, failed;
	enum text_form form;
	enum text_part head; /* TEXT_OWN: what begins the dump that is wanted */
	ARRAY(unsigned char) bytes;
	size_t line;      /* number of the line that is being taken, from 1 */
	size_t last;      /* offset of the last line's bytes */
	size_t width;     /* bytes of a whole line; 0: not known yet */
	uint64_t base;    /* the address of offset 0, modulo 2^64 */
	uint64_t segment; /* is added to addresses */
	bool begun, ended;
	bool is_octal, is_hex; /* how TEXT_OD writes offsets; both false: not known yet */
	bool repeats;          /* a TEXT_SAME line came last */
	bool restarts;         /* addresses begin again at 0, for offset `restart` */
	size_t restart;
	uint64_t length; /* TEXT_OWN: the number of bytes that there should be */
	uint32_t nlines; /* TEXT_OWN: lines taken or missed */
	size_t missing, missing_line;
};

bool text_dump_is_text(const unsigned char *bytes, size_t size)
{
	size_t other = 0;

	if (size < 4 || memcmp(bytes, GMON_MAGIC, 4) == 0)
		return false;
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == 0)
			return false;
		other += bytes[i] < ' ' && !strchr("\t\n\r\033\b\a", bytes[i]);
	}
	return other <= size / 10;
}

/* Says what is wrong at the present line, once. */
static void text_dump_fail(struct text_decoder *d, const char *what)
{
	if (!d->failed)
		diag_error(d->diag, "%s: line %zu: %s", d->name, d->line, what);
	d->failed = true;
}

static void text_dump_add(struct text_decoder *d, const unsigned char *bytes, size_t n)
{
	if (n > TEXT_DUMP_MOST - d->bytes.n) {
		text_dump_fail(d,
			       "the dump is longer than any profile of a machine that needs one");
		return;
	}
	for (size_t i = 0; i < n; i++)
		array_push(d->mem, &d->bytes) = bytes ? bytes[i] : 0;
}

/* Bytes up to offset `end` are missing. */
static void text_dump_miss(struct text_decoder *d, size_t end)
{
	size_t n = end - d->bytes.n;
	char what[80];

	if (!d->salvages) {
		snprintf(what, sizeof(what), "%zu byte%s missing at 0x%zx", n, n == 1 ? "" : "s",
			 d->bytes.n);
		text_dump_fail(d, what);
		return;
	}
	if (d->missing == 0)
		d->missing_line = d->line;
	d->missing += n;
	text_dump_add(d, NULL, n);
}

/* Repeats the last line's bytes up to offset `end`. */
static void text_dump_repeat(struct text_decoder *d, size_t end)
{
	size_t first = d->last, n = d->bytes.n - first;

	if (n == 0 || end > TEXT_DUMP_MOST) {
		text_dump_fail(d, "there is nothing that could be repeated up to here");
		return;
	}
	for (size_t i = 0; d->bytes.n < end; i = (i + 1) % n) {
		unsigned char byte = d->bytes.at[first + i];

		array_push(d->mem, &d->bytes) = byte;
	}
	d->repeats = false;
}

/* The address of a line of TEXT_OD, whose digits od writes in octal and hexdump in hexadecimal. */
static uint64_t text_dump_od_address(struct text_decoder *d, const struct text_line *line)
{
	uint64_t expected = d->base + d->bytes.n;

	if (!d->is_octal && !d->is_hex && line->octal != line->address) {
		d->is_hex = line->octal == UINT64_MAX ||
			    (line->octal != expected && line->address == expected);
		d->is_octal = !d->is_hex;
	}
	return d->is_octal ? line->octal : line->address;
}

/* Returns the offset that a line's address stands for. */
static size_t text_dump_offset(struct text_decoder *d, const struct text_line *line)
{
	uint64_t address =
		d->form == TEXT_OD ? text_dump_od_address(d, line) : d->segment + line->address;
	uint64_t kept = line->digits < 16 ? (UINT64_C(1) << 4 * line->digits) - 1 : UINT64_MAX;

	if (!d->begun)
		d->base = address;
	d->begun = true;
	if (d->form == TEXT_COLON && address == 0 && d->bytes.n > 0 && d->restarts)
		d->base = address - d->restart;
	else if (d->form == TEXT_COLON && ((d->base + d->bytes.n) & kept) == address)
		d->base = address - d->bytes.n; /* it has too few digits for the whole */
	d->restarts = false;
	return address - d->base < TEXT_DUMP_MOST ? (size_t)(address - d->base) : SIZE_MAX;
}

/* Cuts off what the last line has beyond the bytes of its own. */
static void text_dump_trim(struct text_decoder *d, size_t offset)
{
	size_t n = d->bytes.n - d->last;

	if (offset > d->last && offset < d->bytes.n) {
		d->bytes.n = offset;
		n = offset - d->last;
	}
	if (offset == d->last + n && n > d->width)
		d->width = n;
}

static void text_dump_take_addressed(struct text_decoder *d, const struct text_line *line)
{
	size_t offset = text_dump_offset(d, line);

	text_dump_trim(d, offset);
	if (offset == SIZE_MAX || offset < d->bytes.n) {
		text_dump_fail(d, offset == SIZE_MAX ? "its address is far from the others"
						     : "its address was there before");
		return;
	}
	if (d->repeats)
		text_dump_repeat(d, offset);
	if (offset > d->bytes.n)
		text_dump_miss(d, offset);
	d->last = d->bytes.n;
	if (line->damaged && !d->salvages)
		text_dump_fail(d, "its check sum is wrong");
	else if (line->damaged)
		text_dump_miss(d, d->bytes.n + line->n);
	else
		text_dump_add(d, line->bytes, line->n);
}

/* Takes a line of base64, after those that are missing before it. */
static void text_dump_take_own(struct text_decoder *d, const struct text_line *line)
{
	uint32_t skipped = 0;
	uint64_t left = d->length - d->bytes.n;

	while (skipped < LINES_AHEAD &&
	       gmon_text_sum(line->bytes, (unsigned)line->n, d->nlines + skipped) != line->sum)
		skipped++;
	if (skipped == LINES_AHEAD) {
		uint64_t n = left < GMON_TEXT_LINE_BYTES ? left : GMON_TEXT_LINE_BYTES;

		if (!d->salvages)
			text_dump_fail(d, "its check sum is wrong");
		else
			text_dump_miss(d, d->bytes.n + (size_t)n);
		d->nlines++;
		return;
	}
	if (skipped * (uint64_t)GMON_TEXT_LINE_BYTES + line->n > left) {
		text_dump_fail(d, "there are more bytes than the dump's first line says");
		return;
	}
	if (skipped > 0)
		text_dump_miss(d, d->bytes.n + (size_t)skipped * GMON_TEXT_LINE_BYTES);
	text_dump_add(d, line->bytes, line->n);
	d->nlines += skipped + 1;
}

static void text_dump_end_own(struct text_decoder *d, uint64_t sum)
{
	if (d->bytes.n < d->length)
		text_dump_miss(d, (size_t)d->length);
	if (!d->failed && d->missing == 0 &&
	    sum != crc32(crc32(0, NULL, 0), d->bytes.at, (unsigned)d->bytes.n))
		text_dump_fail(d, "the check sum of all bytes is wrong");
}

/* A dump begins: the one that is wanted, or another one before that has ended. */
static void text_dump_begin_own(struct text_decoder *d, uint64_t length)
{
	if (d->begun) {
		if (d->bytes.n < d->length)
			text_dump_miss(d, (size_t)d->length);
		d->ended = true;
		return;
	}
	if (length > TEXT_DUMP_MOST)
		text_dump_fail(d,
			       "the dump is longer than any profile of a machine that needs one");
	d->length = length;
	d->begun = true;
}

/* NuttX prints a file in parts, each below a line "/path at 00000400:", and counts from 0 in each.
 */
static void text_dump_take_noise(struct text_decoder *d, const char *text, size_t size)
{
	enum { TAIL = sizeof(" at 00000000:") - 1 };
	uint64_t at = 0;

	while (size > 0 && text[size - 1] == '\r')
		size--;
	if (d->form != TEXT_COLON || size <= TAIL || text[size - 1] != ':' ||
	    memcmp(text + size - TAIL, " at ", 4) != 0)
		return;
	for (size_t i = size - 9; i < size - 1; i++) {
		const char *digits = "0123456789abcdef", *found = strchr(digits, text[i]);

		if (!found || !text[i])
			return;
		at = at << 4 | (uint64_t)(found - digits);
	}
	if (d->width > 0 && d->bytes.n - d->last > d->width)
		d->bytes.n = d->last + d->width;
	d->restarts = at < TEXT_DUMP_MOST;
	d->restart = (size_t)at;
}

static void text_dump_take(struct text_decoder *d, const struct text_line *line)
{
	switch (line->part) {
	case TEXT_BYTES:
		if (d->form == TEXT_OWN)
			text_dump_take_own(d, line);
		else if (d->form == TEXT_BARE)
			text_dump_add(d, line->bytes, line->n);
		else
			text_dump_take_addressed(d, line);
		break;
	case TEXT_SAME:
		d->repeats = true;
		break;
	case TEXT_LENGTH:
	case TEXT_STACKS:
		text_dump_begin_own(d, line->address);
		break;
	case TEXT_SEGMENT:
		d->segment = line->address;
		break;
	case TEXT_END:
		if (d->form == TEXT_OWN)
			text_dump_end_own(d, line->address);
		d->ended = true;
		break;
	case TEXT_IGNORED:
		break;
	}
}

/* Whether a line is one of the dump. TEXT_SAME is of hexdump -C and of od. */
static bool text_dump_has_line(const struct text_decoder *d, const struct text_line *line)
{
	if (line->form != TEXT_NOISE && line->part == TEXT_SAME)
		return d->form == TEXT_HEXDUMP || d->form == TEXT_OD;
	if (line->form != d->form || d->ended)
		return false;
	return d->form != TEXT_OWN || d->begun || line->part == d->head;
}

/* A line of the text, from its number and characters; false: the rest is not wanted. */
typedef bool text_take_line(void *arg, size_t number, const char *text, size_t n);

/* O(size). */
static void text_dump_each_line(const unsigned char *text, size_t size, text_take_line *take,
				void *arg)
{
	const char *at = (const char *)text, *end = at + size;

	for (size_t number = 1; at < end; number++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((newline ? newline : end) - at);

		if (!take(arg, number, at, n))
			return;
		at += n + 1;
	}
}

/* How many bytes each form has. */
struct text_forms {
	size_t bytes[TEXT_OWN + 1];
	bool has_own, has_stacks;
};

static bool text_dump_count(void *arg, size_t number, const char *text, size_t n)
{
	struct text_forms *forms = arg;
	struct text_line line;

	(void)number;
	text_line_read(&line, text, n);
	forms->has_own |= line.form == TEXT_OWN && line.part == TEXT_LENGTH;
	forms->has_stacks |= line.form == TEXT_OWN && line.part == TEXT_STACKS;
	forms->bytes[line.form] += line.form != TEXT_NOISE && line.part == TEXT_BYTES ? line.n : 0;
	return true;
}

static enum text_form text_dump_form(const struct text_forms *forms)
{
	enum text_form most = TEXT_NOISE;

	for (int form = TEXT_COLON; form < TEXT_OWN; form++)
		most = forms->bytes[form] > forms->bytes[most] ? (enum text_form)form : most;
	return forms->has_own ? TEXT_OWN : most;
}

static bool text_dump_decode_line(void *arg, size_t number, const char *text, size_t n)
{
	struct text_decoder *d = arg;
	struct text_line line;

	d->line = number;
	text_line_read(&line, text, n);
	if (text_dump_has_line(d, &line))
		text_dump_take(d, &line);
	else if (line.form == TEXT_NOISE)
		text_dump_take_noise(d, text, n);
	return !d->failed;
}

/* What can be seen at the end only: a dump of TEXT_OWN without its last line, characters of the
 * last line. */
static void text_dump_end(struct text_decoder *d)
{
	size_t width = d->width ? d->width : COLON_BYTES;

	if (d->form == TEXT_OWN && !d->ended && !d->failed) {
		if (d->salvages)
			text_dump_miss(d, (size_t)d->length);
		else
			text_dump_fail(d, "the text ends before the dump does");
	}
	if (d->form == TEXT_COLON && d->bytes.n - d->last > width)
		d->bytes.n = d->last + width;
	if (d->missing > 0 && !d->failed)
		diag_warn(
			d->diag,
			"%s: %zu of %zu bytes of the dump are missing and read as 0, the first at line %zu",
			d->name, d->missing, d->bytes.n, d->missing_line);
}

enum text_dump_found text_dump_decode(struct text_dump *dump, const struct text_dump_source *source,
				      struct arena *mem, struct diag *diag)
{
	struct text_forms forms = { .has_own = false };
	struct text_decoder d = {
		.name = source->name,
		.mem = mem,
		.diag = diag,
		.salvages = source->salvages,
	};

	text_dump_each_line(source->text, source->size, text_dump_count, &forms);
	d.form = text_dump_form(&forms);
	d.head = source->stacks ? TEXT_STACKS : TEXT_LENGTH;
	if (d.form == TEXT_NOISE || (source->stacks && !forms.has_stacks))
		return TEXT_DUMP_NONE;
	text_dump_each_line(source->text, source->size, text_dump_decode_line, &d);
	text_dump_end(&d);
	*dump = (struct text_dump){ d.bytes.at, d.bytes.n };
	return d.failed ? TEXT_DUMP_WRONG : TEXT_DUMP_DECODED;
}
