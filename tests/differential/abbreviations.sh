#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every beginning of every long option of GNU gprof, whatever options we add: our gprof and the system's
# must print the same bytes and end with the same status. Where the texts are our own (--help, --version,
# --debug), a beginning must mean the same option.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/differential/lib.sh"

# An option is there twice if its argument is optional.
options='all-lines annotated-source annotated-source=work brief debug demangle demangle=none
	directory-path=. display-unused-functions exec-counts exec-counts=work external-symbol-table=nm
	file-format=magic file-info file-ordering=map flat-profile flat-profile=work function-ordering
	graph graph=work help ignore-non-functions inline-file-names line min-count=2
	no-annotated-source no-annotated-source=work no-demangle no-exec-counts no-exec-counts=work
	no-flat-profile no-flat-profile=work no-graph no-graph=work no-static no-time=leaf print-path
	separate-files static-call-graph sum table-length=3 time=work traditional version width=40'

# One a line.
list() {
	# shellcheck disable=SC2086 # a list
	printf '%s\n' $options
}

# beginnings < OPTIONS: each beginning of each, with the argument.
beginnings() {
	awk '{
		name = $0
		sub(/=.*/, "", name)
		for (i = 1; i <= length(name); i++)
			print "--" substr(name, 1, i) substr($0, length(name) + 1)
	}' | sort -u
}

# meaning PROGRAM WORD...: what is printed, and the status; or the option's name if that text is our own.
meaning() {
	(cd "$scratch" && exec timeout 20 "$@" </dev/null 2>errors) >"$scratch/printed"
	status=$?
	line=
	read -r line <"$scratch/printed"
	case $line in
	Usage:*) echo help ;;
	'GNU gprof '* | "$version") echo version ;;
	'[main] debug-level'*) echo debug ;;
	*) if grep -q 'note: profile' "$scratch/errors"; then echo debug; else cat "$scratch/printed"; fi ;;
	esac
	echo "status $status"
}

make_scratch
"$TOOLS/mkprofile" "$srcdir/tests/golden/sum.profile" "$scratch" || exit 99
echo 'a.o: work' >"$scratch/map"
nm "$scratch/a.out" >"$scratch/nm"
version=$("$GPROF" --version | sed 1q)
list | beginnings >"$scratch/words"
# An argument too many or none at all.
list | sed -e 's/=.*//' -e t -e 's/$/=x/' | beginnings | sort -u - "$scratch/words" |
	awk -v share="$share" 'NR % share == 0' >"$scratch/all"
# Nearly all print the same: two processes for each. Of the others the meaning is looked at.
sed "s/.*/-b '&'/" "$scratch/all" | "$TOOLS/compare" -t 20 "$GPROF" "$SYSTEM_GPROF" "$scratch" >"$scratch/compared" || exit 99
grep -E '^(not )?ok' "$scratch/compared" | paste -d ' ' - "$scratch/all" >"$scratch/results"
[ "$(wc -l <"$scratch/results")" = "$(wc -l <"$scratch/all")" ] || exit 99
while read -r result; do
	word=${result##* }
	case $result in
	ok*)
		tap_ok "$word"
		continue
		;;
	esac
	theirs=$(meaning "$SYSTEM_GPROF" -b "$word")
	ours=$(meaning "$GPROF" -b "$word")
	if [ "$ours" = "$theirs" ]; then
		tap_ok "$word"
	else
		tap_not_ok "$word"
		printf 'ours:\n%s\n' "$ours" | sed 5q | tap_note
		printf 'theirs:\n%s\n' "$theirs" | sed 5q | tap_note
	fi
done <"$scratch/results"
tap_done
