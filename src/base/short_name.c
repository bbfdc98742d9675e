/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A name is copied without its groups in brackets, while the beginnings of its components are
 * noted; a blank outside of brackets ends a return type, and the copy begins anew.
 *
 *     bool ns::Map<int>::find(int) const    ->    ns::Map::find, components at 0, 4, 9
 *
 * In names of D, dots separate components: "std.sort!(\"a < b\").sort(int[])" is std.sort.
 */
#include "config.h"

#include "base/short_name.h"

#include "base/demangle.h"
#include "base/join.h"
#include "base/sort.h"

#include <ctype.h>
#include <string.h>

/* The most components that are told apart; of a name with more, the first ones are left out. */
enum { MOST_COMPONENTS = 64 };

static const char operator_word[] = "operator", anonymous[] = "(anonymous namespace)";

/* A copy that is being made. */
struct shortening {
	char *to; /* the copy, `n` bytes so far */
	size_t n;
	size_t start[MOST_COMPONENTS]; /* where each component begins in the copy */
	size_t ncomponents;            /* at least 1 */
	const char *at;                /* the rest of the name */
	bool has_arguments;            /* the arguments of the current component were left out */
	bool dotted;                   /* components are separated by dots, else by "::" */
	bool templated, was_templated; /* the current component is a template of D; the last was */
};

static bool short_name_begins(const char *at, const char *word)
{
	return strncmp(at, word, strlen(word)) == 0;
}

/* Returns what follows the bracket that closes the one at `at`; NULL: none does. */
static const char *short_name_after_group(const char *at)
{
	size_t depth = 0;

	for (; *at; at++) {
		if (short_name_begins(at, "->"))
			at++;
		else if (strchr("<([{", *at))
			depth++;
		else if (strchr(">)]}", *at) && --depth == 0)
			return at + 1;
	}
	return NULL;
}

/* Returns what follows the arguments of a template of D, "!(...)"; NULL: nothing closes them.
 * Strings among them may have brackets. */
static const char *short_name_after_template(const char *at)
{
	bool quoted = false;
	size_t depth = 0;

	for (at++; *at; at++) {
		if (quoted && *at == '\\' && at[1])
			at++;
		else if (*at == '"')
			quoted = !quoted;
		else if (!quoted && *at == '(')
			depth++;
		else if (!quoted && *at == ')' && --depth == 0)
			return at + 1;
	}
	return NULL;
}

/*
 * Whether dots separate the components, as in names of D, and of Java: there is one in the word
 * before the first arguments, or there are arguments of a template of D.
 */
static bool short_name_is_dotted(const char *name)
{
	size_t n = strcspn(name, "(");
	const char *dot;

	if (!name[n] || n == 0 || strstr(name, "::"))
		return false;
	if (name[n - 1] == '!')
		return n > 1 && (isalnum((unsigned char)name[n - 2]) || name[n - 2] == '_');
	dot = memrchr(name, '.', n);
	return dot && dot > name && dot + 1 < name + n &&
	       !memchr(dot, ' ', (size_t)(name + n - dot));
}

static void short_name_copy(struct shortening *s, size_t n)
{
	memcpy(s->to + s->n, s->at, n);
	s->n += n;
	s->at += n;
}

static void short_name_begin_component(struct shortening *s)
{
	if (s->ncomponents == MOST_COMPONENTS)
		memmove(s->start, s->start + 1, --s->ncomponents * sizeof(s->start[0]));
	s->start[s->ncomponents++] = s->n;
	s->has_arguments = false;
	s->was_templated = s->templated;
	s->templated = false;
}

/* What separates components, in bytes. */
static size_t short_name_separator(const struct shortening *s)
{
	return s->dotted ? 1 : 2;
}

/* Leaves out the last component if it only repeats the template that it is in, as in D. */
static void short_name_end_component(struct shortening *s)
{
	size_t last = s->ncomponents - 1, n = s->n - s->start[last];

	if (last == 0 || !s->was_templated || s->start[last] - s->start[last - 1] != n + 1 ||
	    memcmp(s->to + s->start[last - 1], s->to + s->start[last], n) != 0)
		return;
	s->n = s->start[last] - 1;
	s->ncomponents--;
}

/* Whether the current component has no text yet. */
static bool short_name_is_at_start(const struct shortening *s)
{
	return s->n == s->start[s->ncomponents - 1];
}

/* Returns the length of the signs of an operator; template arguments may follow at once. */
static size_t short_name_signs(const char *at)
{
	static const char *const less[] = { "<=>", "<<=", "<<", "<=", "<" };

	for (size_t i = 0; i < sizeof(less) / sizeof(less[0]); i++) {
		if (short_name_begins(at, less[i]))
			return strlen(less[i]);
	}
	return strspn(at, ">=-+*/%^&|~![],");
}

