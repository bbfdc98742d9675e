#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Damaged debug information: one line says where and why; an error if nothing that was asked for can be shown.
# shellcheck disable=SC2016 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"
. "$srcdir/tests/lib/build.sh"

# A program of two units, in DWARF 5, and a profile of it.
make_units() {
	cat >one.c <<-'END'
		int other(int);
		static int helper(int x)
		{
			return x * 3;
		}
		int main(void)
		{
			return helper(14) + other(14) - 98;
		}
	END
	cat >two.c <<-'END'
		static int inner(int x)
		{
			return x * 4;
		}
		int other(int x)
		{
			return inner(x);
		}
	END
	"$CC" -pg -gdwarf-5 -O1 -fno-inline -fno-pie -no-pie -o good one.c two.c && ./good
}

# The bytes of a section of the good program.
bytes_of() {
	objcopy --dump-section "$1=/dev/stdout" good /dev/null | cat
}

# change SECTION FILE: a.out, with these bytes in the section.
change() {
	objcopy --update-section "$1=$2" good a.out 2>said || exit 99
}

# put AT BYTES FILE: as printf has them, over those that are there.
put() {
	# shellcheck disable=SC2059 # escapes
	printf "$2" | dd of="$3" bs=1 seek="$1" conv=notrunc status=none
}

# where NAME FIELD: in the file, where the header of the section has its field FIELD, from the header's start on.
where() {
	start=$(readelf -hW a.out | sed -n 's/.*Start of section headers: *\([0-9]*\).*/\1/p')
	number=$(readelf -SW a.out | sed -n "s/^ *\[ *\([0-9]*\)\] \\$1 .*/\1/p")
	echo $((start + 64 * number + $2))
}

# damage KIND SECTION: a.out is the good program with this damage.
damage() {
	bytes_of "$2" >bytes
	half=$((($(wc -c <bytes)) / 2))
	case $1 in
	half) head -c $half bytes >changed ;;
	none) : >changed ;;
	zeros) head -c $((2 * half)) /dev/zero >changed ;;
	tail) head -c $half bytes >changed && head -c $half /dev/zero | tr '\0' '\377' >>changed ;;
	version) cp bytes changed && put 4 '\011' changed ;;
	length) cp bytes changed && put 0 '\360\377\377\177' changed ;;
	outside)
		cp good a.out && put "$(where "$2" 24)" '\377\377\377\177' a.out
		return
		;;
	packed)
		objcopy --compress-debug-sections=zlib good a.out
		at=$(readelf -SW a.out | sed -n "s/^ *\[ *[0-9]*\] \\$2 *[A-Z]* *[0-9a-f]* \([0-9a-f]*\) .*/\1/p")
		put $((0x$at + 40)) '\132\132\132\132\132\132\132\132' a.out
		return
		;;
	esac
	change "$2" changed
}

# tells KIND SECTION STATUS OPTIONS TEXT: gprof ends so, and says this alone of the damage; "@" stands for any number.
tells() {
	damage "$1" "$2"
	# shellcheck disable=SC2086 # a list
	run "$GPROF" -b $4 a.out gmon.out
	grep -v 'source not found\|gprof: note: ' err | sed 's/^.*gprof: //; s/byte [0-9][0-9]*/byte @/; s/in [0-9]* other places*/in @/' >told
	printf '%s\n' "$5" >wanted
	cmp -s told wanted && [ "$status" = "$3" ] && { [ "$3" = 0 ] || [ ! -s out ]; }
	tap_check $? "$1 $2: $4"
	diff told wanted | tap_note
}

make_scratch
cd "$scratch" || exit 99
if ! command -v objcopy >/dev/null || ! command -v readelf >/dev/null; then
	tap_skip_all 'no objcopy (Debian package binutils)'
elif ! make_units 2>said || [ "$(readelf -hW good | grep -c 'ELF64\|little')" != 2 ]; then
	tap_skip_all "$CC -pg -gdwarf-5 does not make 64-bit little-endian programs that run here"
fi
none='there are no source lines'
some='source lines are missing or wrong'

cp good a.out
for options in '-l -p' -A -C '-p -q' '-A --time-columns'; do
	# shellcheck disable=SC2086 # a list
	run "$GPROF" -b $options a.out gmon.out
	expect "undamaged: $options" '[ "$status" = 0 ] && ! grep -q damaged err && [ -s out ]'
done

cut='its length is more than there is'
tells half .debug_line 1 '-l -p' "a.out: .debug_line is damaged at byte @ ($cut) and in @: $none"
tells half .debug_line 1 -A "a.out: .debug_line is damaged at byte @ ($cut) and in @: $none"
tells half .debug_line 0 -C "warning: a.out: .debug_line is damaged at byte @ ($cut) and in @: $some"
tells half .debug_line 0 '-p -A' "warning: a.out: .debug_line is damaged at byte @ ($cut) and in @: $some"
tells length .debug_line 0 -A "warning: a.out: .debug_line is damaged at byte @ ($cut): $some"
tells version .debug_line 0 '-l -p' "warning: a.out: .debug_line is damaged at byte @ (a version that does not exist): $some"
tells half .debug_info 0 -A "warning: a.out: .debug_info is damaged at byte @ ($cut): $some"
tells packed .debug_info 1 '-l -p' "a.out: .debug_info is damaged at byte @ (it cannot be decompressed): $none"
tells outside .debug_abbrev 1 -A "a.out: .debug_abbrev is damaged at byte @ (it extends beyond the end of the file): $none"
for section in info abbrev line; do
	for kind in none zeros tail; do
		case $kind$section in noneinfo) continue ;; esac # it is as if there were none
		damage $kind .debug_$section
		run "$GPROF" -b -l -q a.out gmon.out
		expect "$kind .debug_$section" \
			'[ "$(grep -vc "gprof: note: " err)" = 1 ] && grep -q "a.out: .debug_[a-z]* is damaged at byte [0-9]* (" err &&
			if [ "$status" = 1 ]; then [ ! -s out ]; else grep -q "warning: a.out: " err; fi'
	done
done

# What compilers do not write is no damage: the numbers of directories in another form (sdata), whose bytes are the same.
bytes_of .debug_line >changed
LC_ALL=C grep -obUaP '\x02\x01\x1f\x02[\x0b\x0f]' changed | cut -d: -f1 | while read -r at; do
	put $((at + 4)) '\015' changed
done
for options in '-l -p' -A; do
	cp good a.out
	# shellcheck disable=SC2086 # a list
	"$GPROF" -b $options a.out gmon.out >usual 2>usually
	change .debug_line changed
	# shellcheck disable=SC2086 # a list
	run "$GPROF" -b $options a.out gmon.out
	expect "a form of which libdw is asked: $options" '! cmp -s bytes changed && [ "$status" = 0 ] && cmp -s usual out && cmp -s usually err'
done

# Other reports go on, and say so if they have a place for a source file.
damage half .debug_line
run "$GPROF" -b -p a.out gmon.out
expect 'no word where nobody looks' '[ "$status" = 0 ] && ! grep -q damaged err'
run "$GPROF" -b -q a.out gmon.out
expect 'but where an index has files' '[ "$status" = 0 ] && grep -q "warning: a.out: .debug_line is damaged" err'
tap_done
