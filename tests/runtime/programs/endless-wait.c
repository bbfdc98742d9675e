/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for what never comes. */
#include <unistd.h>

__attribute__((noinline)) static void wait_for_input(int fd)
{
	char c;

	if (read(fd, &c, 1) == 1)
		_exit(1);
}

int main(void)
{
	int ends[2];

	if (pipe(ends) < 0)
		return 1;
	wait_for_input(ends[0]);
	return 0;
}
