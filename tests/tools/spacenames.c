/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spacenames: puts an empty string behind each name of an ELF file's symbol table.
 *
 *   spacenames FILE         a relative path
 *
 * GNU gprof judges a local name like f.constprop.0 together with the string stored behind it, which
 * is an unrelated name in what linkers write. Behind an empty string it judges the name alone.
 */
#include "bytes.h"

#include <elf.h>
#include <string.h>

const char tool_name[] = "spacenames";

struct elf {
	struct bytes file;
	bool is64;
	size_t sections, section_size, nsections;
};

/* Where the fields of 32-bit and 64-bit files are, and how wide they are. */
#define AT(e, type, field) \
	((e)->is64 ? offsetof(Elf64_##type, field) : offsetof(Elf32_##type, field))
#define WIDTH(e, type, field) \
	((e)->is64 ? sizeof(((Elf64_##type *)0)->field) : sizeof(((Elf32_##type *)0)->field))
#define GET(e, type, field, base) \
	bytes_get(&(e)->file, (base) + AT(e, type, field), WIDTH(e, type, field))
#define SET(e, type, field, base, value) \
	bytes_set(&(e)->file, (base) + AT(e, type, field), (value), WIDTH(e, type, field))

static void read_header(struct elf *e, const char *path)
{
	bytes_load(&e->file, ".", path);
	if (e->file.n < EI_NIDENT || memcmp(e->file.data, ELFMAG, SELFMAG) != 0)
		die("%s: not an ELF file", path);
	e->is64 = e->file.data[EI_CLASS] == ELFCLASS64;
	e->file.big = e->file.data[EI_DATA] == ELFDATA2MSB;
	e->sections = GET(e, Ehdr, e_shoff, 0);
	e->section_size = GET(e, Ehdr, e_shentsize, 0);
	e->nsections = GET(e, Ehdr, e_shnum, 0);
}

/* The header of .symtab. */
static size_t find_symtab(const struct elf *e, const char *path)
{
	for (size_t i = 0; i < e->nsections; i++) {
		size_t header = e->sections + i * e->section_size;

		if (GET(e, Shdr, sh_type, header) == SHT_SYMTAB)
			return header;
	}
	die("%s: no symbols", path);
}

/* Appends spaced names to the file's end and makes them the names of the symbols. */
static void space_names(struct elf *e, size_t symtab)
{
	size_t strtab = e->sections + GET(e, Shdr, sh_link, symtab) * e->section_size;
	size_t old = GET(e, Shdr, sh_offset, strtab), old_end = old + GET(e, Shdr, sh_size, strtab);
	size_t symbol = GET(e, Shdr, sh_offset, symtab),
	       end = symbol + GET(e, Shdr, sh_size, symtab);
	size_t start = e->file.n;

	bytes_put(&e->file, 0, 1);
	for (; symbol < end; symbol += e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)) {
		size_t name = old + GET(e, Sym, st_name, symbol);

		if (name >= old_end || bytes_get(&e->file, name, 1) == 0)
			continue;
		SET(e, Sym, st_name, symbol, e->file.n - start);
		do
			bytes_put(&e->file, bytes_get(&e->file, name, 1), 1);
		while (bytes_get(&e->file, name++, 1) != 0);
		bytes_put(&e->file, 0, 1);
	}
	SET(e, Shdr, sh_offset, strtab, start);
	SET(e, Shdr, sh_size, strtab, e->file.n - start);
}

int main(int argc, char **argv)
{
	struct elf e = { 0 };

	if (argc != 2)
		die("usage: spacenames FILE");
	read_header(&e, argv[1]);
	space_names(&e, find_symtab(&e, argv[1]));
	bytes_save(&e.file, ".", argv[1]);
	bytes_free(&e.file);
	return 0;
}
