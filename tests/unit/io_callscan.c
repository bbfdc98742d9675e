/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each machine's fixture is the same assembly, as the machine's assembler and linker put it to
 * address 0x10000:
 *
 *   first:   call third; jump second; nop
 *   second:  call first; call second; jump second; nop; jump label; nop
 *   label:   nop                                  not marked as a function
 *   third:   call second; nop; call (the second instruction of second); nop; jump first; nop
 *   _start:  nop
 */
#include "testing.h"

#include "io/image/callscan.h"
#include "io/image/machine.h"

#include <elf.h>

enum { BASE = 0x10000, FIRST = 0, SECOND, LABEL, THIRD, START, NSYMS };

static const unsigned char code_x86_64[] = {
	0xe8, 0x14, 0x00, 0x00, 0x00, 0xeb, 0x01, 0x90, 0xe8, 0xf3, 0xff, 0xff, 0xff, 0xe8,
	0xf6, 0xff, 0xff, 0xff, 0xeb, 0xf4, 0x90, 0xeb, 0x01, 0x90, 0x90, 0xe8, 0xea, 0xff,
	0xff, 0xff, 0x90, 0xe8, 0xe5, 0xff, 0xff, 0xff, 0x90, 0xeb, 0xd9, 0x90, 0x90,
};
static const unsigned char code_i386[] = {
	0xe8, 0x14, 0x00, 0x00, 0x00, 0xeb, 0x01, 0x90, 0xe8, 0xf3, 0xff, 0xff, 0xff, 0xe8,
	0xf6, 0xff, 0xff, 0xff, 0xeb, 0xf4, 0x90, 0xeb, 0x01, 0x90, 0x90, 0xe8, 0xea, 0xff,
	0xff, 0xff, 0x90, 0xe8, 0xe5, 0xff, 0xff, 0xff, 0x90, 0xeb, 0xd9, 0x90, 0x90,
};
static const unsigned char code_aarch64[] = {
	0x0a, 0x00, 0x00, 0x94, 0x02, 0x00, 0x00, 0x14, 0x1f, 0x20, 0x03, 0xd5, 0xfd, 0xff,
	0xff, 0x97, 0xff, 0xff, 0xff, 0x97, 0xfe, 0xff, 0xff, 0x17, 0x1f, 0x20, 0x03, 0xd5,
	0x02, 0x00, 0x00, 0x14, 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5, 0xf9, 0xff,
	0xff, 0x97, 0x1f, 0x20, 0x03, 0xd5, 0xf8, 0xff, 0xff, 0x97, 0x1f, 0x20, 0x03, 0xd5,
	0xf2, 0xff, 0xff, 0x17, 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5,
};
static const unsigned char code_arm[] = {
	0x08, 0x00, 0x00, 0xeb, 0x00, 0x00, 0x00, 0xea, 0x00, 0xf0, 0x20, 0xe3, 0xfb, 0xff,
	0xff, 0xeb, 0xfd, 0xff, 0xff, 0xeb, 0xfc, 0xff, 0xff, 0xea, 0x00, 0xf0, 0x20, 0xe3,
	0x00, 0x00, 0x00, 0xea, 0x00, 0xf0, 0x20, 0xe3, 0x00, 0xf0, 0x20, 0xe3, 0xf7, 0xff,
	0xff, 0xeb, 0x00, 0xf0, 0x20, 0xe3, 0xf6, 0xff, 0xff, 0xeb, 0x00, 0xf0, 0x20, 0xe3,
	0xf0, 0xff, 0xff, 0xea, 0x00, 0xf0, 0x20, 0xe3, 0x00, 0xf0, 0x20, 0xe3,
};
static const unsigned char code_thumb[] = {
	0x00, 0xf0, 0x0b, 0xf8, 0x00, 0xe0, 0xc0, 0x46, 0xff, 0xf7, 0xfa, 0xff, 0xff, 0xf7, 0xfc,
	0xff, 0xfa, 0xe7, 0xc0, 0x46, 0x00, 0xe0, 0xc0, 0x46, 0xc0, 0x46, 0xff, 0xf7, 0xf5, 0xff,
	0xc0, 0x46, 0xff, 0xf7, 0xf4, 0xff, 0xc0, 0x46, 0xeb, 0xe7, 0xc0, 0x46, 0xc0, 0x46,
};
static const unsigned char code_riscv64[] = {
	0x97, 0x00, 0x00, 0x00, 0xe7, 0x80, 0x80, 0x03, 0x17, 0x03, 0x00, 0x00, 0x67, 0x00, 0xa3,
	0x00, 0x01, 0x00, 0x97, 0x00, 0x00, 0x00, 0xe7, 0x80, 0xe0, 0xfe, 0x97, 0x00, 0x00, 0x00,
	0xe7, 0x80, 0x80, 0xff, 0x17, 0x03, 0x00, 0x00, 0x67, 0x00, 0x03, 0xff, 0x01, 0x00, 0x17,
	0x03, 0x00, 0x00, 0x67, 0x00, 0xa3, 0x00, 0x01, 0x00, 0x01, 0x00, 0x97, 0x00, 0x00, 0x00,
	0xe7, 0x80, 0xa0, 0xfd, 0x01, 0x00, 0x97, 0x00, 0x00, 0x00, 0xe7, 0x80, 0x40, 0xfd, 0x01,
	0x00, 0x17, 0x03, 0x00, 0x00, 0x67, 0x00, 0x43, 0xfb, 0x01, 0x00, 0x01, 0x00,
};
static const unsigned char code_riscv64j[] = {
	0xef, 0x00, 0x80, 0x02, 0x6f, 0x00, 0x80, 0x00, 0x13, 0x00, 0x00, 0x00, 0xef, 0xf0,
	0x5f, 0xff, 0xef, 0xf0, 0xdf, 0xff, 0x6f, 0xf0, 0x9f, 0xff, 0x13, 0x00, 0x00, 0x00,
	0x6f, 0x00, 0x80, 0x00, 0x13, 0x00, 0x00, 0x00, 0x13, 0x00, 0x00, 0x00, 0xef, 0xf0,
	0x5f, 0xfe, 0x13, 0x00, 0x00, 0x00, 0xef, 0xf0, 0x1f, 0xfe, 0x13, 0x00, 0x00, 0x00,
	0x6f, 0xf0, 0x9f, 0xfc, 0x13, 0x00, 0x00, 0x00, 0x13, 0x00, 0x00, 0x00,
};
static const unsigned char code_riscv32c[] = {
	0x11, 0x28, 0x11, 0xa0, 0x01, 0x00, 0xed, 0x3f, 0xfd, 0x3f, 0xf5, 0xbf,
	0x01, 0x00, 0x11, 0xa0, 0x01, 0x00, 0x01, 0x00, 0xcd, 0x3f, 0x01, 0x00,
	0xcd, 0x3f, 0x01, 0x00, 0xd5, 0xb7, 0x01, 0x00, 0x01, 0x00,
};
static const unsigned char code_ppc64le[] = {
	0x29, 0x00, 0x00, 0x48, 0x08, 0x00, 0x00, 0x48, 0x00, 0x00, 0x00, 0x60, 0xf5, 0xff,
	0xff, 0x4b, 0xfd, 0xff, 0xff, 0x4b, 0xf8, 0xff, 0xff, 0x4b, 0x00, 0x00, 0x00, 0x60,
	0x08, 0x00, 0x00, 0x48, 0x00, 0x00, 0x00, 0x60, 0x00, 0x00, 0x00, 0x60, 0xe5, 0xff,
	0xff, 0x4b, 0x00, 0x00, 0x00, 0x60, 0xe1, 0xff, 0xff, 0x4b, 0x00, 0x00, 0x00, 0x60,
	0xc8, 0xff, 0xff, 0x4b, 0x00, 0x00, 0x00, 0x60, 0x00, 0x00, 0x00, 0x60,
};
static const unsigned char code_s390x[] = {
	0xc0, 0xe5, 0x00, 0x00, 0x00, 0x1a, 0xc0, 0xf4, 0x00, 0x00, 0x00, 0x05, 0x47, 0x00, 0x00,
	0x00, 0xc0, 0xe5, 0xff, 0xff, 0xff, 0xf8, 0xc0, 0xe5, 0xff, 0xff, 0xff, 0xfd, 0xc0, 0xf4,
	0xff, 0xff, 0xff, 0xfa, 0x47, 0x00, 0x00, 0x00, 0xc0, 0xf4, 0x00, 0x00, 0x00, 0x05, 0x47,
	0x00, 0x00, 0x00, 0x47, 0x00, 0x00, 0x00, 0xc0, 0xe5, 0xff, 0xff, 0xff, 0xee, 0x47, 0x00,
	0x00, 0x00, 0xc0, 0xe5, 0xff, 0xff, 0xff, 0xeb, 0x47, 0x00, 0x00, 0x00, 0xc0, 0xf4, 0xff,
	0xff, 0xff, 0xdc, 0x47, 0x00, 0x00, 0x00, 0x47, 0x00, 0x00, 0x00, 0x07, 0x07,
};
static const unsigned char code_mips[] = {
	0x0c, 0x00, 0x40, 0x0f, 0x00, 0x00, 0x00, 0x00, 0x08, 0x00, 0x40, 0x05, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x0c, 0x00, 0x40, 0x05, 0x00, 0x00, 0x00, 0x00, 0x08, 0x00, 0x40, 0x05, 0x00, 0x00,
	0x00, 0x00, 0x08, 0x00, 0x40, 0x0e, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x0c, 0x00, 0x40, 0x05, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x00,
	0x40, 0x06, 0x00, 0x00, 0x00, 0x00, 0x08, 0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
};
static const unsigned char code_mipsbal[] = {
	0x04, 0x11, 0x00, 0x0e, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x02, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x11, 0xff, 0xfa, 0x00, 0x00, 0x00, 0x00,
	0x04, 0x11, 0xff, 0xfd, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0xff, 0xfb, 0x00, 0x00,
	0x00, 0x00, 0x10, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x04, 0x11, 0xff, 0xf5, 0x00, 0x00, 0x00, 0x00, 0x04, 0x11,
	0xff, 0xf4, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0xff, 0xec, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
};
static const unsigned char code_sparc[] = {
	0x40, 0x00, 0x00, 0x0a, 0x10, 0x80, 0x00, 0x02, 0x01, 0x00, 0x00, 0x00, 0x7f, 0xff,
	0xff, 0xfd, 0x7f, 0xff, 0xff, 0xff, 0x10, 0xbf, 0xff, 0xfe, 0x01, 0x00, 0x00, 0x00,
	0x10, 0x80, 0x00, 0x02, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x7f, 0xff,
	0xff, 0xf9, 0x01, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xf8, 0x01, 0x00, 0x00, 0x00,
	0x10, 0xbf, 0xff, 0xf2, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
};

