#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --source=NAME,asm: the instructions are those that objdump writes, at the lines that addr2line gives; their times are
# those of the addresses at which the recorded stacks end; calls stand at the calls.
# shellcheck disable=SC2016 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"
. "$srcdir/tests/lib/build.sh"
. "$srcdir/tests/lib/frames.sh"

make_program() {
	cat >loops.c <<-'END'
		static inline __attribute__((always_inline)) unsigned step(unsigned x)
		{
			return x * 1103515245 + (x % 7);
		}

		__attribute__((noinline)) unsigned leaf(unsigned x)
		{
			for (int i = 0; i < 300; i++)
				x = step(x) / 3 + i;
			return x;
		}

		__attribute__((noinline)) unsigned caller(unsigned x)
		{
			x += leaf(x);
			for (int i = 0; i < 1500; i++)
				x = x * 3 + i / 7;
			return leaf(x) + 1;
		}

		int main(void)
		{
			unsigned x = 1;
			for (int i = 0; i < 300000; i++)
				x = caller(x);
			return x == 42;
		}
	END
	"$CC" -pg -g -O1 -fno-pie -no-pie -o a.out loops.c "$builddir/libgmon.a" 2>said &&
		GMON=stacks,rate=250 ./a.out && [ -s gmon.out ] && [ -s gmon.out.ext ]
}

# objdump_of FUNCTION: "ADDRESS INSTRUCTION", without names of addresses.
objdump_of() {
	objdump -d --no-show-raw-insn a.out | awk -v name="<$1>:" '
		$2 == name { on = 1; next }
		on && /^$/ { exit }
		on { sub(/^ */, ""); sub(/ *<.*>/, ""); sub(/:/, ""); gsub(/[ \t]+/, " "); sub(/ $/, ""); print }'
}

# Instructions as shown in the file `out': "ADDRESS INSTRUCTION"; and their seconds: "ADDRESS SECONDS".
shown() {
	awk '/^ time/ { at = index($0, "address"); next }
		at && substr($0, at, 7) ~ /^ *[0-9a-f]+$/ {
			text = substr($0, at); sub(/^ */, "", text); sub(/ *<.*>/, "", text); gsub(/ +/, " ", text)
			print text }' out
}
shown_seconds() {
	awk '/^ time/ { at = index($0, "address"); next }
		at && substr($0, at, 7) ~ /^ *[0-9a-f]+$/ && substr($0, 6, 8) ~ /[0-9]/ {
			pc = substr($0, at, 7); sub(/^ */, "", pc); print pc, substr($0, 6, 8) + 0 }' out
}

# Seconds of each address of a function at which recorded stacks end.
stack_seconds() {
	"$TOOLS/stackdump" gmon.out symbols | awk -v name="$1" '
		NR == FNR { of[$1] = $(NF - 1); next }
		$1 == "sample" { n = split($5, stack, ";"); if (of[stack[n]] == name) self[stack[n]] += $2 }
		END { for (pc in self) printf "%s %.3f\n", pc, self[pc] / 250 }' frames -
}

check_function() {
	run "$GPROF" -b --source="$1,asm"
	objdump_of "$1" >wanted
	shown >got
	evidence='out err'
	same "the instructions of $1 are objdump's" got wanted
	stack_seconds "$1" | sort >wanted
	shown_seconds | sort >got
	expect "the times of $1 are those of its addresses" '[ -s wanted ] && [ "$(wc -l <wanted)" = "$(wc -l <got)" ] &&
		awk "NR == FNR { is[\$1] = \$2; next } { d = \$2 - is[\$1]; if (d > 0.006 || d < -0.006) bad++ } END { exit bad > 0 }" wanted got'
	self=$("$GPROF" -b -p | awk -v name="$1" '$NF == name { print $3 }')
	expect "the head of $1 has its time, $self" grep -q "^  $self seconds self (" out
}

