/* SPDX-License-Identifier: MIT */
/*
 * libgmon: recording a gmon.out. A program compiled with -pg needs none of this; it is for programs
 * that choose when to record. These functions replace those of the same names in the C library.
 *
 * Each may be called in any thread, but not in a signal handler unless it is marked as
 * async-signal-safe.
 */
#ifndef GMON_H
#define GMON_H

#include <stddef.h>

#ifdef __cplusplus
#include <unistd.h> /* declares profil() in glibc; C++ cannot declare it again without noexcept */
extern "C" {
#endif

/*
 * Starts recording from zero: samples in a histogram of the code in [low, high), and calls in the
 * whole program. Does nothing if a recording runs already.
 */
void monstartup(unsigned long low, unsigned long high);

/*
 * 0 pauses the recording in all threads; other values resume it. Does nothing if there is no
 * recording. Async-signal-safe.
 */
void moncontrol(int mode);

/* Ends the recording and writes the profile, as exit() does. Later calls do nothing. */
void _mcleanup(void);
void mcleanup(void);

/*
 * Writes a complete profile of the recording so far, and goes on recording. Returns 0, or -1: it
 * could not be written (the reason is on stderr, errno is unchanged), or there is no recording.
 * Async-signal-safe.
 */
int gmon_dump(void);

/* Sets all counts and samples to zero. What other threads count meanwhile may be lost or kept.
 * Async-signal-safe. */
void gmon_reset(void);

/*
 * Makes a histogram of the program counter in the caller's memory: each 1/100 s of the process's
 * CPU time adds 1 to bin number ((pc - offset) / 2) * scale / 65536 of the size / 2 bins at
 * `buffer`, unless it is full. A NULL buffer or a scale of 0 ends that. 0, or -1 and errno. Also in
 * <unistd.h>.
 */
#if !defined(__cplusplus) || !defined(__GLIBC__)
int profil(unsigned short *buffer, size_t size, size_t offset, unsigned int scale);
#endif

#ifdef __cplusplus
}
#endif

#endif