/* Copies the name of an operator, which may have brackets or blanks. */
static void short_name_copy_operator(struct shortening *s)
{
	size_t n;

	short_name_copy(s, strlen(operator_word));
	if (short_name_begins(s->at, "()"))
		n = 2;
	else if (*s->at == ' ' || *s->at == '"')
		n = strcspn(s->at, "(<["); /* new, delete, literals and conversions */
	else
		n = short_name_signs(s->at);
	short_name_copy(s, n);
	if (short_name_begins(s->at, "[]"))
		short_name_copy(s, 2);
	if (short_name_begins(s->at, " <"))
		s->at++;
}

/* Copies "{lambda(int)#2}" without arguments. */
static bool short_name_copy_braces(struct shortening *s)
{
	const char *end = short_name_after_group(s->at);

	if (!end)
		return false;
	while (s->at < end) {
		if (*s->at == '(' || *s->at == '<')
			s->at = short_name_after_group(s->at);
		else
			short_name_copy(s, 1);
		if (!s->at)
			return false;
	}
	return true;
}

/* Copies the type's own name of Rust's "<path::Type<T> as path::Trait>". */
static void short_name_copy_type(struct shortening *s, const char *end)
{
	const char *from = s->at + 1 + strspn(s->at + 1, "&*"), *stop = from;

	for (; stop < end - 1 && !strchr(" <(", *stop); stop++) {
		if (short_name_begins(stop, "::"))
			from = stop + 2;
	}
	s->at = from;
	if (stop > from)
		short_name_copy(s, (size_t)(stop - from));
}

/* Leaves out a group in brackets, but for what is part of a name. Returns false if nothing closes
 * it. */
static bool short_name_take_group(struct shortening *s)
{
	const char *end = short_name_after_group(s->at);

	if (!end)
		return false;
	if (short_name_begins(s->at, anonymous)) {
		end += short_name_begins(end, "::") ? 2 : 0;
	} else if (*s->at == '(' && s->n > 0 && s->to[s->n - 1] == '.') {
		short_name_copy(s, (size_t)(end - s->at)); /* Go's "io.(*Reader).Read" */
	} else if (*s->at == '<' && short_name_is_at_start(s)) {
		short_name_copy_type(s, end);
	} else if (*s->at == '(') {
		s->has_arguments = true;
	}
	s->at = end;
	return true;
}

/* Whether the words after arguments are qualifiers of the function, as in "f(int) const". */
static bool short_name_is_qualifier(const char *at)
{
	return short_name_begins(at, "const") || short_name_begins(at, "volatile") ||
	       short_name_begins(at, "noexcept") || short_name_begins(at, "immutable") ||
	       short_name_begins(at, "shared") || short_name_begins(at, "inout") || *at == '&';
}

/* Takes a blank: it ends a return type, unless qualifiers follow. */
static void short_name_take_blank(struct shortening *s)
{
	s->at++;
	if (s->has_arguments && short_name_is_qualifier(s->at)) {
		s->at += strcspn(s->at, " :([{");
	} else {
		s->n = 0;
		s->ncomponents = 0;
		short_name_begin_component(s);
	}
}

/* Takes a piece that only names with dots have. Returns false if there is none. */
static bool short_name_take_dotted(struct shortening *s)
{
	const char *end;

	if (short_name_begins(s->at, "!(")) {
		end = short_name_after_template(s->at);
		if (!end)
			return false;
		s->templated = true;
		s->at = end;
		return true;
	}
	if (*s->at != '.' || short_name_is_at_start(s))
		return false;
	short_name_end_component(s);
	short_name_copy(s, 1);
	short_name_begin_component(s);
	return true;
}

/* Takes the next piece of the name. Returns false if its brackets do not match. */
static bool short_name_take(struct shortening *s)
{
	if (s->dotted && short_name_take_dotted(s))
		return true;
	if (short_name_begins(s->at, operator_word) && short_name_is_at_start(s) &&
	    !isalnum((unsigned char)s->at[strlen(operator_word)]) &&
	    s->at[strlen(operator_word)] != '_') {
		short_name_copy_operator(s);
	} else if (short_name_begins(s->at, "::")) {
		short_name_copy(s, 2);
		short_name_begin_component(s);
	} else if (*s->at == '{') {
		return short_name_copy_braces(s);
	} else if (strchr("(<[", *s->at)) {
		return short_name_take_group(s);
	} else if (strchr(">)]}", *s->at)) {
		return false;
	} else if (*s->at == ' ') {
		short_name_take_blank(s);
	} else {
		short_name_copy(s, 1);
	}
	return true;
}

