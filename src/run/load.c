/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading in order: the image's symbols and lines, then each data file. */
#include "config.h"

#include "run/load.h"

#include "io/file.h"
#include "io/image/callscan.h"
#include "io/image/evidence.h"
#include "io/image/limits.h"
#include "io/image/linetable.h"
#include "io/lists.h"
#include "io/profile/bbout.h"
#include "io/profile/gmon_write.h"
#include "io/profile/profiles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Reads lines from the image or from its separate debug file; false if neither has what libdw can
 * read.
 */
static bool read_lines(struct line_table *table, const struct image *image, const char *path,
		       struct line_request *request, struct strtable *names, struct arena *mem)
{
	const char *debug_path;

	if (!image_is_linked(image))
		return false;
	progress_step(request->progress, "reading line tables", 0);
	request->code = image_code_ranges(image, &request->ncode, mem);
	if (line_table_read(table, path, request, names, mem))
		return true;
	debug_path = image_debug_path(image, mem);
	return debug_path && line_table_read(table, debug_path, request, names, mem);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct code_range *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

/* Asks about every byte of code. */
static struct line_table walk_lines(struct image *image, struct strtable *names,
				    struct progress *progress, struct arena *mem)
{
	ARRAY(struct line_row) rows = { 0 };
	struct line_row last = { 0 };
	size_t ncode;
	const struct code_range *given = image_code_ranges(image, &ncode, mem);
	struct code_range *code = arena_array(mem, struct code_range, ncode);
	uint64_t pc = 0, total = 0, done = 0;

	if (ncode > 0)
		memcpy(code, given, ncode * sizeof(*code));
	qsort(code, ncode, sizeof(*code), compare_ranges);
	for (size_t i = 0; i < ncode; i++)
		total += code[i].hi - code[i].lo;
	progress_step(progress, "looking up source lines", total);
	for (size_t i = 0; i < ncode; i++) {
		if (pc < code[i].lo)
			pc = code[i].lo;
		for (; pc < code[i].hi; pc++) {
			struct line_row row = image_line(image, pc, names);

			progress_at(progress, done++);
			if (row.file != last.file || row.function != last.function ||
			    row.line != last.line)
				array_push(mem, &rows) = row;
			last = row;
		}
		last = (struct line_row){ .pc = pc };
		array_push(mem, &rows) = last;
	}
	return (struct line_table){ rows.at, rows.n };
}

static bool is_code(const struct image *image, uint64_t pc, struct arena *mem)
{
	size_t ncode;
	const struct code_range *code = image_code_ranges(image, &ncode, mem);

	return code_has(code, ncode, pc);
}

/* Symbols and rows ascend, so nothing is searched. */
static void locate(struct location *locations, const struct symtab *symtab,
		   const struct line_table *lines, const struct bitset *wanted)
{
	size_t behind = 0; /* the first row above the symbol */

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (wanted && !bitset_has(*wanted, s))
			continue;
		while (behind < lines->nrows && lines->row[behind].pc <= symtab->sym[s].lo)
			behind++;
		if (behind > 0)
			locations[s] = (struct location){ lines->row[behind - 1].file,
							  lines->row[behind - 1].line };
	}
}

/*
 * Adds the lines to the table of functions. A last symbol that holds no code, mostly data_start,
 * has never been in it.
 */
static int load_lines(struct program *prog, struct image *image, struct arena *mem,
		      struct diag *diag)
{
	const struct image_choice all = { .all = true };
	const struct object_map no_objects = { 0 };
	struct symtab labels, functions = prog->symtab;
	struct line_request request = { .labels = &labels, .progress = diag->progress };
	struct strtable names = { .mem = mem };
	struct arena scratch = arena_scratch(mem);
	struct line_table lines = { NULL, 0 };
	struct location *locations;

	if (image_symtab(image, &all, &no_objects, &labels, mem, diag) < 0)
		return -1;
	if (functions.nsyms > 1 && !is_code(image, functions.sym[functions.nsyms - 1].lo, mem))
		functions.nsyms--;

	if (!read_lines(&lines, image, prog->path, &request, &names, &scratch) &&
	    image_has_lines(image))
		lines = walk_lines(image, &names, diag->progress, &scratch);
	prog->symtab = symtab_add_lines(&functions, &labels, &lines, mem);
	locations = arena_array(mem, struct location, prog->symtab.nsyms);
	locate(locations, &prog->symtab, &lines, NULL);
	prog->locations = locations;
	arena_free(&scratch);
	return 0;
}