struct fixture {
	const char *name;
	const unsigned char *bytes;
	size_t size;
	unsigned machine, ptr_size;
	bool big_endian, thumb;
	unsigned at[NSYMS];
	bool local_entry; /* the call behind second's first instruction is one of second */
};

#define CODE(name) #name, code_##name, sizeof(code_##name)

static const struct fixture fixtures[] = {
	{ CODE(x86_64), EM_X86_64, 8, false, false, { 0, 0x08, 0x18, 0x19, 0x28 }, false },
	{ CODE(i386), EM_386, 4, false, false, { 0, 0x08, 0x18, 0x19, 0x28 }, false },
	{ CODE(aarch64), EM_AARCH64, 8, false, false, { 0, 0x0c, 0x24, 0x28, 0x40 }, false },
	{ CODE(arm), EM_ARM, 4, false, false, { 0, 0x0c, 0x24, 0x28, 0x40 }, false },
	{ CODE(thumb), EM_ARM, 4, false, true, { 0, 0x08, 0x18, 0x1a, 0x2a }, false },
	{ CODE(riscv64), EM_RISCV, 8, false, false, { 0, 0x12, 0x36, 0x38, 0x56 }, false },
	{ CODE(riscv64j), EM_RISCV, 8, false, false, { 0, 0x0c, 0x24, 0x28, 0x40 }, false },
	{ CODE(riscv32c), EM_RISCV, 4, false, false, { 0, 0x06, 0x12, 0x14, 0x20 }, false },
	{ CODE(ppc64le), EM_PPC64, 8, false, false, { 0, 0x0c, 0x24, 0x28, 0x40 }, true },
	{ CODE(s390x), EM_S390, 8, true, false, { 0, 0x10, 0x30, 0x34, 0x52 }, false },
	{ CODE(mips), EM_MIPS, 4, true, false, { 0, 0x14, 0x38, 0x3c, 0x58 }, false },
	{ CODE(mipsbal), EM_MIPS, 4, true, false, { 0, 0x14, 0x38, 0x3c, 0x58 }, false },
	{ CODE(sparc), EM_SPARCV9, 8, true, false, { 0, 0x0c, 0x24, 0x28, 0x40 }, false },
};

