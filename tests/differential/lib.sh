# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced by the differential tests, after tests/lib.sh.

[ -n "$SYSTEM_GPROF" ] || tap_skip_all 'no GNU gprof: install Debian package binutils'

# An instrumented gprof is slow: it gets one case of $share, and more time for each.
case $INSTRUMENTED in
'') share=1 seconds=20 ;;
*valgrind*) share=6 seconds=200 ;;
*) share=2 seconds=60 ;;
esac

# command_lines FILE REST DIVISOR: every DIVISOR-th of those in tests/differential/FILE.
command_lines() {
	grep -v -e '^#' -e '^$' "$srcdir/tests/differential/$1" |
		awk -v rest="$2" -v divisor="$3" 'NR % divisor == rest % divisor'
}

# compare_lines WHAT DIR < LINES: one TAP line for all the command lines, run in DIR; those that differ are
# shown below it. Not to be used in a pipe, which would lose the count. Returns 1 if any differs.
compare_lines() {
	cat >"$scratch/cases"
	"$TOOLS/compare" -t $seconds "$GPROF" "$SYSTEM_GPROF" "$2" <"$scratch/cases" >"$scratch/tap"
	same=$(grep -c '^ok' "$scratch/tap")
	all=$(wc -l <"$scratch/cases")
	if [ "$same" -eq "$all" ] && [ "$all" -gt 0 ]; then
		tap_ok "$1: $all command lines"
		grep '^# note' "$scratch/tap"
		return 0
	fi
	tap_not_ok "$1: $((all - same)) of $all command lines"
	echo "# cd $2"
	awk '/^ok/ { show = 0 } /^not ok/ { show = 1; next } show' "$scratch/tap" | head -n 60
	return 1
}

# run_command PROGRAM COMMAND: what the shell command prints in $scratch, and its status; gprof in it means
# the program.
run_command() {
	program=$1
	# shellcheck disable=SC2317 # called by the command
	gprof() { timeout "$seconds" "$program" "$@"; }
	cd "$scratch" || exit 99
	eval "$2" </dev/null 2>errors
	echo "status $?"
}

# compare_commands FILE: a TAP line for each command of tests/differential/FILE.
compare_commands() {
	grep -v -e '^#' -e '^$' "$srcdir/tests/differential/$1" >"$scratch/commands"
	while IFS= read -r command <&3; do
		(run_command "$SYSTEM_GPROF" "$command") >"$scratch/theirs"
		(run_command "$GPROF" "$command") >"$scratch/ours"
		if cmp -s "$scratch/ours" "$scratch/theirs"; then
			tap_ok "$command"
		else
			tap_not_ok "$command"
			diff "$scratch/ours" "$scratch/theirs" | tap_note
			tap_note <"$scratch/errors"
		fi
	done 3<"$scratch/commands"
}

# machine_of SEED: the kinds of machine take turns.
machine_of() {
	case $(($1 % 4)) in
	0) echo 64le ;;
	1) echo 32le ;;
	2) echo 64be ;;
	3) echo 32be ;;
	esac
}

# make_random DIR: the image and its profiles, for $seed and $machine.
make_random() {
	mkdir "$1" && "$TOOLS/randprofile" "$seed" >"$1/random.profile" &&
		"$TOOLS/mkprofile" -m "$machine" "$1/random.profile" "$1"
}

# Says how to make what make_random made.
how_to_repeat() {
	echo '# to repeat it in the build directory:'
	echo "#   mkdir x; tests/tools/randprofile $seed > x.profile"
	echo "#   tests/tools/mkprofile -m $machine x.profile x; cd x"
}

# compare_seeds FIRST COUNT: random profiles by their seeds; the machines take turns. The script has `lines DIR',
# which prints the command lines for the one there.
compare_seeds() {
	echo "# seeds $1 to $(($1 + $2 - 1)): SEED=$1 COUNT=$2"
	seed=$1
	while [ "$seed" -lt $(($1 + $2)) ]; do
		machine=$(machine_of "$seed")
		dir=$scratch/$seed
		if ! make_random "$dir"; then
			tap_not_ok "seed $seed, $machine is made"
		elif
			lines "$dir" >"$scratch/lines"
			compare_lines "seed $seed, $machine" "$dir" <"$scratch/lines"
		then
			rm -rf "$dir"
		else
			how_to_repeat
		fi
		seed=$((seed + 1))
	done
}

# relayout FORMATS < PROFILE: the profiles that have just one histogram get the FORMATS in turn; `1' is
# the current one.
relayout() {
	awk -v formats="$1" '
		function flush_block(  i) {
			if (!lines) return
			format = nhists == 1 ? list[turn++ % n + 1] : "1"
			print "profile " format
			for (i = 1; i <= lines; i++) print line[i]
			lines = nhists = 0
		}
		BEGIN { n = split(formats, list, " ") }
		/^profile/ { flush_block(); begun = 1; next }
		!begun { print; next }
		{ line[++lines] = $0; nhists += $1 == "hist" }
		END { flush_block() }'
}
