/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only file that knows libbfd. */
#include "config.h"

#include "io/image.h"

#include "base/array.h"

#include <bfd.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
	bfd *bfd;
	asection *text;
	asymbol **syms; /* NULL until image_symtab() */
};

/* libbfd's remarks on damaged files would be second voices; its error code says enough. */
static void stay_silent(const char *format, va_list args)
{
	(void)format;
	(void)args;
}

/* What libbfd collects while it tries formats it writes to stderr itself, past the handler. */
static bool check_format(bfd *abfd)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int saved = null >= 0 ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) : -1;
	bool ok;

	if (saved >= 0)
		dup2(null, STDERR_FILENO);
	ok = bfd_check_format(abfd, bfd_object);
	if (saved >= 0) {
		dup2(saved, STDERR_FILENO);
		close(saved);
	}
	if (null >= 0)
		close(null);
	return ok;
}

static int fail(const bfd *abfd, struct diag *diag)
{
	diag_error(diag, "%s: %s", bfd_get_filename(abfd), bfd_errmsg(bfd_get_error()));
	return -1;
}

/* libbfd would wait for the writer of a FIFO, and calls a directory truncated. */
static int check_regular(const char *path, struct diag *diag)
{
	struct stat st;

	if (stat(path, &st) < 0)
		diag_error(diag, "%s: %s", path, strerror(errno));
	else if (S_ISDIR(st.st_mode))
		diag_error(diag, "%s: %s", path, strerror(EISDIR));
	else if (!S_ISREG(st.st_mode))
		diag_error(diag, "%s: not a regular file", path);
	else
		return 0;
	return -1;
}

/* libbfd says no word of a section that the file is too short for. */
static bool ends_outside(bfd *abfd, asection *section)
{
	uint64_t size = bfd_section_size(section), file_size = bfd_get_file_size(abfd);
	uint64_t at = (uint64_t)section->filepos;

	return bfd_section_flags(section) & SEC_HAS_CONTENTS &&
	       (at > file_size || size > file_size - at);
}

struct image *image_open(const char *path, struct diag *diag)
{
	struct image *image;
	bfd *abfd;

	bfd_init();
	bfd_set_error_handler(stay_silent);
	if (check_regular(path, diag) < 0)
		return NULL;
	abfd = bfd_openr(path, NULL);
	if (!abfd) {
		diag_error(diag, "%s: %s", path, bfd_errmsg(bfd_get_error()));
		return NULL;
	}
	abfd->flags |= BFD_DECOMPRESS; /* without it, compressed debug sections have no lines */
	image = calloc(1, sizeof(*image));
	if (!image || !check_format(abfd)) {
		diag_error(diag, "%s: not an executable or object file: %s", path,
			   bfd_errmsg(bfd_get_error()));
		goto fail;
	}
	image->bfd = abfd;
	image->text = bfd_get_section_by_name(abfd, ".text");
	if (!image->text) {
		diag_error(diag, "%s: has no .text section", path);
		goto fail;
	}
	if (ends_outside(abfd, image->text)) {
		diag_error(diag, "%s: its .text section at byte %" PRIu64 " reaches past its end",
			   path, (uint64_t)image->text->filepos);
		goto fail;
	}
	return image;
fail:
	bfd_close(abfd);
	free(image);
	return NULL;
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
	};
}

/*
 * The rest of a name from a dot on: whether it is a series of the numbered suffixes that compilers
 * add to static functions, ".5", ".clone.5" and ".constprop.5"; a lone dot may end it.
 */
static bool is_numbered_suffix(const char *s)
{
	static const char *const words[] = { ".clone.", ".constprop.", "." };

	while (*s) {
		size_t len = 0, digits;

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && len == 0; i++) {
			if (strncmp(s, words[i], strlen(words[i])) == 0)
				len = strlen(words[i]);
		}
		digits = strspn(s + len, "0123456789");
		if (len == 0 || (digits == 0 && s[1] != '\0'))
			return false;
		s += len + digits;
	}
	return true;
}

