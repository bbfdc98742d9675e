#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=slices: when samples were taken, as a program of three phases in two threads writes it down; --from and --to.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
what=phases
must_build phases gcc -O1 -g -pg -pthread "$programs/phases.c" "$archive" || tap_done
cd "$scratch/phases" || exit 99

# take SLICES[,KEYS] [ARGUMENT]: runs the program; leaves what the profile has in dump.
take() {
	rm -f gmon.*
	GMON=rate=250,seed=7,stacks,slices=$1 run ./a.out "${2-}"
	[ ! -e gmon.out.ext ] || "$TOOLS/extdump" gmon.out.ext >dump
}

# phases_in FILE...: each phase with its times on the axis of these files, and the length of a slice:
# NAME TID FROM TO CPU SLICE. The axis begins with the first recording.
phases() {
	awk '/^timeline/ && (!zero || $4 < zero) { zero = $4 } /^timeline/ && $5 > slice { slice = $5 }
		$1 == "PHASE" { printf "%s %s %.6f %.6f %s %.6f\n", $2, $3, ($4 - zero) / 1e9, ($5 - zero) / 1e9, $6, slice / 1e9 }' \
		"$@"
}

# seconds_of NAME TID FROM TO FILE: of the function in the range, as gprof has them; 0 if it is not listed.
seconds_of() {
	"$GPROF" -b --inclusive --thread-view="$2" --from="$3" --to="$4" a.out "$5" 2>>err |
		awk -v name="$1" '$NF == name { sum = $2 } END { print sum + 0 }'
}

# inside FILE PHASES: in the middle of a phase, less a slice at both ends, there is no other one.
inside() {
	bad=0
	while read -r name tid from to cpu slice; do
		for other in parse solve print; do
			[ "$other" = "$name" ] && continue
			lo=$(awk "BEGIN { print $from + $slice }") hi=$(awk "BEGIN { print $to - $slice }")
			seen=$(seconds_of "$other" "$tid" "$lo" "$hi" "$1")
			[ "$seen" = 0 ] || { echo "# $seen s of $other from $lo to $hi in $name of thread $tid"; bad=1; }
		done
	done <"$2"
	return "$bad"
}

# amounts FILE PHASES: the time of each phase is its CPU time, within four standard deviations of so many samples, and
# a slice at both ends.
amounts() {
	bad=0
	while read -r name tid from to cpu slice; do
		seen=$(seconds_of "$name" "$tid" "$from" "$to" "$1")
		awk -v seen="$seen" -v cpu="$cpu" -v slice="$slice" -v name="$name" 'BEGIN {
			print "# " name ": " seen " s, used " cpu; n = cpu * 250; bound = 4 * sqrt(n < 1 ? 1 : n) / 250 + 2 * slice
			exit !(seen > cpu - bound && seen < cpu + bound) }' || bad=1
	done <"$2"
	return "$bad"
}

# whole: all ticks that were counted at a sample are in slices, and in no more than there are.
whole() {
	awk '/^timeline/ { n = $3 > n ? $3 : n } $1 == "slice" { if ($2 >= n) bad = 1; in_slices += $5 }
		$1 ~ /^[0-9]+$/ && / cpu / { all += $1; if ($0 ~ / -1 | none/) none += $1 }
		END { print "# " in_slices " of " all " ticks in " n " slices"; exit bad || !n || in_slices > all || in_slices < all * 0.9 }' dump
}

take 400
phases dump out >planted
expect 'three phases in two threads were recorded' '[ "$(wc -l <planted)" = 6 ] && whole'
expect 'no other phase is more than a slice inside of one' 'inside gmon.out planted'
expect 'a range that is a phase has its CPU time' 'amounts gmon.out planted'
expect '... in slices of 200 to 400' 'awk "/^timeline/ { exit !(\$3 >= 200 && \$3 <= 400) }" dump'
expect 'reports tell the range, rounded to slices' '
	"$GPROF" --top --from=0.3 --to=0.6 a.out >screen 2>>err && grep -q "from 0\.[23][0-9] to 0\.[56][0-9] s" screen'
expect '... and refuse one in which there is nothing' '
	! "$GPROF" -b -p --from=90 a.out >refused 2>&1 && grep -q "nothing was recorded from second 90 on" refused'
expect 'the first screen tells the phases' '
	"$GPROF" --top a.out >screen 2>>err && grep -q "^phases (--from, --to): 0\.00-.* s parse .* print [0-9]* %$" screen'
