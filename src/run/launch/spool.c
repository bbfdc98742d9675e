/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/launch/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_BYTES = 64 * 1024, PATIENCE_MS = 2000, PATH_BYTES = 4096 };

int spool_open(const char *const *places, size_t n)
{
	char path[PATH_BYTES];
	int fd = -1;

	for (size_t i = 0; fd < 0 && i < n; i++) {
		int length = snprintf(path, sizeof(path), "%s/gprof-XXXXXX", places[i]);

		fd = length < (int)sizeof(path) ? mkostemp(path, O_CLOEXEC) : -1;
		if (fd >= 0)
			unlink(path);
	}
	return fd;
}

int spool_make(struct diag *diag)
{
	const char *tmp = getenv("TMPDIR");
	const char *const places[] = { tmp && *tmp ? tmp : "/tmp", "/tmp", "/var/tmp" };
	int fd = spool_open(places, sizeof(places) / sizeof(places[0]));

	if (fd < 0)
		diag_error(diag, "no temporary file in %s: %s", places[0], strerror(errno));
	return fd;
}

void spool_clear(int fd)
{
	/* If the file stays as it is, its text is compared: the answer is wrong, but safe. */
	if (ftruncate(fd, 0) == 0)
		lseek(fd, 0, SEEK_SET);
}

uint64_t spool_bytes(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Reads up to n bytes at a place of a file; less only at its end. */
static size_t spool_read(int fd, char *to, size_t n, uint64_t at)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = pread(fd, to + done, n - done, (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

/* Writes all of n bytes. */
static bool spool_write(int fd, const char *from, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, from, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		from += done;
		n -= (size_t)done;
	}
	return true;
}

/* Says once what gprof waits for, if nothing comes for a while. */
static void spool_wait(bool *said, struct diag *diag)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	if (*said || poll(&input, 1, PATIENCE_MS) != 0)
		return;
	diag_note(diag, "--versus gives standard input to each run and waits for its end; if the "
			"programs read none, add </dev/null");
	*said = true;
}

/* Copies standard input to its end. 0, or -1 with the reason said. */
static int spool_copy_input(int to, struct diag *diag)
{
	char piece[PIECE_BYTES];
	uint64_t bytes = 0;
	bool said = false;

	for (;;) {
		ssize_t n;

		spool_wait(&said, diag);
		n = read(STDIN_FILENO, piece, sizeof(piece));
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			return 0;
		bytes += n > 0 ? (uint64_t)n : 0;
		if (bytes > SPOOL_MOST_INPUT) {
			diag_error(diag, "standard input has more than 1 GB, which --versus does "
					 "not keep: give it as a file");
			return -1;
		}
		if (n < 0 || !spool_write(to, piece, (size_t)n)) {
			diag_error(diag, "standard input cannot be kept for all runs: %s",
				   strerror(errno));
			return -1;
		}
	}
}

/* Opens what a descriptor refers to once more, with a place of its own in it. */
static int spool_reopen(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

int spool_take_input(struct spool_input *input, struct diag *diag)
{
	struct stat st;
	bool given = fstat(STDIN_FILENO, &st) == 0;

	*input = (struct spool_input){ .fd = -1, .start = -1 };
	if (!given || isatty(STDIN_FILENO))
		/* To read and write: gprof opens nothing but regular files for reading alone. */
		input->fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	else if (S_ISCHR(st.st_mode))
		input->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	else if (S_ISREG(st.st_mode))
		input->fd = spool_reopen(STDIN_FILENO);
	if (input->fd >= 0) {
		if (given && S_ISREG(st.st_mode))
			input->start = lseek(STDIN_FILENO, 0, SEEK_CUR);
		return 0;
	}
	input->start = 0;
	input->fd = spool_make(diag);
	return input->fd < 0 ? -1 : spool_copy_input(input->fd, diag);
}

int spool_open_input(const struct spool_input *input)
{
	int fd = input->start < 0 ? fcntl(input->fd, F_DUPFD_CLOEXEC, 3) : spool_reopen(input->fd);

	if (fd >= 0 && input->start > 0)
		lseek(fd, (off_t)input->start, SEEK_SET);
	return fd;
}

bool spool_differs(int a, int b, struct spool_place *place)
{
	char one[PIECE_BYTES], other[PIECE_BYTES];

	*place = (struct spool_place){ 1, 1 };
	for (uint64_t at = 0; at < SPOOL_MOST_OUTPUT; at += PIECE_BYTES) {
		size_t n = spool_read(a, one, PIECE_BYTES, at);
		size_t m = spool_read(b, other, PIECE_BYTES, at);
		size_t least = n < m ? n : m, same = 0;

		while (same < least && one[same] == other[same])
			place->line += one[same++] == '\n';
		place->byte += same;
		if (same < least || n != m)
			return true;
		if (n < PIECE_BYTES)
			return false;
	}
	return spool_bytes(a) != spool_bytes(b);
}
