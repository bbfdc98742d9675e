/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C library knows how wide characters are, in its own UTF-8 locale C.UTF-8, whatever the user's
 * locale is. Without that locale, all characters are taken to be one column wide.
 */
#include "config.h"

#include "base/display_width.h"

#include "base/demangle.h"
#include "base/terminal.h"

#include <locale.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>

enum { NAME_GROUPS = 8, NAMELESS = sizeof("(anonymous namespace)") - 1 };

/* Returns the code point of the complete character of `len` bytes. */
static wchar_t display_width_character(const char *s, size_t len)
{
	static const unsigned char first_bits[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	unsigned long c = (unsigned char)s[0] & first_bits[len];

	for (size_t i = 1; i < len; i++)
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	return (wchar_t)c;
}

/* Returns the columns of what terminal_put() made of a character. */
static uint32_t display_width_columns(const char *s, size_t len)
{
	int columns;

	if (len == 1 || s[0] == '\\')
		return (uint32_t)len;
	columns = wcwidth(display_width_character(s, len));
	return columns < 0 ? 1 : (uint32_t)columns;
}

static bool display_width_is_ascii(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)text[i] >= 0x80)
			return false;
	}
	return true;
}

/* Fills in the cells; each array has room for one entry a byte. */
static void display_width_fill(struct display_width *cells, char *to, const char *text,
			       const char *end, uint32_t *start, uint32_t *column)
{
	uint32_t at = 0, columns = 0, n = 0;

	while (text < end) {
		size_t len = terminal_put(to + at, &text, end, "");
		uint32_t width = display_width_columns(to + at, len);

		if (width > 0 || n == 0) {
			start[n] = at;
			column[n++] = columns;
		}
		at += (uint32_t)len;
		columns += width;
	}
	start[n] = at;
	column[n] = columns;
	to[at] = '\0';
	cells->n = n;
}

/* Measures the first n bytes at text; the result lives in mem. Linear. */
static struct display_width display_width_make(const char *text, size_t n, struct arena *mem)
{
	char *to = arena_array(mem, char, TERMINAL_BYTE *n + TERMINAL_CHARACTER);
	uint32_t *start = arena_array(mem, uint32_t, n + 1);
	uint32_t *column = arena_array(mem, uint32_t, n + 1);
	struct display_width cells = { .text = to, .start = start, .column = column };
	locale_t unicode = (locale_t)0, before = (locale_t)0;

	if (!display_width_is_ascii(text, n))
		unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (unicode)
		before = uselocale(unicode);
	display_width_fill(&cells, to, text, text + n, start, column);
	if (unicode) {
		uselocale(before);
		freelocale(unicode);
	}
	return cells;
}

/* A range of cells that are left out. */
struct gap {
	uint32_t from, to;
};

static uint32_t display_width_between(const struct display_width *c, uint32_t from, uint32_t to)
{
	return c->column[to] - c->column[from];
}

/*
 * Returns the range of cells between `from` and `to` that must be left out so that the text, with
 * DISPLAY_WIDTH_GAP in their place, is `excess` columns narrower, or as many as possible. About as
 * many cells stay before the gap as after it, with the odd column before it.
 */
static struct gap display_width_find_gap(const struct display_width *c, uint32_t from, uint32_t to,
					 uint32_t excess)
{
	uint32_t columns = display_width_between(c, from, to), keep = 0, front, back;
	struct gap gap = { from, to };

	if (columns > excess + DISPLAY_WIDTH_GAP_COLUMNS)
		keep = columns - excess - DISPLAY_WIDTH_GAP_COLUMNS;
	front = keep - keep / 2;
	while (gap.from < to && display_width_between(c, from, gap.from + 1) <= front)
		gap.from++;
	back = keep - display_width_between(c, from, gap.from);
	while (gap.to > gap.from && display_width_between(c, gap.to - 1, to) <= back)
		gap.to--;
	return gap;
}

