/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the symbols of ELF programs without libbfd's table of them, which takes 190 bytes for each
 * symbol and most of the time of a short report. Only a piece of the file's table is in memory at a
 * time; the names are read as one block.
 *
 * libbfd still provides the sections, and the class of each symbol. Anything unusual is left to
 * libbfd: machines whose symbols need more than their fields, and files that are damaged.
 */
#include "config.h"

#include "base/cursor.h"
#include "io/image/image_elf.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

enum {
	MOST_SECTIONS =
		1000, /* more sections are left to libbfd, since each is searched for among all */
	HEADER = sizeof(Elf64_Shdr),
	ENTRY = sizeof(Elf64_Sym),
};

#define FIELD(e, bytes, type, field)                                                      \
	cursor_bytes_uint((bytes) + offsetof(type, field), sizeof(((type *)NULL)->field), \
			  (e)->big_endian)

/* Whether the fields of a symbol are all there is to know on this machine. */
static bool image_elf_is_plain_machine(uint64_t machine)
{
	return machine == EM_X86_64 || machine == EM_AARCH64;
}

static bool image_elf_reaches(const struct image_elf *e, uint64_t at, uint64_t size)
{
	uint64_t file_size = bfd_get_file_size(e->abfd);

	return at <= file_size && size <= file_size - at;
}

/*
 * Returns libbfd's section for a section header; NULL: libbfd has none. Both are in the same order.
 */
static asection *image_elf_match(const struct image_elf *e, const unsigned char *header,
				 asection *from)
{
	uint64_t at = FIELD(e, header, Elf64_Shdr, sh_offset);
	uint64_t vma = FIELD(e, header, Elf64_Shdr, sh_addr);
	uint64_t size = FIELD(e, header, Elf64_Shdr, sh_size);

	if (FIELD(e, header, Elf64_Shdr, sh_type) == SHT_NULL)
		return NULL;
	while (from && ((uint64_t)from->filepos != at || from->vma != vma || from->size != size))
		from = from->next;
	return from;
}

/* Finds libbfd's section for each of n headers, and the symbol table. */
static bool image_elf_take_headers(struct image_elf *e, const unsigned char *headers, size_t n,
				   struct arena *names)
{
	const unsigned char *symtab = NULL, *strtab;
	asection *from = e->abfd->sections;
	uint64_t link;

	for (size_t i = 0; i < n; i++) {
		asection *section = image_elf_match(e, headers + i * HEADER, from);

		e->section[i] = section;
		from = section ? section->next : from;
		if (FIELD(e, headers + i * HEADER, Elf64_Shdr, sh_type) != SHT_SYMTAB)
			continue;
		if (symtab)
			return false;
		symtab = headers + i * HEADER;
	}
	link = symtab ? FIELD(e, symtab, Elf64_Shdr, sh_link) : 0;
	if (link == 0 || link >= n || FIELD(e, symtab, Elf64_Shdr, sh_entsize) != ENTRY)
		return false;
	strtab = headers + link * HEADER;
	e->at = FIELD(e, symtab, Elf64_Shdr, sh_offset);
	e->left = FIELD(e, symtab, Elf64_Shdr, sh_size) / ENTRY;
	e->nnames = FIELD(e, strtab, Elf64_Shdr, sh_size);
	if (FIELD(e, strtab, Elf64_Shdr, sh_type) != SHT_STRTAB || e->nnames == 0 ||
	    !image_elf_reaches(e, e->at, e->left * ENTRY) ||
	    !image_elf_reaches(e, FIELD(e, strtab, Elf64_Shdr, sh_offset), e->nnames))
		return false;
	e->names = arena_array(names, char, e->nnames);
	return image_read_at(e->abfd, FIELD(e, strtab, Elf64_Shdr, sh_offset),
			     (unsigned char *)e->names, e->nnames) &&
	       e->names[e->nnames - 1] == '\0';
}