/* Everything that callscan() needs of a fixture. */
struct program_text {
	struct code code;
	struct code_section section;
	struct code_mark marks[4];
	struct code_stub stub;
	struct sym syms[NSYMS];
	struct symtab symtab;
};

static struct program_text *make_text(const struct fixture *f, struct arena *mem)
{
	struct program_text *t = arena_array(mem, struct program_text, 1);

	t->section = (struct code_section){ BASE, f->bytes, f->size };
	t->code = (struct code){
		.machine = machine_by_number(f->machine),
		.target = { .ptr_size = f->ptr_size, .big_endian = f->big_endian },
		.sections = &t->section,
		.nsections = 1,
		.marks = t->marks,
	};
	if (f->thumb)
		t->marks[t->code.nmarks++] = (struct code_mark){ BASE, MARK_THUMB };
	for (int i = 0; i < NSYMS; i++)
		t->syms[i] = (struct sym){
			.lo = BASE + f->at[i],
			.hi = BASE + (i + 1 < NSYMS ? f->at[i + 1] : f->size),
			.name = "",
			.flags = i == LABEL ? 0 : SYM_FUNC,
		};
	t->symtab = (struct symtab){ t->syms, NSYMS };
	return t;
}

struct pair {
	int from, to;
};

/* Fails unless the calls are those between the n pairs of symbols, in order. */
static void expect_calls(struct program_text *t, const struct pair *pairs, size_t n,
			 struct arena *mem)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct call_sites calls = callscan(&t->code, &t->symtab, "a.out", mem, &diag);

	assert_int_equal(log.n, 0);
	assert_int_equal(calls.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(symtab_find(&t->symtab, calls.at[i].from_pc), pairs[i].from);
		assert_int_equal(calls.at[i].to_pc, t->syms[pairs[i].to].lo);
	}
}

