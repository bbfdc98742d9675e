# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the tests of what gprof shows on a terminal.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"

escape=$(printf '\033')
TERM=xterm
export TERM
unset NO_COLOR

# enter: into an empty directory, if there are terminals.
enter() {
	make_scratch
	mkdir "$scratch/work" && cd "$scratch/work" || exit 99
	"$TOOLS/pty" true
	[ $? != 77 ] || tap_skip_all 'there are no pseudo-terminals'
}

# expect WHAT CONDITION [FILE...]: the files are shown if it fails.
expect() {
	if eval "$2"; then
		tap_ok "$1"
		return
	fi
	tap_not_ok "$1"
	echo "$2" | tap_note
	shift 2
	for file; do
		cat -v "$file" | tap_note
	done
}

# strip: its input without styles.
strip() {
	sed "s/$escape\[[0-9;]*m//g"
}

# on_terminal OPTION... -- COMMAND...: with these options of pty.
on_terminal() {
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # words
	timeout 60 "$TOOLS/pty" $options "$@" </dev/null
}
