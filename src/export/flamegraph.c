/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A flame graph: one SVG file that needs nothing else. Each frame is an <svg> of its own, which
 * clips its label; its place is in percent of the whole. Without scripts there are labels and,
 * under the pointer, titles; web/flamegraph.js, which is in the file, zooms and searches.
 *
 * Frames narrower than half a pixel are joined (export/frames.h), so the size of the file depends
 * on the picture's width and height, and the lengths of names, only. Linear in paths.
 */
#include "config.h"

#include "export/frames.h"
#include "export/template.h"
#include "export/view.h"

#include "base/path.h"
#include "base/quote.h"

#include <inttypes.h>
#include <stdio.h>

enum { DEPTH, PATHS, SHAPE, WIDTH, NKEYS };

enum { FLAME, ICICLE };
static const char *const shapes[] = { [FLAME] = "flame", [ICICLE] = "icicle", NULL };

static const struct export_key keys[NKEYS] = {
	EXPORT_STACK_KEYS,
	[SHAPE] = { .name = "shape", .kind = EXPORT_CHOICE, .choices = shapes, .initial = "flame" },
	[WIDTH] = { .name = "width",
		    .kind = EXPORT_COUNT,
		    .least = 400,
		    .most = 10000,
		    .initial = "1200" },
};

/* In pixels; of a character, in tenths. Frames that are THIN have no line around them. */
enum {
	MARGIN = 16,
	HEAD = 76,
	DOUBT = 20,
	ROW = 18,
	FOOT = 64,
	CHARACTER_TENTHS = 67,
	PADDING = 4,
	THIN = 4
};

/* In place of hues. */
enum { GREY = -1, CYCLE = -2 };

enum { COLOURS = 12, WHOLE = 1000000 /* parts of the picture's width, as whole numbers */ };

struct flamegraph {
	const struct export_view *e;
	struct output *out;
	unsigned width; /* of what frames take */
	unsigned rows, head;
	bool icicle;
};

/* With three significant digits and a unit. */
static void flamegraph_format_amount(const struct export_view *e, uint64_t amount, char text[40])
{
	static const char *const units[] = { "ns", "µs", "ms", "s" };
	double x = (double)amount;
	unsigned u = 0;

	if (!e->amounts->timed) {
		snprintf(text, 40, "%" PRIu64 " sample%s", amount, amount == 1 ? "" : "s");
		return;
	}
	for (; u < 3 && x >= 999.5; u++)
		x /= 1000.0;
	snprintf(text, 40, "%.*f %s", u == 0 || x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2, x, units[u]);
}

static double flamegraph_percent(const struct export_view *e, uint64_t amount)
{
	return e->amounts->total ? 100.0 * (double)amount / (double)e->amounts->total : 0.0;
}

/* A colour that a name has in all pictures. */
static unsigned flamegraph_colour(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return (hash ^ hash >> 16) % COLOURS;
}

static uint32_t flamegraph_place(const struct flamegraph *p, uint64_t at)
{
	return (uint32_t)((double)at / (double)p->e->stacks->total * WHOLE + 0.5);
}

/* As many characters of a name as there is room for; it is UTF-8 as a rule. */
static void flamegraph_write_label(struct flamegraph *p, const char *name, uint32_t width)
{
	size_t room = (size_t)p->width * width / (WHOLE / 10), all = 0, keep, seen = 0, n = 0;
	char text[4 * 10000 / (CHARACTER_TENTHS / 10) + 8];

	room = room > 20 * PADDING ? (room - 20 * PADDING) / CHARACTER_TENTHS : 0;
	if (room < 3)
		return;
	for (const char *c = name; *c; c++)
		all += (*c & 0xc0) != 0x80;
	keep = all <= room ? all : room - 1;
	for (; name[n] && n < sizeof(text) - 1; n++) {
		seen += (name[n] & 0xc0) != 0x80;
		if (seen > keep)
			break;
		text[n] = name[n];
	}
	text[n] = '\0';
	output_format(p->out, "<text x=\"%d\" y=\"%d\">", PADDING, ROW - 6);
	quote_xml(p->out, text);
	output_text(p->out, name[n] ? "…</text>" : "</text>");
}

/* Row 0 is that of the whole, `at` the time to the left; CYCLE is hatched, another negative hue
 * grey. */
