#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What libgmon shows to programs, what it takes from the C library, and that nothing of that but what is
# async-signal-safe can be reached from a profiled function or a handler.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
: "${srcdir:?}" "${builddir:?}"

[ -f "$builddir/libgmon.a" ] || tap_skip_all "libgmon is not built for this machine"
make_scratch
cd "$scratch" || exit 99

cat >public <<'END'
__cyg_profile_func_enter
__cyg_profile_func_exit
__fentry__
__monstartup
__sanitizer_cov_trace_pc
__sanitizer_cov_trace_pc_guard
__sanitizer_cov_trace_pc_guard_init
_mcleanup
_mcount
gmon_dump
gmon_reset
gmon_sum_begin
gmon_sum_drop
gmon_sum_take
gmon_sum_write
mcleanup
mcount
moncontrol
monstartup
profil
END

nm -g --defined-only "$builddir/libgmon.a" | awk 'NF == 3 { print $3 }' | sort >archive
same "libgmon.a defines the public names alone" archive public
nm -D --defined-only "$builddir/libgmon.so" | awk '$2 != "A" { print $3 }' | sort >shared
cat >taken-over <<'END'
__gmon_start__
__sigaction
__sysv_signal
_Exit
_exit
bsd_signal
execl
execle
execlp
execv
execve
execvp
execvpe
fexecve
popen
posix_spawn
posix_spawnp
prctl
pthread_create
pthread_sigmask
sigaction
sigblock
siggetmask
sighold
sigignore
siginterrupt
signal
signalfd
sigpending
sigprocmask
sigrelse
sigset
sigsetmask
sigtimedwait
sigwait
sigwaitinfo
setns
ssignal
system
sysv_signal
unshare
END
# Its stack arguments cannot be passed on everywhere.
case $($CC -dumpmachine) in
x86_64* | aarch64* | riscv64* | powerpc64le*) echo syscall >>taken-over ;;
esac
sort public taken-over >public-shared
same "libgmon.so defines the public names alone, and calls by which it learns of threads, handlers and ends" shared public-shared
check "libgmon.a is one object" "$(ar t "$builddir/libgmon.a" | sed 1d)"

# All of the C library that is used at all, and what the shared library alone has. The rest is system calls.
cat >used <<'END'
_dl_find_object
at_quick_exit
atexit
calls_end
calls_forked
calls_note_plt
calls_restore
calls_skip_stub
calls_start
calls_zero
clone
dl_iterate_phdr
environ
getauxval
getenv
gnu_get_libc_version
masks_blocked
masks_hand_on
masks_move
masks_put_off
masks_start
on_exit
pthread_atfork
pthread_key_create
pthread_key_delete
pthread_setspecific
setitimer
sigaction
sigdelset
sigemptyset
sigfillset
wakes_start
END
nm -u "$builddir/runtime/libgmon.o" | awk '{ print $2 }' |
	grep -vE '^(_GLOBAL_OFFSET_TABLE_|__libc_current_sigrt(min|max))$' | sort >undefined
same "no other call of the C library is made" undefined used

case $($CC -dumpmachine) in
x86_64*) ;;
*)
	tap_skip "what can be reached from mcount" "reachable.awk reads x86-64 code"
	tap_done
	;;
esac

# Functions that compiled code, the kernel or a handler of the program can call at any moment.
entries='_mcount __fentry__ __mcount_internal __cyg_profile_func_enter __sanitizer_cov_trace_pc
	__sanitizer_cov_trace_pc_guard tick_on_signal signals_on_dump signals_on_term gmon_dump gmon_reset moncontrol'
objdump -dr "$builddir/runtime/libgmon.o" >code
# reachable CODE OBJECT: what OBJECT, disassembled in CODE, does not define and can be reached from the entries.
reachable() {
	nm "$2" | awk '$(NF - 1) !~ /^[Uw]$/ { print $NF }' >own
	awk -v from="$entries" -f "$srcdir/tests/runtime/reachable.awk" "$1" | grep -vxFf own | sort
}
reachable code "$builddir/runtime/libgmon.o" >from-archive
# glibc's manual says so of _dl_find_object; pthread_setspecific is with the keys that thread_prepare() takes; clone is
# the system call, with a stack to begin on; calls_... and masks_put_off are of
# the shared library, which the next test follows.
printf '%s\n' _dl_find_object calls_restore calls_skip_stub calls_zero clone masks_put_off pthread_setspecific \
	sigaction sigfillset | sort >safe
same "from mcount and the handlers only async-signal-safe calls can be reached" from-archive safe

$CC -r -nostdlib -o shared.o "$builddir"/runtime/preload/libgmon_so-*.o "$builddir"/runtime/calls/libgmon_so-*.o \
	"$builddir/runtime/parts.o"
objdump -dr shared.o >shared-code
entries="$entries wakes_signal wakes_broadcast wakes_post wakes_wait"
reachable shared-code shared.o >from-shared
# next_construct() calls dlsym before there is a handler.
printf '%s\n' _dl_find_object clone dlsym pthread_setspecific sigaddset sigdelset sigfillset >safe
same "... and in the shared library no others" from-shared safe
awk -v from="$entries life_construct" -f "$srcdir/tests/runtime/reachable.awk" code | grep -qx atexit
tap_check $? "... which a call of atexit would show"

readelf -n "$builddir/runtime/libgmon.o" | grep -q 'IBT, SHSTK'
tap_check $? "branch tracking and shadow stacks stay on in a program that links it"
grep -E '%[xyz]mm|%st|%mm[0-7]' code >wide
[ ! -s wide ]
tap_check $? "no instruction touches a vector or x87 register"
readelf -lW "$builddir/libgmon.so" | grep -q 'GNU_STACK.* RW '
tap_check $? "no executable stack"
readelf -dW "$builddir/libgmon.so" >dynamic
! grep -q TEXTREL dynamic && grep -q NODELETE dynamic
tap_check $? "libgmon.so has no text relocations and is never unloaded"
tap_done