static void each_machine_has_its_calls(void **state)
{
	static const struct pair plain[] = {
		{ FIRST, THIRD },   { FIRST, SECOND }, { SECOND, FIRST },
		{ SECOND, SECOND }, { THIRD, SECOND }, { THIRD, FIRST },
	};
	static const struct pair entered[] = {
		{ FIRST, THIRD },  { FIRST, SECOND }, { SECOND, FIRST }, { SECOND, SECOND },
		{ THIRD, SECOND }, { THIRD, SECOND }, { THIRD, FIRST },
	};
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < COUNT(fixtures); i++) {
		const struct fixture *f = &fixtures[i];

		print_message("# %s\n", f->name);
		if (f->local_entry)
			expect_calls(make_text(f, &mem), entered, COUNT(entered), &mem);
		else
			expect_calls(make_text(f, &mem), plain, COUNT(plain), &mem);
	}
	arena_free(&mem);
}

/* second and label are not in the table: their code has no caller, nor is it called. */
static void functions_left_out_have_no_calls(void **state)
{
	enum { LEFT_THIRD = 1 };
	static const struct pair calls[] = { { FIRST, LEFT_THIRD }, { LEFT_THIRD, FIRST } };
	struct arena mem = test_arena();
	struct program_text *t = make_text(&fixtures[0], &mem);

	(void)state;
	t->marks[t->code.nmarks++] = (struct code_mark){ t->syms[SECOND].lo, MARK_LEFT_OUT };
	t->syms[FIRST].hi = t->syms[THIRD].lo;
	t->syms[LEFT_THIRD] = t->syms[THIRD];
	t->symtab.nsyms = 2;
	expect_calls(t, calls, COUNT(calls), &mem);
	arena_free(&mem);
}

