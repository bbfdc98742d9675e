#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a golden case cannot say: warnings, pipes, source files. Entries of doc/differences.md:
# unmatched-spec, bsd-on-a-pipe, overlapping-specs, own-options, inlined-names, directories.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"

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

# What looks like something else is said, and what was meant.
check_mistakes() {
	warns '-bpl' "warning: selection 'l' matches nothing; -p has the rest of the word as its argument: did you mean -p -l?"
	warns '-explain' "warning: selection 'xplain' matches nothing; -e has the rest of -explain as its argument: did you mean --explain?"
	check_said 0 '' -b -pmain
	check_said 1 'gmon.out: is profile data; the program comes first: gprof a.out gmon.out' gmon.out a.out
	check_said 1 'gmon.out: is profile data; the program comes first: gprof PROGRAM gmon.out' gmon.out
	check_said 1 'work: No such file or directory; the argument of -q must follow it without a blank: -qwork' -b -q work
	check_said 1 'work: No such file or directory; the argument of --graph must follow it without a blank: --graph=work' -k a/b --graph work a.out
	check_said 1 'work: No such file or directory' -q -- work
	check_said 0 '' -q a.out -b
	mkdir nothing && cd nothing || exit 99
	check_said 1 'a.out: No such file or directory; name the program: gprof PROGRAM [gmon.out]'
	check_said 1 'a.out: No such file or directory' a.out
	cd .. || exit 99
}

# An entry is that of the whole graph, but for what has no entry: numbers in parentheses.
check_entry() {
	mkdir entry && cd entry || exit 99
	make_golden entry
	"$GPROF" -b -q | awk '/^index %/ { on = 1; next } /^\f/ { exit } on' >whole
	for name in main load parse group lookup hash mix 'Table::find(int)' 'Table::erase(int, int)'; do
		"$GPROF" -b --entry="$name" 2>&1 | sed '1,/^index %/d' >got
		awk -v name="$name " '
			{ text = text $0 "\n" }
			/^\[/ { own = index($0, name) }
			/^---/ { if (own) { printf "%s", text; exit } text = own = "" }' whole |
			awk -v name="$name " '
				match($0, /\[[0-9]+\]$/) && !index($0, name) {
					$0 = substr($0, 1, RSTART - 1) "(" substr($0, RSTART + 1, RLENGTH - 2) ")"
				}
				{ print }' >wanted
		grep -q '^\[' got && cmp -s got wanted
		tap_check $? "the entry of $name is that of the whole graph"
	done
	check_said 1 "--entry: no function 'lokup' in a.out; did you mean 'lookup'?" -b --entry=lokup
	expect 'and nothing is printed' '[ ! -s out ]'
	check_said 1 "--entry: no function 'Table::fnd' in a.out; did you mean 'Table::find'?" -b -p --entry=Table::fnd,depth=2
	check_said 0 "note: --entry: 'usage' was neither called nor sampled" -b --entry=usage
	check_said 0 '' -b --entry=main --explain
	check_said 0 '' -b -s --entry=main
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym _ZN2ns3getIiEET_v 0x401020
		profile
		hist 0x401000 0x401080 32 100
		tick _ZN2ns3getIiEET_v 3
		arc main _ZN2ns3getIiEET_v 2
	END
	for name in ns::get 'ns::get<int>' 'ns::get<int>()' 'int ns::get<int>()'; do
		"$GPROF" -b --entry="$name" 2>&1 | grep -q '^\[[0-9]\] .* int ns::get<int>() \[[0-9]\]$'
		tap_check $? "$name has an entry"
	done
	check_said 1 "--entry: no function 'ns::gt' in a.out; did you mean 'ns::get'?" --entry=ns::gt
	check_said 1 "--entry: no function 'int' in a.out" --entry=int
	cd .. || exit 99
}

# check_habits: what is typed first by who knows other profilers names the command that does it here.
check_habits() {
	missing='No such file or directory; did you mean'
	check_said 1 "record: $missing 'gprof --run ./a.out'?" record ./a.out 3
	check_said 1 "record: $missing 'gprof --run PROGRAM [ARGUMENT...]'?" record -g -- ./a.out
	check_said 1 "run: $missing 'gprof --run ./a.out'?" run ./a.out
	check_said 1 "report: $missing 'gprof --top [PROGRAM [DATAFILE]]'?" report
	check_said 1 "annotate: $missing 'gprof --source=FUNCTION [PROGRAM [DATAFILE]]'?" annotate work
	check_said 1 "unknown option '--record'; did you mean '--run'?" --record ./a.out
	check_said 1 "unknown option '--flamegraph'; did you mean '--export=flamegraph'?" --flamegraph
	check_said 1 "unknown option '--pprof=x'; did you mean '--export=pprof'?" --pprof=x
	check_said 1 "unknown option '--list=work'; did you mean '--source=FUNCTION'?" --list=work
	check_said 1 "unknown export format 'flame'; did you mean 'flamegraph'?" --export=flame
	make_called work
	cp a.out report
	check_said 0 '' -b report
	check_said 0 '' report
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

# check_conversion MACHINE: a bb.out of old gcc becomes a data file, which GNU gprof can read, too, unless the
# machine is big-endian.
check_conversion() {
	"$GPROF" --bb-convert a.out >blocks.out <<-END || return
		Basic block profiling finished on Mon Jan  1 00:00:00 1990

		File x.c, 3 basic blocks

		    Block #1: executed          7 time(s) address= 0x401000 function= main line= 5 file= x.c
		    Block #2: executed         12 time(s) address= 0x401028 function= work line= 9 file= x.c
		    Block #3: executed          0 time(s) address= 0x40102c function= work line= 9 file= x.c
	END
	cat >expected <<-END
		<unknown>:0: (main:0x401000) 7 executions
		<unknown>:0: (work:0x401028) 12 executions
	END
	case $1 in *le) theirs=$SYSTEM_GPROF ;; *) theirs= ;; esac
	for program in "$GPROF" $theirs; do
		"$program" -b -l -C a.out blocks.out | cmp -s - expected || return
	done
}

