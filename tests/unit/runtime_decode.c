/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lengths and branches of x86-64 instructions. Each cut instruction is unknown, and random bytes
 * are unknown or an instruction within them. tests/tools/lengths compares whole programs with
 * objdump.
 */
#include "calls/decode.h"
#include "calls/lengths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { AT = 0x10000 };

struct expected {
	const char *bytes;
	size_t n;
	enum decode_kind kind;
	uintptr_t target; /* 0: none */
};

#define CODE(bytes) bytes, sizeof(bytes) - 1

static const struct expected known[] = {
	{ CODE("\x90"), DECODE_OTHER, 0 },
	{ CODE("\xf3\x0f\x1e\xfa"), DECODE_OTHER, 0 },     /* endbr64 */
	{ CODE("\xe8\xfb\xff\xff\xff"), DECODE_CALL, AT }, /* call itself */
	{ CODE("\xe9\x10\x00\x00\x00"), DECODE_JUMP, AT + 0x15 },
	{ CODE("\x0f\x84\x10\x00\x00\x00"), DECODE_JUMP_IF, AT + 0x16 },
	{ CODE("\x67\xe8\xfa\xff\xff\xff"), DECODE_CALL, AT },         /* addr32 call */
	{ CODE("\xf2\xe8\xfa\xff\xff\xff"), DECODE_CALL, AT },         /* bnd call */
	{ CODE("\x66\x66\x48\xe8\xf8\xff\xff\xff"), DECODE_CALL, AT }, /* data16 rex.W call */
	{ CODE("\xeb\xfe"), DECODE_SHORT, AT },
	{ CODE("\x74\x05"), DECODE_SHORT, AT + 7 },
	{ CODE("\xe3\x05"), DECODE_SHORT, AT + 7 }, /* jrcxz */
	{ CODE("\xff\x15\x00\x01\x00\x00"), DECODE_CALL_MEMORY, AT + 0x106 },
	{ CODE("\xff\x25\x00\x01\x00\x00"), DECODE_JUMP_MEMORY, AT + 0x106 },
	{ CODE("\xff\xd0"), DECODE_CALL_OTHER, 0 },             /* call *%rax */
	{ CODE("\x41\xff\x54\xc5\x08"), DECODE_CALL_OTHER, 0 }, /* call *8(%r13,%rax,8) */
	{ CODE("\xff\xe0"), DECODE_JUMP_OTHER, 0 },
	{ CODE("\x3e\xff\x24\xc5\x00\x10\x40\x00"), DECODE_JUMP_OTHER, 0 },
	{ CODE("\x48\x8d\x05\x00\x01\x00\x00"), DECODE_OTHER, AT + 0x107 }, /* lea */
	{ CODE("\xf3\x48\x0f\xae\xd0"), DECODE_SETS_BASE, 0 },              /* wrfsbase %rax */
	{ CODE("\xf3\x0f\xae\xd8"), DECODE_SETS_BASE, 0 },                  /* wrgsbase %eax */
	{ CODE("\x0f\xae\x38"), DECODE_OTHER, 0 },                          /* clflush */
	{ CODE("\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08"), DECODE_OTHER, 0 },
	{ CODE("\x66\xb8\x01\x02"), DECODE_OTHER, 0 },
	{ CODE("\x66\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08"), DECODE_OTHER, 0 },
	{ CODE("\xa1\x01\x02\x03\x04\x05\x06\x07\x08"), DECODE_OTHER, 0 },
	{ CODE("\x67\xa1\x01\x02\x03\x04"), DECODE_OTHER, 0 },
	{ CODE("\xf6\x05\x00\x00\x00\x00\x01"), DECODE_OTHER, 0 }, /* testb $1, 0(%rip) */
	{ CODE("\xf7\xd8"), DECODE_OTHER, 0 },                     /* neg */
	{ CODE("\x66\xf7\xc0\x01\x02"), DECODE_OTHER, 0 },         /* test $imm16, %ax */
	{ CODE("\xc8\x10\x00\x00"), DECODE_OTHER, 0 },             /* enter */
	{ CODE("\xc5\xf8\x77"), DECODE_OTHER, 0 },                 /* vzeroupper */
	{ CODE("\xc4\xe3\x7d\x39\xc1\x01"), DECODE_OTHER, 0 },     /* vextracti128 */
	{ CODE("\x62\xf1\x7c\x48\x10\x40\x01"), DECODE_OTHER, 0 }, /* vmovups 64(%rax), %zmm0 */
	{ CODE("\x62\xf3\x7d\x48\x3a\xc1\x01"), DECODE_OTHER, 0 },
	{ CODE("\x8f\xe9\x78\x81\xc1"), DECODE_OTHER, 0 },     /* vfrczpd */
	{ CODE("\x8f\x00"), DECODE_OTHER, 0 },                 /* pop (%rax) */
	{ CODE("\x66\x0f\x3a\x0f\xc1\x08"), DECODE_OTHER, 0 }, /* palignr */
	{ CODE("\x0f\x38\x00\x04\x25\x00\x00\x00\x00"), DECODE_OTHER, 0 },
	{ CODE("\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"), DECODE_OTHER, 0 },
	{ CODE("\x42\x80\x7c\x30\x10\x05"), DECODE_OTHER, 0 },
	{ CODE("\xf0\x48\x0f\xb1\x0d\x00\x00\x00\x00"), DECODE_OTHER, 0 },
};

