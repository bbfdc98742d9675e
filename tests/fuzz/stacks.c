/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fuzz target: files of call stacks, and of calls and ticks of modules.
 *
 * Input: a byte that says for which machine (its lower two bits: 64 bits little endian, 64 big, 32
 * little, 32 big; the next: addresses are sign-extended; the next: the file's own word for its
 * length and its machine counts, else these are made right), and the file. A part of the mutations
 * knows its structure.
 *
 * What is read holds only indices that are in range. It is added up with itself; it can be written,
 * and what is written can be read and written again, to the same bytes.
 */
#include "config.h"

#include "fuzz.h"

#include "../tools/mutate.h"
#include "io/file.h"
#include "io/profile/ext_read.h"
#include "io/profile/ext_write.h"
#include "model/recorded_sum.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AT_ORDER = 12, AT_POINTERS = 16, AT_STAMP = 24, AT_SIZE = 32, HEAD = 40 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct prng r = { seed };
	struct bytes file = { 0 };
	unsigned changes = 1 + prng_below(&r, 4);

	if (size < 2 || prng_chance(&r, 40))
		return LLVMFuzzerMutate(data, size, max);
	bytes_add(&file, data + 1, size - 1);
	for (unsigned i = 0; i < changes; i++)
		mutate_stacks(&file, &r);
	size = file.n + 1 < max ? file.n + 1 : max;
	memcpy(data + 1, file.data, size - 1);
	bytes_free(&file);
	return size;
}

static bool is_module(const struct recorded *rec, uint32_t module, uint64_t address)
{
	const struct module *m;

	if (module >= rec->modules.n)
		return module == RECORDED_NONE;
	m = &rec->modules.at[module];
	return recorded_module_is_several(m) || address - (m->lo - m->bias) < m->hi - m->lo;
}

static void check_objects(const struct recorded *rec)
{
	uint64_t calls = 0, ticks = 0;

	for (size_t i = 0; i < rec->arcs.n; i++) {
		const struct recorded_arc *arc = &rec->arcs.at[i];

		if (!is_module(rec, arc->from_module, arc->from) ||
		    !is_module(rec, arc->self_module, arc->self) ||
		    (arc->thread >= rec->threads.n && arc->thread != RECORDED_NONE))
			finding("an arc that refers to nothing");
		calls += arc->calls;
	}
	for (size_t i = 0; i < rec->bins.n; i++) {
		const struct recorded_bin *bin = &rec->bins.at[i];

		if (!is_module(rec, bin->module, bin->address) || bin->kind >= rec->kinds.n)
			finding("a bin that refers to nothing");
		ticks += bin->ticks;
	}
	if (calls != rec->ncalls || ticks != rec->bin_ticks)
		finding("calls or ticks that do not add up");
	if (rec->nobjects > (uint64_t)rec->nfiles + rec->nlack || recorded_is_empty(rec))
		finding("recordings that are none");
}

/* Nothing refers to what is not there. */
static void check(const struct recorded *rec)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < rec->nodes.n; i++) {
		const struct recorded_node *node = &rec->nodes.at[i];

		if ((node->parent >= i && node->parent != RECORDED_NONE) ||
		    !is_module(rec, node->module, node->address))
			finding("a node that refers to nothing");
	}
	for (size_t i = 0; i < rec->samples.n; i++) {
		const struct recorded_sample *sample = &rec->samples.at[i];

		if ((sample->node >= rec->nodes.n && sample->node != RECORDED_NONE) ||
		    sample->thread >= rec->threads.n || sample->kind >= rec->kinds.n ||
		    (unsigned)sample->quality >= STACK_QUALITIES)
			finding("a sample that refers to nothing");
		ticks += sample->ticks;
	}
	if (ticks != rec->ticks)
		finding("ticks that do not add up");
	for (size_t i = 0; i < rec->threads.n; i++)
		if (rec->threads.at[i].recording >= rec->nfiles)
			finding("a thread of no recording");
	check_objects(rec);
}

