/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/command/window.h"

#include <stdlib.h>
#include <sys/ioctl.h>

enum { PIPE_COLUMNS = 100, USUAL_COLUMNS = 80, USUAL_LINES = 24, MOST = 10000 };

/* What a terminal says or, if that is nothing, the variable, or else what is usual. */
static uint32_t window_length(unsigned said, const char *variable, uint32_t usual)
{
	const char *value = getenv(variable);
	long n = value ? strtol(value, NULL, 10) : 0;

	if (said > 0)
		return said;
	return n > 0 && n <= MOST ? (uint32_t)n : usual;
}

struct window_size window_size(const struct output *out)
{
	struct winsize said = { 0 };

	if (!out->terminal)
		return (struct window_size){ PIPE_COLUMNS, 0 };
	if (ioctl(out->fd, TIOCGWINSZ, &said) < 0)
		said = (struct winsize){ 0 };
	return (struct window_size){ window_length(said.ws_col, "COLUMNS", USUAL_COLUMNS),
				     window_length(said.ws_row, "LINES", USUAL_LINES) };
}
