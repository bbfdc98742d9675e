/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens debug information for libdw without letting libdw open files.
 *
 * libdw opens any file that the debug information names as soon as it meets the name, and blocks if
 * that is a FIFO. So it is given the supplementary file beforehand, and is asked for split units
 * only if every path that it would try is a regular file or nothing. If such a file changes in
 * between, wrap_open.c refuses it.
 */
#include "config.h"

#include "io/image/debuginfo.h"

#include "base/path.h"
#include "io/file.h"

#include <dwarf.h>
#include <elf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A minimal object file, with an empty string as its only debug information, which libdw accepts.
 */
struct debuginfo_nothing {
	Elf64_Ehdr header;
	Elf64_Shdr section[3];
	char names[sizeof("\0.shstrtab\0.debug_str")];
};

static const struct debuginfo_nothing nothing = {
	.header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				 __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB,
				 EV_CURRENT },
		    .e_type = ET_REL,
		    .e_machine = EM_X86_64,
		    .e_version = EV_CURRENT,
		    .e_shoff = offsetof(struct debuginfo_nothing, section),
		    .e_ehsize = sizeof(Elf64_Ehdr),
		    .e_shentsize = sizeof(Elf64_Shdr),
		    .e_shnum = 3,
		    .e_shstrndx = 1 },
	.section = { { .sh_type = SHT_NULL },
		     { .sh_name = 1,
		       .sh_type = SHT_STRTAB,
		       .sh_offset = offsetof(struct debuginfo_nothing, names),
		       .sh_size = sizeof(nothing.names),
		       .sh_addralign = 1 },
		     { .sh_name = 11,
		       .sh_type = SHT_PROGBITS,
		       .sh_offset = offsetof(struct debuginfo_nothing, names),
		       .sh_size = 1,
		       .sh_addralign = 1 } },
	.names = "\0.shstrtab\0.debug_str",
};

/*
 * Returns `name` relative to the directory of the file `beside`, or unchanged if it is absolute; to
 * be freed. NULL: no memory.
 */
static char *debuginfo_path(const char *beside, const char *name)
{
	size_t n = *name == '/' ? 0 : (size_t)(path_base(beside) - beside);
	char *path = malloc(n + strlen(name) + 1);

	if (path) {
		memcpy(path, beside, n);
		strcpy(path + n, name);
	}
	return path;
}

/* Returns the section with this name, and sets *header; or NULL. */
static Elf_Scn *debuginfo_find(Elf *elf, const char *wanted, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, header)
					   ? elf_strptr(elf, names, header->sh_name)
					   : NULL;

		if (name && header->sh_type != SHT_NOBITS && strcmp(name, wanted) == 0)
			return section;
	}
	return NULL;
}

/* Returns the contents of the section with this name, owned by libelf; or NULL. */
static const Elf_Data *debuginfo_section(Elf *elf, const char *wanted)
{
	GElf_Shdr header;
	Elf_Scn *section = debuginfo_find(elf, wanted, &header);

	return section ? elf_getdata(section, NULL) : NULL;
}

/* Whether the file has this build id in the section where linkers put it. */
static bool debuginfo_has_id(Elf *elf, const void *id, size_t n)
{
	Elf_Data *notes = (Elf_Data *)debuginfo_section(elf, ".note.gnu.build-id");
	size_t name, bytes;
	GElf_Nhdr note;

	return notes && notes->d_buf && gelf_getnote(notes, 0, &note, &name, &bytes) > 0 &&
	       note.n_type == NT_GNU_BUILD_ID && note.n_descsz == n &&
	       memcmp((const char *)notes->d_buf + bytes, id, n) == 0;
}

/* Opens the supplementary file at `path` if it has the build id. Frees path. */
static bool debuginfo_try_shared(struct debuginfo *info, char *path, const void *id, size_t n)
{
	struct stat st;

	info->shared_fd = path ? file_open_named(path, &st) : -1;
	free(path);
	if (info->shared_fd < 0)
		return false;
	info->elf = elf_begin(info->shared_fd, ELF_C_READ, NULL);
	if (info->elf && debuginfo_has_id(info->elf, id, n))
		info->shared = dwarf_begin_elf(info->elf, DWARF_C_READ, NULL);
	if (info->shared)
		return true;
	elf_end(info->elf);
	info->elf = NULL;
	close(info->shared_fd);
	info->shared_fd = -1;
	return false;
}

/* The supplementary file that debug information names. */
struct debuginfo_link {
	const char *name;
	const unsigned char *id; /* of n bytes */
	size_t n;                /* 0: none is named */
};

