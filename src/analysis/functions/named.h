/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the user names in an option's argument: NAME[,KEY=N]. */
#ifndef ANALYSIS_FUNCTIONS_NAMED_H
#define ANALYSIS_FUNCTIONS_NAMED_H

#include "analysis/functions/spec.h"
#include "base/array.h"
#include "base/demangle.h"
#include "base/diag.h"

enum { NAMED_MOST = 9999 };

/* The syntax of an option's argument. */
struct named_option {
	const char *option; /* "--entry" */
	const char *usage;  /* what the option needs, for messages */
	const char *key;    /* a key with a whole number */
	unsigned least;     /* the number is at least this, at most NAMED_MOST */
	unsigned initial;   /* the number if there is no key */
};

struct named_request {
	const char *name; /* a specification as spec.h has it, or a readable name */
	unsigned number;  /* the key's */
};

typedef ARRAY(struct named_request) named_requests;

/*
 * Parses NAME[,KEY=N]. Commas in NAME are part of it. The request's name lives in mem. 0, or -1
 * after an error message.
 */
int named_parse(struct named_request *request, const struct named_option *option, const char *text,
		struct arena *mem, struct diag *diag);

/* Whether a request names files or lines; `modules` is that of spec_parse(). */
bool named_need_locations(const named_requests *requests, bool modules, const struct arena *mem);

/* Whether a readable name is `name`, which may lack parameters and return type. */
bool named_is(const char *readable, const char *name);

/* What is searched. */
struct named_program {
	const char *path;
	const struct symtab *symtab;
	const struct address_space *address_space; /* to which the table belongs, or NULL */
	const struct location
		*locations;        /* one for each symbol, or NULL if no request needs them */
	enum demangle_style style; /* of readable names */
	const char *const *more;   /* names of other functions that a message may suggest */
	size_t nmore;
};

/*
 * Adds the functions of a request to a set; false if there are none. A name that no specification
 * matches is compared with the readable names of reports, with or without parameters and return
 * type. Cost: that of spec_match(), or linear in the bytes of all names.
 */
bool named_match(const struct named_program *program, const struct named_request *request,
		 struct bitset into, struct arena *mem);

/*
 * Writes an error message: there is no such function. Suggests similar readable names, with and
 * without parameters and types.
 */
void named_say_unmatched(const struct named_program *program, const struct named_option *option,
			 const struct named_request *request, struct arena *mem, struct diag *diag);

#endif
