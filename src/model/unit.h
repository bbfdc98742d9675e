/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tick is. */
#ifndef MODEL_UNIT_H
#define MODEL_UNIT_H

#include <stdint.h>

/* rate 0 means that none was recorded; then ticks are shown as such. */
struct unit {
	uint32_t rate;      /* ticks a unit of the dimension */
	char dimension[16]; /* such as "seconds" */
	char abbrev;        /* such as 's' */
};

#endif
