/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * With EARLY a library, whose constructor calls early_step() five times; else a program that has it
 * called twice more.
 */
void early_work(void);

#ifdef EARLY
__attribute__((noinline, noipa)) static void early_step(void)
{
	__asm__ volatile("");
}

__attribute__((constructor)) static void early_construct(void)
{
	for (int i = 0; i < 5; i++)
		early_step();
}

void early_work(void)
{
	early_step();
	early_step();
}
#else
int main(void)
{
	early_work();
	return 3;
}
#endif
