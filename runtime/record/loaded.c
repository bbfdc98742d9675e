/* SPDX-License-Identifier: MIT */
/* Reading headers of objects; <elf.h> has the formats. See loaded.h. */
#include "record/loaded.h"

#include <elf.h>
#include <link.h>

#include "base/readable.h"

/* Limits far above those of real objects; what exceeds them is ignored. */
enum { LOADED_HEADERS = 64, LOADED_NOTES_BYTES = 4096 };

/* Bytes that one system call copies: mostly all headers of an object and the notes that follow. */
enum { LOADED_PIECE_BYTES = 1024 };

/* The newest copy of a part of an object. */
struct loaded_piece {
	uintptr_t at;
	size_t n;
	unsigned char bytes[LOADED_PIECE_BYTES];
};

/* Copies n bytes, at most a piece, and what follows on their page with them. */
static bool loaded_get(struct loaded_piece *piece, void *to, uintptr_t from, size_t n)
{
	unsigned char *bytes = to;
	size_t rest = READABLE_PAGE - from % READABLE_PAGE;

	if (from < piece->at || from - piece->at > piece->n || n > piece->n - (from - piece->at)) {
		piece->at = from;
		piece->n = rest < n ? n : rest < sizeof(piece->bytes) ? rest : sizeof(piece->bytes);
		if (!readable_copy(piece->bytes, from, piece->n)) {
			piece->n = 0;
			return false;
		}
	}
	for (size_t i = 0; i < n; i++)
		bytes[i] = *(volatile unsigned char *)&piece->bytes[from - piece->at + i];
	return true;
}

static uintptr_t loaded_round(uintptr_t n, uintptr_t align)
{
	return (n + align - 1) & ~(align - 1);
}

/* Looks for the build id among the notes in [at, end). */
static void loaded_look_notes(struct loaded *loaded, struct loaded_piece *piece, uintptr_t at,
			      uintptr_t end, uintptr_t align)
{
	ElfW(Nhdr) note;
	char name[4];

	while (end - at >= sizeof(note) && loaded_get(piece, &note, at, sizeof(note))) {
		uintptr_t text = at + sizeof(note);
		uintptr_t bytes = text + loaded_round(note.n_namesz, align);

		if (note.n_namesz > LOADED_NOTES_BYTES || note.n_descsz > LOADED_NOTES_BYTES ||
		    bytes > end || note.n_descsz > end - bytes)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(name) &&
		    note.n_descsz > 0 && loaded_get(piece, name, text, sizeof(name)) &&
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

static void loaded_look_header(struct loaded *loaded, struct loaded_piece *piece,
			       const ElfW(Phdr) * header)
{
	uintptr_t start = loaded->bias + header->p_vaddr;
	uintptr_t end = start + header->p_memsz;

	if (header->p_type == PT_NOTE && header->p_memsz <= LOADED_NOTES_BYTES && !loaded->build_id)
		loaded_look_notes(loaded, piece, start, end, header->p_align == 8 ? 8 : 4);
	if (header->p_type == PT_DYNAMIC)
		loaded->dynamic = start;
	if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
		return;
	loaded->low = start < loaded->low ? start : loaded->low;
	loaded->high = end > loaded->high ? end : loaded->high;
}

bool loaded_look(struct loaded *loaded, uintptr_t bias, uintptr_t headers, size_t n)
{
	struct loaded_piece piece;

	*loaded = (struct loaded){ .bias = bias, .low = UINTPTR_MAX };
	n = n < LOADED_HEADERS ? n : LOADED_HEADERS;
	piece.at = piece.n = 0;
	for (size_t i = 0; i < n; i++) {
		ElfW(Phdr) header;

		if (!loaded_get(&piece, &header, headers + i * sizeof(header), sizeof(header)))
			return false;
		loaded_look_header(loaded, &piece, &header);
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
