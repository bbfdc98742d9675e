/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libiberty's demangler, with what it does not do: prefixes and suffixes of linker names, limits of
 * size and time.
 */
#include "config.h"

#include "base/demangle.h"

#include "base/demangle_bounds.h"

#include <errno.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *word;
	int flag;
} styles[] = {
	[DEMANGLE_NONE] = { "none", 0 },
	[DEMANGLE_AUTO] = { "auto", DMGL_AUTO },
	[DEMANGLE_GNU_V3] = { "gnu-v3", DMGL_GNU_V3 },
	[DEMANGLE_JAVA] = { "java", DMGL_JAVA },
	[DEMANGLE_GNAT] = { "gnat", DMGL_GNAT },
	[DEMANGLE_DLANG] = { "dlang", DMGL_DLANG },
	[DEMANGLE_RUST] = { "rust", DMGL_RUST },
};

bool demangle_style_find(const char *word, enum demangle_style *style)
{
	for (size_t i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
		if (strcmp(word, styles[i].word) == 0) {
			*style = (enum demangle_style)i;
			return true;
		}
	}
	return false;
}

enum { FLAGS = DMGL_ANSI | DMGL_PARAMS };

/* A linker name, split into the mangled name and the text before and after it, which is kept. */
struct wrapped {
	const char *all, *name, *suffix;
};

/*
 * Returns a copy of the name with n bytes in place of its mangled part. If plain is NULL, the
 * caller writes these bytes.
 */
static char *demangle_rewrap(const struct wrapped *w, const char *plain, size_t n,
			     struct arena *mem)
{
	size_t prefix = (size_t)(w->name - w->all), suffix = *w->suffix ? strlen(w->suffix) : 0;
	char *result = arena_text(mem, prefix + n + suffix + 1);

	memcpy(result, w->all, prefix);
	if (plain)
		memcpy(result + prefix, plain, n);
	memcpy(result + prefix + n, w->suffix, suffix + 1);
	return result;
}

/*
 * Whether a name can only be a C++ name: Rust's older names begin with _Z, too, but end in a hash,
 * 17h and 16 digits.
 */
static bool demangle_is_cplus(const char *mangled)
{
	return mangled[0] == '_' && mangled[1] == 'Z' && !strstr(mangled, "17h");
}

/* The text that libiberty writes piece by piece, as far as there is room. */
struct writing {
	char *to;
	size_t n, room;
	jmp_buf too_long;
};

/*
 * Receives a piece of text from libiberty. A longjmp() is the only way to stop libiberty; at that
 * moment it has memory only on the stack.
 */
static void demangle_write_piece(const char *piece, size_t n, void *opaque)
{
	struct writing *w = opaque;

	if (w->n + n > DEMANGLE_MOST_BYTES)
		longjmp(w->too_long, 1);
	if (w->n + n <= w->room)
		memcpy(w->to + w->n, piece, n);
	w->n += n;
}

/*
 * Demangles like libiberty's cplus_demangle(), but without the copies, which take a quarter of its
 * time.
 */
static bool demangle_write_pieces(const char *mangled, enum demangle_style style, struct writing *w)
{
	int flags = FLAGS | styles[style].flag;
	bool is_auto = style == DEMANGLE_AUTO;

	if (style == DEMANGLE_JAVA)
		return java_demangle_v3_callback(mangled, demangle_write_piece, w) != 0;
	if ((style == DEMANGLE_RUST || (is_auto && !demangle_is_cplus(mangled))) &&
	    rust_demangle_callback(mangled, flags, demangle_write_piece, w))
		return true;
	w->n = 0;
	return style != DEMANGLE_RUST &&
	       cplus_demangle_v3_callback(mangled, flags, demangle_write_piece, w) != 0;
}

/*
 * Returns the number of bytes of the demangled name, and writes as many as fit to `to`. 0: the name
 * cannot be demangled, or would take too much.
 */
