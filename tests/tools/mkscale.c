/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mkscale: makes a large program and its profile, in time and memory linear in its size.
 *
 *   mkscale SHAPE N OUTDIR      writes OUTDIR/a.out and OUTDIR/gmon.out
 *
 *   chain   main calls f0000001, that calls f0000002, and so on: N calls
 *   star    main calls N functions
 *   fanin   N functions call the function leaf
 *   stacks  main calls N / 100 functions, and OUTDIR/gmon.out.ext has N nodes of call stacks, of
 *           which each second has a tick in one of 64 threads
 *   ring    main calls the first of N functions, each calls the next, the last calls the first
 *
 * Function number i is called i % 7 + 1 times, but once in a chain and a ring. Each 1000th has one
 * tick; the end of the chain and `leaf` have 100.
 */
#include "elfimage.h"
#include "gmonfile.h"
#include "prng.h"
#include "stackfile.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tool_name[] = "mkscale";

/* Each function has one bin. */
enum { BASE = 0x401000, FUNCTION_SIZE = 4, NAME_SIZE = 12, MAX_N = 9999999, THREADS = 64 };

enum shape { CHAIN, STAR, FANIN, STACKS, RING };

static const char *const shapes[] = { "chain", "star", "fanin", "stacks", "ring" };

/* Functions are numbered from 0, which is main; with a fan-in the last one is leaf. */
struct program {
	enum shape shape;
	uint32_t n, nfunctions;
	char (*names)[NAME_SIZE];
};

static uint64_t address(uint32_t i)
{
	return BASE + (uint64_t)i * FUNCTION_SIZE;
}

static void name_functions(struct program *p)
{
	p->names = xcalloc(p->nfunctions, NAME_SIZE);
	for (uint32_t i = 1; i < p->nfunctions; i++)
		snprintf(p->names[i], NAME_SIZE, "f%07u", i);
	strcpy(p->names[0], "main");
	if (p->shape == FANIN)
		strcpy(p->names[p->nfunctions - 1], "leaf");
}

static void write_image(const struct program *p, const char *dir)
{
	struct section text = {
		.name = ".text",
		.addr = BASE,
		.size = address(p->nfunctions) - BASE,
		.code = true,
	};
	struct image image = {
		.machine = machine_find("64le"),
		.sections = &text,
		.nsections = 1,
		.symbols = xcalloc(p->nfunctions + 1, sizeof(struct symbol)),
		.nsymbols = p->nfunctions + 1,
		.packed_names = true,
	};
	struct bytes out = { 0 };

	for (uint32_t i = 0; i <= p->nfunctions; i++)
		image.symbols[i] = (struct symbol){
			.name = i < p->nfunctions ? p->names[i] : "etext",
			.addr = address(i),
			.type = i < p->nfunctions ? STT_FUNC : STT_NOTYPE,
			.binding = STB_GLOBAL,
		};
	image_write(&image, &out);
	bytes_save(&out, dir, "a.out");
	bytes_free(&out);
	free(image.symbols);
}

static void put_ticks(const struct program *p, struct bytes *out)
{
	struct gmon_hist hist = {
		.lo = BASE,
		.hi = address(p->nfunctions),
		.nbins = p->nfunctions,
		.rate = 100,
		.dimension = "seconds",
		.abbreviation = 's',
		.bins = xcalloc(p->nfunctions, sizeof(uint32_t)),
	};

	for (uint32_t i = 1000; i < p->nfunctions; i += 1000)
		hist.bins[i] = 1;
	if (p->shape == CHAIN || p->shape == FANIN)
		hist.bins[p->nfunctions - 1] = 100;
	gmon_put_hist(out, 8, &hist);
	free(hist.bins);
}

static void put_arcs(const struct program *p, struct bytes *out)
{
	uint64_t leaf = address(p->nfunctions - 1);

	for (uint32_t i = 1; i < p->nfunctions - (p->shape == FANIN); i++) {
		if (p->shape == STAR || p->shape == STACKS)
			gmon_put_arc(out, 8, BASE, address(i), i % 7 + 1);
		else if (p->shape == FANIN)
			gmon_put_arc(out, 8, address(i), leaf, i % 7 + 1);
		else
			gmon_put_arc(out, 8, address(i - 1) + 1, address(i), 1);
	}
	if (p->shape == RING)
		gmon_put_arc(out, 8, leaf, address(1), 1);
}

/* Any node may be a caller of those behind it, so the tree is about 40 deep. */
static void write_stacks(const struct program *p, const struct bytes *profile, const char *dir)
{
	struct stackfile f = { .big = false };
	struct prng r = { 1 };
	char name[16];

	stackfile_module(&f, &(struct stackfile_module){ .path = "a.out",
							 .low = BASE,
							 .high = address(p->nfunctions),
							 .flags = GMON_EXT_PROGRAM });
	stackfile_kind(&f, "cpu", 100, "seconds", 's');
	for (uint32_t i = 0; i < THREADS; i++) {
		snprintf(name, sizeof(name), "worker%u", i);
		stackfile_thread(&f, 1000 + i, name, i);
	}
	for (uint32_t i = 0; i < p->n; i++) {
		uint32_t parent = i == 0 ? STACKFILE_NONE : prng_below(&r, i);

		stackfile_node(&f, parent, 0,
			       i == 0 ? BASE : address(prng_below(&r, p->nfunctions)));
		if (i % 2)
			stackfile_sample(&f, i, prng_below(&r, THREADS), 0, 0, 1);
	}
	stackfile_save(&f, profile, 8, dir, "gmon.out.ext");
	stackfile_free(&f);
}

static void write_profile(const struct program *p, const char *dir)
{
	struct bytes out = { 0 };

	gmon_put_header(&out, 1);
	put_ticks(p, &out);
	put_arcs(p, &out);
	bytes_save(&out, dir, "gmon.out");
	if (p->shape == STACKS)
		write_stacks(p, &out, dir);
	bytes_free(&out);
}

int main(int argc, char **argv)
{
	struct program p = { 0 };
	unsigned long n;
	char *end;

	if (argc != 4)
		die("usage: mkscale chain|star|fanin|stacks|ring N OUTDIR");
	while (p.shape <= RING && strcmp(shapes[p.shape], argv[1]) != 0)
		p.shape++;
	if (p.shape > RING)
		die("no such shape: %s", argv[1]);
	n = strtoul(argv[2], &end, 0);
	if (*end || n < 2 || n >= MAX_N)
		die("not a number from 2 to %d: %s", MAX_N - 1, argv[2]);
	p.n = (uint32_t)n;
	p.nfunctions = p.shape == STACKS ? p.n / 100 + 2 : p.n + 1 + (p.shape == FANIN);
	name_functions(&p);
	write_image(&p, argv[3]);
	write_profile(&p, argv[3]);
	free(p.names);
	return 0;
}
