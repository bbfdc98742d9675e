/* SPDX-License-Identifier: MIT */
/* 32-bit ARM: no walk along stacks. Its compilers describe frames in sections of its own kind. */
#ifndef REGISTERS_H
#define REGISTERS_H

#define ARCH_UNWINDS 0

#endif
