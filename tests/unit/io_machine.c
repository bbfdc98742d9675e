/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of machines: rows are found by number and by libbfd's name, and are whole. */
#include "testing.h"

#include "io/image/machine.h"

#include <elf.h>

static void rows_by_number(void **state)
{
	(void)state;
	assert_null(machine_by_number(EM_NONE));
	assert_null(machine_by_number(EM_VAX));
	assert_ptr_equal(machine_by_number(EM_X86_64)->decode, callscan_x86_64);
	assert_true(machine_by_number(EM_ARM)->thumb);
	assert_false(machine_by_number(EM_AARCH64)->thumb);
	assert_int_equal(machine_by_number(EM_MIPS)->delay, 4);
	assert_int_equal(machine_by_number(EM_SPARCV9)->delay, 4);
	assert_true(machine_by_number(EM_386)->sees_all);
	assert_false(machine_by_number(EM_RISCV)->sees_all);
}

/* Files that are not ELF: PE, say. */
static void rows_by_name(void **state)
{
	(void)state;
	assert_int_equal(machine_by_arch("i386", 64)->number, EM_X86_64);
	assert_int_equal(machine_by_arch("i386", 32)->number, EM_386);
	assert_null(machine_by_arch("i386", 16));
	assert_null(machine_by_arch("arm", 32));
	assert_null(machine_by_arch("unknown", 0));
}

static void rows_are_whole(void **state)
{
	size_t n = 0;

	(void)state;
	for (unsigned number = 0; number <= UINT16_MAX; number++) {
		const struct machine *machine = machine_by_number(number);

		if (!machine)
			continue;
		n++;
		assert_int_equal(machine->number, number);
		assert_non_null(machine->decode);
		assert_in_range(machine->unit, 1, 4);
		assert_int_equal(machine->entry[0], 0);
		assert_int_equal(machine->delay % 4, 0);
		assert_int_equal(machine->arch != NULL, machine->bits != 0);
	}
	assert_int_equal(n, 14);
}

static void entries(void **state)
{
	const struct machine *ppc = machine_by_number(EM_PPC64);
	const struct machine *x86 = machine_by_number(EM_X86_64);
	unsigned distance;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_true(machine_entry(ppc, i, &distance));
		assert_int_equal(distance, 4 * i);
	}
	assert_false(machine_entry(ppc, 3, &distance));
	assert_true(machine_entry(x86, 0, &distance));
	assert_int_equal(distance, 0);
	assert_false(machine_entry(x86, 1, &distance));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_by_number),
		cmocka_unit_test(rows_by_name),
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
