#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What gprof cannot write: reports on a full disk, a closed pipe, a closed descriptor; gmon.sum and the files of -y
# where there is no room, no permission, or something in the way. One line, status 1, and the old file stays.
# Entries of doc/differences.md: output-errors, new-files.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"
let_nobody_in "$@"

check_stdout() {
	run_to() {
		"$GPROF" "$@" 2>"$scratch/err" </dev/null
		echo $? >"$scratch/status"
	}
	for options in '' '-s -p' -h --version; do
		# shellcheck disable=SC2086 # words
		run_to $options >/dev/full
		expect "stdout on a full disk: ${options:-the default reports}" \
			'says "standard output: write failed: No space left on device"'
		rm -f gmon.sum
	done
	(
		exec >&-
		run_to
	)
	expect 'stdout is closed' 'says "standard output: write failed: Bad file descriptor"'
	# What is opened next must not become stdout or stderr.
	echo "$old" >gmon.sum
	(
		exec >&- 2>&- </dev/null
		"$GPROF" -s -p a.out gmon.out nosuch
		echo $? >"$scratch/status"
		"$GPROF" -s -p a.out gmon.out
	)
	"$GPROF" -s -p >/dev/null && cp gmon.sum again
	(
		exec >&- 2>&- <&-
		"$GPROF" -s -p
	)
	expect 'all is closed: gmon.sum has the profile and nothing else' \
		'[ "$(cat "$scratch/status")" = 1 ] && cmp gmon.sum again'
	rm -f gmon.sum again
	(
		trap '' PIPE
		run_to | :
		wait
	)
	expect 'a closed pipe, without its signal' \
		'ended_well || says "standard output: write failed: Broken pipe"'
}

# A report that does not fit a pipe, to a reader that leaves: its writer goes quietly.
check_pipe() {
	mkdir big && "$TOOLS/mkscale" chain 20000 big || exit 99
	{
		"$GPROF" big/a.out big/gmon.out 2>"$scratch/err"
		echo $? >"$scratch/status"
	} | head -n 3 >"$scratch/out"
	expect 'a reader that leaves: no message, SIGPIPE' \
		'[ ! -s "$scratch/err" ] && [ "$(cat "$scratch/status")" = 141 ] && [ "$(wc -l <"$scratch/out")" = 3 ]'
	(
		trap '' PIPE
		{
			"$GPROF" big/a.out big/gmon.out 2>"$scratch/err"
			echo $? >"$scratch/status"
		} | head -n 3 >"$scratch/out"
	)
	expect 'the same where SIGPIPE is ignored' 'says "standard output: write failed: Broken pipe"'
	rm -r big
}

# in_the_way WHAT: $target is written by "gprof $options".
in_the_way() {
	for options in -s '-s -p -q'; do
		[ "$target" = gmon.sum ] || options='-A -y'
		echo "$old" >victim
		ln -s victim "$target"
		# shellcheck disable=SC2086 # words
		run_gprof $options
		expect "$target is a symbolic link ($options)" \
			'says "$target: is a symbolic link" && has_old victim && [ -L "$target" ]'
		rm "$target" victim
		ln -s nowhere "$target"
		# shellcheck disable=SC2086
		run_gprof $options
		expect "$target is a symbolic link to nothing ($options)" \
			'says "$target: is a symbolic link" && [ ! -e nowhere ]'
		rm "$target"
		mkfifo "$target"
		# shellcheck disable=SC2086
		run_gprof $options
		expect "$target is a pipe ($options)" 'says "$target: not a regular file" && [ -p "$target" ]'
		rm "$target"
		mkdir "$target"
		# shellcheck disable=SC2086
		run_gprof $options
		expect "$target is a directory ($options)" \
			'says "$target: Is a directory" && none_left && rmdir "$target"'
	done
}