static struct debuginfo_link debuginfo_link(Elf *elf)
{
	enum { MAX_ID = 64 };
	const Elf_Data *data = debuginfo_section(elf, ".gnu_debugaltlink");
	struct debuginfo_link link = { .name = data ? data->d_buf : NULL };
	const char *end = link.name ? memchr(link.name, '\0', data->d_size) : NULL;

	if (!end || data->d_size - (size_t)(end + 1 - link.name) > MAX_ID)
		return link;
	link.id = (const unsigned char *)end + 1;
	link.n = data->d_size - (size_t)(end + 1 - link.name);
	return link;
}

/* Opens the supplementary file by its build id where debug files are kept, or by its name. */
static bool debuginfo_find_shared(struct debuginfo *info, const struct debug_places *places,
				  const struct debuginfo_link *link)
{
	char *path;

	for (size_t i = 0; (path = debug_places_by_id(places, i, link->id, link->n)); i++) {
		if (debuginfo_try_shared(info, path, link->id, link->n))
			return true;
	}
	if (debuginfo_try_shared(info, debuginfo_path(info->path, link->name), link->id, link->n))
		return true;
	for (size_t i = 0; (path = debug_places_of_dwz(places, i, link->name)); i++) {
		if (debuginfo_try_shared(info, path, link->id, link->n))
			return true;
	}
	return false;
}

/* Gives libdw the supplementary file, or an empty one, so that it does not look for one itself. */
static void debuginfo_give_shared(struct debuginfo *info, const struct debug_places *places)
{
	const struct debuginfo_link link = debuginfo_link(dwarf_getelf(info->dwarf));

	if (link.n == 0 || !debuginfo_find_shared(info, places, &link)) {
		/* libelf takes a pointer to writable bytes, but does not write. */
		info->elf = elf_memory((char *)&nothing, sizeof(nothing));
		info->shared = info->elf ? dwarf_begin_elf(info->elf, DWARF_C_READ, NULL) : NULL;
	}
	dwarf_setalt(info->dwarf, info->shared);
}

static const char *const entry_sections[] = { ".debug_info", ".zdebug_info" };
enum { NENTRY_SECTIONS = sizeof(entry_sections) / sizeof(entry_sections[0]) };

/*
 * Returns what is wrong with a section of a file of `size` bytes, or NULL. Decompresses the
 * section, as libdw does.
 */
static const char *debuginfo_fault(Elf_Scn *section, const GElf_Shdr *header, uint64_t size)
{
	/* Once it is decompressed, the header has the new size. */
	if ((header->sh_offset > size || header->sh_size > size - header->sh_offset) &&
	    !elf_rawdata(section, NULL))
		return "it extends beyond the end of the file";
	if (header->sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0)
		return "it cannot be decompressed";
	return NULL;
}

static void debuginfo_check_sections(Elf *elf, int fd, struct line_damage *damage)
{
	static const char *const names[] = { ".debug_info",     ".debug_abbrev",
					     ".debug_line",     ".debug_line_str",
					     ".debug_str",      ".debug_ranges",
					     ".debug_rnglists", ".debug_str_offsets",
					     ".debug_addr" };
	struct stat st;

	if (fstat(fd, &st) < 0)
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		GElf_Shdr header;
		Elf_Scn *section = debuginfo_find(elf, names[i], &header);
		const char *fault =
			section ? debuginfo_fault(section, &header, (uint64_t)st.st_size) : NULL;

		if (fault)
			line_damage_add(damage, names[i], 0, fault);
	}
}

/* For a file that libdw refuses: if it has debug entries, reports that something is damaged. */
static void debuginfo_check_refused(const struct image_file *file, struct line_damage *damage)
{
	const char *cause = dwarf_errmsg(-1);
	Elf *elf = elf_begin(file->fd, ELF_C_READ, NULL);
	bool found = false;
	GElf_Shdr header;

	if (elf && elf_kind(elf) == ELF_K_ELF)
		debuginfo_check_sections(elf, file->fd, damage);
	for (size_t i = 0; i < NENTRY_SECTIONS && damage->nplaces == 0; i++)
		found |= debuginfo_find(elf, entry_sections[i], &header) && header.sh_size > 0;
	if (found)
		line_damage_add(damage, ".debug_info", 0, cause);
	elf_end(elf);
}

