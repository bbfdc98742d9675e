/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/jitdump_lines.h"

#include "base/cursor.h"
#include "base/sort.h"
#include "model/recorded_made.h"

#include <limits.h>
#include <string.h>

/* Bytes: a record has the address of the code and the number of entries; an entry has an address,
 * a line and a column, before the name of its file. */
enum { JITDUMP_LINES_HEAD = 16, JITDUMP_LINES_ENTRY = 16 };

/* In place of a name: that of the entry before. */
static const char same[] = "\xff";

/* A walk along the entries. */
struct jitdump_lines_walk {
	const struct jitdump_lines *lines;
	size_t at;
	uint64_t left;
	struct made_line line; /* the last one */
};

bool jitdump_lines_begin(struct jitdump_lines *lines, const unsigned char *body, size_t n,
			 bool big_endian)
{
	if (n < JITDUMP_LINES_HEAD)
		return false;
	*lines = (struct jitdump_lines){ .code = cursor_bytes_uint(body, 8, big_endian),
					 .at = body + JITDUMP_LINES_HEAD,
					 .nbytes = n - JITDUMP_LINES_HEAD,
					 .n = cursor_bytes_uint(body + 8, 8, big_endian),
					 .big_endian = big_endian };
	return true;
}

/* Steps to the next entry. Returns false if there is none that is whole. */
static bool jitdump_lines_next(struct jitdump_lines_walk *w)
{
	const struct jitdump_lines *lines = w->lines;
	size_t left = lines->nbytes - w->at;
	const unsigned char *at = lines->at + w->at;
	const char *name = (const char *)at + JITDUMP_LINES_ENTRY, *end;

	if (w->left == 0 || left <= JITDUMP_LINES_ENTRY)
		return false;
	end = memchr(name, '\0', left - JITDUMP_LINES_ENTRY);
	if (!end)
		return false;
	w->line.offset = cursor_bytes_uint(at, 8, lines->big_endian) - lines->code;
	w->line.line = (uint32_t)cursor_bytes_uint(at + 8, 4, lines->big_endian);
	if (strcmp(name, same) != 0) {
		w->line.file = name;
		w->line.bytes = (uint32_t)(end - name);
	}
	w->at += JITDUMP_LINES_ENTRY + (size_t)(end - name) + 1;
	w->left--;
	return true;
}

static struct jitdump_lines_walk jitdump_lines_walk(const struct jitdump_lines *lines)
{
	return (struct jitdump_lines_walk){ .lines = lines, .left = lines->n };
}

uint64_t jitdump_lines_least(const struct jitdump_lines *lines, uint64_t size)
{
	struct jitdump_lines_walk w = jitdump_lines_walk(lines);
	uint64_t least = UINT64_MAX;

	while (jitdump_lines_next(&w)) {
		if (w.line.offset >= size && w.line.offset - size >= JITDUMP_LINES_SHIFT)
			return UINT64_MAX;
		if (w.line.offset < least)
			least = w.line.offset;
	}
	return least;
}

/* Takes the name of a file out of a URL; and all of it if no file can have that name. */
static void jitdump_lines_clean(struct made_line *line)
{
	static const char url[] = "file://";
	size_t n = sizeof(url) - 1;

	if (line->line == 0 || line->line > INT_MAX ||
	    !recorded_made_is_file(line->file, line->bytes)) {
		line->file = NULL;
		line->bytes = 0;
		line->line = 0;
	} else if (line->bytes > n && memcmp(line->file, url, n) == 0 && line->file[n] == '/') {
		line->file += n;
		line->bytes -= n;
	}
}

static int jitdump_lines_order(uint32_t x, uint32_t y, const void *lines)
{
	const struct made_line *line = lines;

	return (line[x].offset > line[y].offset) - (line[x].offset < line[y].offset);
}

/* Finds where the function begins and ends. */
static void jitdump_lines_bound(struct made_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		const struct made_line *line = &lines->at[i];

		if (!line->file)
			continue;
		if (!lines->first)
			lines->first = lines->last = line;
		else if (line->line > lines->last->line && line->bytes == lines->first->bytes &&
			 memcmp(line->file, lines->first->file, line->bytes) == 0)
			lines->last = line;
	}
}

const struct made_lines *jitdump_lines_make(struct jitdump_lines *lines, uint64_t shift,
					    struct arena *mem)
{
	struct jitdump_lines_walk w = jitdump_lines_walk(lines);
	struct arena scratch = arena_scratch(mem);
	ARRAY(struct made_line) found = { 0 };
	struct made_line *sorted;
	uint32_t *order;

	if (lines->made)
		return lines->made;
	while (jitdump_lines_next(&w)) {
		struct made_line line = w.line;

		line.offset -= shift;
		jitdump_lines_clean(&line);
		array_push(&scratch, &found) = line;
	}
	sorted = arena_array(mem, struct made_line, found.n);
	order = arena_array(&scratch, uint32_t, found.n);
	for (uint32_t i = 0; i < found.n; i++)
		order[i] = i;
	sort_ids(order, found.n, jitdump_lines_order, found.at, &scratch);
	for (uint32_t i = 0; i < found.n; i++)
		sorted[i] = found.at[order[i]];
	lines->made = arena_array(mem, struct made_lines, 1);
	*lines->made = (struct made_lines){ .at = sorted, .n = found.n };
	jitdump_lines_bound(lines->made);
	arena_free(&scratch);
	return lines->made;
}
