/* SPDX-License-Identifier: MIT */
/* Passes the profile to libgmon_mpi. See handover.h. */
#include "handover.h"

#include "base/text.h"
#include "life.h"
#include "state.h"
#include "write/write.h"

PUBLIC enum handover_state gmon_sum_begin(uint32_t rank, struct handover *asked)
{
	const struct settings *settings = &gmon.settings;
	struct text text;

	if (!settings->mpi || settings->mpi_apart)
		return HANDOVER_UNASKED;
	asked->keep = settings->mpi_keep;
	asked->wait = settings->mpi_wait;
	asked->verbose = settings->verbose;
	text = text_in(gmon.settings.rank, sizeof(gmon.settings.rank));
	text_add_number(&text, rank);
	gmon.sum_begun = true;
	return life_hold() ? HANDOVER_HELD : HANDOVER_NOTHING;
}

PUBLIC size_t gmon_sum_take(void *bytes, size_t room)
{
	return write_copy(bytes, room);
}

PUBLIC long gmon_sum_write(const void *bytes, size_t n)
{
	return write_sum(bytes, n);
}

PUBLIC void gmon_sum_drop(void)
{
	life_drop();
}
