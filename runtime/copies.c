/* SPDX-License-Identifier: MIT */
/* Finding other copies of libgmon. See copies.h. */
#include "copies.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>

#include "dynamic.h"
#include "text.h"

/* What an object has to say; see copies.h. */
struct copies_note {
	ElfW(Nhdr) head;
	char name[COPIES_NAME_BYTES];
	int32_t to_state, to_count; /* from where that stands */
};

_Static_assert(sizeof(COPIES_NAME) == COPIES_NAME_BYTES, "without padding");

struct copies_search {
	const struct copies_note *first;
	bool stays; /* its object is never unloaded */
	bool beyond_program;
};

static uintptr_t copies_round(uintptr_t bytes)
{
	return (bytes + 3) & ~(uintptr_t)3;
}

/* A copy's note among those in [at, end), or NULL. */
static const struct copies_note *copies_read(uintptr_t at, uintptr_t end)
{
	while (at < end && end - at >= sizeof(ElfW(Nhdr))) {
		const struct copies_note *note = (const void *)at;
		uintptr_t bytes = sizeof(note->head) + copies_round(note->head.n_namesz) +
				  copies_round(note->head.n_descsz);

		if (bytes > end - at)
			break;
		if (bytes == sizeof(*note) && note->head.n_type == COPIES_TYPE &&
		    note->head.n_namesz == COPIES_NAME_BYTES && text_equal(note->name, COPIES_NAME))
			return note;
		at += bytes;
	}
	return NULL;
}

/* What lies so far from where that is said. */
static void *copies_target(const int32_t *offset)
{
	return (void *)((uintptr_t)offset + (uintptr_t)(intptr_t)*offset);
}

static bool copies_never_unloaded(const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *flags = dynamic_find(info, DT_FLAGS_1);

	return flags && flags->d_un.d_val & DF_1_NODELETE;
}

/* The program comes first, then objects in the order in which they were loaded. */
static int copies_look(struct dl_phdr_info *info, size_t size, void *context)
{
	struct copies_search *search = context;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum && !search->first; i++) {
		uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_NOTE && info->dlpi_phdr[i].p_align <= 4)
			search->first = copies_read(at, at + info->dlpi_phdr[i].p_memsz);
	}
	search->stays = !search->beyond_program || copies_never_unloaded(info);
	search->beyond_program = true;
	return search->first != NULL;
}

bool copies_yield(const void *state, copies_count **pass_on)
{
	struct copies_search search = { NULL, false, false };

	dl_iterate_phdr(copies_look, &search);
	*pass_on = NULL;
	if (!search.first || copies_target(&search.first->to_state) == state)
		return false;
	if (search.stays)
		*pass_on = (copies_count *)copies_target(&search.first->to_count);
	return true;
}