/* Static symbols include local labels and compilers' notes: the name tells. */
static bool is_static_function_name(const char *name, char prefix)
{
	static const char marker[] = "__gnu_compiled";

	if (*name == '\0' || strchr(name, '$') || !is_numbered_suffix(name + strcspn(name, ".")))
		return false;
	if (prefix && *name != prefix)
		return false;
	return strncmp(name, marker, strlen(marker)) != 0 &&
	       (name[0] != '_' || strncmp(name + 1, marker, strlen(marker)) != 0);
}

/* libbfd's own words for a name that the string table does not have. */
static bool is_lost_name(const char *name)
{
	return strcmp(name, "(null)") == 0 || strcmp(name, "<corrupt>") == 0;
}

/* Fills *sym and returns true if the symbol counts as a function. */
static bool choose(const bfd *abfd, const struct image_choice *choice, asymbol *from,
		   struct sym *sym)
{
	int class = bfd_decode_symclass(from);
	bool is_func =
		bfd_get_flavour(abfd) != bfd_target_elf_flavour || from->flags & BSF_FUNCTION;

	if (from->flags & (BSF_SECTION_SYM | BSF_FILE) || is_lost_name(from->name))
		return false;
	switch (class) {
	case 'T':
	case 'W':
		break;
	case 't':
		if (choice->no_static || (choice->no_untyped_static && !is_func) ||
		    !is_static_function_name(from->name, bfd_get_symbol_leading_char(abfd)))
			return false;
		break;
	default:
		return false;
	}
	sym->lo = bfd_asymbol_value(from);
	sym->name = from->name;
	sym->flags = (class == 't' ? SYM_STATIC : 0) | (is_func ? SYM_FUNC : 0);
	return true;
}

/* The number of symbols in image->syms, or -1 with the reason said. */
static long read_symbols(struct image *image, struct diag *diag)
{
	long bytes = bfd_get_symtab_upper_bound(image->bfd), n;

	if (bytes < 0)
		return fail(image->bfd, diag);
	image->syms = malloc((size_t)bytes + 1);
	if (!image->syms) {
		bfd_set_error(bfd_error_no_memory);
		return fail(image->bfd, diag);
	}
	n = bytes ? bfd_canonicalize_symtab(image->bfd, image->syms) : 0;
	return n < 0 ? fail(image->bfd, diag) : n;
}

int image_symtab(struct image *image, const struct image_choice *choice, struct symtab *symtab,
		 struct arena *mem, struct diag *diag)
{
	struct arena scratch = arena_scratch(mem);
	ARRAY(struct sym) chosen = { 0 };
	const asection *last = image->text; /* the section of the symbol with the highest address */
	uint64_t highest = 0;
	long n = read_symbols(image, diag);

	for (long i = 0; i < n; i++) {
		struct sym sym;

		if (!choose(image->bfd, choice, image->syms[i], &sym))
			continue;
		sym.name = arena_strndup(mem, sym.name, strlen(sym.name));
		array_push(&scratch, &chosen) = sym;
		if (sym.lo >= highest) {
			highest = sym.lo;
			last = image->syms[i]->section;
		}
	}
	*symtab = symtab_build(chosen.at, chosen.n, last->vma + bfd_section_size(last), mem);
	arena_free(&scratch);
	if (n >= 0 && symtab->nsyms == 0)
		diag_error(diag, "%s: has no symbols%s", bfd_get_filename(image->bfd),
			   n == 0 ? " (is it stripped?)" : " for functions");
	return symtab->nsyms > 0 ? 0 : -1;
}

struct location image_location(struct image *image, uint64_t pc, struct arena *mem)
{
	/* With symbols given, libbfd searches them all for each address without line data. */
	asymbol *no_syms[] = { NULL };
	const char *file = NULL, *function = NULL;
	unsigned line = 0;

	if (!bfd_find_nearest_line(image->bfd, image->text, no_syms, pc - image->text->vma, &file,
				   &function, &line) ||
	    !file || line == 0)
		return (struct location){ NULL, 0 };
	return (struct location){ arena_strndup(mem, file, strlen(file)), line };
}

void image_close(struct image *image)
{
	if (!image)
		return;
	free(image->syms);
	bfd_close(image->bfd);
	free(image);
}
