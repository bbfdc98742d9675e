/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export formats, which are the rows of formats.def, and what the words of --export ask of them. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "base/array.h"
#include "base/keys.h"
#include "base/output.h"
#include "model/needs.h"
#include "model/profile.h"

/* The first two keys of all formats with NEEDS_STACKS; their values are found by name. */
#define EXPORT_STACK_KEYS                                                          \
	{ .name = "depth", .kind = KEYS_COUNT, .least = 1, .most = UINT16_MAX },   \
	{                                                                          \
		.name = "paths", .kind = KEYS_COUNT, .least = 1, .most = 100000000 \
	}

/* The words of a key that is switched on and off. */
enum { EXPORT_YES, EXPORT_NO };
extern const char *const export_yes_no[];

struct export_view;
struct export_request;

/* Of data files that are compared. */
enum export_ranks { EXPORT_RANKS_NONE, EXPORT_RANKS_IF_SEVERAL, EXPORT_RANKS_NEEDED };

/* What the file of a format, export/NAME.c, defines: the constant export_NAME. */
struct exporter {
	const struct keys_row *keys;
	size_t nkeys; /* at most EXPORT_KEYS */

	bool compares;  /* it can show a difference */
	bool each_side; /* and does in two files, of which the second is e->side's SIDE_BASE */

	/* Of a format with NEEDS_LINE_COSTS: whether the request is for them; NULL: all are. */
	bool (*wants_lines)(const struct export_request *request);

	/* Whether the request shows what ranks differ by; NULL: none does. */
	enum export_ranks (*ranks)(const struct export_request *request);

	/*
	 * Writes the whole file to out, whose errors stick. What it allocates in e->mem lasts as
	 * long as the call. It must not allocate elsewhere, nor let a library do so: if memory runs
	 * out there, half a file stays behind under its temporary name.
	 */
	void (*write)(const struct export_view *e, struct output *out);
};

enum { EXPORT_KEYS = 16 };

/* A row of formats.def. */
struct export_format {
	const char *name;
	const char *file;
	unsigned needs; /* bits of model/needs.h */
	const struct exporter *exporter;
};

#define FORMAT(name, file, needs, help) extern const struct exporter export_##name;
#include "export/formats.def"
#undef FORMAT

/* One --export of the command line. */
struct export_request {
	const struct export_format *format;
	struct keys_value value[EXPORT_KEYS]; /* one for each key of the format */
	const char *file;                     /* of -o, or NULL; "-" is standard output */
};

typedef ARRAY(struct export_request) export_requests;

/* The names of all formats: "callgrind, csv, ...". */
const char *export_names(void);

/* Whether all requests are of formats that can show a difference; else says which one is not. */
int exports_check_compare(const export_requests *requests, struct diag *diag);

/*
 * Parses FORMAT[,key=value...] into a request whose strings live in mem. 0, or -1 with the reason
 * said, in one line that lists what would have been right.
 */
int export_parse(struct export_request *request, const char *text, struct arena *mem,
		 struct diag *diag);

/* The value of the request's format's key of that name, or NULL if it has none. Few keys: linear.
 */
const struct keys_value *export_find(const struct export_request *request, const char *key);

/* What any of the requests needs, as bits of model/needs.h; 0 without requests. */
unsigned exports_need(const export_requests *requests);

/* What the request that most wants ranks says of them. */
enum export_ranks exports_ranks(const export_requests *requests);

/* needs_check() for each request. */
int exports_check(const export_requests *requests, const struct profile *prof, struct diag *diag);

#endif