check_lines() {
	run "$GPROF" -b --source=leaf,asm
	awk '/^ time/ { at = index($0, "address"); next }
		at && substr($0, at, 7) ~ /^ *[0-9a-f]+$/ { pc = substr($0, at, 7); sub(/^ */, "", pc); print pc, line; next }
		/loops\.c:/ { line = $1; sub(/.*:/, "", line) }
		/of no source line/ { line = 0 }' out >got
	awk 'NR == FNR { line[$1] = $3; next } { print $1, line[$1] }' frames got >wanted
	evidence=out
	same 'each instruction stands below its line' got wanted
	expect '... of which the text is shown, also of inlined code' 'grep -q "loops.c:3  return x \* 1103515245 + (x % 7);$" out'
	expect 'where a jump leads is marked' grep -Eq '^ .*>[ 0-9a-f]+  ' out
}

check_calls() {
	run "$GPROF" -b --source=caller,asm
	evidence=out
	expect 'each of two calls has its own count, and a name' '[ "$(grep -c " 300000 .* call.*<leaf>$" out)" = 2 ]'
	run "$GPROF" -b --source=leaf,asm --source=caller,asm
	expect 'the function with more time comes first' '[ "$(grep -n "^leaf" out | cut -d: -f1)" -lt "$(grep -n "^caller" out | cut -d: -f1)" ]'
	run "$GPROF" -b --estimated --source=leaf,asm
	expect 'without stacks, what a bin counts is said' grep -q '^Samples were counted for each [0-9]* bytes of code together' out
	run "$GPROF" -b --source=nobody,asm
	expect 'an unknown function is an error' '[ "$status" = 1 ] && [ ! -s out ] && grep -q "no function .nobody." err'
	run "$GPROF" --source=leaf,asm
	expect 'what the clock finds is explained' grep -q 'often at the one after it' out
}

# largest_error OUT: the greatest of its errors.
largest_error() {
	awk '/^ time/ { on = 1; next } on && substr($0, 6, 8) ~ /[0-9]/ { e = substr($0, 14, 8) + 0; if (e > most) most = e }
		END { print most + 0 }' "$1"
}

check_errors() {
	run "$GPROF" -b --source=leaf,asm
	usual=$(largest_error out)
	evidence=out
	expect 'errors are at 95 %' grep -q '; +- at 95 %\.$' out
	run "$GPROF" -b --confidence=99.9 --source=leaf,asm
	more=$(largest_error out)
	expect "... or at another level, and then larger: $usual, $more" \
		'grep -q "; +- at 99\.9 %\.$" out && awk "BEGIN { exit !($usual > 0 && $more > $usual) }"'
	GMON=stacks,clock=wall ./a.out >said 2>&1
	run "$GPROF" -b --clock=off --source=leaf,asm
	evidence='out err'
	expect 'a clock that is exact has none' \
		'[ "$status" = 0 ] && grep -q "^Each sample counts as .*\.$" out && grep -q "address  instruction" out && ! grep -q "+-" out'
}

check_library() {
	head -c 4000000 "$GPROF" >data
	run "$GPROF" --run=keep=kept.gmon xz -9 -c data
	run "$GPROF" -b -p "$(command -v xz)" kept.gmon
	name=$(awk '$NF ~ /@liblzma|liblzma.so/ { print $NF; exit }' out)
	self=$(awk '$NF ~ /@liblzma|liblzma.so/ { print $3; exit }' out)
	run "$GPROF" -b --source="$name,asm" "$(command -v xz)" kept.gmon
	evidence='out err'
	expect "a function of a library, $name" '[ -n "$name" ] && [ "$status" = 0 ] && grep -q "^  $self seconds self (" out'
	expect '... all of whose time is at its instructions' '! grep -q "at no instruction" out && [ -n "$(shown_seconds)" ]'
}

make_scratch
cd "$scratch" || exit 99
case $(frames_obstacle) in
'') ;;
*) tap_skip_all "$(frames_obstacle)" ;;
esac
if ! "$GPROF" --version | grep -q 'libopcodes'; then
	tap_skip_all 'gprof was built without libopcodes'
fi
case $(uname -m) in
x86_64) ;;
*) tap_skip_all 'libopcodes of this machine writes calls in another way' ;;
esac
if ! make_program; then
	tap_skip_all "no program with call stacks: $(head -n 1 said)"
fi
make_frames
for function in leaf caller; do
	check_function $function
done
check_lines
check_calls
check_errors
if command -v xz >/dev/null; then
	check_library
else
	tap_skip 'a function of a library' 'no xz (Debian package xz-utils)'
fi
tap_done
