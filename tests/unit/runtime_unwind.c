/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks along stacks, their parts: expressions, programs of call-frame information, damaged
 * ones, and deep stacks. tests/runtime/unwind.sh compares whole walks with the
 * compiler's library.
 */
#include "testing.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/resource.h>

#include "record/modules.h"
#include "record/stacks.h"
#include "record/strings.h"
#include "runtime_said.h"
#include "state.h"
#include "tests/tools/prng.h"
#include "unwind/eh_index.h"
#include "unwind/frame.h"
#include "unwind/unwind.h"

enum { PAGE = 4096, ROUNDS = 5000, LOOKS = 60, WORDS = 512 };

/* Memory of whole pages, with so many bytes on both sides that cannot be read; the bytes end or
 * begin there. */
static uint8_t *alone(size_t bytes, size_t around, bool at_end)
{
	size_t room = (bytes + PAGE - 1) / PAGE * PAGE;
	uint8_t *all = mmap(NULL, room + 2 * around, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_true(all != MAP_FAILED);
	assert_int_equal(mprotect(all + around, room, PROT_READ | PROT_WRITE), 0);
	return all + around + (at_end ? room - bytes : 0);
}

static uint8_t *guarded(size_t bytes, bool at_end)
{
	return alone(bytes, PAGE, at_end);
}

/*
 * What a damaged rule leads to from there is nothing that can be read: else it would be memory of
 * somebody else, which a walk may read and a memory checker complains of.
 */
static uint8_t *far_away(size_t bytes, bool at_end)
{
	return alone(bytes, sizeof(void *) > 4 ? (size_t)INT32_MAX / PAGE * 2 * PAGE : PAGE,
		     at_end);
}

/* For readable_object(): an object that was not read before. */
static uintptr_t new_key(void)
{
	static uintptr_t key = 1;

	return key += 2;
}

/* An expression's value; `fails`: it has none. */
static void expect_result(const void *code, size_t n, bool fails, uintptr_t wanted)
{
	static uintptr_t stack[4] = { 11, 22, 33, 44 };
	static struct readable readable;
	struct registers registers = { .known = (uint64_t)1 << REGISTER_SP };
	uint8_t *bytes = guarded(n, true);
	struct expression expression = {
		{ &readable, new_key(), (uintptr_t)bytes, (uintptr_t)(bytes + n), false },
		&registers,
		&readable,
		false,
	};
	uintptr_t first = (uintptr_t)stack;
	uintptr_t value = 0;

	memcpy(bytes, code, n);
	assert_int_equal(expression_value(&expression, &first, &value), !fails);
	if (!fails)
		assert_int_equal(value, wanted);
}

#define EXPECT(wanted, ...)                                                                       \
	expect_result((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), \
		      false, (uintptr_t)(wanted))
#define EXPECT_NONE(...)                                                                          \
	expect_result((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), \
		      true, 0)

static void test_expressions(void **state)
{
	(void)state;
	EXPECT(11, 0x06);                              /* what the frame's end points to */
	EXPECT(22, 0x23, sizeof(uintptr_t), 0x06);     /* plus_uconst, deref */
	EXPECT(5, 0x32, 0x33, 0x22);                   /* 2 3 plus */
	EXPECT(-1, 0x32, 0x33, 0x1c);                  /* minus */
	EXPECT(6, 0x32, 0x33, 0x1e);                   /* mul */
	EXPECT(2, 0x36, 0x33, 0x1a);                   /* 6 3 and */
	EXPECT(7, 0x36, 0x33, 0x21);                   /* or */
	EXPECT(5, 0x36, 0x33, 0x27);                   /* xor */
	EXPECT(48, 0x36, 0x33, 0x24);                  /* shl */
	EXPECT(0, 0x31, 0x08, 200, 0x24);              /* shl by 200 */
	EXPECT(-1, 0x09, 0xff, 0x08, 200, 0x26);       /* shra */
	EXPECT(1, 0x0a, 0, 2, 0x39, 0x25, 0x31, 0x29); /* 512 >> 9 == 1, in little endian */
	EXPECT(-3, 0x11, 0x7d);                        /* consts */
	EXPECT(300, 0x10, 0xac, 0x02);                 /* constu */
	EXPECT(-5, 0x35, 0x1f);                        /* neg */
	EXPECT(-6, 0x35, 0x20);                        /* not */
	EXPECT(4, 0x32, 0x12, 0x22);                   /* dup plus */
	EXPECT(3, 0x33, 0x34, 0x13);                   /* drop */
	EXPECT(1, 0x34, 0x33, 0x16, 0x1c, 0x1f);       /* swap: -(3 - 4) */
	EXPECT(9, 0x33, 0x36, 0x14, 0x22);             /* over */
	EXPECT(8, 0x35, 0x33, 0x15, 1, 0x22);          /* pick */
	EXPECT(1, 0x31, 0x09, 0xff, 0x2b);             /* 1 > -1 */
	EXPECT(0, 0x31, 0x09, 0xff, 0x2d);             /* 1 < -1 */
	EXPECT(1, 0x31, 0x31, 0x2a);
	EXPECT(1, 0x31, 0x31, 0x2c);
	EXPECT(0, 0x31, 0x31, 0x2e);
	EXPECT(7, 0x37, 0x31, 0x28, 1, 0, 0x96, 0x96); /* bra over one nop */
	EXPECT(7, 0x37, 0x30, 0x28, 99, 99);           /* none that is not taken */
	EXPECT_NONE(0x2f, 0xfd, 0xff);                 /* skip to itself, for ever */
	EXPECT_NONE(0x2f, 0x01, 0x00);                 /* out of it */
	EXPECT_NONE(0x2f, 0xfc, 0xff);
	EXPECT_NONE(0x12, 0x2f, 0xfc, 0xff); /* too many values */
	EXPECT_NONE(0x13, 0x13);             /* too few */
	EXPECT_NONE(0x36, 0x15, 200);
	EXPECT_NONE(0x70 + 200 % 32, 0);        /* a register that is not known */
	EXPECT_NONE(0x92, 0xff, 0xff, 0x03, 0); /* and one that is none */
	EXPECT_NONE(0x08);                      /* cut */
	EXPECT_NONE(0x11, 0x80, 0x80);
	EXPECT_NONE(0x30, 0x06); /* memory that cannot be read */
	EXPECT_NONE(0xe0);
	EXPECT_NONE(0x13);
}

/* Bytes of .eh_frame under construction. */
struct builder {
	uint8_t *at;
	size_t n;
};

static void build(struct builder *builder, const void *bytes, size_t n)
{
	memcpy(builder->at + builder->n, bytes, n);
	builder->n += n;
}

static void build_word(struct builder *builder, uint32_t word)
{
	build(builder, &word, sizeof(word));
}

enum { FIRST = 0x100, LENGTH = 0x80 };

/*
 * An object with one function, [base + FIRST, +LENGTH), its CIE and FDE having these programs. Its
 * code is aligned to 1, its data to -8.
 */
static struct eh_object one_function(const uint8_t *first, size_t nfirst, const uint8_t *code,
				     size_t ncode)
{
	static struct eh_entry entry;
	struct builder builder = { guarded(nfirst + ncode + 35, true), 0 };
	static const uint8_t cie[] = { 1, 'z', 'R', 0, 1, 0x78 };
	static const uint8_t augmentation[] = { 1, 0x1b };
	struct eh_object object = {
		.base = (uintptr_t)builder.at,
		.table = (uintptr_t)&entry,
		.n = 1,
		.fingerprint = new_key(),
	};
	uint64_t ra = 0;

	while (arch_register(ra) != REGISTER_RA)
		ra++;
	build_word(&builder, (uint32_t)(4 + sizeof(cie) + 1 + sizeof(augmentation) + nfirst));
	build_word(&builder, 0);
	build(&builder, cie, sizeof(cie));
	build(&builder, &(uint8_t){ (uint8_t)ra }, 1);
	build(&builder, augmentation, sizeof(augmentation));
	build(&builder, first, nfirst);
	entry = (struct eh_entry){ FIRST, (int32_t)builder.n };
	build_word(&builder, (uint32_t)(4 + 4 + 4 + 1 + ncode));
	build_word(&builder, (uint32_t)builder.n);
	build_word(&builder, (uint32_t)(FIRST - builder.n));
	build_word(&builder, LENGTH);
	build(&builder, &(uint8_t){ 0 }, 1);
	build(&builder, code, ncode);
	object.frames_low = object.base;
	object.frames_high = object.base + builder.n;
	return object;
}

/* DWARF's number of one of our registers. */
static uint8_t dwarf_of(int ours)
{
	uint8_t number = 0;

	while (arch_register(number) != ours)
		number++;
	return number;
}

static struct cfi_row row_at(const struct eh_object *object, uintptr_t offset, bool found)
{
	static struct cfi_scratch scratch;
	static struct readable readable;
	struct cfi_row row;

	assert_int_equal(cfi_find(object, &readable, object->base + FIRST + offset, &row, &scratch),
			 found);
	assert_int_equal(row.kind == CFI_NONE, !found);
	return row;
}

static void expect_rule(const struct cfi_row *row, int ours, enum cfi_rule rule, int32_t operand)
{
	assert_int_equal(cfi_rule(row->rule[ours]), rule);
	assert_int_equal(cfi_operand(row->rule[ours]), operand);
}

/* A row for each 4 bytes of code. */
static struct eh_object many_rules(void)
{
	const uint8_t sp = dwarf_of(REGISTER_SP);
	const uint8_t ra = dwarf_of(REGISTER_RA);
	const uint8_t a = dwarf_of(0);
	const uint8_t b = dwarf_of(1);
	const uint8_t first[] = { 0x0c, sp, 8, 0x05, ra, 1 };
	const uint8_t code[] = {
		0x44, 0x0e, 16,   0x05, a,    2, /* 4: CFA is sp + 16; a 16 below */
		0x02, 4,    0x0d, b,    0x0a,    /* 8: of b; saved */
		0x03, 4,    0,    0x12, a,    0x7c, 0x11, b,    2, /* 12: a + 32; b 16 below */
		0x04, 4,    0,    0,    0,    0x0b, 0x14, b,    1, /* 16: as saved; b is CFA - 8 */
		0x44, 0x09, a,    sp,   0x07, b,                   /* 20: a in sp, b lost */
		0x44, 0x06, a,    0x08, b,    0x2e, 9,             /* 24: a as at first, b kept */
		0x44, 0x0f, 1,    0x31, 0x10, a,    1,    0x30,    /* 28: expressions */
		0x16, b,    2,    0x31, 0x96, 0x44, 0x2f, a,    3,
		0x15, b,    0x7e, /* 32: a at CFA + 24, b is CFA + 16 */
		0x44, 0x07, ra,   /* 36: no caller */
		0x44, 0x3b,       /* 40: unknown */
	};

	return one_function(first, sizeof(first), code, sizeof(code));
}

static void test_rules(void **state)
{
	struct eh_object object = many_rules();
	struct cfi_row row = row_at(&object, 0, true);

	(void)state;
	assert_int_equal(row.kind, CFI_CFA_REGISTER);
	assert_int_equal(row.cfa_register, REGISTER_SP);
	assert_int_equal(row.cfa_offset, 8);
	expect_rule(&row, REGISTER_RA, CFI_OFFSET, -8);
	expect_rule(&row, 0, CFI_SAME_VALUE, 0);
	row = row_at(&object, 4, true);
	assert_int_equal(row.cfa_offset, 16);
	expect_rule(&row, 0, CFI_OFFSET, -16);
	row = row_at(&object, 11, true);
	assert_int_equal(row.cfa_register, 1);
	assert_int_equal(row.cfa_offset, 16);
	row = row_at(&object, 12, true);
	assert_int_equal(row.cfa_register, 0);
	assert_int_equal(row.cfa_offset, 32);
	expect_rule(&row, 1, CFI_OFFSET, -16);
	row = row_at(&object, 16, true);
	assert_int_equal(row.cfa_register, 1);
	assert_int_equal(row.cfa_offset, 16);
	expect_rule(&row, 1, CFI_VAL_OFFSET, -8);
	row = row_at(&object, 20, true);
	expect_rule(&row, 0, CFI_REGISTER, REGISTER_SP);
	expect_rule(&row, 1, CFI_UNDEFINED, 0);
	row = row_at(&object, 24, true);
	expect_rule(&row, 0, CFI_SAME_VALUE, 0);
	expect_rule(&row, 1, CFI_SAME_VALUE, 0);
	row = row_at(&object, 28, true);
	assert_int_equal(row.kind, CFI_CFA_EXPRESSION);
	assert_int_equal(cfi_rule(row.rule[0]), CFI_EXPRESSION);
	assert_int_equal(cfi_rule(row.rule[1]), CFI_VAL_EXPRESSION);
	assert_int_equal(((const uint8_t *)object.base)[row.cfa_offset], 1);
	assert_int_equal(((const uint8_t *)object.base)[cfi_operand(row.rule[1])], 2);
	row = row_at(&object, 32, true);
	expect_rule(&row, 0, CFI_OFFSET, 24);
	expect_rule(&row, 1, CFI_VAL_OFFSET, 16);
	row = row_at(&object, 36, true);
	assert_int_equal(row.kind, CFI_OUTERMOST);
	row_at(&object, 40, false);
	row_at(&object, LENGTH, false);
	row_at(&object, -1, false);
}

/* A program that cannot be run has no row; it does not end the stack. */
static void test_bad_rules(void **state)
{
	static const uint8_t first[] = { 0x0c, 0, 8 };
	uint8_t deep[2 * CFI_REMEMBERED] = { 0 };
	struct eh_object object;

	(void)state;
	memset(deep, 0x0a, CFI_REMEMBERED + 1);
	object = one_function(first, sizeof(first), deep, CFI_REMEMBERED + 1);
	row_at(&object, 0, false);
	object = one_function(first, sizeof(first), deep, CFI_REMEMBERED);
	row_at(&object, 0, true);
	object = one_function(first, sizeof(first), (const uint8_t[]){ 0x0b }, 1);
	row_at(&object, 0, false);
	object = one_function(first, sizeof(first), (const uint8_t[]){ 0x05, 0, 0x80 }, 3);
	row_at(&object, 0, false);
	object = one_function(first, sizeof(first), (const uint8_t[]){ 0x0f, 9, 0 }, 3);
	row_at(&object, 0, false);
	object = one_function(first, sizeof(first),
			      (const uint8_t[]){ 0x0e, 0xff, 0xff, 0xff, 0xff, 0x7f }, 6);
	row_at(&object, 0, false);
	object = one_function(first, 0, first, 0);
	row_at(&object, 0, false);
}

/* The segment of the C library's call-frame information, or the program's if that is part of it. */
struct real {
	uintptr_t low, high, header;
	uintptr_t bias;
	const ElfW(Phdr) * segment;
	size_t n;
};

static int find_real(struct dl_phdr_info *info, size_t size, void *to)
{
	struct real *real = to;
	struct real found = { .bias = info->dlpi_addr,
			      .segment = info->dlpi_phdr,
			      .n = info->dlpi_phnum };

	(void)size;
	for (size_t i = 0; i < found.n; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			found.header = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
	for (size_t i = 0; i < found.n; i++) {
		uintptr_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    found.header - low < info->dlpi_phdr[i].p_filesz) {
			found.low = low;
			found.high = low + info->dlpi_phdr[i].p_filesz;
		}
	}
	if (found.low && (!real->low || strstr(info->dlpi_name, "libc.so")))
		*real = found;
	return 0;
}

/* A copy of the information, opened, of which damage and reads beyond the end are seen. */
static bool open_copy(struct eh_object *object, const uint8_t *copy, size_t bytes)
{
	ElfW(Phdr) segment[] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = bytes, .p_memsz = bytes },
		{ .p_type = PT_GNU_EH_FRAME, .p_flags = PF_R },
	};

	return ehframe_open(object, (uintptr_t)copy, segment, COUNT(segment));
}