static void data_has_no_calls(void **state)
{
	static const struct pair calls[] = {
		{ FIRST, THIRD }, { FIRST, SECOND }, { THIRD, SECOND }, { THIRD, FIRST }
	};
	struct arena mem = test_arena();
	struct program_text *t = make_text(&fixtures[2], &mem);

	(void)state;
	t->marks[0] = (struct code_mark){ t->syms[SECOND].lo, MARK_DATA };
	t->marks[1] = (struct code_mark){ t->syms[THIRD].lo, MARK_CODE };
	t->code.nmarks = 2;
	expect_calls(t, calls, COUNT(calls), &mem);
	arena_free(&mem);
}

static void a_stub_is_what_it_leads_to(void **state)
{
	static const struct pair calls[] = { { FIRST, START },  { FIRST, SECOND },
					     { SECOND, FIRST }, { SECOND, SECOND },
					     { THIRD, SECOND }, { THIRD, FIRST } };
	struct arena mem = test_arena();
	struct program_text *t = make_text(&fixtures[0], &mem);

	(void)state;
	t->stub = (struct code_stub){ t->syms[THIRD].lo, t->syms[START].lo };
	t->code.stubs = &t->stub;
	t->code.nstubs = 1;
	expect_calls(t, calls, COUNT(calls), &mem);
	arena_free(&mem);
}

/* The table has one symbol an address, which need not be the one that is marked. */
static void any_mark_makes_a_function(void **state)
{
	static const struct pair calls[] = { { FIRST, THIRD },  { FIRST, SECOND },
					     { SECOND, FIRST }, { SECOND, SECOND },
					     { THIRD, SECOND }, { THIRD, FIRST } };
	struct arena mem = test_arena();
	struct program_text *t = make_text(&fixtures[0], &mem);

	(void)state;
	t->syms[SECOND].flags = 0;
	t->syms[FIRST].flags = 0;
	expect_calls(t, (const struct pair[]){ calls[0], calls[2], calls[3], calls[4] }, 4, &mem);
	t->marks[0] = (struct code_mark){ t->syms[FIRST].lo, MARK_FUNCTION };
	t->marks[1] = (struct code_mark){ t->syms[SECOND].lo, MARK_FUNCTION };
	t->code.nmarks = 2;
	expect_calls(t, calls, COUNT(calls), &mem);
	arena_free(&mem);
}

static void other_sections_have_other_owners(void **state)
{
	struct arena mem = test_arena();
	struct program_text *t = make_text(&fixtures[0], &mem);

	(void)state;
	t->section.pc += BASE; /* far behind the last symbol's start */
	t->syms[START].hi = 4 * BASE;
	expect_calls(t, NULL, 0, &mem);
	arena_free(&mem);
}

