/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A coder of bytes: each of the coder_*.c has one, made of static functions with the same names.
 */
#include <stddef.h>

struct coder {
	const char *name;
	size_t (*encode)(const unsigned char *in, size_t n, unsigned char *out);
	size_t (*decode)(const unsigned char *in, size_t n, unsigned char *out);
};

extern const struct coder runs_coder, shift_coder, delta_coder;
