/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads file names itself: libdw of Debian 12 would decode and sort all rows to get them, which
 * took two fifths of the instructions of gprof -A, and most of its memory.
 */
#include "config.h"

#include "io/image/line_files.h"

#include <dwarf.h>
#include <string.h>

/* The state of reading. */
struct line_files_reader {
	struct cursor c;
	const struct line_program *program;
	unsigned width;
	uint64_t *most;
	struct line_files *files;
	struct arena *mem;
};

/* The fields of each entry of a table of DWARF 5, in this order. */
struct line_files_format {
	size_t n;
	struct {
		uint64_t content, form;
	} field[UINT8_MAX];
};

static uint64_t line_files_uint(struct line_files_reader *r, unsigned nbytes)
{
	return cursor_uint(&r->c, nbytes, "a table of files");
}

static uint64_t line_files_uleb(struct line_files_reader *r)
{
	return cursor_uleb(&r->c, "a table of files");
}

/* Returns the string at the cursor, or NULL. */
static const char *line_files_text(struct line_files_reader *r)
{
	const unsigned char *text = r->c.start + r->c.at;
	const unsigned char *end = memchr(text, '\0', cursor_left(&r->c));

	if (!end)
		return NULL;
	r->c.at = (size_t)(end + 1 - r->c.start);
	return (const char *)text;
}

/* Returns the string that the offset at the cursor refers to, or NULL. */
static const char *line_files_text_of(struct line_files_reader *r, struct line_texts texts)
{
	uint64_t at = line_files_uint(r, r->width);

	if (r->c.failed || at >= texts.size ||
	    !memchr(texts.bytes + at, '\0', texts.size - (size_t)at))
		return NULL;
	return (const char *)texts.bytes + at;
}

/* Counts one entry; false if there may be no more. */
static bool line_files_count(struct line_files_reader *r)
{
	if (*r->most == 0)
		return false;
	--*r->most;
	return true;
}

static bool line_files_add(struct line_files_reader *r, const char *name, uint64_t directory)
{
	if (directory >= r->files->directories.n)
		return false;
	array_push(r->mem, &r->files->all) =
		(struct line_file){ name, r->files->directories.at[directory], NULL };
	return true;
}

/* DWARF 2 to 4: strings, up to an empty one; directory 0 is that of the compilation. */
static bool line_files_read_old(struct line_files_reader *r, const char *directory)
{
	const char *name;

	array_push(r->mem, &r->files->directories) = directory;
	while ((name = line_files_text(r)) && *name && line_files_count(r))
		array_push(r->mem, &r->files->directories) = name;
	if (!name || *name)
		return false;
	/* Files are numbered from 1. */
	array_push(r->mem, &r->files->all) = (struct line_file){ "???", NULL, NULL };
	while ((name = line_files_text(r)) && *name && line_files_count(r)) {
		uint64_t in = line_files_uleb(r);

		line_files_uleb(r); /* time of the file's last change */
		line_files_uleb(r); /* the file's size */
		if (!line_files_add(r, name, in))
			return false;
	}
	return name && !*name && !r->c.failed;
}

static void line_files_read_format(struct line_files_reader *r, struct line_files_format *format)
{
	format->n = line_files_uint(r, 1);
	for (size_t i = 0; i < format->n; i++) {
		format->field[i].content = line_files_uleb(r);
		format->field[i].form = line_files_uleb(r);
	}
}

/*
 * Reads the value of a field: a string or a number. Returns false if it is damaged or of another
 * form.
 */
static bool line_files_read_value(struct line_files_reader *r, uint64_t form, const char **text,
				  uint64_t *number)
{
	switch (form) {
	case DW_FORM_string:
		return (*text = line_files_text(r));
	case DW_FORM_line_strp:
		return (*text = line_files_text_of(r, r->program->line_str));
	case DW_FORM_strp:
		return (*text = line_files_text_of(r, r->program->str));
	case DW_FORM_udata:
		*number = line_files_uleb(r);
		break;
	case DW_FORM_data1:
		*number = line_files_uint(r, 1);
		break;
	case DW_FORM_data2:
		*number = line_files_uint(r, 2);
		break;
	case DW_FORM_data4:
		*number = line_files_uint(r, 4);
		break;
	case DW_FORM_data8:
		*number = line_files_uint(r, 8);
		break;
	case DW_FORM_data16:
		cursor_take(&r->c, 16, "a table of files");
		break;
	case DW_FORM_block:
		cursor_take(&r->c, line_files_uleb(r), "a table of files");
		break;
	default:
		return false;
	}
	return !r->c.failed;
}

/* An entry without a name is skipped. */
static bool line_files_read_entry(struct line_files_reader *r,
				  const struct line_files_format *format, const char **name,
				  uint64_t *directory)
{
	*name = NULL;
	*directory = 0;
	for (size_t i = 0; i < format->n; i++) {
		const char *text = NULL;
		uint64_t number = 0;

		if (!line_files_read_value(r, format->field[i].form, &text, &number))
			return false;
		if (format->field[i].content == DW_LNCT_path)
			*name = text;
		else if (format->field[i].content == DW_LNCT_directory_index)
			*directory = number;
	}
	return *name && line_files_count(r);
}

static bool line_files_read_5(struct line_files_reader *r)
{
	struct line_files_format format;
	uint64_t n, directory;
	const char *name;

	line_files_read_format(r, &format);
	for (n = line_files_uleb(r); n > 0; n--) {
		if (!line_files_read_entry(r, &format, &name, &directory))
			return false;
		array_push(r->mem, &r->files->directories) = name;
	}
	line_files_read_format(r, &format);
	for (n = line_files_uleb(r); n > 0; n--) {
		if (!line_files_read_entry(r, &format, &name, &directory) ||
		    !line_files_add(r, name, directory))
			return false;
	}
	return !r->c.failed;
}

bool line_files_read(struct line_files *files, const struct line_program *program,
		     const struct line_header *header, const char *directory, uint64_t *most,
		     struct arena *mem)
{
	struct diag silent = diag_silent(NULL);
	struct line_files_reader r = {
		.c = line_program_cursor(program, header->tables, header->code, &silent),
		.program = program,
		.width = header->width,
		.most = most,
		.files = files,
		.mem = mem,
	};

	files->all.n = 0;
	files->directories.n = 0;
	if (header->tables > header->code)
		return false;
	return header->version >= 5 ? line_files_read_5(&r) : line_files_read_old(&r, directory);
}
