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
