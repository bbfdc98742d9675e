#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual has a text and an example for each option, and for nothing else, of which the manual page gets a part;
# makeinfo and groff take it without complaint. That the examples are true is tests/manual/examples.sh.
# shellcheck source-path=SCRIPTDIR source=../lib/style.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

table=$srcdir/src/run/line/options.def
formats=$srcdir/src/export/formats.def
manual=$srcdir/doc/manual
# In the order in which the build puts them together.
texts=$(sed -n "s|^.*doc/\(manual/options-[a-z]*\.texi\).*|$srcdir/doc/\1|p" "$srcdir/doc/doc.am")

# Options without an example in their section whose commands have them: "-x", "-bx" or "--name".
without_example() {
	awk -v out="$scratch/examples" -f "$srcdir/tests/manual/extract.awk" "$manual"/options-*.texi >list
	awk -v table="$table" -v examples="$scratch/examples/" '
	function uses(command, i,  n, word, w) {
		n = split(command, word, " ")
		for (w = 1; w <= n; w++) {
			sub(/=.*/, "", word[w])
			if (name[i] != "" && word[w] == "--" name[i] ||
			    letter[i] != "" && word[w] ~ "^-b?" letter[i])
				return 1
		}
		return 0
	}
	BEGIN {
		while ((getline row <table) > 0) {
			if (row !~ /^(OPT|OWN)\(/)
				continue
			split(row, part, "\"")
			rows++
			letter[rows] = row ~ /^O..\(\047/ ? substr(row, 6, 1) : ""
			name[rows] = part[2]
			row_of[part[2] != "" ? part[2] : letter[rows]] = rows
		}
	}
	$2 ~ /^(run|session|unordered)$/ && $7 in row_of {
		while ((getline line <(examples $1)) > 0) {
			if (line ~ /^\$ .*gprof/ && uses(line, row_of[$7]))
				shown[row_of[$7]] = 1
		}
	}
	END {
		for (i = 1; i <= rows; i++) {
			if (!shown[i])
				print "no example of " (name[i] != "" ? "--" name[i] : "-" letter[i])
		}
	}' list
}

make_scratch
cd "$scratch" || exit 1
mkdir examples

check "each option has its text, in the order of options.def" "$(
	# shellcheck disable=SC2086 # paths
	awk -v check=1 -f "$srcdir/doc/texts.awk" -f "$srcdir/doc/options.awk" "$formats" "$table" $texts 2>&1 >options.texi
	[ -s options.texi ] || echo none
)"
awk -f "$srcdir/doc/texts.awk" -f "$srcdir/doc/exports.awk" "$formats" "$manual/export.texi" >exports.texi
check "each format has a text in the manual page, of Texinfo that man.awk knows" "$(
	awk -v man=1 -v check=1 -f "$srcdir/doc/texts.awk" -f "$srcdir/doc/exports.awk" "$formats" "$manual/export.texi" 2>&1 >text
	awk -v check=1 -v mark=FORMATS -f "$srcdir/doc/man.awk" text "$srcdir/doc/gprof.1.in" 2>&1 >gprof.1.in
)"
check "each option has a text in the manual page, of Texinfo that man.awk knows" "$(
	{
		# shellcheck disable=SC2086 # paths
		awk -v man=1 -v check=1 -f "$srcdir/doc/texts.awk" -f "$srcdir/doc/options.awk" "$formats" "$table" $texts |
			awk -v check=1 -f "$srcdir/doc/man.awk" - gprof.1.in
	} 2>&1 >gprof.1
	[ -s gprof.1 ] || echo none
)"
check "the manual page is of these texts" "$(cmp gprof.1 "$(built_page gprof.1)" 2>&1)"
check "each option has an example" "$(without_example)"
check "every chapter is in the manual" "$(
	for file in "$manual"/*.texi; do
		case $file in
		*/options-* | */export.texi) grep -q "${file##*/}" "$srcdir/doc/doc.am" || echo "${file##*/}" ;;
		*/gmon-keys.texi) grep -q "^@include manual/${file##*/}" "$manual/libgmon.texi" || echo "${file##*/}" ;;
		*) grep -q "^@include manual/${file##*/}" "$srcdir/doc/gprof.texi" || echo "${file##*/}" ;;
		esac
	done
)"
check "no part has over 600 lines" \
	"$(awk 'FNR == 601 { print FILENAME }' "$srcdir/doc/gprof.texi" "$manual"/*.texi)"

echo '@set VERSION 0' >release.texi
what="makeinfo has no complaint"
if command -v makeinfo >/dev/null; then
	check "$what" "$(makeinfo --no-split -I "$srcdir/doc" -I . -o gprof.info "$srcdir/doc/gprof.texi" 2>&1)"
else
	tap_skip "$what" "no makeinfo (Debian package texinfo)"
fi
what="what users look for is in the index"
if command -v makeinfo >/dev/null; then
	sed -n '/^Node: Index/,$d; /^\* Menu:/,$p' gprof.info >index
	check "$what" "$(
		for word in threads fork server 'shared libraries' region merge inlining killed stripped; do
			grep -q "^\* $word" index || echo "$word"
		done
	)"
else
	tap_skip "$what" "no makeinfo (Debian package texinfo)"
fi
what="groff has no complaint about gmon.out.5 and gmon.out.ext.5"
if command -v groff >/dev/null; then
	check "$what" "$(groff -man -Tascii -ww -z "$srcdir/doc/gmon.out.5" "$srcdir/doc/gmon.out.ext.5" 2>&1)"
else
	tap_skip "$what" "no groff (Debian package groff-base)"
fi
tap_done
