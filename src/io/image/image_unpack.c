/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libdw cannot read debug sections compressed with zstd before version 0.189: it treats them as
 * missing. libbfd reads them; so libdw is given a file in memory with the same debug sections,
 * decompressed.
 */
#include "config.h"

#include "io/image/image_bfd.h"

#include <elf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* From elf.h, where that is new enough. */
enum { COMPRESSED_BY_ZSTD = 2 };

/* The copying of one object file to another. */
struct image_copy {
	bfd *abfd;
	Elf *from, *to;
	char *names; /* names of the sections, each after a NUL */
	size_t nnames;
	unsigned char **bytes; /* decompressed contents of sections, to be freed */
	size_t nbytes;
};

static bool image_is_zstd(Elf_Scn *section, const GElf_Shdr *header)
{
	GElf_Chdr compression;

	return header->sh_flags & SHF_COMPRESSED && gelf_getchdr(section, &compression) &&
	       compression.ch_type == COMPRESSED_BY_ZSTD;
}

static bool image_has_zstd(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && image_is_zstd(section, &header))
			return true;
	}
	return false;
}

static bool image_is_for_libdw(const char *name)
{
	return strncmp(name, ".debug_", 7) == 0 || strncmp(name, ".zdebug_", 8) == 0 ||
	       strcmp(name, ".gnu_debugaltlink") == 0;
}

static bool image_add_section(struct image_copy *copy, const char *name, const GElf_Shdr *like,
			      void *bytes, size_t n)
{
	Elf_Scn *section = elf_newscn(copy->to);
	Elf_Data *data = section ? elf_newdata(section) : NULL;
	GElf_Shdr header;

	if (!data || !gelf_getshdr(section, &header))
		return false;
	*data = (Elf_Data){ .d_buf = bytes,
			    .d_size = n,
			    .d_align = 1,
			    .d_type = ELF_T_BYTE,
			    .d_version = EV_CURRENT };
	header.sh_name = (GElf_Word)copy->nnames;
	header.sh_type = like->sh_type;
	header.sh_flags = like->sh_flags;
	header.sh_addralign = 1;
	strcpy(copy->names + copy->nnames, name);
	copy->nnames += strlen(name) + 1;
	return gelf_update_shdr(section, &header) != 0;
}

/* Copies a section; decompresses it if libdw cannot read it. */
static bool image_copy_section(struct image_copy *copy, const char *name, Elf_Scn *section,
			       GElf_Shdr *header)
{
	asection *packed = bfd_get_section_by_name(copy->abfd, name);
	bfd_byte *bytes = NULL;
	Elf_Data *data;

	if (!image_is_zstd(section, header)) {
		data = elf_rawdata(section, NULL);
		return data && image_add_section(copy, name, header, data->d_buf, data->d_size);
	}
	if (!packed || !bfd_get_full_section_contents(copy->abfd, packed, &bytes) || !bytes)
		return false;
	copy->bytes[copy->nbytes++] = bytes;
	header->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	return image_add_section(copy, name, header, bytes, bfd_section_size(packed));
}

static bool image_copy_sections(struct image_copy *copy, size_t names)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(copy->from, section))) {
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(copy->from, names, header.sh_name)
					   : NULL;

		if (name && header.sh_type != SHT_NOBITS && image_is_for_libdw(name) &&
		    !image_copy_section(copy, name, section, &header))
			return false;
	}
	return true;
}

/* Writes the header, and the section of names, which is the last. */
static bool image_finish_copy(struct image_copy *copy)
{
	const GElf_Shdr like = { .sh_type = SHT_STRTAB };
	GElf_Ehdr from, to;

	if (!image_add_section(copy, ".shstrtab", &like, copy->names,
			       copy->nnames + sizeof(".shstrtab")) ||
	    !gelf_getehdr(copy->from, &from) || !gelf_getehdr(copy->to, &to))
		return false;
	to.e_ident[EI_DATA] = from.e_ident[EI_DATA];
	to.e_machine = from.e_machine;
	to.e_type = ET_EXEC;
	to.e_version = EV_CURRENT;
	for (Elf_Scn *s = NULL; (s = elf_nextscn(copy->to, s));)
		to.e_shstrndx = (GElf_Half)elf_ndxscn(s);
	return gelf_update_ehdr(copy->to, &to) && elf_update(copy->to, ELF_C_WRITE) >= 0;
}

/* Returns the size of all section names in bytes, and sets *n to the number of sections. */
static size_t image_name_bytes(Elf *elf, size_t names, size_t *n)
{
	size_t bytes = 1 + sizeof(".shstrtab");
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	*n = 1;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;

		if (name && image_is_for_libdw(name)) {
			bytes += strlen(name) + 1;
			++*n;
		}
	}
	return bytes;
}

static int image_unpack_elf(bfd *abfd, Elf *from)
{
	struct image_copy copy = { .abfd = abfd, .from = from, .nnames = 1 };
	int fd = memfd_create("debug", MFD_CLOEXEC);
	size_t names = 0, n = 0;
	bool done = false;

	copy.to = fd < 0 ? NULL : elf_begin(fd, ELF_C_WRITE, NULL);
	if (copy.to && elf_getshdrstrndx(from, &names) == 0 &&
	    gelf_newehdr(copy.to, gelf_getclass(from))) {
		copy.names = calloc(image_name_bytes(from, names, &n), 1);
		copy.bytes = calloc(n, sizeof(*copy.bytes));
		done = copy.names && copy.bytes && image_copy_sections(&copy, names) &&
		       image_finish_copy(&copy);
	}
	elf_end(copy.to);
	for (size_t i = 0; i < copy.nbytes; i++)
		free(copy.bytes[i]);
	free(copy.bytes);
	free(copy.names);
	if (!done && fd >= 0)
		close(fd);
	return done ? fd : -1;
}

int image_unpack(bfd *abfd, int fd)
{
	Elf *elf;
	int unpacked = -1;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && image_has_zstd(elf))
		unpacked = image_unpack_elf(abfd, elf);
	elf_end(elf);
	return unpacked;
}
