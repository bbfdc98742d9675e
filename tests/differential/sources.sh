#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Source lines and basic blocks: a program with debug information and a data file made for it, with samples,
# calls and basic blocks at the addresses of its lines. Our gprof and the system's must print the same
# bytes, files of -y included, with up to ten blocks a line. With all blocks of a line, more than GNU gprof
# shows, ours must list each.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/differential/lib.sh"

for program in nm addr2line; do
	command -v $program >/dev/null || tap_skip_all "no $program (Debian package binutils)"
done

# addresses: of all bytes of the program's functions, one a line, with file and line:
# "0x0000000000001139 one.c:7".
addresses() {
	nm -S a.out | awk '$4 ~ /^(ready|loops|entry|main|helper|clamp|unfound)$/ { print $1, $2 }' |
		while read -r start size; do
			at=$((0x$start))
			end=$((at + 0x$size))
			while [ $at -lt $end ]; do
				printf '0x%016x\n' $at
				at=$((at + 1))
			done
		done >pcs
	addr2line -e a.out @pcs >found
	sed 's/ (.*//; s/.*\///' found | paste -d ' ' pcs - |
		grep ':[1-9]'
}

# profile_text LIMIT < ADDRESSES: text for mkprofile, with at most LIMIT blocks a line of source.
profile_text() {
	echo 'text 0x1000 0x10'
	nm a.out | awk '$3 ~ /^(entry|main|helper|unfound)$/ { print "sym", $3, "0x" $1 }'
	echo profile
	awk -v limit="$1" '
		NR == 1 || $1 "" < low { low = $1 "" }
		$1 "" > high { high = $1 "" }
		seen[$2]++ < limit { block = block sprintf("bb %s %d\n", $1, NR % 13 ? NR * 7 : 0) }
		NR % 5 == 0 { tick = tick sprintf("tick %s %d\n", $1, NR % 17) }
		END {
			printf "hist %s %s+0x1 64 100\n%s%s", low, high, tick, block
			print "arc main+20 entry 7\narc entry+30 helper 5\narc helper+60 entry 4"
		}'
}

# machine_of_program: as mkprofile calls it, from the class and byte order in its ELF header.
machine_of_program() {
	case $(od -An -tu1 -j4 -N2 a.out) in
	*1*1) echo 32le ;;
	*2*1) echo 64le ;;
	*1*2) echo 32be ;;
	*2*2) echo 64be ;;
	esac
}

# make_data LIMIT: gmon.out.
make_data() {
	mkdir data && profile_text "$1" <places >data/text &&
		"$TOOLS/mkprofile" -m "$(machine_of_program)" data/text data && mv data/gmon.out . && rm -r data
}

# has_all_blocks: each block of $scratch/places stands in the list of calls with its count.
has_all_blocks() {
	"$GPROF" -b -l -C -z >listed || return
	awk 'NR % 13 { sub(/^0x0*/, "0x"); printf "%s %d\n", $1, NR * 7 }' places | sort >expected
	sed -n 's/^.*:[0-9]*: (.*:\(0x[0-9a-f]*\)) \([0-9]*\) executions$/\1 \2/p' listed | sort |
		comm -23 expected - >missing
	[ -s expected ] && [ ! -s missing ]
}

make_scratch
cd "$scratch" && cp -r "$srcdir/tests/programs/blocks" sources && chmod -R u+w sources || exit 99
if ! (cd sources && "$CC" -g -O0 -fno-pie -no-pie -o ../a.out one.c near/two.c) 2>log; then
	tap_note <log
	tap_skip_all "$CC cannot build the program"
fi
if ! addresses >places || ! make_data 10 2>log; then
	tap_not_ok 'the data file is made'
	tap_note <log
	tap_done
fi
compare_commands options-sources
cd "$scratch" && make_data 1000000
has_all_blocks
tap_check $? 'every block of a line is listed'
tap_note <missing
tap_done
