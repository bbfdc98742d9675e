# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
cat >steps.c <<'END'
int steps(int n)
{
	int count = 0;

	while (n != 1) {
		if (n % 2)
			n = 3 * n + 1;
		else
			n = n / 2;
		count++;
	}
	return count;
}

int main(void)
{
	return steps(27) != 111;
}
END
