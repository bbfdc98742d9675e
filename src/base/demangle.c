/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wrapping that linker names need around libiberty's demangler. */
#include "config.h"

#include "base/demangle.h"

#include <libiberty/demangle.h>
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

/* NULL where nothing is to be done. */
static char *readable(const char *name, enum demangle_style style, size_t room, struct arena *mem)
{
	size_t prefix = strspn(name, ".$");
	size_t core = strcspn(name + prefix, "@");
	const char *suffix = name + prefix + core;
	const char *mangled = name + prefix;
	struct arena scratch = arena_scratch(mem);
	char *plain, *result;
	size_t len;

	if (style == DEMANGLE_NONE)
		return NULL;
	if (*suffix)
		mangled = arena_strndup(&scratch, mangled, core);
	plain = cplus_demangle(mangled, DMGL_ANSI | DMGL_PARAMS | styles[style].flag);
	arena_free(&scratch);
	if (!plain)
		return NULL;

	len = strlen(plain);
	result = arena_array(mem, char, prefix + len + strlen(suffix) + room + 1);
	memcpy(result, name, prefix);
	memcpy(result + prefix, plain, len);
	strcpy(result + prefix + len, suffix);
	free(plain);
	return result;
}

const char *demangle(const char *name, enum demangle_style style, struct arena *mem)
{
	const char *plain = readable(name, style, 0, mem);

	return plain ? plain : name;
}

char *demangle_with_room(const char *name, enum demangle_style style, size_t room,
			 struct arena *mem)
{
	char *result = readable(name, style, room, mem);
	size_t len = strlen(name);

	if (!result) {
		result = arena_array(mem, char, len + room + 1);
		memcpy(result, name, len);
	}
	return result;
}
