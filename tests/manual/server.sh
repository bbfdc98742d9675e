# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# A program that works until it is killed, or ten seconds.
cat >server.c <<'END'
#include <unistd.h>

void serve(void)
{
	usleep(1000);
}

int main(void)
{
	for (int i = 0; i < 10000; i++)
		serve();
	return 0;
}
END