static void an_unknown_machine_is_a_warning(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct program_text *t = make_text(&fixtures[0], &mem);

	(void)state;
	t->code.machine = machine_by_number(EM_VAX);
	assert_int_equal(callscan(&t->code, &t->symtab, "a.out", &mem, &diag).n, 0);
	expect_message(&log, "a.out");
	arena_free(&mem);
}

struct encoding {
	const char *bytes;
	size_t length;
};

static const struct encoding x86_64_encodings[] = {
	{ "\x90", 1 },                                      /* nop */
	{ "\x48\xb8\x88\x77\x66\x55\x44\x33\x22\x11", 10 }, /* movabs $0x1122334455667788,%rax */
	{ "\xb8\x78\x56\x34\x12", 5 },                      /* mov    $0x12345678,%eax */
	{ "\x66\xb8\x34\x12", 4 },                          /* mov    $0x1234,%ax */
	{ "\xa0\x88\x77\x66\x55\x44\x33\x22\x11", 9 },      /* movabs 0x1122334455667788,%al */
	{ "\xf6\x00\x01", 3 },                              /* testb  $0x1,(%rax) */
	{ "\xf6\x10", 2 },                                  /* notb   (%rax) */
	{ "\xf7\x44\x98\x08\x01\x00\x00\x00", 8 },          /* testl  $0x1,0x8(%rax,%rbx,4) */
	{ "\x66\xf7\xc1\x01\x00", 5 },                      /* test   $0x1,%cx */
	{ "\xc8\x10\x00\x00", 4 },                          /* enter  $0x10,$0x0 */
	{ "\xc2\x08\x00", 3 },                              /* ret    $0x8 */
	{ "\x68\x78\x56\x34\x12", 5 },                      /* push   $0x12345678 */
	{ "\x48\x6b\xd8\x05", 4 },                          /* imul   $0x5,%rax,%rbx */
	{ "\x69\x1d\x00\x10\x00\x00\x45\x23\x01\x00", 10 }, /* imul   $0x12345,0x1000(%rip),%ebx */
	{ "\x64\x48\x89\x04\x25\x10\x00\x00\x00", 9 },      /* mov    %rax,%fs:0x10 */
	{ "\x48\x8d\x0c\xc5\x00\x00\x00\x00", 8 },          /* lea    0x0(,%rax,8),%rcx */
	{ "\x48\xc7\x44\x24\x40\x07\x00\x00\x00", 9 },      /* movq   $0x7,0x40(%rsp) */
	{ "\xf0\x48\x0f\xc7\x0f", 5 },                      /* lock cmpxchg16b (%rdi) */
	{ "\xf3\xa4", 2 },                                  /* rep movsb %ds:(%rsi),%es:(%rdi) */
	{ "\x66\x0f\x70\xd1\x03", 5 },                      /* pshufd $0x3,%xmm1,%xmm2 */
	{ "\x0f\xa4\xc3\x03", 4 },                          /* shld   $0x3,%eax,%ebx */
	{ "\x66\x0f\x38\x00\xd1", 5 },                      /* pshufb %xmm1,%xmm2 */
	{ "\x66\x0f\x3a\x0f\xd1\x04", 6 },                  /* palignr $0x4,%xmm1,%xmm2 */
	{ "\xc5\xf8\x77", 3 },                              /* vzeroupper */
	{ "\xc5\xec\x58\xd9", 4 },                          /* vaddps %ymm1,%ymm2,%ymm3 */
	{ "\xc5\xfd\x70\xd1\x03", 5 },                      /* vpshufd $0x3,%ymm1,%ymm2 */
	{ "\xc4\xe3\xfd\x00\xd1\x03", 6 },                  /* vpermq $0x3,%ymm1,%ymm2 */
	{ "\xc4\xe2\x6d\xb8\x98\x00\x01\x00\x00", 9 }, /* vfmadd231ps 0x100(%rax),%ymm2,%ymm3 */
	{ "\x62\xf1\x74\x48\x58\x50\x01", 7 },         /* vaddps 0x40(%rax),%zmm1,%zmm2 */
	{ "\x62\xf3\x6d\x48\x25\xd9\x96", 7 },         /* vpternlogd $0x96,%zmm1,%zmm2,%zmm3 */
	{ "\x8f\xe8\x78\xc2\xd1\x03", 6 },             /* vprotd $0x3,%xmm1,%xmm2 */
	{ "\xc4\xe3\xfb\xf0\xd8\x03", 6 },             /* rorx   $0x3,%rax,%rbx */
	{ "\x2e\x66\x0f\x1f\x84\x00\x00\x02\x00\x00", 10 }, /* cs nopw 0x200(%rax,%rax,1) */
	{ "\x0f\x0f\x08\x9e", 4 },                          /* pfadd  (%rax),%mm1 */
	{ "\x66\x48\x8d\x3d\x10\x00\x00\x00", 8 },          /* data16 lea 0x10(%rip),%rdi */
	{ "\x67\x8b\x18", 3 },                              /* mov    (%eax),%ebx */
	{ "\xf3\x0f\x1e\xfa", 4 },                          /* endbr64 */
};

