#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: dot flamegraph markdown webpage
#
# A long name of C++ is shortened alike on the screen, in pictures, in markdown and in the page, which has the full one, too.
# shellcheck disable=SC2016,SC2034 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

make_scratch
cd "$scratch" || exit 99
make_profile <<-'END'
	text 0x401000 0x100
	sym main 0x401000
	sym _ZN5shape5TableISt6vectorIiSaIiEEE6insertERKS3_ 0x401020
	sym _ZZN5shape4scanISt6vectorIiSaIiEEEEvRKT_ENKUliE0_clEi 0x401040
	sym etext 0x401060 notype
	profile
	hist 0x401000 0x401100 64 100
	module a.out 0x401000 0x401100 0 program
	module /lib/libc.so.6 0x10000 0x20000 0
	thread 100 a.out 1000000000
	stack 60 main 0x401040 0x401020
	stack 40 main 0x401040
END
evidence=said
"$GPROF" --top >said
insert=$("$GPROF" -b --inclusive | sed -n 's/.* \(shape::.*::insert(.*)\)$/\1/p')
expect 'the full name is long' '[ ${#insert} -gt 60 ]'
expect 'the screen has the class and the method' 'grep -q "  Table::insert" said'
expect '... and lambdas by number' 'grep -q "  scan::{lambda#2}" said'
expect '... and callers in the same form' 'grep -q " 100 main > scan::{lambda#2}$" said'
expect '... and no argument, template or namespace' '! grep -q "shape::\|vector" said'
for format in markdown dot flamegraph webpage; do
	"$GPROF" --export=$format -o said
	expect "$format: the same short name" 'grep -q "Table::insert" said && grep -q "scan::{lambda#2}" said'
done
expect 'the page has the full one on demand' 'grep -qF "::insert(std::vector" said'
tap_done