/* Whether component i is a function without a name. */
static bool short_name_is_lambda(const struct shortening *s, size_t i)
{
	return s->to[s->start[i]] == '{';
}

/* Leaves the call operator of a lambda out: the lambda has no other function. */
static void short_name_end_lambda(struct shortening *s)
{
	size_t last = s->ncomponents - 1;

	if (last > 0 && short_name_is_lambda(s, last - 1) &&
	    strcmp(s->to + s->start[last], "operator()") == 0) {
		s->n = s->start[last] - 2;
		s->to[s->n] = '\0';
		s->ncomponents--;
	}
}

/*
 * Takes the name that V8 gives code, "JS:*loop /home/me/fib.js:2:15", and what Python does,
 * "py::loop:/home/me/fib.py": the place is left out. Other names stay.
 */
static void short_name_take_script(struct shortening *s)
{
	size_t n = strcspn(s->at, " "), path = strcspn(s->at, "/");

	if (short_name_begins(s->at, "JS:") && s->at[n]) {
		short_name_copy(s, n);
	} else if (short_name_begins(s->at, "py::") && s->at[path] && s->at[path - 1] == ':') {
		s->at += strlen("py::");
		short_name_copy(s, path - strlen("py::") - 1);
	} else {
		return;
	}
	s->at += strlen(s->at);
}

/* Fills in the copy of a name that has brackets or components. Returns false if it has none that
 * could be left out, or if its brackets do not match. */
static bool short_name_fill(struct shortening *s, const char *name, struct arena *mem)
{
	if (*name == '[' || !strpbrk(name, "<({ :") || strcmp(name, "D main") == 0)
		return false;
	s->to = arena_array(mem, char, strlen(name) + 1);
	s->at = name;
	s->dotted = short_name_is_dotted(name);
	short_name_begin_component(s);
	short_name_take_script(s);
	while (*s->at) {
		if (!short_name_take(s))
			return false;
	}
	if (s->dotted)
		short_name_end_component(s);
	s->to[s->n] = '\0';
	if (short_name_is_at_start(s))
		return false;
	short_name_end_lambda(s);
	return true;
}

/* Cuts gprof's own remark off; it may be before the library's name and after it. */
static void short_name_cut_remark(struct short_name *parts, char *name)
{
	size_t n = strlen(name), suffix = strlen(INLINED_SUFFIX);

	if (n > suffix && strcmp(name + n - suffix, INLINED_SUFFIX) == 0) {
		parts->inlined = true;
		name[n - suffix] = '\0';
	}
}

/* Cuts the parts after the name off a copy of it, in mem. */
static char *short_name_cut(struct short_name *parts, const char *demangled, struct arena *mem)
{
	char *name = arena_strndup(mem, demangled, strlen(demangled)), *at;

	*parts = (struct short_name){ .name = name, .whole = name };
	if (*name == '[')
		return name;
	short_name_cut_remark(parts, name);
	at = strrchr(name, '@');
	if (at && at > name && at[-1] != ' ' && !strpbrk(at, " (")) {
		parts->library = at + 1;
		while (at > name + 1 && at[-1] == '@')
			at--;
		*at = '\0';
	}
	short_name_cut_remark(parts, name);
	at = strstr(name, " [clone ");
	if (at) {
		parts->clone = at + 1;
		*at = '\0';
	}
	return name;
}

/* Names inside of the C library, which has a function under several. */
static const char inside[] = "__GI_", inside_too[] = "libc_";

/* Cuts off what tells the C library's variants of a function for processors apart. Returns false
 * if the name has nothing of the kind. */
static bool short_name_cut_variant(char *name)
{
	static const char *const variants[] = { "sse", "ssse",  "avx",       "evex",
						"fma", "neon",  "unaligned", "erms",
						"sve", "asimd", "generic" };
	bool cut = false;

	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		for (char *end = name; (end = strchr(end, '_')); end++) {
			if (!short_name_begins(end + 1, variants[i]))
				continue;
			*end = '\0';
			cut = true;
			break;
		}
	}
	return cut;
}

/* Returns the name by which programs call a function of the C library: "__strlen_evex" is "strlen",
 * "__GI___libc_read" is "read". Other names are unchanged. */
static const char *short_name_of_variant(char *name, const char *library)
{
	char *bare = name + strspn(name, "_");

	if (!short_name_begins(name, "__") ||
	    !(short_name_begins(library, "libc") || short_name_begins(library, "libm")) ||
	    !strchr(".-", library[strlen("libc")]))
		return name;
	if (short_name_begins(name, inside)) {
		name += strlen(inside);
		bare = name + strspn(name, "_");
		return short_name_begins(bare, inside_too) ? bare + strlen(inside_too) : name;
	}
	return short_name_cut_variant(bare) ? bare : name;
}

