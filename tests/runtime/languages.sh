#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs in several languages tell their true counts, by the names that their symbols have; gprof must print
# the same.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# language NAME COMPILER ARGUMENT...
language() {
	what=$1
	shift
	if has_compiler "$1" "$what" && must_build "$what" "$@"; then
		run_program "$what"
		check_counts "$what" "$what"
	fi
}

# fpc puts what -k adds in front of everything, where nobody asks for mcount yet. PRELOAD: what to run with.
# pascal WHAT PRELOAD ARGUMENT...
pascal() {
	what=$1
	preload=$2
	shift 2
	has_compiler fpc "$what" || return
	mkdir "$scratch/$what"
	if ! (cd "$scratch/$what" && fpc -pg -O1 -FE. -oa.out "$@" "$programs/languages.pas") \
		>"$scratch/$what/log" 2>&1; then
		tap_not_ok "$what: is built"
		tap_note <"$scratch/$what/log"
		return
	fi
	LD_PRELOAD=$preload run_program "$what"
	check_counts "$what" "$what"
}

make_scratch
for level in -O0 -O2; do
	language "C $level" gcc $level -pg "$programs/arcs.c" "$archive"
	language "C++ $level" g++ $level -pg "$programs/arcs.cc" "$archive"
done
language Fortran gfortran -O0 -pg "$programs/languages.f90" "$archive"
language "Fortran, static" gfortran -O0 -pg -static "$programs/languages.f90" "$archive"
language Ada gnatmake -pg -O0 "$programs/languages.adb" -largs "$archive" -margs
pascal Pascal '' -k-umcount "-k$archive"
pascal "Pascal, preloaded" "$builddir/libgmon.so"
tap_done
