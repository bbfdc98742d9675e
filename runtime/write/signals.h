/* SPDX-License-Identifier: MIT */
/* Signals on which the profile is written: GMON=dump=... and GMON=term. */
#ifndef WRITE_SIGNALS_H
#define WRITE_SIGNALS_H

/* Installs what the settings ask for. `term` leaves alone what the program handles or ignores. */
void signals_start(void);

#endif
