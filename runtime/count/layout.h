/* SPDX-License-Identifier: MIT */
/*
 * Numbers that the assembly entry code shares with table.h and state.h, which check them at compile
 * time. Only #define, since assembly includes this file.
 */
#ifndef COUNT_LAYOUT_H
#define COUNT_LAYOUT_H

/* struct table */
#define GMON_TABLE_MASK  16
#define GMON_TABLE_CELLS 64

/* struct cell: two fill a cache line where pointers have 64 bits, four where they have 32. */
#define GMON_CELL_FROM 0
#if defined(__LP64__)
#define GMON_CELL_SELF  8
#define GMON_CELL_COUNT 16
#define GMON_CELL_BYTES 32
#else
#define GMON_CELL_SELF  4
#define GMON_CELL_COUNT 8
#define GMON_CELL_BYTES 16
#endif

/*
 * The value for a caller whose address is unknown: neither a code address nor the mark of an unused
 * cell.
 */
#define GMON_FROM_UNKNOWN 2

/* struct gmon: the program's code */
#if defined(__LP64__)
#define GMON_PROGRAM_LOW  16
#define GMON_PROGRAM_HIGH 24
#else
#define GMON_PROGRAM_LOW  12
#define GMON_PROGRAM_HIGH 16
#endif

/* The hash of a pair of addresses; see table_hash(). */
#define GMON_HASH_FACTOR 0x61c88647
#if defined(__LP64__)
#define GMON_HASH_ROTATE 13
#define GMON_HASH_SHIFT  20
#else
#define GMON_HASH_ROTATE 7
#define GMON_HASH_SHIFT  6
#endif

#endif
