/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of the format gmon.out.ext, made by hand for both widths and orders. */
#ifndef EXTBYTES_H
#define EXTBYTES_H

#include "putbytes.h"

#include "io/profile/ext_read.h"

/* Where things are in the file that make_file() makes. */
enum {
	AT_VERSION = 8,
	AT_ORDER = 12,
	AT_POINTERS = 16,
	AT_SECTIONS = 20,
	AT_STAMP = 24,
	AT_BYTES = 32,
	TABLE = 40,
	NSECTIONS = 10, /* UNKN STRS MODS THRD KIND NODE SAMP SUM ARCS HIST */
	ENTRY = 24,
	DATA = TABLE + NSECTIONS * ENTRY,
	UNKN = DATA,
	STRS = UNKN + 8,
	MODS = STRS + 32,
	THRD = MODS + 2 * 72,
	KIND = THRD + 2 * 24,
	NODE = KIND + 2 * 32,
	SAMP = NODE + 4 * 24, /* longer records than are known */
	SUM = SAMP + 3 * 24,
	ARCS = SUM + 16,
	HIST = ARCS + 2 * 48, /* longer ones */
	END = HIST + 2 * 24,
	STAMP = 0x1234567890
};

static const char strings[32] = "\0a.out\0/lib/libm.so.6\0cpu\0wait";
enum { A_OUT = 1, LIBM = 7, CPU = 22, WAIT = 26 };

static const struct target targets[] = { { .ptr_size = 4 },
					 { .ptr_size = 4, .big_endian = true },
					 { .ptr_size = 4, .big_endian = true, .sign_extend = true },
					 { .ptr_size = 8 },
					 { .ptr_size = 8, .big_endian = true } };

struct ext_bytes {
	struct target target;
	size_t size;
	unsigned char at[END + 64];
};

static inline void put(struct ext_bytes *f, size_t at, unsigned nbytes, uint64_t value)
{
	put_bytes(f->at, sizeof(f->at), &f->target, at, nbytes, value);
}

static inline void put_section(struct ext_bytes *f, int i, const char *tag, uint32_t record,
			       size_t at, uint64_t n)
{
	memcpy(f->at + TABLE + i * ENTRY, tag, 4);
	put(f, (size_t)(TABLE + i * ENTRY + 4), 4, record);
	put(f, (size_t)(TABLE + i * ENTRY + 8), 8, at);
	put(f, (size_t)(TABLE + i * ENTRY + 16), 8, n);
}

static inline void put_head(struct ext_bytes *f)
{
	memcpy(f->at, "gmonext\n", 8);
	put(f, AT_VERSION, 4, 1);
	put(f, AT_ORDER, 4, 0x01020304);
	put(f, AT_POINTERS, 4, f->target.ptr_size);
	put(f, AT_SECTIONS, 4, NSECTIONS);
	put(f, AT_STAMP, 8, STAMP);
	put(f, AT_BYTES, 8, f->size);
	put_section(f, 0, "UNKN", 1, UNKN, 8);
	put_section(f, 1, "STRS", 1, STRS, sizeof(strings));
	put_section(f, 2, "MODS", 72, MODS, 2);
	put_section(f, 3, "THRD", 24, THRD, 2);
	put_section(f, 4, "KIND", 32, KIND, 2);
	put_section(f, 5, "NODE", 24, NODE, 4);
	put_section(f, 6, "SAMP", 24, SAMP, 3);
	put_section(f, 7, "SUM ", 16, SUM, 1);
	put_section(f, 8, "ARCS", 48, ARCS, 2);
	put_section(f, 9, "HIST", 24, HIST, 2);
}

static inline void put_module(struct ext_bytes *f, int i, uint64_t low, uint64_t bias,
			      uint32_t path, unsigned flags)
{
	size_t at = (size_t)(MODS + 72 * i);

	put(f, at, 8, low);
	put(f, at + 8, 8, low + 0x1000);
	put(f, at + 16, 8, bias);
	put(f, at + 24, 8, 5000);
	put(f, at + 32, 4, path);
	put(f, at + 36, 1, i == 0 ? 20 : 0);
	put(f, at + 37, 1, flags);
	memset(f->at + at + 40, 'i', 20);
}

static inline void put_node(struct ext_bytes *f, int i, uint32_t parent, uint32_t module,
			    uint64_t address)
{
	size_t at = (size_t)(NODE + 24 * i);

	put(f, at, 4, parent);
	put(f, at + 4, 4, module);
	put(f, at + 8, 8, address);
	memset(f->at + at + 16, 0xaa, 8);
}

