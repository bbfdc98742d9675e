/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine code of functions, from the files of the program and its libraries. */
#ifndef RUN_SESSION_SESSION_DISASSEMBLY_H
#define RUN_SESSION_SESSION_DISASSEMBLY_H

#include "model/instructions.h"
#include "run/session/session.h"

/*
 * Returns the instructions of n functions, sorted by symbol, in s->mem, with the addresses of their
 * own files; or NULL after saying why there are none. Opens the file of each library once. Linear
 * in the code.
 */
const struct disassembly *session_disassemble(const struct session *s, const sym_id *symbol,
					      uint32_t n);

#endif
