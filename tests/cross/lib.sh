# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced, after tests/lib/tap.sh, by the tests that build programs for other machines and run them here.

# Prints why this machine cannot build and run programs of $machine.
cross_obstacle() {
	if ! command -v "$compiler" >/dev/null; then
		echo "no $compiler: install Debian package gcc-$triple"
	elif ! command -v "$emulator" >/dev/null; then
		echo "no $emulator: install Debian package qemu-user"
	elif ! echo 'int main(void) { return 0; }' >"$scratch/probe.c" ||
		! cross_compile "$scratch/probe" -static "$scratch/probe.c" 2>/dev/null; then
		echo "$compiler cannot link: install the libc6-dev-*-cross that Debian's gcc-$triple recommends"
	fi
}

# for_machines COMMAND [NAME...]: runs COMMAND for each line of tests/cross/machines, or those named, with
# $machine, $compiler, $triple, $emulator and $flags as it says; a skipped test if that cannot be.
for_machines() {
	command=$1
	shift
	while IFS='|' read -r machine compiler emulator flags <&3; do
		machine=${machine%% *}
		case $machine in '#'* | '') continue ;; esac
		chosen "$machine" "$@" || continue
		compiler=${compiler# } compiler=${compiler%% *}
		emulator=${emulator# } emulator=${emulator%% *}
		triple=${compiler%-gcc}
		reason=$(cross_obstacle)
		if [ -n "$reason" ]; then
			tap_skip "$machine" "$reason"
		else
			$command
		fi
	done 3<"$srcdir/tests/cross/machines"
}

# cross_compile OUTPUT ARGUMENT...: with -pg, for $machine.
cross_compile() {
	output=$1
	shift
	# shellcheck disable=SC2086 # a list
	"$compiler" -pg $flags -o "$output" "$@"
}

# cross_run PROGRAM ARGUMENT...: on $machine.
cross_run() {
	timeout 60 "$emulator" -L "/usr/$triple" "$@" </dev/null
}
