/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads bb.out. Linear in its size. */
#include "config.h"

#include "io/profile/bbout.h"

#include "io/lines.h"
#include "model/profile_sum.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Skips the text up to and including the first `word`; false if there is none. */
static bool bbout_skip_past(struct span *text, const char *word)
{
	const char *found = memmem(text->at, text->n, word, strlen(word));

	if (!found)
		return false;
	*text = lines_span_skip(*text, (size_t)(found - text->at) + strlen(word));
	return true;
}

/* Reads a number that fits 64 bits and ends at a blank or at the end of the text. */
static bool bbout_read_number(struct span *text, int base, uint64_t *value)
{
	struct span word = lines_span_word(text);
	char copy[32], *end;

	if (word.n == 0 || word.n >= sizeof(copy) || word.at[0] == '-' || word.at[0] == '+')
		return false;
	memcpy(copy, word.at, word.n);
	copy[word.n] = '\0';
	errno = 0;
	*value = strtoull(copy, &end, base);
	return *end == '\0' && errno == 0;
}

/* 1 for a block, 0 for any other line, -1 for a block that cannot be right. */
static int bbout_read_block(struct span line, struct raw_block *block)
{
	if (!bbout_skip_past(&line, "Block") || !bbout_skip_past(&line, "executed"))
		return 0;
	if (!bbout_read_number(&line, 10, &block->count) ||
	    !lines_span_begins(lines_span_trim_left(line), "time") ||
	    !bbout_skip_past(&line, "address=") || !bbout_read_number(&line, 16, &block->pc))
		return -1;
	return 1;
}

int bbout_read(struct profile *prof, const char *text, size_t size, const char *name,
	       struct arena *mem, struct diag *diag)
{
	struct profile_sum sum = { .prof.target = prof->target, .mem = mem };
	struct lines lines = { .rest = { text, size } };
	struct span line;

	while (lines_next(&lines, &line)) {
		struct raw_block block;
		int rc = bbout_read_block(line, &block);

		if (rc < 0) {
			diag_error(diag, "%s:%zu: a block without a count and an address", name,
				   lines.number);
			return -1;
		}
		if (rc > 0 && !profile_sum_block(&sum, &block)) {
			diag_error(diag, "%s:%zu: more than %" PRIu32 " blocks", name, lines.number,
				   UINT32_MAX);
			return -1;
		}
	}
	*prof = profile_sum_end(&sum);
	if (prof->blocks.n == 0) {
		diag_error(diag, "%s: no basic-block counts as in bb.out", name);
		return -1;
	}
	return 0;
}
