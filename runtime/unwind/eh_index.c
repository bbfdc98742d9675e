/* SPDX-License-Identifier: MIT */
/* Makes a table of FDEs. See eh_index.h. */
#include "unwind/eh_index.h"

#include <registers.h>

#if ARCH_UNWINDS
#include <link.h>

#include "base/sys.h"
#include "base/text.h"

typedef ElfW(Shdr) shdr;

/* A file that is mapped. */
struct eh_index_file {
	const uint8_t *at;
	uint64_t bytes;
};

static bool eh_index_map(struct eh_index_file *file, const char *path)
{
	struct sys_file status;
	long fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);

	if (sys_failed(fd))
		return false;
	file->at = NULL;
	file->bytes = 0;
	if (sys_look((int)fd, "", &status) == 0 && status.bytes) {
		file->bytes = status.bytes;
		file->at = sys_mmap(NULL, status.bytes, PROT_READ, MAP_PRIVATE, (int)fd, 0);
	}
	sys_close((int)fd);
	return file->at;
}

/*
 * Returns the address of n records of `bytes` each at an offset of the file; NULL: they are not all
 * inside.
 */
static const void *eh_index_part(const struct eh_index_file *file, uint64_t offset, uint64_t bytes,
				 uint64_t n)
{
	if (offset > file->bytes || !bytes || n > (file->bytes - offset) / bytes ||
	    offset % sizeof(uint32_t))
		return NULL;
	return file->at + offset;
}

static const shdr *eh_index_section(const struct eh_index_file *file)
{
	const ElfW(Ehdr) *head = eh_index_part(file, 0, sizeof(*head), 1);
	const shdr *section;
	const shdr *names;

	if (!head || head->e_shentsize != sizeof(*section) || head->e_shstrndx >= head->e_shnum)
		return NULL;
	section = eh_index_part(file, head->e_shoff, sizeof(*section), head->e_shnum);
	if (!section)
		return NULL;
	names = &section[head->e_shstrndx];
	for (size_t i = 0; i < head->e_shnum; i++) {
		static const char name[] = ".eh_frame";
		uint64_t at = names->sh_offset + section[i].sh_name;

		if (section[i].sh_flags & SHF_ALLOC && section[i].sh_type != SHT_NOBITS &&
		    at < file->bytes && file->bytes - at >= sizeof(name) &&
		    text_equal((const char *)file->at + at, name))
			return &section[i];
	}
	return NULL;
}

/* Counts the FDEs, and writes them into the table if that is not NULL. */
static uint32_t eh_index_fill(const struct eh_object *object, struct readable *readable,
			      struct eh_entry *table)
{
	struct eh_fde fde;
	uint32_t n = 0;
	uintptr_t next;

	for (uintptr_t at = object->frames_low;; at = next) {
		next = 0;
		if (ehframe_read(object, readable, at, &fde, &next)) {
			if (table)
				table[n] = (struct eh_entry){
					(int32_t)(fde.low - object->base),
					(int32_t)(at - object->base),
				};
			n++;
		}
		if (!next)
			return n;
	}
}

/* Shellsort: linkers leave functions nearly in order. */
static void eh_index_sort(struct eh_entry *table, uint32_t n)
{
	for (uint32_t gap = n / 2; gap; gap /= 2)
		for (uint32_t i = gap; i < n; i++) {
			struct eh_entry entry = table[i];
			uint32_t j = i;

			for (; j >= gap && table[j - gap].code > entry.code; j -= gap)
				table[j] = table[j - gap];
			table[j] = entry;
		}
}

static bool eh_index_build(struct eh_object *program, struct readable *readable)
{
	struct eh_entry *table;
	uint32_t n;

	program->base = program->low;
	if (program->high - program->low > INT32_MAX)
		return false;
	n = eh_index_fill(program, readable, NULL);
	table = n ? sys_memory(n * sizeof(*table)) : NULL;
	if (!table)
		return false;
	eh_index_fill(program, readable, table);
	eh_index_sort(table, n);
	program->table = (uintptr_t)table;
	program->n = n;
	program->header = 0;
	program->fingerprint = ehframe_fingerprint(program);
	return true;
}

bool eh_index_make(struct eh_object *program, struct readable *readable, uintptr_t bias,
		   const void *headers, size_t n)
{
	const ElfW(Phdr) *segment = headers;
	const shdr *section;
	struct eh_index_file file;
	bool made = false;

	if (!eh_index_map(&file, "/proc/self/exe"))
		return false;
	section = eh_index_section(&file);
	for (size_t i = 0; section && i < n && !made; i++) {
		uint64_t inside = section->sh_addr - segment[i].p_vaddr;

		if (segment[i].p_type != PT_LOAD || !(segment[i].p_flags & PF_R) ||
		    section->sh_addr < segment[i].p_vaddr || inside > segment[i].p_filesz ||
		    section->sh_size > segment[i].p_filesz - inside)
			continue;
		program->frames_low = bias + section->sh_addr;
		program->frames_high = program->frames_low + section->sh_size;
		made = eh_index_build(program, readable);
	}
	sys_munmap((void *)file.at, file.bytes);
	return made;
}
#endif