static void test_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint8_t code[2 * DECODE_LONGEST] = { 0 };
		struct decoded d;

		memcpy(code, known[i].bytes, known[i].n);
		assert_true(decode(&d, code, sizeof(code), AT));
		assert_int_equal(d.length, known[i].n);
		assert_int_equal(d.kind, known[i].kind);
		assert_int_equal(d.has_target, known[i].target != 0);
		if (known[i].target)
			assert_int_equal(d.target, known[i].target);
		for (size_t n = 0; n < known[i].n; n++)
			assert_false(decode(&d, code, n, AT));
	}
}

/* push %es, a far call, salc, and what processors disagree about. */
static void test_unknown(void **state)
{
	static const struct expected unknown[] = {
		{ CODE("\x06"), 0, 0 },
		{ CODE("\x9a"), 0, 0 },
		{ CODE("\xd6"), 0, 0 },
		{ CODE("\x0f\x04"), 0, 0 },
		{ CODE("\x66\xe8\x00\x00\x00\x00"), 0, 0 },
		{ CODE("\x40\x40\x90"), 0, 0 },
		{ CODE("\x62\xf8\x7c\x48\x10\x00"), 0, 0 },
		{ CODE("\xc5\xf8\x84\x00\x00\x00\x00"), 0, 0 },
		{ CODE("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90"), 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		uint8_t code[2 * DECODE_LONGEST] = { 0 };
		struct decoded d;

		memcpy(code, unknown[i].bytes, unknown[i].n);
		assert_false(decode(&d, code, sizeof(code), AT));
	}
}

/* Values, which may be addresses of functions. */
static void test_values(void **state)
{
	static const uint8_t small[] = { 0xbf, 0x78, 0x56, 0x34, 0x12 };
	static const uint8_t large[] = { 0x49, 0xba, 8, 7, 6, 5, 4, 3, 2, 1 };
	struct decoded d;

	(void)state;
	assert_true(decode(&d, small, sizeof(small), AT));
	assert_true(d.has_value && d.value == 0x12345678);
	assert_true(decode(&d, large, sizeof(large), AT));
	assert_true(d.has_value && d.value == 0x0102030405060708);
}

/* Addresses of operands in memory. */
static void test_memory(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		uintptr_t memory; /* 0: none */
	} operands[] = {
		{ CODE("\x81\x3d\x00\x01\x00\x00\x78\x56\x34\x12"), AT + 0x10a }, /* cmpl, rip */
		{ CODE("\x48\x8d\x05\x00\x01\x00\x00"), AT + 0x107 },             /* lea */
		{ CODE("\xff\x15\x00\x01\x00\x00"), AT + 0x106 },
		{ CODE("\x3e\xff\x24\xc5\x00\x10\x40\x00"), 0x401000 }, /* jmp *table(,%rax,8) */
		{ CODE("\x0f\xb6\x80\x00\x10\x40\x00"), 0x401000 },     /* movzbl table(%rax) */
		{ CODE("\x8b\x40\x10"), 0 },
		{ CODE("\x8b\x00"), 0 },
		{ CODE("\x8b\x04\x24"), 0 },
		{ CODE("\xff\xd0"), 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
		uint8_t code[2 * DECODE_LONGEST] = { 0 };
		struct decoded d;

		memcpy(code, operands[i].bytes, operands[i].n);
		assert_true(decode(&d, code, sizeof(code), AT));
		assert_int_equal(d.length, operands[i].n);
		assert_int_equal(d.has_memory, operands[i].memory != 0);
		if (d.has_memory)
			assert_int_equal(d.memory, operands[i].memory);
	}
}

/* No bytes make it read beyond them, and no length is beyond them. */
static void test_random(void **state)
{
	enum { TIMES = 300000 };
	unsigned seed = 7;

	(void)state;
	for (int i = 0; i < TIMES; i++) {
		size_t n = (size_t)rand_r(&seed) % (DECODE_LONGEST + 1);
		uint8_t *code = malloc(n + 1); /* so that sanitizers see the end */
		struct decoded d;

		assert_non_null(code);
		for (size_t k = 0; k < n; k++)
			code[k] = (uint8_t)(rand_r(&seed) >> 7);
		code = realloc(code, n ? n : 1);
		assert_non_null(code);
		if (decode(&d, code, n, AT))
			assert_true(d.length > 0 && d.length <= n);
		free(code);
	}
}

/* Code that lengths_run() goes through, a lane in each row, and what it notes of them. */
enum { CODE_BYTES = 64, CODE_WORDS = (LENGTHS_LANES + 2) * CODE_BYTES / LENGTHS_BOUNDARY };

struct gone_through {
	_Alignas(LENGTHS_BOUNDARY) uint8_t code[LENGTHS_LANES + 1][CODE_BYTES];
	uint64_t boundary[CODE_WORDS];
	struct lengths_event event[CODE_BYTES * LENGTHS_LANES];
	size_t known; /* instructions */
};

/* What the events say of the instruction at an address, which has `length` bytes; 0: it is none of
 * them. */
static uint32_t find_event(const struct gone_through *gone, const struct lengths_notes *notes,
			   uintptr_t at, size_t length)
{
	for (const struct lengths_event *event = gone->event; event < notes->event; event++) {
		const uintptr_t next = lengths_next(notes, event);

		if (lengths_begin(notes, next) != at)
			continue;
		assert_int_equal(next - at, length);
		return event->what;
	}
	return 0;
}

/* What is known of an instruction is what decode() finds, and it is an event if it says something
 * of places in [low, high) or leads elsewhere. */
static void check_known(const struct gone_through *gone, const struct lengths_notes *notes,
			const struct decoded *d, uintptr_t at, uintptr_t low, uintptr_t high)
{
	const uint32_t says = find_event(gone, notes, at, d->length);
	const bool jumps =
		d->kind == DECODE_SHORT || d->kind == DECODE_JUMP || d->kind == DECODE_JUMP_IF;

	assert_int_equal((says & LENGTHS_CALL) != 0, d->kind == DECODE_CALL);
	if (!(says & LENGTHS_OTHER))
		assert_int_equal((says & LENGTHS_JUMP) != 0, jumps);
	if (says & LENGTHS_JUMP)
		assert_int_equal((says & LENGTHS_SHORT) != 0, d->length == 2);
	if (d->kind != DECODE_OTHER && d->kind != DECODE_CALL && !jumps)
		assert_true(says & LENGTHS_OTHER);
	if (d->is_lea)
		assert_true(says & LENGTHS_LEA && says & LENGTHS_RIP);
	if (d->has_memory && d->memory - low < high - low)
		assert_true(says & (LENGTHS_RIP | LENGTHS_DISTANT));
	if (d->has_value && d->value - low < high - low)
		assert_true(says & LENGTHS_INT || says & LENGTHS_OTHER);
}

/* Has n lanes go through the code, and decodes what they do not know. */
static void go_through(struct gone_through *gone, size_t n, uintptr_t low, uintptr_t high)
{
	struct lengths_lane lane[LENGTHS_LANES];
	struct lengths_notes notes = {
		gone->boundary,
		(uintptr_t)gone->code,
		gone->event,
		gone->event + (CODE_BYTES - 1) * LENGTHS_LANES,
	};
	struct lengths lengths;

	lengths_prepare(&lengths, low <= UINT32_MAX);
	memset(gone->boundary, 0, sizeof(gone->boundary));
	for (uint32_t i = 0; i < n; i++)
		lane[i] = (struct lengths_lane){ gone->code[i], gone->code[i + 1] - LENGTHS_AHEAD,
						 i << LENGTHS_SLOT, false };
	lengths_run(&lengths, lane, n, &notes);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *at = gone->code[i];

		while (at < lane[i].at) {
			const uintptr_t place = (uintptr_t)(at - gone->code[0]);
			struct decoded d;

			assert_true(gone->boundary[place / LENGTHS_BOUNDARY] >>
					    place % LENGTHS_BOUNDARY &
				    1);
			assert_true(decode(&d, at, DECODE_LONGEST, (uintptr_t)at));
			check_known(gone, &notes, &d, (uintptr_t)at, low, high);
			at += d.length;
			gone->known++;
		}
		assert_ptr_equal(at, lane[i].at);
	}
}

