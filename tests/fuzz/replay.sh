#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# replay.sh [FILE]...: every fuzz target runs on its seeds and on the inputs of earlier findings, in
# corpus/TARGET/. With FILEs, of which each is named TARGET-anything or lies in a directory TARGET, on these.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

replays=$builddir/tests/fuzz
# libbfd leaks on damaged files, as does libiberty when it ends the process.
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}allocator_may_return_null=1:detect_leaks=0"
export ASAN_OPTIONS

# replay TARGET WHAT FILE...
replay() {
	target=$1 what=$2
	shift 2
	rm -rf "$scratch/run" && cp -r "$scratch/files" "$scratch/run" || exit 99
	if (cd "$scratch/run" && "$replays/replay-$target" "$@" >"$scratch/out" 2>&1); then
		tap_ok "$target: $what"
	else
		tap_not_ok "$target: $what"
		tap_note <"$scratch/out"
	fi
}

make_scratch
sh "$srcdir/tests/fuzz/seeds.sh" "$scratch" || exit 99
if [ $# -gt 0 ]; then
	for file; do
		name=$(basename "$file")
		case ${name%%-*} in
		profile | stacks | jit | text | words | pair | lines | addup) target=${name%%-*} ;;
		*) target=$(basename "$(dirname "$file")") ;;
		esac
		replay "$target" "$name" "$(cd "$(dirname "$file")" && pwd)/$name"
	done
	tap_done
fi
for target in profile stacks jit text words pair lines addup; do
	replay "$target" seeds "$scratch/$target"/*
	for file in "$srcdir/tests/fuzz/corpus/$target"/*; do
		[ ! -f "$file" ] || replay "$target" "$(basename "$file")" "$file"
	done
done
tap_done
