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

/*
 * Adds the stacks in `bytes` to the sum. Returns 0; 1 with a warning if they are ignored; or -1
 * after an error message.
 */
static int ext_beside_add(struct profile_sum *sum, const struct file *bytes,
			  const struct ext_expected *expected)
{
	struct arena scratch = arena_scratch(sum->mem);
	struct recorded more;
	int rc = 1;

	if (ext_read(&more, bytes->bytes, expected, &scratch) == 0)
		rc = profile_sum_stacks(sum, &more, GMON_EXT_VERSION, &scratch) ? 0 : -1;
	if (rc < 0)
		diag_error(expected->diag, "%s: its call stacks make the sum too large",
			   expected->name);
	arena_free(&scratch);
	return rc;
}

/* The start of an open file of stacks, and what it is expected to be. */
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

	if (profile_stacks_any(&sum->prof.files.at[sum->prof.files.n - 1].stacks)) {
		rc = 0;
	} else if (lstat(name, &start.st) < 0 || !ext_beside_is_regular(path)) {
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
