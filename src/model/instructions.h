/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine instructions of some functions, with the time of each. */
#ifndef MODEL_INSTRUCTIONS_H
#define MODEL_INSTRUCTIONS_H

#include "model/symtab.h"

#include <stdbool.h>
#include <stddef.h>

/* An instruction, or bytes that are none. */
struct instruction {
	uint64_t pc;      /* its address in its own file, as the linker gave it */
	unsigned bytes;   /* its size, at least 1 */
	const char *text; /* as the disassembler writes it: "jle    401150" */
	uint64_t target;  /* the address that the text ends in; 0: it names none */
	const char *stub; /* what is there, if it is an entry of a linkage table: "malloc@plt"; or
			     NULL */
};

/* The instructions of a range of addresses, in order and without gaps. */
struct disassembly {
	const struct instruction *at;
	uint32_t n;
};

/* The text of a source line, without its end and the blanks before it; n is 0: it is not shown. */
struct instruction_source {
	const char *text;
	size_t n;
};

/* What is known of an instruction. Times are in ticks. */
struct instruction_cost {
	double self;
	double error;     /* half of the confidence interval of `self`; 0 without samples, or if
			     the clock is exact */
	uint64_t ncalls;  /* calls that were counted there */
	bool is_target;   /* another instruction of the function names its address */
	const char *file; /* its source line, the innermost of inlined code; NULL: not known */
	unsigned line;
};

/* A function, which is one range of code: a part that was split off is a function of its own. */
struct instruction_listing {
	sym_id symbol;
	struct disassembly code;
	const struct instruction_cost *cost; /* one for each instruction */
	double self;                         /* time of the function, in ticks */
	double outside; /* the part of it that is at no instruction, as of damaged data */
};

/* Sorted by time, the most first. */
struct instruction_listings {
	const struct instruction_listing *at;
	uint32_t n;
	double level;    /* confidence level of errors, in percent; 0: the clock is exact */
	uint64_t spread; /* ticks count for so many bytes of code together; 1: for one address */
};

#endif
