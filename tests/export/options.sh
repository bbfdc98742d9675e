#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: callgrind folded
#
# --export and -o: words that are wrong, which file is whose, what else is printed, what cannot be written.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later; functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"

# refused MESSAGE OPTION...: status 1, nothing but this one line, no file.
refused() {
	message=$1
	shift
	"$GPROF" "$@" >out 2>err </dev/null
	status=$?
	sed 's/^.*gprof: //' err >said
	if [ $status = 1 ] && [ ! -s out ] && [ "$(cat said)" = "$message" ] && no_files; then
		tap_ok "refused: $*"
	else
		tap_not_ok "refused: $*"
		tap_note <said
	fi
}

# No file but these is in the directory.
no_files() {
	for file in *; do
		case $file in
		a.out | gmon.out | out | err | said | expected | callgrind | folded) ;;
		*)
			echo "# file $file"
			return 1
			;;
		esac
	done
}

check_words() {
	formats=$("$GPROF" --export=nonsense 2>&1 | sed 's/^.*: expected //')
	expect 'the formats are listed' [ -n "$formats" ]
	refused "unknown export format 'nonsense': expected $formats" --export=nonsense
	refused "unknown export format '': expected $formats" --export=
	refused "unknown export format 'Callgrind'; did you mean 'callgrind'?" --export=Callgrind,depth=3
	refused "unknown export format 'call'; did you mean 'callgrind'?" --export=call
	refused "unknown export format 'f': expected $formats" --export=f
	refused "--export=callgrind takes no key: 'depth'" --export=callgrind,depth=3
	refused "--export=folded has no key 'deep'; it knows these keys: depth=N, paths=N, count=WHAT, mark=yes|no and thread=yes|no" --export=folded,deep=3
	refused "--export=folded has no key ''; it knows these keys: depth=N, paths=N, count=WHAT, mark=yes|no and thread=yes|no" --export=folded,
	refused "--export=folded has no key 'dept'; did you mean 'depth'?" --export=folded,dept=3
	for value in 0 -1 x 65536 18446744073709551617 3x ''; do
		refused "--export=folded: depth must be a whole number from 1 to 65535, not '$value'" \
			"--export=folded,depth=$value"
	done
	refused "--export=folded: paths needs a value: paths=N" --export=folded,paths
	refused "--export=folded: count must be time or samples, not 'calls'" --export=folded,mark=no,count=calls
	refused 'option --export needs an argument: FORMAT' --export
	refused 'option --export needs an argument: FORMAT' --expor
	refused 'option -o (--output) needs an argument: FILE' -o
	refused 'option --output needs an argument: FILE' --export=folded --output
	refused "two files for one export: 'x' and 'y'" --export=folded -o x -o y
	refused "two files for one export: 'x' and 'y'" -o x --export=folded --output=y
}

check_streams() {
	refused 'two exports cannot both go to standard output: folded and csv' --export=folded -o - --export=csv -o -
	refused 'two exports cannot both go to standard output: csv and dot' \
		--export=csv -o /dev/stdout --export=folded --export=dot -o -
	"$GPROF" --export=folded,mark=no -o - >expected
	"$GPROF" --export=folded,mark=no -o /dev/stdout >out 2>err
	expect '/dev/stdout' cmp -s out expected
	{
		echo first
		"$GPROF" --export=folded,mark=no -o /dev/stdout
	} 2>err >out
	expect 'it goes on where standard output is' '[ "$(head -n 1 out)" = first ] && sed 1d out | cmp -s - expected'
	"$GPROF" --export=folded,mark=no -o /dev/stdout 2>err | cat >out
	expect '/dev/stdout is a pipe' cmp -s out expected
	"$GPROF" --export=folded,mark=no -o /dev/fd/7 7>out 2>err
	expect '/dev/fd/7 is a file' cmp -s out expected
	"$GPROF" --export=folded,mark=no -o /dev/fd/7 2>err 7>&1 | cat >out
	expect '/dev/fd/7 is a pipe, as of >(gzip)' cmp -s out expected
	mkfifo folded
	cat folded >out &
	"$GPROF" --export=folded,mark=no -o folded 2>err
	status=$?
	wait
	expect 'a FIFO' '[ $status = 0 ] && cmp -s out expected && [ -p folded ]'
	"$GPROF" --export=folded -o /dev/null 2>err
	expect '/dev/null' '[ $? = 0 ] && [ -c /dev/null ]'
	rm folded expected
	: >out
	refused '/dev/fd/77: Bad file descriptor' --export=folded -o /dev/fd/77
	mkdir place && cd place && cp ../a.out ../gmon.out . && mkfifo gprof.folded
	"$GPROF" --export=folded 2>err
	expect 'a FIFO that is not named is in the way' grep -q 'gprof.folded: not a regular file' err
	cd .. && rm -r place
}

