#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# seeds.sh DIR: makes what the fuzz targets start from, with the generators of the other tests:
#   DIR/files        a program, its profiles and lists; targets run there
#   DIR/TARGET/NAME  inputs, as the heads of TARGET.c describe them
: "${srcdir:?}" "${TOOLS:?}" "${CC:=cc}"
set -e
machines='64le 64be 32le 32be' # by the numbers that profile.c gives them
golden=$srcdir/tests/golden
cd "$1"
mkdir -p files made profile stacks jit text words pair lines addup

# byte NUMBER
byte() {
	# shellcheck disable=SC2059 # octal
	printf "\\$(printf %03o "$1")"
}
# small PROFILE: not much output is to be expected of it.
small() { [ "$(wc -c <"$1")" -lt 2000 ]; }

# Profiles, and programs with theirs.
letters='a b c d e f g h i j k l m n'
set --
for from in "$golden"/*.profile; do
	small "$from" || continue
	name=$(basename "$from" .profile)
	number=0
	for machine in $machines; do
		dir=made/$name.$machine
		mkdir -p "$dir"
		"$TOOLS/mkprofile" -m "$machine" "$from" "$dir"
		for file in "$dir"/gmon.*; do
			case $file in *.ext)
				{ byte $number && cat "$file"; } >"stacks/$name.$machine.$(basename "$file")"
				continue
				;;
			esac
			{ byte $number && printf a && cat "$file"; } >"profile/$name.$machine.$(basename "$file")"
			case $file in */gmon.out) cat "$file" "$file" >"addup/$name.$machine" ;; esac
		done
		[ $# -gt 0 ] || eval "set -- $letters"
		{ printf %s "$1" && cat "$dir/a.out" && printf '\n--profile--\n' && cat "$dir/gmon.out"; } \
			>"pair/$name.$machine"
		shift
		number=$((number + 1))
	done
done

# Calls and ticks of modules, with stacks and without.
number=0
for machine in $machines; do
	for stack in '' 'stack 3 0x401004 lib.so:0x1010'; do
		cat >made/text <<-END
			text 0x401000 0x80
			profile
			hist 0x401000 0x401080 16 100
			module a.out 0x401000 0x401080 0 program
			module /lib/lib.so 0x7001000 0x7002000 0x7000000 $(printf %040d 7)
			module /lib/plugin.so 0x7001800 0x7002800 0x7001000 unloaded
			module [unloaded] 0 0 0 unloaded several
			kind cpu 100 seconds s
			$stack
			call 0x401010 lib.so:0x1100 7 1
			call -:0x9000000 plugin.so:0x900 2
			call [unloaded]:0x7001900 0x401040 1
			outside lib.so:0x1200 30
			outside -:0 2
		END
		"$TOOLS/mkprofile" -m "$machine" made/text made
		{ byte $number && cat made/gmon.out.ext; } >"stacks/modules${stack:+-stacks}.$machine"
	done
	number=$((number + 1))
done

# Basic blocks, both formats of BSD, and a live profile: a header, a block of counts, one of bins.
for machine in $machines; do
	for layout in bsd bsd44; do
		{
			echo "text 0x401000 0x80"
			echo "profile $layout"
			echo 'hist 0x401000 0x401080 16 100'
			echo 'tick 0x401010 5'
			echo 'arc 0x401010 0x401040 7'
		} >made/text
		mkdir -p "made/$layout.$machine"
		"$TOOLS/mkprofile" -m "$machine" made/text "made/$layout.$machine"
	done
done
number=0
for machine in $machines; do
	{ byte $number && printf b && cat "made/bsd.$machine/gmon.out"; } >"profile/bsd.$machine"
	{ byte $number && printf 4 && cat "made/bsd44.$machine/gmon.out"; } >"profile/bsd44.$machine"
	number=$((number + 1))
done
# u64 NUMBER: 8 bytes, the lowest first.
u64() {
	n=$1
	for _ in 1 2 3 4 5 6 7 8; do
		byte $((n & 255))
		n=$((n >> 8))
	done
}
# block BYTES KIND WORD LOW PAGE
block() {
	u64 "$1" && u64 $((1 << 32 | $2)) && u64 "$3" && u64 "$4" && u64 0 && u64 $(($5 * 65536)) && u64 0 && u64 0
}
# page: what is on stdin, filled up.
page() { dd bs=512 conv=sync iflag=fullblock 2>/dev/null; }
# live_head: of 64 bits, little endian.
live_head() {
	printf '\0l'
	{
		printf gmonlive && u64 $((8 << 32 | 1)) && u64 100 && u64 0x1000
		u64 0x402000 && u64 0x402080 && u64 0x401000
	} | page
}
{
	live_head
	{
		block 65536 1 $((65472 - 32)) 0 1
		u64 0x402010 && u64 0x402040 && u64 9 && u64 0x402015 && u64 0x402048 && u64 1
	} | page
	block 65536 2 64 0x402000 2 && u64 5 && u64 7
} >profile/live
# Nodes 1 to 3, samples, modules, threads, strings; as long as they are, no block needs its page.
{
	live_head
	{ block 112 3 3 1 1 && u64 0 && u64 0x402010 && u64 1 && u64 0x402020 && u64 $((1 << 32 | 2)) && u64 0x7001010; } | page
	{
		block 128 4 32 0 2
		u64 5 && u64 64 && u64 9 && u64 0 && u64 4 && u64 1 && u64 7 && u64 0
	} | page
	{
		block 208 5 2 0 3
		u64 0x402000 && u64 0x402080 && u64 0x1000 && u64 5000 && u64 $((0x104 << 32 | 1)) && u64 7 && u64 0 && u64 0 && u64 0
		u64 0x7001000 && u64 0x7002000 && u64 0x7000000 && u64 0 && u64 7 && u64 0 && u64 0 && u64 0 && u64 0
	} | page
	{ block 112 6 2 0 4 && u64 0 && u64 0 && u64 0 && u64 $((1 << 32 | 100)) && u64 5000 && u64 0; } | page
	{ block 80 7 16 0 5 && printf '\0a.out\0libm.so.6\0'; } | page
} >profile/live-stacks

# Lists, maps and block counts.
for list in "$golden"/*.list; do
	{ printf S && head -c 1500 "$list"; } >"text/$(basename "$list")"
done
for map in "$golden"/*.map "$golden"/*.nm "$golden"/*.bad; do
	{ printf R && head -c 1500 "$map"; } >"text/$(basename "$map")"
done
{
	printf B
	printf 'Basic block profile finished\nFile a.c, 2 basic blocks\n\n'
	printf '    Block #%d: executed %10d time(s) address= 0x%x function= f line= 3\n' \
		1 5 0x401000 2 7 0x401010
} >text/bb.out

# Names of code that is made at run time: a map, and dumps of two loads with source lines, a move and an end, in both byte
# orders; V8 adds 64 to the addresses of lines.
printf 'M10000 2000 first\n0x11000 10 JS:*loop /a b.js:2:15\n7fff00001000 1 \033[2J\nffffffffffffffff 1 last\n10000 1 later\n' >jit/map
# words NUMBER...: 4 bytes each, and longs: 8, in the order `big' says.
words() {
	for n; do
		for shift in 0 8 16 24; do
			byte $((n >> (big ? 24 - shift : shift) & 255))
		done
	done
}
longs() {
	for long; do
		if [ $big = 1 ]; then
			words $((long >> 32)) $((long & 0xffffffff))
		else
			words $((long & 0xffffffff)) $((long >> 32))
		fi
	done
}
for big in 0 1; do
	{
		printf D
		words $((0x4a695444)) 1 40 62 0 1234 && longs 1 0
		words 2 73 && longs 7 0x10000 2 0x10000 && words 3 0 && printf '/a.js\0' && longs 0x10001 && words 4 0 && printf '\377\0x'
		words 0 64 && longs 7 && words 1 1 && longs 0 0x10000 256 1 && printf 'one\0code'
		words 0 62 && longs 7 && words 1 1 && longs 0 0x11000 1 2 && printf 'b:9\0\220\220'
		words 2 50 && longs 7 0x12000 1 0x12000 && words 9 0 && printf 'f\0'
		words 1 64 && longs 8 && words 1 1 && longs 0x12000 0x10000 0x12000 256 1
		words 3 16 && longs 9
	} >jit/dump$big
	{
		printf D
		words $((0x4a695444)) 1 40 62 0 1234 && longs 1 0
		words 2 51 && longs 7 0x11000 1 0x11040 && words 9 0 && printf 'f\0x'
		words 0 64 && longs 7 && words 1 1 && longs 0 0x11000 256 1 && printf 'one\0code'
	} >jit/v8$big
done

# Where the targets run.
cp made/cycles.64le/a.out made/cycles.64le/gmon.out files
cp made/cycles.64le/gmon.out files/gmon.2
printf '%x T %s\n' 0x401000 first 0x401010 second 0x401020 third >files/list
printf '%s\n' 'a.o: 0000 T main' 'b.o: 0004 T work' >files/map
printf '%s\n' -b -p >files/words

# Command lines.
grep '^sym' "$golden/cycles.profile" | cut -d' ' -f2 >made/functions
{
	"$TOOLS/randoptions" 1 150 a.c b.c <made/functions
	grep -hv '^#' "$srcdir/tests/differential/options-odd" "$srcdir/tests/differential/options-more"
} | awk '{ gsub(/ +/, "\n"); file = "words/" NR; print >file; close(file) }'
printf '%s\n' -b @words a.out gmon.out gmon.2 @@ '-p "a b" @words' >words/file

# Debug information: simple of many units, and what compilers make of small sources.
"$TOOLS/mkworkload" tree 40 rows=4 made
{ printf b && cat made/a.out && printf '\n--profile--\n' && cat made/gmon.out; } >lines/rows
next=c
for flags in '-gdwarf-5 -O2' '-gdwarf-4 -O2' '-gdwarf-2 -O0' '-gdwarf-3 -O1' '-gdwarf-5 -gz -O2' \
	'-gdwarf-5 -O2 -ffunction-sections' '-gdwarf-4 -O2 -fdebug-types-section'; do
	# shellcheck disable=SC2086 # words
	"$CC" $flags -w -nostdlib -static -Wl,-e,main -Wl,--unresolved-symbols=ignore-all \
		"$srcdir"/tests/programs/codec/*.c -o made/a.out 2>/dev/null || continue
	{ printf %s "$next" && cat made/a.out && printf '\n--profile--\n' && cat made/gmon.out; } \
		>"lines/made$(echo "$flags" | tr -d ' ')"
	next=$(echo "$next" | tr cdef defc)
done
rm -r made
