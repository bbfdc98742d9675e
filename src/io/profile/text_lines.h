/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of bytes as text, as consoles and tools print them. Each line is read by itself;
 * text_dump.c puts the bytes together.
 *
 *   TEXT_COLON    "0010: 67 6d 6f 6e .. gmon.." of NuttX and others; "00000010: 676d 6f6e ..
 * gmon.." of xxd TEXT_HEXDUMP  "00000010  67 6d 6f 6e ..  |gmon..|" of hexdump -C TEXT_OD "0000020
 * 67 6d 6f 6e ..": od -tx1; "0000010 6d67 6e6f ..": hexdump, in words of the machine TEXT_BARE " 67
 * 6d 6f 6e ..": od -An -tx1 TEXT_INTEL    ":10001000676d6f6e..CC": Intel HEX TEXT_S
 * "S1130010676d6f6e..CC": Motorola's S-records TEXT_OWN      base64 with a check sum, gmon_text.h
 */
#ifndef IO_PROFILE_TEXT_LINES_H
#define IO_PROFILE_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum text_form {
	TEXT_NOISE, /* the line is none of a dump */
	TEXT_COLON,
	TEXT_HEXDUMP,
	TEXT_OD,
	TEXT_BARE,
	TEXT_INTEL,
	TEXT_S,
	TEXT_OWN,
};

enum text_part {
	TEXT_BYTES,   /* n bytes, perhaps none, at an address if the form has one */
	TEXT_SAME,    /* "*": the bytes before are repeated up to the next address */
	TEXT_LENGTH,  /* the head of a TEXT_OWN dump; `address` is its number of bytes */
	TEXT_STACKS,  /* the same, of the call stacks that come after it */
	TEXT_SEGMENT, /* later addresses are relative to `address` */
	TEXT_END,     /* of the dump; `address` is its CRC-32 in TEXT_OWN */
	TEXT_IGNORED, /* a record without bytes, such as a comment */
};

enum { TEXT_LINE_BYTES = 256 };

struct text_line {
	enum text_form form;
	enum text_part part;
	uint64_t address;
	uint64_t octal;  /* TEXT_OD: the address if its digits are octal, else UINT64_MAX */
	unsigned digits; /* of the address, as text */
	bool damaged;    /* TEXT_INTEL, TEXT_S: the record's check sum is wrong */
	uint16_t sum;    /* TEXT_OWN: the line's check sum */
	size_t n;        /* bytes; of forms with characters at the end, perhaps a few too many */
	unsigned char bytes[TEXT_LINE_BYTES];
};

/*
 * Reads the line of `size` characters at `text`, without its newline. A carriage return at its end
 * and a time in brackets before it, as terminals add it, do not count. O(size).
 */
void text_line_read(struct text_line *line, const char *text, size_t size);

#endif