# functions_of OPTIONS: the functions in the list of calls, "FILE:NAME" each, without their places.
functions_of() {
	# shellcheck disable=SC2086 # a list
	"$GPROF" -b -z $1 2>>warnings |
		sed -n 's|^\(.*/\)\{0,1\}\([a-z]\.c\):[0-9]*: (\([a-z]*\):0x.*|\2:\3|p' | sort | tr '\n' ' '
}

# check_chosen OPTIONS FUNCTIONS: just these are chosen.
check_chosen() {
	got=$(functions_of "$1")
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
	check_chosen '-Cx.c -Cleaf' 'x.c:after x.c:before x.c:d x.c:leaf y.c:leaf'
	check_chosen '-Cleaf -Cx.c' 'x.c:after x.c:before x.c:d x.c:leaf y.c:leaf'
	check_chosen '-Zx.c -Zleaf' 'y.c:main'
	check_chosen '-Zleaf -Zx.c' 'y.c:main'
	check_chosen '-Cx.c -Cd' 'x.c:after x.c:before x.c:d x.c:leaf'
	check_chosen '-Cd -Cx.c' 'x.c:after x.c:before x.c:d x.c:leaf'
	check_chosen '-Zx.c -Zd' 'y.c:leaf y.c:main'
	check_chosen '-Zd -Zx.c' 'y.c:leaf y.c:main'
	check_chosen '-Cx.c:leaf -Cy.c:2' 'x.c:leaf y.c:leaf'
	check_chosen '-C2 -Cx.c:d' 'x.c:before x.c:d y.c:leaf'
	check_chosen '-Cx.c -Zd' 'x.c:after x.c:before x.c:d x.c:leaf'
}

# live_file LOW HIGH: a gmon.out.live of nothing, for code from LOW to HIGH, 256 times an octal number each.
live_file() {
	{
		printf 'gmonlive\1\0\0\0\10\0\0\0\350\3\0\0\0\0\0\0'
		printf '\0\0\0\0\0\0\0\0'
		printf '%b' "\\0\\0$1\\0\\0\\0\\0\\0\\0" "\\0\\0$2\\0\\0\\0\\0\\0\\0"
		dd if=/dev/zero bs=65488 count=1 2>>log
	} >gmon.out.live
}

