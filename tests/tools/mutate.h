/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random damage that knows what it damages: fields of ELF files and of profiles get values that
 * are near the limits of something. All depends on the state of the random numbers alone; bytes
 * that are no longer what they were made as are changed blindly.
 */
#ifndef TESTS_TOOLS_MUTATE_H
#define TESTS_TOOLS_MUTATE_H

#include "bytes.h"
#include "prng.h"

/* Changes any bytes: single ones, numbers, pieces that are cut out, repeated or swapped. */
void mutate_bytes(struct bytes *b, struct prng *r);

/* Changes a gmon.out of version 1 with addresses of `width` bytes, in the byte order of b->big. */
void mutate_profile(struct bytes *b, unsigned width, struct prng *r);

/* Changes a file of call stacks, in its own byte order; it mostly still says how long it is. */
void mutate_stacks(struct bytes *b, struct prng *r);

/* Changes an ELF file: headers, symbols and contents of any section, or of debug sections only. */
void mutate_image(struct bytes *b, bool debug_only, struct prng *r);

/* Options of gprof that together lead through all that reads these files. */
extern const char *const mutant_options[];
extern const unsigned mutant_noptions;

/* Splits a line of words at its blanks, in place; words[] gets up to max of them. Their number. */
unsigned split_words(char *line, char **words, unsigned max);

#endif
