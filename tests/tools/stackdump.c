/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdump [-l] PROFILE [SYMBOLS]: prints PROFILE.ext, or with -l what the live file PROFILE has
 * of stacks, of this machine, as lines:
 *
 *   stamp right|wrong                          by the bytes of PROFILE
 *   module NUMBER FLAGS LOW HIGH BIAS BYTES BUILD-ID PATH
 *   thread NUMBER TID NS NAME
 *   kind NUMBER RATE DIMENSION ABBREVIATION NAME
 *   nodes NUMBER
 *   watched NUMBER NS-OF-LIFE NS-RUNNABLE      a thread, by GMON=clock=wall
 *   sample TICKS QUALITY THREAD-NUMBER FUNCTION;...;FUNCTION
 *   wait US QUALITY THREAD-NUMBER FUNCTION;...;FUNCTION[;{SYSTEM-CALL}]
 *   elapsed US ..., critical US ...            the same for these kinds of ticks; of LIVE, other US
 * ... total TICKS
 *
 * stackdump -s LIVE BYTE: fills what the live file LIVE has of stacks with this byte.
 *
 * Functions are outermost first. One of the program is named by SYMBOLS, a file of lines "ADDRESS
 * TYPE NAME" (nm -n), of another module [MODULE], and of none 0xADDRESS; nothing is "-".
 *
 * Status 1 with a message if the file is not sound. Written from the published descriptions of the
 * formats, apart from gprof and libgmon.
 */
#include "bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tool_name[] = "stackdump";

enum { HEAD = 40, ENTRY = 24, NSECTIONS = 6, MAX_DEPTH = 70000 };
enum { STRS, MODS, THRD, KIND, NODE, SAMP };

static const struct {
	char tag[5];
	unsigned bytes;
} known[NSECTIONS] = { { "STRS", 1 },  { "MODS", 72 }, { "THRD", 24 },
		       { "KIND", 32 }, { "NODE", 16 }, { "SAMP", 24 } };

struct section {
	uint64_t at, n, bytes; /* of a record */
};

static struct bytes file;
static struct section sections[NSECTIONS];

struct symbol {
	uint64_t address;
	char *name;
};

static struct symbol *symbols;
static size_t nsymbols;

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

/* A field of record i of a section. */
static uint64_t field(int section, uint64_t i, unsigned at, unsigned width)
{
	return bytes_get(&file, sections[section].at + i * sections[section].bytes + at, width);
}

static const char *string(uint64_t offset)
{
	if (offset >= sections[STRS].n)
		unsound("string at %" PRIu64, offset);
	return (const char *)file.data + sections[STRS].at + offset;
}

/* A number below the records of a section, or none. */
static uint64_t index_of(uint64_t number, int section, bool may_be_none)
{
	if (number >= sections[section].n && !(may_be_none && number == UINT32_MAX))
		unsound("%s %" PRIu64 " of %" PRIu64, known[section].tag, number,
			sections[section].n);
	return number;
}

static void read_section(size_t entry, uint64_t *end)
{
	uint64_t bytes = bytes_get(&file, entry + 4, 4);
	uint64_t at = bytes_get(&file, entry + 8, 8);
	uint64_t n = bytes_get(&file, entry + 16, 8);

	if (at % 8 || at < *end || at > file.n || (bytes && n > (file.n - at) / bytes))
		unsound("section %.4s of %" PRIu64 " times %" PRIu64 " bytes at %" PRIu64,
			(char *)file.data + entry, n, bytes, at);
	*end = at + n * bytes;
	for (int i = 0; i < NSECTIONS; i++)
		if (memcmp(file.data + entry, known[i].tag, 4) == 0) {
			if (bytes < known[i].bytes || sections[i].bytes)
				unsound("section %s", known[i].tag);
			sections[i] = (struct section){ at, n, bytes };
		}
}

static void read_sections(void)
{
	uint64_t n, end;

	if (file.n < HEAD || memcmp(file.data, "gmonext\n", 8) != 0 ||
	    bytes_get(&file, 8, 4) != 1 || bytes_get(&file, 12, 4) != 0x01020304 ||
	    bytes_get(&file, 16, 4) != sizeof(void *))
		unsound("head");
	if (bytes_get(&file, 32, 8) != file.n)
		unsound("%zu bytes, not %" PRIu64, file.n, bytes_get(&file, 32, 8));
	n = bytes_get(&file, 20, 4);
	if (n > (file.n - HEAD) / ENTRY)
		unsound("%" PRIu64 " sections", n);
	end = HEAD + n * ENTRY;
	for (uint64_t i = 0; i < n; i++)
		read_section(HEAD + i * ENTRY, &end);
	if (sections[STRS].n == 0 || *string(0) || *string(sections[STRS].n - 1))
		unsound("strings");
}

