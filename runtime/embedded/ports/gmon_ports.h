/* SPDX-License-Identifier: MIT */
/* Ways out for a dump. Each returns 0, or -1: there is no profile, or it could not be written. */
#ifndef GMON_PORTS_H
#define GMON_PORTS_H

/* To a file of the host, by semihosting (Arm, RISC-V). */
int gmon_semihosting(const char *path);

/* The call stacks of what gmon_semihosting() has just written, which go to that file's name with
 * ".ext" added. */
#ifdef GMON_STACKS
int gmon_semihosting_stacks(const char *path);
#endif

/* As lines of text, a character at a time; with call stacks, if there are. */
int gmon_uart(void (*send)(char c));

#endif