static uint32_t display_width_gain(const struct display_width *c, struct gap gap)
{
	uint32_t columns = display_width_between(c, gap.from, gap.to);

	return columns > DISPLAY_WIDTH_GAP_COLUMNS ? columns - DISPLAY_WIDTH_GAP_COLUMNS : 0;
}

/* Returns the text without the gaps, which are in order and do not touch. */
static struct shown display_width_without(const struct display_width *c, const struct gap *gaps,
					  size_t ngaps, struct arena *mem)
{
	size_t bytes = c->start[c->n] + ngaps * strlen(DISPLAY_WIDTH_GAP);
	char *text = arena_array(mem, char, bytes + 1), *to = text;
	struct shown shown = { text, c->column[c->n] };
	uint32_t from = 0;

	for (size_t i = 0; i < ngaps; i++) {
		to = mempcpy(to, c->text + c->start[from], c->start[gaps[i].from] - c->start[from]);
		to = stpcpy(to, DISPLAY_WIDTH_GAP);
		shown.columns += DISPLAY_WIDTH_GAP_COLUMNS -
				 display_width_between(c, gaps[i].from, gaps[i].to);
		from = gaps[i].to;
	}
	strcpy(to, c->text + c->start[from]);
	return shown;
}

struct shown display_width_show(const char *text, struct arena *mem)
{
	struct display_width c = display_width_make(text, strlen(text), mem);

	return (struct shown){ c.text, c.column[c.n] };
}

struct shown display_width_cut_end(const char *text, uint32_t columns, struct arena *mem)
{
	struct display_width c = display_width_make(text, strlen(text), mem);
	struct gap gap = { 0, c.n };

	if (c.column[c.n] <= columns)
		return (struct shown){ c.text, c.column[c.n] };
	while (c.column[gap.from + 1] + DISPLAY_WIDTH_GAP_COLUMNS <= columns)
		gap.from++;
	return display_width_without(&c, &gap, 1, mem);
}

static struct shown display_width_cut_start(const char *text, uint32_t columns, struct arena *mem)
{
	struct display_width c = display_width_make(text, strlen(text), mem);
	struct gap gap = { 0, c.n };

	while (display_width_between(&c, gap.to - 1, c.n) + DISPLAY_WIDTH_GAP_COLUMNS <= columns)
		gap.to--;
	return display_width_without(&c, &gap, 1, mem);
}

struct shown display_width_cut_middle(const char *text, uint32_t columns, struct arena *mem)
{
	struct display_width c = display_width_make(text, strlen(text), mem);
	struct gap gap;

	if (c.column[c.n] <= columns)
		return (struct shown){ c.text, c.column[c.n] };
	gap = display_width_find_gap(&c, 0, c.n, c.column[c.n] - columns);
	return display_width_without(&c, &gap, 1, mem);
}

/* What may be left out of a name: text in brackets, without the brackets, by position. */
struct name_groups {
	struct gap template[NAME_GROUPS], parameters;
	size_t n;
};

/* Adds a group of brackets, or replaces the shortest group if that is shorter. */
static void display_width_add_group(const struct display_width *c, struct name_groups *groups,
				    struct gap group)
{
	size_t least = 0;

	if (groups->n < NAME_GROUPS) {
		groups->template[groups->n++] = group;
		return;
	}
	for (size_t i = 1; i < groups->n; i++) {
		if (display_width_gain(c, groups->template[i]) <
		    display_width_gain(c, groups->template[least]))
			least = i;
	}
	if (display_width_gain(c, group) <= display_width_gain(c, groups->template[least]))
		return;
	memmove(groups->template + least, groups->template + least + 1,
		(groups->n - least - 1) * sizeof(group));
	groups->template[groups->n - 1] = group;
}

/*
 * Returns the number of cells at `at` whose brackets do not enclose anything: operator names, an
 * arrow, or "(anonymous namespace)".
 */
