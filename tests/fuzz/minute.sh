#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A quarter of a minute of fuzzing for each target, and with SLOW, a minute. What it finds stays in fuzz/found.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -z "$INSTRUMENTED" ] || tap_skip_all "the targets have sanitizers of their own, the $INSTRUMENTED build has others"
[ -n "$CLANG" ] || tap_skip_all 'no clang: Debian package clang'
echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p && n > 9 ? 0 : 0; }' |
	"$CLANG" -fsanitize=fuzzer,address -xc - -o /dev/null 2>/dev/null ||
	tap_skip_all 'this clang has no libFuzzer: Debian package libclang-rt-14-dev'
make_scratch
seconds=15
[ -z "$SLOW" ] || seconds=60
FUZZ_SECONDS=$seconds sh "$srcdir/tests/fuzz/fuzz.sh" >"$scratch/lines" 2>&1
for target in profile stacks jit text words pair lines addup; do
	grep -q "^$target: .*no finding" "$scratch/lines"
	tap_check $? "$target for $seconds seconds"
done
[ "$tap_failed" -eq 0 ] || tap_note <"$scratch/lines"
tap_done
