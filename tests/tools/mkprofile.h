/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the two files of mkprofile share: mkprofile.c reads the text, mkprofile_stacks.c makes the
 * stacks.
 */
#ifndef TESTS_TOOLS_MKPROFILE_H
#define TESTS_TOOLS_MKPROFILE_H

#include "elfimage.h"
#include "gmonfile.h"
#include "stackfile.h"

enum { MAX_WORDS = 4096, MAX_BINS = 1 << 26 };

/* The state of reading; words[0] to words[nwords - 1] are the line that is worked on. */
struct maker {
	const char *path, *outdir;
	long line;
	char *words[MAX_WORDS];
	size_t nwords;
	struct image image;
	unsigned nprofiles;
	struct bytes profile, arcs; /* arcs: of a BSD profile, for its end */
	enum gmon_layout layout;
	struct gmon_hist hist; /* bins is NULL when none is open */
	struct stackfile stacks;
	uint32_t thread, kind; /* of the stacks */
};

struct word_value {
	const char *word;
	unsigned char value;
};

/* The text's line is wrong: says why, and ends the program. */
_Noreturn void bad(const struct maker *m, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What a word of the line says. */
uint64_t number(const struct maker *m, const char *text);
uint64_t number_up_to(const struct maker *m, const char *text, uint64_t max);
uint64_t address(const struct maker *m, const char *text);

/* The row of that word in a table that ends with NULL, or NULL. */
const struct word_value *look_up(const struct word_value *table, const char *word);

/* The index of a section, or one of IN_. */
int section_named(const struct maker *m, const char *name);

/* The keywords about stacks; the profile's stacks are written, if there are any, and forgotten. */
void make_module(struct maker *m);
void make_thread(struct maker *m);
void make_kind(struct maker *m);
void make_square(struct maker *m);
void make_hold(struct maker *m);
void make_timeline(struct maker *m);
void make_slice(struct maker *m);
void make_stack(struct maker *m);
void make_call(struct maker *m);
void make_outside(struct maker *m);
void make_site(struct maker *m);
void make_part(struct maker *m);
void make_process(struct maker *m);
void save_stacks(struct maker *m, const char *profile);

#endif
