#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Real programs, profiled: each variant of tests/programs/list is built and run three times with
# different amounts of work; then our gprof and the system's must print the same bytes for the command
# lines of tests/differential/options, for some of those of options-more, options-lines and options-odd, and
# for random ones, which are others with another $SEED, and more with a larger $COUNT. Of the files with
# many lines, which are about options and not about programs, those that GNU gprof takes long for get a third.
#
#   programs.sh [NAME...]   only these variants; without names every other one, programs-2.sh the rest. With TURN=0 or
#                           TURN=1 in the environment half of these, if a gprof of another compiler has the other turn
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"
. "$srcdir/tests/differential/lib.sh"

# wanted NAME...: is $name among them; or if there are none, is it of this half, and of this turn?
wanted() {
	if [ $# -eq 0 ]; then
		[ $((variant % 2)) -eq "${half:-0}" ] && [ $((variant / 2 % 2)) -eq "${TURN:-$((variant / 2 % 2))}" ]
	else
		chosen "$name" "$@"
	fi
}

# Prints why this machine cannot build the variant.
variant_obstacle() {
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
build_variant() {
	# shellcheck disable=SC2086 # flags and sources are lists
	case $compiler in
	fpc) fpc -pg $flags -FE. -oa.out $sources ;;
	gnatmake) gnatmake -pg $flags $sources -o a.out ;;
	*) "$compiler" -pg $flags $sources -o a.out ;;
	esac
}

# Leaves gmon.3, gmon.2 and gmon.out.
run_rounds() {
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
		build_variant >log 2>&1 && run_rounds >>log 2>&1 && space_names >>log 2>&1
	)
}

# listed OPTION...: address and name of all that -C lists in $dir, by address.
listed() {
	(cd "$dir" && timeout $seconds "$GPROF" -b -C -z "$@" 2>/dev/null) |
		sed -n 's/^.*: (\(.*\):0x\([0-9a-f]*\)) [0-9]* executions$/000000000000000\2 \1/p' |
		sed 's/^0*\([0-9a-f]\{16\}\) /\1 /' | sort -u
}

# Writes to $scratch/mixed, if lines work, the functions in $dir that have code of other names inside, as what
# was inlined. GNU's -l has its own idea of what specifications mean for them (line-specs).
list_mixed() {
	: >"$scratch/mixed"
	$lines_work || return 0
	listed >"$scratch/functions"
	listed -l | awk -v functions="$scratch/functions" '
		BEGIN { while ((getline line <functions) > 0) starts[substr(line, 1, 16)] = 1 }
		$1 in starts { name = $2 }
		$2 != name { print name }' >"$scratch/mixed"
}

# functions AWK-CONDITION: the names of those in $dir that nm lists so, without the mixed ones.
functions() {
	nm "$dir/a.out" | awk -v mixed="$scratch/mixed" '
		BEGIN { while ((getline name <mixed) > 0) out[name] = 1 }
		'"$1"' && !($3 in out) { print $3 }'
}

# random_lines COUNT [OPTION...]: random command lines for the program in $dir; the OPTIONs are for
# randoptions. The calls in code are compared by calls.sh.
random_lines() {
	lines=$1
	shift
	$lines_work || set -- "$@" -x ls
	# shellcheck disable=SC2031 # the list of the variant
	set -- "$@" -x c "$((variant + 1000 * seed))" "$lines"
	# shellcheck disable=SC2031 # the list of the variant
	for source in $sources; do
		for path in "$srcdir/tests/programs"/$source; do
			set -- "$@" "${path##*/}"
		done
	done
	# shellcheck disable=SC2016 # awk's fields
	functions '$2 ~ /[tTwW]/ && $3 !~ /^(_fini|data_start)$/' |
		"$TOOLS/randoptions" "$@"
}

# GNU's -l gives up on many optimized programs (doc/differences.md, line-programs), and takes no names from
# scopes whose addresses are in a form that clang uses in DWARF 5 (inlined-names).
lines_work() {
	! readelf --debug-dump=abbrev "$1/a.out" 2>/dev/null | awk '
		/DW_TAG_/ { named = /DW_TAG_(inlined_subroutine|subprogram)/ }
		/DW_AT_ranges.*DW_FORM_rnglistx/ && named { found = 1 }
		END { exit !found }' &&
		(cd "$1" && timeout 20 "$SYSTEM_GPROF" -b -l -p >/dev/null 2>&1)
}

# Those of options-odd for the program in $dir, and the files that they name. If it has mcount itself, which GNU gprof
# excludes already, excluding all functions is excluding it twice (doc/differences.md, overlapping-specs).
odd_lines() {
	(
		cd "$dir" && mkdir -p dir || exit
		: >empty
		: >noopts
		echo junk >junk
		echo '-b -p' >opts
		head -c 100 gmon.out >short
		cp gmon.out 'a b'
		# shellcheck disable=SC2016,SC2046 # awk's fields; three functions
		set -- $(functions '$2 == "T" && $3 !~ /^(_|etext)/' | tail -n 3) main main
		# shellcheck disable=SC2031 # the list of the variant
		command_lines options-odd "$variant" $((16 * part)) |
			sed "s/{F}/$1/g; s/{G}/$2/g; s/{H}/$3/g; s/{S}/${sources##*/}/g"
	) | if nm "$dir/a.out" | grep -q ' mcount$'; then grep -v -e "-[eE] ''"; else cat; fi |
		if $lines_work; then cat; else grep -v -e ' -[a-zA-Z]*l' -e ' --l' -e '-s'; fi
}

# is_large: for so many symbols GNU gprof takes a tenth of a second, and with -l a second or two.
is_large() {
	[ "$(nm "$dir/a.out" | wc -l)" -gt 4000 ]
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
	reason=$(variant_obstacle)
	if [ -n "$reason" ]; then
		tap_skip "$name" "$reason"
		return
	fi
	dir=$scratch/$name
	if make_profiles "$dir"; then
		lines_work=false
		lines_work "$dir" && lines_work=true
		(cd "$dir" && make_lists a.out) || exit
		list_mixed
		part=$share
		! is_large || part=$((3 * share))
		{
			command_lines options "$variant" "$share"
			command_lines options-more "$variant" $((3 * part))
			random_lines $((count / share))
			odd_lines
			$lines_work && command_lines options-lines "$variant" $((3 * part))
		} >"$scratch/lines"
		# With -q, GNU gprof lists others for -r in large programs (order-names-once).
		random_lines $(((count / share + 3) / 4)) -o -x qQB >"$scratch/orders"
		compare_lines "$name" "$dir" <"$scratch/lines" &&
			compare_lines "$name, orders" "$dir" -u <"$scratch/orders" && rm -rf "$dir"
	else
		tap_not_ok "$name is built and run"
		tap_note <"$dir/log"
	fi
}

seed=${SEED:-1}
count=${COUNT:-16}
make_scratch
echo "# random lines: SEED=$seed COUNT=$count"
ln -s "$srcdir/tests/programs" "$scratch/sources"
variant=0
while IFS='|' read -r name compiler flags sources <&3; do
	case $name in '#'* | '') continue ;; esac
	name=${name%% *}
	compiler=${compiler# } compiler=${compiler%% *}
	variant=$((variant + 1))
	if wanted "$@"; then
		test_variant
	fi
done 3<"$srcdir/tests/programs/list"
tap_done
