/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: data files of every format.
 *
 * Input: a byte that says for which machine (its lower two bits: 64 bits little endian, 64 big, 32
 * little, 32 big; the next: addresses are sign-extended), a byte that says the format, 'a'ny,
 * 'm'agic, 'b'sd, '4'.4bsd or 'l'ive, and the file. A live file has pages of 64 KiB; here each of
 * its pages is LIVE_PIECE bytes, and the rest is zero.
 *
 * The file is read alone and then once more behind itself, as of two runs. What is read can be
 * written, and what is written can be read and written again, to the same bytes.
 */
#include "config.h"

#include "fuzz.h"

#include "gmon_live.h"
#include "io/file.h"
#include "io/profile/gmon_write.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIVE_PIECE = 512 };

/* What gmon_print() makes of a profile; nothing if it refuses to write that many records. */
static struct file print(const struct profile *prof, const struct arena *mem, struct diag *diag)
{
	int fd = memory_file("", 0);
	struct file file = { 0 };
	struct output out;
	char path[FD_PATH];

	output_open(&out, fd, "memory", diag);
	fd_path(path, fd);
	if (gmon_print(prof, GMON_ANY, &out, mem) == 0 &&
	    (output_close(&out) < 0 || file_read(&file, path, NULL, NULL, diag) < 0))
		finding("a profile that cannot be written");
	close(fd);
	return file;
}

/* Reads a file `times` over. 0, or -1. */
static int read_profile(struct profile *prof, enum gmon_format format, const struct file *file,
			int times, struct arena *mem, struct diag *diag)
{
	struct profile_sum sum = { .prof.target = prof->target, .mem = mem };
	int rc = gmon_check(&prof->target, format, file->bytes, file->size, "gmon.out", diag);
	bool begins_well = rc == 0;
	unsigned nerrors = diag->nerrors;

	for (int i = 0; i < times && rc == 0; i++)
		rc = gmon_read(&sum, format, file->bytes, file->size, "gmon.out", diag);
	if (!begins_well) {
		if (gmon_read(&sum, format, file->bytes, file->size, "gmon.out", diag) == 0)
			finding("a file that does not begin well and is read");
	} else if ((rc < 0) != (diag->nerrors > nerrors)) {
		finding("an error without a message, or a message without an error");
	}
	*prof = profile_sum_end(&sum);
	return rc;
}

static void check_printed(const struct profile *prof, struct arena *mem, struct diag *diag)
{
	struct profile again = { .target = prof->target };
	struct file first = print(prof, mem, diag), second;

	if (!first.bytes)
		return;
	if (read_profile(&again, GMON_CURRENT, &first, 1, mem, diag) < 0)
		finding("a profile that was written and cannot be read");
	second = print(&again, mem, diag);
	if (first.size != second.size || memcmp(first.bytes, second.bytes, first.size) != 0)
		finding("a profile that changes when it is read and written");
	file_free(&first);
	file_free(&second);
}

static struct file make_file(const uint8_t *data, size_t size, bool is_live)
{
	size_t npieces = (size + LIVE_PIECE - 1) / LIVE_PIECE;
	struct file file = { .size = is_live ? npieces * GMON_LIVE_PAGE : size };

	file.bytes = calloc(1, file.size + 1);
	if (!file.bytes)
		finding_no_memory(NULL);
	for (size_t i = 0; is_live && i < npieces; i++)
		memcpy(file.bytes + i * GMON_LIVE_PAGE, data + i * LIVE_PIECE,
		       i + 1 < npieces ? LIVE_PIECE : size - i * LIVE_PIECE);
	if (!is_live && size > 0)
		memcpy(file.bytes, data, size);
	return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag diag = { .program = "gprof", .sink = ignore_line };
	enum gmon_format format = GMON_ANY;
	struct file file;

	if (size < 2)
		return 0;
	if (data[1] == 'm' || data[1] == 'l')
		format = GMON_CURRENT;
	else if (data[1] == 'b')
		format = GMON_BSD;
	else if (data[1] == '4')
		format = GMON_BSD44;
	file = make_file(data + 2, size - 2, data[1] == 'l');
	for (int times = 1; times <= 2; times++) {
		struct arena mem = { .no_memory = finding_no_memory };
		struct profile prof = {
			.target = { .ptr_size = data[0] & 2 ? 4 : 8,
				    .big_endian = data[0] & 1,
				    .sign_extend = (data[0] & 4) != 0 },
		};

		if (read_profile(&prof, format, &file, times, &mem, &diag) == 0)
			check_printed(&prof, &mem, &diag);
		arena_free(&mem);
	}
	file_free(&file);
	return 0;
}