static const struct eh_entry *table_of(const struct eh_object *object)
{
	return (const void *)object->table;
}

static uintptr_t some_code(struct prng *random, const struct eh_object *object)
{
	return object->base +
	       (uintptr_t)table_of(object)[prng_below(random, (uint32_t)object->n)].code +
	       prng_below(random, 40);
}

/* Whatever a damaged object says, walks out of its functions end, and nothing else is read. */
static void look_around(struct prng *random, const struct eh_object *object, struct frame_kit *kit,
			uintptr_t stack[WORDS])
{
	for (size_t i = 0; i < WORDS; i++)
		stack[i] = prng_chance(random, 50) ? some_code(random, object)
						   : (uintptr_t)&stack[prng_below(random, 500)];
	for (int i = 0; i < LOOKS; i++) {
		struct frame frame = { .exact = i % 2 };
		struct eh_fde fde;

		frame.ip = some_code(random, object);
		ehframe_find(object, &kit->readable, frame.ip, &fde);
		for (int j = 0; j < REGISTERS; j++)
			frame.registers.value[j] =
				prng_chance(random, 50) ? (uintptr_t)&stack[prng_below(random, 500)]
							: (uintptr_t)prng_next(random);
		frame.registers.known = frame.registers.sure = ((uint64_t)1 << REGISTERS) - 1;
		eh_objects_begin(&kit->objects);
		kit->objects.at[0] = *object;
		kit->objects.at[0].low = 1;
		kit->objects.at[0].high = UINTPTR_MAX;
		kit->objects.last = NULL;
		kit->objects.in[0] = kit->objects.walk;
		for (int step = 0; step < 20 && frame_step(kit, &frame) == FRAME_STEPPED; step++)
			;
	}
}