bool debuginfo_open(struct debuginfo *info, const struct image_file *file,
		    struct line_damage *damage)
{
	*info = (struct debuginfo){ .dwarf = dwarf_begin(file->fd, DWARF_C_READ), .shared_fd = -1 };
	if (!info->dwarf) {
		debuginfo_check_refused(file, damage);
		return false;
	}
	debuginfo_check_sections(dwarf_getelf(info->dwarf), file->fd, damage);
	info->path = realpath(file->path, NULL);
	if (!info->path)
		info->path = strdup(file->path);
	debuginfo_give_shared(info, file->places);
	return true;
}

size_t debuginfo_lacks(const struct image_file *file, unsigned char *id, size_t room)
{
	struct line_damage ignored = { 0 };
	struct debuginfo info;
	struct debuginfo_link link;
	size_t n = 0;

	if (file->fd < 0 || !debuginfo_open(&info, file, &ignored))
		return 0;
	link = debuginfo_link(dwarf_getelf(info.dwarf));
	if (link.n <= room && info.shared_fd < 0)
		n = link.n;
	if (n > 0)
		memcpy(id, link.id, n);
	debuginfo_close(&info);
	return n;
}

uint64_t debuginfo_size(const struct debuginfo *info)
{
	const Elf_Data *data = NULL;

	/* libdw has replaced the section by its decompressed form. */
	for (size_t i = 0; i < NENTRY_SECTIONS && !data; i++)
		data = debuginfo_section(dwarf_getelf(info->dwarf), entry_sections[i]);
	return data ? data->d_size : 0;
}

void debuginfo_close(struct debuginfo *info)
{
	dwarf_end(info->dwarf);
	dwarf_end(info->shared);
	elf_end(info->elf);
	if (info->shared_fd >= 0)
		close(info->shared_fd);
	free(info->path);
}

/* Returns the strings of a section, which libdw has decompressed in place. */
static struct line_texts debuginfo_texts(const struct debuginfo *info, const char *name,
					 const char *old_name)
{
	Elf *elf = dwarf_getelf(info->dwarf);
	const Elf_Data *data = debuginfo_section(elf, name);

	if (!data && old_name)
		data = debuginfo_section(elf, old_name);
	if (!data || !data->d_buf)
		return (struct line_texts){ NULL, 0 };
	return (struct line_texts){ data->d_buf, data->d_size };
}

struct line_program debuginfo_lines(const struct debuginfo *info)
{
	const char *ident = elf_getident(dwarf_getelf(info->dwarf), NULL);
	struct line_texts lines = debuginfo_texts(info, ".debug_line", ".zdebug_line");

	return (struct line_program){
		.bytes = lines.bytes,
		.size = lines.size,
		.big_endian = ident && ident[EI_DATA] == ELFDATA2MSB,
		.line_str = debuginfo_texts(info, ".debug_line_str", NULL),
		.str = debuginfo_texts(info, ".debug_str", ".zdebug_str"),
	};
}

/* Whether libdw may open this path, because it is a regular file or does not exist. Frees path. */
static bool debuginfo_may_open(char *path)
{
	struct stat st;
	bool may = path && (stat(path, &st) < 0 || (S_ISREG(st.st_mode) && st.st_size > 0));

	free(path);
	return may;
}

static char *debuginfo_join(const char *directory, const char *name)
{
	size_t size = strlen(directory) + strlen(name) + 2;
	char *path = malloc(size);

	if (path)
		snprintf(path, size, "%s/%s", directory, name);
	return path;
}

/* Whether the unit's split file is a regular file or missing at every path where libdw looks for
 * it. */
static bool debuginfo_may_split(const struct debuginfo *info, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *name = dwarf_formstring(dwarf_attr(unit, DW_AT_dwo_name, &attribute));
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	size_t n = strlen(info->path);
	char *package = malloc(n + sizeof(".dwp")), *path;
	bool may;

	if (!name)
		name = dwarf_formstring(dwarf_attr(unit, DW_AT_GNU_dwo_name, &attribute));
	if (package)
		strcpy(stpcpy(package, info->path), ".dwp");
	may = debuginfo_may_open(package) && name &&
	      debuginfo_may_open(debuginfo_path(info->path, name));
	if (!may || !directory || *name == '/')
		return may;
	path = debuginfo_join(directory, name);
	may = path && debuginfo_may_open(debuginfo_path(info->path, path));
	free(path);
	return may;
}

bool debuginfo_split(const struct debuginfo *info, Dwarf_CU *cu, Dwarf_Die *unit, Dwarf_Die *split)
{
	memset(split, 0, sizeof(*split));
	return debuginfo_may_split(info, unit) &&
	       dwarf_cu_info(cu, NULL, NULL, NULL, split, NULL, NULL, NULL) == 0 && split->addr;
}
