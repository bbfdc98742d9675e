/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of system calls, as the kernel's headers of this machine have them and as known of
 * others. */
#include "testing.h"

#include "gmon_ext.h"
#include "io/image/machine.h"
#include "model/awaited.h"
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

/* What a descriptor was for which a call waited. */
static void kinds_of_descriptors(void **state)
{
	(void)state;
	assert_int_equal(AWAITED_SORTS, GMON_EXT_AWAITED_KINDS);
	assert_string_equal(awaited_sorts[GMON_EXT_AWAITED_UNKNOWN].word, "");
	assert_string_equal(awaited_sorts[GMON_EXT_AWAITED_FILE].word, "file");
	assert_string_equal(awaited_sorts[GMON_EXT_AWAITED_PIPE].word, "pipe");
	assert_string_equal(awaited_sorts[GMON_EXT_AWAITED_SOCKET].word, "socket");
	assert_string_equal(awaited_sorts[GMON_EXT_AWAITED_NETWORK].word, "network");
	assert_string_equal(awaited_sorts[GMON_EXT_AWAITED_TERMINAL].word, "terminal");
	assert_string_equal(awaited_sorts[GMON_EXT_AWAITED_EVENT].word, "event");
	assert_string_equal(awaited_sorts[GMON_EXT_AWAITED_DEVICE].word, "device");
	assert_string_equal(awaited_kind("pipe read"), "pipe data");
	assert_string_equal(awaited_kind("pipe writev"), "pipe room");
	assert_string_equal(awaited_kind("pipe sendfile"), "pipe room");
	assert_string_equal(awaited_kind("file write"), "disk");
	assert_string_equal(awaited_kind("event read"), "events");
	assert_null(awaited_kind("pipe"));
	assert_null(awaited_kind("pipe2"));
	assert_null(awaited_kind("read"));
	assert_null(awaited_kind(""));
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
		cmocka_unit_test(kinds_of_descriptors),
		cmocka_unit_test(numbers_of_this_machine),
		cmocka_unit_test(machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
