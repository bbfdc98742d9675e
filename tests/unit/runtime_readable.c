/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading memory that may not be there: where it ends, what is kept of it, and what is read anew.
 */
#include "testing.h"

#include <sys/mman.h>

#include "base/readable.h"
#include "base/text.h"

enum { PAGE = 4096 };

/* Memory of whole pages, with a page on both sides that cannot be read; the bytes end or begin
 * there. */
static uint8_t *guarded(size_t bytes, bool at_end)
{
	size_t room = (bytes + PAGE - 1) / PAGE * PAGE;
	uint8_t *all = mmap(NULL, room + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(all != MAP_FAILED);
	assert_int_equal(mprotect(all + PAGE, room, PROT_READ | PROT_WRITE), 0);
	return all + PAGE + (at_end ? room - bytes : 0);
}

static void test_readable(void **state)
{
	static struct readable readable;
	uint8_t *at = guarded(3 * PAGE, false);
	uintptr_t base = (uintptr_t)at;
	volatile uintptr_t nowhere = 0;
	uintptr_t word;

	(void)state;
	memset(at, 7, 3 * PAGE);
	for (int i = 0; i < 2; i++) { /* as another stack, and as the thread's own */
		readable_begin(&readable, base + 104, i ? base + 3 * PAGE - 1 : 0);
		assert_true(readable_word(&readable, base + 104, &word));
		assert_int_equal(word % 256, 7);
		assert_true(readable_word(&readable, base, &word));
		assert_true(readable_word(&readable, base + 3 * PAGE - sizeof(word), &word));
		assert_false(readable_word(&readable, base + 3 * PAGE, &word));
		assert_false(readable_word(&readable, base - sizeof(word), &word));
		assert_false(readable_word(&readable, base + 1, &word));
		assert_false(readable_word(&readable, nowhere, &word));
		assert_false(readable_word(&readable, -sizeof(word), &word));
	}
	assert_int_equal(readable.low, base);
	assert_int_equal(readable.high, base + 3 * PAGE);
	/* What lies below the stack pointer of a later walk may be gone. */
	readable_begin(&readable, base + PAGE + 8, base + 3 * PAGE - 1);
	assert_int_equal(munmap(at, PAGE), 0);
	assert_true(readable_word(&readable, base + PAGE + 8, &word));
	assert_false(readable_word(&readable, base + 104, &word));
}

/* What is read of another thread's stack is what it was when it was copied. */
static void test_readable_piece(void **state)
{
	enum { PAGES = 9 };
	static struct readable readable = { .blocked = true };
	uint8_t *at = guarded(PAGES * PAGE, false);
	uintptr_t base = (uintptr_t)at, end = base + PAGES * PAGE;
	volatile uintptr_t nowhere = 0;
	uintptr_t word;

	(void)state;
	memset(at, 7, PAGES * PAGE);
	readable_begin(&readable, base + 200, 0);
	memset(at, 9, PAGE);
	assert_true(readable_word(&readable, base + 200, &word));
	assert_int_equal(word % 256, 7);
	/* Pieces of it follow, up to where memory ends. */
	assert_true(readable_word(&readable, base + READABLE_PIECE_BYTES + 72, &word));
	assert_int_equal(word % 256, 7);
	assert_true(readable_word(&readable, end - sizeof(word), &word));
	assert_false(readable_word(&readable, end, &word));
	assert_null(readable_bytes(&readable, end - 8, 16));
	assert_non_null(readable_bytes(&readable, end - 16, 16));
	assert_true(readable_word(&readable, base, &word));
	assert_int_equal(word % 256, 9);
	assert_false(readable_word(&readable, base + 1, &word));
	assert_true(readable.low == 0 && readable.high == 0);
	readable_begin(&readable, nowhere, 0);
	assert_false(readable_word(&readable, nowhere, &word));
	assert_false(readable_word(&readable, -sizeof(word), &word));
}

/* Copies are all or nothing, and strings end before memory does. */
static void test_readable_copy(void **state)
{
	uint8_t *at = guarded(2 * PAGE, true);
	uintptr_t base = (uintptr_t)at;
	char bytes[16] = "";
	char room[100];
	struct text text = text_in(room, sizeof(room));

	(void)state;
	memset(at, 'x', 2 * PAGE);
	assert_true(readable_copy(bytes, base + PAGE - 3, sizeof(bytes)));
	assert_memory_equal(bytes, at, sizeof(bytes));
	assert_false(readable_copy(bytes, base + 2 * PAGE - 8, sizeof(bytes)));
	assert_false(readable_copy(bytes, base - 8, sizeof(bytes)));
	assert_false(readable_copy(bytes, 0, sizeof(bytes)));
	assert_false(readable_copy(bytes, -(uintptr_t)8, sizeof(bytes)));
	assert_false(readable_string(&text, base + 2 * PAGE - 5));
	at[2 * PAGE - 1] = '\0';
	text = text_in(room, sizeof(room));
	assert_true(readable_string(&text, base + 2 * PAGE - 5));
	assert_string_equal(room, "xxxx");
}

/* Two pages as guarded() makes them, of which none takes the place of another where pages are kept,
 * nor do those beside them. */
static uint8_t *guarded_apart(void)
{
	uint8_t *at;
	uintptr_t place;

	do {
		at = guarded(2 * PAGE, false);
		place = (uintptr_t)at / PAGE % READABLE_PAGES;
	} while (place < 1 || place > READABLE_PAGES - 3);
	return at;
}

/* A page of an object is read once, another object's anew; none is read that is not there. */
static void test_readable_object(void **state)
{
	static struct readable readable;
	uint8_t *at = guarded_apart();
	uintptr_t base = (uintptr_t)at, key = 1, other = 3;
	uint8_t bytes[16];

	(void)state;
	memset(at, 7, 2 * PAGE);
	assert_true(readable_object(&readable, key, base + PAGE - 8, bytes, sizeof(bytes)));
	assert_memory_equal(bytes, at, sizeof(bytes));
	assert_false(readable_object(&readable, key, base + 2 * PAGE - 8, bytes, sizeof(bytes)));
	assert_false(readable_object(&readable, key, base - 1, bytes, 1));
	assert_int_equal(munmap(at, PAGE), 0);
	assert_true(readable_object(&readable, key, base + 1, bytes, sizeof(bytes)));
	assert_int_equal(bytes[0], 7);
	assert_false(readable_object(&readable, other, base + 1, bytes, sizeof(bytes)));
	assert_false(readable_object(&readable, key, base + 1, bytes, sizeof(bytes)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readable),
		cmocka_unit_test(test_readable_piece),
		cmocka_unit_test(test_readable_copy),
		cmocka_unit_test(test_readable_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
