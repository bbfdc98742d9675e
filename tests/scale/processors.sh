#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Long reports, which two threads make where there are two processors: the same bytes come on one processor, and those
# of the system's gprof.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

one=$(taskset -pc $$ 2>/dev/null | sed 's/.*: *//; s/[-,].*//')
[ -n "$one" ] || tap_skip_all 'no taskset, which gives a process one processor'
divisor=1
[ -z "$INSTRUMENTED" ] || divisor=4

# as_ever WHAT OPTION...: of the workload in the current directory, on all processors and on one; and again, as threads
# do not meet twice in the same way.
as_ever() {
	what=$1
	shift
	taskset -c "$one" "$GPROF" "$@" >wanted 2>wanted.err
	for again in 1 2; do
		"$GPROF" "$@" >got 2>err
		cat err >>got
		cat wanted wanted.err | cmp -s - got || echo "run $again differs"
	done >differs
	[ ! -s differs ] && [ "$(wc -l <wanted)" -gt $((10000 / divisor)) ]
	tap_check $? "$what: one processor or two"
	tap_note <differs
}

# as_theirs WHAT OPTION...
as_theirs() {
	as_ever "$@"
	if [ -z "$SYSTEM_GPROF" ]; then
		tap_skip "$what: as the system's gprof" 'no gprof on this system'
		return
	fi
	shift
	"$SYSTEM_GPROF" "$@" >theirs 2>/dev/null
	cmp -s theirs wanted
	tap_check $? "$what: as the system's gprof"
}

# workload SHAPE N [WORD]...: makes it, and goes there.
workload() {
	shape=$1
	n=$(($2 / divisor))
	shift 2
	rm -rf "$scratch/workload" && mkdir "$scratch/workload" && cd "$scratch/workload" || exit 99
	"$TOOLS/mkworkload" "$shape" "$n" "$@" . || exit 99
}

make_scratch
workload tree 20000 dense=1
as_theirs 'a tree' -b
as_theirs 'a tree, -p' -b -p
as_theirs 'a tree, -q with all' -b -q -z
as_theirs 'a tree, -T' -b -T
as_ever 'a tree in colours' --color=always -b
as_ever 'a tree with intervals' --confidence -b
workload uniform 3000 arcs=20
as_theirs 'many arcs' -b
workload power 3000 arcs=20
as_theirs 'few functions with most arcs' -b
workload cycles 20000
as_theirs 'small cycles' -b
workload ring 4000 arcs=8
as_theirs 'one cycle' -b
# Most functions have no data, so that labels are made of some only.
workload power 40000 arcs=1
as_theirs 'few functions with data' -b
tap_done
