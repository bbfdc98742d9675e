#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gprof --versus: two programs run in pairs. What the statistics promise is tested in tests/unit/analysis_versus.c; here
# is nothing that chance could decide: the programs differ by a factor of 10, and work so long that starting one does not
# count, or the sentence does not depend on times.
# shellcheck disable=SC2016,SC2034,SC2317 # commands for other shells; words and functions that expect takes
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
cd "$scratch" || exit 99
TMPDIR=$scratch/tmp
mkdir tmp build
unset GMON
export TMPDIR

what='the program that is run in pairs'
must_build build "$CC" -O1 -g "$programs/paired.c" || tap_done
cp build/a.out old
cp build/a.out new

# versus KEYS OLD-ARGUMENTS NEW-ARGUMENTS: runs ./old and ./new; see run.
versus() {
	# shellcheck disable=SC2086 # words
	run "$GPROF" -b --versus="./old $2,seed=1$1" --run ./new $3 </dev/null
}

# is_sentence PATTERN: the first line of the output is.
is_sentence() {
	sed -n 1p out | grep -qE "$1"
}

# Who is faster. CPU times of these programs are 14 to 1; a busy machine changes the clock's.
versus ,runs=6 100 1000
expect 'ten times the work is slower in CPU time' '[ "$status" = 0 ] && is_sentence "^new takes .* of old .*, 6 pairs: .*slower$" &&
	grep -qE "^\+ .* CPU time$" out'
expect 'the outputs are the same' 'grep -q "^ The outputs are the same, 0 bytes\.$" out'
expect 'it says what would be found' 'grep -qE "^ A change of [0-9.]+ % in elapsed time, of .* % in CPU time.* would be found in 4 of 5 cases; runs=24 finds [0-9.]+ % in elapsed time\.$" out'
expect 'the functions are compared, of six runs on each side' 'grep -qE "^Difference of profiles: base 6 runs of .*, new 6 runs of " out &&
	grep -qE "^\+ .* parse$" out && grep -q "Level 97.5 %" out'
versus ,runs=6 1000 100
expect 'a tenth is faster' 'is_sentence "^new takes .* of old .*: .*faster$" && grep -qE "^- .* CPU time$" out && grep -qE "^- .* parse$" out'
run "$GPROF" --versus=./old,runs=2 --run ./new 1 </dev/null
expect 'one word has the arguments of the new program, and all is explained' '[ "$status" = 0 ] && is_sentence ", 2 pairs: " && grep -q "^Both programs ran in pairs" out'
versus ,runs=40 10 100
expect 'what is certain ends early' 'grep -q "^ More pairs would not change the answer\.$" out && ! is_sentence " 40 pairs"'
versus ,seconds=0.05 4 4
expect 'so does time that is spent' '[ "$status" = 0 ] && grep -q "^ The time is spent\.$" out'

if python3 -c 'import json' 2>/dev/null; then
	run "$GPROF" --versus=./old,runs=3,seed=1 --export=json -o - --run ./new 4 </dev/null
	expect 'JSON has the seconds of each run, from which the ratios follow' '[ "$status" = 0 ] && python3 -c "
