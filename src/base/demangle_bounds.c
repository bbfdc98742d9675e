/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates how large a demangled name will be: from the tree of a C++ name, from the text of a D
 * name.
 */
#include "config.h"

#include "base/demangle_bounds.h"

#include "base/array.h"

#include <errno.h>
#include <libiberty/demangle.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * The limit for trees, where shared parts count each time that they are used. A tree of this many
 * nodes makes more than 64 KiB of text.
 */
enum { MOST_NODES = 32 * 1024 };

/* Whether a component has two other components as parts; the second may be NULL. */
static bool demangle_bounds_has_parts(const struct demangle_component *component)
{
	switch (component->type) {
	case DEMANGLE_COMPONENT_QUAL_NAME:
	case DEMANGLE_COMPONENT_LOCAL_NAME:
	case DEMANGLE_COMPONENT_TYPED_NAME:
	case DEMANGLE_COMPONENT_TEMPLATE:
	case DEMANGLE_COMPONENT_RESTRICT:
	case DEMANGLE_COMPONENT_VOLATILE:
	case DEMANGLE_COMPONENT_CONST:
	case DEMANGLE_COMPONENT_RESTRICT_THIS:
	case DEMANGLE_COMPONENT_VOLATILE_THIS:
	case DEMANGLE_COMPONENT_CONST_THIS:
	case DEMANGLE_COMPONENT_REFERENCE_THIS:
	case DEMANGLE_COMPONENT_RVALUE_REFERENCE_THIS:
	case DEMANGLE_COMPONENT_VENDOR_TYPE_QUAL:
	case DEMANGLE_COMPONENT_POINTER:
	case DEMANGLE_COMPONENT_REFERENCE:
	case DEMANGLE_COMPONENT_RVALUE_REFERENCE:
	case DEMANGLE_COMPONENT_COMPLEX:
	case DEMANGLE_COMPONENT_IMAGINARY:
	case DEMANGLE_COMPONENT_FUNCTION_TYPE:
	case DEMANGLE_COMPONENT_ARRAY_TYPE:
	case DEMANGLE_COMPONENT_PTRMEM_TYPE:
	case DEMANGLE_COMPONENT_VECTOR_TYPE:
	case DEMANGLE_COMPONENT_ARGLIST:
	case DEMANGLE_COMPONENT_TEMPLATE_ARGLIST:
	case DEMANGLE_COMPONENT_INITIALIZER_LIST:
	case DEMANGLE_COMPONENT_CAST:
	case DEMANGLE_COMPONENT_CONVERSION:
	case DEMANGLE_COMPONENT_NULLARY:
	case DEMANGLE_COMPONENT_UNARY:
	case DEMANGLE_COMPONENT_BINARY:
	case DEMANGLE_COMPONENT_BINARY_ARGS:
	case DEMANGLE_COMPONENT_TRINARY:
	case DEMANGLE_COMPONENT_TRINARY_ARG1:
	case DEMANGLE_COMPONENT_TRINARY_ARG2:
	case DEMANGLE_COMPONENT_LITERAL:
	case DEMANGLE_COMPONENT_LITERAL_NEG:
	case DEMANGLE_COMPONENT_DECLTYPE:
	case DEMANGLE_COMPONENT_PACK_EXPANSION:
	case DEMANGLE_COMPONENT_TRANSACTION_SAFE:
	case DEMANGLE_COMPONENT_NOEXCEPT:
	case DEMANGLE_COMPONENT_THROW_SPEC:
		return true;
	default:
		return false;
	}
}

/* Whether the tree is small enough; the search ends early if it is not. */
static bool demangle_bounds_is_small(const struct demangle_component *root, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	ARRAY(const struct demangle_component *) waiting = { 0 };
	size_t n = 0;

	for (const struct demangle_component *at = root; at && n <= MOST_NODES; n++) {
		bool has_parts = demangle_bounds_has_parts(at);

		if (has_parts && at->u.s_binary.right)
			array_push(&scratch, &waiting) = at->u.s_binary.right;
		at = has_parts ? at->u.s_binary.left : NULL;
		if (!at && waiting.n > 0)
			at = waiting.at[--waiting.n];
	}
	arena_free(&scratch);
	return n <= MOST_NODES;
}

