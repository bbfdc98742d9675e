/* SPDX-License-Identifier: MIT */
/*
 * Which thread another one waits for, as far as memory tells it. A thread that is blocked in
 * futex() waits for a word of the process to change. In these cases the thread that will change it
 * has its number there:
 *
 *   pthread_join()        the word is the number of the thread that is awaited
 *   mutexes               glibc's: the word is 2, and the owner's number is 8 bytes further on;
 *                         those with priority inheritance, robust ones, and musl's: the word has
 * the owner's number in its lower 30 bits rwlocks               glibc's: the writer's number is 16
 * or 12 bytes further on, by which of its two words it is
 *
 * Condition variables, semaphores and barriers have no such number, and neither have locks that
 * languages make by themselves.
 */
#ifndef WAIT_HOLDER_H
#define WAIT_HOLDER_H

#include <stdint.h>

#include "wait/offcpu.h"

/*
 * Returns the watched thread that a blocked one waits for; NULL: it is not known. What it reads may
 * have changed since the thread was looked at. One system call.
 */
struct offcpu *holder_find(const struct offcpu *thread);

#endif
