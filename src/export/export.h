/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Export formats, which are the rows of formats.def, and the parser of --export. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "base/array.h"
#include "base/keys.h"
#include "base/output.h"
#include "model/needs.h"
#include "model/profile.h"

/* The keys of all formats, which are rows of formats.def, too: EXPORT_DEPTH, ... */
enum {
#define KEY(id, ...) EXPORT_##id,
#include "export/formats.def"
	EXPORT_KEYS
};
extern const struct keys_row export_keys[EXPORT_KEYS];

/* The values of a key that is switched on or off. */
enum { EXPORT_YES, EXPORT_NO };

struct export_view;
struct export_request;

/* Whether a request needs differences between ranks, that is, data files that are compared. */
enum export_ranks { EXPORT_RANKS_NONE, EXPORT_RANKS_IF_SEVERAL, EXPORT_RANKS_NEEDED };

/* A format, defined in export/NAME.c as the constant export_NAME. */
struct exporter {
	bool compares;      /* can show a difference */
	bool compares_only; /* can show nothing else */
	bool each_side;     /* shows a difference as two files, of which the second has e->side ==
			       SIDE_BASE */

	bool by_time; /* shows what threads did in the order of the run's time, if that is known */

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

/* A row of formats.def. */
struct export_format {
	const char *name;
	const char *file;
	unsigned needs; /* bits defined in model/needs.h */
	const struct exporter *exporter;
};

#define FORMAT(name, file, needs, help) extern const struct exporter export_##name;
#include "export/formats.def"

/* One --export of the command line. */
struct export_request {
	const struct export_format *format;
	/* as EXPORT_DEPTH: not given if the format lacks it */
	struct keys_value value[EXPORT_KEYS];
	const char *file; /* the argument of -o, or NULL; "-" is standard output */
};

typedef ARRAY(struct export_request) export_requests;

/* Returns the names of all formats: "callgrind, csv, ...". */
const char *export_names(void);

/*
 * Returns whether all requests are for formats that can show a difference; reports the first that
 * is not.
 */
int export_check_compare(const export_requests *requests, struct diag *diag);

/* Returns whether all requests can show a single profile; reports the first that cannot. */
int export_check_single(const export_requests *requests, struct diag *diag);

/* Whether a request shows where functions are that differ. */
bool export_places_difference(const export_requests *requests);

/*
 * Parses FORMAT[,key=value...] into a request whose strings are in mem. Returns 0, or -1 after
 * reporting the error in one line, which lists the valid words.
 */
int export_parse(struct export_request *request, const char *text, struct arena *mem,
		 struct diag *diag);

/* Returns all that the requests need, as bits of model/needs.h; 0 without requests. */
unsigned export_needs(const export_requests *requests);

/* Returns the strongest answer of any request's ranks(). */
enum export_ranks export_needs_ranks(const export_requests *requests);

/* Calls needs_check() for each request; returns 0, or -1 at the first failure, which it reports. */
int export_check(const export_requests *requests, const struct profile *prof, struct diag *diag);

#endif
