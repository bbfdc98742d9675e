#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# screens.sh [--update]: the first screen of eight profiles of tests/golden on terminals of four widths, with colours and
# without: as in screens/NAME.out, where the escape character is ^[. Who updates one has to look at it.
# shellcheck disable=SC2016,SC2034 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/screen/lib.sh"

screens=$srcdir/tests/screen/screens
update=$1
TZ=UTC0
export TZ

# draw NAME: all screens of a profile.
draw() {
	for columns in 60 80 100 132; do
		for color in never always; do
			echo "== $columns columns, --color=$color"
			on_terminal -w "$columns" -r 24 -- "$GPROF" --no-pager --color=$color --top | tr -d '\r' | sed "s/$escape/^[/g"
		done
	done
}

enter_terminal
for name in stacks top top-paths top-waits top-libraries split-stacks queued waiting-error; do
	rm -f a.out gmon.*
	make_golden "$name"
	touch -d '2026-01-02 03:04:05' a.out gmon.*
	draw >said 2>err
	[ "$update" != --update ] || cp said "$screens/$name.out"
	expect "$name: four widths, with colours and without" '[ ! -s err ] && diff "$screens/$name.out" said >left'
	# The escape sequences are as wide as nothing.
	expect "$name: no line is too wide, and a row stays free" '[ "$(sed "s/\^\[\[[0-9;]*m//g" said | awk "/^==/ { n = 0; columns = \$2; next } { n++ } n > 23" | wc -l)" = 0 ]'
done
tap_done
