/* SPDX-License-Identifier: MIT */
/* Reading headers of objects; <elf.h> has the formats. See loaded.h. */
#include "record/loaded.h"

#include <elf.h>
#include <link.h>

#include "base/readable.h"

/* Limits far above those of real objects; what exceeds them is ignored. */
enum { LOADED_HEADERS = 64, LOADED_NOTES_BYTES = 4096 };

enum { LOADED_AT_ONCE = 8 /* headers that are copied by one system call */ };

static uintptr_t loaded_round(uintptr_t n, uintptr_t align)
{
	return (n + align - 1) & ~(align - 1);
}

/* Looks for the build id among the notes in [at, end). */
static void loaded_look_notes(struct loaded *loaded, uintptr_t at, uintptr_t end, uintptr_t align)
{
	ElfW(Nhdr) note;
	char name[4];

	while (end - at >= sizeof(note) && readable_copy(&note, at, sizeof(note))) {
		uintptr_t text = at + sizeof(note);
		uintptr_t bytes = text + loaded_round(note.n_namesz, align);

		if (note.n_namesz > LOADED_NOTES_BYTES || note.n_descsz > LOADED_NOTES_BYTES ||
		    bytes > end || note.n_descsz > end - bytes)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(name) &&
		    note.n_descsz > 0 && readable_copy(name, text, sizeof(name)) &&
		    name[0] == 'G' && name[1] == 'N' && name[2] == 'U') {
			loaded->build_id = bytes;
			loaded->build_id_bytes = note.n_descsz < GMON_EXT_BUILD_ID_BYTES
							 ? note.n_descsz
							 : GMON_EXT_BUILD_ID_BYTES;
			return;
		}
		at = bytes + loaded_round(note.n_descsz, align);
	}
}

static void loaded_look_header(struct loaded *loaded, const ElfW(Phdr) * header)
{
	uintptr_t start = loaded->bias + header->p_vaddr;
	uintptr_t end = start + header->p_memsz;

	if (header->p_type == PT_NOTE && header->p_memsz <= LOADED_NOTES_BYTES && !loaded->build_id)
		loaded_look_notes(loaded, start, end, header->p_align == 8 ? 8 : 4);
	if (header->p_type == PT_DYNAMIC)
		loaded->dynamic = start;
	if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
		return;
	loaded->low = start < loaded->low ? start : loaded->low;
	loaded->high = end > loaded->high ? end : loaded->high;
}

bool loaded_look(struct loaded *loaded, uintptr_t bias, uintptr_t headers, size_t n)
{
	*loaded = (struct loaded){ .bias = bias, .low = UINTPTR_MAX };
	n = n < LOADED_HEADERS ? n : LOADED_HEADERS;
	for (size_t i = 0; i < n; i += LOADED_AT_ONCE) {
		ElfW(Phdr) header[LOADED_AT_ONCE];
		size_t more = n - i < LOADED_AT_ONCE ? n - i : LOADED_AT_ONCE;

		if (!readable_copy(header, headers + i * sizeof(header[0]),
				   more * sizeof(header[0])))
			return false;
		for (size_t k = 0; k < more; k++)
			loaded_look_header(loaded, &header[k]);
	}
	return loaded->low < loaded->high;
}

bool loaded_look_at(struct loaded *loaded, uintptr_t bias, uintptr_t start)
{
	ElfW(Ehdr) file;

	if (!readable_copy(&file, start, sizeof(file)) || file.e_ident[EI_MAG0] != ELFMAG0 ||
	    file.e_ident[EI_MAG1] != ELFMAG1 || file.e_ident[EI_MAG2] != ELFMAG2 ||
	    file.e_ident[EI_MAG3] != ELFMAG3 || file.e_phentsize != sizeof(ElfW(Phdr)))
		return false;
	return loaded_look(loaded, bias, start + file.e_phoff, file.e_phnum);
}

bool loaded_find_dynamic(const struct loaded *loaded, intptr_t tag, uintptr_t *value)
{
	ElfW(Dyn) entry;

	for (uintptr_t at = loaded->dynamic; at; at += sizeof(entry)) {
		if (!readable_copy(&entry, at, sizeof(entry)) || entry.d_tag == DT_NULL)
			return false;
		if (entry.d_tag == tag) {
			*value = entry.d_un.d_ptr;
			return true;
		}
	}
	return false;
}
