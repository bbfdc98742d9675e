/* SPDX-License-Identifier: MIT */
/*
 * libgmon: recording a gmon.out. A program compiled with -pg needs none of this; it is for programs
 * that choose when to record. The C library's calls of the same names are replaced by these.
 *
 * Unless it says otherwise a call is not async-signal-safe, but safe in any thread.
 */
#ifndef GMON_H
#define GMON_H

#include <stddef.h>

#ifdef __cplusplus
#include <unistd.h> /* glibc's has profil(), which C++ cannot declare again without its noexcept */
extern "C" {
#endif

/*
 * Starts the recording, from zero, with a histogram of the code in [low, high). Calls are counted
 * everywhere in the program. Does nothing while it records.
 */
void monstartup(unsigned long low, unsigned long high);

/*
 * 0: pauses counts and samples of all threads. Else: goes on. Without effect on what is not
 * recording. Async-signal-safe.
 */
void moncontrol(int mode);

/* Ends the recording and writes the profile. exit() does this by itself. Twice does no harm. */
void _mcleanup(void);
void mcleanup(void);

/*
 * Writes the profile as it is now, whole, and goes on recording. 0, or -1 if it could not be
 * written (the reason is on stderr, errno is as before) or nothing is recorded. Async-signal-safe.
 */
int gmon_dump(void);

/* Sets all counts and samples to zero. Calls under way in other threads may count or not.
 * Async-signal-safe. */
void gmon_reset(void);

/*
 * A histogram of the program counter in the caller's own memory: at each 1/100 s of the process's
 * CPU time bin number ((pc - offset) / 2) * scale / 65536 of the size / 2 bins at buffer is one
 * more; a full bin stays. No buffer or no scale: ends it. 0, or -1 and errno. Also in <unistd.h>.
 */
#if !defined(__cplusplus) || !defined(__GLIBC__)
int profil(unsigned short *buffer, size_t size, size_t offset, unsigned int scale);
#endif

#ifdef __cplusplus
}
#endif

#endif