static uint64_t fnv(const struct bytes *b)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < b->n; i++) {
		hash ^= b->data[i];
		hash *= UINT64_C(0x100000001b3);
	}
	return hash;
}

static void read_symbols(const char *name)
{
	FILE *in = fopen(name, "r");
	char line[4096];

	if (!in)
		die("cannot read %s", name);
	while (fgets(line, sizeof(line), in)) {
		char type, *called = xcalloc(1, sizeof(line));
		uint64_t address;

		if (sscanf(line, "%" SCNx64 " %c %4000[^\n]", &address, &type, called) != 3 ||
		    !strchr("tTwWiI", type)) {
			free(called);
			continue;
		}
		symbols = xrealloc(symbols, (nsymbols + 1) * sizeof(symbols[0]));
		symbols[nsymbols++] = (struct symbol){ address, called };
	}
	fclose(in);
}

static const char *symbol_at(uint64_t address)
{
	const char *name = "?";

	for (size_t i = 0; i < nsymbols && symbols[i].address <= address; i++)
		name = symbols[i].name;
	return name;
}

static void print_modules(void)
{
	for (uint64_t i = 0; i < sections[MODS].n; i++) {
		uint64_t low = field(MODS, i, 0, 8), high = field(MODS, i, 8, 8);
		uint64_t nid = field(MODS, i, 36, 1), flags = field(MODS, i, 37, 1);

		if (low > high || nid > 20 || flags & ~UINT64_C(0x17) || field(MODS, i, 38, 2))
			unsound("module %" PRIu64, i);
		printf("module %" PRIu64 " %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIu64
		       " ",
		       i, flags, low, high, field(MODS, i, 16, 8), field(MODS, i, 24, 8));
		for (unsigned k = 0; k < nid; k++)
			printf("%02x", (unsigned)field(MODS, i, 40 + k, 1));
		printf("%s %s\n", nid ? "" : "-", string(field(MODS, i, 32, 4)));
	}
}

static void print_threads(void)
{
	for (uint64_t i = 0; i < sections[THRD].n; i++)
		printf("thread %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", i, field(THRD, i, 0, 4),
		       field(THRD, i, 8, 8), string(field(THRD, i, 4, 4)));
	for (uint64_t i = 0; sections[THRD].bytes >= 56 && i < sections[THRD].n; i++) {
		if (field(THRD, i, 48, 8))
			printf("watched %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i,
			       field(THRD, i, 48, 8), field(THRD, i, 40, 8));
	}
	for (uint64_t i = 0; i < sections[KIND].n; i++)
		printf("kind %" PRIu64 " %" PRIu64 " %.15s %c %s\n", i, field(KIND, i, 8, 8),
		       (const char *)file.data + sections[KIND].at + i * sections[KIND].bytes + 16,
		       (char)field(KIND, i, 31, 1), string(field(KIND, i, 0, 4)));
}

static void print_function(uint64_t node)
{
	uint64_t module = index_of(field(NODE, node, 4, 4), MODS, true);
	uint64_t address = field(NODE, node, 8, 8);

	if (module == UINT32_MAX) {
		printf("0x%" PRIx64, address);
	} else if (field(MODS, module, 37, 1) & 1) {
		printf("%s", symbol_at(address));
	} else {
		const char *path = string(field(MODS, module, 32, 4));
		const char *slash = strrchr(path, '/');

		printf("[%s]", slash ? slash + 1 : path);
	}
}

static void print_stack(uint64_t node)
{
	static uint64_t stack[MAX_DEPTH];
	unsigned n = 0;

	if (node == UINT32_MAX)
		printf("-");
	for (; node != UINT32_MAX; node = field(NODE, node, 0, 4))
		stack[n++] = node;
	while (n-- > 0) {
		print_function(stack[n]);
		if (n)
			putchar(';');
	}
}

/* What a line of samples of a kind begins with. */
static const char *word_of(uint64_t kind)
{
	const char *name = string(field(KIND, kind, 0, 4));

	if (kind < 2)
		return kind ? "wait" : "sample";
	/* Of a live file, names are not read. */
	if (!*name)
		return "other";
	return strcmp(name, "elapsed") == 0 || strcmp(name, "critical") == 0 ? name : "wait";
}

