/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dumptext FORM <FILE: prints a file as machines without files print it on a console.
 *
 *   own      the text of gmon_text.h, between other lines
 *   stacks   the same of call stacks, which come after their profile
 *   nuttx    the command hexdump of NuttX: parts of 512 bytes, each counted from 0
 *   xxd      as xxd
 *   words    as hexdump: words of 16 bits in the byte order of x86
 *   canon    as hexdump -C
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmon_text.h"

enum { MOST = 1 << 24, PART = 512, ROW = 16 };

static unsigned char bytes[MOST];

static uint32_t crc32_of(const unsigned char *at, size_t n)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= at[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void print_base64(const unsigned char *at, size_t n)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		uint32_t value = (uint32_t)at[i] << 16 |
				 (i + 1 < n ? (uint32_t)at[i + 1] << 8 : 0) |
				 (i + 2 < n ? at[i + 2] : 0);

		putchar(letters[value >> 18]);
		putchar(letters[value >> 12 & 63]);
		putchar(i + 1 < n ? letters[value >> 6 & 63] : '=');
		putchar(i + 2 < n ? letters[value & 63] : '=');
	}
}

static void print_own(const char *begin, size_t n)
{
	uint32_t line = 0;

	printf("app: 12 requests\n%s%zu\n", begin, n);
	for (size_t i = 0; i < n; i += GMON_TEXT_LINE_BYTES, line++) {
		unsigned len =
			n - i < GMON_TEXT_LINE_BYTES ? (unsigned)(n - i) : GMON_TEXT_LINE_BYTES;

		print_base64(bytes + i, len);
		printf(":%04x\n", gmon_text_sum(bytes + i, len, line));
		if (line == 2)
			printf("app: watchdog fed\n");
	}
	printf(GMON_TEXT_END "%08x\napp: ready\n", crc32_of(bytes, n));
}

static void print_characters(const unsigned char *at, size_t n)
{
	for (size_t k = 0; k < n; k++)
		putchar(isprint(at[k]) ? at[k] : '.');
}

/* A row of up to 16 bytes at offset i, with `every` bytes before each blank. */
static size_t print_row(size_t i, size_t end, size_t every)
{
	size_t n = end - i < ROW ? end - i : ROW;

	for (size_t k = 0; k < ROW; k++) {
		if (k < n)
			printf("%02x", bytes[i + k]);
		else
			printf("  ");
		if (k % every == every - 1)
			putchar(' ');
	}
	return n;
}

static void print_nuttx(size_t n)
{
	printf("nsh> hexdump /data/gmon.out\r\n");
	for (size_t part = 0; part < n; part += PART) {
		size_t end = n - part < PART ? n : part + PART;

		printf("/data/gmon.out at %08zx:\r\n", part);
		for (size_t i = part; i < end; i += ROW) {
			printf("%04zx: ", i - part);
			print_characters(bytes + i, print_row(i, end, 1));
			printf("\r\n");
		}
	}
	printf("nsh> \r\n");
}

static void print_rows(size_t n, const char *form)
{
	for (size_t i = 0; i < n; i += ROW) {
		size_t len = n - i < ROW ? n - i : ROW;

		if (strcmp(form, "xxd") == 0) {
			printf("%08zx: ", i);
			print_row(i, n, 2);
			putchar(' ');
			print_characters(bytes + i, len);
		} else if (strcmp(form, "canon") == 0) {
			printf("%08zx  ", i);
			print_row(i, n, 1);
			printf(" |");
			print_characters(bytes + i, len);
			putchar('|');
		} else {
			printf("%07zx", i);
			for (size_t k = 0; k < len; k += 2)
				printf(" %02x%02x", k + 1 < len ? bytes[i + k + 1] : 0,
				       bytes[i + k]);
		}
		putchar('\n');
	}
	if (strcmp(form, "xxd") != 0)
		printf(strcmp(form, "canon") == 0 ? "%08zx\n" : "%07zx\n", n);
}

int main(int argc, char **argv)
{
	const char *form = argc > 1 ? argv[1] : "";
	size_t n = fread(bytes, 1, sizeof(bytes), stdin);

	if (strcmp(form, "own") == 0)
		print_own(GMON_TEXT_BEGIN, n);
	else if (strcmp(form, "stacks") == 0)
		print_own(GMON_TEXT_BEGIN_STACKS, n);
	else if (strcmp(form, "nuttx") == 0)
		print_nuttx(n);
	else
		print_rows(n, form);
	return EXIT_SUCCESS;
}