# check_said STATUS TEXT OPTION...: gprof ends so, and says just this on stderr, behind the program's name.
check_said() {
	wanted=$1 text=$2
	shift 2
	"$GPROF" "$@" >out 2>said
	status=$?
	[ $status -eq "$wanted" ] && [ "$(sed 's/^.*gprof: //' said)" = "$text" ]
	tap_check $? "$*: ${text:-no message}"
}

# check_explain: what --explain says of shifted data, and that its advice gives the report of those that are not.
check_explain() {
	mkdir shifted && cd shifted || exit 99
	make_golden image-base
	mv gmon.2 shifted && mv gmon.out gmon.2 && mv shifted gmon.out || exit 99
	check_said 3 '' --explain
	sed -n '1s/:.*//p' out | grep -qx shifted && base=$(sed -n 's/^ *--image-base=//p' out) && [ "$base" = 0x55951000 ]
	tap_check $? 'the first line is the cause, and gives the address to use'
	"$GPROF" -b --image-base="$base" >out && "$GPROF" -b a.out gmon.2 | cmp - out && grep -q '63.64 .* work' out
	tap_check $? 'with it the report is right'
	check_said 0 '' --explain --image-base="$base"
	grep -q '^nothing wrong: 11 samples and 77 calls in the functions of a.out$' out
	tap_check $? 'then nothing is wrong'
	check_said 0 "note: a.out was loaded at $base, not at 0x401000, when gmon.out was recorded: all its addresses are \
shifted; see gprof --explain" -b
	check_said 0 '' -b a.out gmon.2
	"$GPROF" -s --image-base="$base" && "$GPROF" -b -p --image-base="$base" a.out gmon.sum | grep -q '63.64 .* work'
	tap_check $? 'a sum has the addresses as they were read'
	"$GPROF" --explain a.out nothing >out
	[ $? -eq 3 ] && grep -q '^not-instrumented: nothing: No such file or directory; ' out
	tap_check $? 'a file that is not there'
	cd .. || exit 99
}

check_live() {
	mkdir live && cd live || exit 99
	cp ../a.out .
	live_file 20 40
	check_said 0 'note: there is no gmon.out: reading gmon.out.live, of a program that runs or was killed' -b -i
	grep -q 'gmon.out.live. (version 1)' out
	tap_check $? 'gmon.out.live is read'
	check_said 0 '' -b -i a.out gmon.out.live
	check_said 0 'note: there is no gmon.out: reading gmon.out.live, of a program that runs or was killed' -s
	check_said 0 '' -b -i a.out gmon.sum
	live_file 40 40
	check_said 1 'gmon.out.live: code from 0x2000 to 0x2000, at byte 32, is empty' -b a.out gmon.out.live
	live_file 20 40
	cp gmon.sum gmon.out
	touch -d '2000-01-01' gmon.out.live
	check_said 0 '' -b -i
	touch -d '2000-01-01' gmon.out
	check_said 0 '' -b -i
	touch -d '2000-01-02' gmon.out.live
	check_said 0 'warning: gmon.out.live is newer than gmon.out, which is read' -b -i
	check_said 0 '' -b -i a.out gmon.out
	cd .. || exit 99
}

