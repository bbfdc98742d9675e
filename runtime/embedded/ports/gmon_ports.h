/* SPDX-License-Identifier: MIT */
/* Ways out for a dump. Each returns 0, or -1: there is no profile, or it could not be written. */
#ifndef GMON_PORTS_H
#define GMON_PORTS_H

/* To a file of the host, by semihosting (Arm, RISC-V). */
int gmon_semihosting(const char *path);

/* As lines of text, a character at a time. */
int gmon_uart(void (*send)(char c));

#endif