# What is said on a terminal, and of large files.
check_notes() {
	"$GPROF" --export=folded -o x 2>err
	expect 'nothing is said to a file' [ ! -s err ]
	if "$TOOLS/pty" true; then
		"$TOOLS/pty" -12 "$GPROF" --export=folded -o x --export=csv --export=dot -o - >out
		expect 'on a terminal: what is where' 'grep -q "note: folded is in x" out && grep -q "note: csv is in gprof.csv" out &&
			! grep -q "dot is in" out'
	else
		tap_skip 'on a terminal: what is where' 'there are no pseudo-terminals'
	fi
	rm -f x gprof.csv
	mkdir deep && awk 'BEGIN {
		n = 4000
		print "text 0x401000 0x10000"
		for (i = 0; i < n; i++) printf "sym a_function_%d %d\n", i, 4198400 + 16 * i
		printf "profile\nhist 0x401000 0x411000 4096 100\n"
		for (i = 0; i < n; i++) printf "tick %d 1\n", 4198400 + 16 * i
		for (i = 1; i < n; i++) printf "arc %d %d 1\n", 4198400 + 16 * i - 8, 4198400 + 16 * i
	}' >deep/profile && "$TOOLS/mkprofile" deep/profile deep
	"$GPROF" --export=folded,depth=10000 -o deep/folded deep/a.out deep/gmon.out 2>err
	size=$(($(wc -c <deep/folded) / 1000000))
	expect "a large file is announced: $size MB" \
		'[ $size -ge 100 ] && grep -q "deep/folded: is $size MB; --export=folded,depth=N or paths=N makes it smaller" err'
	rm -r deep
}

# only_files FILE...: these are in the directory, and no others; they go.
only_files() {
	for file; do
		[ -s "$file" ] && rm "$file" || return 1
	done
	no_files
}

check_files() {
	"$GPROF" --export=callgrind -o - >callgrind
	expect 'callgrind to standard output' [ -s callgrind ]
	"$GPROF" --expor=folded,mark=no --output - >folded
	expect 'folded to standard output' [ -s folded ]
	"$GPROF" --export=callgrind --export=folded,mark=no >out 2>err
	expect 'nothing is printed' [ ! -s out ]
	expect 'the contents are the same' cmp -s callgrind callgrind.out.gprof
	expect 'default names' only_files callgrind.out.gprof gprof.folded
	"$GPROF" --export=callgrind --export=folded -o x >out 2>err
	expect '-o is for the export before it' only_files callgrind.out.gprof x
	"$GPROF" -o x --export=callgrind --export=folded -ofold >out 2>err
	expect '-o in front is for the first' cmp -s x callgrind
	expect 'and others for theirs' only_files x fold
	"$GPROF" --export=folded --export=folded,paths=1 >out 2>err
	expect 'one name twice is numbered' grep -q 'note: folded is in gprof\.folded\.2' err
	: >err
	expect 'both are there' only_files gprof.folded gprof.folded.2
	"$GPROF" -b -p --export=folded,mark=no -o - >out 2>err
	"$GPROF" -b -p >expected
	cat folded >>expected
	expect 'reports that are asked for come first' cmp -s out expected
	"$GPROF" -s --export=folded >out 2>err
	expect '-s and an export' only_files gmon.sum gprof.folded
	"$GPROF" --export=folded a.out nosuch >out 2>err
	expect 'no data, no file' no_files
}

# An old file stays where the new one cannot be written, and nothing is left beside it.
check_refusals() {
	echo old >x
	(
		ulimit -f 0
		"$GPROF" --export=callgrind -o x 2>&1 >/dev/null
	) | cat >err
	expect 'a limit on file sizes' grep -q 'x: write failed: File too large' err
	expect 'the old file stays' [ "$(cat x)" = old ]
	ln -s x link
	"$GPROF" --export=callgrind -o link >out 2>err
	expect 'a link has status 1' [ $? = 1 ]
	expect 'and a reason' grep -q 'link: is a symbolic link' err
	rm link
	"$GPROF" --export=callgrind -o nosuch/x --export=folded >out 2>err
	expect 'one that fails' [ $? = 1 ]
	expect 'does not keep others away' [ -s gprof.folded ]
	rm gprof.folded
	"$GPROF" --export=callgrind -o - >/dev/full 2>err
	expect 'a full disk has status 1' [ $? = 1 ]
	rm x
	expect 'nothing is left' no_files
}

make_scratch
cd "$scratch" || exit 99
make_profile <<-END
	text 0x401000 0x80
	sym main 0x401000
	sym work 0x401020
	sym leaf 0x401040
	profile
	hist 0x401000 0x401080 32 100
	tick work 7
	tick leaf 5
	arc main work 3
	arc work leaf 4
END
check_words
check_streams
check_notes
check_files
check_refusals
tap_done
