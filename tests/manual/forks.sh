# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
cat >forks.c <<'END'
#include <unistd.h>
#include <sys/wait.h>

void work(void)
{
}

int main(void)
{
	if (fork() == 0)
		work();
	else
		wait(NULL);
	return 0;
}
END