static const struct encoding i386_encodings[] = {
	{ "\x06", 1 },                         /* push   %es */
	{ "\x40", 1 },                         /* inc    %eax */
	{ "\x9a\x78\x56\x34\x12\x12\x00", 7 }, /* lcall  $0x12,$0x12345678 */
	{ "\xc4\x08", 2 },                     /* les    (%eax),%ecx */
	{ "\xc5\x48\x08", 3 },                 /* lds    0x8(%eax),%ecx */
	{ "\x62\x01", 2 },                     /* bound  %eax,(%ecx) */
	{ "\x60", 1 },                         /* pusha */
	{ "\xa1\x78\x56\x34\x12", 5 },         /* mov    0x12345678,%eax */
	{ "\x67\x66\x8b\x00", 4 },             /* mov    (%bx,%si),%ax */
	{ "\x67\x8a\x86\x34\x12", 5 },         /* mov    0x1234(%bp),%al */
	{ "\x67\x8b\x0e\x34\x12", 5 },         /* mov    0x1234,%ecx */
	{ "\xc5\xec\x58\xd9", 4 },             /* vaddps %ymm1,%ymm2,%ymm3 */
	{ "\x62\xf1\x6c\x48\x58\xd9", 6 },     /* vaddps %zmm1,%zmm2,%zmm3 */
	{ "\xd4\x0a", 2 },                     /* aam    $0xa */
};

/* Whole, with more behind it, and cut short. */
static void check_length(decode_fn *decode, const struct encoding *e)
{
	unsigned char bytes[32];
	struct insn in = { .bytes = bytes, .left = sizeof(bytes), .pc = BASE };
	struct branch branch = { 0 };

	memset(bytes, 0x90, sizeof(bytes));
	memcpy(bytes, e->bytes, e->length);
	assert_int_equal(decode(&in, &branch), e->length);
	in.left = e->length;
	assert_int_equal(decode(&in, &branch), e->length);
	assert_int_equal(branch.kind, BRANCH_NONE);
	while (--in.left > 0)
		assert_int_equal(decode(&in, &branch), 0);
}

static void x86_instructions_have_their_lengths(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(x86_64_encodings); i++)
		check_length(callscan_x86_64, &x86_64_encodings[i]);
	for (size_t i = 0; i < COUNT(i386_encodings); i++)
		check_length(callscan_i386, &i386_encodings[i]);
}

struct expected_branch {
	decode_fn *decode;
	const char *bytes;
	size_t length;
	bool thumb;
	enum branch_kind kind;
	uint64_t target;
};

