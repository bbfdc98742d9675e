/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/diff/plain.h"

#include "base/join.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* Suffixes of compilers: each follows a dot, and a dot and a number may follow it. */
static const char *const suffixes[] = { "constprop", "isra", "part", "cold",
					"lto_priv",  "llvm", "clone" };

/* The hash at the end of a name in Rust's older mangling: "17h", 16 digits, 'E'. */
enum { HASH_DIGITS = 16, HASH_BYTES = 3 + HASH_DIGITS + 1 };

/* The index of the last dot of name[0..n); n if there is none. */
static size_t plain_last(const char *name, size_t n)
{
	for (size_t i = n; i-- > 1;) {
		if (name[i] == '.')
			return i;
	}
	return n;
}

static bool plain_is_number(const char *part, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (part[i] < '0' || part[i] > '9')
			return false;
	}
	return n > 0;
}

static bool plain_is_suffix(const char *part, size_t n)
{
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (strlen(suffixes[i]) == n && memcmp(suffixes[i], part, n) == 0)
			return true;
	}
	return false;
}

/* The length of the name without suffixes. */
static size_t plain_length(const char *name)
{
	size_t n = strlen(name);

	for (;;) {
		size_t dot = plain_last(name, n), end = n;

		if (dot < n && plain_is_number(name + dot + 1, n - dot - 1)) {
			end = dot;
			dot = plain_last(name, end);
		}
		if (dot >= end || !plain_is_suffix(name + dot + 1, end - dot - 1))
			return n;
		n = dot;
	}
}

static bool plain_has_hash(const char *name, size_t n)
{
	const char *hash = name + n - HASH_BYTES;

	return n > HASH_BYTES && name[n - 1] == 'E' && memcmp(hash, "17h", 3) == 0 &&
	       strspn(hash + 3, "0123456789abcdef") == HASH_DIGITS;
}

const char *plain_name(const char *name, struct arena *mem)
{
	size_t n = plain_length(name);
	char *copy;

	if (plain_has_hash(name, n)) {
		copy = arena_strndup(mem, name, n - HASH_BYTES + 1);
		copy[n - HASH_BYTES] = 'E';
		return copy;
	}
	return name[n] ? arena_strndup(mem, name, n) : name;
}

const char *plain_numbers(const char *readable, struct arena *mem)
{
	char *copy = arena_strndup(mem, readable, strlen(readable)), *to = copy;
	bool any = false;

	for (const char *from = readable; *from;) {
		*to++ = *from;
		if (*from++ != '#')
			continue;
		any = any || (*from >= '0' && *from <= '9');
		from += strspn(from, "0123456789");
	}
	*to = '\0';
	return any ? copy : NULL;
}

const char *plain_address(uint64_t address, struct arena *mem)
{
	return join_format(mem, "[0x%" PRIx64 "]", address);
}
