/* SPDX-License-Identifier: MIT */
/* Finding other copies of libgmon. See other_copies.h. */
#include "preload/other_copies.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>

#include "base/dynamic.h"
#include "base/text.h"

/* The note of a copy; see other_copies.h. */
struct other_copies_note {
	ElfW(Nhdr) head;
	char name[OTHER_COPIES_NAME_BYTES];
	int32_t to_state, to_count; /* distances from these fields */
};

_Static_assert(sizeof(OTHER_COPIES_NAME) == OTHER_COPIES_NAME_BYTES, "without padding");

struct other_copies_search {
	const struct other_copies_note *first;
	bool stays; /* the object of `first` is never unloaded */
	bool beyond_program;
};

static uintptr_t other_copies_round(uintptr_t bytes)
{
	return (bytes + 3) & ~(uintptr_t)3;
}

/* The note of a copy among the notes in [at, end), or NULL. */
static const struct other_copies_note *other_copies_read(uintptr_t at, uintptr_t end)
{
	while (at < end && end - at >= sizeof(ElfW(Nhdr))) {
		const struct other_copies_note *note = (const void *)at;
		uintptr_t bytes = sizeof(note->head) + other_copies_round(note->head.n_namesz) +
				  other_copies_round(note->head.n_descsz);

		if (bytes > end - at)
			break;
		if (bytes == sizeof(*note) && note->head.n_type == OTHER_COPIES_TYPE &&
		    note->head.n_namesz == OTHER_COPIES_NAME_BYTES &&
		    text_equal(note->name, OTHER_COPIES_NAME))
			return note;
		at += bytes;
	}
	return NULL;
}

/* The address at a distance from the field that holds the distance. */
static void *other_copies_target(const int32_t *offset)
{
	return (void *)((uintptr_t)offset + (uintptr_t)(intptr_t)*offset);
}

static bool other_copies_never_unloaded(const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *flags = dynamic_find(dynamic_section(info), DT_FLAGS_1);

	return flags && flags->d_un.d_val & DF_1_NODELETE;
}

/* Called for the program first, then for objects in the order in which they were loaded. */
static int other_copies_look(struct dl_phdr_info *info, size_t size, void *context)
{
	struct other_copies_search *search = context;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum && !search->first; i++) {
		uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_NOTE && info->dlpi_phdr[i].p_align <= 4)
			search->first = other_copies_read(at, at + info->dlpi_phdr[i].p_memsz);
	}
	search->stays = !search->beyond_program || other_copies_never_unloaded(info);
	search->beyond_program = true;
	return search->first != NULL;
}

bool other_copies_yield(const void *state, other_copies_count **pass_on)
{
	struct other_copies_search search = { NULL, false, false };

	dl_iterate_phdr(other_copies_look, &search);
	*pass_on = NULL;
	if (!search.first || other_copies_target(&search.first->to_state) == state)
		return false;
	if (search.stays)
		*pass_on = (other_copies_count *)other_copies_target(&search.first->to_count);
	return true;
}
