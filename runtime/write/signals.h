/* SPDX-License-Identifier: MIT */
/* Signals on which the profile is written: GMON=dump=... and GMON=term. */
#ifndef WRITE_SIGNALS_H
#define WRITE_SIGNALS_H

/*
 * Installs the handlers that the settings ask for; those of GMON=term only for signals that the
 * program neither handles nor ignores.
 */
void signals_start(void);

#endif
