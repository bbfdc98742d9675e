# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
cat >fast.c <<'END'
#define FAST __attribute__((noinline, section(".fast")))

FAST unsigned mix(unsigned x)
{
	for (int i = 0; i < 9000; i++)
		x = x * 1103515245 + (x >> 7);
	return x;
}

FAST unsigned mix_twice(unsigned x)
{
	return mix(mix(x)) + 1;
}

__attribute__((noinline)) unsigned fold(unsigned x)
{
	for (int i = 0; i < 3000; i++)
		x = x * 69069 + (x >> 9);
	return x;
}

int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < 20000; i++)
		x = fold(mix_twice(x)) + 1;
	return x == 42;
}
END
