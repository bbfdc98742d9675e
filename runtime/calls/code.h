/* SPDX-License-Identifier: MIT */
/*
 * The code of a loaded object: where its functions begin and end, as its call-frame information
 * says (unwind/ehframe.h), and what leads elsewhere.
 *
 * For the start of a program, while it has one thread: memory is read as it is. Not
 * async-signal-safe.
 */
#ifndef CALLS_CODE_H
#define CALLS_CODE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What start files call where each object's initialisation begins. */
#define CODE_HOOK "__gmon_start__"

enum { CODE_SEGMENTS = 8, CODE_STEP = 128, CODE_PAGE = 4096 };

/* Code that one FDE describes. */
struct code_function {
	uintptr_t low, high; /* [low, high) */
	bool fragment : 1;   /* a part of a function, which no call enters */
	bool plt : 1;        /* entries of the PLT, or other code that is left alone */
	bool dropped : 1;    /* its instructions are not known for sure */
	bool pointed : 1;    /* its address is in data */
	bool jumped : 1;     /* entries.h has cleared GMON_EXT_PARTIAL_UNCOUNTED */
	bool early : 1;      /* may have run before counting began (early.h) */
	uint8_t partial;     /* enum gmon_ext_partial */
};

struct code_segment {
	uintptr_t low, high; /* [low, high) */
};

struct code {
	uintptr_t bias;
	uintptr_t low, high; /* from the first to the last byte of code */
	struct code_segment text[CODE_SEGMENTS], data[CODE_SEGMENTS];
	size_t ntext, ndata;
	struct code_segment constant;   /* what does not change after the start: PT_GNU_RELRO */
	struct code_segment frames;     /* in it are the FDEs, */
	struct code_segment by_address; /* and here a table of them: PT_GNU_EH_FRAME */
	const ElfW(Dyn) * dynamic;      /* NULL: none */
	struct code_function *function; /* sorted, do not overlap */
	size_t nfunctions, nentries;    /* how many there are, and how many there is room for */
	/* For code_entry_at(), in one piece of memory: for each CODE_STEP bytes, the first function
	 * that begins there or later; where functions begin, from `low`, and behind the last one
	 * UINT32_MAX; whether no call enters them, and whether one does (scan.h). */
	uint32_t *index, *start;
	uint8_t *closed, *called;
	size_t index_bytes;
	bool owned; /* the pages of its code are the process's own */
};

/* Fills in where an object's segments are, and nothing else. False: it has no code. */
bool code_locate(struct code *code, const struct dl_phdr_info *info);

/*
 * Fills in an object. False: it has no code, or 4 GB of it, or no call-frame information, or no
 * memory; then there is nothing to free. Linear in its functions.
 *
 * `changes`: its code will be changed, so pages become the process's own at once, which takes half
 * the time if none of them was read before. Signals are blocked, and nobody runs the code
 * meanwhile.
 */
bool code_open(struct code *code, const struct dl_phdr_info *info, bool changes);
void code_close(struct code *code);

/* Sets what is allowed with the pages of an object's code. False: the kernel refuses some of it. */
bool code_protect(const struct code *code, int protection);

/* Makes the pages of an object's code, which can be written, the process's own, all at once, if
 * they are not yet: that takes less time than one fault for each. Kernels before 5.14 do not know
 * that. */
void code_own(struct code *code);

/* The range [low, high) of the code that code_open() finds in an object; both 0: it has none. */
struct code_segment code_range(const struct dl_phdr_info *info);

/* Whether an address is in a segment of code, and the n bytes from there. */
bool code_has(const struct code *code, uintptr_t at, size_t n);

/* The function in which an address is, or NULL. Constant time. */
struct code_function *code_function_at(const struct code *code, uintptr_t at);

/* The number of the first function that begins at so many bytes from the start of the code, or
 * later. */
static inline size_t code_first_from(const struct code *code, uint32_t offset)
{
	size_t i = code->index[offset / CODE_STEP];

	/* Two steps without a decision do for nearly all. */
	i += code->start[i] < offset;
	i += code->start[i] < offset;
	while (code->start[i] < offset)
		i++;
	return i;
}

/* The function that begins at an address and may be called there, or NULL. */
static inline struct code_function *code_entry_at(const struct code *code, uintptr_t at)
{
	const uintptr_t offset = at - code->low;
	size_t i;

	if (offset >= code->high - code->low)
		return NULL;
	i = code_first_from(code, (uint32_t)offset);
	return code->start[i] == offset && !code->closed[i] ? &code->function[i] : NULL;
}

/* Marks the function that begins at an address and may be called there as partly counted; `why` is
 * of enum gmon_ext_partial. */
void code_mark(const struct code *code, uintptr_t at, unsigned why);

/* The slot of the PLT entry at an address; 0: there is none. */
uintptr_t code_plt_slot(const struct code *code, uintptr_t at);

/* Whether a word at an address never changes once the program runs. */
bool code_is_constant(const struct code *code, uintptr_t slot);

/* Whether n bytes at an address are in a segment of data. */
bool code_has_data(const struct code *code, uintptr_t at, size_t n);

/* The end of what the loader reads, as symbols and relocations, if that is in a segment; else its
 * start. */
uintptr_t code_end_of_tables(const struct code *code, const struct code_segment *segment);

/* Whether the object refers to a function in another one that has one of n names. Linear in these.
 */
bool code_imports(const struct code *code, const char *const *name, size_t n);

/* Calls found(argument, address) for each function that other objects, or the loader, can call. */
void code_each_exported(const struct code *code, void found(void *argument, uintptr_t address),
			void *argument);

/* The same for where the program and its objects begin. */
void code_each_begin(const struct code *code, void found(void *argument, uintptr_t address),
		     void *argument);

/* The same for those that are called before counting begins: what the loader calls to find out
 * where slots lead, allocators, what runs before constructors, and the constructors of a library
 * that does not call CODE_HOOK. */
void code_each_before(const struct code *code, void found(void *argument, uintptr_t address),
		      void *argument);

/* The same for the functions of other objects that this one has been told of, if its constructors,
 * which are called before counting begins, may have called them. What it would look up at its first
 * call is not among them. */
void code_each_told(const struct code *code, void found(void *argument, uintptr_t address),
		    void *argument);

/* The same for what words of the object's data hold that were set to a symbol's address. */
void code_each_referred(const struct code *code, void found(void *argument, uintptr_t address),
			void *argument);

#endif