bool image_elf_begin(struct image_elf *e, bfd *abfd, struct arena *names, struct arena *scratch)
{
	unsigned char header[sizeof(Elf64_Ehdr)], *headers;
	uint64_t at, n;

	*e = (struct image_elf){ .abfd = abfd, .big_endian = bfd_big_endian(abfd) };
	if (bfd_get_flavour(abfd) != bfd_target_elf_flavour || bfd_get_arch_size(abfd) != 64 ||
	    !(bfd_get_file_flags(abfd) & (EXEC_P | DYNAMIC)) ||
	    !image_read_at(abfd, 0, header, sizeof(header)) ||
	    !image_elf_is_plain_machine(FIELD(e, header, Elf64_Ehdr, e_machine)))
		return false;
	at = FIELD(e, header, Elf64_Ehdr, e_shoff);
	n = FIELD(e, header, Elf64_Ehdr, e_shnum);
	if (n == 0 || n > MOST_SECTIONS || FIELD(e, header, Elf64_Ehdr, e_shentsize) != HEADER ||
	    !image_elf_reaches(e, at, n * HEADER))
		return false;
	headers = arena_array(scratch, unsigned char, n *HEADER);
	e->section = arena_array(scratch, asection *, n);
	e->nsections = n;
	e->piece = arena_array(scratch, unsigned char, IMAGE_ELF_PIECE *ENTRY);
	return image_read_at(abfd, at, headers, n * HEADER) &&
	       image_elf_take_headers(e, headers, n, names) &&
	       /* The first symbol is always empty. */
	       image_elf_next(e);
}

/* Sets the flags that libbfd gives to this kind of symbol; returns false for unusual kinds. */
static bool image_elf_flags(unsigned info, bool is_defined, flagword *flags)
{
	static const flagword types[] = {
		[STT_NOTYPE] = 0,
		[STT_OBJECT] = BSF_OBJECT,
		[STT_FUNC] = BSF_FUNCTION,
		[STT_SECTION] = BSF_SECTION_SYM | BSF_DEBUGGING,
		[STT_FILE] = BSF_FILE | BSF_DEBUGGING,
		[STT_COMMON] = BSF_ELF_COMMON | BSF_OBJECT,
		[STT_TLS] = BSF_THREAD_LOCAL,
	};
	unsigned type = ELF64_ST_TYPE(info);

	if (type == STT_GNU_IFUNC)
		*flags = BSF_GNU_INDIRECT_FUNCTION;
	else if (type < sizeof(types) / sizeof(types[0]))
		*flags = types[type];
	else
		return false;
	switch (ELF64_ST_BIND(info)) {
	case STB_LOCAL:
		*flags |= BSF_LOCAL;
		return true;
	case STB_GLOBAL:
		*flags |= is_defined ? BSF_GLOBAL : 0;
		return true;
	case STB_WEAK:
		*flags |= BSF_WEAK;
		return true;
	case STB_GNU_UNIQUE:
		*flags |= BSF_GNU_UNIQUE;
		return true;
	default:
		return false;
	}
}

static asection *image_elf_section(const struct image_elf *e, uint64_t index)
{
	if (index < e->nsections)
		return index == SHN_UNDEF ? bfd_und_section_ptr : e->section[index];
	return index == SHN_ABS ? bfd_abs_section_ptr : NULL;
}

/* Returns false if only libbfd can read the symbol. */
static bool image_elf_take(struct image_elf *e, const unsigned char *entry)
{
	uint64_t name = FIELD(e, entry, Elf64_Sym, st_name);
	uint64_t index = FIELD(e, entry, Elf64_Sym, st_shndx);
	asymbol *symbol = &e->symbol;

	symbol->the_bfd = e->abfd;
	symbol->section = image_elf_section(e, index);
	if (name >= e->nnames || !symbol->section ||
	    !image_elf_flags((unsigned)FIELD(e, entry, Elf64_Sym, st_info), index != SHN_UNDEF,
			     &symbol->flags))
		return false;
	symbol->name = e->names + name;
	e->size = FIELD(e, entry, Elf64_Sym, st_size);
	symbol->value = FIELD(e, entry, Elf64_Sym, st_value) - symbol->section->vma;
	return true;
}

asymbol *image_elf_next(struct image_elf *e)
{
	if (e->next == e->n) {
		e->n = e->left < IMAGE_ELF_PIECE ? e->left : IMAGE_ELF_PIECE;
		e->next = 0;
		if (e->n == 0)
			return NULL;
		e->failed = !image_read_at(e->abfd, e->at, e->piece, e->n * ENTRY);
		e->at += e->n * ENTRY;
		e->left -= e->n;
	}
	e->failed = e->failed || !image_elf_take(e, e->piece + e->next++ * ENTRY);
	return e->failed ? NULL : &e->symbol;
}
