#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where debug information is kept, and how: whatever it is, the reports by source line must be those on
# the same program built with plain -g, which programs.sh compares with the system's gprof. What libdw
# cannot read (zstd before elfutils 0.189), libbfd must.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

# dwz and libbfd cope with what gcc makes, and not with all that clang does.
if command -v gcc >/dev/null; then
	CC=gcc
fi

# line_reports DIR [PROGRAM...]: what is printed about DIR/a.out, by gprof or by a program that runs it.
line_reports() (
	cd "$1" || exit
	shift
	for options in '-b -l' '-b -l -C -z' '-b -A -x -t 3' '-b --inline-file-names -L -q' '-b -pcoder_runs.c'; do
		# shellcheck disable=SC2086 # several options
		timeout 60 "$@" "$GPROF" $options a.out ../gmon.out || echo "status $?"
	done
)

# build_objects DIR OPTION...: DIR/a.out, the same code in whatever DIR.
build_objects() {
	dir=$1
	shift
	mkdir "$dir" || exit 99
	for source in $sources; do
		object=$dir/$(basename "$source" .c).o
		"$CC" -O1 -pg -fno-pie "$@" -c "$source" -o "$object" || return
	done >log 2>&1
	"$CC" -pg -no-pie "$@" -o "$dir/a.out" "$dir"/*.o >>log 2>&1
}

# check_same DIR WHAT: the reports are those of plain -g, and the code is.
check_same() {
	line_reports "$1" >"$1/reports" 2>"$1/messages"
	cmp -s plain/reports "$1/reports" && [ -z "$(without_notes <"$1/messages")" ]
	tap_check $? "$2"
	diff plain/reports "$1/reports" | tap_note
	tap_note <"$1/messages"
}

# check_built DIR OPTION... WHAT is skipped if the compiler does not know the options, or the code is another.
check_built() {
	what="built with $(echo "$@" | cut -d ' ' -f 2-)"
	if ! build_objects "$@"; then
		tap_skip "$what" "$CC cannot: $(grep -m1 error log)"
	elif ! same_code "$1"; then
		tap_skip "$what" 'the code differs from that of plain -g'
	else
		check_same "$1" "$what"
	fi
}

same_code() {
	objcopy -O binary -j .text "$1/a.out" code && cmp -s code plain.code
}

# check_changed DIR WHAT PROGRAM COMMAND: the shell command has changed a copy of plain/a.out, in DIR; its status 77
# means that PROGRAM cannot.
check_changed() {
	if ! command -v "$3" >/dev/null; then
		tap_skip "$2" "no $3"
		return
	fi
	mkdir "$1" && cp plain/a.out "$1" && (cd "$1" && eval "$4") >log 2>&1
	case $? in
	0) check_same "$1" "$2" ;;
	77) tap_skip "$2" "$3 cannot do it" ;;
	*)
		tap_not_ok "$2"
		tap_note <log
		;;
	esac
}

# A debug file by build id is in the system's directory alone, which only root of a name space may replace.
check_build_id() {
	what='a debug file by build id'
	if ! unshare -rm true 2>/dev/null; then
		tap_skip "$what" 'unshare cannot make a name space'
		return
	fi
	mkdir -p id system && cp plain/a.out id && (
		cd id || exit
		id=$(readelf -n a.out | sed -n 's/.*Build ID: //p')
		rest=${id#??}
		debug=../system/.build-id/${id%"$rest"}
		mkdir -p "$debug" && objcopy --only-keep-debug a.out "$debug/$rest.debug" && strip a.out
	) >log 2>&1
	line_reports id >id/reports 2>/dev/null
	cmp -s plain/reports id/reports
	[ $? -eq 1 ]
	tap_check $? 'the stripped program has no report without it'
	# shellcheck disable=SC2016 # for that shell to expand
	line_reports id unshare -rm sh -c 'mount --bind "$0/../system" /usr/lib/debug && cd "$0" && exec "$@"' "$PWD/id" \
		>id/reports 2>id/messages
	cmp -s plain/reports id/reports
	tap_check $? "$what"
	tap_note <id/messages
}

# Without the split files, lines are as they were; functions are those of the symbols.
check_unsplit() {
	if ! build_objects unsplit -gdwarf-5 -gsplit-dwarf || ! rm unsplit/*.dwo; then
		tap_skip 'without the split files: lines' "$CC cannot split"
		return
	fi
	"$GPROF" -b -l -C -z unsplit/a.out gmon.out 2>messages |
		sed -n 's/.*\/\([a-z_]*\.c:[0-9]*\): (.*:\(0x.*\)) .*/\1 \2/p' >unsplit/lines
	"$GPROF" -b -l -C -z plain/a.out gmon.out |
		sed -n 's/.*\/\([a-z_]*\.c:[0-9]*\): (.*:\(0x.*\)) .*/\1 \2/p' >lines
	[ -s lines ] && cmp -s lines unsplit/lines && [ -z "$(without_notes <messages)" ]
	tap_check $? 'without the split files: lines'
	diff lines unsplit/lines | tap_note
}

