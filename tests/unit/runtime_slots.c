/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slots have numbers from which they are found again, and entries of the PLT are read once. */
#include "testing.h"

#include "calls/slots.h"

enum { CODE = 0x40001234, CODE_END = CODE + 0x10000, ENTRY = CODE + 0x100, SLOT = 0x40020000 };

static unsigned entries_read;

/* The one entry of the PLT. */
uintptr_t code_plt_slot(const struct code *code, uintptr_t at)
{
	(void)code;
	entries_read++;
	return at == ENTRY ? SLOT : 0;
}

struct numbered {
	struct slots slots;
	struct code code;
};

static struct numbered numbered_begin(void)
{
	struct numbered numbered = { .code = { .low = CODE, .high = CODE_END } };

	slots_begin(&numbered.slots);
	entries_read = 0;
	return numbered;
}

/* Where the slot is to which a site with this callee leads. */
static uintptr_t find(const struct numbered *numbered, uint32_t callee)
{
	const struct site site = { .callee = callee };

	assert_int_equal(site.callee, callee);
	assert_true(callee & SLOTS_SLOT);
	return slots_at(&numbered->code, slots_of(&site));
}

static void test_found_again(void **state)
{
	static const uintptr_t slots[] = { SLOT,     SLOT + 8, CODE - 12 * 8 - 4,
					   CODE + 4, 0x1000,   CODE + UINT64_C(0x40000000) - 4 };
	struct numbered numbered = numbered_begin();

	(void)state;
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		const uint32_t callee = slots_number(&numbered.slots, &numbered.code, slots[i]);

		assert_int_not_equal(callee, SLOTS_NOTHING);
		assert_int_equal(find(&numbered, callee), slots[i]);
	}
}

static void test_nothing(void **state)
{
	static const uintptr_t slots[] = { 0, SLOT + 4, CODE + UINT64_C(0x800000000),
					   UINTPTR_MAX - 7 };
	struct numbered numbered = numbered_begin();
	int32_t first;
	size_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++)
		assert_int_equal(slots_number(&numbered.slots, &numbered.code, slots[i]),
				 SLOTS_NOTHING);
	slots_range(&numbered.slots, &first, &n);
	assert_int_equal(n, 0);
}

static void test_range(void **state)
{
	struct numbered numbered = numbered_begin();
	int32_t first;
	size_t n;

	(void)state;
	slots_number(&numbered.slots, &numbered.code, SLOT + 5 * 8);
	slots_number(&numbered.slots, &numbered.code, SLOT);
	slots_number(&numbered.slots, &numbered.code, SLOT + 2 * 8);
	slots_range(&numbered.slots, &first, &n);
	assert_int_equal(slots_at(&numbered.code, first), SLOT);
	assert_int_equal(n, 6);
}

static void test_plt(void **state)
{
	struct numbered numbered = numbered_begin();
	/* It would be kept in the place of the entry. */
	const uintptr_t same = ENTRY + (uintptr_t)SLOTS_PLT * 16;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(
			find(&numbered, slots_number_plt(&numbered.slots, &numbered.code, ENTRY)),
			SLOT);
	assert_int_equal(entries_read, 1);
	assert_int_equal(slots_number_plt(&numbered.slots, &numbered.code, same), SLOTS_NOTHING);
	assert_int_equal(slots_number_plt(&numbered.slots, &numbered.code, CODE), SLOTS_NOTHING);
	assert_int_equal(entries_read, 3);
	assert_int_equal(slots_number_plt(&numbered.slots, &numbered.code, CODE_END),
			 SLOTS_NOTHING);
	assert_int_equal(slots_number_plt(&numbered.slots, &numbered.code, CODE - 16),
			 SLOTS_NOTHING);
	assert_int_equal(entries_read, 3);
	assert_int_equal(find(&numbered, slots_number_plt(&numbered.slots, &numbered.code, ENTRY)),
			 SLOT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found_again),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_plt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
