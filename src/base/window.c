/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/window.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

enum { PIPE_COLUMNS = 100, USUAL_COLUMNS = 80, USUAL_LINES = 24, MOST = 10000 };

/*
 * Returns the size that the terminal gives; if that is 0, the value of the environment variable;
 * else the default.
 */
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
		return (struct window_size){ window_length(0, "COLUMNS", PIPE_COLUMNS), 0 };
	if (ioctl(out->fd, TIOCGWINSZ, &said) < 0)
		said = (struct winsize){ 0 };
	return (struct window_size){ window_length(said.ws_col, "COLUMNS", USUAL_COLUMNS),
				     window_length(said.ws_row, "LINES", USUAL_LINES) };
}

bool window_has_colors(const struct output *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return out->terminal && !(no_color && no_color[0]) && term && term[0] &&
	       strcmp(term, "dumb") != 0;
}

bool window_keeps_progress(const struct output *out)
{
	struct stat st;

	return !out->terminal && fstat(out->fd, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode));
}
