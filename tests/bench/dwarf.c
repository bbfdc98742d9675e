/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dwarf.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

/* Source files have so many functions, and so many lines between them. */
enum { UNIT_FUNCTIONS = 100, GAP_LINES = 8, ADDRESS = 8, OPCODE_BASE = 13 };

enum { ABBREV_UNIT = 1, ABBREV_FUNCTION };

static void put_leb(struct bytes *out, uint32_t value)
{
	while (value >= 0x80) {
		bytes_put(out, (value & 0x7f) | 0x80, 1);
		value >>= 7;
	}
	bytes_put(out, value, 1);
}

/* Of numbers that are not negative. */
static void put_signed_leb(struct bytes *out, uint32_t value)
{
	while (value >= 0x40) {
		bytes_put(out, (value & 0x7f) | 0x80, 1);
		value >>= 7;
	}
	bytes_put(out, value, 1);
}

static void put_string(struct bytes *out, const char *s)
{
	bytes_add(out, s, strlen(s) + 1);
}

/* A length of 4 bytes, which end_length() fills in. */
static size_t begin_length(struct bytes *out)
{
	bytes_fill(out, 0, 4);
	return out->n;
}

static void end_length(struct bytes *out, size_t from)
{
	bytes_set(out, from - 4, out->n - from, 4);
}

static void put_abbrevs(struct bytes *out)
{
	static const unsigned char abbrevs[] = {
		ABBREV_UNIT,
		DW_TAG_compile_unit,
		DW_CHILDREN_yes,
		DW_AT_language,
		DW_FORM_data1,
		DW_AT_name,
		DW_FORM_string,
		DW_AT_comp_dir,
		DW_FORM_string,
		DW_AT_low_pc,
		DW_FORM_addr,
		DW_AT_high_pc,
		DW_FORM_data8,
		DW_AT_stmt_list,
		DW_FORM_sec_offset,
		0,
		0,
		ABBREV_FUNCTION,
		DW_TAG_subprogram,
		DW_CHILDREN_no,
		DW_AT_external,
		DW_FORM_flag_present,
		DW_AT_name,
		DW_FORM_string,
		DW_AT_decl_file,
		DW_FORM_data1,
		DW_AT_decl_line,
		DW_FORM_udata,
		DW_AT_low_pc,
		DW_FORM_addr,
		DW_AT_high_pc,
		DW_FORM_data4,
		0,
		0,
		0,
	};

	bytes_add(out, abbrevs, sizeof(abbrevs));
}

static void put_unit(struct dwarf *out, const uint64_t *starts, uint32_t first, uint32_t end,
		     unsigned rows)
{
	struct bytes *info = &out->info;
	size_t from = begin_length(info);
	char name[32];

	bytes_put(info, 4, 2);
	bytes_put(info, 0, 4);
	bytes_put(info, ADDRESS, 1);
	put_leb(info, ABBREV_UNIT);
	bytes_put(info, DW_LANG_C99, 1);
	snprintf(name, sizeof(name), "part%05u.c", first / UNIT_FUNCTIONS);
	put_string(info, name);
	put_string(info, "/usr/src/workload");
	bytes_put(info, starts[first], ADDRESS);
	bytes_put(info, starts[end] - starts[first], 8);
	bytes_put(info, out->line.n, 4);
	for (uint32_t i = first; i < end; i++) {
		put_leb(info, ABBREV_FUNCTION);
		snprintf(name, sizeof(name), "f%u", i);
		put_string(info, name);
		bytes_put(info, 1, 1);
		put_leb(info, 10 + (i - first) * (rows + GAP_LINES));
		bytes_put(info, starts[i], ADDRESS);
		bytes_put(info, starts[i + 1] - starts[i], 4);
	}
	bytes_put(info, 0, 1);
	end_length(info, from);
}

static void put_line_header(struct bytes *line, uint32_t unit)
{
	static const unsigned char arguments[OPCODE_BASE - 1] = {
		0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
	};
	char name[32];
	size_t header;

	bytes_put(line, 4, 2);
	header = begin_length(line);
	bytes_put(line, 1, 1);           /* shortest instruction */
	bytes_put(line, 1, 1);           /* operations in one */
	bytes_put(line, 1, 1);           /* rows begin statements */
	bytes_put(line, (uint8_t)-5, 1); /* of special opcodes, which we have not */
	bytes_put(line, 14, 1);
	bytes_put(line, OPCODE_BASE, 1);
	bytes_add(line, arguments, sizeof(arguments));
	bytes_put(line, 0, 1);
	snprintf(name, sizeof(name), "part%05u.c", unit);
	put_string(line, name);
	bytes_fill(line, 0, 3);
	bytes_put(line, 0, 1);
	end_length(line, header);
}

static void put_lines(struct bytes *line, const uint64_t *starts, uint32_t first, uint32_t end,
		      unsigned rows)
{
	size_t from = begin_length(line);
	uint32_t now = 1;
	uint64_t pc = starts[first];

	put_line_header(line, first / UNIT_FUNCTIONS);
	bytes_put(line, 0, 1);
	put_leb(line, 1 + ADDRESS);
	bytes_put(line, DW_LNE_set_address, 1);
	bytes_put(line, pc, ADDRESS);
	for (uint32_t i = first; i < end; i++) {
		for (unsigned row = 0; row < rows; row++) {
			uint32_t wanted = 10 + (i - first) * (rows + GAP_LINES) + row;
			uint64_t to = starts[i] + 4 * row;

			bytes_put(line, DW_LNS_advance_pc, 1);
			put_leb(line, (uint32_t)(to - pc));
			bytes_put(line, DW_LNS_advance_line, 1);
			put_signed_leb(line, wanted - now);
			bytes_put(line, DW_LNS_copy, 1);
			now = wanted;
			pc = to;
		}
	}
	bytes_put(line, DW_LNS_advance_pc, 1);
	put_leb(line, (uint32_t)(starts[end] - pc));
	bytes_put(line, 0, 1);
	put_leb(line, 1);
	bytes_put(line, DW_LNE_end_sequence, 1);
	end_length(line, from);
}

void dwarf_write(struct dwarf *out, const uint64_t *starts, uint32_t nfunctions, unsigned rows)
{
	put_abbrevs(&out->abbrev);
	for (uint32_t first = 0; first < nfunctions; first += UNIT_FUNCTIONS) {
		uint32_t end =
			first + UNIT_FUNCTIONS < nfunctions ? first + UNIT_FUNCTIONS : nfunctions;

		put_unit(out, starts, first, end, rows);
		put_lines(&out->line, starts, first, end, rows);
	}
}

void dwarf_free(struct dwarf *out)
{
	bytes_free(&out->abbrev);
	bytes_free(&out->info);
	bytes_free(&out->line);
}
