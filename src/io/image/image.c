/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens object files with libbfd, and finds out their machine, their code and their lines. */
#include "config.h"

#include "io/image/image.h"

#include "base/cursor.h"
#include "base/join.h"
#include "io/image/image_bfd.h"
#include "io/image/limits.h"
#include "io/image/machine.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Suppresses libbfd's own messages about damaged files, which would only repeat its error code. */
static void image_stay_silent(const char *format, va_list args)
{
	(void)format;
	(void)args;
}

/*
 * Opens the program. Returns a descriptor, or -1 after an error message: libbfd would block on a
 * FIFO, and would call a directory truncated.
 */
static int image_open_path(const char *path, struct diag *diag)
{
	struct stat st;
	int fd = -1;

	if (stat(path, &st) < 0)
		diag_error(diag, "%s: %s", path, strerror(errno));
	else if (S_ISDIR(st.st_mode))
		diag_error(diag, "%s: %s", path, strerror(EISDIR));
	else if (!S_ISREG(st.st_mode))
		diag_error(diag, "%s: not a regular file", path);
	else if ((fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) < 0)
		diag_error(diag, "%s: %s", path, strerror(errno));
	else if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	else
		diag_error(diag, "%s: changed while it was opened", path);
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Reads the fields of an ELF header that libbfd does not give. */
static void image_read_machine(struct image *image)
{
	enum {
		MACHINE_AT = 18,
		FLAGS_AT_32 = 36,
		FLAGS_AT_64 = 48,
		HEADER_BYTES = 52,
		CLASS_64 = 2
	};
	unsigned char header[HEADER_BYTES];
	bfd *abfd = image->bfd;
	bool big = bfd_big_endian(abfd);

	if (bfd_get_flavour(abfd) != bfd_target_elf_flavour) {
		image->machine = machine_by_arch(bfd_get_arch_info(abfd)->arch_name,
						 (unsigned)bfd_arch_bits_per_address(abfd));
		return;
	}
	if (!image_read_at(abfd, 0, header, sizeof(header)))
		return;
	image->number = (unsigned)cursor_bytes_uint(header + MACHINE_AT, 2, big);
	image->machine = machine_by_number(image->number);
	image->flags = (unsigned)cursor_bytes_uint(
		header + (header[EI_CLASS] == CLASS_64 ? FLAGS_AT_64 : FLAGS_AT_32), 4, big);
}

static int image_check_text(bfd *abfd, asection *section, struct diag *diag)
{
	if (!image_section_is_cut(abfd, section))
		return 0;
	diag_error(diag,
		   "%s: its %s section at byte %" PRIu64 " extends beyond the end of the file",
		   bfd_get_filename(abfd), bfd_section_name(section), (uint64_t)section->filepos);
	return -1;
}

/*
 * Finds the text: .text, or all sections with code if there is none of that name, as in firmware.
 * Returns 0, or -1 after an error message.
 */
static int image_find_text(struct image *image, struct diag *diag)
{
	bfd *abfd = image->bfd;
	asection *text = bfd_get_section_by_name(abfd, ".text");

	image->text = text;
	if (text) {
		image->text_end = text->vma + bfd_section_size(text);
		return image_check_text(abfd, text, diag);
	}
	for (asection *s = abfd->sections; s; s = s->next) {
		if (!image_section_is_code(s) || !(bfd_section_flags(s) & SEC_HAS_CONTENTS))
			continue;
		if (image_check_text(abfd, s, diag) < 0)
			return -1;
		if (!image->text)
			image->text = s;
		if (image->text_end < s->vma + bfd_section_size(s))
			image->text_end = s->vma + bfd_section_size(s);
	}
	if (!image->text)
		diag_error(diag, "%s: has no .text section, nor another one with code",
			   bfd_get_filename(abfd));
	return image->text ? 0 : -1;
}

/* Opens the image from fd, which it takes over. */
static struct image *image_open_regular(const char *path, int fd, struct diag *diag)
{
	struct image *image = calloc(1, sizeof(*image));
	bfd *abfd = image ? image_open_descriptor(path, fd) : NULL;

	if (!abfd) {
		diag_error(diag, "%s: %s", path, bfd_errmsg(bfd_get_error()));
		close(fd);
		free(image);
		return NULL;
	}
	*image = (struct image){
		.bfd = abfd, .fd = fd, .debug_fd = -1, .unpacked_fd = -1, .unpacked_debug_fd = -1
	};
	if (!image_check_format(abfd)) {
		diag_error(diag, "%s: not an executable or object file: %s", path,
			   bfd_errmsg(bfd_get_error()));
	} else if (image_find_text(image, diag) == 0) {
		image_read_machine(image);
		image->build_id = abfd->build_id;
		image->link = bfd_get_debug_link_info(abfd, &image->link_crc);
		image_hide_links(abfd);
		return image;
	}
	image_close(image);
	return NULL;
}

struct image *image_open(const char *path, const struct debug_places *places, struct diag *diag)
{
	struct deadline deadline;
	struct image *image;
	int fd;

	bfd_init();
	bfd_set_error_handler(image_stay_silent);
	fd = image_open_path(path, diag);
	if (fd < 0)
		return NULL;
	deadline = limits_deadline_begin(path);
	image = image_open_regular(path, fd, diag);
	limits_deadline_end(&deadline);
	if (image)
		image->places = places;
	return image;
}

int image_forget_symbols(struct image *image, struct diag *diag)
{
	struct image *again = image_open(bfd_get_filename(image->bfd), image->places, diag);
	struct image forgotten = *image;

	if (!again)
		return -1;
	*image = *again;
	*again = forgotten;
	image_close(again);
	return 0;
}

uint64_t image_text_end(const struct image *image)
{
	return image->text_end;
}

struct target image_target(const struct image *image)
{
	int bits = bfd_get_arch_size(image->bfd);

	if (bits < 0)
		bits = (int)bfd_arch_bits_per_address(image->bfd);
	return (struct target){
		.ptr_size = bits > 32 ? 8 : 4,
		.big_endian = bfd_big_endian(image->bfd),
		.sign_extend = bfd_get_sign_extend_vma(image->bfd) > 0,
		.thumb = image->machine && image->machine->thumb,
		.calls = machine_calls(image->number, bits > 32 ? 64 : 32),
	};
}

uint64_t image_symbol_pc(const struct image *image, const asymbol *symbol)
{
	uint64_t pc = bfd_asymbol_value(symbol);

	if (image->machine && image->machine->thumb &&
	    symbol->flags & (BSF_FUNCTION | BSF_GNU_INDIRECT_FUNCTION))
		pc &= ~UINT64_C(1);
	return pc;
}

/*
 * Whether the names of all symbols together are not too long. If names share their ends, each can
 * be almost as long as the file.
 */
static bool image_has_sane_names(bfd *abfd, asymbol **syms, long n)
{
	uint64_t left = NAME_TIMES * (uint64_t)bfd_get_file_size(abfd);

	for (long i = 0; i < n; i++) {
		size_t length = syms[i]->name ? strnlen(syms[i]->name, left + 1) : 0;

		if (length > left)
			return false;
		left -= length;
	}
	return true;
}

long image_read_symbols(struct image *image, bfd *abfd, struct diag *diag)
{
	long bytes = bfd_get_symtab_upper_bound(abfd), n;

	if (bytes < 0)
		return image_fail(abfd, diag);
	if (!image_check_names(abfd, diag))
		return -1;
	free(image->syms);
	image->syms = malloc((size_t)bytes + sizeof(*image->syms));
	if (!image->syms) {
		bfd_set_error(bfd_error_no_memory);
		return image_fail(abfd, diag);
	}
	n = bytes ? bfd_canonicalize_symtab(abfd, image->syms) : 0;
	if (n <= 0)
		image->syms[0] = NULL; /* a failed call may have written anything */
	if (n > 0 && !image_has_sane_names(abfd, image->syms, n)) {
		image->syms[0] = NULL;
		diag_error(diag,
			   "%s: the names of its symbols share their bytes: they are more than %d "
			   "times as long as the file",
			   bfd_get_filename(abfd), NAME_TIMES);
		return -1;
	}
	return n < 0 ? image_fail(abfd, diag) : n;
}

long image_read_dynamic(struct image *image)
{
	long bytes = bfd_get_dynamic_symtab_upper_bound(image->bfd), n = 0;

	if (!image->dynamic)
		image->dynamic = calloc(bytes > 0 ? (size_t)bytes + 1 : sizeof(asymbol *), 1);
	if (bytes > 0 && image->dynamic)
		n = bfd_canonicalize_dynamic_symtab(image->bfd, image->dynamic);
	return n > 0 && image_has_sane_names(image->bfd, image->dynamic, n) ? n : 0;
}

static int image_compare_stubs(const void *x, const void *y)
{
	uint64_t a = bfd_asymbol_value((const asymbol *)x),
		 b = bfd_asymbol_value((const asymbol *)y);

	return (a > b) - (a < b);
}

const asymbol *image_read_stubs(struct image *image, size_t *n)
{
	asymbol *none[] = { NULL };
	long ndynamic, nstubs;

	if (!image->has_stubs) {
		ndynamic = image_read_dynamic(image);
		nstubs = bfd_get_synthetic_symtab(image->bfd, 0, none, ndynamic, image->dynamic,
						  &image->stubs);
		image->nstubs = image->stubs && nstubs > 0 ? (size_t)nstubs : 0;
		if (image->nstubs > 0)
			qsort(image->stubs, image->nstubs, sizeof(*image->stubs),
			      image_compare_stubs);
	}
	image->has_stubs = true;
	*n = image->nstubs;
	return image->stubs;
}

static int image_compare_ranges(const void *x, const void *y)
{
	const struct code_range *a = x, *b = y;

	return (a->lo > b->lo) - (a->lo < b->lo);
}

const struct code_range *image_code_ranges(const struct image *image, size_t *n, struct arena *mem)
{
	struct code_range *code =
		arena_array(mem, struct code_range, bfd_count_sections(image->bfd));

	*n = 0;
	for (const asection *s = image->bfd->sections; s; s = s->next) {
		uint64_t lo = bfd_section_vma(s), size = bfd_section_size(s);
		const char *name = bfd_section_name(s);

		if (image_section_is_code(s) && size > 0 && lo + size >= lo)
			code[(*n)++] =
				(struct code_range){ lo, lo + size,
						     arena_strndup(mem, name, strlen(name)) };
	}
	qsort(code, *n, sizeof(*code), image_compare_ranges);
	return code;
}

const char *image_build_id(const struct image *image, struct arena *mem)
{
	const struct bfd_build_id *id = image->build_id;

	return id && id->size > 0 && id->size <= MAX_BUILD_ID ? join_hex(mem, id->data, id->size)
							      : NULL;
}

const char *image_path(const struct image *image, struct arena *mem)
{
	return JOIN(mem, bfd_get_filename(image->bfd));
}

struct mapping image_mapping(const struct image *image, struct arena *mem)
{
	struct mapping m = { .lo = UINT64_MAX, .build_id = image_build_id(image, mem) };

	for (const asection *s = image->bfd->sections; s; s = s->next) {
		if (!image_section_is_code(s))
			continue;
		if (s->vma < m.lo) {
			m.lo = s->vma;
			m.offset = (uint64_t)s->filepos;
		}
		if (m.hi < s->vma + bfd_section_size(s))
			m.hi = s->vma + bfd_section_size(s);
	}
	return m;
}

struct image_file image_own_lines(struct image *image)
{
	if (!image->has_unpacked)
		image->unpacked_fd = image_unpack(image->bfd, image->fd);
	image->has_unpacked = true;
	return (struct image_file){ bfd_get_filename(image->bfd),
				    image->unpacked_fd >= 0 ? image->unpacked_fd : image->fd,
				    image->places };
}

struct image_file image_debug_lines(struct image *image)
{
	image_open_debug(image);
	if (image->debug && !image->has_unpacked_debug)
		image->unpacked_debug_fd = image_unpack(image->debug, image->debug_fd);
	image->has_unpacked_debug = true;
	return (struct image_file){ image->debug_path,
				    image->unpacked_debug_fd >= 0 ? image->unpacked_debug_fd
								  : image->debug_fd,
				    image->places };
}

struct line_damage *image_line_damage(struct image *image)
{
	return &image->damage;
}

bool image_is_linked(const struct image *image)
{
	return (bfd_get_file_flags(image->bfd) & (EXEC_P | DYNAMIC)) != 0;
}

bool image_has_lines(const struct image *image)
{
	static const char *const names[] = { ".stab", ".mdebug", ".debug", ".debug_info",
					     ".zdebug_info" };
	uint64_t left = bfd_get_file_size(image->bfd);

	/* The caller asks about every byte of code, so all code must be in the file. */
	for (const asection *s = image->bfd->sections; s; s = s->next) {
		if (image_section_is_code(s)) {
			if (bfd_section_size(s) > left)
				return false;
			left -= bfd_section_size(s);
		}
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (bfd_get_section_by_name(image->bfd, names[i]))
			return true;
	}
	return bfd_get_flavour(image->bfd) != bfd_target_elf_flavour;
}

/*
 * Returns the section to search for pc: .text if there is one, as gprof has always done, else the
 * section with the code at pc.
 */
static asection *image_text_at(const struct image *image, uint64_t pc)
{
	if (strcmp(bfd_section_name(image->text), ".text") == 0)
		return image->text;
	for (asection *s = image->bfd->sections; s; s = s->next) {
		if (image_section_is_code(s) && pc >= s->vma && pc - s->vma < bfd_section_size(s))
			return s;
	}
	return image->text;
}

struct line_row image_line(struct image *image, uint64_t pc, struct strtable *names)
{
	/* With symbols, libbfd would search all of them for each address that has no line data. */
	asymbol *no_syms[] = { NULL };
	const char *file = NULL, *function = NULL;
	unsigned line = 0;
	asection *text = image_text_at(image, pc);

	if (!bfd_find_nearest_line(image->bfd, text, no_syms, pc - text->vma, &file, &function,
				   &line) ||
	    !file || line == 0)
		return (struct line_row){ .pc = pc };
	return (struct line_row){ pc, strtable_add(names, file), strtable_add(names, function),
				  line, 0 };
}

static void image_close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

void image_close(struct image *image)
{
	if (!image)
		return;
	free(image->syms);
	free(image->dynamic);
	free(image->stubs);
	if (image->debug)
		bfd_close(image->debug);
	if (image->mini)
		bfd_close(image->mini);
	bfd_close(image->bfd);
	close(image->fd);
	image_close_one(image->debug_fd);
	image_close_one(image->unpacked_fd);
	image_close_one(image->unpacked_debug_fd);
	free(image->debug_path);
	free(image->other_debug);
	free(image->link);
	free(image);
}
