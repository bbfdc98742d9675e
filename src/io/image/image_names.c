/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the table of symbol names of an ELF file, and checks it. */
#include "config.h"

#include "base/cursor.h"
#include "io/image/image_bfd.h"

#include <elf.h>
#include <inttypes.h>
#include <stddef.h>

/* The fields of a section header that are needed here. */
struct section_entry {
	uint64_t type, link, offset, size;
};

/* Where the section headers are, and how many. */
struct section_table {
	uint64_t at, n;
};

static uint64_t image_field(const unsigned char *bytes, size_t at, unsigned width, const bfd *abfd)
{
	return cursor_bytes_uint(bytes + at, width, bfd_big_endian(abfd));
}

static bool image_find_sections(bfd *abfd, struct section_table *table)
{
	unsigned char header[sizeof(Elf64_Ehdr)];
	bool is_64 = bfd_get_arch_size(abfd) == 64;

	if (!image_read_at(abfd, 0, header, is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return false;
	if (is_64) {
		table->at = image_field(header, offsetof(Elf64_Ehdr, e_shoff), 8, abfd);
		table->n = image_field(header, offsetof(Elf64_Ehdr, e_shnum), 2, abfd);
	} else {
		table->at = image_field(header, offsetof(Elf32_Ehdr, e_shoff), 4, abfd);
		table->n = image_field(header, offsetof(Elf32_Ehdr, e_shnum), 2, abfd);
	}
	return table->at != 0;
}

static bool image_read_section(bfd *abfd, const struct section_table *table, uint64_t index,
			       struct section_entry *entry)
{
	unsigned char header[sizeof(Elf64_Shdr)];
	bool is_64 = bfd_get_arch_size(abfd) == 64;
	size_t size = is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	if (!image_read_at(abfd, table->at + index * size, header, size))
		return false;
	if (is_64) {
		entry->type = image_field(header, offsetof(Elf64_Shdr, sh_type), 4, abfd);
		entry->link = image_field(header, offsetof(Elf64_Shdr, sh_link), 4, abfd);
		entry->offset = image_field(header, offsetof(Elf64_Shdr, sh_offset), 8, abfd);
		entry->size = image_field(header, offsetof(Elf64_Shdr, sh_size), 8, abfd);
	} else {
		entry->type = image_field(header, offsetof(Elf32_Shdr, sh_type), 4, abfd);
		entry->link = image_field(header, offsetof(Elf32_Shdr, sh_link), 4, abfd);
		entry->offset = image_field(header, offsetof(Elf32_Shdr, sh_offset), 4, abfd);
		entry->size = image_field(header, offsetof(Elf32_Shdr, sh_size), 4, abfd);
	}
	return true;
}

/* Whether the section is a string table that lies inside the file and ends with a NUL. */
static bool image_is_name_table(bfd *abfd, const struct section_entry *entry)
{
	uint64_t file_size = bfd_get_file_size(abfd);
	unsigned char last;

	return entry->type == SHT_STRTAB && entry->size > 0 && entry->offset <= file_size &&
	       entry->size <= file_size - entry->offset &&
	       image_read_at(abfd, entry->offset + entry->size - 1, &last, 1) && last == '\0';
}

bool image_check_names(bfd *abfd, struct diag *diag)
{
	struct section_table table;
	struct section_entry entry, names;
	uint64_t index = 0;

	if (bfd_get_flavour(abfd) != bfd_target_elf_flavour || !image_find_sections(abfd, &table))
		return true;
	/* If the number of sections does not fit 16 bits, it is in the first header. */
	if (table.n == 0 && image_read_section(abfd, &table, 0, &entry))
		table.n = entry.size;
	do {
		if (index == table.n || !image_read_section(abfd, &table, index++, &entry))
			return true;
	} while (entry.type != SHT_SYMTAB);
	if (entry.size == 0 ||
	    (entry.link < table.n && image_read_section(abfd, &table, entry.link, &names) &&
	     image_is_name_table(abfd, &names)))
		return true;
	diag_error(diag,
		   "%s: its symbol table at byte %" PRIu64 " has no names: section %" PRIu64
		   " is not a string table that ends inside the file",
		   bfd_get_filename(abfd), entry.offset, entry.link);
	return false;
}
