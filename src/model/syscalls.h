/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of Linux system calls by their numbers, which differ between machines. */
#ifndef MODEL_SYSCALLS_H
#define MODEL_SYSCALLS_H

#include "model/target.h"

/*
 * Returns the name of a system call, such as "epoll_wait"; NULL if it is not known. Linear in the
 * rows of syscalls.def.
 */
const char *syscalls_name(enum target_calls machine, unsigned number);

#endif
