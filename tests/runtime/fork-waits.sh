#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof --run=clock=wall: how long children of fork() wait, from their start on, also those that use no CPU time at all; and
# programs that become others.
# shellcheck disable=SC2016 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
cd "$scratch" || exit 99
what='children that wait'
must_build waits gcc -O1 -g "$programs/fork-waits.c" || tap_done
unset GMON

run timeout 100 "$GPROF" --export=folded --clock=off --thread-view=all -o stacks --run=clock=wall,keep=kept waits/a.out
if grep -q 'clock=wall: waiting is not recorded' err; then
	tap_skip_all "no waiting can be recorded here: $(grep -m 1 'not recorded' err)"
fi
evidence='out err stacks'

# Two thirds at least, since the first look comes late on a busy machine; a look's hundredth of a second more at most.
for name in wait_alone wait_first wait_below; do
	took=$(awk -v name=$name '$1 == "WAIT" && $2 == name { print $3 }' out)
	seen=$(awk -v path="begin;$name;" 'index($0, path) && index($0, "[waiting: pipe read] ") { ns += $NF } END { print int(ns / 1000) }' stacks)
	expect "$name: $seen us of $took" '[ "${took:-0}" -gt 0 ] && [ $seen -ge $((took * 2 / 3)) ] && [ $seen -le $((took + 10000)) ]'
done
expect 'no stack is cut, and none is unknown' '! grep -q "\[cut stack\]\|\[broken stack\]" stacks'
"$TOOLS/extdump" kept.ext >dump
evidence=dump
expect 'whose waiting is known has a number' '[ "$(awk "\$1 == \"thread\" && \$2 > 0 && \$NF > 0" dump | wc -l)" = 5 ] &&
	[ -z "$(awk "\$1 == \"thread\" && \$2 == 0 && \$NF > 0" dump)" ]'

# What looks did not attribute before.
run timeout 100 "$GPROF" --run=clock=wall,keep=kept sh -c 'sleep 0.19; exec true'
"$GPROF" --export=folded --clock=off --thread-view=all -o stacks "$(command -v sh)" kept 2>err
seen=$(awk '/\[waiting: wait/ { ns += $NF } END { print int(ns / 1e6) }' stacks)
evidence='err stacks'
expect "what a program waited before it became another one: $seen ms" '[ "$seen" -ge 60 ]'

# Of what has just begun the kernel counts more than has passed, now and then.
run timeout 100 "$GPROF" --run=clock=wall,keep=kept sh -c 'i=0; while [ $i -lt 300 ]; do (:); i=$((i + 1)); done'
"$TOOLS/extdump" kept.ext | awk '$1 == "thread"' >dump
expect 'no thread was ready to run for longer than it lived' '[ "$status" = 0 ] && [ -s dump ] &&
	[ -z "$(awk "\$(NF - 2) > \$NF" dump)" ]'
# Nor have they the time that the helper uses, of which another clock knows.
expect 'they have no CPU time but what can be' '[ "$(awk "/ on the CPU/ { print \$4 < 100 }" err)" = 1 ]'
tap_done