check_room() {
	echo "$old" >"$target"
	# stderr is a file, too, but not behind cat.
	# shellcheck disable=SC2086 # words
	{
		(
			ulimit -f 0
			exec "$GPROF" $options
		) 2>&1 >/dev/null </dev/null
		echo $? >"$scratch/status"
	} | cat >"$scratch/err"
	expect "$target and a limit on file sizes" 'says "$target: write failed: File too large" && has_old'
	for fault in 'write 1 ENOSPC' 'write 1 EIO' 'write 1 EDQUOT' 'rename 1 EPERM'; do
		can_interfere "$target: $fault" || continue
		# shellcheck disable=SC2086 # words
		"$TOOLS/interfere" $fault "$GPROF" $options >/dev/null 2>"$scratch/err" </dev/null
		echo $? >"$scratch/status"
		if [ "$(cat "$scratch/status")" = 77 ]; then
			tap_skip "$target: $fault" "no system call filters"
			continue
		fi
		case $fault in
		*ENOSPC) reason='write failed: No space left on device' ;;
		*EIO) reason='write failed: Input/output error' ;;
		*EDQUOT) reason='write failed: Disk quota exceeded' ;;
		*) reason='Operation not permitted' ;;
		esac
		expect "$target: $fault" 'says "$target: $reason" && has_old'
	done
	rm "$target"
}

check_full_disk() {
	mkdir full
	# shellcheck disable=SC2086 # words
	$as_root unshare -m sh -c 'mount -t tmpfs -o size=128k none full && cp a.out gmon.out program.c full && cd full || exit 77
		echo "$1" >"$2"; cat /dev/zero >filler 2>/dev/null
		shift 2; "$@"; status=$?; cp gmon.sum program.c-ann .. 2>/dev/null; ls >../listing; exit $status' \
		sh "$old" "$target" "$GPROF" $options >/dev/null 2>"$scratch/err"
	echo $? >"$scratch/status"
	if [ "$(cat "$scratch/status")" = 1 ] && $as_root unshare -m true 2>/dev/null; then
		expect "$target on a full disk" 'says "$target: write failed: No space left on device" &&
			has_old && [ "$(wc -l <listing)" = 5 ]'
	else
		tap_skip "$target on a full disk" "no small file system can be mounted"
	fi
	rm -rf full listing "$target"
}

# interrupted WHAT SIGNALS COMMAND...: gprof, behind COMMAND, gets them before each system call by which it makes its file. All
# that is run is behind the words in $rights.
interrupted() {
	what=$1
	signals=$2
	shift 2
	can_interfere "$target: $what" || return
	for call in write fsync linkat rename; do
		for signal in $signals; do
			# Between these two there is a name, and SIGKILL waits for nothing.
			case $call$signal in linkatKILL | renameKILL) continue ;; esac
			echo "$old" >"$target"
			# shellcheck disable=SC2086 # words
			$rights "$TOOLS/interfere" $call 1 "kill -$signal \$CALLER" "$@" "$GPROF" $options >/dev/null 2>"$scratch/err" </dev/null
			echo $? >"$scratch/status"
			if [ "$(cat "$scratch/status")" = 77 ]; then
				tap_skip "$target: $what" 'no system call filters'
				return
			fi
			! grep -q 'interfere: only' "$scratch/err" || continue
			expect "$target: SIG$signal at $call$what" \
				'[ "$(cat "$scratch/status")" != 0 ] && none_left && { has_old || ! grep -q "$old" "$target"; }'
		done
	done
	rm -f "$target"
}

# Where files without a name cannot be given one. Only what is caught can be waited for.
check_interrupts() {
	rights=
	interrupted '' 'INT TERM HUP KILL'
	# shellcheck disable=SC2086 # words
	if $as_root unshare -m mount -t tmpfs none /proc 2>/dev/null; then
		echo 'mount -t tmpfs none /proc && exec "$@"' >without-proc
		rights=$as_root
		interrupted ', without /proc' 'INT TERM HUP' unshare -m sh without-proc
	else
		tap_skip "$target without /proc" 'it cannot be hidden'
	fi
}

