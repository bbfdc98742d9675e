/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disassembles code with libopcodes. */
#ifndef IO_IMAGE_IMAGE_DISASSEMBLY_H
#define IO_IMAGE_IMAGE_DISASSEMBLY_H

#include "base/diag.h"
#include "io/image/image.h"
#include "model/instructions.h"

/*
 * Disassembles the code at [lo, hi), as far as it is in the section with lo, in mem. What is no
 * instruction is written as the disassembler does, such as "(bad)". Returns 0, or -1 after an error
 * message: there is no such code in the file, or no disassembler for the machine. Linear.
 */
int image_disassemble(struct image *image, uint64_t lo, uint64_t hi, struct disassembly *code,
		      struct arena *mem, struct diag *diag);

#endif
