#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each format of --export is in --help, has a part of its own in the manual, with an example, and one in the manual
# page, and is tested; each of its keys is in both.
. "${srcdir:-$(dirname "$0")/../..}/tests/style/lib.sh"

chapter=$srcdir/doc/manual/export.texi

# words < LIST: "a, b or c", one a line.
words() {
	sed 's/,* or /,/g' | tr , '\n' | tr -d ' .' | grep .
}

# expected ARGUMENT: the words that an error for the --export lists as those expected.
expected() {
	"$GPROF" --export="$1" </dev/null 2>&1 | sed -n 's/^.*: expected //p' | words
}

# part_of_manual FORMAT and part_of_page FORMAT: what they say about a format.
part_of_manual() {
	sed -n "/^@node $1\$/,/^@node /p" "$chapter"
}
part_of_page() {
	sed -n '/^\.SH EXPORTS/,/^\.SH EXIT/p' "$(built_page gprof.1)" | sed -n "/^.fB$1.fR /,/^\.TP/p"
}

# keys_without PART_OF: of the formats' keys, "FORMAT KEY" a line, those that are neither in the part about the format
# nor, as keys of several, in front of all of them.
keys_without() {
	while read -r format key; do
		{
			"$1" "$format"
			case $1 in
			part_of_manual) sed -n '/^@node Estimated Stacks/,/^@node callgrind/p' "$chapter" ;;
			*) sed -n '/^\.SH EXPORTS/,/^\.TP/p' "$(built_page gprof.1)" ;;
			esac
		} | grep -q "\\(^\\|[^a-z]\\)$key=" || echo "$format,$key"
	done <keys
}

make_scratch
cd "$scratch" || exit 1
expected '' >formats
"$GPROF" --help </dev/null | tr '\n' ' ' | sed 's/.*--export=FORMAT[^:]*: \([^-]*\) -o,.*/\1/' | words >helped
while read -r format; do
	expected "$format,?" | sed "s/^/$format /"
done <formats >keys

check "there are formats" "$([ -s formats ] && [ -s keys ] || echo none)"
check "--help has the formats, and no others" "$(diff formats helped)"
check "each has a part of the manual" "$(while read -r format; do
	[ -n "$(part_of_manual "$format")" ] || echo "$format"
done <formats)"
check "each part has an example" "$(while read -r format; do
	part_of_manual "$format" | grep -q "^\$ gprof.* --export=$format\\>" || echo "$format"
done <formats)"
check "each is in the manual page" "$(while read -r format; do
	[ -n "$(part_of_page "$format")" ] || echo "$format"
done <formats)"
check "each key is in the manual" "$(keys_without part_of_manual)"
check "each key is in the manual page" "$(keys_without part_of_page)"
check "a test in tests/export writes each" "$(while read -r format; do
	grep -q "^[^#]*--export=$format\\>" "$srcdir"/tests/export/*.sh || echo "$format"
done <formats)"
check "a test in tests/export uses each key" "$(while read -r format key; do
	grep -q "^[^#]*[ ,'\"]$key=" "$srcdir"/tests/export/*.sh || echo "$format,$key"
done <keys)"
tap_done
