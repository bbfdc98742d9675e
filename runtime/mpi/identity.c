/* SPDX-License-Identifier: MIT */
/* The identity of the program. See identity.h. */
#include "identity.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

enum { NOTE_ALIGN = 4 };

/* FNV-1a. */
static uint64_t identity_hash(uint64_t hash, const unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t identity_of(const unsigned char *bytes, size_t n)
{
	uint64_t hash = identity_hash(UINT64_C(0xcbf29ce484222325), bytes, n);

	return hash ? hash : 1;
}

static size_t identity_align(size_t n)
{
	return (n + NOTE_ALIGN - 1) & ~(size_t)(NOTE_ALIGN - 1);
}

/* The identity by the build id among n bytes of notes; 0: there is none. */
static uint64_t identity_of_notes(const unsigned char *notes, size_t n)
{
	ElfW(Nhdr) note;

	while (n >= sizeof(note)) {
		size_t name, whole;

		memcpy(&note, notes, sizeof(note));
		name = sizeof(note) + identity_align(note.n_namesz);
		whole = name + identity_align(note.n_descsz);
		if (whole > n)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    memcmp(notes + sizeof(note), ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0)
			return identity_of(notes + name, note.n_descsz);
		notes += whole;
		n -= whole;
	}
	return 0;
}

/* Called for the first object only, which is the program. */
static int identity_look(struct dl_phdr_info *info, size_t size, void *identity)
{
	uint64_t id = 0, code = 0;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const unsigned char *bytes = (const void *)(info->dlpi_addr + header->p_vaddr);

		if (header->p_type == PT_NOTE && !id)
			id = identity_of_notes(bytes, header->p_filesz);
		if (header->p_type == PT_LOAD &&
		    (header->p_flags & (PF_R | PF_W | PF_X)) == (PF_R | PF_X) && !code)
			code = identity_of(bytes, header->p_filesz);
	}
	*(uint64_t *)identity = id ? id : code;
	return 1;
}

uint64_t identity_of_program(void)
{
	uint64_t identity = 0;

	dl_iterate_phdr(identity_look, &identity);
	return identity;
}
