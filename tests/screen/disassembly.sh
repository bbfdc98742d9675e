#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --source=NAME,asm: the instructions of the C library and of the compiler are those that objdump writes, in a sample of
# their functions, named or not. SLOW=1: in all of them, which takes some minutes.
# shellcheck disable=SC2016,SC2034 # conditions for expect; words for run
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"

# record: a profile of the compiler, kept.gmon; all its functions and those of its libraries, one a line, in `functions'. It
# has to have some hundred samples, as libraries without any are not in it.
record() {
	printf '#include <%s>\n' algorithm iostream map regex >some.cc
	"${CXX:-c++}" -E some.cc -o some.ii 2>err || return
	"$GPROF" --run=keep=kept.gmon "$program" -quiet -fpreprocessed some.ii -o some.s >said 2>err || return
	"$GPROF" -b -p -z --no-demangle "$program" kept.gmon 2>>err |
		awk '/^ time /{ begun = 1; next } begun && NF { print $NF }' >functions
	library=$(ldd "$program" | awk '$1 ~ /^libc\.so/ { print $3 }')
	[ -s functions ] && [ -f "$library" ]
}

# shown [FILE]: instructions as shown in the file `out': "ADDRESS INSTRUCTION", without names of addresses; only those of
# functions of FILE. A name means the functions of that name in all objects, and titles tell those of libraries by @.
shown() {
	awk -v program="$program" -v file="${1:-}" '/^[^ 0-9]/ { at = 0; left_out = file != "" && (file != program) != /@/ }
		/^ time/ { at = left_out ? 0 : index($0, "address"); next }
		at && substr($0, at, 7) ~ /^ *[0-9a-f]+$/ {
			text = substr($0, at); sub(/^ */, "", text); sub(/ *<.*>$/, "", text); gsub(/ +/, " ", text)
			print text }' out
}

# objdump_of FILE [LOW HIGH]: the same of objdump.
objdump_of() {
	objdump -d -z --no-show-raw-insn ${2:+--start-address=0x$2 --stop-address=0x$3} "$1" | awk '
		/^ *[0-9a-f]+:\t/ { sub(/^ */, ""); sub(/ *<.*>$/, ""); sub(/:/, ""); gsub(/[ \t]+/, " "); sub(/ $/, ""); print }'
}

# compare FILE [LOW HIGH]: adds to `said' a line "equal N" and those that differ from objdump, of the functions in
# `wanted' that have code.
compare() {
	sed 's/.*/--source=&,asm/' wanted >options
	run "$GPROF" -b -z --no-demangle @options "$program" kept.gmon
	while [ "$status" != 0 ] && refused=$(sed -n 's/^.*--source: \(.*\) is no function with code.*/\1/p' err) && [ -n "$refused" ]; do
		grep -vxF -e "--source=$refused,asm" options >others
		mv others options
		run "$GPROF" -b -z --no-demangle @options "$program" kept.gmon
	done
	[ "$status" = 0 ] || echo "not of objdump: nothing shown, $(head -n 1 err)" >>said
	shown "$1" >ours
	objdump_of "$@" | awk '
		NR == FNR { text[$1] = $0; n++; next }
		!($1 in text) { next }
		text[$1] == $0 { equal++; delete text[$1] }
		END { for (pc in text) print "not of objdump:", text[pc]; print "equal", equal + 0 }' ours - >>said
}

# check_said WHAT: at least $least instructions, all of which are the same.
check_said() {
	n=$(awk '$1 == "equal" { n += $2 } END { print n + 0 }' said)
	differ=$(grep -c '^not of' said)
	evidence='said err'
	expect "$1: $n instructions are objdump's, $differ are not" '[ "$differ" = 0 ] && [ "$n" -ge '"$least"' ]'
}

check_library() {
	grep '@libc\.so' functions | awk -v every="${SLOW:+1}" 'NR % (every ? every : 6) == 0' >wanted
	: >said
	compare "$library"
	least=20000
	check_said "the C library, $(wc -l <wanted) functions"
}

# sample_program: three blocks of 25 functions that the compiler exports, and those between them that have no name.
sample_program() {
	grep -v @ functions | grep '^[^[]\|^\[[^].]*+0x' >own
	nm -D --defined-only "$program" | awk '$2 == "T"' | sort | awk '!seen[$1]++' >exported
	n=$(wc -l <exported)
	least=20000
	for block in 0 1 2; do
		awk -v first=$((block * n / 3)) 'NR > first && NR <= first + 26 { sub(/^0*/, "", $1); print $1, $3 }' exported >block
		low=$(head -n 1 block | cut -d' ' -f1)
		high=$(tail -n 1 block | cut -d' ' -f1)
		sed '$d' block | cut -d' ' -f2 | grep -xFf own >wanted
		awk -F'0x|]' -v low="$low" -v high="$high" '
			/\+0x/ && length($2) == length(low) && $2 "" > low "" && $2 "" < high ""' own >>wanted
		compare "$program" "$low" "$high"
	done
}

whole_program() {
	grep -v @ functions | grep '^[^[]\|^\[[^].]*+0x' >own
	split -n l/12 own part.
	least=1000000
	for part in part.*; do
		mv "$part" wanted
		compare "$program"
	done
}

check_program() {
	: >said
	if [ -n "${SLOW-}" ]; then whole_program; else sample_program; fi
	check_said "the compiler"
	run "$GPROF" -b -z --source="$(grep '+0x' own | head -n 1),asm" "$program" kept.gmon
	evidence='out err'
	expect '... also of a function without a name' '[ "$status" = 0 ] && grep -q "^\[.*+0x" out && [ -n "$(shown)" ]'
}

make_scratch
cd "$scratch" || exit 99
run_limit=600
program=$("${CXX:-c++}" -print-prog-name=cc1plus 2>/dev/null)
if ! "$GPROF" --version | grep -q 'libopcodes'; then
	tap_skip_all 'gprof was built without libopcodes'
fi
case $(uname -m) in
x86_64) ;;
*) tap_skip_all 'libopcodes of this machine writes addresses in another way' ;;
esac
command -v objdump >/dev/null || tap_skip_all 'no objdump (Debian package binutils)'
case $program in /*) ;; *) tap_skip_all "${CXX:-c++} has no cc1plus" ;; esac
record || tap_skip_all "no profile of $program: $(head -n 1 err)"
check_library
check_program
tap_done
