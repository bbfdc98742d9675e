/* SPDX-License-Identifier: MIT */
/* What firmware.c needs of an emulated board: a timer, a console, a way to end. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define PLAIN __attribute__((no_instrument_function))

int main(void);

/* Is called in each interrupt of the timer, after the kit has got the tick. */
void on_tick(void);

/* Interrupts every so many microseconds; 0: no longer. */
void board_begin_timer(unsigned microseconds);

/* Counts up with the instructions that are executed, at some rate; 24 bits. The timer is not on. */
uint32_t board_read_clock(void);

void board_send(char c);
void board_exit(void);

/* Where code begins and ends: two sections of the linker script. */
extern char text_start[], text_end[], fast_start[], fast_end[];

extern char stack_start[], stack_end[];

#endif
