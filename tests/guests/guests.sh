#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs of Debian's packages cannot tell that they are profiled. Each row of the lists here is run twice without gprof,
# so that what differs by itself is known, then by gprof --run and by --run=children: output, exit status, dispositions of
# signals, and the files and processes that are left have to be the same. The head of quick.list says what a row is.
#
#   guests.sh [ROW...]   these rows of all lists; without one, all of quick.list, or with SLOW of all lists
#
# With KEYS set, these keys of --run are added: calls=libs, or clock=wall.
# shellcheck disable=SC2016 # what another shell expands
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -f "$builddir/libgmon.so" ] || tap_skip_all 'libgmon is not for this machine'
here=$srcdir/tests/guests
lists=$here/quick.list
[ -z "${SLOW-}" ] && [ $# -eq 0 ] || lists=$(ls "$here"/*.list)
# What a row may take, in seconds.
row_limit=60
unset GMON GMON_OUT_PREFIX LD_PRELOAD
keys=${KEYS-}
# What may be a script on some machines.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
PATH=$PATH:/usr/sbin:/sbin
export python PATH

make_scratch
# For the rows that become another user.
chmod a+rx "$scratch"
cd "$scratch" || exit 99

# take_rows: makes a directory for each row of the lists, row.001 and so on, with its columns in the files name, needs and
# normalize, and with its command.
take_rows() {
	# shellcheck disable=SC2086 # names of files
	awk '
		function put(file, text) { print text >(row "/" file) }
		/^#/ || /^$/ { next }
		/^\t/ { put("command", substr($0, 2)); next }
		{
			if (row) close(row "/command")
			row = sprintf("row.%03d", ++n)
			system("mkdir " row)
			split($0, column, " *[|] *")
			put("name", column[1])
			put("needs", column[2])
			put("normalize", column[3])
			sub(/^[^|]*[|][^|]*[|][^|]*[|] */, "")
			if ($0 != "") put("command", $0)
		}' $lists
}

# missing_program NEED...: what of them is not there, as "no PROGRAM: ...".
missing_program() {
	for need; do
		case $need in
		root) [ "$(id -u)" = 0 ] || echo 'only root can do it' ;;
		python) [ -x "$python" ] || echo 'no python3: install Debian package python3' ;;
		*)
			# `expect' is a function here, too.
			env sh -c 'command -v "$1" >/dev/null' sh "${need%%=*}" ||
				echo "no ${need%%=*}: install Debian package ${need#*=}"
			;;
		esac
	done | head -n 1
}

# sees_helper NAME: what a row with clock=wall cannot hide: libgmon's helper thread, and what it says where that is forbidden.
sees_helper() {
	case $keys:$1 in
	clock=wall:chromium) echo 'its zygote counts threads, and ends if it has two' ;;
	clock=wall:gdb | 'clock=wall:gdb, a signal') echo 'a debugger names each thread' ;;
	clock=wall:man) echo 'it filters system calls, and libgmon says that waiting is not recorded' ;;
	esac
}

# clear_signals: takes out of the sets of signals, in lines of /proc/PID/status, SIGSTKFLT, by which samples are taken.
clear_signals() {
	awk '
		function clear(place, bit,    at, digit) {
			at = length($0) - place
			digit = index("0123456789abcdef", substr($0, at, 1)) - 1
			digit -= int(digit / bit) % 2 * bit
			$0 = substr($0, 1, at - 1) sprintf("%x", digit) substr($0, at + 1)
		}
		/Sig(Blk|Ign|Cgt):[\t ]*[0-9a-f]+$/ { clear(3, 8) }
		{ print }'
}

# without_messages: takes out what gprof says, also behind the ^C of a terminal, and what a shell says of a process that a
# signal ended: gprof has an exit status then.
without_messages() {
	sed -E "\\|^$GPROF: |d; s|$GPROF: .*||; \\|^libgmon: calls are |d" |
		grep -avxE 'Terminated|Killed|User defined signal 1|Aborted|Segmentation fault|Profiling timer expired|CPU time limit exceeded|File size limit exceeded'
}

# left_processes DIR: the processes with GUEST=DIR in their environment.
left_processes() {
	grep -lzxF "GUEST=$1" /proc/[0-9]*/environ 2>/dev/null | sed 's|^/proc/||; s|/.*||'
}

# is_writing PROCESS...: whether one of them is gprof, which is there until its report is, however busy the machine is.
is_writing() {
	for process; do
		[ "$(cat "/proc/$process/comm" 2>/dev/null)" != gprof ] || return 0
	done
	return 1
}

