#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each row of src/export/formats.def has a section with an example in the manual and a test in tests/export/, whose
# line "# Formats:" says what it is about; no section and no test is about anything else. --help and the message
# about an unknown format list the rows. Each key of a format is in its section, or in front of all, and in a test.
# shellcheck source-path=SCRIPTDIR source=../lib/style.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

table=$srcdir/src/export/formats.def
chapter=$srcdir/doc/manual/export.texi

# shown FORMAT: an example in its section exports it.
shown() {
	awk -v format="$1" '
		/^@c format / { inside = $3 == format }
		inside && /^\$ gprof / && $0 ~ "--export=" format "([, ]|$)" { found = 1 }
		END { exit !found }' "$chapter"
}

# tested FORMAT: a test that says so exports it.
tested() {
	for script in $scripts; do
		sed -n 's/^# Formats: \(.*\)/ \1 /p' "$srcdir/$script" | grep -qF " $1 " &&
			grep -v '^#' "$srcdir/$script" | grep -q -e "--export=$1\>" && return
	done
	return 1
}

# keys FORMAT: those that an error about an unknown one lists, one a line.
keys() {
	"$GPROF" --export="$1,?" 2>&1 </dev/null | sed -n 's/ and /, /; s/=[^ ,]*//g; s/^.* knows these keys: //p' | tr -s ', ' '\n'
}

# said FORMAT KEY: the format's section, or what is in front of all sections, has the key.
said() {
	awk -v format="$1" -v key="$2=" '
		BEGIN { inside = 1 }
		/^@c format / { inside = $3 == format }
		inside && match($0, "(^|[^a-z])" key) { found = 1 }
		END { exit !found }' "$chapter"
}

make_scratch
cd "$scratch" || exit 1
sed -n 's/^FORMAT(\([a-z]*\), "[^"]*", [A-Z_| 0]*, "[^"]*")$/\1/p' "$table" >rows
scripts=$(sed -n 's|^[[:blank:]]*\(tests/export/[a-z-]*\.sh\).*|\1|p' "$srcdir/tests/tests.am")

check "each row is a line with name, file, needs and help, in alphabetical order" "$(
	[ -s rows ] || echo none
	[ "$(wc -l <rows)" = "$(grep -c '^FORMAT' "$table")" ] || echo "a row that cannot be read"
	sort -c rows 2>&1
)"
check "each format has its section in the manual, in the order of the table" \
	"$(awk -v check=1 -f "$srcdir/doc/texts.awk" -f "$srcdir/doc/exports.awk" "$table" "$chapter" 2>&1 >exports.texi)"
check "each section has an example" "$(while read -r format; do shown "$format" || echo "$format"; done <rows)"
check "each format has a test" "$(while read -r format; do tested "$format" || echo "$format"; done <rows)"
check "each test says which formats it is about" "$(
	for script in $scripts; do
		grep -q '^# Formats: [a-z]' "$srcdir/$script" || echo "$script"
	done
)"
check "no test is about anything else" "$(
	for script in $scripts; do
		sed -n 's/^# Formats: //p' "$srcdir/$script" | tr ' ' '\n' | grep -vxFf rows | sed "s|^|$script: |"
	done
)"
"$GPROF" --help </dev/null | tr -s ' \n' '  ' >help
check "--help lists the formats" "$(grep -qF ": $(paste -s -d , rows | sed 's/,/, /g')" help || echo "another list")"
"$GPROF" --export= 2>&1 </dev/null | sed 's/^.*: [a-z]* //; s/,//g; s/ or / /' | tr ' ' '\n' >listed
check "so does the message about an unknown format" "$(diff rows listed)"
while read -r format; do
	keys "$format" | sed "s/^/$format /"
done <rows >format_keys
check "each key is in the manual" "$([ -s format_keys ] || echo none
	while read -r format key; do said "$format" "$key" || echo "$format,$key"; done <format_keys)"
check "each key is in a test" "$(while read -r format key; do
	grep -q "^[^#]*[ ,'\"]$key=" "$srcdir"/tests/export/*.sh || echo "$format,$key"
done <format_keys)"
tap_done
