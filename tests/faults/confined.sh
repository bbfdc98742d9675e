#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The sandbox in which gprof reads files: a library that stands in for an intruder gets nothing by it, whatever the
# command; where the kernel lacks a part of it, gprof does its work without, and -d says so.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"

# parts COMMAND...: what -d says of the sandbox.
parts() {
	"$@" 2>&1 >/dev/null | sed -n 's/^[^ ]*gprof: note: sandbox: //p'
}

# intrude WHAT COMMAND...: the intruder gets nothing.
intrude() {
	what=$1
	shift
	echo "$old" >"$INTRUDER/victim"
	env LD_PRELOAD="$scratch/intruder.so" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	echo $? >"$scratch/status"
	expect "$what: an intruder gets nothing" \
		'grep -q "^intruder: [0-9]* tried$" "$scratch/err" && ! grep "intruder: DID" "$scratch/err" &&
		[ "$(ls "$INTRUDER")" = victim ] && [ "$(cat "$INTRUDER/victim")" = "$old" ]'
}

check_intruder() {
	if ! "$CC" -shared -fPIC -o "$scratch/intruder.so" "$srcdir/tests/faults/intruder.c" -ldl 2>log; then
		tap_skip 'an intruder' 'no library can be built'
		return
	fi
	echo "$old" >"$INTRUDER/victim"
	env LD_PRELOAD="$scratch/intruder.so" INTRUDER_ASKS=1 GPROF_SANDBOX=no "$GPROF" -b -p a.out gmon.out >"$scratch/out" 2>"$scratch/err" </dev/null
	expect 'without the sandbox it does' '[ "$(grep -c "intruder: DID" "$scratch/err")" -gt 8 ]'
	rm -rf "$INTRUDER" && mkdir "$INTRUDER"
	# The kernel is asked, not gprof: a gprof that never enters its sandbox must fail here.
	lacking=$(sed -n 's/^intruder: the kernel lacks //p' "$scratch/err")
	if [ -n "$lacking" ]; then
		tap_skip 'an intruder in the sandbox' "this kernel lacks $(echo "$lacking" | paste -sd ' ')"
		return
	fi
	intrude 'a report' "$GPROF" -b -p a.out gmon.out
	intrude 'the first screen' "$GPROF" --top a.out gmon.out
	intrude '--explain' "$GPROF" --explain a.out gmon.out
	intrude '--diff' "$GPROF" --diff=gmon.2 a.out gmon.out
	intrude '--order' "$GPROF" --order=symbols,by=calls a.out gmon.out
	intrude '--ranks' "$GPROF" --ranks a.out gmon.out gmon.2
	intrude '--export to standard output' "$GPROF" --export=csv -o - a.out gmon.out
	INTRUDER_ANYWHERE=1
	export INTRUDER_ANYWHERE
	intrude '--export to a file' "$GPROF" --export=csv -o x.csv a.out gmon.out
	intrude '-s' "$GPROF" -s a.out gmon.out gmon.2
	unset INTRUDER_ANYWHERE
	[ ! -f "$builddir/libgmon.so" ] ||
		intrude '--run' "$GPROF" -b -p -o - --run=keep=kept sh -c 'unset INTRUDER; i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
}

check_told() {
	parts "$GPROF" -b -p -d a.out gmon.out >told
	expect '-d tells of each part' '[ "$(wc -l <told)" = 3 ] && grep -q "no file is changed" told'
	parts "$GPROF" -b -p -d -s -o there/sum a.out gmon.out >told
	expect 'also where files may be written' 'grep -q "files are changed only beside the outputs" told'
	parts env GPROF_SANDBOX=no "$GPROF" -b -p -d a.out gmon.out >told
	expect 'it can be declined' '[ "$(grep -c "^not in force: .*: Operation canceled$" told)" = 3 ]'
}

# lacks COUNT CALL ERROR: as many parts are not there if that system call fails.
lacks() {
	count=$1 call=$2 error=$3
	"$TOOLS/interfere" "$call" 1+ "$error" "$GPROF" -b -p -q -d a.out gmon.out >now 2>told
	status=$?
	if [ "$status" = 77 ]; then
		tap_skip "a kernel without $call" 'no system call filters'
		return
	fi
	expect "a kernel in which $call fails: the same report, and -d says so" \
		'[ "$status" = 0 ] && cmp now report && [ "$(grep -c "sandbox: not in force: " told)" -ge "$count" ]'
	"$TOOLS/interfere" "$call" 1+ "$error" "$GPROF" -s -o other.sum --export=csv -o other.csv a.out gmon.out gmon.2 >now 2>told
	expect "the same for files" 'cmp gmon.sum other.sum && [ -s other.csv ]'
	rm -f other*
}

check_kernels() {
	can_interfere 'other kernels' || return
	"$GPROF" -b -p -q a.out gmon.out >report 2>log
	"$GPROF" -s -o gmon.sum a.out gmon.out gmon.2 2>log
	lacks 1 landlock_create_ruleset ENOSYS
	lacks 0 landlock_add_rule ENOMEM
	lacks 1 landlock_restrict_self EPERM
	lacks 1 prctl EINVAL
}

enter_work
make_two_profiles
mkdir there
INTRUDER=$scratch/intruder
export INTRUDER
mkdir "$INTRUDER"
if [ -n "$INSTRUMENTED" ]; then
	tap_skip_all "the $INSTRUMENTED build has a sandbox with holes"
fi
check_intruder
check_told
check_kernels
tap_done