static void print_samples(void)
{
	static const char *const qualities[] = { "complete", "guessed", "broken", "cut" };
	uint64_t total = 0, kind;

	for (uint64_t i = 0; i < sections[NODE].n; i++) {
		uint64_t parent = field(NODE, i, 0, 4);

		if (parent != UINT32_MAX && parent >= i)
			unsound("node %" PRIu64 " below %" PRIu64, i, parent);
		index_of(field(NODE, i, 4, 4), MODS, true);
	}
	printf("nodes %" PRIu64 "\n", sections[NODE].n);
	for (uint64_t i = 0; i < sections[SAMP].n; i++) {
		uint64_t quality = field(SAMP, i, 12, 4), node = field(SAMP, i, 0, 4);

		kind = index_of(field(SAMP, i, 8, 4), KIND, false);
		if (quality > 3)
			unsound("quality %" PRIu64, quality);
		total += kind == 0 ? field(SAMP, i, 16, 8) : 0;
		printf("%s %" PRIu64 " %s %" PRIu64 " ", word_of(kind), field(SAMP, i, 16, 8),
		       node == UINT32_MAX && quality < 3 ? "unknown" : qualities[quality],
		       index_of(field(SAMP, i, 4, 4), THRD, false));
		print_stack(index_of(node, NODE, true));
		putchar('\n');
	}
	printf("total %" PRIu64 "\n", total);
}

enum {
	PAGE = 65536,
	BLOCK_HEAD = 64,
	BLOCK_NODES = 3,
	BLOCK_STRINGS = 7,
	FIRST_NODE = 2,
	SQUARES = 15 /* a kind that is none of ticks */
};

/* A block of a live file. */
struct block {
	uint64_t kind, word, low;
	uint64_t data, end; /* from the beginning of the file */
};

/* Sections as they are made of blocks. */
static struct bytes made[NSECTIONS];

static void put_nodes(const struct bytes *live, const struct block *b)
{
	while (made[NODE].n < (b->low + b->word) * known[NODE].bytes)
		bytes_put(&made[NODE], 0, 8);
	for (uint64_t i = 0; i < b->word; i++) {
		uint64_t at = b->data + i * known[NODE].bytes;
		size_t to = (b->low + i) * known[NODE].bytes;

		bytes_set(&made[NODE], to, bytes_get(live, at, 4), 4);
		bytes_set(&made[NODE], to + 4, bytes_get(live, at + 4, 4), 4);
		bytes_set(&made[NODE], to + 8, bytes_get(live, at + 8, 8), 8);
	}
}

static void put_samples(const struct bytes *live, const struct block *b)
{
	for (uint64_t at = 0; at <= b->word; at += 4 * sizeof(uint64_t)) {
		uint64_t from = bytes_get(live, b->data + at, 8);
		uint64_t self = bytes_get(live, b->data + at + 8, 8);
		uint64_t ticks = bytes_get(live, b->data + at + 16, 8);

		if (from < FIRST_NODE || ticks == 0 || (self >> 2 & 15) == SQUARES)
			continue;
		bytes_put(&made[SAMP], from - FIRST_NODE, 4);
		bytes_put(&made[SAMP], self >> 6, 4);
		bytes_put(&made[SAMP], self >> 2 & 15, 4);
		bytes_put(&made[SAMP], self & 3, 4);
		bytes_put(&made[SAMP], ticks, 8);
	}
}

/* Records up to the last that is not zero. */
static void put_records(const struct bytes *live, const struct block *b, int section)
{
	uint64_t n = b->word * known[section].bytes;

	while (n > 0 && live->data[b->data + n - 1] == 0)
		n--;
	n = (n + known[section].bytes - 1) / known[section].bytes * known[section].bytes;
	bytes_add(&made[section], live->data + b->data, n);
}

static void put_block(const struct bytes *live, const struct block *b)
{
	static const int sections_of[] = { NODE, SAMP, MODS, THRD, STRS };

	if (b->kind < BLOCK_NODES || b->kind > BLOCK_STRINGS)
		return;
	switch (sections_of[b->kind - BLOCK_NODES]) {
	case NODE:
		put_nodes(live, b);
		break;
	case SAMP:
		put_samples(live, b);
		break;
	default:
		put_records(live, b, sections_of[b->kind - BLOCK_NODES]);
	}
}