static void damage(struct prng *random, uint8_t *copy, size_t bytes)
{
	/* Functions whose information is what is last. */
	for (uint32_t i = 0; i < 100 && bytes > 3000; i += 2) {
		int32_t frame = (int32_t)(bytes - 4 * prng_below(random, 200));

		memcpy(copy + 16 + 8 * i, &frame, sizeof(frame));
	}
	for (uint32_t n = prng_between(random, 1, 30); n; n--) {
		uint32_t at = prng_below(random, prng_chance(random, 2) ? 16 : (uint32_t)bytes);

		if (prng_chance(random, 50))
			copy[at] ^= (uint8_t)(1 << prng_below(random, 8));
		else
			copy[at] = prng_chance(random, 50) ? 0xff : (uint8_t)prng_next(random);
	}
}

static void test_damaged(void **state)
{
	static struct eh_starts starts;
	struct prng random = { 16 };
	struct frame_kit *kit = calloc(1, sizeof(*kit));
	struct real real = { 0 };
	unsigned opened = 0;
	uint8_t *low;
	uint8_t *high; /* behind the last byte of memory */
	uintptr_t *stack;
	size_t most;

	(void)state;
	dl_iterate_phdr(find_real, &real);
	assert_true(real.low != 0);
	most = real.high - real.header < 100000 ? real.high - real.header : 100000;
	most &= ~(size_t)3;
	low = far_away(most, false);
	high = far_away(most, true) + most;
	stack = (uintptr_t *)(void *)far_away(WORDS * sizeof(*stack), false);
	kit->starts = &starts;
	for (int i = 0; i < ROUNDS; i++) {
		size_t bytes =
			prng_chance(&random, 70) ? most : prng_below(&random, (uint32_t)most);
		uint8_t *copy = i % 2 ? low : high - bytes / 4 * 4;
		struct eh_object object;

		bytes = bytes / 4 * 4;
		memcpy(copy, (const void *)real.header, bytes);
		/* the table is longer than what is here */
		memcpy(copy + 8,
		       &(uint32_t){ prng_chance(&random, 90) ? 200 : (uint32_t)bytes / 8 }, 4);
		if (i >= 100)
			damage(&random, copy, bytes);
		if (!open_copy(&object, copy, bytes) || !object.n)
			continue;
		opened++;
		object.fingerprint = new_key();
		memset(kit->cache, 0, sizeof(kit->cache));
		look_around(&random, &object, kit, stack);
	}
	assert_true(opened > ROUNDS / 3);
	free(kit);
}