static const struct expected_branch branches[] = {
	{ callscan_x86_64, "\x67\xe8\x00\x00\x00\x00", 6, false, BRANCH_CALL, BASE + 6 },
	{ callscan_x86_64, "\xf2\xe9\xf9\xff\xff\xff", 6, false, BRANCH_JUMP, BASE - 1 },
	{ callscan_x86_64, "\x66\x66\x48\xe8\x00\x00\x00\x00", 8, false, BRANCH_CALL, BASE + 8 },
	{ callscan_x86_64, "\x0f\x84\x10\x00\x00\x00", 6, false, BRANCH_JUMP, BASE + 0x16 },
	{ callscan_x86_64, "\x74\xfe", 2, false, BRANCH_JUMP, BASE },
	{ callscan_i386, "\x66\xe8\x00\x00", 4, false, BRANCH_NONE, 0 },
	{ callscan_arm, "\x00\xf0\x0a\xe8", 4, true, BRANCH_CALL, BASE + 0x18 },   /* blx */
	{ callscan_arm, "\x00\xf0\x08\xb8", 4, true, BRANCH_JUMP, BASE + 0x14 },   /* b.w */
	{ callscan_arm, "\x00\xf0\x08\x80", 4, true, BRANCH_JUMP, BASE + 0x14 },   /* beq.w */
	{ callscan_arm, "\xbf\xf3\x5f\x8f", 4, true, BRANCH_NONE, 0 },             /* dmb */
	{ callscan_arm, "\xfd\xff\xff\xfb", 4, false, BRANCH_CALL, BASE - 2 },     /* blx */
	{ callscan_arm, "\xfd\xff\xff\x0b", 4, false, BRANCH_CALL, BASE - 4 },     /* bleq */
	{ callscan_aarch64, "\x40\x00\x00\x54", 4, false, BRANCH_JUMP, BASE + 8 }, /* b.eq */
	{ callscan_alpha, "\x01\x00\x40\xd3", 4, false, BRANCH_CALL, BASE + 8 },   /* bsr */
};

static void branches_lead_where_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(branches); i++) {
		const struct expected_branch *e = &branches[i];
		struct insn in = {
			.bytes = (const unsigned char *)e->bytes,
			.left = e->length,
			.pc = BASE,
			.thumb = e->thumb,
		};
		struct branch branch = { 0 };

		assert_int_equal(e->decode(&in, &branch), e->length);
		assert_int_equal(branch.kind, e->kind);
		if (e->kind != BRANCH_NONE)
			assert_int_equal(branch.target, e->target);
	}
}

/* Any bytes: no decoder reads or steps past the end, which a sanitizer or valgrind would tell. */
static void noise_is_harmless(void **state)
{
	static decode_fn *const decoders[] = { callscan_aarch64, callscan_alpha, callscan_arm,
					       callscan_i386,    callscan_mips,  callscan_ppc64,
					       callscan_riscv,   callscan_s390x, callscan_sparc,
					       callscan_x86_64 };
	uint64_t seed = 5;

	(void)state;
	for (unsigned n = 0; n < 200000; n++) {
		size_t left = 1 + random_below(&seed, 16);
		unsigned char *bytes = malloc(left);
		struct insn in = { .bytes = bytes, .left = left, .pc = BASE };
		struct branch branch = { 0 };

		assert_non_null(bytes);
		for (size_t i = 0; i < left; i++)
			bytes[i] = (unsigned char)random_bits(&seed);
		in.thumb = random_below(&seed, 2);
		in.flags = (unsigned)random_bits(&seed);
		assert_true(decoders[n % COUNT(decoders)](&in, &branch) <= left);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_machine_has_its_calls),
		cmocka_unit_test(functions_left_out_have_no_calls),
		cmocka_unit_test(data_has_no_calls),
		cmocka_unit_test(a_stub_is_what_it_leads_to),
		cmocka_unit_test(any_mark_makes_a_function),
		cmocka_unit_test(other_sections_have_other_owners),
		cmocka_unit_test(an_unknown_machine_is_a_warning),
		cmocka_unit_test(x86_instructions_have_their_lengths),
		cmocka_unit_test(branches_lead_where_they_say),
		cmocka_unit_test(noise_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
