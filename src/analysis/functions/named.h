/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the user names in an option's argument: NAME[,KEY=N] or NAME,KEY. */
#ifndef ANALYSIS_FUNCTIONS_NAMED_H
#define ANALYSIS_FUNCTIONS_NAMED_H

#include "analysis/functions/spec.h"
#include "base/array.h"
#include "base/demangle.h"
#include "base/diag.h"

enum { NAMED_MOST = 9999 }; /* the greatest number that a key of such an option may have */

struct named_request {
	const char *name; /* a specification (spec.h), or a demangled name */
	unsigned number;  /* value of the option's key */
	bool flagged;     /* a key without a value was given */
};

typedef ARRAY(struct named_request) named_requests;

/*
 * Whether a request names files or lines, so that locations are needed; `modules` as for
 * spec_parse().
 */
bool named_need_locations(const named_requests *requests, bool modules, const struct arena *mem);

/* The table in which names are searched. */
struct named_program {
	const char *path;
	const struct symtab *symtab;
	const struct address_space *address_space; /* the table's address space, or NULL */
	/* one for each symbol, or NULL if no request needs them */
	const struct location *locations;
	enum demangle_style style; /* of demangled names */
	const char *const *more;   /* other functions' names, which a message may suggest */
	size_t nmore;
};

/* How much of a name the user wrote. A level counts only where no function matches at those before
 * it. */
enum named_level {
	NAMED_WHOLE, /* a specification, or a demangled name with or without parameters */
	NAMED_LAST,  /* the last components of a name, as in base/short_name.h */
	NAMED_CLASS, /* those of a class: all of its methods */
	NAMED_LEVELS
};

/* Whether a demangled name is what the user wrote, at one level. */
bool named_is_at(enum named_level level, const char *readable, const char *name,
		 const struct arena *mem);

/*
 * Add the functions of a request to a set; false if there are none: named_match() at the first
 * level at which there are any. Cost as much as spec_match(), or linear in the bytes of all names.
 */
bool named_match_at(enum named_level level, const struct named_program *program,
		    const struct named_request *request, struct bitset into, struct arena *mem);
bool named_match(const struct named_program *program, const struct named_request *request,
		 struct bitset into, struct arena *mem);

/*
 * Writes an error message, which begins with the option, that there is no such function, with
 * similar demangled names, with and without parameters and types.
 */
void named_say_unmatched(const struct named_program *program, const char *option,
			 const struct named_request *request, struct arena *mem, struct diag *diag);

#endif