expect '... but not those of a range' '! "$GPROF" --top --from=0.2 a.out 2>>err | grep -q "^phases"'
# in_order: in speedscope's file, each phase of a thread is where it was: within two slices, and at the end the five ticks
# that a late signal may count.
in_order() {
	tr '{' '\n' <speedscope.json | awk '
		NR == FNR { from[$2 " " $1] = $3; to[$2 " " $1] = $4; slice = $6; next }
		!begun { begun = /"frames"/; next }
		{ name = "" }
		match($0, /"name": *"[^"]*"/) { name = substr($0, RSTART, RLENGTH); gsub(/"name": *"|"/, "", name) }
		/"evented"/ { tid = name; gsub(/.*\(|\)/, "", tid); next }
		/"type": *"[OC]"/ { split($0, part, /[:,}]/); f = part[4] + 0; at = part[6] / 1e9
			if (at < last && tid == last_tid) bad = 1
			last = at; last_tid = tid
			key = tid " " frame[f]
			if (key in from) { seen[key]++; if (at < from[key] - 2 * slice || at > to[key] + 2 * slice + 0.02) { print "# " key ": " at; bad = 1 } }
			next }
		{ if (name != "") frame[n++] = name }
		END { for (key in from) { k++; if (!seen[key]) bad = 1 } exit bad || k != 6 }' planted -
}
"$GPROF" --export=speedscope -o speedscope.json a.out 2>>err
expect '--export=speedscope has phases where they were' in_order
cp gmon.out one
cp gmon.out.ext one.ext

take 16
phases dump out >planted
expect 'slices=16: they are as long as it takes' '
	awk "/^timeline/ { exit !(\$3 > 7 && \$3 <= 16) }" dump && whole && amounts gmon.out planted'
"$GPROF" -s a.out one gmon.out >sum.log 2>&1
"$TOOLS/extdump" gmon.sum.ext >dump
expect '-s keeps the slices of both' '
	[ "$(grep -c ^timeline dump)" = 2 ] && whole &&
	"$GPROF" -b --inclusive --from=0 a.out gmon.sum >range 2>>err && "$GPROF" -b --inclusive a.out gmon.sum >all 2>>err &&
	[ "$(sed -n "s/.*; \([0-9]* sample\).*/\1/p" range)" = "$(sed -n "s/.*; \([0-9]* sample\).*/\1/p" all)" ]'

take 0
expect 'slices=0: there are none' '! grep -q "^timeline\|^slice" dump'
expect '... and a range is refused, in one line' '
	! "$GPROF" -b -p --from=0.1 a.out >refused 2>&1 && [ "$(wc -l <refused)" = 1 ] && grep -q "was not recorded when" refused'
GMON=verbose run ./a.out
expect 'a program without stacks has nothing new' '[ ! -e gmon.out ] || [ ! -e gmon.out.ext ] || ! grep -q WHEN gmon.out.ext'

take 400,clock=wall rest
phases dump out | grep "^rest" >planted
read -r name tid from to cpu slice <planted
# All of what the thread waited there in the whole run, so that it does not matter when the first look came, or how long the
# thread had no processor afterwards. It sleeps for 0.4 s.
expect 'waiting is in the slices in which the thread waited' '
	"$GPROF" -b --inclusive --clock=off --thread-view="$tid" --from="$from" --to="$to" a.out >range 2>>err &&
	"$GPROF" -b --inclusive --clock=off --thread-view="$tid" a.out >all 2>>err &&
	awk -v all="$(awk "BEGIN { print $to - $from }")" -v slice="$slice" "
		\$NF == \"rest\" { if (NR == FNR) whole = \$2; else seen = \$2 }
		END { print \"# \" seen \" of \" whole \", \" all; exit !(whole > 0.27 && seen > whole - 3 * slice - 0.01 && seen < all + 0.02) }" all range'

take 400,file=p-%p fork
for ext in p-*.ext; do "$TOOLS/extdump" "$ext"; done >dump
phases dump out | sort -k3n >planted
expect 'a child has slices of its own, on the same axis' '
	[ "$(grep -c ^timeline dump)" = 2 ] && "$GPROF" -s -o sum a.out $(ls p-* | grep -v ext) >>sum.log 2>&1 &&
	head -n 1 planted >first && tail -n 6 planted >rest && amounts sum first && amounts sum rest && inside sum rest'

take 400,crash kill
expect 'the file of a killed program tells when, too' '
	[ -e gmon.out.live ] && "$GPROF" -s -o saved a.out gmon.out.live >>sum.log 2>&1 && "$TOOLS/extdump" saved.ext >dump &&
	phases dump out >planted && [ "$(wc -l <planted)" = 6 ] && whole && amounts saved planted'
tap_done
