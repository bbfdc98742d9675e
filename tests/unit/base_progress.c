/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line of progress, on a terminal of its own. */
#include "testing.h"

#include "base/progress.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>

/* stderr is a terminal while a test runs. */
struct terminal {
	int master, saved;
	struct progress *p;
};

/* False, with a remark, if there are none to be had: cmocka's skip() would count as failed. Also
 * brings the beginning of all forward, beyond the first second. */
static bool open_terminal(struct terminal *t, const char *program)
{
	struct termios raw;
	int slave = -1;

	t->master = posix_openpt(O_RDWR | O_NOCTTY);
	if (t->master >= 0 && grantpt(t->master) == 0 && unlockpt(t->master) == 0)
		slave = open(ptsname(t->master), O_RDWR | O_NOCTTY);
	if (slave < 0 || tcgetattr(slave, &raw) != 0) {
		printf("# no terminals here: not tested\n");
		return false;
	}
	raw.c_oflag &= ~(tcflag_t)OPOST;
	tcsetattr(slave, TCSANOW, &raw);
	t->saved = dup(STDERR_FILENO);
	dup2(slave, STDERR_FILENO);
	close(slave);
	t->p = progress_make(program);
	assert_non_null(t->p);
	t->p->begin.tv_sec -= 2;
	return true;
}

static void close_terminal(struct terminal *t)
{
	dup2(t->saved, STDERR_FILENO);
	close(t->saved);
	close(t->master);
}

/* What came since last time, which `text` should be; a mark tells that there is no more. */
static void expect(const struct terminal *t, const char *text)
{
	char seen[1000];
	size_t n = 0;

	assert_int_equal(write(STDERR_FILENO, "#", 1), 1);
	while (n == 0 || seen[n - 1] != '#') {
		ssize_t got = read(t->master, seen + n, sizeof(seen) - n);

		assert_true(got > 0);
		n += (size_t)got;
	}
	seen[n - 1] = '\0';
	assert_string_equal(seen, text);
}

static void nothing_happens_without_one(void **state)
{
	(void)state;
	progress_step(NULL, "working", 1);
	progress_count(NULL, "read", "files", 1);
	progress_at(NULL, 1);
	progress_add(NULL);
	progress_pause(NULL);
	progress_resume(NULL);
	progress_end(NULL);
	progress_erase(NULL);
}

static void only_a_terminal_has_one(void **state)
{
	int saved = dup(STDERR_FILENO), fd = memory_file();

	(void)state;
	dup2(fd, STDERR_FILENO);
	assert_null(progress_make("gprof"));
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(fd);
}

static void the_line_says_how_far_it_is(void **state)
{
	struct terminal t;

	(void)state;
	if (!open_terminal(&t, "/usr/bin/gprof\n"))
		return;
	progress_show(t.p);
	expect(&t, "");
	progress_step(t.p, "adding", 200);
	progress_at(t.p, 31);
	progress_show(t.p);
	expect(&t, "\rgprof?: adding: 16 %");
	progress_at(t.p, 300);
	progress_show(t.p);
	expect(&t, "\rgprof?: adding: 100 %");
	progress_count(t.p, "read", "files", 12);
	progress_add(t.p);
	progress_add(t.p);
	progress_show(t.p);
	expect(&t, "\rgprof?: read 2 of 12 files");
	progress_step(t.p, "sorting", 0);
	progress_show(t.p);
	expect(&t, "\rgprof?: sorting           ");
	t.p->step.tv_sec -= 12;
	progress_show(t.p);
	expect(&t, "\rgprof?: sorting (12 s)");
	close_terminal(&t);
}

static void not_in_the_first_second(void **state)
{
	struct terminal t;

	(void)state;
	if (!open_terminal(&t, "gprof"))
		return;
	t.p->begin.tv_sec += 2;
	progress_step(t.p, "sorting", 0);
	progress_show(t.p);
	expect(&t, "");
	close_terminal(&t);
}

static void it_gives_way(void **state)
{
	struct terminal t;

	(void)state;
	if (!open_terminal(&t, "gprof"))
		return;
	progress_step(t.p, "s", 0);
	progress_show(t.p);
	expect(&t, "\rgprof: s");
	progress_pause(t.p);
	expect(&t, "\r          \r");
	progress_show(t.p);
	expect(&t, "");
	progress_resume(t.p);
	progress_show(t.p);
	expect(&t, "\rgprof: s");
	progress_end(t.p);
	expect(&t, "\r          \r");
	progress_show(t.p);
	progress_erase(t.p);
	progress_end(t.p);
	expect(&t, "");
	close_terminal(&t);
}

/* As the child's end leaves it, or a stopped parent. */
static void one_that_holds_it_is_not_waited_for(void **state)
{
	struct terminal t;

	(void)state;
	if (!open_terminal(&t, "gprof"))
		return;
	progress_step(t.p, "s", 0);
	progress_show(t.p);
	atomic_flag_test_and_set(&t.p->busy);
	expect(&t, "\rgprof: s");
	progress_pause(t.p);
	expect(&t, "\r          \r");
	progress_resume(t.p);
	close_terminal(&t);
}

static void it_fits_the_terminal(void **state)
{
	static const unsigned short widths[] = { 1, 2, 3, 4, 12 };
	static const char *const lines[] = { "\r", "\r", "\r", "\rg", "\rgprof: re" };

	(void)state;
	for (size_t i = 0; i < COUNT(widths); i++) {
		struct winsize size = { .ws_row = 5, .ws_col = widths[i] };
		struct terminal t;

		if (!open_terminal(&t, "gprof"))
			return;
		ioctl(t.master, TIOCSWINSZ, &size);
		progress_step(t.p, "reading", 0);
		progress_show(t.p);
		expect(&t, lines[i]);
		close_terminal(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_happens_without_one),
		cmocka_unit_test(only_a_terminal_has_one),
		cmocka_unit_test(the_line_says_how_far_it_is),
		cmocka_unit_test(not_in_the_first_second),
		cmocka_unit_test(it_gives_way),
		cmocka_unit_test(one_that_holds_it_is_not_waited_for),
		cmocka_unit_test(it_fits_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
