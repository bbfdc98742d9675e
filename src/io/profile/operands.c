/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the data files in directories. */
#include "config.h"

#include "io/profile/operands.h"

#include "io/profile/ext_name.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int operand_compare_paths(const void *x, const void *y)
{
	const struct data_file *a = x, *b = y;

	return strcmp(a->path, b->path);
}

/* Whether the name is gmon.sum, or that of a temporary file that writing gmon.sum left behind. */
static bool operand_is_sum(const char *name)
{
	static const char sum[] = "gmon.sum";
	size_t n = sizeof(sum) - 1;

	return strncmp(name, sum, n) == 0 && (name[n] == '\0' || name[n] == '.');
}

/* If a name ends in digits before *end, moves *end to the first of them and returns true. */
static bool operand_skip_digits(const char *name, size_t *end)
{
	size_t was = *end;

	while (*end > 0 && name[*end - 1] >= '0' && name[*end - 1] <= '9')
		--*end;
	return *end < was;
}

static int operand_compare_names(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Whether a name is one of stacks beside one of n sorted names, as when the user says "prof.*". */
static bool operand_is_beside(const char *name, const char *const *sorted, size_t n,
			      const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const char *profile;
	size_t length = ext_name_profile(name);
	bool found = false;

	if (length > 0) {
		profile = arena_strndup(&scratch, name, length);
		found = bsearch(&profile, sorted, n, sizeof(*sorted), operand_compare_names);
	}
	arena_free(&scratch);
	return found;
}

/*
 * Whether the name is NAME.PID.tmp or NAME.PID-N.tmp: libgmon is writing that file, or was killed
 * while it did.
 */
static bool operand_is_unfinished(const char *name)
{
	static const char suffix[] = ".tmp";
	size_t end = strlen(name);

	if (end <= sizeof(suffix) || strcmp(name + end - (sizeof(suffix) - 1), suffix) != 0)
		return false;
	end -= sizeof(suffix) - 1;
	if (!operand_skip_digits(name, &end))
		return false;
	if (end > 0 && name[end - 1] == '-') {
		end--;
		if (!operand_skip_digits(name, &end))
			return false;
	}
	return end > 1 && name[end - 1] == '.';
}

static const char *operand_path(const char *dir, const char *name, struct arena *mem)
{
	size_t ndir = strlen(dir), nname = strlen(name);
	char *path = arena_array(mem, char, ndir + nname + 2);

	memcpy(path, dir, ndir);
	if (dir[ndir - 1] != '/')
		path[ndir++] = '/';
	memcpy(path + ndir, name, nname);
	return path;
}

/* Counts an unfinished file, and keeps the first by name, since directories have no order. */
static void operand_add_unfinished(struct operand *op, const char *name, struct arena *mem)
{
	const char *path = operand_path(op->path, name, mem);

	if (op->nunfinished++ == 0 || strcmp(path, op->unfinished) < 0)
		op->unfinished = path;
}

/* Returns DT_REG, DT_DIR, or another type of file; links are followed. */
static int operand_kind(DIR *dir, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
		return entry->d_type;
	if (fstatat(dirfd(dir), entry->d_name, &st, 0) < 0)
		return DT_UNKNOWN;
	return S_ISREG(st.st_mode) ? DT_REG : S_ISDIR(st.st_mode) ? DT_DIR : DT_UNKNOWN;
}

/* Lists the directory. Returns 0 or an errno. */
static int operand_list_directory(struct data_files *files, struct operand *op, struct arena *mem)
{
	DIR *dir = opendir(op->path);
	const struct dirent *entry;
	int error;

	if (!dir)
		return errno;
	while (errno = 0, (entry = readdir(dir))) {
		int kind = operand_kind(dir, entry);

		if (ext_name_profile(entry->d_name) > 0) /* it is read with its data file */
			continue;
		if (kind == DT_REG && operand_is_sum(entry->d_name))
			op->has_sum = true;
		else if (kind == DT_REG && operand_is_unfinished(entry->d_name))
			operand_add_unfinished(op, entry->d_name, mem);
		else if (kind == DT_REG)
			array_push(mem, &files->list) =
				(struct data_file){ operand_path(op->path, entry->d_name, mem),
						    true };
		else if (kind != DT_DIR)
			op->nothers++;
	}
	error = errno;
	closedir(dir);
	if (files->list.n > op->first)
		qsort(files->list.at + op->first, files->list.n - op->first,
		      sizeof(files->list.at[0]), operand_compare_paths);
	return error;
}

int operands_expand(struct data_files *files, const char *const *operands, size_t n,
		    struct arena *mem, struct diag *diag)
{
	const char **sorted = arena_array(mem, const char *, n);

	*files = (struct data_files){ .all_regular = true };
	memcpy(sorted, operands, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), operand_compare_names);
	for (size_t i = 0; i < n; i++) {
		bool is_stdin = strcmp(operands[i], "-") == 0;
		struct operand *op;
		struct stat st;
		int error = 0;

		if (operand_is_beside(operands[i], sorted, n, mem))
			continue;
		op = &array_push(mem, &files->operands);
		op->path = operands[i];
		op->first = files->list.n;
		if (is_stdin || stat(op->path, &st) < 0)
			st.st_mode = 0;
		op->is_directory = S_ISDIR(st.st_mode);
		if (op->is_directory)
			error = operand_list_directory(files, op, mem);
		else
			array_push(mem, &files->list) = (struct data_file){ op->path, false };
		op->end = files->list.n;
		files->all_regular &= op->is_directory || S_ISREG(st.st_mode);
		if (error) {
			diag_error(diag, "%s: %s", op->path, strerror(error));
			return -1;
		}
	}
	return 0;
}
