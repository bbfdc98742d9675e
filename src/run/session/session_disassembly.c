/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/session/session_disassembly.h"

#include "io/image/image_disassembly.h"

/* Returns the module of a symbol; RECORDED_NONE: it is the program's own. */
static uint32_t session_disassembly_module(const struct program *program, sym_id s)
{
	return program->address_space
		       ? address_space_module(program->address_space, program->symtab.sym[s].lo)
		       : RECORDED_NONE;
}

/* Opens the file of a module. Returns NULL after an error message. */
static struct image *session_disassembly_open(const struct session *s, sym_id symbol,
					      uint32_t module)
{
	const struct address_space *space = s->program->address_space;
	const char *path = space->code ? space->code[module].path : NULL;

	if (path)
		return image_open(path, &s->input->search.debug, s->diag);
	diag_error(s->diag, "--source: the file with the code of %s was not found",
		   s->program->symtab.sym[symbol].name);
	return NULL;
}

static int session_disassembly_read(const struct session *s, struct image *image, sym_id symbol,
				    struct disassembly *code)
{
	const struct sym *sym = &s->program->symtab.sym[symbol];
	uint64_t lo = address_space_code_address(sym, sym->lo);

	if (sym->flags & (SYM_WHOLE | SYM_INLINED) || sym->hi <= sym->lo) {
		diag_error(s->diag, "--source: %s is no function with code of its own", sym->name);
		return -1;
	}
	return image_disassemble(image, lo, lo + (sym->hi - sym->lo), code, s->mem, s->diag);
}

const struct disassembly *session_disassemble(const struct session *s, const sym_id *symbol,
					      uint32_t n)
{
	struct disassembly *code = arena_array(s->mem, struct disassembly, n);
	uint32_t opened = RECORDED_NONE;
	struct image *image = s->image;
	bool good = true;

	for (uint32_t i = 0; i < n && good; i++) {
		uint32_t module = session_disassembly_module(s->program, symbol[i]);

		if (module != opened) {
			if (opened != RECORDED_NONE)
				image_close(image);
			image = module == RECORDED_NONE
					? s->image
					: session_disassembly_open(s, symbol[i], module);
			opened = image ? module : RECORDED_NONE;
		}
		good = image && session_disassembly_read(s, image, symbol[i], &code[i]) == 0;
	}
	if (opened != RECORDED_NONE)
		image_close(image);
	return good ? code : NULL;
}
