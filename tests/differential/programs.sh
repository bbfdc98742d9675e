#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Real programs, profiled: each variant of tests/programs/list is built and run three times with
# different amounts of work; then our gprof and the system's must print the same bytes for the command
# lines of tests/differential/options and for a third of those of options-more and options-lines.
#
#   programs.sh [NAME...]   only these variants
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"
. "$srcdir/tests/differential/lib.sh"

# wants NAME...: is $name among them, or are there none?
wants() {
	[ $# -eq 0 ] && return
	for want; do
		[ "$want" = "$name" ] && return
	done
	false
}

package_of() {
	case $1 in
	clang*) echo clang ;;
	fpc) echo fp-compiler ;;
	gnatmake) echo gnat ;;
	*) echo "$1" ;;
	esac
}

# Prints why this machine cannot build the variant.
obstacle() {
	if ! command -v "$compiler" >/dev/null; then
		echo "no $compiler: install Debian package $(package_of "$compiler")"
		return
	fi
	case $sources in *_x86_64.S*) [ "$(uname -m)" = x86_64 ] || echo 'not an x86-64 machine' ;; esac
	for flag in $flags; do
		case $flag in
		-m*) echo 'int main(void) { return 0; }' |
			"$compiler" "$flag" -pg -xc - -o "$scratch/probe" 2>/dev/null ||
			echo "$compiler cannot link with $flag (-m32: Debian package gcc-multilib or gcc-i686-linux-gnu)" ;;
		esac
	done
}

# Makes a.out from $sources in the current directory.
compile() {
	# shellcheck disable=SC2086 # flags and sources are lists
	case $compiler in
	fpc) fpc -pg $flags -FE. -oa.out $sources ;;
	gnatmake) gnatmake -pg $flags $sources -o a.out ;;
	*) "$compiler" -pg $flags $sources -o a.out ;;
	esac
}

# Leaves gmon.3, gmon.2 and gmon.out.
run() {
	for rounds in 3 2 1; do
		timeout 60 ./a.out $rounds </dev/null || { echo "a.out $rounds: status $?"; return 1; }
		[ $rounds -eq 1 ] || mv gmon.out gmon.$rounds || return
	done
}

# GNU gprof judges a local name that ends in a dot and digits with the string behind it (doc/differences.md).
space_names() {
	if nm a.out | grep -q ' t .*\.[0-9]*$'; then
		cp a.out a.orig && "$TOOLS/spacenames" a.out
	fi
}

# make_profiles DIR: leaves the reason in DIR/log if it fails.
make_profiles() {
	mkdir "$1" && (
		cd "$1" || exit
		# shellcheck disable=SC2030 # not the list of the variant
		sources=$(for source in $sources; do printf '../sources/%s ' "$source"; done)
		compile >log 2>&1 && run >>log 2>&1 && space_names >>log 2>&1
	)
}

# Some random specifications for the program in DIR, of its functions and files.
random_lines() {
	image=$1/a.out
	set --
	# shellcheck disable=SC2031 # the list of the variant
	for source in $sources; do
		for path in "$srcdir/tests/programs"/$source; do
			set -- "$@" "${path##*/}"
		done
	done
	nm "$image" | awk '$2 ~ /[tTwW]/ && $3 !~ /^(_fini|data_start)$/ { print $3 }' |
		"$TOOLS/randoptions" "$variant" $((16 / share)) "$@"
}

# GNU's -l gives up on many optimized programs (doc/differences.md, line-programs), and names some
# code that clang inlined after the function around it (inlined-names).
lines_work() {
	case $compiler in clang*) return 1 ;; esac
	(cd "$1" && timeout 20 "$SYSTEM_GPROF" -b -l -p >/dev/null 2>&1)
}

# Uses another compiler if this one has no -m32.
choose_compiler() {
	case " $flags " in *" -m32 "*) words=$(compiler_32 "$compiler") ;; *) return ;; esac
	[ -n "$words" ] || return
	compiler=${words%% *}
	flags="${words#* } ${flags%%-m32*} ${flags##*-m32}"
}

test_variant() {
	choose_compiler
	reason=$(obstacle)
	if [ -n "$reason" ]; then
		tap_skip "$name" "$reason"
	elif make_profiles "$scratch/$name"; then
		{
			command_lines options "$variant" "$share"
			command_lines options-more "$variant" $((3 * share))
			random_lines "$scratch/$name"
			lines_work "$scratch/$name" &&
				command_lines options-lines "$variant" $((3 * share))
		} >"$scratch/lines"
		compare_lines "$name" "$scratch/$name" <"$scratch/lines" && rm -rf "${scratch:?}/$name"
	else
		tap_not_ok "$name is built and run"
		tap_note <"$scratch/$name/log"
	fi
}

make_scratch
ln -s "$srcdir/tests/programs" "$scratch/sources"
variant=0
while IFS='|' read -r name compiler flags sources <&3; do
	case $name in '#'* | '') continue ;; esac
	name=${name%% *}
	compiler=${compiler# } compiler=${compiler%% *}
	variant=$((variant + 1))
	if wants "$@"; then
		test_variant
	fi
done 3<"$srcdir/tests/programs/list"
tap_done
