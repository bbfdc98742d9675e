/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The annotated source: each line of text after the counts of its code. */
#include "config.h"

#include "base/number.h"
#include "base/path.h"
#include "base/radix.h"
#include "report/timecolumns.h"
#include "report/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NOTE_WIDTH = 16, NOTE_BYTES = 64 };

struct annotator {
	const struct text *t;
	struct output *out;
	uint64_t total; /* executions of the file's lines */
	uint64_t last;  /* the latest count, used for code without a count */
	uint64_t nlines, nexecuted;
	struct timecolumns times;
};

/* A note being formatted; what exceeds its width is never shown. */
struct annotate_note {
	char text[NOTE_BYTES];
	size_t n;
	bool any;
	uint64_t sum;
};

static void annotate_note_text(struct annotate_note *note, const char *text)
{
	size_t len = strlen(text);

	if (len > NOTE_BYTES - note->n)
		len = NOTE_BYTES - note->n;
	memcpy(note->text + note->n, text, len);
	note->n += len;
}

static void annotate_note_count(struct annotate_note *note, uint64_t count)
{
	char digits[NUMBER_ROOM + 2], *at = digits;

	if (note->n > 0)
		*at++ = ',';
	*number_put(at, count, 0) = '\0';
	annotate_note_text(note, digits);
}

/* The executions of the line's symbols: calls, or counts of basic blocks. */
static void annotate_note_executions(struct annotator *an, const struct source_line *line,
				     struct annotate_note *note)
{
	const struct analysis *a = an->t->a;
	const struct sym *sym = &a->program->symtab.sym[line->first];
	bool all = an->t->opt->all_lines;
	uint32_t block = a->blocks.n ? a->blocks.start[line->first] : 0;
	uint32_t end = a->blocks.n ? a->blocks.start[line->first + 1] : 0;
	uint64_t entry = line->is_shared ? 0 : sym->lo, before = 0;
	bool has_before = false;

	if (sym->flags & SYM_FUNC)
		an->last = line->ncalls;
	if (sym->flags & SYM_FUNC || (all && block < end && a->blocks.pc[block] > entry)) {
		annotate_note_count(note, an->last);
		before = note->sum = an->last;
		has_before = note->any = true;
	}
	for (; block < end; block++) {
		an->last = a->blocks.count[block];
		note->sum += an->last;
		note->any = true;
		if (!all || !has_before || an->last != before)
			annotate_note_count(note, an->last);
		before = an->last;
		has_before = true;
	}
	if (all && !note->any) {
		annotate_note_count(note, an->last);
		note->sum = an->last;
		note->any = true;
	}
}

static bool annotate_is_hot(const struct annotator *an, const struct source_line *line)
{
	return text_is_hot((double)line->ncalls, (double)an->total);
}

/* The columns before a source line; `line` is NULL where there is no code. */
static void annotate_write_note(struct annotator *an, const struct source_line *line)
{
	struct annotate_note note = { .n = 0 };

	if (line) {
		an->nlines++;
		annotate_note_executions(an, line, &note);
	}
	if (!note.any) {
		output_blanks(an->out, NOTE_WIDTH);
		return;
	}
	an->nexecuted++;
	if (note.sum < an->t->opt->min_count) {
		note.n = 0;
		annotate_note_text(&note, "#####");
	}
	annotate_note_text(&note, " -> ");
	if (note.n > NOTE_WIDTH)
		note.n = NOTE_WIDTH;
	output_blanks(an->out, NOTE_WIDTH - note.n);
	if (annotate_is_hot(an, line))
		output_style(an->out, STYLE_HOT);
	output_bytes(an->out, note.text, note.n);
	if (annotate_is_hot(an, line))
		output_style(an->out, STYLE_PLAIN);
}

static void annotate_write_source(struct annotator *an, const struct source_file *file,
				  const struct source_text *text)
{
	size_t at = 0, next = 0;

	for (unsigned number = 1; at < text->size; number++) {
		const char *start = text->bytes + at;
		const char *newline = memchr(start, '\n', text->size - at);
		size_t len = newline ? (size_t)(newline + 1 - start) : text->size - at;
		bool has_code = next < file->nlines && file->line[next].line == number;

		timecolumns_line(&an->times, number, an->out);
		annotate_write_note(an, has_code ? &file->line[next] : NULL);
		next += has_code;
		output_foreign_text(an->out, start, len);
		at += len;
	}
}

/* The lines of the file, sorted by descending calls. */
static const struct keyed *annotate_order_lines(const struct source_file *file, struct arena *mem)
{
	struct keyed *order = arena_array(mem, struct keyed, file->nlines);

	for (uint32_t i = 0; i < file->nlines; i++)
		order[i] = (struct keyed){ ~file->line[i].ncalls, i };
	radix_sort_keyed(order, file->nlines, mem);
	return order;
}

