# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by debian-COMPILER.sh: gprof and its tests compile in a bare Debian 13, with warnings as errors, and the core tests
# pass there. Each of their results is one here. The root is kept between runs in $XDG_CACHE_HOME/gprof, for a month; a
# run without network can use it.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/root.sh"

debian_cache=${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/gprof
debian_root=$debian_cache/trixie

# debian_prepare: the root, with all packages; for one script at a time. Leaves why it cannot in $scratch/reason.
debian_prepare() {
	if [ -n "$(find "$debian_root" -maxdepth 0 -mtime +30 2>/dev/null)" ]; then
		root_space rm -rf "$debian_root"
	fi
	if [ ! -d "$debian_root" ]; then
		root_space rm -rf "$debian_root.new"
		if ! root_make trixie "$debian_root.new"; then
			echo "debootstrap cannot: $(tail -n 1 "$debian_root.new.log")" >"$scratch/reason"
			return 1
		fi
		mv "$debian_root.new" "$debian_root"
	fi
	root_fill "$debian_root" "/src-$1" && root_run "$debian_root" "/src-$1" ./bootstrap packages core >"$scratch/log" 2>&1
	grep -E 'no network|going on' "$scratch/log" | head -n 1 >"$scratch/reason"
	[ ! -s "$scratch/reason" ]
}

# debian_results DIR: a TAP line for each result in the logs there.
debian_results() {
	(cd "$1" && find tests -name '*.log' ! -path 'tests/tmp/*' | sort) | while read -r debian_log; do
		debian_test=${debian_log%.log}
		awk -v test="$debian_test" '
			/^(not )?ok / { failed = $1 == "not"; sub(/ok *[0-9]*( - )?/, "ok " test ": "); print; next }
			/^1\.\.0 # SKIP/ { sub(/^1\.\.0 #/, "ok " test " #"); print; next }
			/^ERROR: / { print "not ok " test ": " $0; next }
			failed && /^#/' "$1/$debian_log"
		[ -f "$1/$debian_test.trs" ] || echo "not ok $debian_test: has no result"
	done | awk '/^(not )?ok / { n++; sub(/ok /, "ok " n " - ") } { print } END { print "1.." n }'
}

# debian_killed STATUS LOG: what says that a run with this status and log was killed, or a program that it ran, as where memory
# runs out or somebody ends it; nothing if none was.
debian_killed() {
	[ "$1" -le 128 ] || echo "status $1: killed by signal $(($1 - 128))"
	grep -E 'signal terminated program|(unable to execute command|compiler error): (Killed|Terminated)|\*\*\* .* (Killed|Terminated)$|^(Killed|Terminated)$' "$2"
}

# debian_check COMPILER TURN: the whole test; TURN says which half of the programs to profile are this compiler's.
debian_check() {
	debian_obstacle=$(root_obstacle)
	[ -z "$debian_obstacle" ] || tap_skip_all "$debian_obstacle"
	mkdir -p "$debian_cache" 2>/dev/null || tap_skip_all "cannot make $debian_cache"
	make_scratch
	exec 8>"$debian_cache/$1.lock" 9>"$debian_cache/lock"
	flock 8
	flock 9
	debian_prepare "$1" || tap_skip_all "no bare Debian 13 here: $(cat "$scratch/reason")"
	exec 9>&-
	# Few random profiles, and a sixth of the command lines: this machine has all of the same.
	root_run "$debian_root" "/src-$1" env CC="$1" JOBS=1 COUNT=12 SHARE=6 TURN="$2" \
		./bootstrap core >"$scratch/log" 2>&1 </dev/null
	debian_killed $? "$scratch/log" >"$scratch/killed"
	debian_results "$debian_root/src-$1" >"$scratch/results"
	if grep -qE '^(not )?ok ' "$scratch/results"; then
		cat "$scratch/results"
		tap_note <"$scratch/killed"
		return
	fi
	if [ -s "$scratch/killed" ]; then
		tap_not_ok "Debian 13, $1: the build goes on to its end; whether gprof and its tests compile is not known"
		tap_note <"$scratch/killed"
	else
		tap_not_ok "Debian 13, $1: gprof and its tests compile"
		grep -E 'error|rror:|failed' "$scratch/log" | tap_note
	fi
	tail -n 5 "$scratch/log" | tap_note
	tap_done
}
