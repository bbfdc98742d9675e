/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * floors: what the libraries and the kernel need at least, for a program that does nothing else.
 *
 *   floors bfd PROGRAM        open it with libbfd, read and canonicalise its symbols
 *   floors dw PROGRAM         read all rows of all line tables with libdw
 *   floors demangle PROGRAM   demangle all names of .symtab once
 *   floors walk PROFILE...    map each profile and look at all bins and arcs
 *
 * What it found is printed, so that no compiler can leave the work out.
 */
#include "config.h"

#include <bfd.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a profile in version 1 of a 64-bit machine. */
enum { HEADER = 20, HIST_HEADER = 41, NBINS_AT = 17, ARC = 21, COUNT_AT = 17 };

static _Noreturn void fail(const char *path)
{
	fprintf(stderr, "floors: %s: cannot be read\n", path);
	exit(2);
}

static const char *map(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	void *at;

	if (fd < 0 || fstat(fd, &st) < 0)
		fail(path);
	*size = (size_t)st.st_size;
	at = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		fail(path);
	close(fd);
	return at;
}

static uint64_t load_symbols(const char *path)
{
	bfd *abfd = bfd_openr(path, NULL);
	asymbol **symbols;
	long size, n;

	if (!abfd || !bfd_check_format(abfd, bfd_object))
		fail(path);
	size = bfd_get_symtab_upper_bound(abfd);
	symbols = malloc((size_t)size);
	n = bfd_canonicalize_symtab(abfd, symbols);
	if (n < 0)
		fail(path);
	return (uint64_t)n;
}

static uint64_t read_lines(const char *path)
{
	int fd = open(path, O_RDONLY);
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CU *cu = NULL;
	uint64_t sum = 0;
	Dwarf_Die die;

	while (dwarf && dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0) {
		Dwarf_Lines *lines;
		size_t n;

		if (dwarf_getsrclines(&die, &lines, &n) != 0)
			fail(path);
		for (size_t i = 0; i < n; i++) {
			Dwarf_Line *line = dwarf_onesrcline(lines, i);
			Dwarf_Addr pc;
			int number;

			dwarf_lineaddr(line, &pc);
			dwarf_lineno(line, &number);
			sum += (pc ^ (unsigned)number) & 1;
		}
	}
	return sum;
}

static uint64_t demangle_names(const char *path)
{
	size_t size;
	const char *file = map(path, &size);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	const Elf64_Shdr *section = (const Elf64_Shdr *)(file + header->e_shoff);
	uint64_t n = 0;

	if (memcmp(file, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
		fail(path);
	for (unsigned i = 0; i < header->e_shnum; i++) {
		const Elf64_Sym *symbol = (const Elf64_Sym *)(file + section[i].sh_offset);
		size_t count = section[i].sh_size / sizeof(*symbol);

		for (size_t k = 0; section[i].sh_type == SHT_SYMTAB && k < count; k++) {
			const char *name =
				file + section[section[i].sh_link].sh_offset + symbol[k].st_name;
			char *plain = cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI);

			n += plain != NULL;
			free(plain);
		}
	}
	return n;
}

static uint64_t walk_profile(const char *path)
{
	size_t size, at = HEADER;
	const unsigned char *file = (const unsigned char *)map(path, &size);
	uint64_t sum = 0;

	while (at < size) {
		uint32_t n, count;

		if (file[at] == 0 && at + HIST_HEADER <= size) {
			memcpy(&n, file + at + NBINS_AT, sizeof(n));
			at += HIST_HEADER;
			if (n > (size - at) / 2)
				fail(path);
			for (uint32_t i = 0; i < n; i++)
				sum += file[at + 2 * i] | file[at + 2 * i + 1] << 8;
			at += 2 * (size_t)n;
		} else if (file[at] == 1 && at + ARC <= size) {
			memcpy(&count, file + at + COUNT_AT, sizeof(count));
			sum += count;
			at += ARC;
		} else {
			fail(path);
		}
	}
	munmap((void *)(uintptr_t)file, size);
	return sum;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		uint64_t (*run)(const char *path);
	} floors[] = {
		{ "bfd", load_symbols },
		{ "dw", read_lines },
		{ "demangle", demangle_names },
		{ "walk", walk_profile },
	};
	uint64_t found = 0;

	for (size_t i = 0; argc > 2 && i < sizeof(floors) / sizeof(floors[0]); i++) {
		if (strcmp(argv[1], floors[i].name) != 0)
			continue;
		for (int k = 2; k < argc; k++)
			found += floors[i].run(argv[k]);
		printf("%llu\n", (unsigned long long)found);
		return 0;
	}
	fputs("usage: floors bfd|dw|demangle|walk FILE...\n", stderr);
	return 2;
}
