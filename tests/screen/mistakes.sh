#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Typing mistakes, a row of mistakes.list each: gprof says in one line what was meant, and runs and writes nothing.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"

# Files of the table. What ran would leave a file behind.
make_files() {
	make_golden basic
	mkdir tool bin || exit 99
	printf '#!/bin/sh\ntouch ran\n' >start
	for program in words tool/words bin/installed; do
		cp start $program && chmod +x $program || exit 99
	done
	echo 'int main(void) { return 0; }' >words.c
	echo 'print(1)' >plot.py
	echo text >notes
}

# answers STATUS MESSAGE ARGUMENT...: gprof ends with that status after that message alone, and nothing was made.
# shellcheck disable=SC2317 # eval calls it
answers() {
	wanted=$1 text=$2
	shift 2
	PATH=$scratch/bin "$GPROF" "$@" >out 2>err </dev/null
	status=$?
	ls -A >after
	sed 's/^.*gprof: //' err >message
	if [ "$status" -eq "$wanted" ] && [ "$(cat message)" = "$text" ] && [ ! -s out ] && cmp -s before after; then
		tap_ok "$*"
	else
		tap_not_ok "$*: status $status"
		cat message out | tap_note
		diff before after | tap_note
	fi
}

make_scratch
cd "$scratch" || exit 99
make_files
formats=$("$GPROF" --export=? 2>&1 | sed 's/.*expected //')
touch before after err message out
ls -A >before
while IFS='|' read -r wanted arguments text; do
	case $wanted in
	'' | '#'*) continue ;;
	esac
	text=$(printf '%s\n' "$text" | sed "s/^ //; s/@FORMATS@/$formats/")
	eval "answers $wanted \"\$text\" $arguments"
done <"$srcdir/tests/screen/mistakes.list"

# Where there is no a.out.
rm a.out gmon.out
ls -A >before
took='a.out: No such file or directory; --entry took the program as its argument: gprof --entry=NAME words'
answers 1 "$took" --entry words
answers 1 'a.out: No such file or directory; name the program: gprof PROGRAM [gmon.out]' --entry words.c
answers 1 'a.out: No such file or directory; name the program: gprof PROGRAM [gmon.out]' --entry nothing
tap_done
