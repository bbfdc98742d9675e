/* SPDX-License-Identifier: MIT */
/* Reading headers of objects; <elf.h> has the formats. See loaded.h. */
#include "record/loaded.h"

#include <elf.h>
#include <link.h>
#include <sys/uio.h>

#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"
#include "state.h"

/* Limits far above those of real objects; what exceeds them is ignored. */
enum { LOADED_HEADERS = 64, LOADED_NOTES_BYTES = 4096 };

enum {
	LOADED_PIECE =
		64 /* bytes of a string that are copied at once; a divisor of the page size */
};

bool loaded_gather(void *to, const struct iovec *from, unsigned n)
{
	struct iovec here = { to, 0 };
	long done;

	for (unsigned i = 0; i < n; i++)
		here.iov_len += from[i].iov_len;
	done = sandbox_was_closed()
		       ? -ENOSYS
		       : SYS6(SYS_process_vm_readv, sys_gettid(), &here, 1, from, n, 0);
	if (done != -EPERM && done != -ENOSYS)
		return done == (long)here.iov_len;
	/* A filter of system calls forbids the call, or the kernel does not have it. */
	for (unsigned i = 0; i < n; i++) {
		const volatile char *bytes = from[i].iov_base;
		char *at = here.iov_base;

		for (size_t k = 0; k < from[i].iov_len; k++)
			at[k] = bytes[k];
		here.iov_base = at + from[i].iov_len;
	}
	return true;
}

bool loaded_copy(void *to, uintptr_t from, size_t n)
{
	const struct iovec there = { (void *)from, n };

	return loaded_gather(to, &there, 1);
}

bool loaded_string(struct text *text, uintptr_t from)
{
	char piece[LOADED_PIECE];
	size_t length;

	do {
		size_t n = LOADED_PIECE - from % LOADED_PIECE;

		if (!loaded_copy(piece, from, n))
			return false;
		for (length = 0; length < n && piece[length]; length++)
			;
		text_add_bytes(text, piece, length);
		from += n;
		n -= length;
		if (n)
			return true;
	} while (!text->full);
	return false;
}

static uintptr_t loaded_round(uintptr_t n, uintptr_t align)
{
	return (n + align - 1) & ~(align - 1);
}

/* Looks for the build id among the notes in [at, end). */
static void loaded_look_notes(struct loaded *loaded, uintptr_t at, uintptr_t end, uintptr_t align)
{
	ElfW(Nhdr) note;
	char name[4];

	while (end - at >= sizeof(note) && loaded_copy(&note, at, sizeof(note))) {
		uintptr_t text = at + sizeof(note);
		uintptr_t bytes = text + loaded_round(note.n_namesz, align);

		if (note.n_namesz > LOADED_NOTES_BYTES || note.n_descsz > LOADED_NOTES_BYTES ||
		    bytes > end || note.n_descsz > end - bytes)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(name) &&
		    note.n_descsz > 0 && loaded_copy(name, text, sizeof(name)) && name[0] == 'G' &&
		    name[1] == 'N' && name[2] == 'U') {
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
	if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
		return;
	loaded->low = start < loaded->low ? start : loaded->low;
	loaded->high = end > loaded->high ? end : loaded->high;
}

bool loaded_look(struct loaded *loaded, uintptr_t bias, uintptr_t headers, size_t n)
{
	*loaded = (struct loaded){ .bias = bias, .low = UINTPTR_MAX };
	for (size_t i = 0; i < n && i < LOADED_HEADERS; i++) {
		ElfW(Phdr) header;

		if (!loaded_copy(&header, headers + i * sizeof(header), sizeof(header)))
			return false;
		loaded_look_header(loaded, &header);
	}
	return loaded->low < loaded->high;
}

bool loaded_look_at(struct loaded *loaded, uintptr_t bias, uintptr_t start)
{
	ElfW(Ehdr) file;

	if (!loaded_copy(&file, start, sizeof(file)) || file.e_ident[EI_MAG0] != ELFMAG0 ||
	    file.e_ident[EI_MAG1] != ELFMAG1 || file.e_ident[EI_MAG2] != ELFMAG2 ||
	    file.e_ident[EI_MAG3] != ELFMAG3 || file.e_phentsize != sizeof(ElfW(Phdr)))
		return false;
	return loaded_look(loaded, bias, start + file.e_phoff, file.e_phnum);
}