/* The table that is made where there is none finds what the linker's does; FDEs one after another
 * say what each says. */
static void test_index(void **state)
{
	struct eh_object linked;
	struct eh_object made;
	struct eh_fde a;
	struct eh_fde b;
	struct eh_fde next = { .cie = 0 };
	ElfW(Phdr) segment[64];
	size_t n = 0;
	struct real real = { 0 };
	static struct readable readable;

	(void)state;
	dl_iterate_phdr(find_real, &real); /* the program is the first */
	real.low = 0;
	real.segment = (const void *)getauxval(AT_PHDR);
	for (; n < getauxval(AT_PHNUM) && n < COUNT(segment); n++) {
		segment[n] = real.segment[n];
		if (segment[n].p_type == PT_PHDR)
			real.bias = (uintptr_t)real.segment - segment[n].p_vaddr;
	}
	if (!ehframe_open(&linked, real.bias, segment, n))
		skip();
	for (size_t i = 0; i < n; i++)
		if (segment[i].p_type == PT_GNU_EH_FRAME)
			segment[i].p_type = PT_NULL;
	assert_false(ehframe_open(&made, real.bias, segment, n));
	assert_true(eh_index_make(&made, &readable, real.bias, segment, n));
	assert_int_equal(made.n, linked.n);
	for (size_t i = 0; i < linked.n; i++) {
		const struct eh_entry *entry = &table_of(&linked)[i];
		uintptr_t pc = linked.base + (uintptr_t)(intptr_t)entry->code;

		assert_true(ehframe_find(&linked, &readable, pc, &a));
		assert_true(ehframe_find(&made, &readable, a.high - 1, &b));
		assert_true(a.low == b.low && a.high == b.high && a.code.at == b.code.at);
		assert_true(ehframe_read_next(
			&linked, linked.base + (uintptr_t)(intptr_t)entry->frame, &next));
		assert_true(a.low == next.low && a.high == next.high && a.code.at == next.code.at &&
			    a.first.at == next.first.at && a.encoding == next.encoding &&
			    a.signal == next.signal);
	}
}