# What is read by one user only is so while its successor is being written.
check_secret() {
	can_interfere "$target: permissions while it is written" || return
	echo "$old" >"$target" && chmod 600 "$target"
	: >"$scratch/seen"
	# shellcheck disable=SC2086 # words
	(
		umask 022
		"$TOOLS/interfere" fsync 1 'for fd in /proc/$CALLER/fd/*; do [ -f "$fd" ] && stat -L -c "%a %h" "$fd"; done >seen' \
			"$GPROF" $options 2>"$scratch/err" >/dev/null </dev/null
	)
	expect "$target: permissions while it is written" 'grep -qx "600 [01]" seen && [ "$(stat -c %a "$target")" = 600 ]'
	# shellcheck disable=SC2086 # words
	"$TOOLS/interfere" fsync 1 EIO "$GPROF" $options >/dev/null 2>"$scratch/err" </dev/null
	echo $? >"$scratch/status"
	expect "$target: fsync 1 EIO" 'says "$target: Input/output error" && none_left'
	rm -f seen "$target"
}

mode_of() {
	stat -c '%a %u' "$1"
}

check_permissions() {
	can_be_nobody "$target: permissions" || return
	mkdir place && cp a.out gmon.out program.c place && cd place || exit 99
	chmod 777 "$scratch" "$scratch/err" "$scratch/out" "$scratch/status" . && chmod 644 program.c
	chmod 755 "$scratch"
	# shellcheck disable=SC2086 # words
	{
		chmod 555 .
		run $as_nobody "$GPROF" $options
		expect "$target in a directory without permission" 'says "$target: Permission denied" && [ ! -e "$target" ]'
		chmod 777 .
		echo "$old" >"$target" && chmod 666 "$target" && chmod 555 .
		run $as_nobody "$GPROF" $options
		expect "$target with permission in a directory without" 'says "$target: Permission denied" && has_old'
		chmod 777 . && chmod 644 "$target"
		if [ "$(id -u)" = 0 ]; then
			run $as_nobody "$GPROF" $options
			expect "$target is somebody else's" 'says "$target: Permission denied" && has_old'
			chmod 1777 . && chmod 666 "$target"
			run $as_nobody "$GPROF" $options
			expect "$target is somebody else's, in a directory like /tmp" \
				'says "$target: Operation not permitted" && has_old'
			chmod 777 .
			rm "$target"
			echo "$old" >"$target" && chmod 640 "$target" && chown 65534 "$target"
			run_gprof $options
			expect "$target keeps owner and permissions" \
				'[ "$(mode_of "$target")" = "640 65534" ] && ! grep -q "$old" "$target"'
		fi
		rm "$target"
		chmod 777 .
		echo "$old" >"$target" && chmod 604 "$target"
		[ "$(id -u)" != 0 ] || chown 65534 "$target"
		run $as_nobody "$GPROF" $options
		expect "$target keeps its permissions" \
			'ended_well && [ "$(mode_of "$target")" = "604 $(stat -c %u "$target")" ] && ! grep -q "$old" "$target"'
		rm "$target"
		(umask 027 && run_gprof $options)
		expect "a new $target has those of the umask" '[ "$(stat -c %a "$target")" = 640 ]'
	}
	cd .. && rm -rf place
}

enter_work
cat >program.c <<'END'
int leaf(int i) { volatile int s = 0; for (int j = 0; j < i; j++) s += j; return s; }
int main(void) { return leaf(30000000) == 1; }
END
make_two_profiles
check_stdout
check_pipe
for target in gmon.sum program.c-ann; do
	case $target in
	gmon.sum) options=-s ;;
	*)
		options='-A -y'
		if ! "$CC" -g -pg program.c 2>/dev/null || ! ./a.out; then
			tap_skip "$target" "no profiled program can be built"
			continue
		fi
		;;
	esac
	in_the_way
	check_room
	check_interrupts
	check_secret
	check_full_disk
	check_permissions
done
tap_done
