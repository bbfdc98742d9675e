#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What counting a call costs, with the C library and with libgmon, beside the least that -pg costs.
# All variants run in turn, ROUNDS times; the figures are medians of CPU time. And what a sample costs with its
# call stack and without. Not a test: it judges nothing.
#
# usage: srcdir=DIR builddir=DIR CC=COMPILER mcount.sh

rounds=${ROUNDS:-7}
: "${srcdir:?}" "${builddir:?}" "${CC:?}"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bench=$srcdir/tests/bench
cd "$dir" || exit 1

case $($CC -dumpmachine) in
x86_64*) ;;
*)
	echo "mcount.sh: the floor is written for x86-64 only" >&2
	exit 1
	;;
esac

# build_all VARIANT FLAG...: all programs.
build_all() {
	variant=$1
	shift
	for program in calls interpreter packer; do
		$CC -O2 -pthread -o "$program.$variant" "$bench/$program.c" "$@" || exit 1
	done
}

build_all none
build_all empty -pg "$bench/empty_x86_64.S"
build_all libc -pg
build_all archive -pg "$builddir/libgmon.a"
build_all fentry -pg -mfentry "$builddir/libgmon.a"
build_all static -pg -static "$builddir/libgmon.a"
$CC -shared -nostdlib -o empty.so "$bench/empty_x86_64.S" || exit 1

# figure VARIANT PROGRAM [ARGUMENT]: its figure.
figure() {
	case $1 in
	preload) LD_PRELOAD=$builddir/libgmon.so "./$2.libc" ${3+"$3"} ;;
	empty-preload) LD_PRELOAD=$dir/empty.so "./$2.libc" ${3+"$3"} ;;
	*) "./$2.$1" ${3+"$3"} ;;
	esac 2>/dev/null
}

variants='none empty empty-preload libc archive fentry static preload'
round=0
while [ $round -lt "$rounds" ]; do
	for variant in $variants; do
		for what in tiny fib sites64 threads; do
			echo "$variant $what $(figure "$variant" calls $what)"
		done
		echo "$variant interpreter $(figure "$variant" interpreter)"
		echo "$variant packer $(figure "$variant" packer)"
	done
	round=$((round + 1))
done >figures

sort -k1,1 -k2,2 -k3,3n figures | awk -v variants="$variants" '
	$1 " " $2 != key { n = 0; key = $1 " " $2 }
	{ value[++n] = $3; median[key] = value[int((n + 1) / 2)]; if (n % 2 == 0) median[key] = (value[n / 2] + value[n / 2 + 1]) / 2 }
	END {
		n = split(variants, variant, " ")
		split("tiny fib sites64 threads", calls, " ")
		split("interpreter packer", programs, " ")
		printf "ns of CPU time a call, and how much above an empty mcount\n%-14s", ""
		for (c = 1; c <= 4; c++) printf "%16s", calls[c]
		for (p = 1; p <= 2; p++) printf "%13s", programs[p]
		printf "\n"
		for (v = 1; v <= n; v++) {
			floor = variant[v] ~ /preload/ ? "empty-preload" : "empty"
			printf "%-14s", variant[v]
			for (c = 1; c <= 4; c++) {
				x = median[variant[v] " " calls[c]]
				printf "%8.2f (%+.2f)", x, x - median[floor " " calls[c]]
			}
			for (p = 1; p <= 2; p++)
				printf "%12.2fx", median[variant[v] " " programs[p]] / median["none " programs[p]]
			printf "\n"
		}
	}'

echo
$CC -O2 -pg -D_GNU_SOURCE -I"$srcdir/runtime" -I"$srcdir/runtime/arch/x86_64" -I"$srcdir/include" -o walks \
	"$bench/walks.c" "$builddir/runtime/libparts.a" && GMON=stacks ./walks
