/* SPDX-License-Identifier: MIT */
/*
 * A profile as text, for machines whose only way out is a console. gprof reads it from a log,
 * between whatever else was printed.
 *
 *   @gmon1 LENGTH        the number of bytes that follow, decimal
 *   TEXT:CCCC            57 bytes a line, the last line fewer, as base64 with '=' (RFC 4648), then
 * their
 *   ...                  check sum, four hexadecimal digits
 *   @end CCCCCCCC        CRC-32 (ISO 3309, as of zip files) of all bytes, eight hexadecimal digits
 *   @gmonext LENGTH      perhaps: the same for the call stacks of that profile
 *   ...
 *
 * The check sum of a line is CRC-16/CCITT (polynomial 0x1021, highest bit first) that starts with
 * 0xffff exclusive-or the number of the line, from 0: so a reader knows which lines were lost. The
 * bytes are a file of gmon_out.h; those of the call stacks, one of gmon_ext.h.
 */
#ifndef GMON_TEXT_H
#define GMON_TEXT_H

#include <stdint.h>

#define GMON_TEXT_BEGIN        "@gmon1 "
#define GMON_TEXT_BEGIN_STACKS "@gmonext "
#define GMON_TEXT_END          "@end "

enum { GMON_TEXT_LINE_BYTES = 57 };

/* Returns the check sum of n bytes that are line `line`. */
static inline uint16_t gmon_text_sum(const unsigned char *bytes, unsigned n, uint32_t line)
{
	unsigned sum = (0xffffu ^ line) & 0xffffu;

	for (unsigned i = 0; i < n; i++) {
		sum ^= (unsigned)bytes[i] << 8;
		for (int k = 0; k < 8; k++)
			sum = (sum << 1 ^ (sum & 0x8000u ? 0x1021u : 0)) & 0xffffu;
	}
	return (uint16_t)sum;
}

#endif
