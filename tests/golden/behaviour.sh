#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a golden case cannot say: warnings, pipes, source files. Entries of doc/differences.md:
# unmatched-spec, bsd-on-a-pipe, overlapping-specs.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib.sh"

# warns SPEC... TEXT: one run with the options says just this on stderr, behind the program's name, prints
# what it prints without them, and ends well.
warns() {
	options=$1
	# shellcheck disable=SC2086 # a list
	"$GPROF" -b -p -q -C $options >with 2>warnings
	status=$?
	"$GPROF" -b -p -q -C >without 2>>warnings
	sed 's/^.*gprof: //' warnings >said
	printf '%s\n' "$2" | sed '/^$/d' >expected
	if [ $status -eq 0 ] && cmp -s with without && cmp -s said expected; then
		tap_ok "a warning: $options"
	else
		tap_not_ok "a warning: $options, status $status"
		diff with without | tap_note
		diff said expected | tap_note
	fi
}

check_warnings() {
	warns '-kmain/main' ''
	warns '-pcomputes' "warning: selection 'computes' matches nothing; did you mean 'compute'?"
	warns '-Pmainn' "warning: selection 'mainn' matches nothing; did you mean 'main'?"
	warns '-knosuchthing/main' "warning: selection 'nosuchthing/main' matches nothing"
	warns '-kmain/computer' "warning: selection 'main/computer' matches nothing; did you mean 'compute'?"
	warns '-Cnosuch.c' "warning: selection 'nosuch.c' matches nothing"
	warns '-Emainn' "warning: selection 'mainn' matches nothing; did you mean 'main'?"
}

# The symbol of a Thumb function is odd, its code is not; on another machine an odd address is one.
check_thumb() {
	"$TOOLS/mkprofile" -m 32le - . <<-END || exit 99
		text 0x401000 0x80
		sym main 0x401001
		sym work 0x401021
		sym data 0x401041 notype
		profile
		hist 0x401000 0x401060 48 100
		bin 16 300
		arc 0x401010 0x401020 5
	END
	"$GPROF" -b -z -C >list && grep -q 'work:0x401021) 0 ' list
	tap_check $? "functions at odd addresses"
	# e_machine: ARM
	printf '\050' | dd of=a.out bs=1 seek=18 conv=notrunc 2>/dev/null
	"$GPROF" -b -z -C >list && grep -q 'work:0x401020) 5 ' list && grep -q 'data:0x401041) 0 ' list
	tap_check $? "Thumb functions"
	tap_note <list
}

# BSD data from a pipe and a FIFO are what they are in a file.
check_pipes() {
	for profile in gmon.out gmon.2; do
		"$GPROF" -b a.out $profile >from-file
		# shellcheck disable=SC2002 # a pipe, not a file
		cat $profile | "$GPROF" -b a.out - >from-pipe
		cmp -s from-file from-pipe && grep -q '3\.00 .* 5 .* work' from-pipe
		tap_check $? "$1: $profile from a pipe"
	done
	mkfifo fifo && {
		cat gmon.2 >fifo &
		"$GPROF" -b a.out fifo >from-pipe
		cmp -s from-file from-pipe
		tap_check $? "$1: gmon.2 from a FIFO"
		rm fifo
	}
}

# chosen OPTIONS: the functions in the list of calls, "FILE:NAME" each, without their places.
chosen() {
	# shellcheck disable=SC2086 # a list
	"$GPROF" -b -z $1 2>>warnings |
		sed -n 's|^\(.*/\)\{0,1\}\([a-z]\.c\):[0-9]*: (\([a-z]*\):0x.*|\2:\3|p' | sort | tr '\n' ' '
}

# expect OPTIONS FUNCTIONS
expect() {
	got=$(chosen "$1")
	if [ "$got" = "$2 " ]; then
		tap_ok "$1: $2"
	else
		tap_not_ok "$1: $2"
		echo "# but: $got"
	fi
}

# x.c has leaf, before, d, after; y.c leaf, main.
check_files() {
	cat >x.c <<-END
		static int leaf(int i) { return i + 1; }
		int before(int i) { return leaf(i); }
		int d(int i) { return before(i); }
		int after(int i) { return d(i); }
	END
	cat >y.c <<-END
		int after(int);
		static int leaf(int i) { return i - 1; }
		int main(void) { return leaf(after(0)); }
	END
	if ! "$CC" -O0 -g -pg -o a.out x.c y.c 2>log || ! ./a.out; then
		tap_skip 'sets of functions of files' 'no program can be compiled with -pg -g'
		return
	fi
	expect '-Cx.c -Cleaf' 'x.c:after x.c:before x.c:d x.c:leaf y.c:leaf'
	expect '-Cleaf -Cx.c' 'x.c:after x.c:before x.c:d x.c:leaf y.c:leaf'
	expect '-Zx.c -Zleaf' 'y.c:main'
	expect '-Zleaf -Zx.c' 'y.c:main'
	expect '-Cx.c -Cd' 'x.c:after x.c:before x.c:d x.c:leaf'
	expect '-Cd -Cx.c' 'x.c:after x.c:before x.c:d x.c:leaf'
	expect '-Zx.c -Zd' 'y.c:leaf y.c:main'
	expect '-Zd -Zx.c' 'y.c:leaf y.c:main'
	expect '-Cx.c:leaf -Cy.c:2' 'x.c:leaf y.c:leaf'
	expect '-C2 -Cx.c:d' 'x.c:before x.c:d y.c:leaf'
	expect '-Cx.c -Zd' 'x.c:after x.c:before x.c:d x.c:leaf'
}

make_scratch
cd "$scratch" || exit 99
"$TOOLS/mkprofile" "$srcdir/tests/golden/unmatched-spec.profile" . || exit 99
check_warnings
check_thumb
for machine in 64le 32le 64be 32be; do
	"$TOOLS/mkprofile" -m $machine - . <<-END || exit 99
		text 0x401000 0x80
		sym main 0x401000
		sym work 0x401020
		sym etext 0x401040 notype
		profile bsd
		hist 0x401000 0x401040 16 100
		tick work 300
		arc main work 5
		profile bsd44
		hist 0x401000 0x401040 16 100
		tick work 300
		arc main work 5
	END
	check_pipes $machine
done
check_files
cd "$builddir" || exit 99
tap_done
