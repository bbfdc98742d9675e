#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Firmware with runtime/embedded on the boards of tests/cross/boards/boards, in QEMU with a clock that counts
# instructions, so that each run is the same: its profile says the calls that it printed and the time that it was made
# for; the dump by semihosting and the one on the console are the same bytes; GNU gprof for that machine prints the same.
#
#   boards.sh [BOARD...]   only these
# shellcheck disable=SC2016,SC2034,SC2317 # commands for expect; time_is_right is one
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

kit=$srcdir/runtime/embedded
sources=$srcdir/tests/cross/boards

# Prints why this machine cannot build and run programs of $board.
board_obstacle() {
	if ! command -v "$compiler" >/dev/null; then
		echo "no $compiler: install Debian package gcc-${compiler%-gcc}"
	elif ! command -v "${emulator%% *}" >/dev/null; then
		case $emulator in
		*-arm*) echo "no ${emulator%% *}: install Debian package qemu-system-arm" ;;
		*) echo "no ${emulator%% *}: install Debian package qemu-system-misc" ;;
		esac
	fi
}

# firmware NAME OPTION...: makes NAME.elf for $board. Code is in .flash.text and .iram0.text if NAME begins with
# `sections', else the first is called .text, which GNU gprof needs.
firmware() {
	elf=$1.elf
	shift
	case $elf in
	sections*) cp "$sources/firmware.ld" firmware.ld ;;
	*) sed 's/\.flash\.text/.text/' "$sources/firmware.ld" >firmware.ld ;;
	esac
	# shellcheck disable=SC2086 # words
	"$compiler" $flags -pg -g -O1 -std=gnu11 -Wall -Wextra -Werror -fno-optimize-sibling-calls -ffreestanding \
		-nostartfiles -nostdlib "$@" -I"$srcdir/include" -I"$kit" -I"$kit/ports" \
		"$kit"/*.c "$kit/ports/semihosting.c" "$kit/ports/uart.c" "$sources/firmware.c" "$sources/$file".[cS] -lgcc -o "$elf" \
		-T firmware.ld -Wl,--defsym=CODE="$code",--defsym=RAM="$ram"
}

# simulate NAME: runs NAME.elf. Leaves gmon.out, what the console got in console, and that as lines of words, with decimal
# numbers, in said.
simulate() {
	rm -f gmon.out console
	# shellcheck disable=SC2086 # words
	timeout 60 $emulator -display none -monitor none -icount shift=5 -serial file:console \
		-semihosting-config enable=on,target=native -kernel "$1.elf" </dev/null >log 2>&1 || return
	tr -d '\r' <console | while read -r what one two three rest; do
		case $three in 0x*) three=$((three)) ;; esac
		case $what in
		arc) echo "arc $one $two $three" ;;
		cost) echo "cost $one $((two)) $three" ;;
		wrong) echo "wrong $((two))" ;;
		*) [ -z "$rest" ] || echo "$what $one $two $three $rest" ;;
		esac
	done >said
	grep -q '^@end ' console
}

# Leaves in `share' the part of the time of both that long_work has, in `samples' the number of samples of both.
read_shares() {
	"$GPROF" -b -p "$1" gmon.out >flat || return
	awk '$NF == "long_work" { long = $3 } $NF == "short_work" { short = $3 }
		END { print long / (long + short), (long + short) * 1000 }' flat >shares
	read -r share samples <shares
}

# Three quarters of the time, within 3 % or what chance does to so many samples.
time_is_right() {
	awk -v share="$share" -v n="$samples" 'BEGIN {
		bound = 3 * sqrt(0.75 * 0.25 / n)
		if (bound < 0.75 * 0.03) bound = 0.75 * 0.03
		off = share - 0.75
		exit !(n > 100 && off <= bound && -off <= bound)
	}'
}

# calls_of PROFILE: the calls that gprof finds, as in said, of the functions that these name.
calls_of() {
	"$GPROF" -b -q -z --estimated "$elf" "$1" | awk -f "$srcdir/tests/differential/callgraph.awk" counts=1 |
		awk 'NR == FNR { if ($1 == "arc") known[$3] = 1; next }
			$1 == "arc" && $3 in known' said - | sort
}

check_calls() {
	grep '^arc' said | sort >expected
	calls_of gmon.out >got
	same "$board, $1: calls" got expected
}

# The bytes of the dump in the console's log, by no code of ours.
console_bytes() {
	tr -d '\r' <console | sed -n '/^@gmon1 /,/^@end /{ /^@/d; s/:.*//; p; }' | base64 -d
}

