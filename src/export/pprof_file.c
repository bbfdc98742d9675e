/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each message is built in memory, then written after its length. */
#include "config.h"

#include "export/pprof_file.h"

#include "base/quote.h"

#include <string.h>

/* Field numbers, by message. */
enum {
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6
};
enum { TYPE_WHAT = 1, TYPE_UNIT = 2 };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3 };
enum {
	MAPPING_ID = 1,
	MAPPING_LO = 2,
	MAPPING_HI = 3,
	MAPPING_OFFSET = 4,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_FUNCTIONS = 7,
	MAPPING_FILES = 8,
	MAPPING_LINES = 9,
	MAPPING_INLINED = 10
};
enum { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2 };
enum {
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
	FUNCTION_LINE = 5
};

static const char *const words[PPROF_WORDS] = { "",    "samples",     "count",  "calls",
						"cpu", "nanoseconds", "thread", "tid" };

/* Adds f->part to the profile as a field and empties it. */
static void pprof_file_part(struct pprof_file *f, unsigned field)
{
	unsigned char head[2 * PROTO_NUMBER];
	unsigned char *end = proto_head(head, field, f->part.n);

	gzip_bytes(&f->gz, head, (size_t)(end - head));
	gzip_bytes(&f->gz, f->part.at, f->part.n);
	f->part.n = 0;
}

void pprof_file_number(struct pprof_file *f, enum pprof_field field, uint64_t n)
{
	proto_uint(&f->part, field, n);
	gzip_bytes(&f->gz, f->part.at, f->part.n);
	f->part.n = 0;
}

uint64_t pprof_file_string(struct pprof_file *f, const char *text)
{
	unsigned char head[2 * PROTO_NUMBER], *end;
	size_t n;

	text = quote_copy(text, '?', f->mem);
	n = strlen(text);
	end = proto_head(head, PROFILE_STRING, n);
	gzip_bytes(&f->gz, head, (size_t)(end - head));
	gzip_bytes(&f->gz, text, n);
	return f->nstrings++;
}

struct pprof_file pprof_file_begin(struct output *out, struct arena *mem)
{
	struct pprof_file f = {
		.gz = gzip_begin(out, mem),
		.part.mem = mem,
		.inner.mem = mem,
		.mem = mem,
		.names.mem = mem,
	};

	for (size_t i = 0; i < PPROF_WORDS; i++)
		pprof_file_string(&f, words[i]);
	return f;
}

void pprof_file_end(struct pprof_file *f)
{
	gzip_end(&f->gz);
}

uint64_t pprof_file_name(struct pprof_file *f, const char *name)
{
	uint32_t place;

	if (!name)
		return PPROF_EMPTY;
	place = strtable_place(&f->names, name);
	if (place == f->name_string.n) {
		uint64_t string = pprof_file_string(f, name);

		array_push(f->mem, &f->name_string) = string;
	}
	return f->name_string.at[place];
}

void pprof_file_comment(struct pprof_file *f, const char *text)
{
	pprof_file_number(f, PPROF_COMMENT, pprof_file_string(f, text));
}

void pprof_file_type(struct pprof_file *f, enum pprof_field field, uint64_t what, uint64_t unit)
{
	proto_uint(&f->part, TYPE_WHAT, what);
	proto_uint(&f->part, TYPE_UNIT, unit);
	pprof_file_part(f, field);
}

void pprof_file_mapping(struct pprof_file *f, uint64_t id, const struct pprof_mapping *mapping)
{
	uint64_t file = pprof_file_string(f, mapping->path);
	uint64_t build_id =
		mapping->build_id ? pprof_file_string(f, mapping->build_id) : PPROF_EMPTY;

	proto_uint(&f->part, MAPPING_ID, id);
	proto_uint(&f->part, MAPPING_LO, mapping->lo);
	proto_uint(&f->part, MAPPING_HI, mapping->hi);
	proto_uint(&f->part, MAPPING_OFFSET, mapping->offset);
	proto_uint(&f->part, MAPPING_FILE, file);
	proto_uint(&f->part, MAPPING_BUILD_ID, build_id);
	proto_uint(&f->part, MAPPING_FUNCTIONS, 1);
	proto_uint(&f->part, MAPPING_FILES, mapping->has_lines);
	proto_uint(&f->part, MAPPING_LINES, mapping->has_lines);
	proto_uint(&f->part, MAPPING_INLINED, mapping->has_lines);
	pprof_file_part(f, PROFILE_MAPPING);
}

uint64_t pprof_file_function(struct pprof_file *f, const char *name, const char *system_name,
			     uint64_t file, unsigned line)
{
	uint64_t name_string = pprof_file_string(f, name), system_string = name_string;

	if (strcmp(name, system_name) != 0)
		system_string = pprof_file_string(f, system_name);
	proto_uint(&f->part, FUNCTION_ID, ++f->nfunctions);
	proto_uint(&f->part, FUNCTION_NAME, name_string);
	proto_uint(&f->part, FUNCTION_SYSTEM_NAME, system_string);
	proto_uint(&f->part, FUNCTION_FILE, file);
	proto_uint(&f->part, FUNCTION_LINE, line);
	pprof_file_part(f, PROFILE_FUNCTION);
	return f->nfunctions;
}

uint64_t pprof_file_location(struct pprof_file *f, uint64_t mapping, uint64_t address,
			     const struct pprof_line *line, uint32_t n)
{
	proto_uint(&f->part, LOCATION_ID, ++f->nlocations);
	proto_uint(&f->part, LOCATION_MAPPING, mapping);
	proto_uint(&f->part, LOCATION_ADDRESS, address);
	for (uint32_t i = 0; i < n; i++) {
		proto_uint(&f->inner, LINE_FUNCTION, line[i].function);
		proto_uint(&f->inner, LINE_LINE, line[i].line);
		proto_part(&f->part, LOCATION_LINE, &f->inner);
	}
	pprof_file_part(f, PROFILE_LOCATION);
	return f->nlocations;
}

static void pprof_file_label(struct pprof_file *f, unsigned field, uint64_t key, uint64_t value)
{
	proto_uint(&f->inner, LABEL_KEY, key);
	proto_uint(&f->inner, field, value);
	proto_part(&f->part, SAMPLE_LABEL, &f->inner);
}

void pprof_file_sample(struct pprof_file *f, const struct pprof_sample *sample)
{
	proto_packed(&f->part, SAMPLE_LOCATIONS, sample->location, sample->nlocations);
	proto_packed(&f->part, SAMPLE_VALUES, sample->value, sample->nvalues);
	if (sample->thread != PPROF_EMPTY) {
		pprof_file_label(f, LABEL_TEXT, PPROF_THREAD, sample->thread);
		pprof_file_label(f, LABEL_NUMBER, PPROF_TID, sample->tid);
	}
	pprof_file_part(f, PROFILE_SAMPLE);
}