# Stabs know nothing of inlined functions. libbfd reads them, for us as for GNU gprof, so that the two compare.
check_stabs() {
	what='stabs'
	if [ -z "$SYSTEM_GPROF" ]; then
		tap_skip "$what" 'no GNU gprof: install Debian package binutils'
	elif ! build_objects stabs -gstabs; then
		tap_skip "$what" "$CC cannot: $(grep -m1 error log)"
	elif readelf -S stabs/a.out | grep -q '\.stab '; then # newer ones take the option, and make none
		line_reports stabs >stabs/ours 2>stabs/messages
		ours=$GPROF
		GPROF=$SYSTEM_GPROF
		line_reports stabs >stabs/theirs 2>/dev/null
		GPROF=$ours
		# The end of the code is no code of the last line here.
		diff stabs/ours stabs/theirs | grep '^[<>]' | grep -v '(etext:' >difference
		grep -q 'coder_runs\.c:' stabs/ours && [ ! -s difference ]
		tap_check $? "$what"
		tap_note <difference
	fi
}

check_stripped() {
	mkdir stripped && cp plain/a.out stripped && strip stripped/a.out
	"$GPROF" -b stripped/a.out gmon.out >printed 2>messages
	[ $? -eq 1 ] && [ ! -s printed ] && [ "$(wc -l <messages)" -eq 1 ] &&
		grep -q 'stripped, and no debug file' messages
	tap_check $? 'a stripped program: one line says so'
	tap_note <messages
}

for program in objcopy strip readelf; do
	command -v $program >/dev/null || tap_skip_all "no $program (Debian package binutils)"
done
make_scratch
cd "$scratch" && cp -r "$srcdir/tests/programs/codec" sources || exit 99
sources=$(echo "$scratch"/sources/*.c)
if ! build_objects plain -g || ! (timeout 60 plain/a.out >log 2>&1 && [ -s gmon.out ]); then
	tap_note <log
	tap_skip_all "$CC cannot build and run a program with -pg -g"
fi
objcopy -O binary -j .text plain/a.out plain.code
line_reports plain >plain/reports 2>plain/messages
grep -q 'coder_runs\.c:' plain/reports && ! grep -q '^status' plain/reports && [ -z "$(without_notes <plain/messages)" ]
tap_check $? 'plain -g has reports by line'

for version in 2 3 4 5; do
	check_built "dwarf$version" -gdwarf-$version
done
check_built split4 -gdwarf-4 -gsplit-dwarf
check_built split5 -gdwarf-5 -gsplit-dwarf
check_built gz -g -gz
check_built zstd -g -gz=zstd
check_built types -g -fdebug-types-section
check_built views -g -gno-as-loc-support
link='objcopy --only-keep-debug a.out a.debug && strip'
check_changed link 'a debug file in the same directory' objcopy \
	"$link a.out && objcopy --add-gnu-debuglink=a.debug a.out"
check_changed sub 'a debug file in .debug' objcopy \
	"$link a.out && objcopy --add-gnu-debuglink=a.debug a.out && mkdir .debug && mv a.debug .debug"
check_changed half 'a debug file of a program that has its symbols' objcopy \
	"$link -g a.out && objcopy --add-gnu-debuglink=a.debug a.out"
check_changed gz-later 'compressed by objcopy' objcopy 'objcopy --compress-debug-sections=zlib a.out'
check_changed old 'compressed in the old way' objcopy 'objcopy --compress-debug-sections=zlib-gnu a.out'
check_changed dwz 'shortened by dwz' dwz 'dwz a.out'
check_changed dwzm 'with a supplementary file by dwz' dwz \
	'cp a.out twin && dwz -m common a.out twin && readelf -S a.out | grep debugaltlink'
check_changed linkz 'a debug file with a supplementary file' dwz \
	'cp a.out twin && dwz -m common a.out twin && objcopy --only-keep-debug a.out a.debug &&
	strip a.out && objcopy --add-gnu-debuglink=a.debug a.out'
check_changed flash 'code that is not called .text' objcopy 'objcopy --rename-section .text=.flash.text a.out'
check_unsplit
check_stabs
check_stripped
check_build_id
# libbfd 2.40 leaks memory here.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
check_changed zstd-later 'compressed with zstd by objcopy' objcopy 'objcopy --compress-debug-sections=zstd a.out || exit 77'
tap_done
