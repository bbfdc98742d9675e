/* SPDX-License-Identifier: MIT */
/*
 * Finds the program's code by its program headers, whose address the kernel passes to the process.
 */
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include "base/program.h"

/*
 * Returns run-time less link-time address. A program without PT_PHDR is linked statically; its
 * program headers follow the file header, at the start of the first segment.
 */
static uintptr_t program_bias(const ElfW(Phdr) * segment, size_t nsegments)
{
	uintptr_t headers = (uintptr_t)segment;

	for (size_t i = 0; i < nsegments; i++)
		if (segment[i].p_type == PT_PHDR)
			return headers - segment[i].p_vaddr;
	for (size_t i = 0; i < nsegments; i++)
		if (segment[i].p_type == PT_LOAD && segment[i].p_offset == 0)
			return headers - sizeof(ElfW(Ehdr)) - segment[i].p_vaddr;
	return 0;
}

bool program_segments(struct program *program, const void *headers, size_t n)
{
	const ElfW(Phdr) *segment = headers;

	program->low = UINTPTR_MAX;
	program->high = 0;
	for (size_t i = 0; i < n; i++) {
		uintptr_t start = program->bias + segment[i].p_vaddr;

		if (segment[i].p_type != PT_LOAD || !(segment[i].p_flags & PF_X))
			continue;
		if (start < program->low)
			program->low = start;
		if (start + segment[i].p_memsz > program->high)
			program->high = start + segment[i].p_memsz;
	}
	return program->low < program->high;
}

bool program_find(struct program *program)
{
	const ElfW(Phdr) *segment = (const void *)getauxval(AT_PHDR);
	size_t nsegments = getauxval(AT_PHNUM);

	if (!segment)
		return false;
	program->bias = program_bias(segment, nsegments);
	if (!program_segments(program, segment, nsegments))
		return false;
	program->entry = getauxval(AT_ENTRY);
	if (!program_has(program, program->entry))
		program->entry = program->low;
	return true;
}