# end_processes DIR: prints the names of those that are there a second later, or when all of gprof have ended or had the
# time of a row, and ends them.
end_processes() {
	tries=10
	writes=$((row_limit * 10))
	# shellcheck disable=SC2086 # numbers
	while left=$(left_processes "$1") && [ -n "$left" ] && [ $tries -gt 0 ]; do
		sleep 0.1
		if [ $writes -gt 0 ] && is_writing $left; then
			writes=$((writes - 1))
		else
			tries=$((tries - 1))
		fi
	done
	for process in $left; do
		echo "a process: $(cat "/proc/$process/comm" 2>/dev/null)"
		kill -KILL "$process" 2>/dev/null
	done
}

# run_row HOW RESULTS: runs the command of the row in the current directory, where work/, home/ and tmp/ are made anew. HOW
# is bare, self (what the command runs by the word `run' is run by gprof --run), or children (all, by --run=children).
# Leaves the files out, err, status and left in RESULTS.
run_row() {
	rm -rf work home tmp bin
	mkdir -p work home tmp bin "$2"
	chmod 1777 work home tmp
	at=$(pwd)
	results=$at/$2
	echo '#!/bin/sh' >bin/run
	[ "$1" != self ] || printf "'%s' --export=folded -o '%s/report' --run%s -- " "$GPROF" "$at" "${keys:+=$keys}" >profile
	[ "$1" = self ] || : >profile
	printf 'exec %s "$@"\n' "$(cat profile)" >>bin/run
	cp "$scratch/await" bin
	chmod +x bin/run
	set -- "$1" sh "$at/command"
	[ "$1" != children ] || set -- "$1" "$GPROF" --export=folded -o "$at/report" "--run=children${keys:+,$keys}" -- sh "$at/command"
	shift
	(
		cd work || exit 99
		PATH=$at/bin:$PATH HOME=$at/home TMPDIR=$at/tmp TERM=vt100 GUEST=$at
		export PATH HOME TMPDIR TERM GUEST
		timeout -k 5 "$row_limit" "$@" >"$results/out.all" 2>"$results/err.all" </dev/null
		echo $? >"$results/status"
	)
	end_processes "$at" >"$results/left"
	find work home tmp -mindepth 1 -printf '%y %m %u %p %l\n' | sort >>"$results/left"
	find work home tmp -type f -exec cksum {} + | sort -k 3 >>"$results/left"
	for file in out err left; do
		[ "$file" = left ] || clear_signals <"$results/$file.all" | without_messages >"$results/$file"
		sed -i -e "$(cat normalize)" "$results/$file"
	done
}

# complaints HOW: how the results of HOW differ from those without gprof.
complaints() {
	for file in status out err left; do
		awk -f "$here/compare.awk" bare.[123]/$file "$1/$file" | sed "s/^/$file: /"
	done 2>/dev/null
}

# compare_row: does all that there is to do for the row in the current directory, and leaves what is not the same in the
# files self.differs and children.differs.
compare_row() {
	run_row bare bare.1
	run_row bare bare.2
	for how in self children; do
		: >$how.differs
		! [ $how = self ] || grep -qw run command || continue
		run_row $how $how
		[ -z "$(complaints $how)" ] || [ -d bare.3 ] || run_row bare bare.3
		complaints $how >$how.differs
	done
	rm -rf work home tmp
}

# worker FIRST: the rows of the first argument, and of each second one from there.
worker() {
	i=0
	for row in row.*; do
		i=$((i + 1))
		if [ $((i % 2)) = "$1" ] && [ ! -f "$row/skip" ]; then
			(cd "$row" && compare_row)
		fi
	done
}

cat >await <<-'EOF'
	#!/bin/sh
	# await FILE: until it is there and not empty, or is a socket; 5 seconds at most.
	for try in $(seq 100); do
		[ ! -s "$1" ] && [ ! -S "$1" ] || exit 0
		sleep 0.05
	done
	exit 1
EOF
chmod +x await
take_rows
for row in row.*; do
	if ! chosen "$(cat "$row/name")" "$@"; then
		rm -r "$row"
		continue
	fi
	# shellcheck disable=SC2046 # words
	missing_program $(cat "$row/needs") >"$row/skip"
	[ -s "$row/skip" ] || sees_helper "$(cat "$row/name")" >"$row/skip"
	[ -s "$row/skip" ] || rm "$row/skip"
done
worker 0 &
worker 1 &
wait
for row in row.*; do
	name=$(cat "$row/name")
	if [ -f "$row/skip" ]; then
		tap_skip "$name" "$(cat "$row/skip")"
		continue
	fi
	expect "$name: runs" '! grep -qxE "12[4567]" "$row/bare.1/status"'
	! grep -qw run "$row/command" || check "$name: by --run" "$(cat "$row/self.differs")"
	check "$name: by --run=children" "$(cat "$row/children.differs")"
done
tap_done
