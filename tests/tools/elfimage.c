/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file: ELF header, a program header a section, section contents, .symtab, .strtab, .shstrtab,
 * section headers.
 */
#include "elfimage.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Where a section of the file lies; the headers at the end are made from these. */
struct place {
	uint64_t name, type, flags, addr, offset, size, link, info, align, entsize;
};

static const struct machine machines[] = {
	{ "64le", true, false, EM_X86_64, { 0x90 }, 1 },
	{ "32le", false, false, EM_386, { 0x90 }, 1 },
	{ "64be", true, true, EM_S390, { 0x07, 0x07 }, 2 },
	{ "32be", false, true, EM_PPC, { 0x60, 0x00, 0x00, 0x00 }, 4 },
};

const struct machine *machine_find(const char *name)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (strcmp(machines[i].name, name) == 0)
			return &machines[i];
	return NULL;
}

unsigned machine_width(const struct machine *m)
{
	return m->is_64 ? 8 : 4;
}

static void align_to(struct bytes *out, size_t n)
{
	bytes_fill(out, 0, (n - out->n % n) % n);
}

static uint64_t add_string(struct bytes *table, const char *s)
{
	uint64_t at = table->n;

	if (!*s)
		return 0;
	bytes_add(table, s, strlen(s) + 1);
	return at;
}

static void fill_with_nops(const struct machine *m, struct bytes *out, uint64_t size)
{
	size_t from = out->n;

	bytes_fill(out, m->nop[0], size);
	if (m->nop_size > 1)
		for (uint64_t i = 0; i < size; i++)
			out->data[from + i] = m->nop[i % m->nop_size];
}

static size_t loaded_sections(const struct image *image)
{
	size_t n = 0;

	for (size_t i = 0; i < image->nsections; i++)
		n += !image->sections[i].contents;
	return n;
}

