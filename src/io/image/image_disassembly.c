/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disassembles code with libopcodes. See image_disassembly.h. */
#include "config.h"

#include "io/image/image_disassembly.h"

#include "base/array.h"
#include "base/join.h"
#include "io/image/image_bfd.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if HAVE_OPCODES

#include <dis-asm.h>

enum { IMAGE_DISASSEMBLY_TEXT = 256 /* bytes of the longest instruction that is kept whole */ };

/* The text of an instruction while it is written. */
struct image_disassembly_text {
	char text[IMAGE_DISASSEMBLY_TEXT];
	size_t n;
	uint64_t target; /* the last address that was written; 0: none */
};

__attribute__((format(printf, 2, 0))) static int image_disassembly_append(
	struct image_disassembly_text *to, const char *format, va_list args)
{
	size_t room = sizeof(to->text) - to->n;
	int n = vsnprintf(to->text + to->n, room, format, args);

	if (n > 0)
		to->n += (size_t)n < room ? (size_t)n : room - 1;
	return n;
}

__attribute__((format(printf, 2, 3))) static int image_disassembly_put(void *to, const char *format,
								       ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = image_disassembly_append(to, format, args);
	va_end(args);
	return n;
}

#ifdef HAVE_STYLED_DISASSEMBLER
__attribute__((format(printf, 3, 4))) static int image_disassembly_put_styled(
	void *to, enum disassembler_style style, const char *format, ...)
{
	va_list args;
	int n;

	(void)style;
	va_start(args, format);
	n = image_disassembly_append(to, format, args);
	va_end(args);
	return n;
}
#endif

static void image_disassembly_put_address(bfd_vma address, struct disassemble_info *info)
{
	struct image_disassembly_text *to = info->stream;

	image_disassembly_put(to, "%" PRIx64, (uint64_t)address);
	to->target = address;
}

/* Returns the name of the entry at an address, in mem; NULL: there is none. O(log n). */
static const char *image_disassembly_stub(struct image *image, uint64_t address, struct arena *mem)
{
	size_t lo = 0, hi;
	const asymbol *stubs = image_read_stubs(image, &hi);

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		uint64_t at = bfd_asymbol_value(&stubs[middle]);

		if (at == address)
			return JOIN(mem, stubs[middle].name);
		if (at < address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return NULL;
}

/* Sets up libopcodes for the image. `bytes` are those at [lo, hi) of a section. */
static struct disassemble_info image_disassembly_setup(const struct image *image, asection *section,
						       uint64_t lo, unsigned char *bytes,
						       uint64_t n,
						       struct image_disassembly_text *to)
{
	struct disassemble_info info;

	memset(&info, 0, sizeof(info));
#ifdef HAVE_STYLED_DISASSEMBLER
	init_disassemble_info(&info, to, image_disassembly_put, image_disassembly_put_styled);
#else
	init_disassemble_info(&info, to, image_disassembly_put);
#endif
	info.flavour = bfd_get_flavour(image->bfd);
	info.arch = bfd_get_arch(image->bfd);
	info.mach = bfd_get_mach(image->bfd);
	info.endian = bfd_big_endian(image->bfd) ? BFD_ENDIAN_BIG : BFD_ENDIAN_LITTLE;
	info.endian_code = info.endian;
	info.octets_per_byte = bfd_octets_per_byte(image->bfd, section);
	info.section = section;
	info.buffer = bytes;
	info.buffer_vma = lo;
	info.buffer_length = n;
	info.print_address_func = image_disassembly_put_address;
	disassemble_init_for_target(&info);
	return info;
}

/* Keeps an instruction of n bytes. Blanks at the end of the text are left out. */
static struct instruction image_disassembly_keep(const struct image_disassembly_text *text,
						 uint64_t pc, unsigned n, struct arena *mem)
{
	size_t length = text->n;

	while (length > 0 && text->text[length - 1] == ' ')
		length--;
	return (struct instruction){ .pc = pc,
				     .bytes = n,
				     .text = arena_strndup(mem, text->text, length),
				     .target = text->target };
}

/* Returns the section with the code at lo; NULL: there is none, or the file lacks it. */
static asection *image_disassembly_section(const struct image *image, uint64_t lo)
{
	for (asection *s = image->bfd->sections; s; s = s->next) {
		uint64_t at = bfd_section_vma(s), n = bfd_section_size(s);

		if (image_section_is_code(s) && bfd_section_flags(s) & SEC_HAS_CONTENTS &&
		    lo >= at && lo - at < n)
			return image_section_is_cut(image->bfd, s) ? NULL : s;
	}
	return NULL;
}

/* Returns the smaller of hi and the end of the section. */
static uint64_t image_disassembly_end(asection *section, uint64_t hi)
{
	uint64_t end = bfd_section_vma(section) + bfd_section_size(section);

	return hi < end ? hi : end;
}

int image_disassemble(struct image *image, uint64_t lo, uint64_t hi, struct disassembly *code,
		      struct arena *mem, struct diag *diag)
{
	asection *section = image_disassembly_section(image, lo);
	unsigned char *bytes;
	disassembler_ftype print;
	struct image_disassembly_text text;
	struct disassemble_info info;
	ARRAY(struct instruction) list = { 0 };
	int n;

	hi = section ? image_disassembly_end(section, hi) : hi;
	bytes = section ? arena_array(mem, unsigned char, hi - lo) : NULL;
	if (!bytes ||
	    !bfd_get_section_contents(image->bfd, section, bytes,
				      (file_ptr)(lo - bfd_section_vma(section)), hi - lo)) {
		diag_error(diag, "%s: it has no code at %" PRIx64 "-%" PRIx64,
			   bfd_get_filename(image->bfd), lo, hi);
		return -1;
	}
	print = disassembler(bfd_get_arch(image->bfd), bfd_big_endian(image->bfd),
			     bfd_get_mach(image->bfd), image->bfd);
	if (!print) {
		diag_error(diag, "%s: this gprof's libopcodes has no disassembler for its machine",
			   bfd_get_filename(image->bfd));
		return -1;
	}
	info = image_disassembly_setup(image, section, lo, bytes, hi - lo, &text);
	for (uint64_t pc = lo; pc < hi; pc += (unsigned)n) {
		text.n = text.target = 0;
		text.text[0] = '\0';
		n = print(pc, &info);
		if (n <= 0 || (uint64_t)n > hi - pc) {
			n = (int)(hi - pc < 1 ? 1 : n > 0 ? hi - pc : 1);
			text.n = 0;
			image_disassembly_put(&text, "(bad)");
		}
		array_push(mem, &list) = image_disassembly_keep(&text, pc, (unsigned)n, mem);
		list.at[list.n - 1].stub = image_disassembly_stub(image, text.target, mem);
	}
	disassemble_free_target(&info);
	*code = (struct disassembly){ list.at, (uint32_t)list.n };
	return 0;
}

#else /* without libopcodes */

int image_disassemble(struct image *image, uint64_t lo, uint64_t hi, struct disassembly *code,
		      struct arena *mem, struct diag *diag)
{
	(void)image;
	(void)lo;
	(void)hi;
	(void)mem;
	*code = (struct disassembly){ NULL, 0 };
	diag_error(diag, "this gprof was built without libopcodes, which writes instructions");
	return -1;
}

#endif