static struct unwound all, some;

static __attribute__((noinline)) long descend(int n, struct unwinder *whole,
					      struct unwinder *limited)
{
	volatile long here = n;
	ucontext_t context;

	if (n > 0)
		return descend(n - 1, whole, limited) + here;
	getcontext(&context);
	all = unwind(whole, &context);
	some = unwind(limited, &context);
	return here;
}

/* Without the list of objects there are no walks, even if memory for the rest has come back. */
static void test_no_memory_for_objects(void **state)
{
	struct rlimit before, none;
	struct said said;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	none = (struct rlimit){ 0, before.rlim_max };
	gmon.settings.stacks = 1000;
	modules_prepare();
	assert_true(strings_start() && modules_start());
	said = said_begin();
	assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
	stacks_prepare();
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
	stacks_start();
	said_end(&said);
	assert_null(gmon.starts);
	assert_false(gmon.stacks.on);
	assert_string_equal(said.text, "libgmon: GMON=stacks: no memory for call stacks\n");
}

static void test_depth(void **state)
{
	struct unwinder *whole;
	struct unwinder *limited;

	(void)state;
	unwind_prepare();
	whole = unwind_new(1000, false);
	limited = unwind_new(64, false);
	for (int n = 0; n < 200; n += 7) {
		descend(n, whole, limited);
		assert_int_equal(all.end, UNWIND_COMPLETE);
		assert_int_equal(some.end, UNWIND_COMPLETE);
		assert_int_equal(all.gap, all.n);
		assert_true((int)all.n > n);
		if (all.n <= 64) {
			assert_int_equal(some.n, all.n);
			assert_int_equal(some.gap, some.n);
			assert_memory_equal(some.frame, all.frame, all.n * sizeof(*all.frame));
			continue;
		}
		assert_int_equal(some.n, 64);
		assert_int_equal(some.gap, 56);
		assert_memory_equal(some.frame, all.frame, 56 * sizeof(*all.frame));
		assert_memory_equal(some.frame + 56, all.frame + all.n - 8, 8 * sizeof(*all.frame));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions), cmocka_unit_test(test_rules),
		cmocka_unit_test(test_bad_rules),   cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_index),       cmocka_unit_test(test_no_memory_for_objects),
		cmocka_unit_test(test_depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
