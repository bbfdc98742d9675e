#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What else is in the process: functions of the program by names that libgmon has, too, two hooks for the same call,
# and a second libgmon.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

test_names() {
	for linked in '' -static; do
		what="own profil() and mcleanup() ${linked:--dynamic}"
		must_build names gcc -O1 -pg $linked "$programs/own-names.c" "$archive" && run_program names &&
			check_counts "$what" names
		what="own hooks of -finstrument-functions ${linked:--dynamic}"
		must_build hooks gcc -O1 -pg -finstrument-functions -DOWN_HOOKS $linked "$programs/own-names.c" "$archive" &&
			run_program hooks && check_counts "$what: they are called, and -pg counts" hooks
	done
	what="clang -fsanitize=fuzzer, libgmon.so"
	has_compiler clang "$what" || return
	if ! (echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' >"$scratch/fuzz.c" &&
		cd "$scratch" && clang -fsanitize=fuzzer fuzz.c -o fuzz) >"$scratch/log" 2>&1; then
		tap_skip "$what" "clang has no library for it"
		return
	fi
	must_build fuzzed clang -O1 -pg -fsanitize=fuzzer "$programs/fuzzed.c" "-Wl,-rpath,$builddir" "$builddir/libgmon.so" ||
		return
	printf 'abcabc' >"$scratch/fuzzed/input"
	run_program fuzzed -runs=1 input
	expect_in "$what: it links, and calls are counted" fuzzed \
		'[ "$(cat status)" = 0 ] && "$GPROF" -b -p a.out gmon.out | awk "\$NF == \"leaf\" && \$4 >= 6 { ok = 1 } END { exit !ok }"'
}

# Each call is one, whichever hooks are told of it.
test_twice() {
	for compiler in gcc clang; do
		for flags in '-O1 -fno-inline' '-O0' '-O2 -mfentry'; do
			what="-pg -finstrument-functions, $compiler $flags"
			has_compiler $compiler "$what" || continue
			# shellcheck disable=SC2086 # words
			must_build twice $compiler $flags -pg -finstrument-functions "$programs/twice.c" "$archive" || continue
			run_program twice
			check_counts "$what" twice
			GMON=verbose,crash run_program twice
			check_counts "$what, GMON=crash" twice
		done
	done
	what="-finstrument-functions alone"
	must_build alone gcc -O1 -finstrument-functions "$programs/twice.c" "$archive" || return
	run_program alone
	check_counts "$what" alone
	what="-finstrument-functions for a part"
	must_build part gcc -O1 -pg -finstrument-functions \
		-finstrument-functions-exclude-function-list=all "$programs/twice.c" "$archive" || return
	run_program part
	check_counts "$what" part
}

# truth_of_both: adds what the plugin did, which only a libgmon that is told of it can say.
test_copies() {
	what="a libgmon in the program and one preloaded"
	must_build copies gcc -O1 -pg "$programs/copies.c" "$archive" -ldl || return
	LD_PRELOAD=$builddir/libgmon.so run_program copies
	check_counts "$what: counts" copies
	expect_in "$what: samples, once" copies '[ "$(grep -c "^libgmon: [0-9]* calls" err)" = 1 ] && sampled_all gmon.out'
	for binding in -Bsymbolic -Bdynamic; do
		gcc -O1 -pg -fPIC -shared -Wl,$binding "$programs/copied.c" "$archive" -o "$scratch/copies/plugin.so" || return
		for close in '' close; do
			what="a libgmon in the program and one in a plugin, $binding $close"
			GMON=verbose,libs run_program copies ./plugin.so $close
			check_counts "$what: counts" copies
			expect_in "$what: samples, once" copies \
				'[ "$(grep -c "^libgmon: [0-9]* calls" err)" = 1 ] && sampled_all gmon.out'
			[ -n "$close" ] || expect_in "$what: the plugin's calls" copies \
				'"$GPROF" -b -p plugin.so gmon.out.plugin.so | awk "
					\$NF == \"plugin_leaf\" && \$4 == 500 { ok = 1 }
					END { exit !ok }"'
		done
	done
	what="a libgmon preloaded, and one in a plugin"
	must_build preloaded gcc -O1 -pg "$programs/copies.c" -ldl || return
	LD_PRELOAD=$builddir/libgmon.so run_program preloaded "$scratch/copies/plugin.so" close
	check_counts "$what: counts" preloaded
	expect_in "$what: samples, once" preloaded '[ "$(grep -c "^libgmon: [0-9]* calls" err)" = 1 ] && sampled_all gmon.out'
	what="a libgmon in two plugins alone"
	must_build plugins gcc -O1 "$programs/copies.c" -ldl || return
	LD_PRELOAD=$scratch/copies/plugin.so run_program plugins "$scratch/copies/plugin.so"
	expect_in "$what: the program lives" plugins '[ "$(cat status)" = 0 ]'
}

make_scratch
what=
test_names
test_twice
test_copies
tap_done
