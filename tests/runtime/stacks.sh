#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=stacks: what gmon.out.ext holds, as a reader of its own (tests/tools/stackdump) sees it.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# run_stacks DIR KEYS ARGUMENT...: runs DIR/a.out with GMON=stacks,verbose and these keys, and dumps what it leaves. What
# earlier runs left stays.
run_stacks() {
	dir=$1
	GMON=stacks,verbose${2:+,$2}
	shift 2
	cd "$scratch/$dir" || exit 99
	run ./a.out "$@"
	dump gmon.out
	cd "$scratch" || exit 99
}

# dump PROFILE: into the file dump; an error is a line that begins with "unsound".
dump() {
	[ -f syms ] || nm -n a.out >syms
	"$builddir/tests/tools/stackdump" "$1" syms >dump 2>&1 || echo "unsound: status $?" >>dump
}

# true_in DIR WHAT CONDITION: in this directory.
true_in() {
	cd "$scratch/$1" || exit 99
	if eval "$3"; then
		tap_ok "$2"
	else
		tap_not_ok "$2"
		{
			echo "condition: $3"
			cat status err
			ls -l
			head -n 40 dump
		} | tap_note
	fi
	cd "$scratch" || exit 99
}

# is_sound: the last dump.
is_sound() {
	! grep -q '^unsound' dump && grep -q '^stamp right$' dump
}

# ticks_said WORDS: the number before WORDS in what verbose said.
ticks_said() {
	sed -n "s/.*[^0-9]\([0-9][0-9]*\) $1.*/\1/p" err | head -n 1
}

# all_ticks: the ticks of all stacks are those of the program and those outside, and not few.
all_ticks() {
	total=$(sed -n 's/^total //p' dump)
	[ "${total:-0}" -gt 10 ] && [ "$total" = $(($(ticks_said 'ticks in the program') + $(ticks_said 'outside at'))) ]
}

# ticks PATTERN: of the stacks, "QUALITY THREAD FUNCTION;...", that it matches.
ticks() {
	awk -v pattern="$1" '$1 == "sample" { n = $2; $1 = $2 = ""; sub(/^ */, ""); if ($0 ~ pattern) sum += n }
		END { print sum + 0 }' dump
}

test_plain() {
	run_stacks cpu '' 0.5
	true_in cpu "one thread: the file is sound, and has the profile's stamp" is_sound
	true_in cpu "one thread: the ticks of all stacks are those of the profile" all_ticks
	true_in cpu "one thread: the program and the C library have records" \
		'grep -q "^module 0 1 .* $(readlink -f a.out)$" dump && grep -q "^module .*/libc.so.6$" dump'
	true_in cpu "one thread: its number, name and CPU time" \
		'awk "\$1 == \"thread\" && \$2 == 1 && \$3 > 1 && \$4 > 450000000 && \$4 < 700000000 && \$5 == \"a.out\" { found = 1 }
			END { exit !found }" dump'
}

test_depth() {
	GMON=stacks,depth=16,verbose
	cd "$scratch/cpu" || exit 99
	run ./a.out 0.2
	dump gmon.out
	cd "$scratch" || exit 99
	true_in cpu "depth=16: the file is sound" 'is_sound && all_ticks'
}

# What an earlier run left.
test_stale() {
	GMON=verbose
	cd "$scratch/cpu" || exit 99
	run ./a.out 0.1
	cd "$scratch" || exit 99
	true_in cpu "a run without stacks removes those of an earlier one" '[ -f gmon.out ] && [ ! -e gmon.out.ext ]'
	echo mine >cpu/gmon.out.ext
	cd "$scratch/cpu" || exit 99
	run ./a.out 0.1
	cd "$scratch" || exit 99
	true_in cpu "but not what is none of ours" '[ "$(cat gmon.out.ext)" = mine ]'
	rm cpu/gmon.out.ext
}

make_scratch
what=cpu
must_build cpu gcc -O1 -pg -pthread "$programs/cpu.c" "$archive" || tap_done
export GMON
test_plain
test_depth
test_stale
tap_done
