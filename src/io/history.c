/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/history.h"

#include "io/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int history_refuse(const char *path, const char *why, struct diag *diag)
{
	diag_error(diag, "%s: %s", path, why);
	return -1;
}

/* Whether nothing but a history is in the file. */
static int history_check(int fd, const char *path, struct diag *diag)
{
	static const char mark[] = HISTORY_MARK;
	char start[sizeof(mark) - 1];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return history_refuse(path, strerror(errno), diag);
	if (!S_ISREG(st.st_mode))
		return history_refuse(path, "is not a regular file, so no history is kept there",
				      diag);
	n = pread(fd, start, sizeof(start), 0);
	if (n < 0)
		return history_refuse(path, strerror(errno), diag);
	if (n > 0 && (n < (ssize_t)sizeof(start) || memcmp(start, mark, sizeof(start)) != 0))
		return history_refuse(
			path, "is another file, not a history, so nothing is appended to it", diag);
	return 0;
}

int history_open(const char *path, struct diag *diag)
{
	int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);

	if (fd < 0)
		return history_refuse(path, strerror(errno), diag);
	if (history_check(fd, path, diag) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Appends all bytes, or none. 0, or an error number. */
static int history_write(int fd, off_t end, const char *bytes, size_t n)
{
	size_t done = 0;
	int error;

	while (done < n) {
		ssize_t written = write(fd, bytes + done, n - done);

		if (written > 0) {
			done += (size_t)written;
		} else if (written == 0 || errno != EINTR) {
			error = written == 0 ? ENOSPC : errno;
			return ftruncate(fd, end) < 0 ? errno : error;
		}
	}
	return 0;
}

int history_append(int fd, const char *path, const char *line, size_t n, struct diag *diag)
{
	char bytes[HISTORY_MOST_LINE + 2];
	char last = '\n';
	size_t size = 0;
	off_t end;
	int error = 0;

	if (n > HISTORY_MOST_LINE)
		return history_refuse(path, "the line is too long", diag);
	while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
		;
	end = lseek(fd, 0, SEEK_END);
	if (end < 0 || (end > 0 && pread(fd, &last, 1, end - 1) != 1))
		error = errno ? errno : EIO;
	if (last != '\n')
		bytes[size++] = '\n';
	memcpy(bytes + size, line, n);
	size += n;
	bytes[size++] = '\n';
	if (!error)
		error = history_write(fd, end, bytes, size);
	flock(fd, LOCK_UN);
	return error ? history_refuse(path, strerror(error), diag) : 0;
}

struct history_line {
	struct history_entry entry;
	struct arena *mem;
	bool marked;
};

static enum difference_verdict history_verdict(struct span text)
{
	return lines_span_begins(text, "more")   ? VERDICT_MORE
	       : lines_span_begins(text, "less") ? VERDICT_LESS
						 : VERDICT_NOISE;
}

static void history_take_total(struct paired_total *total, const char *name,
			       const struct json_scalar *scalar)
{
	double x = json_text_number(scalar);

	if (strcmp(name, "verdict") == 0)
		total->verdict = history_verdict(scalar->text);
	else if (strcmp(name, "base") == 0)
		total->seconds[SIDE_BASE] = x;
	else if (strcmp(name, "new") == 0)
		total->seconds[SIDE_NEW] = x;
	else if (strcmp(name, "ratio") == 0)
		total->ratio = x;
	else if (strcmp(name, "low") == 0)
		total->low = x;
	else if (strcmp(name, "high") == 0)
		total->high = x;
}

static void history_take(void *arg, const struct json_scalar *scalar)
{
	static const char elapsed[] = "pairs.elapsed.", cpu[] = "pairs.cpu.";
	struct history_line *line = arg;
	struct history_entry *entry = &line->entry;
	const char *path = scalar->path;

	if (strcmp(path, "format") == 0)
		line->marked = scalar->is_string && scalar->text.n == 13 &&
			       lines_span_begins(scalar->text, "gprof-history");
	else if (strcmp(path, "time") == 0 && scalar->is_string)
		entry->time = json_text_string(scalar, line->mem);
	else if (strcmp(path, "label") == 0 && scalar->is_string)
		entry->label = json_text_string(scalar, line->mem);
	else if (strncmp(path, elapsed, strlen(elapsed)) == 0)
		history_take_total(&entry->total[PAIRED_ELAPSED], path + strlen(elapsed), scalar);
	else if (strncmp(path, cpu, strlen(cpu)) == 0)
		history_take_total(&entry->total[PAIRED_CPU], path + strlen(cpu), scalar);
}

/* Whether a line is an entry: it has the ratio of a total. */
static bool history_read_line(struct history_line *line, struct span text)
{
	bool known = false;

	if (!json_text_walk(text, history_take, line) || !line->marked)
		return false;
	for (int i = 0; i < PAIRED_COSTS; i++) {
		struct paired_total *total = &line->entry.total[i];

		total->known = total->ratio > 0.0;
		total->tested = total->low > 0.0 && total->low <= total->ratio &&
				total->ratio <= total->high;
		known = known || total->known;
	}
	return known;
}

int history_read(struct history *history, int fd, const char *path, struct arena *mem,
		 struct diag *diag)
{
	off_t end = lseek(fd, 0, SEEK_END),
	      from = end > HISTORY_MOST_BYTES ? end - HISTORY_MOST_BYTES : 0;
	size_t size = end > from ? (size_t)(end - from) : 0;
	char *bytes = arena_alloc(mem, size + 1, 1);
	struct lines lines = { { bytes, 0 }, 0 };
	struct span text;
	ssize_t n = end < 0 ? -1 : pread(fd, bytes, size, from);

	*history = (struct history){ .file = path };
	if (n < 0)
		return history_refuse(path, strerror(errno), diag);
	lines.rest.n = (size_t)n;
	/* The first line may have begun before. */
	if (from > 0)
		lines_next(&lines, &text);
	history->nolder = (uint64_t)(from + (lines.rest.at - bytes));
	while (lines_next(&lines, &text)) {
		struct history_line line = { { .time = "", .label = "" }, mem, false };

		if (lines_span_trim_left(text).n == 0)
			continue;
		if (history_read_line(&line, text))
			array_push(mem, &history->entries) = line.entry;
		else
			history->nother++;
	}
	return 0;
}
