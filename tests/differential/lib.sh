# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced by the differential tests, after tests/lib/tap.sh.

[ -n "$SYSTEM_GPROF" ] || tap_skip_all 'no GNU gprof: install Debian package binutils'

# One case of $share is run: of so many as SHARE in the environment says, where another machine runs all; and fewer by an
# instrumented gprof, which is slow and has more time for each.
case $INSTRUMENTED in
'') share=${SHARE:-1} seconds=20 ;;
*valgrind*) share=6 seconds=200 ;;
*) share=2 seconds=60 ;;
esac

# command_lines FILE REST DIVISOR: every DIVISOR-th of those in tests/differential/FILE.
command_lines() {
	grep -v -e '^#' -e '^$' "$srcdir/tests/differential/$1" |
		awk -v rest="$2" -v divisor="$3" 'NR % divisor == rest % divisor'
}

# compare_lines WHAT DIR [OPTION...] < LINES: one TAP line for all the command lines, run in DIR; those that
# differ are shown below it. The OPTIONs are for compare. Not to be used in a pipe, which would lose the count.
# Returns 1 if any differs.
compare_lines() {
	cat >"$scratch/cases"
	what=$1
	where=$2
	shift 2
	"$TOOLS/compare" "$@" -t $seconds "$GPROF" "$SYSTEM_GPROF" "$where" <"$scratch/cases" >"$scratch/tap"
	status=$?
	same=$(grep -c '^ok' "$scratch/tap")
	all=$(wc -l <"$scratch/cases")
	if [ "$same" -eq "$all" ] && [ "$all" -gt 0 ] && [ $status -eq 0 ]; then
		tap_ok "$what: $all command lines"
		grep '^# note' "$scratch/tap"
		return 0
	fi
	tap_not_ok "$what: $((all - same)) of $all command lines"
	[ $status -eq 0 ] || echo "# compare ended with status $status"
	echo "# cd $where"
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

# all_profiles DIR: the operands for all profiles there, if there are several.
all_profiles() {
	[ ! -f "$1/gmon.2" ] || echo " a.out $(cd "$1" && echo gmon.*)"
}

# first_seed FIRST COUNT: what next_seed begins with, and how often it succeeds.
first_seed() {
	echo "# seeds $1 to $(($1 + $2 - 1)): SEED=$1 COUNT=$2"
	seed=$(($1 - 1))
	last_seed=$(($1 + $2 - 1))
}

# Makes a random program in $dir for the next $seed and its $machine; 1 if there are no more.
next_seed() {
	while [ "$seed" -lt "$last_seed" ]; do
		seed=$((seed + 1))
		machine=$(machine_of "$seed")
		dir=$scratch/$seed
		make_random "$dir" && return
		tap_not_ok "seed $seed, $machine is made"
	done
	false
}

# end_seed STATUS: removes the program, or says how to make it if STATUS is not 0.
end_seed() {
	if [ "$1" -eq 0 ]; then
		rm -rf "$dir"
	else
		how_to_repeat
	fi
}

# GNU gprof reads a flag of its map that it did not set, and -R differs by chance unless new memory is zero: it is
# filled with the complement of 255.
GLIBC_TUNABLES=glibc.malloc.perturb=255:glibc.malloc.tcache_count=0
export GLIBC_TUNABLES

# make_lists IMAGE: for -S, `symbols' in the current directory, which is what nm prints, with an end, for
# GNU gprof never credits the last symbol. For the same reason `map', for -R, which takes symbols away, leaves
# the last ones alone.
make_lists() {
	nm -p "$1" >symbols
	last=$(awk '$2 ~ /^[TtW]$/ { print $1, $3 }' symbols | sort | tail -n 1)
	awk -v last="${last#* }" '
		$2 ~ /^[TtW]$/ && $3 != last && $3 != "_fini" {
			print "o" int(NR / 4) ".o:" $0
		}' symbols >map &&
		echo 'ffff0000 T end' >>symbols
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