static size_t demangle_write(const char *mangled, enum demangle_style style, char *to, size_t room)
{
	struct writing w = { .to = to, .room = room };

	if (setjmp(w.too_long) != 0 || !demangle_write_pieces(mangled, style, &w))
		return 0;
	return w.n;
}

static char *demangle_readable_in_pieces(const char *mangled, enum demangle_style style,
					 const struct wrapped *wrapped, struct arena *mem)
{
	char few[1024], *result;
	size_t n = 0;

	errno = 0;
	if (demangle_bounds_cplus(mangled, FLAGS, mem))
		n = demangle_write(mangled, style, few, sizeof(few));
	if (n == 0 && errno == ENOMEM)
		mem->no_memory(mem->arg);
	if (n == 0)
		return NULL;
	if (n <= sizeof(few))
		return demangle_rewrap(wrapped, few, n, mem);
	result = demangle_rewrap(wrapped, NULL, n, mem);
	demangle_write(mangled, style, result + (wrapped->name - wrapped->all), n);
	return result;
}

/*
 * Demangles a name of Ada or D, which libiberty returns as a whole. Ada's names become little
 * longer; names of D could become longer than any memory, and libiberty would not stop, so
 * demangle_bounds_d() checks them first.
 */
static char *demangle_readable_at_once(const char *mangled, enum demangle_style style,
				       const struct wrapped *wrapped, struct arena *mem)
{
	bool small = style == DEMANGLE_GNAT || demangle_bounds_d(mangled, mem);
	char *plain = small ? cplus_demangle(mangled, FLAGS | styles[style].flag) : NULL;
	char *result = NULL;
	size_t n = plain ? strlen(plain) : 0;

	if (plain && n <= DEMANGLE_MOST_BYTES)
		result = demangle_rewrap(wrapped, plain, n, mem);
	free(plain);
	return result;
}

/* libiberty recognizes names of D by itself only since binutils 2.44. */
static bool demangle_is_d_name(const char *mangled, enum demangle_style style)
{
	return style == DEMANGLE_DLANG ||
	       (style == DEMANGLE_AUTO && mangled[0] == '_' && mangled[1] == 'D');
}

/*
 * Returns the end of the mangled name, where a suffix such as a version begins that is not the
 * compiler's.
 */
static const char *demangle_suffix(const char *name)
{
	size_t n = (size_t)(strchrnul(name, '@') - name), suffix = strlen(INLINED_SUFFIX);

	if (n > suffix && name[n - 1] == ')' &&
	    memcmp(name + n - suffix, INLINED_SUFFIX, suffix) == 0)
		n -= suffix;
	return name + n;
}

/* Whether a name may be mangled. Names of C are not, which libiberty takes long to find out. */
static bool demangle_is_candidate(const char *mangled, enum demangle_style style)
{
	return style == DEMANGLE_GNAT || (style != DEMANGLE_NONE && mangled[0] == '_');
}

/* Returns the demangled name, or NULL if the name stays as it is. */
static char *demangle_readable(const char *name, enum demangle_style style, struct arena *mem)
{
	struct wrapped w = { name, name + strspn(name, ".$"), NULL };
	struct arena scratch = arena_scratch(mem);
	const char *mangled = w.name;
	bool at_once = style == DEMANGLE_GNAT || demangle_is_d_name(mangled, style);
	char *result;

	if (!demangle_is_candidate(mangled, style))
		return NULL;
	/* For these styles libiberty ends the program if there is no memory. */
	if (at_once && mem->aside)
		mem->no_memory(mem->arg);
	w.suffix = demangle_suffix(w.name);
	if (*w.suffix)
		mangled = arena_strndup(&scratch, w.name, (size_t)(w.suffix - w.name));
	result = at_once ? demangle_readable_at_once(mangled, style, &w, mem)
			 : demangle_readable_in_pieces(mangled, style, &w, mem);
	arena_free(&scratch);
	return result;
}

const char *demangle(const char *name, enum demangle_style style, struct arena *mem)
{
	const char *plain = demangle_readable(name, style, mem);

	return plain ? plain : name;
}
