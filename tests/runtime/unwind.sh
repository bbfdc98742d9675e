#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Walks along stacks: programs/unwind.c interrupts itself in many kinds of code, built in many ways. Nearly all
# stacks must be complete, reach main(), and be those that the compiler's library finds.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

parts=$builddir/runtime/libparts.a
source=$programs/unwind.c

# check_walks NAME SAMPLES WEAK COMPILER ARGUMENT...: see walks.awk.
check_walks() {
	name=$1 samples=$2 weak=$3
	shift 3
	has_compiler "$1" "$name" || return
	what=$name
	must_build walk "$@" -I"$srcdir" "$parts" -lm -pthread || return
	run_program walk "$samples"
	if [ "$(cat "$scratch/walk/status")" = 0 ] &&
		awk -v samples="$samples" -v weak="$weak" -v agree="$agree" -v whole="$whole" -f "$srcdir/tests/runtime/walks.awk" "$scratch/walk/out" >"$scratch/wrong" &&
		[ ! -s "$scratch/wrong" ]; then
		tap_ok "$name: $(awk '{ n += $3; complete += $5 } END { print complete " of " n " stacks" }' "$scratch/walk/out")"
	else
		tap_not_ok "$name: status $(cat "$scratch/walk/status")"
		tap_note <"$scratch/wrong"
		tap_note <"$scratch/walk/err"
	fi
}

make_scratch
few=200
agree=1
# Also where functions return that GCC has align their frames, of which its information is wrong.
whole=
[ "$(uname -m)" != x86_64 ] || whole=frames
check_walks "gcc -O2" 1000 '' gcc -O2 "$source"
if has_compiler g++ "exceptions"; then
	g++ -O2 -c "$programs/unwind-throw.cc" -o "$scratch/throw.o"
	check_walks "exceptions" $few '' gcc -DTHROWS -O2 "$source" "$scratch/throw.o" -lstdc++
fi
check_walks "gcc -O0" $few '' gcc -O0 "$source"
check_walks "gcc -Os -fomit-frame-pointer" $few '' gcc -Os -fomit-frame-pointer "$source"
check_walks "gcc -pg" $few '' gcc -O2 -pg "$source"
check_walks "not position independent" $few '' gcc -O2 -no-pie -fno-pie "$source"
case $(uname -m) in
x86_64)
	check_walks "gcc -pg -mfentry" $few '' gcc -O2 -pg -mfentry "$source"
	check_walks "lazy PLT with IBT" $few '' gcc -O2 -fcf-protection -Wl,-z,lazy -Wl,-z,ibtplt "$source"
	;;
esac
check_walks "clang -O2" $few '' clang -O2 "$source"
# Nor does anything describe the PLT for functions that are chosen when a static program starts.
agree=0.97
# Where nothing describes code, the compiler's library gives up or crashes.
if command -v ld.lld >/dev/null; then
	check_walks "a PLT without information" $few '' clang -O2 -fuse-ld=lld -Wl,-z,lazy -DALONE -DASK_FDES "$source"
else
	tap_skip "a PLT without information" 'no ld.lld: install Debian package lld'
fi
check_walks "static" $few '' gcc -O2 -static -DNO_LOAD "$source"
check_walks "static with a table" $few '' gcc -O2 -static -Wl,--eh-frame-hdr -DNO_LOAD "$source"
# glibc 2.36 tells the compiler's library a wrong place of such a program, and that crashes.
check_walks "static-pie" $few '' gcc -O2 -static-pie -DNO_LOAD -DALONE "$source"
# musl has no call-frame information, nor context functions.
check_walks "musl" $few 'libm libc memory system signal altstack jump' \
	musl-gcc -O2 -DNO_LOAD -DNO_COROUTINE -DALONE "$source"
check_walks "musl, static" $few 'libm libc memory system signal altstack jump' \
	musl-gcc -O2 -static -DNO_LOAD -DNO_COROUTINE -DALONE "$source"

# Code that is made at run time, by a program that has stubs in a segment before its code: where nothing else is known,
# frame records lead through both.
if command -v node >/dev/null; then
	cat >"$scratch/calls.js" <<-'END'
		function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
		const end = process.cpuUsage().user + 600000;
		while (process.cpuUsage().user < end) fib(20);
	END
	cd "$scratch" || exit 99
	GMON=stacks,rate=250,run,file=node.out LD_PRELOAD=$builddir/libgmon.so node calls.js >out 2>err
	"$TOOLS/extdump" -s node.out.ext >dump 2>>err
	awk '{ n += $1; broken += $1 * ($3 == "broken"); found += $1 * ($3 == "guessed") }
		END { print broken " of " n " broken, " found " guessed"; exit !(found > 50 && broken < n / 20) }' dump >shares
	tap_check $? "JavaScript: $(cat shares)"
else
	tap_skip "JavaScript" 'no node: install Debian package nodejs'
fi
tap_done
