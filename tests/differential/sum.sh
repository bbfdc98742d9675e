#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gmon.sum of random profiles, in every format:
#  - the system's gprof prints for ours what it prints for the profiles summed on its command line;
#  - so does ours;
#  - ours and the system's print the same for the system's gmon.sum;
#  - ours is the same whatever options go with -s;
#  - in the formats of BSD, both files are the same if all calls come from the starts of symbols.
# And what the system's gmon.sum loses: bins above 65535, calls above 4294967295.
#
#   sum.sh [SEED [COUNT]]   SEED, SEED+1, ... (default: $SEED or 1; $COUNT or 30, fewer if instrumented)
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/differential/lib.sh"

first=${1:-${SEED:-1}}
count=${2:-${COUNT:-$((30 / share))}}

# add_profiles < PROFILE: some more profiles, each the last one with some other numbers.
add_profiles() {
	awk -v more="$((seed % 4))" -v seed="$seed" '
		{ print }
		/^profile/ { n = 0; begun = 1; next }
		begun { line[++n] = $0 }
		END {
			for (k = 1; k <= more; k++) {
				print "profile"
				for (i = 1; i <= n; i++) {
					split(line[i], word, " ")
					if (word[1] == "arc" && (i + k + seed) % 3 == 0) continue
					if (word[1] == "bin" && (i + k + seed) % 3 == 1)
						print "bin", word[2], (word[3] + 7 * k) % 65536
					else print line[i]
				}
			}
		}'
}

# three_reports PROGRAM DIR all|sum: three reports, of all profiles of the program or of DIR/gmon.sum.
three_reports() {
	(
		cd "$2" || exit
		if [ "$3" = all ]; then profiles=$(echo ../gmon.*); else profiles=gmon.sum; fi
		for layout in '' -T -C; do
			# shellcheck disable=SC2086 # a list, and none is no word
			{ timeout $seconds "$1" -b $layout ../a.out $profiles </dev/null 2>&1; echo "status $?"; } |
				without_notes
		done
	)
}

# add_up PROGRAM FORMAT DIR: makes DIR/gmon.sum of all profiles; says why not.
add_up() {
	mkdir "$3" && (cd "$3" && exec timeout $seconds "$1" -s -O"$2" ../a.out ../gmon.* </dev/null 2>&1)
}

# agree WHAT: are $scratch/one and two equal? If not, that fails.
agree() {
	cmp -s "$scratch/one" "$scratch/two" && return
	tap_not_ok "$what: $1"
	diff "$scratch/one" "$scratch/two" | tap_note
	return 1
}

# check_options DIR FORMAT: whatever else is asked for, the sum is the one that is in DIR/ours.FORMAT.
check_options() {
	mkdir "$1/chosen.$2"
	awk '$1 == "sym" && $2 != "\"\"" { print $2 }' "$1/random.profile" |
		"$TOOLS/randoptions" -x OS "$seed" 3 >"$scratch/options"
	while read -r options; do
		# shellcheck disable=SC2086 # a list
		(cd "$1/chosen.$2" && exec timeout $seconds "$GPROF" -s $options -O"$2" ../a.out ../gmon.*) \
			</dev/null >/dev/null 2>&1
		cmp -s "$1/chosen.$2/gmon.sum" "$1/ours.$2/gmon.sum" && rm "$1/chosen.$2/gmon.sum" && continue
		tap_not_ok "$what: the same sum with $options"
		return 1
	done <"$scratch/options"
}

# check_sums DIR FORMAT
check_sums() {
	# The formats of BSD take one histogram, and no more than they have room for: ours refuses.
	if ! add_up "$GPROF" "$2" "$1/ours.$2" >"$scratch/why"; then
		case $2 in b* | 4*) grep -q BSD "$scratch/why" && return ;; esac
		tap_not_ok "$what: gmon.sum is written"
		tap_note <"$scratch/why"
		return 1
	fi
	check_options "$1" "$2" || return
	add_up "$SYSTEM_GPROF" "$2" "$1/theirs.$2" >"$scratch/why"
	three_reports "$SYSTEM_GPROF" "$1/ours.$2" all >"$scratch/one"
	three_reports "$SYSTEM_GPROF" "$1/ours.$2" sum >"$scratch/two"
	agree "the system's gprof reads ours" || return
	three_reports "$GPROF" "$1/ours.$2" all >"$scratch/one"
	three_reports "$GPROF" "$1/ours.$2" sum >"$scratch/two"
	agree 'ours reads ours' || return
	three_reports "$SYSTEM_GPROF" "$1/theirs.$2" sum >"$scratch/one"
	three_reports "$GPROF" "$1/theirs.$2" sum >"$scratch/two"
	agree "ours reads the system's"
}

