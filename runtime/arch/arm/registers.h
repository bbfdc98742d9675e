/* SPDX-License-Identifier: MIT */
/*
 * 32-bit ARM: no call stacks, since its compilers describe frames in another format than
 * .eh_frame.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#define ARCH_UNWINDS 0

#endif
