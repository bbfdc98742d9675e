#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Random profiles in the layouts of BSD, mixed with the current one. Our gprof and the system's must print
# the same bytes and agree on what conflicts; ours must read the same from a pipe.
#
#   formats.sh [SEED [COUNT]]   SEED, SEED+1, ... (default: $SEED or 1; $COUNT or 160, fewer if instrumented)
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/differential/lib.sh"

first=${1:-${SEED:-1}}
count=${2:-${COUNT:-$((160 / share))}}

# make_formats DIR FORMATS: one profile at least is of BSD, or there is no directory afterwards.
make_formats() {
	mkdir "$1" && "$TOOLS/randprofile" "$seed" | relayout "$2" >"$1/random.profile" || return
	if ! grep -q '^profile bsd' "$1/random.profile"; then
		rm -rf "$1"
		return
	fi
	"$TOOLS/mkprofile" -m "$machine" "$1/random.profile" "$1"
}

lines() {
	(
		cd "$1" || exit
		profiles=$(echo gmon.*)
		cat <<-END
			-b a.out $profiles
			-b -O auto -z a.out $profiles
			-b -Ob a.out $profiles
			-b -O4 a.out $profiles
			-b -Om a.out $profiles
			-b -T a.out $profiles gmon.out
			-b -C -p
			-b -Ob -p
			-b -O 4.4bsd -q
			-i
		END
	)
}

# A pipe has no second look at the start of a file.
check_pipe() {
	"$GPROF" -b a.out gmon.out 2>&1 | without_notes >from-file
	# shellcheck disable=SC2002 # a pipe, not a file
	cat gmon.out | "$GPROF" -b a.out - 2>&1 | without_notes >from-pipe
	sed 's/gmon\.out/-/' from-file | cmp -s - from-pipe ||
		sed 's/gmon\.out/standard input/' from-file | cmp -s - from-pipe
}

make_scratch
echo "# seeds $first to $((first + count - 1)): SEED=$first COUNT=$count"
seed=$first
piped=0
while [ "$seed" -lt $((first + count)) ]; do
	machine=$(machine_of "$seed")
	case $((seed / 4 % 4)) in
	0) formats=bsd ;;
	1) formats=bsd44 ;;
	2) formats='bsd 1 bsd44' ;;
	3) formats='1 bsd44 bsd' ;;
	esac
	dir=$scratch/$seed
	if ! make_formats "$dir" "$formats"; then
		tap_not_ok "seed $seed, $machine, $formats is made"
	elif [ -d "$dir" ]; then
		lines "$dir" >"$scratch/lines"
		bad=0
		compare_lines "seed $seed, $machine, $formats" "$dir" <"$scratch/lines" || bad=1
		if (cd "$dir" && check_pipe); then
			piped=$((piped + 1))
		else
			tap_not_ok "seed $seed, $machine, $formats: from a pipe" && bad=1
		fi
		[ $bad -eq 1 ] || rm -rf "$dir"
	fi
	seed=$((seed + 1))
done
tap_check $((piped == 0)) "$piped profiles are the same from a pipe"
tap_done