/* Random instructions, of which some begin with one that is known to be common. */
static void fill_code(struct gone_through *gone, unsigned *seed)
{
	for (size_t i = 0; i < LENGTHS_LANES; i++) {
		const struct expected *first =
			&known[(size_t)rand_r(seed) % (sizeof(known) / sizeof(known[0]))];

		for (size_t k = 0; k < CODE_BYTES; k++)
			gone->code[i][k] = (uint8_t)(rand_r(seed) >> 7);
		if (rand_r(seed) & 0x100)
			memcpy(gone->code[i], first->bytes, first->n);
	}
}

static void test_lengths(void **state)
{
	static struct gone_through gone;
	enum { TIMES = 15000 };
	const uintptr_t ranges[][2] = {
		{ 0x400000, 0x60000000 },
		{ 0x70000000, 0x180000000 },
		{ (uintptr_t)&gone, (uintptr_t)(&gone + 1) },
	};
	unsigned seed = 9;

	(void)state;
	for (size_t r = 0; r < sizeof(ranges) / sizeof(ranges[0]); r++) {
		gone.known = 0;
		for (int i = 0; i < TIMES; i++) {
			fill_code(&gone, &seed);
			go_through(&gone, LENGTHS_LANES, ranges[r][0], ranges[r][1]);
			go_through(&gone, 1, ranges[r][0], ranges[r][1]);
		}
		assert_true(gone.known > 2 * TIMES);
	}
}