static void flamegraph_write_frame(struct flamegraph *p, uint32_t row, uint64_t at,
				   const struct frame *frame, const char *name, int hue)
{
	uint32_t left = flamegraph_place(p, at),
		 width = flamegraph_place(p, at + frame->total) - left;
	unsigned y = ROW * (p->icicle ? row : p->rows - 1 - row);
	char total[40], self[40];

	flamegraph_format_amount(p->e, frame->total, total);
	flamegraph_format_amount(p->e, frame->self, self);
	output_format(p->out, "<svg x=\"%u.%04u%%\" y=\"%u\" width=\"%u.%04u%%\" height=\"%d\"",
		      left / 10000, left % 10000, y, width / 10000, width % 10000, ROW);
	if (hue == CYCLE)
		output_text(p->out, " class=\"cycle");
	else if (hue < 0)
		output_text(p->out, " class=\"rest");
	else
		output_format(p->out, " class=\"c%d", hue);
	output_text(p->out, (uint64_t)p->width * width < (uint64_t)THIN * WHOLE ? " thin\"><title>"
										: "\"><title>");
	quote_xml(p->out, name);
	output_format(p->out, "\n%s (%.2f %%)", total, flamegraph_percent(p->e, frame->total));
	if (hue == CYCLE)
		output_format(p->out, ", %s in its members: who calls whom is not known", self);
	else if (hue >= 0 && frame->self != frame->total)
		output_format(p->out, ", %s of its own", self);
	output_text(p->out, "</title><rect width=\"100%\" height=\"17\"");
	output_text(p->out, hue == CYCLE ? " fill=\"url(#hatch)\"/>" : "/>");
	flamegraph_write_label(p, name, width);
	output_text(p->out, "</svg>\n");
}

static void flamegraph_write_frames(struct flamegraph *p, const struct frames *frames)
{
	const struct stacks *stacks = p->e->stacks;
	const struct frame whole = { .total = stacks->total };

	flamegraph_write_frame(p, 0, 0, &whole, "all", 0);
	for (uint32_t i = 0; i < frames->n; i++) {
		const struct frame *frame = &frames->frame[i];
		const char *name;
		char small[40];
		int hue = GREY;

		if (frame->node == FRAME_SMALL) {
			snprintf(small, sizeof(small), "[%" PRIu32 " smaller]", frame->count);
			name = small;
		} else {
			name = export_frame(p->e, &stacks->node[frame->node]);
			if (export_cycle(p->e, &stacks->node[frame->node]) != 0)
				hue = CYCLE;
			else if (stacks->node[frame->node].function != STACKS_REST)
				hue = (int)flamegraph_colour(name);
		}
		flamegraph_write_frame(p, frame->depth + 1, frame->at, frame, name, hue);
	}
}

static void flamegraph_write_head(struct flamegraph *p)
{
	const struct export_view *e = p->e;
	char total[40];

	flamegraph_format_amount(e, e->amounts->total, total);
	output_text(p->out, "<title>");
	quote_xml(p->out, e->title);
	output_format(
		p->out,
		"</title>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n<text class=\"name\" x=\"%d\" y=\"32\">",
		MARGIN);
	quote_xml(p->out, path_base(e->a->program->path));
	output_format(p->out, "</text>\n<text class=\"facts\" x=\"%d\" y=\"54\">%s", MARGIN, total);
	if (e->amounts->timed)
		output_format(p->out, " in %" PRIu64 " sample%s", e->amounts->nsamples,
			      e->amounts->nsamples == 1 ? "" : "s");
	output_text(p->out, " · widths are time, with all that is called</text>\n");
	if (e->doubt) {
		output_format(p->out, "<text class=\"doubt\" x=\"%d\" y=\"%d\">", MARGIN, HEAD);
		quote_xml(p->out, e->doubt);
		output_text(p->out, "</text>\n");
	}
	if (e->stacks->estimated)
		output_format(p->out,
			      "<text class=\"mark\" x=\"%u\" y=\"32\">" EXPORT_MARK "</text>\n",
			      MARGIN + p->width);
}

static void flamegraph_write(const struct export_view *e, struct output *out)
{
	struct flamegraph p = {
		.e = e,
		.out = out,
		.width = (unsigned)e->request->value[WIDTH].count - 2 * MARGIN,
		.icicle = e->request->value[SHAPE].count == ICICLE,
	};
	uint64_t least = e->stacks->total / (2 * (uint64_t)p.width);
	struct frames frames = frames_make(e->stacks, least ? least : 1, e->mem);
	const char *const *template = template_flamegraph;
	unsigned height;

	p.rows = e->stacks->total ? frames.depth + 2 : 1;
	p.head = HEAD + (e->doubt ? DOUBT : 0);
	height = p.head + ROW * p.rows + FOOT;
	template_write(&template, out);
	output_format(out, "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\"", p.width + 2 * MARGIN,
		      height, p.width + 2 * MARGIN, height);
	template_write(&template, out);
	flamegraph_write_head(&p);
	output_format(out, "<svg class=\"frames\" x=\"%d\" y=\"%d\" width=\"%u\" height=\"%u\">\n",
		      MARGIN, p.head, p.width, ROW * p.rows);
	if (e->stacks->total)
		flamegraph_write_frames(&p, &frames);
	output_format(out, "</svg>\n<text class=\"detail\" x=\"%d\" y=\"%u\"></text>\n", MARGIN,
		      p.head + ROW * p.rows + 24);
	output_format(out, "<text class=\"help\" x=\"%d\" y=\"%u\"></text>\n", MARGIN,
		      p.head + ROW * p.rows + 46);
	output_format(out, "<text class=\"found\" x=\"%u\" y=\"%u\"></text>\n", MARGIN + p.width,
		      p.head + ROW * p.rows + 46);
	template_write(&template, out);
}

const struct exporter export_flamegraph = {
	.keys = keys,
	.nkeys = NKEYS,
	.write = flamegraph_write,
};