/* Numbers and addresses as the extension has them: node 0 is none. */
static void settle_nodes(void)
{
	for (size_t at = 0; at < made[NODE].n; at += known[NODE].bytes) {
		uint64_t module = bytes_get(&made[NODE], at + 4, 4);
		uint64_t address = bytes_get(&made[NODE], at + 8, 8);
		uint64_t parent = bytes_get(&made[NODE], at, 4);

		if (parent == 0)
			bytes_set(&made[NODE], at, UINT32_MAX, 4);
		if (address && module != UINT32_MAX) {
			if (module >= made[MODS].n / known[MODS].bytes)
				unsound("module %" PRIu64, module);
			address -= bytes_get(&made[MODS], module * known[MODS].bytes + 16, 8);
			bytes_set(&made[NODE], at + 8, address, 8);
		} else if (!address) {
			bytes_set(&made[NODE], at + 4, UINT32_MAX, 4);
		}
	}
}

/* Calls visit() for each block of a live file. */
static void each_block(const struct bytes *live,
		       void visit(const struct bytes *, const struct block *))
{
	if (live->n < PAGE || memcmp(live->data, "gmonlive", 8) != 0)
		unsound("head of the live file");
	for (size_t at = PAGE; at + PAGE <= live->n; at += PAGE) {
		struct block b = { bytes_get(live, at + 8, 4), bytes_get(live, at + 16, 8),
				   bytes_get(live, at + 24, 8), at + bytes_get(live, at + 32, 8),
				   at + bytes_get(live, at, 8) };

		if (bytes_get(live, at + 12, 4) == 1 && bytes_get(live, at + 40, 8) == at)
			visit(live, &b);
	}
}

static const char *spoilt_name;
static unsigned char spoilt_byte;

static void spoil_block(const struct bytes *live, const struct block *b)
{
	FILE *out = b->kind >= BLOCK_NODES ? fopen(spoilt_name, "r+b") : NULL;

	if (!out || b->end > live->n || fseek(out, (long)b->data, SEEK_SET) != 0)
		return;
	for (uint64_t at = b->data; at < b->end; at++)
		putc(spoilt_byte, out);
	fclose(out);
}

static int spoil(const char *name, const char *byte)
{
	struct bytes live = { .big = file.big };

	bytes_load(&live, ".", name);
	spoilt_name = name;
	spoilt_byte = (unsigned char)number_of(byte);
	each_block(&live, spoil_block);
	bytes_free(&live);
	return 0;
}

/* Makes `file` of a live file. */
static void convert(const struct bytes *live)
{
	each_block(live, put_block);
	settle_nodes();
	bytes_fill(&made[KIND], 0, SQUARES * known[KIND].bytes);
	bytes_set(&made[KIND], 8, bytes_get(live, 16, 8), 8);
	bytes_fill(&made[STRS], 0, 1);
	for (int i = 0; i < NSECTIONS; i++) {
		sections[i] =
			(struct section){ file.n, made[i].n / known[i].bytes, known[i].bytes };
		bytes_add(&file, made[i].data, made[i].n);
		bytes_free(&made[i]);
	}
}

static void print_file(const struct bytes *profile, bool live)
{
	if (live)
		convert(profile);
	else
		read_sections();
	if (!live)
		printf("stamp %s\n", bytes_get(&file, 24, 8) == fnv(profile) ? "right" : "wrong");
	print_modules();
	print_threads();
	print_samples();
}

int main(int argc, char **argv)
{
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	bool live = argc > 1 && strcmp(argv[1], "-l") == 0;
	struct bytes profile = { .big = big };

	argc -= live;
	argv += live;
	if (argc < 2)
		die("usage: stackdump [-l] PROFILE [SYMBOLS]");
	file.big = big;
	if (argc == 4 && strcmp(argv[1], "-s") == 0)
		return spoil(argv[2], argv[3]);
	for (int i = 0; i < NSECTIONS; i++)
		made[i].big = big;
	bytes_load(&profile, ".", argv[1]);
	if (!live) {
		char *name = xcalloc(1, strlen(argv[1]) + 5);

		sprintf(name, "%s.ext", argv[1]);
		bytes_load(&file, ".", name);
		free(name);
	}
	if (argc > 2)
		read_symbols(argv[2]);
	print_file(&profile, live);
	bytes_free(&profile);
	bytes_free(&file);
	return 0;
}
