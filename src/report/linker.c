/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A style consists of the text before and after a name, and the form of comments. Names contain no
 * blanks: see function_order.h. Sections are those of gcc's and clang's -ffunction-sections.
 */
#include "config.h"

#include "report/linker.h"

#include <inttypes.h>
#include <string.h>

/* Prefixes of a function's section, in the order in which linkers shall place them. */
static const char *const section_prefixes[] = { ".text.", ".text.hot.", ".text.startup.",
						".text.unlikely." };
enum { UNLIKELY = 3, SECTION_PREFIXES = sizeof(section_prefixes) / sizeof(section_prefixes[0]) };

static const struct linker_form {
	const char *name;
	const char *comment, *comment_end; /* NULL if the style has no comments */
	const char *before, *after;        /* text around the list */
	const char *open, *close; /* text around each name, or around a function's sections */
	bool sections;
} forms[LINKER_STYLES] = {
	[LINKER_LLD_CALLGRAPH] = { "lld-callgraph", "# ", "\n", "", "", "", "\n", false },
	[LINKER_SYMBOLS] = { "symbols", "# ", "\n", "", "", "", "\n", false },
	[LINKER_APPLE] = { "apple", "# ", "\n", "", "", "_", "\n", false },
	[LINKER_GOLD] = { "gold", NULL, NULL, "", "", "", "", true },
	[LINKER_LD] = { "ld", "/* ", " */\n", ".text :\n{\n", "}\n", "  *(", ")\n", true },
	[LINKER_LD_SCRIPT] = { "ld-script", "/* ", " */\n", "", "", "    *(", ")\n", true },
};

const char *linker_style_name(enum linker_style style)
{
	return forms[style].name;
}

static void linker_text(struct output *out, const char *text)
{
	output_name(out, text, strlen(text));
}

/* Writes a name from the user so that it cannot end the comment. */
static void linker_foreign(struct output *out, const char *text)
{
	for (const char *c = text; *c; c++) {
		bool ends = c[0] == '*' && c[1] == '/';

		if ((unsigned char)*c < ' ' || *c == 0x7f || ends)
			output_char(out, '?');
		else
			output_char(out, *c);
	}
}

static const char *linker_rule(enum function_order_rule rule)
{
	switch (rule) {
	case FUNCTION_ORDER_STARTUP:
		return "first calls, in their order (by=startup)";
	case FUNCTION_ORDER_TIME:
		return "samples for each byte (by=time)";
	default:
		return "callers near callees (by=calls)";
	}
}

static void linker_write_counts(const struct function_order *p, enum linker_style style,
				const struct linker_form *form, struct output *out)
{
	output_text(out, form->comment);
	if (style == LINKER_LLD_CALLGRAPH) {
		output_format(out, "caller callee calls: %zu pairs of functions", p->arcs.n);
		if (p->nleft_out > 0)
			output_format(out,
				      ", and %" PRIu64 " left out whose names others have, too",
				      p->nleft_out);
	} else {
		output_text(out, linker_rule(p->rule));
		output_format(out, ": %zu function%s of %" PRIu64 " bytes", p->rows.n,
			      p->rows.n == 1 ? "" : "s", p->bytes);
		if (p->nused < p->rows.n)
			output_format(out, ", the last %zu unused", p->rows.n - p->nused);
	}
	output_text(out, form->comment_end);
}

static void linker_write_head(const struct function_order *p, enum linker_style style,
			      const struct linker_head *head, struct output *out)
{
	const struct linker_form *form = &forms[style];

	if (!form->comment)
		return;
	output_text(out, form->comment);
	output_text(out, PACKAGE_STRING " --order=");
	output_text(out, form->name);
	output_text(out, " of ");
	linker_foreign(out, head->program);
	if (head->build_id) {
		output_text(out, ", build id ");
		output_text(out, head->build_id);
	}
	output_text(out, form->comment_end);
	linker_write_counts(p, style, form, out);
}

/* Writes an arc; lld reads signed numbers, so the number of calls is limited. */
static void linker_write_arc(const struct function_order_arc *arc, struct output *out)
{
	linker_text(out, arc->from);
	output_text(out, " ");
	linker_text(out, arc->to);
	output_text(out, " ");
	output_uint(out, arc->ncalls < INT64_MAX ? arc->ncalls : INT64_MAX, 0);
	output_text(out, "\n");
}

/*
 * Writes the sections of a function. The cold part of a function has the same section name as a
 * function that is cold as a whole.
 */
static void linker_write_sections(const struct function_order_row *row,
				  const struct linker_form *form, struct output *out)
{
	const char *between = form->comment ? " " : "\n";

	output_text(out, form->open);
	for (int i = 0; i < SECTION_PREFIXES; i++) {
		if (i == UNLIKELY && row->has_cold_part)
			continue;
		if (i > 0)
			output_text(out, between);
		output_text(out, section_prefixes[i]);
		linker_text(out, row->name);
	}
	output_text(out, form->comment ? form->close : "\n");
}

/*
 * Writes a name; if several functions share it, a comment says that the linker cannot know which
 * one is meant.
 */
static void linker_write_name(const struct function_order_row *row, const struct linker_form *form,
			      struct output *out)
{
	if (row->nalike > 1)
		output_format(out, "%s%" PRIu32 " functions are called ", form->comment,
			      row->nalike);
	output_text(out, form->open);
	linker_text(out, row->name);
	output_text(out, form->close);
}

void linker_write(const struct function_order *p, enum linker_style style,
		  const struct linker_head *head, struct output *out)
{
	const struct linker_form *form = &forms[style];

	linker_write_head(p, style, head, out);
	output_text(out, form->before);
	for (size_t i = 0; i < p->arcs.n; i++)
		linker_write_arc(&p->arcs.at[i], out);
	for (size_t i = 0; i < p->rows.n; i++) {
		const struct function_order_row *row = &p->rows.at[i];

		if (row->is_repeated)
			continue;
		if (form->sections)
			linker_write_sections(row, form, out);
		else
			linker_write_name(row, form, out);
	}
	output_text(out, form->after);
}
