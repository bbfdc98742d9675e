#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Real programs linked with musl: lua, sqlite3 and busybox, of Debian's sources, say the same of each function's calls as
# a second counter in the same run does, and as the same program does that is linked with glibc. Part of make check-real;
# takes five minutes. REAL_SOURCES is as for calls.sh.
#
#   musl.sh [NAME...]   only these
# shellcheck disable=SC2016,SC2034,SC2086,SC2317 # conditions are evaluated later; words
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/real/lib.sh"

command -v musl-gcc >/dev/null || tap_skip_all 'no musl-gcc: install Debian package musl-tools'

# The kernel's headers, which musl-gcc does not find by itself.
headers="-idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)"

# same_calls NAME: what the last runs with both C libraries say of each function that was called.
same_calls() {
	for library in glibc musl; do
		awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
			{
				gsub(/"/, "")
				n = $column["calls"] + $column["recursive calls"]
				if (n && $column["function"] != "__isspace") # of <ctype.h> of musl
					print $column["function"], n
			}' \
			"$scratch/$library/functions.csv" | sort >"$scratch/$library/calls"
	done
	same "$1: calls are those with glibc" "$scratch/musl/calls" "$scratch/glibc/calls"
}

# build_NAME COMPILER OPTION...: makes $scratch/NAME of $source.

# Its hashes, and where it divides what it sorts, are seeded by the time and by addresses.
build_lua() {
	cd "$source/src" || exit 99
	echo '#define DEB_HOST_MULTIARCH "x"' >lua5.4-deb-multiarch.h
	rm -f luac.c
	"$@" $flags '-Dluai_makeseed(L)=0' '-Dl_randomizePivot()=0' -DLUA_COMPAT_5_3 -DLUA_USE_POSIX ./*.c "$counter" "$archive" -lm -o "$scratch/lua"
}

build_sqlite3() {
	cd "$source" || exit 99
	{ [ -f shell.c ] || { ./configure -q --disable-tcl && make -s sqlite3.c shell.c; }; } &&
		"$@" $flags -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_FTS5 -DSQLITE_OMIT_LOAD_EXTENSION sqlite3.c shell.c "$counter" \
			"$archive" -lm -lpthread -o "$scratch/sqlite3"
}

# Its awk: the shell ends by _exit(), which leaves no profile.
build_busybox() {
	cd "$source" || exit 99
	make -s allnoconfig </dev/null && sed -i 's/^# CONFIG_\(AWK\|LFS\) is not set/CONFIG_\1=y/' .config &&
		yes '' | make -s oldconfig >/dev/null && make -s clean && make -s CC="$*" SKIP_STRIP=y CFLAGS="$flags" \
		CFLAGS_busybox="-pg $counter -Wl,--whole-archive $archive -Wl,--no-whole-archive" busybox_unstripped &&
		cp busybox_unstripped "$scratch/busybox"
}

write_busybox_work() {
	cat >work.awk <<-'END'
		function fact(n) { return n <= 1 ? 1 : n * fact(n - 1) }
		BEGIN {
			for (i = 0; i < 20000; i++) {
				line = sprintf("%d word%d %s", i, i % 97, fact(i % 12))
				n = split(line, field, " ")
				seen[field[2]] += n
				gsub(/o/, "0", line)
				all += length(line) + match(line, /w0rd[0-9]+/)
			}
			for (word in seen)
				print word, seen[word]
			print all
		}
	END
}

# take NAME PACKAGE ARGUMENT...: builds it twice and runs each with the arguments.
take() {
	name=$1
	get_sources "$2" || return
	shift 2
	for library in glibc musl; do
		compiler=gcc
		[ $library = glibc ] || compiler="musl-gcc $headers"
		make_counter ${compiler%% *}
		if ! (build_$name $compiler) >"$scratch/log" 2>&1; then
			failed_to_build "$name, $library"
			return
		fi
		mkdir -p "$scratch/$library"
		cd "$scratch/$library" || exit 99
		cp "$scratch/$name" .
		write_lua_work
		write_sqlite_work
		write_busybox_work
		rm -f db
		count_real "$name, $library" "./$name" "$@"
	done
	same_calls "$name"
}

make_scratch
! chosen lua "$@" || take lua lua5.4 work.lua
! chosen sqlite3 "$@" || take sqlite3 sqlite3 db '.read work.sql'
! chosen busybox "$@" || take busybox busybox awk -f work.awk
tap_done