# The fourth line of the dump has another character.
check_flipped() {
	tr -d '\r' <console | sed '1,/^@gmon1/d' | sed -n 4p >line
	changed=$(sed 's/^A/B/; t; s/^./A/' line)
	awk -v changed="$changed" '/^@gmon1/ { head = NR } NR == head + 4 && head { $0 = changed } { print }' console >flipped
	number=$(($(grep -n '^@gmon1' console | cut -d : -f 1) + 4))
	status=0
	"$GPROF" -b "$elf" flipped >out 2>err || status=$?
	expect "$board: a character of the text is another" \
		'[ "$status" = 1 ] && grep -q "flipped: line $number: its check sum is wrong$" err'
	status=0
	"$GPROF" -b --salvage "$elf" flipped >out 2>err || status=$?
	expect "$board: the same, salvaged" '[ "$status" = 0 ] && grep -q "warning: flipped: 57 of " err && [ -s out ]'
}

# Instructions of a call and of a tick beside those of a call that is not counted.
check_costs() {
	awk '$1 == "cost" { ticks[$2] = $4 / $3 } END {
		instruction = (ticks["hundred"] - ticks["plain"]) / 100
		printf "%.0f %.0f\n", (ticks["call"] - ticks["plain"]) / instruction,
			(ticks["tick"] - ticks["plain"]) / instruction
	}' said >costs
	read -r call tick <costs
	expect "$board: a call takes $call instructions, a tick $tick" \
		'[ "$call" -gt 0 ] && [ "$tick" -gt 0 ] && [ "$call" -le "$most_of_call" ] && [ "$tick" -le "$most_of_tick" ]'
}

check_gnu() {
	gnu=${compiler%gcc}gprof
	if ! command -v "$gnu" >/dev/null; then
		tap_skip "$board: GNU gprof" "no $gnu"
		return
	fi
	"$gnu" -b "$elf" gmon.out >wanted 2>err
	"$GPROF" -b "$elf" gmon.out >got
	same "$board: GNU gprof prints the same" got wanted
}

# A profile, its ways out, and its reports.
test_whole() {
	firmware plain || return
	simulate plain || return
	expect "$board: arguments and results are what they were" 'grep -qx "wrong 0" said'
	check_calls '1,000 interrupts a second'
	read_shares plain.elf
	expect "$board: time, a share of $share" time_is_right
	console_bytes >bytes
	same "$board: the console's bytes are those of semihosting" bytes gmon.out
	"$GPROF" -b plain.elf gmon.out >wanted
	"$GPROF" -b plain.elf console >got
	same "$board: the report of the console's log" got wanted
	check_flipped
	check_costs
	check_gnu
}

# The calls of a table that has no room for most: all the time, and how many are lost.
test_small() {
	firmware sections-small -DARCS=4 && simulate sections-small || return
	read_shares sections-small.elf
	expect "$board, no room for calls: time, a share of $share" time_is_right
	all=$(awk '$1 == "arc" { n += $4 } END { print n }' said)
	calls_of gmon.out >got
	counted=$(awk '{ n += $4 } END { print n + 0 }' got)
	"$GPROF" -b -p -z sections-small.elf gmon.out >flat
	dropped=$(awk '$NF == "gmon_dropped" { print $4 }' flat)
	expect "$board, no room for calls: $counted and $dropped that are dropped are $all" \
		'[ "${dropped:-0}" -gt 0 ] && [ $((counted + dropped)) = "$all" ]'
}

# So many interrupts that some come in the middle of a count.
test_storm() {
	firmware sections-storm -DPERIOD=40 && simulate sections-storm || return
	check_calls 'an interrupt in some 1,000 instructions'
}

