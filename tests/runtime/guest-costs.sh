#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What libgmon does at the start and end of each process, in page faults of a fork's child and in system calls: a shell
# starts hundreds of short commands.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
cd "$scratch" || exit 99
unset GMON
what='page faults of a fork'
if must_build faults "$CC" -O1 "$programs/fork-faults.c"; then
	run "$GPROF" -b -o report --run=children faults/a.out
	more=$(($(cat out) - $(faults/a.out)))
	echo "$more page faults more than alone" | tap_note
	expect 'a fork that ends before a tick has at most 16 page faults of ours' '[ "$status" = 0 ] && [ $more -le 16 ]'
fi
if ! strace -o bare /bin/true 2>/dev/null; then
	tap_skip 'costs of a short command' 'strace cannot trace (Debian package strace)'
	tap_done
fi
# The calls of the process that executes the program; a line "<... NAME resumed>" is the end of one above. One that is hit by a
# tick of the kernel makes more of them, for a sample: then another is tried, as it is short.
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	strace -f -o traced "$GPROF" --run=children sh -c '/bin/true; exit 0' >out 2>&1
	awk '/execve\("\/bin\/true"/ { pid = $1 } $1 == pid && !/<\.\.\. /' traced >ours
	grep -q -e '--- SIGPROF' ours || break
done
pieces=$(grep -c process_vm_readv ours)
objects=$(grep -c 'openat(.*\.so\.[0-9]\|openat(.*libgmon\.so\|execve(' ours)
ours=$(($(grep -c '(' ours) - $(grep -c '(' bare)))
printf '%s pieces of %s objects, %s more system calls than alone\n' "$pieces" "$objects" "$ours" | tap_note
# The loader and the vDSO are objects, too; what lists them for libgmon and what lists them for walks read each once.
expect 'headers of objects are read in few pieces' "[ $pieces -gt 0 ] && [ $pieces -le $((5 * (objects + 2) + 4)) ]"
expect 'a short command makes at most 140 system calls of ours' "[ $ours -gt 0 ] && [ $ours -le 140 ]"
timers=$(grep -c timer_create ours)
expect 'its timer is made once' '[ "$timers" = 1 ]'
tap_done
