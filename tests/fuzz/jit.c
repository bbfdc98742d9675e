/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: files in which a program tells the names of code that it makes.
 *
 * Input: a byte, 'D' for jit-PID.dump (jitdump) or anything else for perf-PID.map, and the file.
 * It is applied to stacks with a few addresses of such code.
 *
 * Names and files are bounded and have no control characters, a line has a file, stacks refer to
 * what is there, and no tick is lost. What is whole of a damaged dump is a dump with the same
 * names; a map that follows itself has the same names, too.
 */
#include "config.h"

#include "fuzz.h"

#include "io/profile/jitdump.h"
#include "io/profile/perf_map.h"
#include "model/recorded_made.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t places[] = {
	0x10000, 0x10001, 0x11000, 0x12000, 0x7fff00001000, UINT64_MAX - 1, UINT64_MAX,
};

enum { PLACES = sizeof(places) / sizeof(places[0]) };

/* Each place calls itself, so that stacks of one function become shorter or stay. */
static struct recorded stacks_of_places(struct arena *mem)
{
	struct recorded rec = { .nfiles = 1, .ticks = 2 * PLACES };

	for (uint32_t i = 0; i < 2 * PLACES; i++) {
		array_push(mem, &rec.nodes) =
			(struct recorded_node){ i < PLACES ? RECORDED_NONE : i - PLACES,
						RECORDED_NONE, places[i % PLACES] };
		array_push(mem, &rec.samples) = (struct recorded_sample){ .node = i, .ticks = 1 };
	}
	return rec;
}

static void check_name(const char *name)
{
	size_t n = strlen(name);

	if (n == 0 || n > 4 * MADE_NAMES_BYTES + sizeof("..."))
		finding("a name that is empty or too long");
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
			finding("a name with a control character");
	}
}

static void check_line(const struct recorded_made *made)
{
	size_t n = strlen(made->file);

	if ((made->line > 0) != (n > 0) || made->line > INT_MAX)
		finding("a line without a file, or a file without a line");
	if (n > 0 && !recorded_made_is_file(made->file, n))
		finding("a name that no file can have");
}

static void check(const struct recorded *rec)
{
	uint64_t ticks = 0;

	if (rec->modules.n > 1 || (rec->made.n > 0) != (rec->modules.n == 1))
		finding("names without an object, or an object without names");
	for (size_t i = 0; i < rec->nodes.n; i++) {
		const struct recorded_node *node = &rec->nodes.at[i];

		if (node->parent != RECORDED_NONE && node->parent >= i)
			finding("a stack that refers to nothing");
		if (node->module != RECORDED_NONE &&
		    (node->module >= rec->modules.n || node->address >= rec->made.n))
			finding("a function without a name");
	}
	for (size_t i = 0; i < rec->samples.n; i++) {
		if (rec->samples.at[i].node >= rec->nodes.n)
			finding("a sample of nothing");
		ticks += rec->samples.at[i].ticks;
	}
	if (ticks != rec->ticks)
		finding("lost ticks");
	for (size_t i = 0; i < rec->made.n; i++) {
		check_name(rec->made.at[i].name);
		check_line(&rec->made.at[i]);
	}
}

/* Names what the bytes tell; returns how many of them are whole. */
static size_t apply(struct recorded *rec, bool is_dump, const uint8_t *bytes, size_t n,
		    struct arena *mem)
{
	struct made_names names;
	size_t whole = n;

	*rec = stacks_of_places(mem);
	made_names_begin(&names, rec, mem);
	if (is_dump)
		whole = jitdump_apply(&names, bytes, n, mem);
	else
		perf_map_apply(&names, (const char *)bytes, n);
	made_names_end(&names, rec, mem);
	check(rec);
	if (whole > n)
		finding("more is whole than there is");
	return whole;
}

static uint32_t line_of(const struct recorded *rec, size_t sample)
{
	const struct recorded_node *node = &rec->nodes.at[rec->samples.at[sample].node];

	return node->module == RECORDED_NONE ? 0 : rec->made.at[node->address].line;
}

static const char *name_of(const struct recorded *rec, size_t sample)
{
	const struct recorded_node *node = &rec->nodes.at[rec->samples.at[sample].node];

	return node->module == RECORDED_NONE ? "" : rec->made.at[node->address].name;
}

static void check_same(const struct recorded *a, const struct recorded *b)
{
	for (size_t i = 0; i < a->samples.n; i++) {
		if (strcmp(name_of(a, i), name_of(b, i)) != 0 || line_of(a, i) != line_of(b, i))
			finding("names or lines that differ");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena mem = { .no_memory = finding_no_memory };
	bool is_dump = size > 0 && data[0] == 'D';
	struct recorded once, again;
	uint8_t *bytes;
	size_t n, whole;

	if (size < 1)
		return 0;
	n = size - 1;
	bytes = malloc(2 * n + 1); /* of that size, so that a read behind the end is seen */
	if (!bytes)
		finding_no_memory(NULL);
	memcpy(bytes, data + 1, n);
	whole = apply(&once, is_dump, data + 1, n, &mem);
	if (is_dump) {
		if (apply(&again, true, bytes, whole, &mem) != whole)
			finding("what was whole is not");
	} else {
		bytes[n] = '\n';
		memcpy(bytes + n + 1, data + 1, n);
		apply(&again, false, bytes, 2 * n + 1, &mem);
	}
	check_same(&once, &again);
	free(bytes);
	arena_free(&mem);
	return 0;
}
