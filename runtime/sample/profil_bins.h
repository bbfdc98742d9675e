/* SPDX-License-Identifier: MIT */
/* The histogram in the memory of profil()'s caller: gmon.profil.bins. Async-signal-safe. */
#ifndef SAMPLE_PROFIL_BINS_H
#define SAMPLE_PROFIL_BINS_H

#include <stdbool.h>
#include <stdint.h>

/* In the handler: counts a tick of ITIMER_PROF at pc. False: profil() is not running. */
bool profil_bins_add(uintptr_t pc);

#endif