/* What a reader of the reports would otherwise have to guess. */
static void warn_about(const struct profile *prof, bool by_line, struct diag *diag)
{
	const char *last = prof->files.at[prof->files.n - 1].name;
	uint64_t nblocks = 0;

	for (size_t i = 0; i < prof->files.n; i++)
		nblocks += prof->files.at[i].nblocks;
	if (nblocks > 0 && !by_line)
		diag_warn(diag, "%s: basic-block counts are ignored without -l", last);
	if (prof->has_hists && prof->unit.rate == 0)
		diag_warn(diag, "%s: no sampling rate recorded: times are in ticks, not seconds",
			  last);
}

static int load_symtab(struct program *prog, struct image *image, const struct input_options *input,
		       struct arena *mem, struct diag *diag)
{
	progress_step(diag->progress, "reading symbols", 0);
	if (input->mapfile && lists_read_objects(&prog->objects, input->mapfile, mem, diag) < 0)
		return -1;
	prog->listed = input->symfile;
	if (prog->listed)
		return lists_read_symbols(&prog->symtab, input->symfile, image_text_end(image), mem,
					  diag);
	return image_symtab(image, &input->symbols, &prog->objects, &prog->symtab, mem, diag);
}

static int load_calls(struct program *prog, struct image *image, const struct input_options *input,
		      struct arena *mem, struct diag *diag)
{
	struct image_choice choice = input->symbols;
	struct arena scratch = arena_scratch(mem);
	struct code code;
	struct limits limits;
	int rc;

	progress_step(diag->progress, "reading the code", 0);
	/* What a list leaves out is no matter of names. */
	choice.all = choice.all || prog->listed;
	limits = limits_begin(prog->path);
	rc = image_code(image, &choice, &code, &scratch, diag);
	limits_end(&limits);
	if (rc == 0 && code.nsections > 0)
		prog->calls = callscan(&code, &prog->symtab, prog->path, mem, diag);
	arena_free(&scratch);
	return rc;
}

/*
 * What a program that was killed left behind is better than nothing; beside an older profile it is
 * worth a word.
 */
static const char *find_profile(const char *ended, struct diag *diag)
{
	static const char live[] = "gmon.out.live";
	struct stat a, b;
	bool has_live = stat(live, &b) == 0;
	bool has_ended = stat(ended, &a) == 0;

	if (has_live && !has_ended && errno == ENOENT) {
		diag_note(diag, "there is no %s: reading %s, of a program that runs or was killed",
			  ended, live);
		return live;
	}
	if (has_live && has_ended && file_is_newer(&b, &a))
		diag_warn(diag, "%s is newer than %s, which is read", live, ended);
	return ended;
}

static int load_profiles(struct profile *prof, const struct input_options *input, struct arena *mem,
			 struct diag *diag)
{
	const char *found;

	if (input->profile_named)
		return profiles_read(prof, input->profiles, (size_t)input->nprofiles, input->format,
				     mem, diag);
	found = find_profile(input->profiles[0], diag);
	return profiles_read(prof, &found, 1, input->format, mem, diag);
}

/* What libbfd and libdw read of the program: symbols and lines first, calls later. */
static int load_program(struct program *prog, struct image *image,
			const struct input_options *input, struct arena *mem, struct diag *diag)
{
	struct limits limits = limits_begin(input->image);
	int rc = load_symtab(prog, image, input, mem, diag);

	if (rc == 0 && prog->by_line && !prog->listed)
		rc = load_lines(prog, image, mem, diag);
	limits_end(&limits);
	return rc;
}

int load(struct program *prog, struct profile *prof, struct image *image,
	 const struct input_options *input, struct arena *mem, struct diag *diag)
{
	*prog = (struct program){ .path = input->image,
				  .target = image_target(image),
				  .by_line = input->by_line };
	*prof = (struct profile){ .target = prog->target };
	if (load_program(prog, image, input, mem, diag) < 0)
		return -1;
	if (load_profiles(prof, input, mem, diag) < 0)
		return -1;
	if (input->static_calls && load_calls(prog, image, input, mem, diag) < 0)
		return -1;
	warn_about(prof, prog->by_line, diag);
	return 0;
}

int load_functions(struct program *prog, struct image *image, const struct input_options *input,
		   struct arena *mem, struct diag *diag)
{
	*prog = (struct program){ .path = input->image, .target = image_target(image) };
	return load_program(prog, image, input, mem, diag);
}

