/* SPDX-License-Identifier: MIT */
/* The call profil(), beside the recording of this library. */
#ifndef PROFIL_H
#define PROFIL_H

#include <stdbool.h>
#include <stdint.h>

/* A tick of ITIMER_PROF at pc, in the handler. False: nobody has called profil(). */
bool profil_tick(uintptr_t pc);

#endif
