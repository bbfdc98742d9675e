/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libgmon says on stderr while a unit test listens. */
#ifndef RUNTIME_SAID_H
#define RUNTIME_SAID_H

#include "testing.h"

struct said {
	int fd, stderr_fd;
	char text[4096];
};

static inline struct said said_begin(void)
{
	struct said said = { .fd = memory_file(), .stderr_fd = dup(2) };

	assert_true(said.stderr_fd >= 0);
	assert_int_equal(dup2(said.fd, 2), 2);
	return said;
}

/* Puts stderr back; said->text is what came. */
static inline void said_end(struct said *said)
{
	ssize_t n = pread(said->fd, said->text, sizeof(said->text) - 1, 0);

	dup2(said->stderr_fd, 2);
	close(said->stderr_fd);
	close(said->fd);
	assert_true(n >= 0);
	said->text[n] = '\0';
}

#endif
