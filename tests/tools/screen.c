/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * screen [COLUMNS]: reads what was written to a terminal of that width, 80 if not given, and prints
 * what stands on it in the end, without blanks at the ends of lines and without empty lines at the
 * end. Of escape sequences it knows styles, which leave nothing, and takes any other one for an
 * error.
 */
#include "bytes.h"

#include <stdio.h>

const char tool_name[] = "screen";

enum { COLUMNS = 80, TAB = 8, ESCAPE = 033 };

struct screen {
	struct bytes line; /* the one that the cursor is on; all above it are printed */
	size_t at, columns;
	unsigned nempty; /* lines above it that are not printed yet */
};

static void end_line(struct screen *s)
{
	while (s->line.n > 0 && s->line.data[s->line.n - 1] == ' ')
		s->line.n--;
	if (s->line.n == 0) {
		s->nempty++;
	} else {
		for (; s->nempty > 0; s->nempty--)
			putchar('\n');
		fwrite(s->line.data, 1, s->line.n, stdout);
		putchar('\n');
	}
	s->line.n = s->at = 0;
}

static void put(struct screen *s, unsigned char c)
{
	if (s->at == s->columns)
		end_line(s);
	if (s->at == s->line.n)
		bytes_put(&s->line, c, 1);
	else
		s->line.data[s->at] = c;
	s->at++;
}

/* Behind ESC. */
static void take_style(void)
{
	int c = getchar();

	if (c == '[')
		while ((c = getchar()) == ';' || (c >= '0' && c <= '9'))
			;
	if (c != 'm')
		die("an escape sequence that is no style");
}

static void take(struct screen *s, int c)
{
	switch (c) {
	case '\r':
		s->at = 0;
		break;
	case '\n':
	case '\f':
		end_line(s);
		break;
	case '\t':
		do
			put(s, ' ');
		while (s->at % TAB != 0);
		break;
	case ESCAPE:
		take_style();
		break;
	default:
		put(s, (unsigned char)c);
	}
}

int main(int argc, char **argv)
{
	struct screen s = { .columns = argc > 1 ? (size_t)number_of(argv[1]) : COLUMNS };
	int c;

	while ((c = getchar()) != EOF)
		take(&s, c);
	if (s.line.n > 0)
		end_line(&s);
	bytes_free(&s.line);
	return 0;
}
