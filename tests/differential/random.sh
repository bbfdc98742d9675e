#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random profiles: our gprof and the system's must print the same bytes for the command lines of
# tests/differential/options. The kinds of machine take turns.
#
#   random.sh [SEED [COUNT]]   SEED, SEED+1, ... (default: $SEED or 1; $COUNT or 500, fewer if instrumented)
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"
. "$srcdir/tests/differential/lib.sh"

first=${1:-${SEED:-1}}
count=${2:-${COUNT:-$((500 / share))}}

machine_of() {
	case $(($1 % 4)) in
	0) echo 64le ;;
	1) echo 32le ;;
	2) echo 64be ;;
	3) echo 32be ;;
	esac
}

# make_profile DIR: the image and its profiles, for $seed and $machine.
make_profile() {
	mkdir "$1" && "$TOOLS/randprofile" "$seed" >"$1/random.profile" &&
		"$TOOLS/mkprofile" -m "$machine" "$1/random.profile" "$1"
}

# The profiles of a program are one sum: some of them have no histogram.
lines() {
	if [ -f gmon.2 ]; then
		command_lines options "$seed" "$share" | sed "s/\$/ a.out $(echo gmon.*)/"
	else
		command_lines options "$seed" "$share"
	fi
}

how_to_repeat() {
	echo '# to repeat it in the build directory:'
	echo "#   mkdir x; tests/tools/randprofile $seed > x.profile"
	echo "#   tests/tools/mkprofile -m $machine x.profile x; cd x"
}

make_scratch
echo "# seeds $first to $((first + count - 1)): SEED=$first COUNT=$count"
seed=$first
while [ "$seed" -lt $((first + count)) ]; do
	machine=$(machine_of "$seed")
	dir=$scratch/$seed
	if ! make_profile "$dir"; then
		tap_not_ok "seed $seed, $machine is made"
	elif
		(cd "$dir" && lines) >"$scratch/lines"
		compare_lines "seed $seed, $machine" "$dir" <"$scratch/lines"
	then
		rm -rf "$dir"
	else
		how_to_repeat
	fi
	seed=$((seed + 1))
done
tap_done
