#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reports that are gprof's own fit a terminal: names are shortened, chains of calls and explanations go on below, and
# what goes to a pipe is whole. The C library's wc tells how many columns lines take.
# shellcheck disable=SC2016 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/screen/lib.sh"

# A path of functions whose names have hundreds of columns, one of them called by many, and one deep recursion.
make_long() {
	awk 'BEGIN {
		long = "34SomeClassOfThisVeryLongLibrary_000"
		for (i = 1; i < 30; i++) long = long "S0_"
		print "text 0x401000 0x800\nsym main 0x401000"
		for (i = 1; i < 20; i++) {
			name[i] = i % 2 ? "_ZN2nsI" long "E" length("do_" i) "do_" i "Ei" : "plain_function_with_a_long_name_" i
			printf "sym %s 0x%x\n", name[i], 4198400 + 64 * i
		}
		print "sym etext 0x401600 notype\nprofile\nhist 0x401000 0x401600 384 100"
		path = "main"
		for (i = 1; i < 20; i++) {
			path = path sprintf(" 0x%x", 4198404 + 64 * i)
			if (i % 5 == 4)
				printf "stack 30 %s\n", path
			printf "arc 0x%x 0x%x 7\n", 4198404 + 64 * (i - 1), 4198400 + 64 * i
		}
		path = "main"
		for (i = 1; i < 60; i++) path = path sprintf(" 0x%x", 4198404 + 64 * (1 + i % 2))
		print "stack 100", path
	}' >long.profile
	make_profile long.profile
}

# fits COLUMNS ARGUMENT...: no line of a report is wider than such a terminal, and its name is shown.
fits() {
	columns=$1
	shift
	on_terminal -w "$columns" -r 50 -- "$GPROF" --no-pager "$@" 2>err >raw
	strip <raw >said
	expect "gprof $* in $columns columns: $(LC_ALL=C.UTF-8 wc -L <said)" \
		'[ ! -s err ] && [ "$(LC_ALL=C.UTF-8 wc -L <said)" -le "$columns" ] && grep -q "do_1" said'
}

enter_terminal
make_long
for report in --inclusive --call-tree --entry=plain_function_with_a_long_name_2; do
	for columns in 80 100 120; do
		fits "$columns" "$report"
	done
	"$GPROF" "$report" >said
	expect "$report in a pipe: nothing is left out" '! grep -q "[.][.][.][a-z<:]" said && [ "$(wc -L <said)" -gt 200 ]'
done
# Narrow ones. Chains of --call-tree leave less for names there, and entries take 60 columns for their figures.
for columns in 60 40; do
	fits "$columns" --inclusive
	fits "$columns" --call-tree
	on_terminal -w "$columns" -r 50 -- "$GPROF" --top 2>err >raw
	strip <raw >said
	expect "gprof --top in $columns columns has the name without its templates" \
		'[ ! -s err ] && [ "$(LC_ALL=C.UTF-8 wc -L <said)" -le "$columns" ] && grep -q " [A-Za-z_0]*::do_1" said'
done
fits 68 --entry=plain_function_with_a_long_name_2
on_terminal -w 60 -r 50 -- "$GPROF" --no-pager --entry=plain_function_with_a_long_name_2 2>err >raw
strip <raw >said
expect 'though of names little is left' '[ "$(LC_ALL=C.UTF-8 wc -L <said)" -le 60 ] && grep -q "name *$" said'
fits 80 --inclusive --confidence
fits 60 --inclusive --confidence
fits 80 --call-tree --confidence
on_terminal -w 60 -r 50 -- "$GPROF" --no-pager -b --inclusive 2>err >raw
strip <raw >said
expect 'the head is broken at words, as it is in a pipe but for that' \
	'[ "$(sed -n "/^Each/,/^$/p" said | tr -d "\r" | tr "\n" " ")" = "$("$GPROF" -b --inclusive | sed -n "/^Each/,/^$/p" | tr "\n" " ")" ] && [ "$(sed -n "/^Each/,/^$/p" said | wc -l)" = 3 ]'
expect 'times of single calls give way to names' 'grep -q "calls  name" said && ! grep -q "/call" said'
# Of words alone, so that only the ends of lines may differ.
on_terminal -w 60 -r 50 -- "$GPROF" --no-pager --inclusive 2>err >raw
strip <raw | sed '1,/^How to read/d' | tr -s ' \n' '\n' >left
"$GPROF" --inclusive | as_shown | sed '1,/^How to read/d' | tr -s ' \n' '\n' >said
expect 'an explanation has the same words on a narrow terminal' '[ -s left ] && diff said left >err'
on_terminal -w 80 -r 50 -- "$GPROF" --no-pager --call-tree -b >raw
strip <raw >said
expect 'a chain that is too long goes on below, to the last function' \
	'grep -q " >$" said && grep -q "^ \{30,\}[^ ]" said && grep -q "name_18" said'

# Comparisons, whose columns of numbers are left out where there is no room for names.
make_long
cp gmon.out gmon.2
cp gmon.out.ext gmon.2.ext
for columns in 40 60 80 100 132; do
	for report in --diff=gmon.2 '--ranks a.out gmon.out gmon.2' '-p --confidence'; do
		# shellcheck disable=SC2086 # words
		on_terminal -w "$columns" -r 50 -- "$GPROF" --no-pager $report 2>err >raw
		strip <raw >said
		expect "gprof $report in $columns columns: $(LC_ALL=C.UTF-8 wc -L <said)" \
			'[ ! -s err ] && [ "$(LC_ALL=C.UTF-8 wc -L <said)" -le "$columns" ] && grep -q "do_1" said'
		# shellcheck disable=SC2086 # words
		on_terminal -w "$columns" -r 50 -- "$GPROF" --no-pager -b $report 2>err | strip | tr -d '\r' >said
		# shellcheck disable=SC2086 # words
		"$GPROF" -b $report 2>>err >left
		expect "gprof -b $report in $columns columns is as in a pipe" '[ ! -s err ] && cmp -s said left'
	done
done

make_profile <<-END
	text 0x401000 0x80
	sym main 0x401000
	sym work 0x401020
	sym work.cold 0x401040 local
	sym etext 0x401060 notype
	profile
	hist 0x401000 0x401080 32 100
	tick work 10
	tick work.cold 30
	arc main work 1
END
"$GPROF" -b --entry=work.cold >said 2>err
expect '--entry has the functions that --top has, those of no report of GNU gprof, too' \
	'grep -q "^\[[0-9]*\] .* work.cold \[" said && [ ! -s err ]'
"$GPROF" -b -q >said 2>err
expect 'the call graph keeps the rows of GNU gprof' '! grep -q work.cold said && grep -q "counted with the functions before them" err'
tap_done
