/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that hosts of continuous integration show at the source line: GitHub's workflow commands,
 * which others read, too. A command begins a line with "::", and older runners look for "##[" and
 * "##vso[" anywhere in it, so names must not bring either with them. Linear.
 */
#include "config.h"

#include "export/slowdowns.h"

#include <inttypes.h>
#include <string.h>

/* GitHub shows ten of a step. A name of a template may be longer than any screen. */
enum { MOST_ANNOTATIONS = 10, MOST_TEXT = 400 };

/*
 * Writes a text so that it stays in its place: %, CR and LF, in properties also : and , as the
 * runner reads them; other control characters as blanks, and a blank behind each #.
 */
static void annotations_text(struct output *out, const char *text, bool property)
{
	const char *special = property ? "%\r\n:," : "%\r\n";
	size_t n = 0;

	for (; text[n] && n < MOST_TEXT; n++) {
		unsigned char c = (unsigned char)text[n];

		if (strchr(special, c))
			output_format(out, "%%%02X", c);
		else
			output_char(out, c < ' ' || c == 127 ? ' ' : (char)c);
		if (c == '#')
			output_char(out, ' ');
	}
	if (text[n])
		output_text(out, " ...");
}

static void annotations_one(const struct slowdown *one, struct output *out)
{
	static const char *const title[SLOWDOWN_KINDS] = {
		[SLOWDOWN_ANSWER] = "another answer",
		[SLOWDOWN_TOTAL] = "slower",
		[SLOWDOWN_FUNCTION] = "slower function",
	};

	output_text(out, one->kind == SLOWDOWN_ANSWER ? "::error " : "::warning ");
	if (one->file) {
		output_text(out, "file=");
		annotations_text(out, one->file, true);
		if (one->line > 0)
			output_format(out, ",line=%" PRIu32, one->line);
		output_char(out, ',');
	}
	output_format(out, "title=%s::", title[one->kind]);
	annotations_text(out, one->text, false);
	output_char(out, '\n');
}

static void annotations_write(const struct export_view *e, struct output *out)
{
	struct slowdowns list = slowdowns_list(e, MOST_ANNOTATIONS - 1);

	for (uint32_t i = 0; i < list.n; i++)
		annotations_one(&list.at[i], out);
	if (!list.verdict && list.more == 0)
		return;
	output_text(out, "::notice title=gprof::");
	if (list.verdict)
		annotations_text(out, list.verdict, false);
	if (list.more > 0)
		output_format(out, "%s%" PRIu32 " more slower function%s", list.verdict ? "; " : "",
			      list.more, list.more == 1 ? "" : "s");
	output_char(out, '\n');
}

const struct exporter export_annotations = {
	.compares = true,
	.compares_only = true,
	.write = annotations_write,
};
