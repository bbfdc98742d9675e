/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks have few addresses, maps may have a million lines. So addresses are sorted, and lines read
 * from the last to the first: each names the addresses in its range that have no name yet. An
 * address that has one is never looked at again, as `next` leads past it (a union-find).
 */
#include "config.h"

#include "io/profile/perf_map.h"

#include "base/index.h"
#include "base/join.h"
#include "base/radix.h"
#include "base/search.h"
#include "base/strtable.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The addresses that want names: sorted, each once. */
struct perf_map {
	ARRAY(uint64_t) pc;
	const char **line; /* for each address, its line's name, or NULL */
	size_t *bytes;     /* and the length of that */
	uint32_t *next;    /* for each address, one at or after it that may have no name */
};

/* Whether a node's code is in no module: neither a gap nor a system call. */
static bool perf_map_wants(const struct recorded_node *node)
{
	return node->module == RECORDED_NONE && node->address >= RECORDED_WAITING + RECORDED_WAITS;
}

static void perf_map_collect(struct perf_map *map, const struct recorded *rec, struct arena *mem)
{
	size_t n = 0;

	for (size_t i = 0; i < rec->nodes.n; i++) {
		if (perf_map_wants(&rec->nodes.at[i]))
			array_push(mem, &map->pc) = rec->nodes.at[i].address;
	}
	radix_sort_numbers(map->pc.at, map->pc.n, mem);
	for (size_t i = 0; i < map->pc.n; i++) {
		if (i == 0 || map->pc.at[i] != map->pc.at[i - 1])
			map->pc.at[n++] = map->pc.at[i];
	}
	map->pc.n = n;
	map->line = arena_array(mem, const char *, n);
	map->bytes = arena_array(mem, size_t, n);
	map->next = arena_array(mem, uint32_t, n + 1);
	for (uint32_t i = 0; i <= n; i++)
		map->next[i] = i;
}

/* Returns the index of the first address that is not below pc. */
static uint32_t perf_map_from(const struct perf_map *map, uint64_t pc)
{
	return pc == 0 ? 0 : (uint32_t)search_above(map->pc.at, map->pc.n, sizeof(pc), 0, pc - 1);
}

/* Returns the first address without a name, at or after address i; pc.n: there is none. */
static uint32_t perf_map_open(struct perf_map *map, uint32_t i)
{
	while (map->next[i] != i) {
		map->next[i] = map->next[map->next[i]];
		i = map->next[i];
	}
	return i;
}

/* Reads a number in hexadecimal, with or without 0x, and the blank after it. */
static bool perf_map_number(const char **at, const char *end, uint64_t *number)
{
	const char *s = *at;
	unsigned digits = 0;

	if (end - s > 2 && s[0] == '0' && s[1] == 'x')
		s += 2;
	for (*number = 0; s < end && digits <= 16; s++, digits++) {
		unsigned c = (unsigned char)*s;
		unsigned digit = c - '0' < 10u ? c - '0' : (c | 0x20) - 'a' + 10;

		if (c - '0' >= 10u && (c | 0x20) - 'a' >= 6u)
			break;
		*number = *number << 4 | digit;
	}
	if (digits == 0 || digits > 16 || s == end || *s != ' ')
		return false;
	*at = s + 1;
	return true;
}

static void perf_map_take_line(struct perf_map *map, const char *at, const char *end)
{
	uint64_t start, size;

	if (!perf_map_number(&at, end, &start) || !perf_map_number(&at, end, &size) || at == end)
		return;
	for (uint32_t i = perf_map_open(map, perf_map_from(map, start));
	     i < map->pc.n && map->pc.at[i] - start < size; i = perf_map_open(map, i)) {
		map->line[i] = at;
		map->bytes[i] = (size_t)(end - at);
		map->next[i] = i + 1;
	}
}

/* Returns the name, cut, with control characters as "\ooo", in mem. */
static const char *perf_map_name(const char *from, size_t n, struct arena *mem)
{
	char text[4 * PERF_MAP_NAME_BYTES + sizeof("...")], *to = text;
	size_t most = n < PERF_MAP_NAME_BYTES ? n : PERF_MAP_NAME_BYTES;

	/* No character of UTF-8 is cut. */
	while (most > 0 && most < n && ((unsigned char)from[most] & 0xc0) == 0x80)
		most--;
	for (size_t i = 0; i < most; i++) {
		unsigned c = (unsigned char)from[i];

		if (c < ' ' || c == 0x7f)
			to += sprintf(to, "\\%03o", c);
		else
			*to++ = (char)c;
	}
	if (most < n)
		to = stpcpy(to, "...");
	return arena_strndup(mem, text, (size_t)(to - text));
}

/* Adds the module for made code, unless there are as many as there may be. */
static uint32_t perf_map_add_module(struct recorded *rec, size_t n, struct arena *mem)
{
	if (rec->modules.n >= RECORDED_MODULES)
		return RECORDED_NONE;
	array_push(mem, &rec->modules) =
		(struct module){ .hi = n, .path = "[jit]", .flags = MODULE_MADE };
	return (uint32_t)rec->modules.n - 1;
}

