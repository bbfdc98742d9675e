#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# damage.sh [KIND]...: gprof meets damaged files; cases.list says which and what must come of it.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"
let_nobody_in "$@"

here=$srcdir/tests/damage
# Bounds for one run. The time is of the processor: the machine may be busy with other tests.
if [ -z "$INSTRUMENTED" ]; then
	max_seconds=1 max_kilobytes=100000
else
	max_seconds=20 max_kilobytes=2000000
fi

# fault STATUS NAME DIR: what is wrong with the run in DIR, if anything.
fault() {
	read -r _ cpu kilobytes status <"$3/report"
	if [ "$status" != "$1" ]; then
		echo "status $status, not $1"
	elif awk "BEGIN { exit !($cpu >= $max_seconds) }"; then
		echo "$cpu seconds"
	elif [ "$kilobytes" -ge $max_kilobytes ]; then
		echo "$kilobytes kilobytes"
	elif [ "$1" = 1 ] && [ "$(wc -l <"$3/stderr")" -ne 1 ]; then
		echo 'stderr is not one line'
	elif [ "$1" = 1 ] && ! grep -qF -e "$2" "$3/stderr"; then
		echo "stderr does not tell $2"
	elif [ "$1" = 1 ] && [ -s "$3/stdout" ]; then
		echo 'there is output'
	fi
}

# run_case KIND STATUS NAME OPTION...
run_case() {
	kind=$1 wanted=$2 name=$3
	shift 3
	dir=$scratch/$((tap_count + 1)).$kind
	mkdir "$dir"
	"$TOOLS/damage" "$kind" "$scratch" "$dir" || exit 99
	# Root can read everything.
	who=
	case $kind in *-unreadable)
		can_be_nobody "$kind" || return
		who=$as_nobody
		chmod 755 "$scratch"
		;;
	esac
	# shellcheck disable=SC2086 # words
	(
		cd "$dir" && "$TOOLS/measure" -t $((2 * max_seconds)) -o 10000000 report \
			$who "$GPROF" "$@" a.out gmon.out >stdout 2>stderr
	)
	fault=$(fault "$wanted" "$name" "$dir")
	if [ -z "$fault" ]; then
		tap_ok "$kind: $*"
	else
		tap_not_ok "$kind: $*: $fault"
		tap_note <"$dir/stderr"
	fi
}

make_scratch
for machine in 64le 32le 64be 32be; do
	mkdir "$scratch/$machine"
	"$TOOLS/mkprofile" -m $machine "$here/good.profile" "$scratch/$machine" || exit 99
done

# Words of a line are split on purpose.
# shellcheck disable=SC2086
while read -r line; do
	case $line in '' | '#'*) continue ;; esac
	! chosen "${line%% *}" "$@" || run_case $line
done <"$here/cases.list"

for kind in $("$TOOLS/damage" -l); do
	grep -q "^$kind " "$here/cases.list" || tap_not_ok "$kind is in cases.list"
done
tap_done