static struct file print(const struct recorded *rec, const struct ext_expected *expected,
			 struct arena *mem)
{
	int fd = memory_file("", 0);
	struct file file = { 0 };
	struct ext_texts texts;
	struct output out;
	char path[FD_PATH];

	output_open(&out, fd, "memory", expected->diag);
	fd_path(path, fd);
	if (!ext_texts_make(&texts, rec, mem))
		finding("names that are too long");
	ext_print(rec, &texts, expected->target, expected->stamp, &out);
	if (output_close(&out) < 0 || file_read(&file, path, NULL, NULL, expected->diag) < 0)
		finding("stacks that cannot be written");
	close(fd);
	return file;
}

static void check_printed(const struct recorded *rec, struct ext_expected expected,
			  struct arena *mem)
{
	struct file first = print(rec, &expected, mem), second;
	struct recorded again;

	expected.size = first.size;
	if (ext_read(&again, first.bytes, &expected, mem) < 0)
		finding("stacks that were written and cannot be read");
	second = print(&again, &expected, mem);
	if (first.size != second.size || memcmp(first.bytes, second.bytes, first.size) != 0)
		finding("stacks that change when they are read and written");
	file_free(&first);
	file_free(&second);
}

/* Twice what there is has as many modules and nodes as once, if these are distinct. */
static void check_sum(const struct recorded *rec, const struct ext_expected *expected,
		      struct arena *mem)
{
	struct recorded once = { 0 }, twice = { 0 };
	struct recorded_index of_once = { 0 }, of_twice = { 0 };

	if (!recorded_sum_add(&once, &of_once, rec, mem))
		finding("stacks that cannot be added to nothing");
	check(&once);
	recorded_sum_begin(&twice, rec);
	if (!recorded_sum_add(&twice, &of_twice, rec, mem)) {
		if (rec->ticks <= UINT64_MAX / 2 && rec->nfiles <= UINT32_MAX / 2 &&
		    rec->nlack <= UINT32_MAX / 2 && rec->nobjects <= UINT32_MAX / 2 &&
		    rec->ncalls <= UINT64_MAX / 2 && rec->bin_ticks <= UINT64_MAX / 2 &&
		    rec->slice_ticks <= UINT64_MAX / 2 && rec->hold_ticks <= UINT64_MAX / 2)
			finding("stacks that cannot be added up");
		return;
	}
	check(&twice);
	if (once.nodes.n != twice.nodes.n || once.modules.n != twice.modules.n ||
	    2 * once.threads.n != twice.threads.n || 2 * once.ticks != twice.ticks ||
	    2 * once.ncalls != twice.ncalls || 2 * once.bin_ticks != twice.bin_ticks ||
	    once.bins.n != twice.bins.n)
		finding("a sum that is not");
	check_printed(&twice, *expected, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag diag = { .program = "gprof", .sink = ignore_line };
	struct arena mem = { .no_memory = finding_no_memory };
	struct bytes file = { 0 };
	struct recorded rec;
	struct target target;
	struct ext_expected expected = { .target = &target, .name = "gmon.out.ext", .diag = &diag };
	int rc;

	if (size < 1)
		return 0;
	target = (struct target){ .ptr_size = data[0] & 2 ? 4 : 8,
				  .big_endian = data[0] & 1,
				  .sign_extend = (data[0] & 4) != 0 };
	bytes_add(&file, data + 1, size - 1);
	expected.size = file.n;
	if (file.n >= HEAD) {
		file.big = file.data[AT_ORDER] == 1;
		expected.stamp = bytes_get(&file, AT_STAMP, 8);
		if (!(data[0] & 8)) {
			bytes_set(&file, AT_SIZE, file.n, 8);
			bytes_set(&file, AT_POINTERS, target.ptr_size, 4);
		}
	}
	rc = ext_read(&rec, file.data, &expected, &mem);
	if (diag.nerrors > 0 || diag.nwarnings != (rc < 0))
		finding("not one warning for what is ignored");
	if (rc == 0) {
		check(&rec);
		check_printed(&rec, expected, &mem);
		check_sum(&rec, &expected, &mem);
	}
	arena_free(&mem);
	bytes_free(&file);
	return 0;
}