static void annotate_write_busiest(struct annotator *an, const struct source_file *file,
				   const struct keyed *order)
{
	size_t length = (size_t)an->t->opt->table_length;

	output_text(an->out, "\n\n");
	output_style(an->out, STYLE_TITLE);
	output_format(an->out, "Top %zu Lines:", length);
	output_style(an->out, STYLE_PLAIN);
	text_heading(an->out, STYLE_COLUMNS, "\n\n     Line      Count\n\n");
	for (size_t i = 0; i < length && i < file->nlines; i++) {
		const struct source_line *line = &file->line[order[i].id];

		if (line->ncalls == 0)
			break;
		if (annotate_is_hot(an, line))
			output_style(an->out, STYLE_HOT);
		output_format(an->out, "%9u %10" PRIu64, line->line, line->ncalls);
		if (annotate_is_hot(an, line))
			output_style(an->out, STYLE_PLAIN);
		output_char(an->out, '\n');
	}
}

static void annotate_write_summary(struct annotator *an, const struct source_file *file)
{
	double nlines = (double)an->nlines;

	text_heading(an->out, STYLE_TITLE, "\nExecution Summary:\n\n");
	output_format(an->out, "%9" PRIu64 "   Executable lines in this file\n", an->nlines);
	output_format(an->out, "%9" PRIu64 "   Lines executed\n", an->nexecuted);
	output_format(an->out, "%9.2f   Percent of the file executed\n",
		      an->nlines ? 100.0 * (double)an->nexecuted / nlines : 100.0);
	output_format(an->out, "\n%9" PRIu64 "   Total number of line executions\n", file->ncalls);
	output_format(an->out, "%9.2f   Average executions per line\n",
		      an->nlines ? (double)file->ncalls / nlines : 0.0);
}

/* Must not allocate while a file of the set is open. */
static void annotate_file(struct annotator *an, const struct source_file *file,
			  const struct source_text *text, const struct keyed *order)
{
	an->nlines = an->nexecuted = 0;
	an->total = file->ncalls;
	timecolumns_head(&an->times, an->out);
	annotate_write_source(an, file, text);
	if (an->t->opt->table_length > 0)
		annotate_write_busiest(an, file, order);
	annotate_write_summary(an, file);
	timecolumns_tables(&an->times, an->out);
}

/* Writes to "NAME-ann" in the current directory; the set reports failures. */
static void annotate_apart(struct annotator *an, const struct source_file *file,
			   const struct source_text *text)
{
	struct output_set *set = an->t->view->files;
	struct arena scratch = arena_scratch(an->t->mem);
	const char *base = path_base(file->name);
	size_t size = strlen(base) + sizeof("-ann");
	char *name = arena_array(&scratch, char, size);
	const struct keyed *order = annotate_order_lines(file, &scratch);

	snprintf(name, size, "%s-ann", base);
	timecolumns_begin(&an->times, file->name, &scratch);
	an->out = set->open(set, name, file->name, text->rights);
	if (an->out) {
		annotate_file(an, file, text, order);
		set->close(set);
	}
	arena_free(&scratch);
}

void annotate_write(const struct text *t, struct output *out)
{
	const struct source_files *files = &t->a->sources;
	struct annotator an = { .t = t, .out = out, .times = timecolumns_make(t) };
	bool first = true;

	progress_count(t->progress, "annotated", "source files", files->n);
	for (size_t i = 0; i < files->n; i++) {
		const struct source_text *text = &t->view->sources[i];
		struct arena scratch = arena_scratch(t->mem);

		progress_at(t->progress, i);
		if (!text->bytes)
			continue;
		if (t->opt->separate_files) {
			annotate_apart(&an, &files->file[i], text);
			continue;
		}
		if (!first)
			output_text(out, "\n");
		/* Execution counts begin a page even if they list no function. */
		if (out->total == 0 && t->reports & REPORT_COUNTS)
			text_new_page(out);
		else
			text_page(out);
		first = false;
		output_style(out, STYLE_TITLE);
		output_text(out, "*** File ");
		output_name(out, files->file[i].name, strlen(files->file[i].name));
		output_char(out, ':');
		output_style(out, STYLE_PLAIN);
		output_char(out, '\n');
		timecolumns_begin(&an.times, files->file[i].name, &scratch);
		annotate_file(&an, &files->file[i], text,
			      annotate_order_lines(&files->file[i], &scratch));
		arena_free(&scratch);
	}
	timecolumns_rest(&an.times, out);
}
