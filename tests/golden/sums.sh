#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sums in parts: whatever the parts and their order, the sum of their sums is the sum; by many processes at once; by the
# recipes of the manual, with GNU parallel where there is one. A shell loop stands in for Slurm and for Spark.
# shellcheck disable=SC2016,SC2034 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/run.sh
. "$srcdir/tests/lib/run.sh"

make_scratch sums
cd "$scratch" || exit

# 200 profiles of one program, each with other samples and calls: two of the text, which differ in `main', and more.
awk 'BEGIN {
	srand(7)
	print "text 0x401000 0x200"
	for (f = 0; f < 8; f++)
		printf "sym f%d 0x%x\n", f, 4198400 + 64 * f
	for (p = 0; p < 200; p++) {
		print "profile"
		print "hist 0x401000 0x401200 128 100"
		for (k = 0; k < 5; k++)
			printf "tick f%d %d\n", int(rand() * 8), 1 + int(rand() * 30)
		for (k = 0; k < 6; k++)
			printf "arc f%d+%d f%d %d\n", int(rand() * 8), 4 * int(rand() * 8), int(rand() * 8), 1 + int(rand() * 99)
	}
}' >many.profile
mkdir made prof
"$TOOLS/mkprofile" many.profile made || exit
mv made/a.out .
for file in made/gmon.*; do
	mv "$file" "prof/${file##*/gmon.}.out"
done
ls prof/* >list

# records FILE: its records in an order of their own: bins with ticks, and calls.
records() {
	"$GPROF" -s -o - a.out "$1" | od -An -v -tx1 -w1 | awk '
	{ at[n++] = $1 }
	function number(from, bytes,  i, x) {
		for (i = bytes - 1; i >= 0; i--)
			x = x at[from + i]
		return x
	}
	END {
		for (i = 20; i < n;) {
			if (at[i] == "00") {
				bins = 128
				for (k = 0; k < bins; k++)
					print "bin", k, number(i + 41 + 2 * k, 2)
				i += 41 + 2 * bins
			} else {
				print "arc", number(i + 1, 8), number(i + 9, 8), number(i + 17, 4)
				i += 21
			}
		}
	}' | sort
}

"$GPROF" -s -o whole.sum a.out prof || exit
records whole.sum >wanted
expect 'the sum has what 200 files have' '[ "$(grep -c ^bin wanted)" -eq 128 ] && [ "$(grep -c ^arc wanted)" -gt 200 ]'

# in_parts SEED PARTS: by so many sums of what chance deals to them, in a random order, and of these in pairs.
in_parts() {
	rm -f part.*
	awk -v seed="$1" -v n="$2" 'BEGIN { srand(seed) } { print rand(), int(rand() * n), $1 }' list | sort >dealt
	part=0
	while [ "$part" -lt "$2" ]; do
		awk -v part="$part" '$2 == part { print $3 }' dealt >names
		[ ! -s names ] || "$GPROF" -s -o part.$part.sum a.out @names || return
		part=$((part + 1))
	done
	for pair in 0 2 4 6; do
		set --
		for part in $pair $((pair + 1)); do
			[ ! -f "part.$part.sum" ] || set -- "$@" "part.$part.sum"
		done
		[ $# -eq 0 ] || "$GPROF" -s -o both.$pair.sum a.out "$@" && rm -f "$@"
	done
	set -- both.*.sum
	for part in part.*.sum; do
		[ ! -f "$part" ] || set -- "$part" "$@"
	done
	"$GPROF" -s -o all.sum a.out "$@" && records all.sum >got && rm -f both.* part.*
}
for seed in 1 2; do
	in_parts $seed $((seed * 6 - 3)) 2>err
	same "the sum of sums is the sum, dealt $seed" got wanted
done

# 32 at the same time, each a part, into one directory; then all into one file, of which one stays.
split -n r/32 list slice.
for slice in slice.*; do
	"$GPROF" -s -o "part.$slice.sum" a.out @"$slice" &
done
wait
"$GPROF" -s -o all.sum a.out part.*.sum && records all.sum >got
same '32 processes at once' got wanted
for slice in slice.*; do
	"$GPROF" -s -o one.sum a.out @"$slice" &
done
wait
found=no
records one.sum >got
for slice in slice.*; do
	records "part.$slice.sum" >other
	! cmp -s got other || found=yes
done
expect '32 processes that write one file: it is that of one of them' '[ $found = yes ]'
expect 'no temporary file is left' '[ -z "$(ls | grep -v "^\(part\.\)\?slice\.\|^[a-z]*\.sum$\|^a.out$\|^many.profile$\|^made$\|^prof$\|^[a-z]*$")" ]'
rm -f part.*

# Where the sum goes.
run "$GPROF" -s -o - a.out prof
cp out piped.sum
records piped.sum >got
same '-o - writes the sum to standard output' got wanted
# shellcheck disable=SC2016
run sh -c '"$GPROF" -s -o all.sum a.out @/dev/stdin <list && cat list | "$GPROF" -s -o - a.out @/dev/stdin'
cp out piped.sum
records piped.sum >got
same '@/dev/stdin is a list in a pipe' got wanted
records all.sum >got
same 'and one in a file' got wanted
cp all.sum before.sum
run "$GPROF" -s -o all.sum a.out prof/no-such.out
expect 'of what cannot be read there is no sum' '[ $status -eq 1 ] && cmp -s all.sum before.sum'
run "$GPROF" -s -o a.out a.out prof
expect 'the program stays what it is' '[ $status -eq 1 ] && grep -q "a.out: not replaced" err'
# shellcheck disable=SC2016
run sh -c ': | "$GPROF" -s -o - a.out @/dev/stdin'
expect 'an empty list is no list of gmon.out' '[ $status -eq 1 ] && grep -q "/dev/stdin: the list of arguments is empty" err && [ ! -s out ]'
run "$GPROF" -s -p -o - a.out prof
expect 'a sum on standard output stands alone' '[ $status -eq 1 ] && grep -q "nothing else" err'

# The recipes. gprof is found as users have it.
mkdir bin
ln -s "$GPROF" bin/gprof
PATH=$scratch/bin:$PATH
export PATH
example=$srcdir/doc/example
if command -v parallel >/dev/null; then
	EACH=30 HOME=$scratch run sh "$example/sum-parallel.sh" ./a.out prof
	records all.sum >got
	same 'the recipe for GNU parallel' got wanted
	rm -f part.* all.sum
else
	tap_skip 'the recipe for GNU parallel' 'no parallel (Debian package parallel)'
fi
SLURM_ARRAY_TASK_COUNT=7
SLURM_ARRAY_TASK_ID=0
export SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_ID
while [ $SLURM_ARRAY_TASK_ID -lt $SLURM_ARRAY_TASK_COUNT ]; do
	sh "$example/sum-slurm.sh" ./a.out list
	SLURM_ARRAY_TASK_ID=$((SLURM_ARRAY_TASK_ID + 1))
done
gprof -s -o all.sum a.out part.*.sum
records all.sum >got
same 'the recipe for Slurm, in a loop' got wanted
rm -f part.* all.sum
: >slice.empty
part=0
for slice in slice.*; do
	sh "$example/sum-spark.sh" ./a.out <"$slice"
done >lines
while read -r line; do
	part=$((part + 1))
	echo "$line" | base64 -d >part.$part.sum
done <lines
gprof -s -o all.sum a.out part.*.sum
records all.sum >got
same 'the recipe for Spark, in a loop' got wanted
tap_done