/* A file that was not named may have been left by a program that was killed. */
const char *load_missing(const struct input_options *input)
{
	const char *missing = evidence_missing(input->profiles, (size_t)input->nprofiles);

	return !input->profile_named && access("gmon.out.live", F_OK) == 0 ? NULL : missing;
}

int load_some(struct program *prog, struct profile *prof, bool has_files, struct image *image,
	      const struct input_options *input, struct arena *mem, struct diag *diag)
{
	struct input_options functions = *input;

	functions.by_line = false;
	if (!input->symfile && image_is_stripped(image))
		*prog = (struct program){ .path = input->image, .target = image_target(image) };
	else if (load_functions(prog, image, &functions, mem, diag) < 0)
		return -1;
	*prof = (struct profile){ .target = prog->target };
	return has_files ? load_profiles(prof, input, mem, diag) : 0;
}

struct profile load_moved(const struct profile *prof, const struct image *image,
			  const struct input_options *input, struct arena *mem)
{
	uint64_t base = input->has_image_base ? image_base(image) : 0;

	return input->image_base == base ? *prof
					 : profile_moved(prof, input->image_base - base, mem);
}

int save_sum(const struct profile *prof, const struct input_options *input, const struct arena *mem,
	     struct diag *diag)
{
	return gmon_write(prof, input->format, "gmon.sum", mem, diag);
}

int convert_blocks(const struct input_options *input, struct output *out, struct arena *mem,
		   struct diag *diag)
{
	struct profile prof = {
		.target = { .ptr_size = sizeof(void *),
			    .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ },
	};
	struct file file = { 0 };
	int rc;

	if (input->image_named) {
		struct image *image = image_open(input->image, diag);

		if (!image)
			return -1;
		prof.target = image_target(image);
		image_close(image);
	}
	if (file_read(&file, "-", NULL, NULL, diag) < 0)
		return -1;
	rc = bbout_read(&prof, (const char *)file.bytes, file.size, "-", mem, diag);
	if (rc == 0)
		rc = gmon_print(&prof, out, mem);
	file_free(&file);
	return rc;
}

/* Asks about each symbol. */
static void ask_locations(struct location *locations, struct image *image,
			  const struct symtab *symtab, const struct bitset *wanted,
			  struct progress *progress, struct strtable *names)
{
	progress_step(progress, "looking up source lines", symtab->nsyms);
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		progress_at(progress, s);
		if (!wanted || bitset_has(*wanted, s)) {
			struct line_row row = image_line(image, symtab->sym[s].lo, names);

			locations[s] = (struct location){ row.file, row.line };
		}
	}
}

const struct location *load_locations(struct image *image, const struct program *prog,
				      const struct bitset *wanted, struct progress *progress,
				      struct arena *mem)
{
	const struct symtab *symtab = &prog->symtab;
	struct arena scratch = arena_scratch(mem);
	struct location *locations;
	struct line_request request = { .pc = NULL, .progress = progress };
	struct strtable names = { .mem = mem };
	struct line_table lines = { NULL, 0 };
	struct limits limits;
	uint64_t *pc;

	if (prog->locations)
		return prog->locations;
	locations = arena_sparse(mem, symtab->nsyms, sizeof(*locations));
	if (prog->listed)
		return locations;
	request.pc = pc = arena_sparse(&scratch, symtab->nsyms, sizeof(*pc));
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (!wanted || bitset_has(*wanted, s))
			pc[request.npcs++] = symtab->sym[s].lo;
	}
	limits = limits_begin(prog->path);
	if (request.npcs == 0 || read_lines(&lines, image, prog->path, &request, &names, &scratch))
		locate(locations, symtab, &lines, wanted);
	else
		ask_locations(locations, image, symtab, wanted, progress, &names);
	limits_end(&limits);
	arena_free(&scratch);
	return locations;
}

const struct source_text *load_sources(const struct source_files *files, bool zeros,
				       const string_array *path, struct arena *mem,
				       struct diag *diag)
{
	struct source_text *texts = arena_array(mem, struct source_text, files->n);

	progress_count(diag->progress, "read", "source files", files->n);
	for (size_t i = 0; i < files->n; i++) {
		progress_at(diag->progress, i);
		if (source_is_listed(&files->file[i], zeros))
			texts[i] = source_read(files->file[i].name, path, mem, diag);
	}
	return texts;
}
