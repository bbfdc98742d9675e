/* SPDX-License-Identifier: MIT */
/*
 * Profiling firmware: calls and time, in memory that the program gives. No files, no heap, no
 * floating point, and of the C library only memset().
 *
 *   static uintptr_t memory[4096];
 *   const struct gmon_range text = { (uintptr_t)__text_start, (uintptr_t)__text_end, 4 };
 *
 *   gmon_start(memory, sizeof(memory), &text, 1, 1000);
 *   ...                            compiled with -pg; a timer interrupt calls gmon_tick()
 *   gmon_dump_text(put_line, 0);   and gprof reads the console's log
 *
 * Calls may be made in interrupts and on several processors: each is counted, once. What has no
 * room is counted, too: the profile says that gmon_count() has called gmon_dropped() so many times,
 * and gmon_tick() gmon_saturated() and gmon_outside().
 */
#ifndef GMON_EMBEDDED_H
#define GMON_EMBEDDED_H

#include <stddef.h>
#include <stdint.h>

/* Code in [low, high), in bins of 2 to the power of shift (1 to 16) bytes, the first at low. All
 * ranges of a profile have one shift: readers of gmon.out want that. */
struct gmon_range {
	uintptr_t low, high;
	unsigned shift;
};

/*
 * The bytes that gmon_start() takes for n ranges and at most `arcs` pairs of call site and
 * function. Calls cost least where a third of these stays empty.
 */
size_t gmon_size(const struct gmon_range *ranges, unsigned n, unsigned arcs);

/*
 * Begins a profile, from zero, in `memory`, which belongs to the profile until the next
 * gmon_start(): bins for the n ranges; the rest is for calls. gmon_tick() is called `rate` times a
 * second. Returns 0, or -1 if there is no profile: the bins and one cell for a call have no room,
 * or a range has no code or another shift than the first, or two are not disjoint when each is
 * filled up to whole bins.
 */
int gmon_start(void *memory, size_t bytes, const struct gmon_range *ranges, unsigned n,
	       uint32_t rate);

/* Counts a tick at pc, the interrupted address: see GMON_PC_CORTEX_M, GMON_PC_RISCV. */
void gmon_tick(uintptr_t pc);

/* 0 pauses counting, others resume it. Does nothing before gmon_start(). */
void gmon_control(int on);

/* Takes the next bytes of a dump. Anything but 0 ends the dump. */
typedef int gmon_write(void *context, const void *bytes, size_t n);

/* Takes a line of a dump as text, at most GMON_LINE_MOST characters, without a newline. */
typedef int gmon_put(void *context, const char *line);

enum { GMON_LINE_MOST = 84 };

/*
 * Writes the profile as a gmon.out, or as the text that gmon_text.h describes, which gprof finds in
 * a console's log. Counting pauses meanwhile. Not reentrant. Returns 0, what the callback returned
 * if that was not 0, or -1: there is no profile.
 */
int gmon_dump(gmon_write *write, void *context);
int gmon_dump_text(gmon_put *put, void *context);

#ifdef GMON_STACKS
/*
 * Call stacks, if all files are compiled with -DGMON_STACKS=n, n a power of two: the last n, of at
 * most GMON_STACK_DEPTH functions each, in (GMON_STACK_DEPTH + 3) words each that are no part of
 * gmon_size(). A stack that ticks find several times in a row takes one place. Cortex-M, for which
 * the program must be compiled with -funwind-tables and linked with .ARM.exidx between
 * __exidx_start and __exidx_end; and RISC-V, with -fno-omit-frame-pointer.
 */
#ifndef GMON_STACK_DEPTH
#define GMON_STACK_DEPTH 16
#endif

/* Stacks lie in [low, high), such as all RAM: nothing is read elsewhere. To be called first. */
void gmon_stack_memory(uintptr_t low, uintptr_t high);

/*
 * These replace gmon_tick(). What was interrupted: its address, the return address in ra or lr, the
 * stack pointer as it was, and s0 or r7. Or, on Cortex-M, the frame of eight words, lr and r7, as
 * they were when the handler began.
 */
void gmon_tick_stack(uintptr_t pc, uintptr_t link, uintptr_t stack, uintptr_t frame);
void gmon_tick_cortex_m(const uint32_t *frame, uintptr_t exc_return, uintptr_t r7);

/*
 * Writes the file that belongs beside the file that gmon_dump() has just written, with ".ext" added
 * to its name. gmon_dump_text() writes both. Other processors must not tick meanwhile. Returns as
 * gmon_dump() does.
 */
int gmon_dump_stacks(gmon_write *write, void *context);
#endif

/* Their calls in a profile: calls without room, ticks of bins that are full, ticks outside of all
 * ranges. */
void gmon_dropped(void);
void gmon_saturated(void);
void gmon_outside(void);

/* What the compiler's calls come to: a call from `from` of the function in which `self` is. */
void gmon_count(uintptr_t from, uintptr_t self);

/* The interrupted address. Cortex-M: of the frame of eight words that the processor has pushed,
 * at the stack pointer (MSP, or PSP: bit 2 of EXC_RETURN) as it was when the handler began. */
#define GMON_PC_CORTEX_M(frame) ((uintptr_t)((const uint32_t *)(frame))[6])
#if defined(__riscv)
#define GMON_PC_RISCV()                                            \
	({                                                         \
		uintptr_t gmon_pc;                                 \
		__asm__ volatile("csrr %0, mepc" : "=r"(gmon_pc)); \
		gmon_pc;                                           \
	})
#endif

#endif
