/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of system calls, as the kernel's headers of this machine have them and as known of
 * others. */
#include "testing.h"

#include "io/image/machine.h"
#include "model/syscalls.h"

#include <elf.h>
#include <sys/syscall.h>

static void names_by_number(void **state)
{
	(void)state;
	assert_string_equal(syscalls_name(CALLS_X86_64, 0), "read");
	assert_string_equal(syscalls_name(CALLS_X86_64, 281), "epoll_pwait");
	assert_string_equal(syscalls_name(CALLS_I386, 3), "read");
	assert_string_equal(syscalls_name(CALLS_ARM, 252), "epoll_wait");
	assert_string_equal(syscalls_name(CALLS_GENERIC, 22), "epoll_pwait");
	assert_string_equal(syscalls_name(CALLS_GENERIC, 98), "futex");
	assert_string_equal(syscalls_name(CALLS_S390X, 238), "futex");
	assert_string_equal(syscalls_name(CALLS_POWERPC, 221), "futex");
	for (int calls = CALLS_UNKNOWN + 1; calls < NTARGET_CALLS; calls++)
		assert_string_equal(syscalls_name((enum target_calls)calls, 441), "epoll_pwait2");
	assert_null(syscalls_name(CALLS_UNKNOWN, 0));
	assert_null(syscalls_name(CALLS_X86_64, 4094));
	assert_null(syscalls_name(CALLS_GENERIC, 0xffff));
}

static enum target_calls own_calls(void)
{
#if defined(__x86_64__) && !defined(__ILP32__)
	return CALLS_X86_64;
#elif defined(__i386__)
	return CALLS_I386;
#elif defined(__arm__)
	return CALLS_ARM;
#elif defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)
	return CALLS_GENERIC;
#elif defined(__s390x__)
	return CALLS_S390X;
#elif defined(__powerpc__)
	return CALLS_POWERPC;
#else
	return CALLS_UNKNOWN;
#endif
}

/* Those in which programs mostly wait. */
static void numbers_of_this_machine(void **state)
{
	(void)state;
	if (own_calls() == CALLS_UNKNOWN)
		return;
	assert_string_equal(syscalls_name(own_calls(), SYS_read), "read");
	assert_string_equal(syscalls_name(own_calls(), SYS_write), "write");
	assert_string_equal(syscalls_name(own_calls(), SYS_futex), "futex");
	assert_string_equal(syscalls_name(own_calls(), SYS_epoll_pwait), "epoll_pwait");
	assert_string_equal(syscalls_name(own_calls(), SYS_clock_nanosleep), "clock_nanosleep");
	assert_string_equal(syscalls_name(own_calls(), SYS_wait4), "wait4");
	assert_string_equal(syscalls_name(own_calls(), SYS_ppoll), "ppoll");
}

static void machines(void **state)
{
	(void)state;
	assert_int_equal(machine_calls(EM_X86_64, 64), CALLS_X86_64);
	assert_int_equal(machine_calls(EM_386, 32), CALLS_I386);
	assert_int_equal(machine_calls(EM_ARM, 32), CALLS_ARM);
	assert_int_equal(machine_calls(EM_AARCH64, 64), CALLS_GENERIC);
	assert_int_equal(machine_calls(EM_RISCV, 64), CALLS_GENERIC);
	assert_int_equal(machine_calls(EM_RISCV, 32), CALLS_UNKNOWN);
	assert_int_equal(machine_calls(EM_S390, 64), CALLS_S390X);
	assert_int_equal(machine_calls(EM_PPC64, 64), CALLS_POWERPC);
	assert_int_equal(machine_calls(EM_MIPS, 32), CALLS_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_by_number),
		cmocka_unit_test(numbers_of_this_machine),
		cmocka_unit_test(machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
