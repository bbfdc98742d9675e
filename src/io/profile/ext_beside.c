/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/ext_beside.h"

#include "gmon_ext.h"
#include "io/profile/ext_read.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

const char *ext_beside_name(const char *path, struct arena *mem)
{
	size_t n = strlen(path);
	char *name = arena_array(mem, char, n + sizeof(GMON_EXT_SUFFIX));

	memcpy(name, path, n);
	memcpy(name + n, GMON_EXT_SUFFIX, sizeof(GMON_EXT_SUFFIX));
	return name;
}

static bool ext_beside_is_regular(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static struct profile_stacks ext_beside_count(const struct recorded *rec)
{
	struct profile_stacks n = {
		.version = GMON_EXT_VERSION,
		.nrecordings = rec->nfiles,
		.nlack = rec->nlack,
		.nmodules = rec->modules.n,
		.nthreads = rec->threads.n,
		.nkinds = rec->kinds.n,
		.nnodes = rec->nodes.n,
		.nsamples = rec->samples.n,
	};

	for (size_t i = 0; i < rec->samples.n; i++) {
		const struct recorded_sample *sample = &rec->samples.at[i];

		*(sample->kind == 0 ? &n.ticks[sample->quality] : &n.other_ticks) += sample->ticks;
	}
	return n;
}

/* Reads `bytes` into the sum. 0; 1 with a warning if they are not used; or -1. */
static int ext_beside_add(struct profile_sum *sum, const struct file *bytes,
			  const struct ext_expected *expected)
{
	struct profile *prof = &sum->prof;
	bool is_first = prof->recorded.nfiles == 0;
	struct arena scratch = arena_scratch(sum->mem);
	struct recorded more;
	int rc;

	if (ext_read(&more, bytes->bytes, expected, &scratch) < 0) {
		arena_free(&scratch);
		return 1;
	}
	prof->files.at[prof->files.n - 1].stacks = ext_beside_count(&more);
	if (is_first) {
		recorded_sum_begin(&prof->recorded, &more);
		arena_adopt(sum->mem, &scratch);
		return 0;
	}
	rc = recorded_sum_add(&prof->recorded, &sum->stacks, &more, sum->mem) ? 0 : -1;
	if (rc < 0)
		diag_error(expected->diag, "%s: makes the sum of stacks too large", expected->name);
	arena_free(&scratch);
	return rc;
}

/* A file that was opened, and what it has to be. */
struct ext_start {
	struct ext_expected expected;
	struct stat st;
};

static int ext_beside_check(const unsigned char *bytes, size_t n, void *arg)
{
	struct ext_start *start = arg;

	start->expected.size = (uint64_t)start->st.st_size;
	return ext_check(bytes, n, &start->expected);
}

int ext_beside_read(struct profile_sum *sum, const char *path, const struct file *profile,
		    struct diag *diag)
{
	struct arena scratch = arena_scratch(sum->mem);
	const char *name = ext_beside_name(path, &scratch);
	struct ext_start start = {
		.expected = { .target = &sum->prof.target, .name = name, .diag = diag }
	};
	struct ext_expected *expected = &start.expected;
	struct file bytes = { 0 };
	int rc = 1;

	if (lstat(name, &start.st) < 0 || !ext_beside_is_regular(path)) {
		recorded_sum_lack(&sum->prof.recorded, false);
	} else {
		expected->stamp = ext_stamp(GMON_EXT_STAMP_START, profile->bytes, profile->size);
		rc = file_read_named(&bytes, name, &start.st, ext_beside_check, &start);
		if (rc > 0)
			diag_warn(diag, "%s: %s: ignored", name,
				  rc == EINVAL ? "is empty, or no regular file" : strerror(rc));
		expected->size = bytes.size;
		rc = rc == 0 ? ext_beside_add(sum, &bytes, expected) : 1;
		if (rc > 0)
			recorded_sum_lack(&sum->prof.recorded, true);
	}
	file_free(&bytes);
	arena_free(&scratch);
	return rc < 0 ? -1 : 0;
}
