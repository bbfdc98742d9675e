# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the tests of what gprof shows on a terminal.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"

escape=$(printf '\033')
TERM=xterm
export TERM
unset NO_COLOR
evidence='said left raw colored err status'

# enter_terminal: into an empty directory, if there are terminals.
enter_terminal() {
	make_scratch
	cd "$scratch" || exit 99
	"$TOOLS/pty" true
	[ $? != 77 ] || tap_skip_all 'there are no pseudo-terminals'
}

# strip: its input without styles.
strip() {
	sed "s/$escape\[[0-9;]*m//g"
}

# as_shown: its input as a terminal has it, with an empty line in place of a form feed.
as_shown() {
	tr -d '\f'
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
