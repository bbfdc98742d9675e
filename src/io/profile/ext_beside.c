/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/ext_beside.h"

#include "gmon_ext.h"
#include "io/profile/ext_name.h"
#include "io/profile/ext_read.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static int ext_beside_add(struct profile_sum *sum, const unsigned char *bytes,
			  const struct ext_expected *expected)
{
	struct arena scratch = arena_scratch(sum->mem);
	struct recorded more;
	int rc = 1;

	if (ext_read(&more, bytes, expected, &scratch) == 0)
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

struct ext_beside ext_beside_open(const char *path, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct ext_beside beside;

	beside.fd = file_open_named(ext_beside_name(path, &scratch), &beside.st);
	arena_free(&scratch);
	return beside;
}

uint64_t ext_beside_processes(const char *path, const struct arena *mem)
{
	enum { START = 4096 }; /* has the head and all of the table */
	struct ext_beside beside = ext_beside_open(path, mem);
	unsigned char start[START];
	ssize_t bytes;

	if (beside.fd < 0)
		return 0;
	bytes = pread(beside.fd, start, sizeof(start), 0);
	ext_beside_close(&beside);
	return bytes > 0 ? ext_listed_records(start, (size_t)bytes, EXT_PROCESSES) : 0;
}

void ext_beside_close(struct ext_beside *beside)
{
	if (beside->fd >= 0)
		close(beside->fd);
	beside->fd = -1;
}

/* Whether the open file has the stamp of the profile. */
static bool ext_beside_belongs(const struct ext_beside *beside, uint64_t stamp)
{
	unsigned char head[sizeof(struct gmon_ext_head)];

	return beside->fd >= 0 && pread(beside->fd, head, sizeof(head), 0) == sizeof(head) &&
	       ext_belongs(head, sizeof(head), stamp);
}

/* Opens another file in place of the open one, if it has the stamp. */
static bool ext_beside_take(struct ext_beside *beside, const char *name, uint64_t stamp)
{
	struct ext_beside other;

	other.fd = file_open_named(name, &other.st);
	if (!ext_beside_belongs(&other, stamp)) {
		ext_beside_close(&other);
		return false;
	}
	ext_beside_close(beside);
	*beside = other;
	return true;
}

/*
 * Finds the file of the profile with this stamp, unless it is the open one. What is waiting may
 * have got its name just now: then there is nothing to say.
 */
static void ext_beside_find(struct ext_beside *beside, const char *name, uint64_t stamp,
			    struct arena *mem, struct diag *diag)
{
	char *waiting = ext_name_room(name, mem);

	if (ext_beside_belongs(beside, stamp))
		return;
	ext_name_waiting(waiting, name, stamp);
	if (ext_beside_take(beside, waiting, stamp) && !ext_beside_take(beside, name, stamp))
		diag_warn(
			diag,
			"%s: call stacks are taken from %s: whoever wrote it is about to rename it, or "
			"was killed before; then this puts it right: mv %s %s",
			name, waiting, waiting, name);
	else
		ext_beside_take(beside, name, stamp);
}

/*
 * Reads the file that is open or, to find out why none is, that of the name. Returns 0, or 1 if it
 * is ignored, with a warning.
 */
static int ext_beside_bytes(struct file *bytes, struct ext_beside *beside, struct ext_start *start)
{
	struct ext_expected *expected = &start->expected;
	int rc;

	start->st = beside->st;
	if (beside->fd >= 0)
		rc = file_read_opened(bytes, beside->fd, &start->st, ext_beside_check, start);
	else
		rc = file_read_named(bytes, expected->name, &start->st, ext_beside_check, start);
	beside->fd = -1;
	expected->size = bytes->size;
	if (rc > 0)
		diag_warn(expected->diag, "%s: %s: ignored", expected->name,
			  rc == EINVAL ? "is empty, or no regular file" : strerror(rc));
	return rc == 0 ? 0 : 1;
}

int ext_beside_read(struct profile_sum *sum, const char *path, const struct file *profile,
		    struct ext_beside *beside, struct diag *diag)
{
	struct arena scratch = arena_scratch(sum->mem);
	const char *name = ext_beside_name(path, &scratch);
	struct ext_start start = {
		.expected = { .target = &sum->prof.target, .name = name, .diag = diag }
	};
	struct ext_expected *expected = &start.expected;
	struct file bytes = { 0 };
	int there = -1, rc = 0;

	if (!profile_stacks_any(&sum->prof.files.at[sum->prof.files.n - 1].stacks)) {
		if (lstat(name, &start.st) == 0 && ext_beside_is_regular(path)) {
			expected->stamp =
				ext_stamp(GMON_EXT_STAMP_START, profile->bytes, profile->size);
			ext_beside_find(beside, name, expected->stamp, &scratch, diag);
			there = ext_beside_bytes(&bytes, beside, &start);
		}
		rc = there == 0 ? ext_beside_add(sum, bytes.bytes, expected) : 1;
		if (rc > 0)
			recorded_sum_lack(&sum->prof.recorded, there >= 0);
	}
	ext_beside_close(beside);
	file_free(&bytes);
	arena_free(&scratch);
	return rc < 0 ? -1 : 0;
}

int ext_beside_take_given(struct profile_sum *sum, const struct ext_given *given, struct diag *diag)
{
	const struct ext_expected expected = {
		.target = &sum->prof.target,
		.stamp = ext_stamp(GMON_EXT_STAMP_START, given->profile, given->profile_size),
		.size = given->size,
		.name = given->name,
		.diag = diag,
	};
	int rc = 1;

	if (given->size > 0)
		rc = ext_beside_add(sum, given->bytes, &expected);
	if (rc > 0)
		recorded_sum_lack(&sum->prof.recorded, given->size > 0);
	return rc < 0 ? -1 : 0;
}