# Three profiles with 60000 ticks in one bin and 4000000000 calls each.
check_large() {
	evidence=$scratch/one
	mkdir "$scratch/large"
	"$TOOLS/mkprofile" -m "$machine" "$srcdir/tests/golden/sum.profile" "$scratch/large" || exit 99
	add_up "$GPROF" magic "$scratch/large/ours" | tap_note
	for program in "$GPROF" "$SYSTEM_GPROF"; do
		three_reports "$program" "$scratch/large/ours" sum >"$scratch/one"
		three_reports "$program" "$scratch/large/ours" all >"$scratch/two"
		what=$program
		agree "$machine, large sums" && tap_ok "$machine, large sums: $program"
		expect "$machine: 3 x 60000 ticks: $program" grep -q '1800\.00 .* work' "$scratch/one"
		expect "$machine: 3 x 4000000000 calls: $program" grep -q '12000000000 .*work' "$scratch/one"
	done
	rm -rf "$scratch/large"
}

# What the formats of BSD can say is the same in both files, byte for byte, if the calls come from the
# starts of symbols, in their order.
check_bytes() {
	mkdir "$scratch/bytes"
	"$TOOLS/mkprofile" -m "$machine" - "$scratch/bytes" <<-END || exit 99
		text 0x401000 0x80
		sym main 0x401000
		sym work 0x401020
		sym leaf 0x401040
		sym etext 0x401060 notype
		profile $1
		hist 0x401000 0x401060 24 100
		tick work 6
		arc main work 4
		arc work leaf 5
		arc leaf leaf 3
		profile $1
		hist 0x401000 0x401060 24 100
		tick work 60000
		arc main work 1
		arc work leaf 1
		arc leaf leaf 4000000000
	END
	add_up "$GPROF" "$2" "$scratch/bytes/ours" | tap_note
	add_up "$SYSTEM_GPROF" "$2" "$scratch/bytes/theirs" >/dev/null
	cmp "$scratch/bytes/ours/gmon.sum" "$scratch/bytes/theirs/gmon.sum" >"$scratch/why" 2>&1
	tap_check $? "$machine, $1, -O $2: gmon.sum is the same"
	tap_note <"$scratch/why"
	rm -rf "$scratch/bytes"
}

# check_layout LAYOUT FORMAT...: the random program with profiles of that layout, if it has such.
check_layout() {
	layout=$1
	dir=$scratch/$seed.$layout
	shift
	mkdir "$dir"
	"$TOOLS/randprofile" "$seed" | add_profiles | relayout "$layout" >"$dir/random.profile"
	# BSD files always have calls, if only none.
	if [ "$layout" != 1 ] && { grep -q '^profile 1' "$dir/random.profile" || ! grep -q ^arc "$dir/random.profile"; }; then
		rm -rf "$dir"
		return
	fi
	"$TOOLS/mkprofile" -m "$machine" "$dir/random.profile" "$dir" || exit 99
	bad=0
	for format; do
		what="seed $seed, $machine, $layout, -O $format"
		check_sums "$dir" "$format" || bad=1
	done
	[ $bad -eq 0 ] || return
	tap_ok "seed $seed, $machine, $layout: $*"
	rm -rf "$dir"
}

make_scratch
for machine in 64le 32le 64be 32be; do
	check_large
	check_bytes bsd bsd
	check_bytes bsd44 4.4bsd
done
echo "# seeds $first to $((first + count - 1)): SEED=$first COUNT=$count"
seed=$first
while [ "$seed" -lt $((first + count)) ]; do
	machine=$(machine_of "$seed")
	check_layout 1 auto magic
	check_layout bsd auto bsd
	check_layout bsd44 auto bsd 4.4bsd
	seed=$((seed + 1))
done
tap_done
