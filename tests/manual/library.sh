# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
cat >work.c <<'END'
void work(void)
{
}
END
cat >use.c <<'END'
void work(void);
int main(void)
{
	for (int i = 0; i < 1000; i++)
		work();
	return 0;
}
END
