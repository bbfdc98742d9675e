/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One function, or a few, as a user names them in an option of one request: NAME[,KEY=N]. */
#ifndef ANALYSIS_FUNCTIONS_NAMED_H
#define ANALYSIS_FUNCTIONS_NAMED_H

#include "analysis/functions/spec.h"
#include "base/array.h"
#include "base/demangle.h"
#include "base/diag.h"

enum { NAMED_MOST = 9999 };

/* What an option's argument can be. */
struct named_option {
	const char *option; /* "--entry" */
	const char *usage;  /* what it needs, as a message has it */
	const char *key;    /* which takes a whole number, */
	unsigned least;     /* from here to NAMED_MOST, */
	unsigned initial;   /* and without it */
};

struct named_request {
	const char *name; /* a specification as spec.h has it, or a readable name */
	unsigned number;  /* the key's */
};

typedef ARRAY(struct named_request) named_requests;

/*
 * Parses NAME[,KEY=N]. Commas in NAME are part of it. The request's name lives in mem. 0, or -1
 * with the reason said.
 */
int named_parse(struct named_request *request, const struct named_option *option, const char *text,
		struct arena *mem, struct diag *diag);

/* Whether a request names files or lines; with `modules`, as spec_parse() has them. */
bool named_need_locations(const named_requests *requests, bool modules, const struct arena *mem);

/* Whether a readable name is the wanted one, perhaps without parameters and what it returns. */
bool named_is(const char *readable, const char *name);

/* What is searched. */
struct named_program {
	const char *path;
	const struct symtab *symtab;
	const struct address_space *address_space; /* that the table is of, or NULL */
	const struct location
		*locations;        /* one for each symbol, or NULL if no request needs them */
	enum demangle_style style; /* of readable names */
	const char *const *more;   /* other functions' names, which a message may propose */
	size_t nmore;
};

/*
 * Adds the functions of a request to a set; false if there are none. What matches no specification
 * may be a name as reports show it, with or without parameters and what they return. As
 * spec_match(), or linear in the bytes of all names.
 */
bool named_match(const struct named_program *program, const struct named_request *request,
		 struct bitset into, struct arena *mem);

/*
 * Says that there is no such function, with the readable names that are like it, and the same
 * without parameters and types.
 */
void named_say_unmatched(const struct named_program *program, const struct named_option *option,
			 const struct named_request *request, struct arena *mem, struct diag *diag);

#endif
