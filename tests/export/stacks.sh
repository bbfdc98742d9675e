#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: folded speedscope
#
# The formats with call paths: all times add up to the total, and those of each function to its own time, to the
# nanosecond; events are nested; names can be told apart from the notation; bounds hold.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"

# check_sums_of WHAT [,KEY=VALUE...]: a.out and gmon.out here. With bounds, some time is in rests.
check_sums_of() {
	rests=${2:+1}
	"$GPROF" --export=callgrind -o c --export="folded,mark=no${2-}" -o f --export="speedscope${2-}" -o s 2>log
	status=$?
	grep -v 'gprof: \(warning\|note\): ' log >err
	awk -v rests="${rests:-0}" -f "$srcdir/tests/export/stacks.awk" file=1 c file=2 f file=3 s >said
	if [ $status = 0 ] && [ ! -s err ] && [ "$(wc -l <said)" = 1 ]; then
		tap_ok "$1: $(cat said)"
	else
		tap_not_ok "$1"
		head -n 5 err | tap_note
		cut -c 1-300 said | tap_note
	fi
}

check_golden() {
	for profile in "$srcdir"/tests/golden/*.profile; do
		name=$(basename "$profile" .profile)
		grep -q '^profile b\|^stack' "$profile" && continue # measured.sh has these
		grep -q '^tick' "$profile" || continue
		make_profile "$profile"
		"$GPROF" -p >/dev/null 2>&1 || continue # calls alone
		check_sums_of "$name"
	done
}

# Names with what the notations use, and with what is no text.
check_names() {
	printf '%s\n' 'text 0x401000 0x100' 'sym a;b 0x401000' 'sym a"b\c 0x401020' "sym a$(printf '\001')b 0x401040" \
		"sym a$(printf '\377')b 0x401060" 'sym _ZN1aIXltLi1ELi2EEE1fEv 0x401080' profile \
		'hist 0x401000 0x401100 64 100' 'tick 0x401000 1' 'tick 0x401020 2' 'tick 0x401040 4' \
		'tick 0x401060 8' 'tick 0x401080 16' 'arc 0x401000 0x401020 1' 'arc 0x401020 0x401040 1' \
		'arc 0x401040 0x401060 1' 'arc 0x401060 0x401080 1' >profile
	make_profile profile
	replaced=$(printf '\357\277\275')
	cat >expected <<-END
		a:b 10000000
		a:b;a"b\\c 20000000
		a:b;a"b\\c;a?b 40000000
		a:b;a"b\\c;a?b;a${replaced}b 80000000
		a:b;a"b\\c;a?b;a${replaced}b;a<(1)<(2)>::f() 160000000
	END
	"$GPROF" --export=folded,mark=no -o - | sed "s/;a.b;a$replaced/;a?b;a$replaced/; s/;a.b 4/;a?b 4/" >f
	cmp -s f expected
	tap_check $? "names in folded stacks"
	tap_note <f
	"$GPROF" --export=speedscope -o - | sed -n 's/^{"name":\("[^}]*"\)}.*/\1/p' >names
	cat >expected <<-END
		"a;b"
		"a\\"b\\\\c"
		"a\\u0001b"
		"a${replaced}b"
		"a\\u003c(1)\\u003c(2)\\u003e::f()"
	END
	cmp -s names expected
	tap_check $? "names in JSON"
	tap_note <names
}

# What is kept and what not: the mark, samples, a program without samples.
check_keys() {
	make_golden cycles
	"$GPROF" --export=folded,mark=no -o - | sed 's/^/[estimated from call counts];/' >expected
	"$GPROF" --export=folded -o - >f
	cmp -s f expected && [ -s f ]
	tap_check $? "the mark is a frame"
	"$GPROF" --export=folded,count=samples -o - >f
	"$GPROF" -b -p | awk 'FNR == NR { all += $NF; next } NF > 2 { sum += $3 * 100 } END { exit all != int(sum + 0.5) || !all }' f -
	tap_check $? "samples add up"
	for bound in ,depth=1 ,depth=3 ,paths=1 ,paths=7 ,depth=4,paths=9; do
		check_sums_of "bounded by $bound" "$bound"
	done
	printf '%s\n' 'text 0x401000 0x100' 'sym a 0x401000' 'sym b 0x401020' profile 'arc a b 1' >profile
	make_profile profile
	rm -f f
	"$GPROF" --export=folded -o f 2>err
	[ $? = 1 ] && grep -q 'missing histogram: no samples for --export=folded' err && [ ! -f f ]
	tap_check $? "no samples, no stacks"
	"$GPROF" --export=callgrind -o - | grep -q '^calls=1 '
	tap_check $? "but calls"
}

make_scratch
cd "$scratch" || exit 99
check_golden
check_names
check_keys
tap_done
