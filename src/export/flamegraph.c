/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A flame graph as one SVG file without dependencies. Each frame is a nested <svg>, which clips its
 * label; its position is in percent of the whole. Labels and tooltips work without scripts;
 * web/flamegraph.js, which the file includes, zooms and searches.
 *
 * Frames narrower than half a pixel are joined (export/frames.h), so the size of the file depends
 * only on the picture's width and height and the lengths of names. Linear in paths.
 */
#include "config.h"

#include "export/flamegraph.h"

#include "export/compared.h"
#include "export/export_view.h"
#include "export/frames.h"
#include "export/processstacks.h"
#include "export/template.h"

#include "base/demangle.h"
#include "base/join.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/short_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The values of the key `shape`. */
enum { FLAME, ICICLE };

/*
 * In pixels, except the width of a character, which is in tenths of a pixel. Frames narrower than
 * THIN have no border.
 */
enum {
	MARGIN = 16,
	HEAD = 76,
	DOUBT = 20,
	LEGEND = 22,
	ROW = 18,
	FOOT = 64,
	CHARACTER_TENTHS = 67,
	PADDING = 4,
	THIN = 4
};

/* Used in place of a hue. */
enum { GREY = -1, CYCLE = -2, PROCESS = -3 };

enum { WAITING = 12, WAITING_COLOURS = 4 }; /* hues that follow those of COLOURS */

enum { DETAIL_BYTES = 300 };

/* Changes of less than WEAK of the larger time are drawn weak, those of STRONG or more strong. */
#define WEAK   0.2
#define STRONG 0.5

enum { COLOURS = 12, WHOLE = 1000000 /* parts of the picture's width, as whole numbers */ };

struct flamegraph {
	const struct export_view *e;
	const struct stacks *stacks; /* the stacks drawn */
	struct processstacks processes;
	struct output *out;
	unsigned width; /* width of the area of frames */
	unsigned rows, head;
	bool icicle;
	bool legend; /* there is waiting time, so that the colours need a legend */
};

/* Formats an amount with three significant digits and a unit. */
static void flamegraph_format_amount(const struct export_view *e, uint64_t amount, char text[40])
{
	static const char *const units[] = { "ns", "µs", "ms", "s" };
	double x = (double)amount;
	unsigned u = 0;

	if (!e->integer_costs->timed) {
		snprintf(text, 40, "%" PRIu64 " %.15s", amount,
			 amount == 1 && strcmp(e->integer_costs->counted, "samples") == 0
				 ? "sample"
				 : e->integer_costs->counted);
		return;
	}
	for (; u < 3 && x >= 999.5; u++)
		x /= 1000.0;
	snprintf(text, 40, "%.*f %s", u == 0 || x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2, x, units[u]);
}

static double flamegraph_percent(const struct flamegraph *p, uint64_t amount)
{
	uint64_t total = p->e->joint || p->e->integer_costs->waiting ? p->stacks->total
								     : p->e->integer_costs->total;

	return total ? 100.0 * (double)amount / (double)total : 0.0;
}

/* Returns the colour of a name, which is the same in all pictures. */
static unsigned flamegraph_colour(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return (hash ^ hash >> 16) % COLOURS;
}

/* Returns the hue of a frame; frames that waited for most of their time have hues of another
 * family. */
static int flamegraph_hue(const char *name, const struct frame *frame)
{
	unsigned colour = flamegraph_colour(name);

	return (int)(frame->waiting > frame->total / 2 ? WAITING + colour % WAITING_COLOURS
						       : colour);
}

static uint32_t flamegraph_place(const struct flamegraph *p, uint64_t at)
{
	return (uint32_t)((double)at / (double)p->stacks->total * WHOLE + 0.5);
}

/* The appearance of a frame. */
struct frame_look {
	const char *name, *class;
	const char *brief; /* a shorter name for labels; NULL: none */
	bool inlined;
	bool hatched;
	char detail[DETAIL_BYTES]; /* follows the name in the tooltip */
};

