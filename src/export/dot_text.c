/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, times and colours in Graphviz output. */
#include "config.h"

#include "export/dot_text.h"

#include "base/quote.h"
#include "base/short_name.h"

#include <string.h>

enum { NAME_CHARACTERS = 60, HEAD_CHARACTERS = 38 };

static bool dot_begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t dot_characters(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += dot_begins_character(*s);
	return n;
}

/* Returns the offset in bytes of character n. */
static size_t dot_character_at(const char *s, size_t n)
{
	size_t at = 0;

	for (; s[at]; at++) {
		if (dot_begins_character(s[at]) && n-- == 0)
			break;
	}
	return at;
}

/* The greatest length of a byte after quoting: '&' and bytes that are not UTF-8 take most. */
static size_t dot_quoted_bytes(char c)
{
	return c == '&' ? strlen("&amp;") : c == '"' || c == '\\' ? 2 : (c & 0x80) ? 3 : 1;
}

void dot_quote_cut(struct output *out, const char *text, size_t max, struct arena *mem)
{
	size_t n = 0, whole = 0;

	for (size_t bytes = 0; text[n]; n++) {
		if (dot_begins_character(text[n]))
			whole = n;
		bytes += dot_quoted_bytes(text[n]);
		if (bytes > max)
			break;
	}
	if (!text[n]) {
		quote_dot(out, text);
		return;
	}
	quote_dot(out, arena_strndup(mem, text, whole));
	output_text(out, "...");
}

void dot_name(struct output *out, const struct export_view *e, sym_id s, size_t max)
{
	size_t most = max > 0 ? max : DOT_LABEL_BYTES;
	bool whole = max > 0;
	const char *name = e->name[s], *place = e->unique[s] + strlen(name);
	char *head;
	size_t n;

	if (!whole && dot_characters(name) > NAME_CHARACTERS)
		name = short_name_make(name, e->mem).name;
	n = dot_characters(name);
	if (whole || n <= NAME_CHARACTERS) {
		dot_quote_cut(out, name, most, e->mem);
	} else {
		head = arena_strndup(e->mem, name, dot_character_at(name, HEAD_CHARACTERS));
		dot_quote_cut(out, head, most / 2, e->mem);
		output_text(out, "\xe2\x80\xa6"); /* an ellipsis */
		name += dot_character_at(name, n - (NAME_CHARACTERS - HEAD_CHARACTERS - 1));
		dot_quote_cut(out, name, most / 2, e->mem);
	}
	if (e->unique[s] != e->name[s])
		dot_quote_cut(out, place, most < DOT_PLACE_BYTES ? most : DOT_PLACE_BYTES, e->mem);
}

void dot_end_name(struct output *out, const struct export_view *e, uint32_t node)
{
	uint32_t nsyms = e->a->graph.nnodes;

	if (node < nsyms)
		dot_quote_cut(out, e->unique[node], DOT_STRING_BYTES / 2, e->mem);
	else
		output_format(out, "cycle %u", node - nsyms + 1);
}

void dot_percent(struct output *out, double share)
{
	if (share == 0.0)
		output_text(out, "0 %");
	else
		output_format(out, "%.*f %%", share < 0.0995 ? 2 : 1, share * 100.0);
}

void dot_time(struct output *out, const struct export_view *e, double time)
{
	static const struct {
		double size;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "\xc2\xb5s" }, { 1, "ns" } };
	size_t i = 0;

	if (!e->integer_costs->timed) {
		output_format(out, "%.4g %s", time, e->integer_costs->counted);
		return;
	}
	while (i < 3 && time < units[i].size)
		i++;
	if (time < 1.0)
		output_text(out, "0 s");
	else
		output_format(out, time < 1e12 ? "%.3g %s" : "%.0f %s", time / units[i].size,
			      units[i].name);
}

struct dot_colour {
	double red, green, blue; /* 0 to 255 */
};

struct dot_stop {
	double share;
	struct dot_colour colour;
};

/* Pale for the smallest shares, then from yellow to dark red. */
static const struct dot_stop heat[] = {
	{ 0.0, { 246, 246, 242 } }, { 0.01, { 253, 244, 214 } }, { 0.08, { 253, 212, 134 } },
	{ 0.25, { 245, 152, 78 } }, { 0.6, { 209, 60, 45 } },    { 1.0, { 150, 10, 40 } },
};

static const struct dot_stop frame[] = {
	{ 0.0, { 150, 150, 150 } },
	{ 0.3, { 140, 70, 60 } },
	{ 1.0, { 140, 10, 35 } },
};

static double dot_between(double from, double to, double part)
{
	return from + (to - from) * part;
}

static struct dot_colour dot_colour_at(const struct dot_stop *stops, size_t n, double share)
{
	size_t i = 1;
	double part;

	while (i < n - 1 && share > stops[i].share)
		i++;
	part = (share - stops[i - 1].share) / (stops[i].share - stops[i - 1].share);
	part = part > 1.0 ? 1.0 : part;
	return (struct dot_colour){
		dot_between(stops[i - 1].colour.red, stops[i].colour.red, part),
		dot_between(stops[i - 1].colour.green, stops[i].colour.green, part),
		dot_between(stops[i - 1].colour.blue, stops[i].colour.blue, part),
	};
}

static void dot_write_colour(struct output *out, const char *what, struct dot_colour c)
{
	output_format(out, ", %s=\"#%02x%02x%02x\"", what, (unsigned)c.red, (unsigned)c.green,
		      (unsigned)c.blue);
}

/*
 * Whether white text is more readable on this colour than black, by approximate relative luminance.
 */
static bool dot_is_dark(struct dot_colour c)
{
	double red = c.red / 255, green = c.green / 255, blue = c.blue / 255;

	return 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue < 0.18;
}

void dot_heat(struct output *out, double self, double total)
{
	struct dot_colour fill = dot_colour_at(heat, sizeof(heat) / sizeof(heat[0]), self);

	dot_write_colour(out, "fillcolor", fill);
	dot_write_colour(out, "color",
			 dot_colour_at(frame, sizeof(frame) / sizeof(frame[0]), total));
	output_format(out, ", penwidth=%.1f", 1.0 + 2.0 * total);
	output_format(out, ", fontsize=%.0f", 10.0 + 6.0 * self);
	if (dot_is_dark(fill))
		output_text(out, ", fontcolor=white");
}

void dot_edge_heat(struct output *out, double share)
{
	share = share < 1.0 ? share : 1.0;
	dot_write_colour(out, "color",
			 dot_colour_at(frame, sizeof(frame) / sizeof(frame[0]), share));
	output_format(out, ", penwidth=%.1f, weight=%.0f", 1.0 + 3.0 * share, 1.0 + 99.0 * share);
}
