/* SPDX-License-Identifier: MIT */
/*
 * Which of the threads that wait for locks have been woken, and are only ready to run. The kernel
 * tells it at the price of a file for each thread; but it wakes those who wait for a word in the
 * order in which they came (but for real-time priorities). So of each word the oldest are asked,
 * until one still waits:
 *
 *   came in round   3    7    7    8    9
 *                   woken     waits         asked: the first three; the others wait, too
 *
 * Only the helper (offcpu_helper.h) may call this.
 */
#ifndef WAIT_WAITERS_H
#define WAIT_WAITERS_H

/*
 * At the beginning of a round: sets `woken` of the watched threads that waited for a lock at their
 * last look. One system call for each that is asked: of those who came in the same round for the
 * same word, eight at most. Linear in the threads, if few of them have come since the last round.
 */
void waiters_check(void);

#endif