/* Moves the nodes whose addresses have names into the module. */
static void perf_map_move_nodes(const struct perf_map *map, struct recorded *rec, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct strtable names = { .mem = &scratch };
	uint32_t module = perf_map_add_module(rec, 0, mem);

	for (size_t i = 0; i < rec->nodes.n && module != RECORDED_NONE; i++) {
		struct recorded_node *node = &rec->nodes.at[i];
		uint32_t at = perf_map_wants(node) ? perf_map_from(map, node->address) : 0;

		if (!perf_map_wants(node) || !map->line[at])
			continue;
		node->module = module;
		node->address = strtable_place(
			&names, perf_map_name(map->line[at], map->bytes[at], &scratch));
	}
	for (size_t i = 0; i < names.texts.n; i++)
		array_push(mem, &rec->made) = (struct recorded_made){ arena_strndup(
			mem, names.texts.at[i].s, strlen(names.texts.at[i].s)) };
	if (module != RECORDED_NONE)
		rec->modules.at[module].hi = rec->made.n;
	arena_free(&scratch);
}

INDEX_KEY(perf_map_node_key, struct recorded_node, (uint64_t)x->module << 32 | x->parent,
	  x->address)

/* Makes nodes one whose function and caller are the same. */
static void perf_map_join_nodes(struct recorded *rec, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t *now = arena_array(&scratch, uint32_t, rec->nodes.n);
	ARRAY(struct recorded_node) nodes = { 0 };
	struct index index = { 0 };

	index_reserve(&index, rec->nodes.n, perf_map_node_key, NULL, 0, &scratch);
	for (size_t i = 0; i < rec->nodes.n; i++) {
		struct recorded_node node = rec->nodes.at[i];

		if (node.parent != RECORDED_NONE)
			node.parent = now[node.parent];
		now[i] = index_intern(&index, &nodes, &node, perf_map_node_key, &scratch);
	}
	for (size_t i = 0; i < rec->samples.n; i++) {
		if (rec->samples.at[i].node != RECORDED_NONE)
			rec->samples.at[i].node = now[rec->samples.at[i].node];
	}
	/* There are no more than before. */
	memcpy(rec->nodes.at, nodes.at, nodes.n * sizeof(*nodes.at));
	rec->nodes.n = nodes.n;
	arena_free(&scratch);
}

void perf_map_apply(struct recorded *rec, const char *text, size_t n, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct perf_map map = { .pc = { 0 } };
	bool any = false;

	perf_map_collect(&map, rec, &scratch);
	while (n > 0 && map.pc.n > 0) {
		const char *end = text + n, *newline = memrchr(text, '\n', n);
		const char *line = newline ? newline + 1 : text;

		perf_map_take_line(&map, line, end);
		n = newline ? (size_t)(newline - text) : 0;
	}
	for (size_t i = 0; i < map.pc.n && !any; i++)
		any = map.line[i];
	if (any) {
		perf_map_move_nodes(&map, rec, mem);
		perf_map_join_nodes(rec, mem);
	}
	arena_free(&scratch);
}

/* Returns why the file must not be used, or NULL. */
static const char *perf_map_fault(const struct stat *st, const struct recorded_process *process)
{
	enum { SLACK = 1 }; /* in seconds: the clock of file systems is late */

	if (!S_ISREG(st->st_mode))
		return "is not a regular file";
	if (st->st_uid != geteuid())
		return "belongs to another user";
	if ((uint64_t)st->st_mtim.tv_sec + SLACK < process->start / 1000000000)
		return "is older than the process";
	return NULL;
}

/* Opens the map; -1 if there is none, or after a warning that says why it is not used. */
static int perf_map_open_file(const char *path, const struct recorded_process *process,
			      struct stat *st, struct diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	const char *fault;

	if (fd < 0 && errno == ENOENT)
		return -1;
	if (fd < 0)
		fault = errno == ELOOP ? "is a link" : strerror(errno);
	else if (fstat(fd, st) < 0)
		fault = strerror(errno);
	else
		fault = perf_map_fault(st, process);
	if (!fault)
		return fd;
	diag_warn(diag, "%s: %s: its names are not used", path, fault);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Reads the beginning of the file into mem. Returns its bytes. */
static size_t perf_map_load(int fd, char **text, uint64_t bytes, struct arena *mem)
{
	size_t room = bytes < PERF_MAP_MOST_BYTES ? (size_t)bytes : PERF_MAP_MOST_BYTES, n = 0;
	ssize_t got = 1;

	*text = arena_unset_array(mem, char, room);
	while (n < room && got > 0) {
		got = read(fd, *text + n, room - n);
		n += got > 0 ? (size_t)got : 0;
	}
	return n;
}

void perf_map_read(struct recorded *rec, const char *directory, struct arena *mem,
		   struct diag *diag)
{
	const char *const directories[] = { "/tmp", directory };
	struct arena scratch = arena_scratch(mem);
	int fd = -1;

	for (size_t i = 0; i < 2 && fd < 0 && rec->processes.n == 1; i++) {
		const struct recorded_process *process = &rec->processes.at[0];
		const char *path;
		struct stat st;
		char *text;
		size_t n;

		if (!directories[i] || !*directories[i] ||
		    (i > 0 && strcmp(directory, "/tmp") == 0))
			continue;
		path = join_format(&scratch, "%s/perf-%" PRIu32 ".map", directories[i],
				   process->pid);
		fd = perf_map_open_file(path, process, &st, diag);
		if (fd < 0)
			continue;
		n = perf_map_load(fd, &text, (uint64_t)st.st_size, &scratch);
		if ((uint64_t)st.st_size > PERF_MAP_MOST_BYTES)
			diag_warn(diag, "%s: only its first %d MB of names are read", path,
				  PERF_MAP_MOST_BYTES >> 20);
		perf_map_apply(rec, text, n, mem);
		close(fd);
	}
	arena_free(&scratch);
}
