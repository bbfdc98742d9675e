/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints a profile.proto of pprof, uncompressed, from standard input as lines:
 *
 *   type WHAT UNIT          default WHAT        period NUMBER WHAT UNIT
 *   mapping LO HI OFFSET FILE BUILD-ID          comment TEXT
 *   function NAME | SYSTEM-NAME | FILE LINE
 *   location ADDRESS LINE | FUNCTION, and for code of inlined functions, < LINE | CALLER ...
 *   sample VALUE... LABEL=TEXT LABEL=NUMBER | FUNCTION | CALLER...; a function that is inlined in
 * its caller has a + in front total SUM...            of each value of all samples
 *
 * Numbers in decimal, addresses in hexadecimal. Status 1 with a message if the file is not sound:
 * fields that the format has not, references to nothing, identities that repeat or are 0, text that
 * is no UTF-8, samples with more or fewer values than there are types, negative values, also as
 * sums. Written from the published description of the format, apart from gprof.
 */
#include "bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tool_name[] = "pprofdump";

/* Not a reader's trouble but the file's. */
_Noreturn static void __attribute__((format(printf, 1, 2))) unsound(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("unsound: ");
	vprintf(format, args);
	putchar('\n');
	va_end(args);
	exit(1);
}

struct span {
	const unsigned char *at, *end;
};

/* One field: a number, or bytes. */
struct field {
	unsigned number;
	bool is_bytes;
	uint64_t value;
	struct span bytes;
};

static uint64_t varint(struct span *from)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 70; shift += 7) {
		unsigned char byte;

		if (from->at == from->end)
			unsound("a number is cut short");
		byte = *from->at++;
		if (shift == 63 && byte > 1)
			unsound("a number beyond 64 bits");
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return n;
	}
	unsound("a number of more than 10 bytes");
}

static bool next_field(struct span *from, struct field *f)
{
	uint64_t tag;

	if (from->at == from->end)
		return false;
	tag = varint(from);
	f->number = (unsigned)(tag >> 3);
	f->is_bytes = (tag & 7) == 2;
	if ((tag & 7) != 0 && (tag & 7) != 2)
		unsound("a field of kind %u", (unsigned)(tag & 7));
	f->value = varint(from);
	if (f->is_bytes) {
		if (f->value > (uint64_t)(from->end - from->at))
			unsound("a field of %" PRIu64 " bytes is cut short", f->value);
		f->bytes = (struct span){ from->at, from->at + f->value };
		from->at += f->value;
	}
	return true;
}

/* The fields of messages, those of bytes marked by B; packed numbers count as such. */
static const char *const plain_kinds[] = {
	/* by field number from 1: n number, B bytes */
	[0] = "BBBBBBnnnnBnnn", /* Profile */
	[1] = "nn",             /* ValueType */
	[2] = "BBB",            /* Sample */
	[3] = "nnnnnnnnnn",     /* Mapping */
	[4] = "nnnBn",          /* Location */
	[5] = "nn",             /* Line */
	[6] = "nnnnn",          /* Function */
	[7] = "nnnn",           /* Label */
};
enum { PROFILE, TYPE, SAMPLE, MAPPING, LOCATION, LINE, FUNCTION, LABEL };

enum { MAX_FIELDS = 16 };

/* A message whose fields occur once at most. */
struct message {
	uint64_t value[MAX_FIELDS];
	struct span bytes[MAX_FIELDS];
	bool has[MAX_FIELDS];
};

static void check_field(unsigned kind, const struct field *f)
{
	const char *kinds = plain_kinds[kind];

	if (f->number == 0 || f->number > strlen(kinds))
		unsound("message %u has a field %u", kind, f->number);
	if (f->is_bytes != (kinds[f->number - 1] == 'B'))
		unsound("field %u of message %u is of the wrong kind", f->number, kind);
}

static struct message read_message(unsigned kind, struct span from)
{
	struct message m = { .value = { 0 } };
	struct field f;

	while (next_field(&from, &f)) {
		check_field(kind, &f);
		if (m.has[f.number] && (kind != LOCATION || f.number != 4) &&
		    (kind != SAMPLE || f.number != 3))
			unsound("message %u has two fields %u", kind, f.number);
		m.has[f.number] = true;
		m.value[f.number] = f.value;
		m.bytes[f.number] = f.bytes;
	}
	return m;
}

/* Messages of one kind, in their order. */
struct list {
	struct message *at;
	size_t n, room;
};

static struct message *list_add(struct list *list)
{
	if (list->n == list->room) {
		list->room = 2 * list->room + 64;
		list->at = xrealloc(list->at, list->room * sizeof(*list->at));
	}
	return &list->at[list->n++];
}

