/* SPDX-License-Identifier: MIT */
/*
 * A dump into a file of the host, by a debugger or an emulator that does semihosting. Without one
 * the program stops here: call this when one is there.
 */
#include "gmon_ports.h"

#include "gmon_embedded.h"

enum { SYS_OPEN = 1, SYS_CLOSE = 2, SYS_WRITE = 5, OPEN_WB = 5 };

__attribute__((no_instrument_function, noinline)) static intptr_t semihosting_call(
	uintptr_t what, const void *block)
{
#if defined(__riscv)
	register uintptr_t a0 __asm__("a0") = what;
	register const void *a1 __asm__("a1") = block;

	/* The three instructions are told from a breakpoint by not being compressed, in one page.
	 */
	__asm__ volatile(".option push\n\t.option norvc\n\t.balign 16\n\t"
			 "slli zero, zero, 31\n\tebreak\n\tsrai zero, zero, 7\n\t.option pop"
			 : "+r"(a0)
			 : "r"(a1)
			 : "memory");
	return (intptr_t)a0;
#else
	register uintptr_t r0 __asm__("r0") = what;
	register const void *r1 __asm__("r1") = block;

	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return (intptr_t)r0;
#endif
}

/* The answer is how many bytes were not written. */
__attribute__((no_instrument_function)) static int semihosting_write(void *context,
								     const void *bytes, size_t n)
{
	const uintptr_t block[] = { *(uintptr_t *)context, (uintptr_t)bytes, n };

	return semihosting_call(SYS_WRITE, block) != 0;
}

typedef int semihosting_dump(gmon_write *write, void *context);

__attribute__((no_instrument_function)) static int semihosting_dump_to(const char *path,
								       semihosting_dump *dump)
{
	uintptr_t length = 0, file;
	int failed;

	while (path[length])
		length++;
	file = (uintptr_t)semihosting_call(SYS_OPEN,
					   (const uintptr_t[]){ (uintptr_t)path, OPEN_WB, length });
	if ((intptr_t)file < 0)
		return -1;
	failed = dump(semihosting_write, &file) != 0;
	if (semihosting_call(SYS_CLOSE, &file) < 0)
		failed = 1;
	return failed ? -1 : 0;
}

__attribute__((no_instrument_function)) int gmon_semihosting(const char *path)
{
	return semihosting_dump_to(path, gmon_dump);
}

#ifdef GMON_STACKS
__attribute__((no_instrument_function)) int gmon_semihosting_stacks(const char *path)
{
	return semihosting_dump_to(path, gmon_dump_stacks);
}
#endif
