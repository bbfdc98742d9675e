#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.sh [TARGET]...: builds the fuzz targets with clang and sanitizers, then runs each for FUZZ_SECONDS (60),
# FUZZ_JOBS (1) at a time. All is in BUILDDIR/fuzz: the programs, a log of each, the corpora, with which the next
# run goes on, and in found/ the inputs of findings. One line a target; status 1 if there was a finding.
: "${srcdir:?}" "${builddir:?}" "${TOOLS:?}" "${GPROF_LIBS:?}"
: "${CLANG:=clang}" "${FUZZ_SECONDS:=60}" "${FUZZ_JOBS:=1}"
export CLANG FUZZ_SECONDS
dir=$builddir/fuzz
compile="$CLANG -std=gnu11 -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all
	-include $dir/defines.h -I$builddir -I$srcdir/src -I$srcdir/include"

die() {
	echo "fuzz.sh: $*" >&2
	exit 1
}

# All objects are made anew: a header may have changed.
build_targets() {
	rm -rf "$dir/objects" "$dir/seeds"
	mkdir -p "$dir/objects" "$dir/seeds" "$dir/found" || exit 1
	echo '#define LIBDIR "/usr/lib"' >"$dir/defines.h"
	find "$srcdir/src" "$builddir/src" -name '*.c' ! -name main.c ! -name 'wrap_*.c' \
		! -name guard.c | sort -u |
		tr '\n' '\0' | xargs -0 -P "$(getconf _NPROCESSORS_ONLN)" -n 1 sh "$0" -c || die 'clang failed'
	for target in "$@"; do
		flags=
		source=$srcdir/tests/fuzz/$target.c
		[ "$target" != lines ] || flags=-DDEBUG_ONLY source=$srcdir/tests/fuzz/pair.c
		[ "$target" != addup ] || flags="-I$srcdir/runtime/mpi $srcdir/runtime/mpi/addup.c"
		# shellcheck disable=SC2086 # words
		$compile -fsanitize=fuzzer,address,undefined $flags "$source" "$srcdir/tests/fuzz/whole.c" \
			"$srcdir/tests/fuzz/tools.c" "$dir"/objects/*.o $GPROF_LIBS -o "$dir/$target" ||
			die "clang failed: does it have libFuzzer (Debian package libclang-rt-14-dev)?"
	done
	CC=$CLANG sh "$srcdir/tests/fuzz/seeds.sh" "$dir/seeds" || die 'no seeds'
}

# fuzz_target TARGET. libbfd leaks on damaged files, as does libiberty when it ends the process.
fuzz_target() {
	target=$1
	max=65536
	case $target in profile | stacks | jit | text | addup) leaks=1 ;; *) leaks=0 ;; esac
	case $target in stacks | jit | addup) max=8192 ;; esac
	[ "$target" != profile ] || max=16384 # live files are made of it that are many times as long
	rm -rf "$dir/$target.files"
	mkdir -p "$dir/corpus/$target"
	cp -r "$dir/seeds/files" "$dir/$target.files" && cd "$dir/$target.files" || exit 1
	stored=$srcdir/tests/fuzz/corpus/$target
	[ -d "$stored" ] || stored=
	FUZZ_WRITES=$dir/found:$dir/corpus/$target
	export FUZZ_WRITES
	ASAN_OPTIONS="allocator_may_return_null=1:max_allocation_size_mb=128:detect_leaks=$leaks" \
		"$dir/$target" -close_fd_mask=2 -artifact_prefix="$dir/found/$target-" -timeout=60 \
		-max_total_time="$FUZZ_SECONDS" -max_len=$max "$dir/corpus/$target" \
		"$dir/seeds/$target" ${stored:+"$stored"} >"$dir/$target.log" 2>&1
	status=$?
	if [ $status -eq 0 ]; then
		sed -n "s/^Done \([0-9]*\) runs in \([0-9]*\) second.*/$target: \1 inputs in \2 s, no finding/p" \
			"$dir/$target.log"
		return
	fi
	echo "$target: FINDING: $(grep -a -e '^SUMMARY' -e '^fuzz: ' "$dir/$target.log" | head -n 2 | tr '\n' ' ')"
	sed -n "s/^.*Test unit written to/$target: input/p" "$dir/$target.log"
	return 1
}

case $1 in
-c)
	# shellcheck disable=SC2086 # words
	exec $compile -fsanitize=fuzzer-no-link,address,undefined -c "$2" \
		-o "$dir/objects/$(echo "${2##*/src/}" | tr / _).o"
	;;
-r)
	fuzz_target "$2"
	exit
	;;
esac
[ $# -gt 0 ] || set -- profile stacks jit text words pair lines addup
build_targets "$@"
printf '%s\n' "$@" | xargs -P "$FUZZ_JOBS" -I{} sh "$0" -r {}