struct profile {
	struct list types, samples, mappings, locations, functions, strings, comments;
	/* of all locations, and of all samples; value[0] and [15] of these: their first, and how
	 * many */
	struct list lines, labels;
	uint64_t total[MAX_FIELDS];
	struct message all; /* of its fields that occur once */
};

static void print_string(const struct profile *p, uint64_t i)
{
	struct span text;

	if (i >= p->strings.n)
		unsound("no string %" PRIu64, i);
	text = p->strings.at[i].bytes[0];
	fwrite(text.at, 1, (size_t)(text.end - text.at), stdout);
}

static void check_utf8(struct span text)
{
	while (text.at < text.end) {
		unsigned char first = *text.at++;
		unsigned more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
		uint32_t c = more == 0 ? first : first & (0x3fu >> more);

		if ((first >= 0x80 && first < 0xc2) || first > 0xf4)
			unsound("byte %#x in a string", first);
		for (unsigned i = 0; i < more; i++) {
			if (text.at == text.end || (*text.at & 0xc0) != 0x80)
				unsound("a string is no UTF-8");
			c = c << 6 | (*text.at++ & 0x3f);
		}
		if ((more == 2 && c < 0x800) || (more == 3 && c < 0x10000) || c > 0x10ffff ||
		    (c >= 0xd800 && c < 0xe000))
			unsound("character %#x in a string", (unsigned)c);
	}
}

/* The messages of a field that another message has many of. */
static void read_parts(struct list *list, unsigned kind, unsigned number, struct message *of,
		       struct span from)
{
	struct field f;

	of->value[0] = list->n;
	while (next_field(&from, &f)) {
		if (f.number != number)
			continue;
		*list_add(list) = read_message(kind, f.bytes);
		of->value[15]++;
	}
}

static void read_profile(struct profile *p, struct span from)
{
	struct list *const lists[] = {
		[1] = &p->types,     [2] = &p->samples,   [3] = &p->mappings,
		[4] = &p->locations, [5] = &p->functions, [6] = &p->strings
	};
	static const unsigned kinds[] = {
		[1] = TYPE, [2] = SAMPLE, [3] = MAPPING, [4] = LOCATION, [5] = FUNCTION
	};
	struct field f;

	while (next_field(&from, &f)) {
		check_field(PROFILE, &f);
		if (f.number < 6) {
			struct message *m = list_add(lists[f.number]);

			*m = read_message(kinds[f.number], f.bytes);
			if (f.number == 4)
				read_parts(&p->lines, LINE, 4, m, f.bytes);
			if (f.number == 4 && m->value[15] == 0)
				unsound("a location without a line");
			if (f.number == 2)
				read_parts(&p->labels, LABEL, 3, m, f.bytes);
		} else if (f.number == 6) {
			check_utf8(f.bytes);
			list_add(&p->strings)->bytes[0] = f.bytes;
		} else if (f.number == 13) {
			list_add(&p->comments)->value[0] = f.value;
		} else {
			p->all.has[f.number] = true;
			p->all.value[f.number] = f.value;
			p->all.bytes[f.number] = f.bytes;
		}
	}
	if (p->strings.n == 0 || p->strings.at[0].bytes[0].at != p->strings.at[0].bytes[0].end)
		unsound("the first string is not empty");
}

/* Those of a list by their identities, which are field 1: 1 to n in some order. */
static const struct message **by_id(const struct list *list, const char *what)
{
	const struct message **found = xcalloc(list->n + 1, sizeof(*found));

	for (size_t i = 0; i < list->n; i++) {
		uint64_t id = list->at[i].value[1];

		if (id == 0 || id > list->n || found[id])
			unsound("%s %" PRIu64 " of %zu", what, id, list->n);
		found[id] = &list->at[i];
	}
	return found;
}

static void print_type(const struct profile *p, const struct message *type)
{
	print_string(p, type->value[1]);
	putchar(' ');
	print_string(p, type->value[2]);
	putchar('\n');
}

static void print_head(const struct profile *p)
{
	for (size_t i = 0; i < p->types.n; i++) {
		printf("type ");
		print_type(p, &p->types.at[i]);
	}
	printf("default ");
	print_string(p, p->all.value[14]);
	putchar('\n');
	if (p->all.has[11]) {
		struct message type = read_message(TYPE, p->all.bytes[11]);

		printf("period %" PRIu64 " ", p->all.value[12]);
		print_type(p, &type);
	}
	for (size_t i = 0; i < p->mappings.n; i++) {
		const uint64_t *value = p->mappings.at[i].value;

		printf("mapping %" PRIx64 " %" PRIx64 " %" PRIx64 " ", value[2], value[3],
		       value[4]);
		print_string(p, value[5]);
		putchar(' ');
		print_string(p, value[6]);
		putchar('\n');
	}
	for (size_t i = 0; i < p->comments.n; i++) {
		printf("comment ");
		print_string(p, p->comments.at[i].value[0]);
		putchar('\n');
	}
}

