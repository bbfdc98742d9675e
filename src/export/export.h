/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports: profiles in the formats of other programs. Which there are, and what they may rely on.
 */
#ifndef REPORT_EXPORTS_H
#define REPORT_EXPORTS_H

#include "base/array.h"
#include "model/stacks.h"
#include "report/report.h"

/* What a key's value is. */
enum export_kind {
	EXPORT_COUNT,  /* a whole number, `least` to `most` */
	EXPORT_SHARE,  /* a percentage, 0 to 100, perhaps with decimals */
	EXPORT_NAME,   /* any text but commas */
	EXPORT_CHOICE, /* one of `choices` */
};

struct export_key {
	const char *name;
	enum export_kind kind;
	uint64_t least, most;
	const char *const *choices; /* up to a NULL */
	const char *initial;        /* the value if none is given, as a user would; NULL: none */
};

/* The one of the key's kind. */
struct export_value {
	bool given;     /* or initial: else nothing else is set */
	uint64_t count; /* also the index of a choice */
	double share;   /* in percent */
	const char *text;
};

/* What a format needs to have, as bits. */
enum export_need {
	EXPORT_LOCATIONS = 1, /* source file and line of all functions in it */
	EXPORT_STACKS = 2,    /* call paths; its keys then have `depth` and `paths` */
	EXPORT_SAMPLES = 4,   /* a histogram: without one it is refused */
	EXPORT_SOURCES =
		8, /* source text; its keys then have `source`, whose first choice is yes */
};

struct export_view;

/* A format: a constant in a file of its own, which exports.c lists. */
struct exporter {
	const char *name; /* as in --export=NAME */
	const char *file; /* written if no other is named */
	unsigned needs;
	const struct export_key *keys;
	size_t nkeys;

	/*
	 * Writes it all to out, whose errors stick. What it allocates in e->mem lasts as long as
	 * the call. It must not allocate elsewhere, also not by a library: when memory ends there,
	 * half a file stays behind under its temporary name.
	 */
	void (*write)(const struct export_view *e, struct output *out);
};

/* The two keys of all formats with EXPORT_STACKS; their values are found by name. */
#define EXPORT_STACK_KEYS                                                            \
	{ .name = "depth", .kind = EXPORT_COUNT, .least = 1, .most = UINT16_MAX },   \
	{                                                                            \
		.name = "paths", .kind = EXPORT_COUNT, .least = 1, .most = 100000000 \
	}

/* The words of a key that is switched on and off. */
enum { EXPORT_YES, EXPORT_NO };
extern const char *const export_yes_no[];

enum { EXPORT_KEYS = 16 };

/* One --export of the command line. */
struct export_request {
	const struct exporter *format;
	struct export_value value[EXPORT_KEYS]; /* one for each key of the format */
	const char *file;                       /* of -o, or NULL; "-" is standard output */
};

typedef ARRAY(struct export_request) export_requests;

/*
 * Parses FORMAT[,key=value...] into a request whose strings live in mem. 0, or -1 with the reason
 * said: in one line that has what would have been right.
 */
int export_parse(struct export_request *request, const char *text, struct arena *mem,
		 struct diag *diag);

/* The value of the request's format's key of that name, or NULL if it has none. Few keys: linear.
 */
const struct export_value *export_find(const struct export_request *request, const char *key);

/*
 * All that a format may read. Arrays have an entry for each symbol, by its id; arcs are those of
 * a->graph. Times are whole numbers, rounded so that they add up to `total` exactly.
 */
struct export_view {
	const struct analysis *a;
	const struct report_options *opt;
	const struct export_request *request;
	struct mapping mapping;
	const char *title; /* the program's name; with stacks, EXPORT_MARK behind it */
	const struct location *locations; /* with EXPORT_LOCATIONS those of all in `listed` */
	const sym_id *listed; /* symbols with time in the flat profile or calls in the call graph */
	uint32_t nlisted;

	/*
	 * Of those listed, else NULL; not empty, any bytes. The first are readable, unless the user
	 * wants them raw, and several can be alike. For formats that tell functions by their names,
	 * the second have place and address behind the name where others are alike.
	 */
	const char *const *name;
	const char *const *unique;

	bool timed;               /* times are nanoseconds; else ticks, whose unit is unknown */
	double per_tick;          /* of these in a tick */
	const uint64_t *self;     /* own time, as in the flat profile */
	const uint64_t *samples;  /* ticks, in whole numbers */
	uint64_t total, nsamples; /* sums of the two */
	const uint64_t *arc;      /* time that an arc brings its caller, as in the call graph: those
				     into a function or cycle add up to what it has and gets, unless
				     some of that is not to count. None within a cycle */
	const struct source_text *sources; /* with EXPORT_SOURCES the files of symbols, as far as
					      found; else NULL */
	const struct stacks *stacks;       /* with EXPORT_STACKS, in the same units, else NULL */
	struct arena *mem;
};

/* The name of a node of the stacks, as `unique` has it. */
const char *export_frame(const struct export_view *e, const struct stack_node *node);

/* What a viewer should show with stacks that were never seen. */
#define EXPORT_MARK "estimated from call counts"

/*
 * Numbers texts, one for each listed symbol by its id: from 1 in the order of their bytes, equal
 * ones alike. Returns how many numbers there are. Linear in the bytes that tell them apart.
 */
uint32_t export_number(const struct export_view *e, const char *const *text, uint32_t *number);

/* The same for the names of their source files, those that are not known under the name `unknown`.
 */
uint32_t export_number_files(const struct export_view *e, const char *unknown, uint32_t *number);

/* The title for e->stacks, in e->mem. */
const char *export_title(const struct export_view *e);

/* Adds the symbols whose locations the requests need. */
void exports_locations(const export_requests *requests, const struct analysis *a,
		       struct bitset wanted);

/* Whether an arc is to be exported: it was called, and both its ends are listed. */
static inline bool export_has_arc(const struct export_view *e, uint32_t i)
{
	const struct arc *arc = &e->a->graph.arc[i];

	return arc->ncalls != 0 && e->name[arc->from] && e->name[arc->to];
}

/*
 * What all formats of a run share, in mem: all but mapping, request, title, stacks and mem. Linear
 * in nodes and arcs but for sorting names.
 */
struct export_view exports_prepare(const struct analysis *a, const struct location *locations,
				   const struct report_options *opt, struct arena *mem);

/* 0, or -1 with the reason said if the data lacks what a requested format needs. */
int exports_check(const export_requests *requests, const struct profile *prof, struct diag *diag);

#endif
