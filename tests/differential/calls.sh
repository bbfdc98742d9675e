#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof -c on x86 programs: an arc for every direct call between two known functions that objdump shows, or
# jump to another function, and no other arc that was not recorded.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

for program in objdump readelf; do
	command -v $program >/dev/null || tap_skip_all "no $program (Debian package binutils)"
done
case $(uname -m) in
x86_64 | i?86) ;;
*) tap_skip_all 'not an x86 machine' ;;
esac

objdump=objdump
. "$srcdir/tests/lib/build.sh"
. "$srcdir/tests/differential/calls-lib.sh"

# build_profiled NAME COMMAND...: makes NAME/a.out from a source path in the command, runs it, leaves gmon.out, and makes
# NAME the current directory.
build_profiled() {
	build "$@" -pg || return
	cd "$scratch/$1" || exit 99
	timeout 60 ./a.out </dev/null >log 2>&1
}

# test_calls NAME LEAST COMPILER ARGUMENT...
test_calls() {
	name=$1
	least=$2
	shift 2
	if ! command -v "$1" >/dev/null; then
		tap_skip "$name" "no $1"
		return
	fi
	if build_profiled "$name" "$@"; then
		image=a.out
		check_image "$name" "$least"
	else
		tap_skip "$name" "$1 cannot build it here"
		tap_note <"$scratch/$name/log"
	fi
}

programs=$srcdir/tests/programs
make_scratch
cd "$scratch" || exit 99
test_calls c-O0 3 gcc -O0 "$programs/sorting.c"
test_calls c-O2 3 gcc -O2 "$programs/calculator.c"
test_calls c-clang 3 clang -O2 "$programs/calculator.c"
test_calls c-pie-lto 3 gcc -O2 -flto -fPIE -pie "$programs"/codec/*.c
test_calls c-clones 1 gcc -O2 "$programs/clones.c"
compiler=$(compiler_32 gcc)
# shellcheck disable=SC2086 # words
test_calls c-32 3 ${compiler:-gcc -m32} -O1 "$programs/sorting.c"
test_calls assembly 1 gcc -O1 "$programs/assembly.c" "$programs/assembly_x86_64.S"
test_calls cxx-O2 3 g++ -std=c++17 -O2 "$programs/templates.cc"
test_calls cxx-O0 100 g++ -std=c++17 -O0 "$programs/inventory.cc"
test_calls c-static 1000 gcc -O1 -static "$programs/startup.c"
check_image "c-static, with all symbols" 1000 --all-symbols
test_calls cxx-static 2000 g++ -std=c++17 -O1 -static "$programs/templates.cc"

# In a shared library calls of its own functions go through the linkage table.
test_calls c-library 1 gcc -O1 "$programs/startup.c"
cat >library.c <<'SOURCE'
int leaf(int n) { return n + 1; }
int upper(int n) { return leaf(n) + 2; }
int last(int n) { return upper(n); }
SOURCE
if gcc -O2 -fPIC -fno-inline -shared -o library.so library.c >log 2>&1; then
	image=library.so
	check_image "a library's calls through its linkage table" 2
else
	tap_skip "a library's calls through its linkage table" "gcc cannot build it"
fi
tap_done