# read_tree: leaves a report in wanted, and in `all' how many ticks gmon.out.ext has; of those outside of mcount, which reports leave out, in
# `samples' how many there are and in `complete' how many have a stack down to main; and in `share' the part of
# work's time that often() had.
read_tree() {
	"$GPROF" -b --export=folded -o folded "$elf" gmon.out 2>err || return
	awk '{ n = $NF / 1000000; all += n } # milliseconds
		/;often;work / { often += n }
		/;seldom;work / { seldom += n }
		/^(board_reset;)?main[; ]/ { complete += n }
		END { print (often + seldom ? often / (often + seldom) : 0), all + 0, complete + 0 }' folded >tree
	read -r share samples complete <tree
	"$GPROF" -b --inclusive "$elf" gmon.out >wanted 2>err
	all=$(awk '/^Each sample/ { for (i = 2; i <= NF; i++) if ($i ~ /^(samples,|more)$/) n += $(i - 1) } END { print n + 0 }' wanted)
}

# Call stacks: the same by file and by console, of nearly all samples, and with the time of each caller. Then so few that
# most are overwritten.
test_stacks() {
	chain=-fno-omit-frame-pointer
	[ "$file" = riscv ] || chain=-funwind-tables
	firmware stacks -DGMON_STACKS=2048 $chain && simulate stacks && read_tree || return
	check_calls 'with stacks'
	expect "$board, stacks: time by caller, a share of $share" time_is_right
	ticks=$(awk '$2 == "on_tick" { print $4 }' said)
	expect "$board, stacks: $complete of $samples are complete" '[ "$all" = "$ticks" ] && [ $((complete * 100)) -ge $((samples * 98)) ]'
	"$GPROF" -b --inclusive stacks.elf console >got 2>>err
	same "$board, stacks: the console's are those of semihosting" got wanted
	firmware stacks -DGMON_STACKS=16 -DGMON_STACK_DEPTH=2 $chain && simulate stacks && read_tree || return
	ticks=$(awk '$2 == "on_tick" { print $4 }' said)
	expect "$board, stacks: of $ticks samples those that are lost are counted" '[ "$all" = "$ticks" ]'
}

# test_board: one of the list, by parts, of which each says if it cannot be built or run.
test_board() {
	mkdir "$scratch/$board" && cd "$scratch/$board" || exit 99
	evidence='said flat err log'
	test_whole 2>log || expect "$board: a profile" false
	test_small 2>log || expect "$board: a profile without room for calls" false
	test_storm 2>log || expect "$board: a storm of interrupts" false
	test_stacks 2>log || expect "$board: call stacks" false
	cd "$builddir" || exit 99
}

# Xtensa has no emulator with windows of registers here: the code is compiled, with and without them.
test_xtensa() {
	compiler=xtensa-lx106-elf-gcc
	if ! command -v $compiler >/dev/null; then
		tap_skip 'Xtensa' 'no xtensa-lx106-elf-gcc: install Debian package gcc-xtensa-lx106'
		return
	fi
	cd "$scratch" || exit 99
	evidence=log
	for abi in windowed call0; do
		expect "Xtensa, $abi: compiles" \
			'$compiler -S -mabi=$abi -std=gnu11 -Os -Wall -Wextra -Werror -ffreestanding -I"$srcdir/include" "$kit"/*.c 2>log'
	done
	expect 'Xtensa, windowed: has _mcount' \
		'$compiler -S -mabi=windowed -std=gnu11 -Os -ffreestanding -I"$srcdir/include" -o mcount.s "$kit/gmon_mcount.c" && grep -q "^_mcount:" mcount.s'
	cd "$builddir" || exit 99
}

make_scratch
while IFS='|' read -r board emulator file memory compiler flags bounds <&3; do
	case $board in '#'* | '') continue ;; esac
	read -r board file compiler code ram most_of_call most_of_tick <<-END
		$board $file $compiler $memory $bounds
	END
	emulator=${emulator# }
	chosen "$board" "$@" || continue
	reason=$(board_obstacle)
	if [ -n "$reason" ]; then
		tap_skip "$board" "$reason"
	else
		test_board
	fi
done 3<"$sources/boards"
! chosen xtensa "$@" || test_xtensa
tap_done
