/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact decimals. A double is m * 2^e with m below 2^53, so 100 * m fits into 64 bits. The digits
 * after the last decimal are the bits that a shift by -e drops, so rounding is exact, halves to
 * even, as C99 requires. A line of the call graph takes a quarter of its time with printf. Blanks
 * are written by stores of constant size, which may write more blanks than needed.
 */
#include "config.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

static unsigned number_count_digits(uint64_t n)
{
	static const uint64_t least[] = {
		0, /* n may be 0, which has one digit */
		UINT64_C(10),
		UINT64_C(100),
		UINT64_C(1000),
		UINT64_C(10000),
		UINT64_C(100000),
		UINT64_C(1000000),
		UINT64_C(10000000),
		UINT64_C(100000000),
		UINT64_C(1000000000),
		UINT64_C(10000000000),
		UINT64_C(100000000000),
		UINT64_C(1000000000000),
		UINT64_C(10000000000000),
		UINT64_C(100000000000000),
		UINT64_C(1000000000000000),
		UINT64_C(10000000000000000),
		UINT64_C(100000000000000000),
		UINT64_C(1000000000000000000),
		UINT64_C(10000000000000000000),
	};
	unsigned bits = 64 - (unsigned)__builtin_clzll(n | 1);
	unsigned len = bits * 1233 >> 12; /* from log 2: the number of digits, or one less */

	return len + (n >= least[len]);
}

/* Writes the two digits of n, below 100, before `end`. */
static void number_put_pair(char *end, unsigned n)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	memcpy(end - 2, pairs + (size_t)2 * n, 2);
}

static void number_put_digits(char *end, uint64_t n)
{
	for (; n >= 100; n /= 100, end -= 2)
		number_put_pair(end, (unsigned)(n % 100));
	if (n >= 10)
		number_put_pair(end, (unsigned)n);
	else
		end[-1] = (char)('0' + n);
}

/*
 * Writes the blanks that align a text of len bytes in a column of `width`, and sets *text to where
 * the caller must write the text. Returns the end of blanks and text.
 */
static char *number_align(char *at, size_t len, int width, char **text)
{
	size_t columns = (size_t)(width < 0 ? -width : width);
	size_t blanks = columns > len ? columns - len : 0;

	*text = width < 0 ? at : at + blanks;
	memset(width < 0 ? at + len : at, ' ', NUMBER_COLUMNS);
	return at + blanks + len;
}

char *number_put(char *at, uint64_t n, int width)
{
	size_t len = number_count_digits(n);
	char *text, *end = number_align(at, len, width, &text);

	number_put_digits(text + len, n);
	return end;
}

char *number_put_bound(char *at, uint64_t n, int width, bool least)
{
	static const char mark[] = { '>', '=' };
	size_t len = number_count_digits(n) + sizeof(mark);
	char *text, *end;

	if (!least)
		return number_put(at, n, width);
	end = number_align(at, len, width, &text);
	memcpy(text, mark, sizeof(mark));
	number_put_digits(text + len, n);
	return end;
}

/* Returns m * 2^-shift, rounded. */
static uint64_t number_shift_rounded(uint64_t m, unsigned shift)
{
	uint64_t whole, rest, half;

	if (shift == 0)
		return m;
	if (shift > 63)
		return 0; /* m is below 2^60, so the result rounds to 0 */
	whole = m >> shift;
	rest = m & ((UINT64_C(1) << shift) - 1);
	half = UINT64_C(1) << (shift - 1);
	return whole + (rest > half || (rest == half && whole & 1));
}

char *number_put_fixed(char *at, double x, int width, unsigned decimals)
{
	enum { MANTISSA_BITS = 52, BIAS = 1023 + MANTISSA_BITS };
	unsigned exponent, shift;
	uint64_t bits, m, whole;
	char *text, *end;
	size_t len;

	memcpy(&bits, &x, sizeof(bits));
	exponent = (unsigned)(bits >> MANTISSA_BITS);
	if (exponent >= BIAS) /* negative, not finite, or at least 2^52 */
		return at + snprintf(at, NUMBER_ROOM, "%*.*f", width, (int)decimals, x);
	m = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
	if (exponent > 0)
		m |= UINT64_C(1) << MANTISSA_BITS;
	shift = exponent > 0 ? BIAS - exponent : BIAS - 1;
	m = number_shift_rounded(decimals == 1 ? 10 * m : 100 * m, shift);
	whole = decimals == 1 ? m / 10 : m / 100;
	len = number_count_digits(whole);
	end = number_align(at, len + 1 + decimals, width, &text);
	number_put_digits(text + len, whole);
	text += len;
	text[0] = '.';
	if (decimals == 1)
		text[1] = (char)('0' + m % 10);
	else
		number_put_pair(text + 3, (unsigned)(m % 100));
	return end;
}
