#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The order of first calls: that libgmon keeps it, whatever the threads; that reports do not depend on it; and that
# linkers lay a program out by it.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# names_in DIR FILE...: functions by first calls in these data files, without comments and the program's entry.
names_in() (
	cd "$scratch/$1" || exit 99
	shift
	"$GPROF" --order=symbols,by=startup a.out "$@" | grep -v '^#\|^_start$'
)

# equals_tracer WHAT DIR: the program has printed the order itself.
equals_tracer() {
	names_in "$2" gmon.out >"$scratch/$2/names"
	expect_in "$1" "$2" '[ "$(cat status)" = 0 ] && [ "$(wc -l <out)" -ge 20 ] && cmp -s out names'
}

test_first_calls() {
	for compiler in gcc clang; do
		what="first calls, $compiler"
		has_compiler $compiler "$what" || continue
		must_build traced $compiler -O1 -pg -pthread "$programs/first-calls.c" "$archive" || continue
		for threads in 1 4; do
			run_program traced $threads
			equals_tracer "$what: $threads threads, as the program's own list" traced
		done
	done
	must_build traced-so gcc -O1 -pg -pthread "$programs/first-calls.c" "-Wl,-rpath,$builddir" "$builddir/libgmon.so" ||
		return
	run_program traced-so 4
	equals_tracer 'first calls: libgmon.so' traced-so
}

test_sums() {
	must_build sum gcc -O1 -pg -pthread "$programs/first-calls.c" "$archive" || return
	run_program sum 1 backwards
	(cd "$scratch/sum" && mv out backwards && mv gmon.out 1.out)
	run_program sum 1
	(
		cd "$scratch/sum" && mv gmon.out 2.out && "$GPROF" -s a.out 1.out 2.out &&
			"$GPROF" -s a.out gmon.sum && awk '!seen[$0]++' backwards out >expected
	)
	names_in sum gmon.sum >"$scratch/sum/names"
	expect_in '-s: the order of the first file, then what the second has besides' sum \
		'! cmp -s backwards expected && cmp -s expected names'
	names_in sum 1.out 2.out >"$scratch/sum/names"
	expect_in 'two data files: the same' sum 'cmp -s expected names'
	[ -n "${SYSTEM_GPROF:-}" ] || return 0
	(cd "$scratch/sum" && "$SYSTEM_GPROF" -s a.out 1.out 2.out)
	(cd "$scratch/sum" && run "$GPROF" --order=symbols,by=startup a.out gmon.sum)
	expect_in 'a sum by GNU gprof has lost the order, and that is known' sum \
		'[ "$(cat status)" = 1 ] && grep -q "gmon.sum: the order of first calls is not known" err'
}

test_no_order() {
	what='data of the C library'
	build classic gcc -O1 -pg -pthread "$programs/first-calls.c" || return
	(unset GMON && run_program classic 1)
	(cd "$scratch/classic" && mv out traced && run "$GPROF" --order=symbols,by=startup)
	expect_in "$what: by=startup is refused" classic '[ "$(cat status)" = 1 ] && [ ! -s out ] &&
		grep -q "gprof: gmon.out: the order of first calls is not known, " err'
	(cd "$scratch/classic" && run "$GPROF" --order=symbols)
	expect_in "$what: else the order is by calls, and says so" classic \
		'[ "$(cat status)" = 0 ] && grep -q "(by=calls): " out'
}

# Reports are the same, line by line, whatever the order of the calls in a file: but numbers of entries and of cycles,
# which follow it. Two sums of the same two files differ in it, and in nothing else.
test_reports() {
	must_build cycles gcc -O1 -pg -fno-optimize-sibling-calls "$programs/cycles.c" "$archive" || return
	run_program cycles backwards
	(cd "$scratch/cycles" && mv gmon.out 1.out)
	run_program cycles
	(
		cd "$scratch/cycles" && mv gmon.out 2.out && "$GPROF" -s a.out 1.out 2.out && mv gmon.sum one.sum &&
			"$GPROF" -s a.out 2.out 1.out && mv gmon.sum two.sum
	)
	for gprof in "$GPROF" $SYSTEM_GPROF; do
		for data in one two; do
			for report in -p -q -C -r; do
				(cd "$scratch/cycles" && "$gprof" -b $report a.out $data.sum 2>&1 |
					sed 's/\[[0-9]*\]//g; s/<cycle [0-9]*/<cycle/; s/  */ /g' | sort)
			done >"$scratch/cycles/$data.reports"
		done
		expect_in "calls in another order are the same reports to $gprof" cycles \
			'[ "$(grep -c "<cycle as a whole" one.reports)" -ge 2 ] && ! cmp -s one.sum two.sum &&
			cmp -s one.reports two.reports'
	done
}

# placed FILE: the functions of the order as the program has them.
placed() {
	nm -n "$1" | awk '$2 ~ /[Tt]/ { print $3 }' | grep -Fxf order.names
}

