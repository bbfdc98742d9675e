/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls each function of uncounted.S, and what those call, ten times; see there. With SETS_BASE, it
 * has an instruction that changes what counting needs. */
#define TARGETS(X) \
	X(data)    \
	X(overlap) \
	X(cut)     \
	X(part) X(bare) X(short) X(sure) X(named) X(table) X(pointed) X(prefixed) X(locked) X(apart)
#define DECLARE(name) __attribute__((visibility("hidden"))) void target_##name(void);
TARGETS(DECLARE)
void data_inside(void), overlapping(void), cut(void), enters_part(void), bare(void),
	short_jump(void), table_jump(void), calls_pointed(void), calls_prefixed(void), locks(void),
	calls_apart(void);
int data_read(void), data_named(void);

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 10; i++) {
#define CALL(name) target_##name();
		TARGETS(CALL)
		data_inside();
		overlapping();
		cut();
		enters_part();
		bare();
		short_jump();
		table_jump();
		calls_pointed();
		calls_prefixed();
		locks();
		calls_apart();
		if (!data_read() || !data_named())
			return 5;
	}
#ifdef SETS_BASE
	if (argc > 1)
		__asm__ volatile("wrfsbase %0" : : "r"(0L));
#endif
	(void)argc;
	return 4;
}
