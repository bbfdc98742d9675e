/* SPDX-License-Identifier: MIT */
/* A dump as text, through a function that sends a character to the console. */
#include "gmon_ports.h"

#include "gmon_embedded.h"

struct uart {
	void (*send)(char c);
};

__attribute__((no_instrument_function)) static int uart_put(void *context, const char *line)
{
	const struct uart *uart = context;

	while (*line)
		uart->send(*line++);
	uart->send('\r');
	uart->send('\n');
	return 0;
}

__attribute__((no_instrument_function)) int gmon_uart(void (*send)(char c))
{
	struct uart uart = { send };

	return gmon_dump_text(uart_put, &uart);
}