/* Instructions whose lengths all lanes know: nothing stops them before their ends. */
static void test_common(void **state)
{
	static const char common[] =
		"\x55\x48\x89\xe5\x41\x54\x31\xc0\x48\x83\xec\x10\xf6\xc1\x01\x41\xf7\xc0\x01\x02\x03\x04"
		"\x66\xc7\x00\x01\x02\x64\x8b\x04\x25\x28\x00\x00\x00\xf3\x0f\x1e\xfa\x48\x8b\x04\xc5";
	static struct gone_through gone;

	(void)state;
	for (size_t i = 0; i < LENGTHS_LANES; i++)
		memcpy(gone.code[i], common, sizeof(common) - 1);
	go_through(&gone, LENGTHS_LANES, 0x400000, 0x500000);
	assert_int_equal(gone.known, 12 * LENGTHS_LANES);
}

/* The same for vector instructions of all maps; zeros follow, of which two are an instruction. */
static void test_vectors(void **state)
{
	static const char vectors[] = "\xc5\xf8\x77\xc4\xe3\x7d\x39\xc1\x01\xc4\xe2\x71\xf7\xc0"
				      "\xc5\xf9\x6f\x05\x10\x00\x00\x00";
	static struct gone_through gone;
	enum { ZEROS = CODE_BYTES - LENGTHS_AHEAD - (sizeof(vectors) - 1) };

	(void)state;
	for (size_t i = 0; i < LENGTHS_LANES; i++)
		memcpy(gone.code[i], vectors, sizeof(vectors) - 1);
	go_through(&gone, LENGTHS_LANES, (uintptr_t)&gone, (uintptr_t)(&gone + 1));
	assert_int_equal(gone.known, (4 + ZEROS / 2) * LENGTHS_LANES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),  cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_values), cmocka_unit_test(test_memory),
		cmocka_unit_test(test_random), cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_common), cmocka_unit_test(test_vectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
