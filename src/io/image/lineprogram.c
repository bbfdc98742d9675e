/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libdw decodes these programs as well, but gives the rows of all sequences in one order, where an
 * empty last row of one sequence may stand behind the first one of the next, at the same address,
 * and nothing tells them apart.
 */
#include "config.h"

#include "io/image/lineprogram.h"

#include "base/cursor.h"

#include <dwarf.h>

enum { LEAST_VERSION = 2, MOST_VERSION = 5, LONG_UNIT = 0xffffffff };

/* What the header says of the program. */
struct line_program_head {
	uint64_t unit, most_operations, line_range, opcode_base;
	int64_t line_base;
	const unsigned char *operands; /* how many each standard opcode has, from the first on */
};

/* The registers, and the row before. */
struct line_program_state {
	uint64_t pc, operation, file, line;
	struct line_program_span last;
	bool has_last;
};

struct line_program_walk {
	struct cursor c;
	struct line_program_head head;
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

/*
 * Leaves the cursor at the first opcode, and the end of the program as its end. What is wrong with
 * the header, or NULL.
 */
static const char *line_program_read_head(struct cursor *c, struct line_program_head *head)
{
	unsigned width = 4;
	uint64_t length = line_program_uint(c, 4), version, header, code;

	if (length == LONG_UNIT) {
		width = 8;
		length = line_program_uint(c, 8);
	}
	if (c->failed || length > cursor_left(c))
		return "its length is more than there is";
	c->size = c->at + (size_t)length;
	version = line_program_uint(c, 2);
	if (version < LEAST_VERSION || version > MOST_VERSION)
		return "a version that does not exist";
	if (version >= 5)
		line_program_uint(c, 2); /* sizes of an address and of a segment */
	header = line_program_uint(c, width);
	if (c->failed || header > cursor_left(c))
		return "a header longer than the rest";
	code = c->at + header;
	head->unit = line_program_uint(c, 1);
	head->most_operations = version >= 4 ? line_program_uint(c, 1) : 1;
	line_program_uint(c, 1); /* whether rows are good places to stop */
	head->line_base = (int8_t)line_program_uint(c, 1);
	head->line_range = line_program_uint(c, 1);
	head->opcode_base = line_program_uint(c, 1);
	if (c->failed || head->opcode_base == 0 || head->line_range == 0 ||
	    head->most_operations == 0)
		return "a header without sense";
	head->operands = cursor_take(c, head->opcode_base - 1, "a line program");
	c->at = (size_t)code;
	return c->failed ? "a header cut short" : NULL;
}

static void line_program_advance(struct line_program_walk *w, uint64_t by)
{
	uint64_t operations = w->now.operation + by;

	if (w->head.most_operations == 1) {
		w->now.pc += w->head.unit * by;
		return;
	}
	w->now.pc += w->head.unit * (operations / w->head.most_operations);
	w->now.operation = operations % w->head.most_operations;
}

static void line_program_begin_sequence(struct line_program_walk *w)
{
	w->now = (struct line_program_state){ .file = 1, .line = 1 };
}

/* Appends a row, or the end of a sequence. */
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

/* False if it is cut short. */
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

static void line_program_do_special(struct line_program_walk *w, uint64_t opcode)
{
	uint64_t n = opcode - w->head.opcode_base;

	line_program_advance(w, n / w->head.line_range);
	w->now.line += (uint64_t)(w->head.line_base + (int64_t)(n % w->head.line_range));
	line_program_add_row(w);
}

static void line_program_do_standard(struct line_program_walk *w, uint64_t opcode)
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
		line_program_advance(w, (255 - w->head.opcode_base) / w->head.line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		w->now.pc += line_program_uint(&w->c, 2);
		w->now.operation = 0;
		break;
	default:
		/* Columns, marks, and what is newer than this. */
		for (unsigned n = w->head.operands[opcode - 1]; n > 0; n--)
			line_program_uleb(&w->c);
		break;
	}
}

/* One instruction. False if it is cut short. */
static bool line_program_do(struct line_program_walk *w)
{
	uint64_t opcode = line_program_uint(&w->c, 1);

	if (opcode == 0)
		return line_program_do_extended(w);
	if (opcode >= w->head.opcode_base)
		line_program_do_special(w, opcode);
	else
		line_program_do_standard(w, opcode);
	return !w->c.failed;
}

uint64_t line_program_walk(const struct line_program *program, uint64_t most,
			   line_program_take *take, void *arg, struct line_program_end *end)
{
	struct diag silent = diag_silent(NULL);
	struct line_program_walk w = { .c = { .start = program->bytes,
					      .size = program->size,
					      .at = (size_t)program->at,
					      .big_endian = program->big_endian,
					      .name = "",
					      .diag = &silent },
				       .take = take,
				       .arg = arg };
	bool whole = true;
	uint64_t done = 0;

	*end = (struct line_program_end){ program->at, "it is behind the section's end" };
	if (program->at > program->size)
		return 0;
	end->damage = line_program_read_head(&w.c, &w.head);
	line_program_begin_sequence(&w);
	for (; whole && !end->damage && done < most && cursor_left(&w.c) > 0; done++) {
		end->at = w.c.at;
		whole = line_program_do(&w);
	}
	if (!end->damage && !whole)
		end->damage = "an instruction cut short";
	else if (!end->damage && done < most && w.now.has_last)
		end->damage = "code without an end";
	return done;
}
