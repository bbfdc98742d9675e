# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced, after tap.sh, by the scripts that run programs and look at what these leave.

# What a program may take, in seconds, and where `run' leaves what it did: the current directory.
run_limit=120
run_results=.

# run COMMAND...: in the current directory, without input. Leaves what it printed in the files out and err of
# $run_results, and its status in the file status there and in $status; 124 is that of one that took too long. True
# whatever the status.
run() {
	timeout "$run_limit" "$@" >"$run_results/out" 2>"$run_results/err" </dev/null
	status=$?
	echo $status >"$run_results/status"
}

# Words in front of a command that run it without privileges; none if this is not root.
as_nobody=
[ "$(id -u)" != 0 ] || as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'

# Words in front of a command that run it as root; of a name space that has this user alone, if this is not root.
as_root=
[ "$(id -u)" = 0 ] || as_root='unshare --map-root-user'

# This script, wherever it goes, and the function that is all of it that is wanted, if it is run again by by_root.
case $0 in
/*) tap_script=$0 ;;
*) tap_script=$(pwd)/$0 ;;
esac
tap_only=${TEST_PART-}
unset TEST_PART

# part_space COMMAND...: as root of a name space with this user's subordinate ids, among which are nobody's.
part_space() {
	unshare --map-root-user --map-auto --mount "$@"
}

# by_root FUNCTION WHAT: runs the function, of tests for root. If this is not root, so does this script run once more, as root of
# a name space, up to its only_part. Where there is none, WHAT is skipped.
by_root() {
	if [ "$(id -u)" = 0 ]; then
		"$1"
		return
	fi
	if ! part_space true 2>/dev/null; then
		tap_skip "$2" 'only root can make that, and no name space with subordinate user ids can be had (Debian package uidmap)'
		return
	fi
	tap_part=$(TEST_PART=$1 part_space sh "$tap_script" 2>&1)
	case $tap_part in
	*'ok '*) ;;
	*) tap_not_ok "$2: as root of a name space" ;;
	esac
	tap_failed=$((tap_failed + $(printf '%s\n' "$tap_part" | grep -c '^not ok')))
	# With numbers of their own, and without the plan.
	printf '%s\n' "$tap_part" | awk -v n="$tap_count" '
		/^1\.\.[0-9]+$/ { next }
		/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++n) }
		!/^(not )?ok / && !/^#/ { $0 = "# " $0 }
		{ print }'
	tap_count=$((tap_count + $(printf '%s\n' "$tap_part" | grep -c '^ok\|^not ok')))
}

# only_part: where by_root has run this script again, the function is run, and the script ends.
only_part() {
	[ -n "$tap_only" ] || return 0
	"$tap_only"
	tap_done
}

# let_nobody_in [ARGUMENT...]: before anything else, if the build directory lies below one that not everybody may enter: runs
# this script again, with these arguments, where empty directories that everybody may enter are in the place of those above.
# Without the rights for it, the tests that need nobody are skipped.
let_nobody_in() {
	{ [ "$(id -u)" = 0 ] && [ -z "${TEST_IS_IN-}" ] && ! $as_nobody test -x "$builddir/."; } 2>/dev/null || return 0
	tap_closed=$builddir
	until $as_nobody test -x "${tap_closed%/*}/."; do
		tap_closed=${tap_closed%/*}
	done 2>/dev/null
	export TEST_IS_IN=yes
	[ -z "$tap_only" ] || export TEST_PART="$tap_only"
	# shellcheck disable=SC2016 # for the inner shell
	! unshare --mount mount -t tmpfs none "$tap_closed" 2>/dev/null ||
		exec unshare --mount sh -c '
			exec 3<"$1" 4<"$2" && mount -t tmpfs -o mode=755 none "$3" && mkdir -p "$1" "$2" &&
				mount -c --bind /proc/self/fd/3 "$1" && mount -c --bind /proc/self/fd/4 "$2" && exec 3<&- 4<&- &&
				cd "$2" && shift 3 && exec sh "$@"' sh "$srcdir" "$builddir" "$tap_closed" "$tap_script" "$@"
	unset TEST_IS_IN TEST_PART
}

# everybody_enters: whether everybody may search the build directory and those above it.
everybody_enters() {
	tap_closed=$builddir
	while [ -n "$tap_closed" ]; do
		[ -n "$(find "$tap_closed" -maxdepth 0 -perm -001)" ] || return
		tap_closed=${tap_closed%/*}
	done
}

# can_be_nobody WHAT: whether gprof can be run without privileges; else WHAT is skipped.
can_be_nobody() {
	if [ "$(id -u)" != 0 ] || $as_nobody "$GPROF" --version >/dev/null 2>&1; then
		return
	fi
	tap_skip "$1" "nobody else can run $GPROF"
	false
}

# nobody_reaches WHAT: whether a program without privileges can run in the build directory, which may lie below a directory of
# mode 0700; else WHAT is skipped.
nobody_reaches() {
	if [ "$(id -u)" != 0 ] || $as_nobody test -x "$builddir/." 2>/dev/null; then
		return
	fi
	tap_skip "$1" "nobody else can enter $builddir"
	false
}
