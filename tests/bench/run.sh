#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What it costs a program to be run by gprof --run: xz -9 with and without, in PAIRS (15) pairs; a line of medians, as
# tests/bench/pairs.c has it: ms of CPU time with and without, their ratio, and the same of time on the clock. First of
# the program alone, loaded and recorded as --run does it; then of all of `gprof --run', its report included.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

PAIRS=${PAIRS:-15}
command -v xz >/dev/null || tap_skip_all 'no xz: install Debian package xz-utils'
make_scratch
cd "$scratch" || exit 99
head -c 1000000 "$GPROF" >part
cat part part part part >bytes
printf '#!/bin/sh\nexec xz -9 -c "$@" >/dev/null\n' >plain
printf '#!/bin/sh\nLD_PRELOAD=%s/libgmon.so GMON=run,only=%s,stacks,crash,term,file=%s/profile exec xz -9 -c "$@" >/dev/null\n' \
	"$builddir" "$(stat -L -c %Hd:%Ld:%i "$(command -v xz)")" "$scratch" >recorded
printf '#!/bin/sh\nexec %s --run xz -9 -c "$@" >/dev/null 2>&1\n' "$GPROF" >whole
chmod +x plain recorded whole
./recorded bytes
[ -s profile ] || exit 1
echo '            ms with    without    ratio   clock    without    ratio'
for kind in recorded whole; do
	printf '%-9s %s\n' $kind "$("$TOOLS/pairs" "$PAIRS" "./$kind" ./plain bytes)"
done
