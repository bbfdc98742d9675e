#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Data files that were dumped as text: every form gives the report of the file itself, whatever is printed between its
# lines; what is lost or damaged is told with its line, and read as 0 if that is asked for. od and objcopy, which are not
# ours, write some of the forms.
# shellcheck disable=SC2016,SC2034 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"

# dump FORM: gmon.out in that form.
dump() {
	case $1 in
	od) od -tx1 gmon.out ;;
	od-all) od -v -tx1 gmon.out ;;
	od-characters) od -tx1z gmon.out ;;
	od-words) od -x gmon.out ;;
	bare) od -v -An -tx1 gmon.out ;;
	intel | srec) objcopy -I binary -O "$(echo "$1" | sed s/intel/ihex/)" gmon.out made && cat made ;;
	*) "$TOOLS/dumptext" "$1" <gmon.out ;;
	esac
}

# read_dump [OPTION...]: a report of $file, in got, with what was said in said.
read_dump() {
	"$GPROF" -b "$@" a.out "$file" >got 2>err
	status=$?
	sed 's/^.*gprof: //' err >said
}

make_scratch
cd "$scratch" || exit 99
evidence='status said'
make_golden entry
"$GPROF" -b a.out gmon.out >wanted
for form in own nuttx xxd words canon od od-all od-characters od-words bare intel srec; do
	file=$form.txt
	dump $form >$file || exit 99
	read_dump
	expect "$form" '[ "$status" = 0 ] && cmp -s got wanted && [ ! -s err ]'
	sed 's/^/[12:34:56.789] /; s/$/\r/' <$file >timed.txt
	file=timed.txt
	read_dump
	expect "$form with times and carriage returns" '[ "$status" = 0 ] && cmp -s got wanted'
done
file=-
"$GPROF" -b a.out - <nuttx.txt >got
expect 'from a pipe' 'cmp -s got wanted'
{ yes 'log: nothing to see' | head -n 1000 && cat nuttx.txt; } >late.txt
file=late.txt
read_dump
expect 'after much else' '[ "$status" = 0 ] && cmp -s got wanted'

# loses FORM LINE AT BYTES: without that line of the form, the report is refused, and with --salvage made after a warning.
loses() {
	sed "$2d" "$1.txt" >lost.txt
	file=lost.txt said="line $2: $4 bytes missing at $3" line=$2
	read_dump
	expect "$1 without line $2" '[ "$status" = 1 ] && [ ! -s got ] && [ "$(cat said)" = "lost.txt: $said" ]'
	"$GPROF" -b --salvage a.out $file >got 2>err
	status=$?
	sed 's/^.*gprof: //' err >said
	expect "$1 without line $2, salvaged" '[ "$status" = 0 ] && [ -s got ] && grep -q "^warning: lost.txt: .* of the dump are missing and read as 0, the first at line $line$" said'
}
size=$(wc -c <gmon.out)
loses nuttx 6 0x30 16
loses srec 6 0x40 16
for form in xxd canon od-all od-words intel; do
	loses $form 6 0x50 16
done
loses own 7 "0x$(printf %x $((57 * 3)))" 57

# One character is another.
sed '4s/^\(....\)./\1*/; 4s/^\(....\)\*/\1A/' own.txt >flipped.txt
cmp -s own.txt flipped.txt && sed '4s/^\(....\)./\1B/' own.txt >flipped.txt
file=flipped.txt
read_dump
expect 'own: a character that is another' '[ "$status" = 1 ] && [ "$(cat said)" = "flipped.txt: line 4: its check sum is wrong" ]'
read_dump --salvage
expect 'own: a character that is another, salvaged' \
	'[ "$status" = 0 ] && [ "$(cat said)" = "warning: flipped.txt: 57 of $size bytes of the dump are missing and read as 0, the first at line 4" ]'
sed 's/^@end .*/@end 00000000/' own.txt >flipped.txt
read_dump
expect 'own: the sum of all is another' '[ "$status" = 1 ] && grep -q "the check sum of all bytes is wrong$" said'
sed '/^@end/,$d' own.txt >flipped.txt
read_dump
expect 'own: no end' '[ "$status" = 1 ] && grep -q "the text ends before the dump does$" said'
sed '4s/0\(.\)$/1\1/; 4s/1\(.\)$/2\1/' intel.txt >flipped.txt
cmp -s intel.txt flipped.txt && sed '4s/.$/x/' intel.txt | sed '4s/[0-9A-E]x$/Fx/; 4s/x$/0/' >flipped.txt
read_dump
expect 'Intel HEX: a check sum that is another' '[ "$status" = 1 ] && grep -q "^flipped.txt: line [45]: " said'

# With call stacks.
make_golden counted
for option in --inclusive -p --processes; do
	"$GPROF" -b $option a.out gmon.out >wanted 2>said
	cat said >>wanted
	{ dump own && "$TOOLS/dumptext" stacks <gmon.out.ext; } >own.txt
	file=own.txt
	read_dump $option
	cat err >>got
	sed -i 's/own\.txt/gmon.out/' got
	expect "call stacks, $option" '[ "$status" = 0 ] && cmp -s got wanted'
done
line=$(($(grep -n '^@gmonext' own.txt | cut -d : -f 1) + 2))
sed "${line}d" own.txt >lost.txt
file=lost.txt
read_dump -p
expect 'a line of the call stacks is missing' '[ "$status" = 1 ] && [ "$(cat said)" = "lost.txt: line $line: 57 bytes missing at 0x39" ]'
end=$(grep -n '^@end' own.txt | head -n 1 | cut -d : -f 1)
sed "$((end - 1)),${end}d" own.txt >lost.txt
read_dump -p
expect 'call stacks begin before the profile has ended' '[ "$status" = 1 ] && grep -q "^lost.txt: line [0-9]*: [0-9]* bytes missing at" said'
mv gmon.out.ext others.ext
"$GPROF" -b -p a.out gmon.out >wanted 2>said
printf 'another!' | dd of=others.ext bs=1 seek=24 conv=notrunc 2>said # the stamp
{ dump own && "$TOOLS/dumptext" stacks <others.ext; } >other.txt
file=other.txt
read_dump -p
expect 'call stacks of another profile are ignored' '[ "$status" = 0 ] && cmp -s got wanted && grep -qx "warning: other.txt: belongs to another profile: ignored" said'
echo 'no dump at all' >flipped.txt
file=flipped.txt
read_dump
expect 'a text without a dump is no profile' '[ "$status" = 1 ] && [ "$(cat said)" = "flipped.txt: too short for profile data: 15 bytes" ]'
tap_done
