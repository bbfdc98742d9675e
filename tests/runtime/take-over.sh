#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# libgmon takes over from the C library's recorder however the program is compiled and linked: each program
# prints its true counts, and gprof must print the same.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# take_over WHAT COMPILER ARGUMENT...: builds a program with a recorder, runs it and compares.
take_over() {
	what=$1
	shift
	has_compiler "$1" "$what" || return
	variant=$((variant + 1))
	if must_build "$variant" "$@"; then
		run_program "$variant"
		check_counts "$what" "$variant"
	fi
}

# preloaded WHAT COMPILER ARGUMENT...: the same with a program built without libgmon, preloaded.
preloaded() {
	what=$1
	shift
	has_compiler "$1" "$what" || return
	variant=$((variant + 1))
	if must_build "$variant" "$@"; then
		LD_PRELOAD=$builddir/libgmon.so run_program "$variant"
		check_counts "$what" "$variant"
	fi
}

make_scratch
variant=0
# Callbacks of the C library have their true caller where that is a part of the program.
inside='-DOUTSIDE="*"'

for entry in -mno-fentry -mfentry; do
	for kind in -fPIE:-pie -fno-pie:-no-pie; do
		take_over "gcc $kind $entry" \
			gcc -O2 -pg $entry "${kind%:*}" "${kind#*:}" "$programs/arcs.c" "$archive"
		take_over "gcc $kind $entry -O0" \
			gcc -O0 -pg $entry "${kind%:*}" "${kind#*:}" "$programs/arcs.c" "$archive"
	done
	for kind in -fno-pie:-static -fPIE:-static-pie; do
		take_over "gcc $kind $entry" \
			gcc -O2 -pg $entry "${kind%:*}" "${kind#*:}" "$inside" "$programs/arcs.c" "$archive"
	done
done
for kind in -fPIE:-pie -fno-pie:-no-pie; do
	take_over "clang $kind" clang -O2 -pg "${kind%:*}" "${kind#*:}" "$programs/arcs.c" "$archive"
	take_over "clang $kind -mfentry" \
		clang -O2 -pg -mfentry "${kind%:*}" "${kind#*:}" "$programs/arcs.c" "$archive"
done
take_over "clang -static" clang -O2 -pg -static "$inside" "$programs/arcs.c" "$archive"

take_over "the large code model" gcc -O2 -pg -mcmodel=large -no-pie "$programs/arcs.c" "$archive"
take_over "-mrecord-mcount" \
	gcc -O2 -pg -mfentry -mrecord-mcount -fno-pie -no-pie "$programs/arcs.c" "$archive"
take_over "-fcf-protection" gcc -O2 -pg -fcf-protection "$programs/arcs.c" "$archive"
take_over "C++" g++ -O2 -pg "$programs/arcs.cc" "$archive"
take_over "C++, clang, static" clang++ -O1 -pg -static "$programs/arcs.cc" "$archive"
take_over "link-time optimization" \
	gcc -O2 -flto -pg "$programs/arcs.c" "$programs/arcs-lto.c" "$archive"

take_over "the archive before the sources" gcc -O2 -pg "$archive" "$programs/arcs.c"
take_over "the archive before the sources, static" \
	gcc -O2 -pg -static "$inside" "$archive" "$programs/arcs.c"
mkdir "$scratch/shared" "$scratch/static"
ln -s "$builddir/libgmon.so" "$scratch/shared"
ln -s "$archive" "$scratch/static"
take_over "-lgmon, the archive" gcc -O2 -pg "$programs/arcs.c" -L"$scratch/static" -lgmon
take_over "-lgmon, shared" \
	gcc -O2 -pg "$programs/arcs.c" -L"$scratch/shared" -Wl,-rpath,"$scratch/shared" -lgmon
take_over "-lgmon, shared, before the sources, --as-needed" \
	gcc -O2 -pg -Wl,--as-needed -L"$scratch/shared" -Wl,-rpath,"$scratch/shared" -lgmon "$programs/arcs.c"

preloaded "preloaded, gcc -pie" gcc -O2 -pg -fPIE -pie "$programs/arcs.c"
preloaded "preloaded, gcc -no-pie" gcc -O2 -pg -fno-pie -no-pie "$programs/arcs.c"
preloaded "preloaded, -mfentry" gcc -O2 -pg -mfentry "$programs/arcs.c"
preloaded "preloaded, clang" clang -O2 -pg "$programs/arcs.c"
preloaded "preloaded, C++" g++ -O2 -pg "$programs/arcs.cc"
preloaded "preloaded, constructors" gcc -O2 -pg "$programs/constructors.c"

# Compiled apart, so that the link does not see -pg.
gcc -O2 -pg -c "$programs/arcs.c" -o "$scratch/arcs.o"
gcc -O2 -pg -c "$inside" "$programs/arcs.c" -o "$scratch/arcs-inside.o"
gcc -O2 -pg -c "$programs/constructors.c" -o "$scratch/constructors.o"
preloaded "preloaded, linked without -pg" gcc "$scratch/arcs.o"
take_over "linked without -pg" gcc "$scratch/arcs.o" "$archive"
take_over "linked without -pg, static" gcc -static "$scratch/arcs-inside.o" "$archive"
take_over "linked without -pg, shared libgmon" \
	gcc "$scratch/arcs.o" -L"$scratch/shared" -Wl,-rpath,"$scratch/shared" -lgmon
take_over "linked without -pg: constructors" gcc "$scratch/constructors.o" "$archive"

take_over "musl" musl-gcc -O2 -pg "$programs/arcs.c" "$archive"
take_over "musl, static" musl-gcc -O2 -pg -static "$inside" "$programs/arcs.c" "$archive"

take_over "-finstrument-functions" \
	gcc -O2 -finstrument-functions "$programs/arcs.c" "$archive"
take_over "-finstrument-functions, clang" \
	clang -O2 -finstrument-functions "$programs/arcs.c" "$archive"

for kind in '' -no-pie -static -static-pie; do
	case $kind in -static*) callers=$inside ;; *) callers=-DDYNAMIC ;; esac
	take_over "functions chosen at load time${kind:+, $kind}" \
		gcc -O1 -pg $kind "$programs/resolvers.c" "$archive"
	take_over "constructors and destructors${kind:+, $kind}" \
		gcc -O1 -pg $kind "$callers" "$programs/constructors.c" "$archive"
done
preloaded "preloaded, functions chosen at load time" gcc -O1 -pg "$programs/resolvers.c"
tap_done