# A directory is its profiles, by name; what else is there is told of.
check_directories() {
	mkdir dir dir/inner dir/.hidden none && cp gmon.out dir/z && cp gmon.2 dir/.b && cp gmon.3 dir/a || exit 99
	cp gmon.out dir/inner/gmon.out
	check_said 0 '' -b -i a.out dir
	mv out from-dir
	check_said 0 '' -b -i a.out dir/.b dir/a dir/z
	cmp -s out from-dir
	tap_check $? 'all reports on a directory are those on its files'
	check_said 0 '' -b a.out gmon.out dir/ gmon.2
	mv out from-dir
	check_said 0 '' -b a.out gmon.out dir/.b dir/a dir/z gmon.2
	cmp -s out from-dir
	tap_check $? 'a directory among files'
	echo text >dir/text
	: >dir/empty
	ln -s nowhere dir/link
	ln -s ../gmon.out dir/linked
	mkfifo dir/fifo
	check_said 0 'note: dir: left out 4 files without profile data' -b -p a.out dir
	grep -q '2400\.00 .* work$' out
	tap_check $? 'links are followed, pipes are not'
	check_said 0 'note: dir: left out 4 files without profile data' -s a.out dir
	check_said 0 '' -b -p a.out gmon.sum
	mv gmon.sum dir
	check_said 0 'note: dir: left out 4 files without profile data, and gmon.sum' -b -p a.out dir
	rm -f dir/empty dir/text dir/link dir/fifo dir/gmon.sum
	"$GPROF" -b -p a.out dir >from-dir
	head -c 30 gmon.out >dir/gmon.out.12-3.tmp
	left='left out: libgmon is writing it, or was killed while it did'
	check_said 0 "note: dir/gmon.out.12-3.tmp: $left" -b -p a.out dir
	cmp -s out from-dir
	tap_check $? 'a half-written profile in a directory changes nothing'
	head -c 30 gmon.out >dir/gmon.out.12.tmp
	check_said 0 "note: dir/gmon.out.12-3.tmp: $left; and others like it" -s a.out dir
	"$GPROF" -b -p a.out dir/gmon.out.12.tmp >out 2>said
	[ $? -eq 1 ] && grep -q 'dir/gmon.out.12.tmp: .*cut short' said
	tap_check $? 'a half-written profile that is named is an error'
	printf 'gmon\1\0' >dir/m
	rm dir/gmon.out.12*.tmp
	check_said 1 'dir/m: too short for profile data: 6 bytes' -b -p a.out dir
	check_said 1 'none: no profile data in this directory' -s a.out none
	rm -rf dir none gmon.sum
}