static void print_functions(const struct profile *p)
{
	for (size_t i = 0; i < p->functions.n; i++) {
		const uint64_t *value = p->functions.at[i].value;

		printf("function ");
		print_string(p, value[2]);
		printf(" | ");
		print_string(p, value[3]);
		printf(" | ");
		print_string(p, value[4]);
		printf(" %" PRIu64 "\n", value[5]);
	}
}

static void print_line(const struct profile *p, const struct message *const *functions, uint64_t i)
{
	uint64_t function = p->lines.at[i].value[1];

	if (function == 0 || function > p->functions.n)
		unsound("no function %" PRIu64, function);
	print_string(p, functions[function]->value[2]);
}

static void print_locations(const struct profile *p, const struct message *const *functions)
{
	for (size_t i = 0; i < p->locations.n; i++) {
		const uint64_t *value = p->locations.at[i].value;

		if (value[2] > p->mappings.n)
			unsound("no mapping %" PRIu64, value[2]);
		printf("location %" PRIx64, value[3]);
		for (uint64_t k = 0; k < value[15]; k++) {
			printf(k == 0 ? " %" PRIu64 " | " : " < %" PRIu64 " | ",
			       p->lines.at[value[0] + k].value[2]);
			print_line(p, functions, value[0] + k);
		}
		putchar('\n');
	}
}

static void print_sample(struct profile *p, const struct message *sample,
			 const struct message *const *functions,
			 const struct message *const *locations)
{
	struct span ids = sample->bytes[1], values = sample->bytes[2];
	size_t n = 0;

	printf("sample");
	for (; values.at < values.end; n++) {
		uint64_t value = varint(&values);

		if (value > INT64_MAX)
			unsound("a negative value");
		if (n < p->types.n)
			p->total[n] += value;
		printf(" %" PRIu64, value);
	}
	if (n != p->types.n)
		unsound("%zu values for %zu types", n, p->types.n);
	for (uint64_t i = 0; i < sample->value[15]; i++) {
		const uint64_t *label = p->labels.at[sample->value[0] + i].value;

		putchar(' ');
		print_string(p, label[1]);
		putchar('=');
		if (label[2])
			print_string(p, label[2]);
		else
			printf("%" PRIu64, label[3]);
	}
	if (ids.at == ids.end)
		unsound("a sample of no function");
	while (ids.at < ids.end) {
		uint64_t id = varint(&ids);

		if (id == 0 || id > p->locations.n)
			unsound("no location %" PRIu64, id);
		for (uint64_t k = 0; k < locations[id]->value[15]; k++) {
			printf(k + 1 < locations[id]->value[15] ? " | +" : " | ");
			print_line(p, functions, locations[id]->value[0] + k);
		}
	}
	putchar('\n');
}

static void free_profile(struct profile *p)
{
	free(p->types.at);
	free(p->samples.at);
	free(p->mappings.at);
	free(p->locations.at);
	free(p->lines.at);
	free(p->labels.at);
	free(p->functions.at);
	free(p->strings.at);
	free(p->comments.at);
}

int main(void)
{
	struct profile p = { .all.value = { 0 } };
	struct bytes in = { .data = NULL };
	const struct message **functions, **locations;
	unsigned char buffer[4096];
	size_t n;

	while ((n = fread(buffer, 1, sizeof(buffer), stdin)) > 0)
		bytes_add(&in, buffer, n);
	if (in.n == 0)
		unsound("empty");
	read_profile(&p, (struct span){ in.data, in.data + in.n });
	functions = by_id(&p.functions, "function");
	locations = by_id(&p.locations, "location");
	if (p.types.n > MAX_FIELDS)
		unsound("%zu types", p.types.n);
	print_head(&p);
	print_functions(&p);
	print_locations(&p, functions);
	for (size_t i = 0; i < p.samples.n; i++)
		print_sample(&p, &p.samples.at[i], functions, locations);
	printf("total");
	for (size_t i = 0; i < p.types.n; i++) {
		if (p.total[i] > INT64_MAX)
			unsound("a negative sum");
		printf(" %" PRIu64, p.total[i]);
	}
	putchar('\n');
	free(functions);
	free(locations);
	free_profile(&p);
	bytes_free(&in);
	return 0;
}
