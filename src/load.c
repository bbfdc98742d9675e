/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading in order: the image's symbols, then each data file. */
#include "config.h"

#include "load.h"

#include "io/file.h"
#include "io/gmon_read.h"

static int load_profile(struct profile *prof, const char *path, struct arena *mem,
			struct diag *diag)
{
	struct file file;
	int rc;

	if (file_read(&file, path, diag) < 0)
		return -1;
	rc = gmon_read(prof, file.bytes, file.size, path, mem, diag);
	file_free(&file);
	return rc;
}

/* What a reader of the reports would otherwise have to guess. */
static void warn_about(const struct profile *prof, struct diag *diag)
{
	const char *last = prof->files.at[prof->files.n - 1].name;
	uint64_t nblocks = 0;

	for (size_t i = 0; i < prof->files.n; i++)
		nblocks += prof->files.at[i].nblocks;
	if (nblocks > 0)
		diag_warn(diag, "%s: basic-block counts are ignored", last);
	if (prof->has_hists && prof->unit.rate == 0)
		diag_warn(diag, "%s: no sampling rate recorded: times are in ticks, not seconds",
			  last);
}

int load(struct program *prog, struct profile *prof, struct image *image,
	 const struct input_options *input, struct arena *mem, struct diag *diag)
{
	*prog = (struct program){ .path = input->image, .target = image_target(image) };
	*prof = (struct profile){ .target = prog->target };
	if (image_symtab(image, &input->symbols, &prog->symtab, mem, diag) < 0)
		return -1;
	for (int i = 0; i < input->nprofiles; i++) {
		if (load_profile(prof, input->profiles[i], mem, diag) < 0)
			return -1;
	}
	warn_about(prof, diag);
	return 0;
}

const struct location *load_locations(struct image *image, const struct symtab *symtab,
				      struct bitset wanted, struct arena *mem)
{
	struct location *locations = arena_array(mem, struct location, symtab->nsyms);

	for (sym_id s = 0; s < symtab->nsyms; s++) {
		if (bitset_has(wanted, s))
			locations[s] = image_location(image, symtab->sym[s].lo, mem);
	}
	return locations;
}