static void put_elf_header(const struct image *image, struct bytes *out, size_t nplaces)
{
	const struct machine *m = image->machine;
	unsigned width = machine_width(m);
	const unsigned char ident[EI_NIDENT] = {
		ELFMAG0,
		ELFMAG1,
		ELFMAG2,
		ELFMAG3,
		m->is_64 ? ELFCLASS64 : ELFCLASS32,
		m->big ? ELFDATA2MSB : ELFDATA2LSB,
		EV_CURRENT,
		ELFOSABI_NONE,
	};
	size_t size = m->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);

	bytes_add(out, ident, sizeof(ident));
	bytes_put(out, ET_EXEC, 2);
	bytes_put(out, m->elf_machine, 2);
	bytes_put(out, EV_CURRENT, 4);
	bytes_put(out, image->nsections ? image->sections[0].addr : 0, width);
	bytes_put(out, size, width); /* e_phoff */
	bytes_put(out, 0, width);    /* e_shoff: set when known */
	bytes_put(out, 0, 4);
	bytes_put(out, size, 2);
	bytes_put(out, m->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
	bytes_put(out, loaded_sections(image), 2);
	bytes_put(out, m->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
	bytes_put(out, nplaces, 2);
	bytes_put(out, nplaces - 1, 2);
}

/* Program headers precede the contents they tell of, so the offsets are counted ahead. */
static void put_program_headers(const struct image *image, struct bytes *out)
{
	const struct machine *m = image->machine;
	unsigned width = machine_width(m);
	size_t each = m->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	uint64_t offset = out->n + each * loaded_sections(image);

	for (size_t i = 0; i < image->nsections; i++) {
		const struct section *s = &image->sections[i];
		unsigned flags = PF_R | (s->code ? PF_X : PF_W);

		if (s->contents)
			continue;
		bytes_put(out, PT_LOAD, 4);
		if (m->is_64)
			bytes_put(out, flags, 4);
		bytes_put(out, offset, width);
		bytes_put(out, s->addr, width);
		bytes_put(out, s->addr, width);
		bytes_put(out, s->size, width);
		bytes_put(out, s->size, width);
		if (!m->is_64)
			bytes_put(out, flags, 4);
		bytes_put(out, 1, width);
		offset += s->size;
	}
}

static void put_symbol(const struct image *image, struct bytes *out, const struct symbol *s,
		       uint64_t name)
{
	unsigned width = machine_width(image->machine);
	unsigned info = ELF64_ST_INFO(s->binding, s->type);
	unsigned index = s->section == IN_UNDEF ? SHN_UNDEF
			 : s->section == IN_ABS ? SHN_ABS
						: (unsigned)s->section + 1;

	bytes_put(out, name, 4);
	if (image->machine->is_64) {
		bytes_put(out, info, 1);
		bytes_put(out, 0, 1);
		bytes_put(out, index, 2);
	}
	bytes_put(out, s->addr, width);
	bytes_put(out, s->size, width);
	if (!image->machine->is_64) {
		bytes_put(out, info, 1);
		bytes_put(out, 0, 1);
		bytes_put(out, index, 2);
	}
}

/* Returns the index of the first symbol that is not local, which is what sh_info wants. */
static uint64_t put_symbols(const struct image *image, struct bytes *out, struct bytes *names)
{
	const struct symbol none = { .name = "", .section = IN_UNDEF };
	uint64_t first_global = 0;

	bytes_fill(names, 0, 1);
	put_symbol(image, out, &none, 0);
	for (size_t i = 0; i < image->nsymbols; i++) {
		const struct symbol *s = &image->symbols[i];

		put_symbol(image, out, s, add_string(names, s->name));
		if (!image->packed_names)
			bytes_fill(names, 0, 1);
		if (!first_global && s->binding != STB_LOCAL)
			first_global = i + 1;
	}
	return first_global ? first_global : image->nsymbols + 1;
}

static void put_section_header(const struct image *image, struct bytes *out, const struct place *p)
{
	unsigned width = machine_width(image->machine);

	bytes_put(out, p->name, 4);
	bytes_put(out, p->type, 4);
	bytes_put(out, p->flags, width);
	bytes_put(out, p->addr, width);
	bytes_put(out, p->offset, width);
	bytes_put(out, p->size, width);
	bytes_put(out, p->link, 4);
	bytes_put(out, p->info, 4);
	bytes_put(out, p->align, width);
	bytes_put(out, p->entsize, width);
}

static void put_contents(const struct image *image, struct bytes *out, struct place *places,
			 struct bytes *section_names)
{
	for (size_t i = 0; i < image->nsections; i++) {
		const struct section *s = &image->sections[i];

		places[i + 1] = (struct place){
			.name = add_string(section_names, s->name),
			.type = SHT_PROGBITS,
			.flags = SHF_ALLOC | (s->code ? SHF_EXECINSTR : SHF_WRITE),
			.addr = s->addr,
			.offset = out->n,
			.size = s->size,
			.align = 1,
		};
		if (s->contents) {
			places[i + 1].flags = places[i + 1].addr = 0;
			places[i + 1].size = s->contents->n;
			bytes_add(out, s->contents->data, s->contents->n);
			continue;
		}
		if (s->code)
			fill_with_nops(image->machine, out, s->size);
		else
			bytes_fill(out, 0, s->size);
	}
}

void image_write(const struct image *image, struct bytes *out)
{
	size_t nplaces = image->nsections + 4, e_shoff = image->machine->is_64 ? 40 : 32;
	struct place *places = xcalloc(nplaces, sizeof(*places));
	struct place *symtab = &places[nplaces - 3], *strtab = symtab + 1, *shstrtab = symtab + 2;
	struct bytes names = { 0 }, section_names = { 0 };

	out->big = image->machine->big;
	bytes_fill(&section_names, 0, 1);
	put_elf_header(image, out, nplaces);
	put_program_headers(image, out);
	put_contents(image, out, places, &section_names);

	align_to(out, 8);
	*symtab = (struct place){
		.name = add_string(&section_names, ".symtab"),
		.type = SHT_SYMTAB,
		.offset = out->n,
		.link = nplaces - 2,
		.align = 8,
		.entsize = image->machine->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym),
	};
	symtab->info = put_symbols(image, out, &names);
	symtab->size = out->n - symtab->offset;

	*strtab = (struct place){
		.name = add_string(&section_names, ".strtab"),
		.type = SHT_STRTAB,
		.offset = out->n,
		.size = names.n,
		.align = 1,
	};
	bytes_add(out, names.data, names.n);

	*shstrtab = (struct place){ .type = SHT_STRTAB, .offset = out->n, .align = 1 };
	shstrtab->name = add_string(&section_names, ".shstrtab");
	shstrtab->size = section_names.n;
	bytes_add(out, section_names.data, section_names.n);

	align_to(out, 8);
	bytes_set(out, e_shoff, out->n, machine_width(image->machine));
	for (size_t i = 0; i < nplaces; i++)
		put_section_header(image, out, &places[i]);
	bytes_free(&names);
	bytes_free(&section_names);
	free(places);
}