static uint32_t display_width_skip(const char *at)
{
	static const char word[] = "operator";
	size_t n = sizeof(word) - 1;

	if (strncmp(at, "->", 2) == 0)
		return 2;
	if (strncmp(at, "(anonymous namespace)", NAMELESS) == 0)
		return NAMELESS;
	if (strncmp(at, word, n) != 0)
		return 0;
	if (strncmp(at + n, "()", 2) == 0)
		return (uint32_t)n + 2;
	return (uint32_t)(n + strspn(at + n, "<>=-"));
}

/* Whether gprof's own remark after a name begins here, which is no list of parameters. */
static bool display_width_is_suffix(const char *at)
{
	return strncmp(at, &INLINED_SUFFIX[1], strlen(&INLINED_SUFFIX[1])) == 0;
}

/* Groups inside of other groups are not listed on their own. */
static struct name_groups display_width_find_groups(const struct display_width *c)
{
	struct name_groups groups = { .n = 0 };
	uint32_t depth = 0, open = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		const char *at = c->text + c->start[i];
		uint32_t skip = display_width_skip(at);

		if (skip > 0) {
			i += skip - 1;
		} else if (strchr("<([{", *at)) {
			if (depth++ == 0)
				open = i;
		} else if (strchr(">)]}", *at) && depth > 0 && --depth == 0) {
			if (*at == '>')
				display_width_add_group(c, &groups, (struct gap){ open + 1, i });
			else if (*at == ')' && !display_width_is_suffix(c->text + c->start[open]))
				groups.parameters = (struct gap){ open + 1, i };
		}
	}
	return groups;
}

/* Sorts the few gaps by position. */
static void display_width_sort_gaps(struct gap *gaps, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		for (size_t k = i; k > 0 && gaps[k].from < gaps[k - 1].from; k--) {
			struct gap other = gaps[k];

			gaps[k] = gaps[k - 1];
			gaps[k - 1] = other;
		}
	}
}

/*
 * Takes the widest group out and sets *to to the gap in it. Returns whether the gap saves any
 * columns.
 */
static bool display_width_take_widest(const struct display_width *c, struct name_groups *groups,
				      uint32_t excess, struct gap *to)
{
	size_t widest = 0;
	struct gap group;

	if (groups->n == 0)
		return false;
	for (size_t i = 1; i < groups->n; i++) {
		if (display_width_gain(c, groups->template[i]) >
		    display_width_gain(c, groups->template[widest]))
			widest = i;
	}
	group = groups->template[widest];
	groups->template[widest] = groups->template[--groups->n];
	*to = display_width_find_gap(c, group.from, group.to, excess);
	return display_width_gain(c, *to) > 0;
}

struct shown display_width_cut_name(const char *name, uint32_t columns, struct arena *mem)
{
	struct display_width c = display_width_make(name, strlen(name), mem);
	uint32_t all = c.column[c.n], gained = 0;
	struct name_groups groups;
	struct gap gaps[NAME_GROUPS + 1];
	size_t n = 0;
	struct shown shown;

	if (all <= columns)
		return (struct shown){ c.text, all };
	groups = display_width_find_groups(&c);
	while (all - gained > columns &&
	       display_width_take_widest(&c, &groups, all - gained - columns, &gaps[n]))
		gained += display_width_gain(&c, gaps[n++]);
	if (all - gained > columns && display_width_gain(&c, groups.parameters) > 0) {
		gaps[n] = display_width_find_gap(&c, groups.parameters.from, groups.parameters.to,
						 all - gained - columns);
		gained += display_width_gain(&c, gaps[n++]);
	}
	display_width_sort_gaps(gaps, n);
	shown = display_width_without(&c, gaps, n, mem);
	if (shown.columns <= columns)
		return shown;
	/* An address is at the end of "[libz.so.1+0xaa60]", too. */
	return strstr(shown.text, "::") || strchr(shown.text, '(') || strstr(shown.text, "+0x")
		       ? display_width_cut_start(shown.text, columns, mem)
		       : display_width_cut_middle(shown.text, columns, mem);
}