import json, math
d = json.load(open(\"out\"))
assert len(d[\"runs\"]) == d[\"pairs\"][\"n\"] == 3
for cost in (\"elapsed\", \"cpu\"):
    logs = [math.log(pair[\"new\"][cost] / pair[\"base\"][cost]) for pair in d[\"runs\"]]
    assert abs(math.exp(sum(logs) / 3) / d[\"pairs\"][cost][\"ratio\"] - 1) < 1e-6, d"'
else
	skip 'JSON has the seconds of each run, from which the ratios follow' 'there is no python3'
fi

# Limits.
versus ,runs=6,fail=100 40 400
expect 'fail= is status 3' '[ "$status" = 3 ] && grep -qE "CPU time: slower by .* %, which is certainly more than 100 %|CPU time: slower by .*, which is certainly more than 100 %$" err'
versus ,runs=6,fail=parse:100 100 1000
expect 'of a function, too' '[ "$status" = 3 ] && grep -qE "note: parse: slower(: it took no time before| by .* %, which is certainly more than 100 %)$" err'
versus ,runs=6,fail=100000,fail=nobody:1 10 100
expect 'but not below the limit; who is not there is named' '[ "$status" = 0 ] && grep -q "warning: fail=nobody:1: no function of this name" err'
versus ,runs=12,fail=1000000 4 4
expect 'what is certainly below the limit ends early' '[ "$status" = 0 ] && grep -q "More pairs would not change the answer" out && is_sentence " 6 pairs"'

# Outputs.
versus ,runs=2 '1 say second' '1 say third'
expect 'another output is said first' '[ "$status" = 0 ] && is_sentence "^The outputs differ: new writes something else from byte 7, line 2, on\.$"'
versus ,runs=2,fail=100000 '1 say second' '1 say secondly'
expect 'also if one only goes on, and it fails if anything can' '[ "$status" = 3 ] && is_sentence "from byte 13, line 2, on\.$" && grep -q "note: the outputs differ" err'
versus ,runs=2,output=ignore '1 say second' '1 say third'
expect 'unless it is ignored' '[ "$status" = 0 ] && is_sentence "^new takes" && grep -q "^ The outputs were not compared\.$" out'
versus ,runs=2 '1 pid' '1 pid'
expect 'an output that always differs is not compared' 'is_sentence "^new takes" && grep -q "^ The output of old differs from run to run" out'
versus ,runs=2 1 '1 exit ./absent/file 1'
expect 'another exit status is another answer' 'is_sentence "^The answers differ: old exits with status 0, new with 99\.$"'

# Input.
printf 'one\ntwo\n' >input
"$scratch/old" 1 read <input >alone
bytes=$(wc -c <alone)
run sh -c '"$1" -b --versus=./old,runs=2 --run ./new 1 read <input' sh "$GPROF"
expect 'a file is read by each run' 'grep -q "^ The outputs are the same, $bytes bytes\.$" out'
run sh -c 'cat input | "$1" -b --versus=./old,runs=2 --run ./new 1 read' sh "$GPROF"
expect 'a pipe, too' 'grep -q "^ The outputs are the same, $bytes bytes\.$" out'
printf 'skipped\none\ntwo\n' >input
run sh -c '{ read -r line; "$1" -b --versus=./old,runs=2 --run ./new 1 read; } <input' sh "$GPROF"
expect 'from where a file was read before' 'grep -q "^ The outputs are the same, $bytes bytes\.$" out'

# What goes wrong.
versus ,runs=6 1 '1 crash crashed 1'
expect 'a crash in the first run is an error' '[ "$status" = 139 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] &&
	grep -q "./new: the new program was ended by a signal (.*) in its first run$" err'
rm crashed
versus ,runs=20 '1 crash crashed 5' 1
expect 'one in the middle leaves the pairs before it' '[ "$status" = 1 ] && is_sentence ", 3 pairs: " &&
	grep -q "^ Not complete: the old program was ended by a signal (.*) in pair 4\.$" out'
expect 'and their functions' 'grep -q "^Difference of profiles: base 3 runs of .*, new 3 runs of " out'
versus ,runs=20 '1 exit left 5' 1
expect 'so does another exit status' '[ "$status" = 1 ] && grep -q "^ Not complete: the old program exits with status 5 in pair 4\.$" out'
versus ,runs=20 '1 interrupt interrupted 5' 1
expect 'Ctrl-C leaves a report of what there is' '[ "$status" = 1 ] && is_sentence ", 3 pairs: " && grep -q "^ Stopped before the end: this is what there is\.$" out'
rm interrupted
versus ,runs=20 '1 interrupt interrupted 1' 1
expect 'if there is anything' '[ "$status" = 1 ] && [ ! -s out ] && grep -q "stopped before the first pair$" err'
check 'no temporary file is left' "$(ls tmp)"

# refuses WHAT TEXT ARGUMENT...: gprof does, with status 1 and a line that has TEXT.
refuses() {
	what=$1 text=$2
	shift 2
	run "$GPROF" "$@"
	expect "$what is refused" '[ "$status" = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$text" err'
}
refuses 'no new program' 'gprof --versus=./old --run NEW' --versus=./old ./new
refuses 'no old one' '--versus=OLD --run NEW' --versus=,runs=2 --run ./new
refuses 'one pair' 'a number of pairs, 2 to 10000' --versus=./old,runs=1 --run ./new
refuses 'a limit without a number' 'PERCENT or FUNCTION:PERCENT' --versus=./old,fail=parse: --run ./new
refuses 'an unknown key' "'rums'" --versus=./old,rums=2 --run ./new
refuses 'a report' '--versus and a report cannot be combined' --versus=./old -p --run ./new
refuses '--diff' '--versus and --diff cannot be combined' --versus=./old --diff=x --run ./new
run "$GPROF" --versus=./absent --run ./new
expect 'a program that does not exist is refused' '[ "$status" = 127 ] && [ "$(wc -l <err)" = 1 ]'
tap_done
