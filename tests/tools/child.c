/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "child.h"

#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void child_limit(int resource, uint64_t value)
{
	struct rlimit r = { .rlim_cur = value, .rlim_max = value };

	setrlimit(resource, &r);
}

double child_seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int child_scratch_file(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s.XXXXXX", dir && *dir ? dir : "/tmp", tool_name);
	fd = mkstemp(path);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	unlink(path);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}