struct short_name short_name_make(const char *demangled, struct arena *mem)
{
	struct shortening s = { .to = NULL };
	struct short_name parts;
	char *name = short_name_cut(&parts, demangled, mem);
	size_t first;

	if (!short_name_fill(&s, name, mem)) {
		if (parts.library)
			parts.name = short_name_of_variant(arena_strndup(mem, name, strlen(name)),
							   parts.library);
		return parts;
	}
	first = s.ncomponents - 1;
	if (first > 0 && !short_name_is_lambda(&s, first))
		first--;
	while (first > 0 && short_name_is_lambda(&s, first))
		first--;
	parts.name = s.to + s.start[first];
	return parts;
}

const char *short_name_library(const char *library, struct arena *mem)
{
	const char *end = library;

	while ((end = strstr(end, ".so"))) {
		if (end > library && strchr(".", end[strlen(".so")]))
			return arena_strndup(mem, library, (size_t)(end - library));
		end++;
	}
	return library;
}

static int short_name_compare(uint32_t x, uint32_t y, const void *parts)
{
	const struct short_name *a = (const struct short_name *)parts + x,
				*b = (const struct short_name *)parts + y;
	int order = strcmp(a->name, b->name);

	if (order == 0)
		order = strcmp(a->library ? a->library : "", b->library ? b->library : "");
	return order ? order : (a->inlined > b->inlined) - (a->inlined < b->inlined);
}

/* Tells the names parts[ids[0]] up to parts[ids[n - 1]], which are the same, apart. */
static void short_name_tell_group(struct short_name *parts, const uint32_t *ids, uint32_t n,
				  struct arena *mem)
{
	bool differ = false, cloned = false;

	for (uint32_t i = 1; i < n; i++) {
		const struct short_name *first = &parts[ids[0]], *other = &parts[ids[i]];

		differ |= strcmp(first->whole, other->whole) != 0;
		cloned |= strcmp(first->clone ? first->clone : "",
				 other->clone ? other->clone : "") != 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct short_name *part = &parts[ids[i]];

		if (differ)
			part->name = part->whole;
		if (cloned && part->clone)
			part->name = JOIN(mem, part->name, " ", part->clone);
	}
}

void short_name_tell_apart(struct short_name *parts, uint32_t n, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t *ids = arena_array(&scratch, uint32_t, n), end;

	for (uint32_t i = 0; i < n; i++)
		ids[i] = i;
	sort_ids(ids, n, short_name_compare, parts, &scratch);
	for (uint32_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && short_name_compare(ids[i], ids[end], parts) == 0;
		     end++)
			;
		if (end > i + 1)
			short_name_tell_group(parts, ids + i, end - i, mem);
	}
	arena_free(&scratch);
}

struct shown short_name_fit(const char *demangled, uint32_t columns, struct arena *mem)
{
	struct shown whole = display_width_show(demangled, mem);

	return whole.columns <= columns
		       ? whole
		       : display_width_cut_name(short_name_make(demangled, mem).name, columns, mem);
}

/* Whether the name, up to its component `last`, ends in the components that the user wrote. */
static bool short_name_ends_in(const struct shortening *s, size_t last, const char *called)
{
	size_t end =
		last + 1 < s->ncomponents ? s->start[last + 1] - short_name_separator(s) : s->n;
	size_t n = strlen(called);

	for (size_t i = 0; i <= last; i++) {
		if (end - s->start[i] == n && memcmp(s->to + s->start[i], called, n) == 0)
			return true;
	}
	return false;
}

/* Whether a function of a library is one that programs call by another name. */
static bool short_name_is_variant(char *name, const char *called)
{
	if (short_name_begins(name, inside))
		name += strlen(inside);
	name += strspn(name, "_");
	short_name_cut_variant(name);
	return strcmp(name, called) == 0 || (short_name_begins(name, inside_too) &&
					     strcmp(name + strlen(inside_too), called) == 0);
}

bool short_name_matches(const char *demangled, const char *called, bool of_class,
			const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct shortening s = { .to = NULL };
	struct short_name parts;
	char *name = short_name_cut(&parts, demangled, &scratch);
	bool matches = strcmp(name, called) == 0;

	if (*called && short_name_fill(&s, name, &scratch))
		matches = short_name_ends_in(&s, s.ncomponents - 1, called) ||
			  (of_class && s.ncomponents > 1 &&
			   short_name_ends_in(&s, s.ncomponents - 2, called));
	else if (*called && parts.library)
		matches = matches || short_name_is_variant(name, called);
	arena_free(&scratch);
	return matches;
}
