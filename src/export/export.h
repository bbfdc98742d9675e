/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export formats, which are the rows of formats.def, and the parser of --export. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "base/array.h"
#include "base/keys.h"
#include "base/output.h"
#include "model/needs.h"
#include "model/profile.h"

/* The first two keys of all formats with NEEDS_STACKS; their values are looked up by name. */
#define EXPORT_STACK_KEYS                                                          \
	{ .name = "depth", .kind = KEYS_COUNT, .least = 1, .most = UINT16_MAX },   \
	{                                                                          \
		.name = "paths", .kind = KEYS_COUNT, .least = 1, .most = 100000000 \
	}

/* The values of a key that is switched on or off. */
enum { EXPORT_YES, EXPORT_NO };
extern const char *const export_yes_no[];

struct export_view;
struct export_request;

/* Whether a request needs differences between ranks, that is, data files that are compared. */
enum export_ranks { EXPORT_RANKS_NONE, EXPORT_RANKS_IF_SEVERAL, EXPORT_RANKS_NEEDED };

/* A format, defined in export/NAME.c as the constant export_NAME. */
struct exporter {
	const struct keys_row *keys;
	size_t nkeys; /* at most EXPORT_KEYS */

	bool compares;  /* can show a difference */
	bool each_side; /* shows a difference as two files, of which the second has e->side ==
			   SIDE_BASE */

	/* For a format with NEEDS_LINE_COSTS: whether the request uses them; NULL: always. */
	bool (*wants_lines)(const struct export_request *request);

	/* Whether the request shows differences between ranks; NULL: never. */
	enum export_ranks (*ranks)(const struct export_request *request);

	/*
	 * Writes the whole file to out, whose errors stick. Memory allocated in e->mem lasts until
	 * the call returns. The function must not allocate elsewhere, nor call a library that does:
	 * if memory runs out there, a partial file is left under its temporary name.
	 */
	void (*write)(const struct export_view *e, struct output *out);
};

enum { EXPORT_KEYS = 16 };

/* A row of formats.def. */
struct export_format {
	const char *name;
	const char *file;
	unsigned needs; /* bits defined in model/needs.h */
	const struct exporter *exporter;
};

#define FORMAT(name, file, needs, help) extern const struct exporter export_##name;
#include "export/formats.def"
#undef FORMAT

/* One --export of the command line. */
struct export_request {
	const struct export_format *format;
	struct keys_value value[EXPORT_KEYS]; /* indexed like the keys of the format */
	const char *file; /* the argument of -o, or NULL; "-" is standard output */
};

typedef ARRAY(struct export_request) export_requests;

/* The names of all formats: "callgrind, csv, ...". */
const char *export_names(void);

/* Returns whether all requests are for formats that can show a difference; reports the first that
 * is not. */
int export_check_compare(const export_requests *requests, struct diag *diag);

/* Parses FORMAT[,key=value...] into a request whose strings are in mem. Returns 0, or -1 after
 * reporting the error in one line, which lists the valid words. */
int export_parse(struct export_request *request, const char *text, struct arena *mem,
		 struct diag *diag);

/* The value of the key of that name in the request, or NULL if its format has no such key. Linear
 * in the few keys. */
const struct keys_value *export_find(const struct export_request *request, const char *key);

/* The union of what the requests need, as bits of model/needs.h; 0 without requests. */
unsigned export_needs(const export_requests *requests);

/* The strongest answer of any request's ranks(). */
enum export_ranks export_needs_ranks(const export_requests *requests);

/* Calls needs_check() for each request; returns 0, or -1 at the first failure, which it reports. */
int export_check(const export_requests *requests, const struct profile *prof, struct diag *diag);

#endif
