#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mutants.sh [FIRST]: randomly damaged profiles, objects and files of stacks. Whatever they are, gprof ends with status 0, or 1 and a
# message, in 2 seconds and 10 times their size and 64 MB; tests/tools/mutants.c says more. With SLOW there are
# 20,000 profiles, 5,000 objects and 20,000 files of stacks; PROFILES, OBJECTS and STACKS say how many.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

if [ -n "$SLOW" ]; then
	: "${PROFILES=20000}" "${OBJECTS=5000}" "${STACKS=20000}"
else
	: "${PROFILES=1000}" "${OBJECTS=500}" "${STACKS=500}"
fi
[ -z "$INSTRUMENTED" ] || PROFILES=$((PROFILES / 20)) OBJECTS=$((OBJECTS / 20)) STACKS=$((STACKS / 20))
number=0

# pair MACHINE PROFILE: a good pair.
pair() {
	number=$((number + 1))
	mkdir "$scratch/good.$number"
	"$TOOLS/mkprofile" -m "$1" "$2" "$scratch/good.$number" || exit 99
}

make_scratch
for machine in 64le 32le 64be 32be; do
	for name in cycles blocks names ties; do
		pair $machine "$srcdir/tests/golden/$name.profile"
	done
	"$TOOLS/randprofile" 7 >"$scratch/random" && pair $machine "$scratch/random"
	mkdir "$scratch/stacks.$machine"
	"$TOOLS/mkprofile" -m "$machine" "$srcdir/tests/golden/stacks-files.profile" "$scratch/stacks.$machine" || exit 99
done
mkdir "$scratch/good.lines" "$scratch/out"
"$TOOLS/mkworkload" tree 200 rows=4 "$scratch/good.lines" || exit 99
# A real program, with what its compiler says about lines.
mkdir "$scratch/good.real" && cp "$scratch/good.lines/gmon.out" "$scratch/good.real"
"$CC" -w -O2 -g -no-pie "$srcdir"/tests/programs/codec/*.c -o "$scratch/good.real/a.out" || exit 99
printf '%s\n' 'a.o: 0000 T main' 'b.o: 0004 T p' >"$scratch/out/map"
printf '%x T %s\n' $((0x401000)) first $((0x401040)) second >"$scratch/out/list"

# damaged WHAT COUNT DIR...
damaged() {
	what="$1 $2"
	shift 2
	# shellcheck disable=SC2086 # words
	"$TOOLS/mutants" -f "$first" ${INSTRUMENTED:+-n} $what "$GPROF" "$scratch/out" "$@" >"$scratch/told"
	status=$?
	tap_check $status "$(tail -n 1 "$scratch/told")"
	[ $status -eq 0 ] || sed '$d' "$scratch/told" | tap_note
}

first=${1:-1}
damaged profiles "$PROFILES" "$scratch"/good.*
damaged objects "$OBJECTS" "$scratch"/good.*
damaged stacks "$STACKS" "$scratch"/stacks.*
tap_done