/* Writes as many characters of a name as fit; names are mostly UTF-8. */
static void flamegraph_write_label(struct flamegraph *p, const struct frame_look *look,
				   uint32_t width)
{
	const char *name = look->name;
	size_t room = (size_t)p->width * width / (WHOLE / 10), all = 0, keep, seen = 0, n = 0;
	char text[4 * 10000 / (CHARACTER_TENTHS / 10) + 8];

	room = room > 20 * PADDING ? (room - 20 * PADDING) / CHARACTER_TENTHS : 0;
	if (room < 3)
		return;
	if (look->brief && (look->inlined || strlen(name) > room))
		name = look->brief;
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

/* Writes a frame. Row 0 is the frame of the whole; `at` is the time to the left of the frame. */
static void flamegraph_write_frame(struct flamegraph *p, uint32_t row, uint64_t at,
				   const struct frame *frame, const struct frame_look *look)
{
	uint32_t left = flamegraph_place(p, at),
		 width = flamegraph_place(p, at + frame->total) - left;
	unsigned y = ROW * (p->icicle ? row : p->rows - 1 - row);

	output_format(p->out, "<svg x=\"%u.%04u%%\" y=\"%u\" width=\"%u.%04u%%\" height=\"%d\"",
		      left / 10000, left % 10000, y, width / 10000, width % 10000, ROW);
	output_format(p->out, " class=\"%s", look->class);
	output_text(p->out, look->inlined ? " i" : "");
	output_text(p->out, (uint64_t)p->width * width < (uint64_t)THIN * WHOLE ? " thin\"" : "\"");
	if (look->brief) {
		output_text(p->out, " data-n=\"");
		quote_xml(p->out, look->brief);
		output_char(p->out, '"');
	}
	output_text(p->out, "><title>");
	quote_xml(p->out, look->name);
	output_format(p->out, "\n%s", look->detail);
	output_text(p->out, "</title><rect width=\"100%\" height=\"17\"");
	output_text(p->out, look->hatched ? " fill=\"url(#hatch)\"/>" : "/>");
	flamegraph_write_label(p, look, width);
	output_text(p->out, "</svg>\n");
}

/* Sets the look of a frame. Hue CYCLE is hatched, GREY and PROCESS are grey. */
static void flamegraph_set_look(const struct flamegraph *p, const struct frame *frame, int hue,
				struct frame_look *look)
{
	static const char *const hues[COLOURS + WAITING_COLOURS] = { "c0", "c1", "c2",  "c3",
								     "c4", "c5", "c6",  "c7",
								     "c8", "c9", "c10", "c11",
								     "w0", "w1", "w2",  "w3" };
	char total[40], self[40], waiting[40];
	int n;

	flamegraph_format_amount(p->e, frame->total, total);
	flamegraph_format_amount(p->e, frame->self, self);
	look->class = hue == CYCLE ? "cycle" : hue < 0 ? "rest" : hues[hue];
	look->hatched = hue == CYCLE;
	n = snprintf(look->detail, DETAIL_BYTES, "%s (%.2f %%)", total,
		     flamegraph_percent(p, frame->total));
	if (hue == CYCLE)
		snprintf(look->detail + n, DETAIL_BYTES - (size_t)n,
			 ", %s in its members: who calls whom is not known", self);
	else if (hue >= 0 && frame->self != frame->total)
		n += snprintf(look->detail + n, DETAIL_BYTES - (size_t)n, ", %s of its own", self);
	if (frame->waiting == 0)
		return;
	flamegraph_format_amount(p->e, frame->waiting, waiting);
	snprintf(look->detail + n, DETAIL_BYTES - (size_t)n, ", %s waiting", waiting);
}

/* Returns the class of a change, by its share of the larger of the two times. */
static const char *flamegraph_delta_class(double base, double new, enum difference_verdict verdict)
{
	static const char *const more[] = { "d m1", "d m2", "d m3" };
	static const char *const less[] = { "d l1", "d l2", "d l3" };
	double larger = base > new ? base : new;
	double share = larger > 0.0 ? (base > new ? base - new : new - base) / larger : 0.0;
	int strength = share < WEAK ? 0 : share < STRONG ? 1 : 2;

	return verdict == VERDICT_MORE   ? more[strength]
	       : verdict == VERDICT_LESS ? less[strength]
					 : "d same";
}

/* Writes the times per run of both sides in words: "1.20 s before, 1.50 s now: +300 ms, +25.0 %".
 */
static void flamegraph_describe_delta(const struct flamegraph *p, const uint64_t time[SIDES],
				      const char *verdict, char *text, size_t size)
{
	double run[SIDES], delta;
	char shown[SIDES][40], change[40], percent[40] = "";

	for (int k = 0; k < SIDES; k++) {
		run[k] = compared_per_run(p->e, k, time[k]);
		flamegraph_format_amount(p->e, (uint64_t)(run[k] + 0.5), shown[k]);
	}
	delta = run[SIDE_NEW] - run[SIDE_BASE];
	flamegraph_format_amount(p->e, (uint64_t)((delta < 0.0 ? -delta : delta) + 0.5), change);
	if (run[SIDE_BASE] > 0.0)
		snprintf(percent, sizeof(percent), ", %+.1f %%", 100.0 * delta / run[SIDE_BASE]);
	snprintf(text, size, "%s before, %s now: %s%s%s%s", shown[SIDE_BASE], shown[SIDE_NEW],
		 delta < 0.0 ? "-" : "+", change, percent, verdict);
}

static const char *flamegraph_verdict(enum difference_verdict verdict)
{
	return verdict == VERDICT_MORE   ? "; more"
	       : verdict == VERDICT_LESS ? "; less"
					 : "; cannot be told from noise";
}

/* Sets what is shown of a name where all of it has no room, and whether it was inlined. */
static void flamegraph_set_brief(const struct flamegraph *p, struct frame_look *look)
{
	struct short_name parts = short_name_make(look->name, p->e->mem);

	look->inlined = strstr(look->name, INLINED_SUFFIX) != NULL;
	look->brief = strcmp(parts.name, look->name) == 0 ? NULL : parts.name;
}

/*
 * Sets the look of a node of e->joint. If the changes of its callees hide that of its self time,
 * the latter is shown.
 */
static void flamegraph_set_delta(const struct flamegraph *p, uint32_t node, struct frame_look *look)
{
	const struct joint *joint = p->e->joint;
	const struct stack_node *base = &joint->side[SIDE_BASE].node[node],
				*new = &joint->side[SIDE_NEW].node[node];
	const uint64_t total[SIDES] = { base->total, new->total },
		       self[SIDES] = { base->self, new->self };
	bool by_self = joint->verdict[node] == VERDICT_NOISE && joint->own[node] != VERDICT_NOISE;
	enum difference_verdict verdict = by_self ? joint->own[node] : joint->verdict[node];
	const uint64_t *time = by_self ? self : total;
	size_t n;

	look->name = compared_frame(p->e, base);
	flamegraph_describe_delta(p, total, flamegraph_verdict(joint->verdict[node]), look->detail,
				  DETAIL_BYTES);
	n = strlen(look->detail);
	if (by_self) {
		n += (size_t)snprintf(look->detail + n, DETAIL_BYTES - n, "; of its own ");
		flamegraph_describe_delta(p, self, flamegraph_verdict(verdict), look->detail + n,
					  DETAIL_BYTES - n);
	}
	look->class =
		flamegraph_delta_class(compared_per_run(p->e, SIDE_BASE, time[SIDE_BASE]),
				       compared_per_run(p->e, SIDE_NEW, time[SIDE_NEW]), verdict);
	flamegraph_set_brief(p, look);
	if (verdict != VERDICT_NOISE) {
		const char *mark = verdict == VERDICT_MORE ? "+ " : "- ";

		look->name = JOIN(p->e->mem, mark, look->name);
		look->brief = look->brief ? JOIN(p->e->mem, mark, look->brief) : NULL;
	}
}

static void flamegraph_set_node(const struct flamegraph *p, const struct frame *frame,
				struct frame_look *look)
{
	const struct export_view *e = p->e;
	const struct stack_node *node = &p->stacks->node[frame->node];
	int hue = GREY;

	if (e->joint) {
		flamegraph_set_delta(p, frame->node, look);
		return;
	}
	look->name = processstacks_name(&p->processes, node);
	if (look->name) {
		flamegraph_set_look(p, frame, PROCESS, look);
		return;
	}
	look->name = export_frame(e, node);
	if (export_cycle(e, node) != 0)
		hue = CYCLE;
	else if (node->function != STACKS_REST)
		hue = flamegraph_hue(look->name, frame);
	if (hue >= 0)
		flamegraph_set_brief(p, look);
	flamegraph_set_look(p, frame, hue, look);
}

static void flamegraph_write_frames(struct flamegraph *p, const struct frames *frames)
{
	const struct frame whole = { .total = p->stacks->total, .waiting = p->stacks->waiting };
	struct frame_look all = { .name = "all" };

	if (p->e->joint) {
		const uint64_t time[SIDES] = { p->e->joint->side[SIDE_BASE].total,
					       p->e->joint->side[SIDE_NEW].total };

		all.class = "d same";
		flamegraph_describe_delta(p, time, "", all.detail, DETAIL_BYTES);
	} else {
		flamegraph_set_look(p, &whole, flamegraph_hue("", &whole), &all);
	}
	flamegraph_write_frame(p, 0, 0, &whole, &all);
	for (uint32_t i = 0; i < frames->n; i++) {
		const struct frame *frame = &frames->frame[i];
		struct frame_look look = { .hatched = false };
		char small[40];

		if (frame->node == FRAME_SMALL) {
			snprintf(small, sizeof(small), "[%" PRIu32 " smaller]", frame->count);
			look.name = small;
			flamegraph_set_look(p, frame, GREY, &look);
		} else {
			flamegraph_set_node(p, frame, &look);
		}
		flamegraph_write_frame(p, frame->depth + 1, frame->at, frame, &look);
	}
}

/* Writes a line that says what the picture shows. */
static void flamegraph_write_facts(struct flamegraph *p)
{
	const struct export_view *e = p->e;
	const struct clock *clock = &e->a->costs.origin.clock;
	char total[40], base[40];

	if (e->joint) {
		const struct difference *d = e->difference;
		uint64_t time[SIDES];

		for (int k = 0; k < SIDES; k++)
			time[k] = (uint64_t)(compared_per_run(e, k, e->joint->side[k].total) + 0.5);
		flamegraph_format_amount(e, time[SIDE_BASE], base);
		flamegraph_format_amount(e, time[SIDE_NEW], total);
		output_format(p->out,
			      "%s before, %s now (%s%.1f %%) · widths are the time %s · + red: "
			      "more, - blue: less, grey: cannot be told from noise",
			      base, total, d->delta > 0.0 ? "+" : "", d->delta,
			      e->side == SIDE_NEW ? "now" : "before");
		return;
	}
	flamegraph_format_amount(e, e->integer_costs->total, total);
	output_text(p->out, total);
	if (clock_is_measured(clock))
		output_text(p->out, clock_words(clock));
	else if (e->integer_costs->timed)
		output_format(p->out, " in %" PRIu64 " sample%s", e->integer_costs->nsamples,
			      e->integer_costs->nsamples == 1 ? "" : "s");
	if (e->integer_costs->waiting) {
		flamegraph_format_amount(e, p->stacks->waiting, total);
		output_format(p->out, " · %s of waiting", total);
	}
	output_format(p->out, " · widths are %s, with all that is called",
		      e->integer_costs->timed ? "time" : e->integer_costs->counted);
}

/* Writes a line that explains the two families of colours. */
static void flamegraph_write_legend(struct flamegraph *p)
{
	static const struct {
		const char *class, *text;
		unsigned x;
	} legend[] = { { "c4", "on the CPU", 0 }, { "w0", "waiting, for most of its time", 110 } };

	for (size_t i = 0; i < sizeof(legend) / sizeof(legend[0]); i++) {
		unsigned x = MARGIN + legend[i].x;

		output_format(p->out,
			      "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"12\" height=\"12\"/>"
			      "<text class=\"facts\" x=\"%u\" y=\"%u\">%s</text>\n",
			      legend[i].class, x, p->head - LEGEND, x + 18, p->head - LEGEND + 11,
			      legend[i].text);
	}
}

static void flamegraph_write_head(struct flamegraph *p)
{
	const struct export_view *e = p->e;

	output_text(p->out, "<title>");
	quote_xml(p->out, e->title);
	output_format(
		p->out,
		"</title>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n<text class=\"name\" x=\"%d\" y=\"32\">",
		MARGIN);
	quote_xml(p->out, path_base(e->a->program->path));
	output_text(p->out, !e->joint             ? ""
			    : e->side == SIDE_NEW ? ": now, and before"
						  : ": before, and now");
	output_format(p->out, "</text>\n<text class=\"facts\" x=\"%d\" y=\"54\">", MARGIN);
	flamegraph_write_facts(p);
	output_text(p->out, "</text>\n");
	if (e->doubt) {
		output_format(p->out, "<text class=\"doubt\" x=\"%d\" y=\"%d\">", MARGIN, HEAD);
		quote_xml(p->out, e->doubt);
		output_text(p->out, "</text>\n");
	}
	if (p->stacks->estimated)
		output_format(p->out,
			      "<text class=\"mark\" x=\"%u\" y=\"32\">" EXPORT_MARK "</text>\n",
			      MARGIN + p->width);
}

static void flamegraph_draw_level(const struct export_view *e, unsigned width, bool icicle,
				  enum processstacks_level level, const char *const *template,
				  struct output *out)
{
	struct flamegraph p = {
		.e = e,
		.out = out,
		.width = width - 2 * MARGIN,
		.icicle = icicle,
	};
	struct frames frames;
	uint64_t least;
	unsigned height;

	if (!e->joint)
		p.processes = processstacks_make(e, level);
	p.stacks = e->joint ? &e->joint->side[e->side] : &p.processes.stacks;
	least = p.stacks->total / (2 * (uint64_t)p.width);
	frames = frames_make(p.stacks, least ? least : 1, e->mem);
	p.rows = p.stacks->total ? frames.depth + 2 : 1;
	p.legend = !e->joint && e->integer_costs->waiting;
	p.head = HEAD + (e->doubt ? DOUBT : 0) + (p.legend ? LEGEND : 0);
	height = p.head + ROW * p.rows + FOOT;
	template_write(&template, out);
	output_format(out, "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\"", p.width + 2 * MARGIN,
		      height, p.width + 2 * MARGIN, height);
	template_write(&template, out);
	if (e->joint) {
		const char *const *style = template_deltas;

		template_write(&style, out);
	}
	flamegraph_write_head(&p);
	if (p.legend)
		flamegraph_write_legend(&p);
	output_format(out, "<svg class=\"frames\" x=\"%d\" y=\"%d\" width=\"%u\" height=\"%u\">\n",
		      MARGIN, p.head, p.width, ROW * p.rows);
	if (p.stacks->total)
		flamegraph_write_frames(&p, &frames);
	output_format(out, "</svg>\n<text class=\"detail\" x=\"%d\" y=\"%u\"></text>\n", MARGIN,
		      p.head + ROW * p.rows + 24);
	output_format(out, "<text class=\"help\" x=\"%d\" y=\"%u\"></text>\n", MARGIN,
		      p.head + ROW * p.rows + 46);
	output_format(out, "<text class=\"found\" x=\"%u\" y=\"%u\"></text>\n", MARGIN + p.width,
		      p.head + ROW * p.rows + 46);
	template_write(&template, out);
}

void flamegraph_draw(const struct export_view *e, unsigned width, bool icicle,
		     const char *const *template, struct output *out)
{
	flamegraph_draw_level(e, width, icicle, PROCESSSTACKS_NONE, template, out);
}

static void flamegraph_write(const struct export_view *e, struct output *out)
{
	const struct keys_value *value = e->request->value;

	flamegraph_draw_level(
		e, (unsigned)value[EXPORT_WIDTH].count, value[EXPORT_SHAPE].count == ICICLE,
		(enum processstacks_level)value[EXPORT_LEVEL].count, template_flamegraph, out);
}

const struct exporter export_flamegraph = {
	.compares = true,
	.each_side = true,
	.write = flamegraph_write,
};