# links LINKER STYLE FLAG: the program, laid out by the order in that style; nothing is said.
links() {
	"$GPROF" --order="$2,by=startup" -o "order.$2" a.out && case $2 in
	ld-script) insert_order "order.$2" >script ;;
	esac && gcc -O1 -ffunction-sections -pthread "-fuse-ld=$1" "$3" -o "by-$2" "$programs/first-calls.c" >"log.$2" 2>&1 &&
		placed "by-$2" >got && [ ! -s "log.$2" ]
}

# insert_order FILE: GNU ld's own script with the order before all other code.
insert_order() {
	gcc -Wl,--verbose -o none -xc /dev/null 2>/dev/null | awk -v order="$1" '
		/^=====/ { inside = !inside; next }
		inside && !done && /\*\(\.text/ {
			while ((getline line <order) > 0)
				print line
			done = 1
		}
		inside'
}

test_links() {
	must_build linked gcc -O1 -pg -pthread -ffunction-sections "$programs/first-calls.c" "$archive" || return
	run_program linked 1
	mv "$scratch/linked/out" "$scratch/linked/order.names"
	cd "$scratch/linked" || exit 99
	for linker in lld:symbols:--symbol-ordering-file=order.symbols gold:gold:--section-ordering-file=order.gold \
		bfd:ld-script:-T,script bfd:ld:--section-ordering-file=order.ld; do
		style=${linker#*:} flag=-Wl,${linker##*:}
		style=${style%%:*} linker=${linker%%:*}
		case $linker in lld) tool=ld.lld ;; *) tool=ld.$linker ;; esac
		if ! command -v "$tool" >/dev/null; then
			tap_skip "--order=$style" "no $tool"
		elif [ "$style" = ld ] && ! ld.bfd --help | grep -q section-ordering-file; then
			tap_skip "--order=$style" 'this GNU ld is older than 2.43'
		else
			links "$linker" "$style" "$flag"
			expect "--order=$style: $tool says nothing, and nm -n has that order" \
				'[ -s got ] && [ ! -s log.$style ] && cmp -s order.names got'
			expect "--order=$style: the program does what it did" './by-$style 1 | cmp -s - order.names'
		fi
	done
}

# lld makes the same of our list of calls as of one that was written down.
test_callgraph() {
	command -v ld.lld >/dev/null || {
		tap_skip '--order=lld-callgraph' 'no ld.lld: install Debian package lld'
		return
	}
	cat >calls.txt <<-'END'
		main work 1
	END
	awk 'NR > 2 && !/^inner_/ { print "work", $0, 2; print $0, "inner_" $0, 1 }' order.names >>calls.txt
	# From 18 on, lld has two rules, and writes down the order of this one alone.
	rule=
	! ld.lld --help | grep -q 'call-graph-profile-sort=\[' || rule=,--call-graph-profile-sort=hfsort
	"$GPROF" --order=lld-callgraph -o calls.gprof a.out
	for calls in calls.txt calls.gprof; do
		gcc -O1 -ffunction-sections -pthread -fuse-ld=lld -Wl,--call-graph-ordering-file=$calls$rule \
			-Wl,--print-symbol-order=$calls.order -o by-calls "$programs/first-calls.c" >$calls.log 2>&1
	done
	expect '--order=lld-callgraph: lld makes the order of it that it makes of the same calls by hand' \
		'[ ! -s calls.gprof.log ] && [ $(wc -l <calls.gprof.order) -ge 40 ] && cmp -s calls.txt.order calls.gprof.order'
}

# How much of a program's code is in memory when every eighth of its functions has run, in another order than they lie
# in: that is a matter of addresses, and not of load.
test_pages() {
	what='pages of a program that is laid out by its order'
	command -v ld.lld >/dev/null || {
		tap_skip "$what" 'no ld.lld: install Debian package lld'
		return
	}
	mkdir "$scratch/pages" && cd "$scratch/pages" || exit 99
	awk -v n=800 'BEGIN {
		for (i = 0; i < n; i++)
			printf "int f%d(int x) { __asm__ volatile(\"jmp 1f\\n.skip 1000\\n1:\"); return x + %d; }\n", i, i
	}' >many.c
	awk -v n=800 'BEGIN {
		for (i = 0; i < n / 8; i++) {
			printf "int f%d(int);\n", i * 719 % n
			list = list " f" i * 719 % n ","
		}
		printf "int (*const table[])(int) = {%s};\nconst int ntable = %d;\n", list, n / 8
	}' >table.c
	gcc -O1 -pg -ffunction-sections -o pg many.c table.c "$programs/pages.c" "$archive" && ./pg >/dev/null &&
		"$GPROF" --order=symbols -o order pg && gcc -O1 -ffunction-sections -c many.c &&
		for flag in --as-needed --symbol-ordering-file=order; do
			gcc -O1 -ffunction-sections -fuse-ld=lld -Wl,$flag -o placed many.o table.c "$programs/pages.c" &&
				./placed
		done >sizes 2>log
	tap_note <sizes
	expect "$what: less than half" 'awk "{ kb[NR] = \$1 } END { exit !(kb[2] > 0 && kb[2] <= 0.5 * kb[1]) }" sizes'
}

make_scratch
test_first_calls
test_sums
test_no_order
test_reports
test_links
test_callgraph
test_pages
tap_done
