/* SPDX-License-Identifier: MIT */
/*
 * The format of gmon.out, version 1: what -pg programs write and profilers read.
 *
 * A file is a header and then records up to its end, each a tag byte and a body without padding.
 * Numbers are in the byte order of the profiled machine, addresses (ptr) as wide as its pointers.
 * Records of one kind may repeat; their counts are added up. A reader stops at a tag that it does
 * not know.
 *
 *   header         20 bytes: GMON_MAGIC, u32 version, 12 bytes that most writers leave zero and
 *                  most readers ignore
 *   GMON_HIST      ptr low, ptr high, u32 bins, u32 ticks a second, 15 bytes dimension ("seconds",
 *                  filled with NUL), 1 byte abbreviation ('s'), then u16 ticks for each bin
 *   GMON_ARC       ptr call site, ptr callee, u32 calls
 *   GMON_BLOCKS    u32 n, then n times: ptr address, ptr executions
 *
 * Ticks may be events of the program instead of time; then the rate is 1. If each event was
 * counted, the abbreviation is a small letter. If one sample stands for many events, and has as
 * many ticks, it is a capital, such as 'P'.
 *
 * A histogram's bins divide [low, high) evenly. A histogram of two bins, for the addresses from
 * GMON_UNKNOWN_BEFORE to GMON_UNKNOWN_BEFORE / 2 bytes before the end of the address space, where
 * no code is, has in its first bin the ticks of time in which no sample was taken: they belong to
 * no function.
 *
 * If the records of arcs are in the order in which the program first made these calls, the 12 bytes
 * of the header are u32 GMON_IN_ORDER and u64 gmon_order_stamp() of all these records in turn. The
 * stamp no longer fits once a tool has reordered or removed records.
 */
#ifndef GMON_OUT_H
#define GMON_OUT_H

#include <stdint.h>

#define GMON_MAGIC   "gmon"
#define GMON_VERSION 1

enum { GMON_HEADER_BYTES = 20, GMON_DIMENSION_BYTES = 15 };

#define GMON_IN_ORDER          0x74737266u /* "frst" or "tsrf", by byte order */
#define GMON_ORDER_STAMP_START UINT64_C(0xcbf29ce484222325)

/* Adds a record to the stamp, in the manner of FNV-1a. Addresses are as in the file, unsigned. */
static inline uint64_t gmon_order_stamp(uint64_t stamp, uint64_t call_site, uint64_t callee)
{
	const uint64_t factor = UINT64_C(0x100000001b3);

	stamp = (stamp ^ call_site) * factor;
	return (stamp ^ callee) * factor;
}

enum { GMON_UNKNOWN_BEFORE = 8 };

enum gmon_tag { GMON_HIST = 0, GMON_ARC = 1, GMON_BLOCKS = 2 };

#endif