static inline void put_sample(struct ext_bytes *f, int i, uint32_t node, uint32_t thread,
			      uint32_t kind, uint32_t quality)
{
	size_t at = (size_t)(SAMP + 24 * i);

	put(f, at, 4, node);
	put(f, at + 4, 4, thread);
	put(f, at + 8, 4, kind);
	put(f, at + 12, 4, quality);
	put(f, at + 16, 8, 10 + (uint64_t)i);
}

static inline void put_arc(struct ext_bytes *f, int i, uint32_t from_module, uint64_t from,
			   uint64_t self)
{
	size_t at = (size_t)(ARCS + 48 * i);

	put(f, at, 4, from_module);
	put(f, at + 4, 4, 1);
	put(f, at + 8, 8, from);
	put(f, at + 16, 8, self);
	put(f, at + 24, 8, 5 + (uint64_t)i);
	put(f, at + 32, 4, i == 0 ? UINT32_MAX : 1);
	put(f, at + 36, 4, (uint64_t)i);
	memset(f->at + at + 40, 0xaa, 8);
}

static inline void put_bin(struct ext_bytes *f, int i, uint32_t module, uint64_t address)
{
	size_t at = (size_t)(HIST + 24 * i);

	put(f, at, 4, module);
	put(f, at + 4, 4, (uint64_t)i);
	put(f, at + 8, 8, address);
	put(f, at + 16, 8, 20 + (uint64_t)i);
}

static inline struct ext_bytes make_file(const struct target *target)
{
	struct ext_bytes f = { .target = *target, .size = END };

	put_head(&f);
	memcpy(f.at + STRS, strings, sizeof(strings));
	put_module(&f, 0, 0x1000, 0, A_OUT, 1);
	put_module(&f, 1, 0x70001000, 0x70000000, LIBM, 4);
	for (int i = 0; i < 2; i++) {
		put(&f, (size_t)(THRD + 24 * i), 4, 100 + (uint64_t)i);
		put(&f, (size_t)(THRD + 24 * i + 4), 4, i == 0 ? A_OUT : 0);
		put(&f, (size_t)(THRD + 24 * i + 8), 8, 1000000007);
		put(&f, (size_t)(THRD + 24 * i + 16), 4, 2 * (uint64_t)i);
		put(&f, (size_t)(KIND + 32 * i), 4, i == 0 ? CPU : WAIT);
		put(&f, (size_t)(KIND + 32 * i + 8), 8, i == 0 ? 100 : 1000000);
		memcpy(f.at + KIND + 32 * i + 16, "seconds", 7);
		f.at[KIND + 32 * i + 31] = 's';
	}
	put_node(&f, 0, UINT32_MAX, 0, 0x1004);
	put_node(&f, 1, 0, 1, 0x1010);
	put_node(&f, 2, 0, 0, 0x1020);
	put_node(&f, 3, 2, UINT32_MAX, 0x80000000);
	put_sample(&f, 0, 1, 0, 0, 0);
	put_sample(&f, 1, 3, 1, 1, 3);
	put_sample(&f, 2, UINT32_MAX, 1, 0, 2);
	put(&f, SUM, 4, 3);
	put(&f, SUM + 4, 4, 2);
	put(&f, SUM + 8, 4, 2);
	put_arc(&f, 0, 0, 0x1008, 0x1100);
	put_arc(&f, 1, UINT32_MAX, 0x80000004, 0x1200);
	put_bin(&f, 0, 1, 0x1fff);
	put_bin(&f, 1, UINT32_MAX, 0x80000008);
	return f;
}

static inline int read_file(struct recorded *rec, const struct ext_bytes *f, struct arena *mem,
			    struct diag *diag)
{
	struct ext_expected expected = { &f->target, STAMP, f->size, "FILE", diag };
	/* Nothing behind the end may be read: a checker sees it. */
	unsigned char *copy = malloc(f->size + (f->size == 0));
	int rc;

	assert_non_null(copy);
	memcpy(copy, f->at, f->size);
	rc = ext_read(rec, copy, &expected, mem);
	free(copy);
	return rc;
}

static inline void expect_ignored(const struct ext_bytes *f, const char *text)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct recorded rec;

	assert_int_equal(read_file(&rec, f, &mem, &diag), -1);
	assert_int_equal(strncmp(log.line[0], "test: warning: FILE: ", 21), 0);
	assert_non_null(strstr(log.line[0], ": ignored"));
	assert_int_equal(diag.nerrors, 0);
	expect_message(&log, text);
	arena_free(&mem);
}

#endif