bool demangle_bounds_cplus(const char *mangled, int flags, struct arena *mem)
{
	const struct demangle_component *tree;
	void *parts = NULL;
	bool small;

	if (!strstr(mangled, "Dp") && !strstr(mangled, "sZ"))
		return true;
	errno = 0;
	tree = cplus_demangle_v3_components(mangled, flags, &parts);
	if (!tree && errno == ENOMEM)
		mem->no_memory(mem->arg);
	small = !tree || demangle_bounds_is_small(tree, mem);
	free(parts);
	return small;
}

/* The limit for D names: characters, where repeated ones count each time. */
#define MOST_WEIGHT (UINT64_C(1) << 21)

static bool demangle_bounds_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns the number of digits at `at`, and their value. */
static size_t demangle_bounds_read_digits(const char *at, size_t *value)
{
	size_t n = 0;

	*value = 0;
	for (; demangle_bounds_is_digit(at[n]) && *value < SIZE_MAX / 16; n++)
		*value = 10 * *value + (size_t)(at[n] - '0');
	return n;
}

/*
 * Returns the length of the back reference at `at`, and how far back it leads; 0 if there is none.
 */
static size_t demangle_bounds_read_reference(const char *at, size_t *back)
{
	size_t n = 1;

	*back = 0;
	for (; at[n] >= 'A' && at[n] <= 'Z' && *back < SIZE_MAX / 64; n++)
		*back = 26 * *back + (size_t)(at[n] - 'A');
	if (at[n] < 'a' || at[n] > 'z')
		return 0;
	*back = 26 * *back + (size_t)(at[n] - 'a');
	return n + 1;
}

/*
 * Returns where the type that begins at `at` ends, if it is made of arrays, pointers and basic
 * types; else 0.
 */
static size_t demangle_bounds_type_end(const char *name, size_t at)
{
	size_t ntypes = 1, value; /* ntypes: types still to be read */

	while (ntypes > 0) {
		char c = name[at];
		size_t n = 1;

		if (c ==
		    'H') /* an associative array: the types of its values and its keys follow */
			ntypes++;
		else if (c == 'G')
			n += demangle_bounds_read_digits(name + at + 1, &value);
		else if (c == 'N' && (name[at + 1] == 'g' || name[at + 1] == 'h'))
			n = 2;
		else if (c == 'Q' && (n = demangle_bounds_read_reference(name + at, &value)) > 0)
			ntypes--;
		else if (c == 'z' && name[at + 1])
			n = 2, ntypes--;
		else if (c >= 'a' && c < 'x')
			ntypes--;
		else if (!c || !strchr("APxyO", c))
			return 0;
		at += n;
	}
	return at;
}

/*
 * Returns where the text ends that a reference at `from` to `at` repeats: at the latest before the
 * reference.
 */
static size_t demangle_bounds_repeated_end(const char *name, size_t at, size_t from)
{
	size_t length, end;

	if (demangle_bounds_is_digit(name[at])) {
		end = at + demangle_bounds_read_digits(name + at, &length);
		end = length < from - at ? end + length : from;
	} else {
		end = demangle_bounds_type_end(name, at);
	}
	return end == 0 || end > from ? from : end;
}

bool demangle_bounds_d(const char *mangled, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t n = strlen(mangled), back;
	/*
	 * weight[i]: characters of name[0..i). A reference counts as many as the text it repeats,
	 * in which all earlier references are counted already.
	 */
	uint64_t *weight = arena_array(&scratch, uint64_t, n + 1);
	bool small = true;

	for (size_t i = 0; i < n && small; i++) {
		weight[i + 1] = weight[i] + 1;
		if (mangled[i] == 'Q' && demangle_bounds_read_reference(mangled + i, &back) > 0 &&
		    back > 0 && back <= i)
			weight[i + 1] +=
				weight[demangle_bounds_repeated_end(mangled, i - back, i)] -
				weight[i - back];
		small = weight[i + 1] <= MOST_WEIGHT;
	}
	arena_free(&scratch);
	return small;
}