# Many files are read by several threads: the sum is that of a few at a time, and the first error counts.
check_many() {
	mkdir many && for i in $(seq 10 59); do cp "gmon.$((i % 2 + 2))" "many/$i" || exit 99; done
	check_said 0 '' -s a.out many
	mv gmon.sum sum
	check_said 0 '' -s a.out many/[12]*
	mv gmon.sum part
	check_said 0 '' -s a.out part many/[345]*
	cmp -s gmon.sum sum
	tap_check $? 'the sum of sums of many files'
	seq -f 'many/%g' 10 59 | awk '{ for (i = 0; i < 400; i++) print }' >names
	"$TOOLS/measure" -t 60 report "$GPROF" -b -p a.out @names >out
	read -r _ cpu _ status <report
	[ "$status" = 0 ] && grep -q 'work$' out && awk "BEGIN { exit !($cpu < 20) }"
	tap_check $? "20000 names in a list: $cpu s"
	head -c 100 gmon.2 >many/40
	printf 'gmon\1\0\0\0............\7' >many/30
	check_said 1 'many/30: unknown record tag 7 at byte 20' -b a.out many
	rm many/30
	mkdir many/30
	"$GPROF" -b a.out many/* >out 2>said
	tap_check $(($? != 1)) 'a directory without profiles among many files'
	grep -q 'many/30: no profile data' said && [ "$(wc -l <said)" -eq 1 ]
	tap_check $? 'which is said'
	rm -rf many gmon.sum
}

# Both formats of debug information say which code was inlined from where.
check_inlined() {
	: "${CLANG:=clang}"
	if ! command -v "$CLANG" >/dev/null; then
		tap_skip 'inlined code by name' "no clang: install Debian package clang"
		return
	fi
	for version in 4 5; do
		"$CLANG" -pg -O1 -gdwarf-$version "$srcdir/tests/programs/sorting.c" -o a.out 2>compiler &&
			./a.out 1 >/dev/null 2>>compiler && "$GPROF" -b -l -C -z >names.$version 2>&1
		tap_check $? "DWARF $version is read" && tap_note <compiler
	done
	cmp -s names.4 names.5 && grep -q ':22: (less:' names.5
	tap_check $? 'inlined code by name'
}

# Call stacks: what is said where there are none, or not everywhere. Without them, or with --estimated, all that is
# printed is what it has been without the files of stacks.
# said_waiting N TEXT ARGUMENT...: gprof ARGUMENT... says a note with TEXT so many times.
said_waiting() {
	times=$1 text=$2
	shift 2
	"$GPROF" "$@" >out 2>said
	# shellcheck disable=SC2016 # a condition
	expect "$*: $times times '$text'" '[ "$(grep -c "note: .*$text" said)" = "$times" ]'
}

check_stacks() {
	mkdir stacks && cd stacks || exit 99
	make_golden waiting
	beside='--inclusive shows waiting beside it, --clock=off waiting alone'
	said_waiting 1 "the flat profile shows CPU time: $beside" -b -p --clock=wall
	said_waiting 1 "flat profile and call graph show CPU time: $beside" -b -p -q --clock=wall
	said_waiting 0 'CPU time: --inclusive' -b -p
	said_waiting 0 'CPU time: --inclusive' -b -p --inclusive --clock=wall
	check_said 1 "gmon.out: no clock 'all': there is cpu, wall, off, page-faults" -b -p --clock=all
	make_golden stacks-some
	none='no call stacks in gmon.2: GMON=stacks records them'
	check_said 0 'note: times of callees are estimated: no call stacks in gmon.2' -b a.out gmon.out gmon.2
	check_said 0 '' -b -p --estimated a.out gmon.out gmon.2
	check_said 0 'note: times of callees are estimated: no call stacks in gmon.2' -b --export=folded -o - a.out gmon.out gmon.2
	for option in --inclusive --call-tree --thread-view --thread-view=main --measured; do
		check_said 1 "$none" -b $option a.out gmon.out gmon.2
		expect "$option: nothing is printed" '[ ! -s out ]'
	done
	check_said 1 "$none" --inclusive -s a.out gmon.out gmon.2
	expect 'no sum is written' '[ ! -e gmon.sum ]'
	check_said 1 "gmon.out: no thread 'worker': there is main (1)" --thread-view=worker
	check_said 0 '' -b --thread-view=1 -p
	check_said 1 '--inclusive and --estimated cannot be combined' --inclusive --estimated
	check_said 1 '--call-tree and -l (--line) cannot be combined' --call-tree -l
	check_said 1 "unknown choice of libraries 'all': expected object, hide or show" --libraries=all
	make_golden stacks
	"$TOOLS/mkprofile" - . <<-END || exit 99
		text 0xffffffff80000000 0x80
		sym main 0xffffffff80000000
		sym etext 0xffffffff80000040 notype
		profile
		hist 0xffffffff80000000 0xffffffff80000040 16 100
		stack 5 main
	END
	check_said 1 'a.out: no address space above the program for call stacks; --estimated needs none' --inclusive a.out
	make_golden stacks
	options='-b -z -p -q -C -T'
	# shellcheck disable=SC2086 # a list
	"$GPROF" $options --estimated >estimated
	"$GPROF" --explain >explained
	expect '--explain tells of stacks' 'grep -qx "stacks: 1211 samples, 99.6 % complete, 0.1 % guessed, 0.2 % broken, 0.1 % of unknown time; 2 threads, 17 nodes, 6 deep at most" explained'
	rm gmon.out.ext
	# shellcheck disable=SC2086 # a list
	"$GPROF" $options >without
	expect '--estimated prints what there is without stacks' 'cmp -s without estimated'
	make_golden unknown-thread
	"$GPROF" --explain >explained
	expect '... and of no more threads than are known' 'grep -q "^stacks: .*; 2 threads, " explained'
	check_said 0 'note: left out: 15.0 % of the time, because its thread is not known' --ranks=threads
	cd .. || exit 99
}

make_scratch
cd "$scratch" || exit 99
check_stacks
make_golden unmatched-spec
check_warnings
check_mistakes
check_entry
check_habits
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
	check_conversion $machine
	tap_check $? "$machine: a converted bb.out"
done
check_files
make_golden unmatched-spec
check_explain
check_live
mkdir sum && cd sum || exit 99
make_golden sum
check_directories
check_many
cd .. || exit 99
check_inlined
cd "$builddir" || exit 99
tap_done
