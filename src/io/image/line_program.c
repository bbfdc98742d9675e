/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes line programs without libdw, which sorts the rows of all sequences together: the end of a
 * sequence can then come after the start of the next sequence at the same address, and cannot be
 * distinguished from it.
 */
#include "config.h"

#include "io/image/line_program.h"

#include <dwarf.h>

/* The registers of the line machine, and the row before. */
struct line_program_state {
	uint64_t pc, operation, file, line;
	struct line_program_span last;
	bool has_last;
};

struct line_program_walk {
	struct cursor c;
	const struct line_header *header;
	struct line_program_state now;
	line_program_take *take;
	void *arg;
};

static uint64_t line_program_uint(struct cursor *c, unsigned nbytes)
{
	return cursor_uint(c, nbytes, "a line program");
}

static uint64_t line_program_uleb(struct cursor *c)
{
	return cursor_uleb(c, "a line program");
}

static void line_program_advance(struct line_program_walk *w, uint64_t by)
{
	uint64_t operations;

	if (w->header->most_operations == 1) {
		w->now.pc += w->header->unit * by;
		return;
	}
	operations = w->now.operation + by;
	w->now.pc += w->header->unit * (operations / w->header->most_operations);
	w->now.operation = operations % w->header->most_operations;
}

static void line_program_begin_sequence(struct line_program_walk *w)
{
	w->now = (struct line_program_state){ .file = 1, .line = 1 };
}

/* Adds a row, or the end of a sequence. */
static void line_program_add_row(struct line_program_walk *w)
{
	struct line_program_state *now = &w->now;

	if (now->has_last && now->last.lo < now->pc) {
		now->last.hi = now->pc;
		w->take(&now->last, w->arg);
	}
	now->last = (struct line_program_span){
		.lo = now->pc,
		.file = now->file,
		.line = now->line <= INT32_MAX ? (unsigned)now->line : 0,
	};
	now->has_last = true;
}

/* Runs an extended opcode. Returns false if it is cut short. */
static bool line_program_do_extended(struct line_program_walk *w)
{
	uint64_t length = line_program_uleb(&w->c);
	size_t end;

	if (length == 0 || length > cursor_left(&w->c))
		return false;
	end = w->c.at + (size_t)length;
	switch (line_program_uint(&w->c, 1)) {
	case DW_LNE_end_sequence:
		line_program_add_row(w);
		line_program_begin_sequence(w);
		break;
	case DW_LNE_set_address:
		if (length == 9 || length == 5 || length == 3)
			w->now.pc = line_program_uint(&w->c, (unsigned)length - 1);
		w->now.operation = 0;
		break;
	default:
		break;
	}
	w->c.at = end;
	return true;
}

static void line_program_do_special(struct line_program_walk *w, unsigned opcode)
{
	unsigned n = opcode - w->header->opcode_base;

	line_program_advance(w, n / w->header->line_range);
	w->now.line += (uint64_t)(w->header->line_base + (int)(n % w->header->line_range));
	line_program_add_row(w);
}

static void line_program_do_standard(struct line_program_walk *w, unsigned opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		line_program_add_row(w);
		break;
	case DW_LNS_advance_pc:
		line_program_advance(w, line_program_uleb(&w->c));
		break;
	case DW_LNS_advance_line:
		w->now.line += (uint64_t)cursor_sleb(&w->c, "a line program");
		break;
	case DW_LNS_set_file:
		w->now.file = line_program_uleb(&w->c);
		break;
	case DW_LNS_const_add_pc:
		line_program_advance(w, (255 - w->header->opcode_base) / w->header->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		w->now.pc += line_program_uint(&w->c, 2);
		w->now.operation = 0;
		break;
	default:
		/* Columns, flags, and opcodes unknown here are skipped with their operands. */
		for (unsigned n = w->header->operands[opcode - 1]; n > 0; n--)
			line_program_uleb(&w->c);
		break;
	}
}

/* Runs one instruction. Returns false if it is cut short. */
static bool line_program_do(struct line_program_walk *w)
{
	unsigned opcode = (unsigned)line_program_uint(&w->c, 1);

	if (opcode == 0)
		return line_program_do_extended(w);
	if (opcode >= w->header->opcode_base)
		line_program_do_special(w, opcode);
	else
		line_program_do_standard(w, opcode);
	return !w->c.failed;
}

uint64_t line_program_walk(const struct line_program *program, const struct line_header *header,
			   uint64_t most, line_program_take *take, void *arg,
			   struct line_program_end *end)
{
	struct diag silent = diag_silent(NULL);
	struct line_program_walk w = {
		.c = line_program_cursor(program, header->code, header->end, &silent),
		.header = header,
		.take = take,
		.arg = arg,
	};
	bool whole = true;
	uint64_t done = 0;

	*end = (struct line_program_end){ header->code, NULL };
	line_program_begin_sequence(&w);
	for (; whole && done < most && cursor_left(&w.c) > 0; done++) {
		end->at = w.c.at;
		whole = line_program_do(&w);
	}
	if (!whole)
		end->damage = "an instruction cut short";
	else if (done < most && w.now.has_last)
		end->damage = "code without an end";
	return done;
}
