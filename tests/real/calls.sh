#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Calls of real programs, of Debian's sources: lua, sqlite3, zstd and redis are built for -pg and
# -finstrument-functions at once, so that in the same run libgmon counts by mcount and counter.c by the other hook, which
# knows nothing of it. For each function both must say the same. Takes ten minutes: make check-real.
# SOURCES, if set, is a directory with the unpacked sources, called as below; else apt-get source fetches them, which
# needs deb-src in apt's list of sources.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317 # conditions are evaluated later; words
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# No function is inlined or cloned: the second hook would be called for them, and mcount not.
flags='-O2 -g -pg -finstrument-functions -fno-inline -fno-ipa-sra -fno-ipa-cp -fno-partial-inlining -fno-ipa-icf'

# sources PACKAGE: makes $source, with the sources of it. False, and a skipped test, if there are none.
sources() {
	source=$scratch/sources/$1
	mkdir -p "$scratch/sources"
	if [ -n "${SOURCES-}" ]; then
		cp -r "$SOURCES/$1" "$source" 2>/dev/null && return
	elif (mkdir -p "$scratch/from" && cd "$scratch/from" && apt-get source -q --download-only "$1" &&
		dpkg-source --no-check -x "$1"_*.dsc "$source") >"$scratch/log" 2>&1; then
		return
	fi
	tap_skip "$1: calls" "no sources of it: SOURCES, or deb-src for apt-get"
	false
}

# counted WHAT PROGRAM ARGUMENT...: one run in the current directory; every function's count must be the same.
counted() {
	what=$1
	shift
	rm -f gmon.out counted
	COUNTED=counted GMON='' "$@" >out 2>&1
	compare "$what" "$1"
}

# compare WHAT PROGRAM: the counts of the last run.
compare() {
	"$GPROF" --all-symbols --export=csv -o functions.csv "$2" gmon.out >complaints 2>&1
	awk -f "$srcdir/tests/real/compare.awk" step=1 functions.csv step=2 counted >differences
	total=$(tail -n 1 differences)
	if [ "${total##* }" = 1.000000 ] && ! grep -q ^differs differences; then
		tap_ok "$1: $total"
	else
		tap_not_ok "$1: $total"
		head -n 20 differences complaints | tap_note
	fi
}

# failed_to_build NAME: what was last said.
failed_to_build() {
	tap_not_ok "$1 is built"
	tail -n 10 "$scratch/log" | tap_note
}

test_lua() {
	sources lua5.4 || return
	cd "$source/src" || exit 99
	echo '#define DEB_HOST_MULTIARCH "x"' >lua5.4-deb-multiarch.h
	rm -f luac.c
	gcc $flags -DLUA_COMPAT_5_3 -DLUA_USE_LINUX ./*.c "$counter" "$archive" -o "$scratch/lua" -lm -ldl \
		>"$scratch/log" 2>&1 || {
		failed_to_build lua
		return
	}
	cd "$scratch" || exit 99
	cat >work.lua <<-'END'
		local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end
		local t, s = {}, 0
		for i = 1, 200000 do t[i % 1000 + 1] = string.format("%d:%s", i, tostring(i * 1.5)) end
		table.sort(t)
		for w in ("the quick brown fox "):rep(20000):gmatch("%a+") do s = s + #w end
		local next_one = coroutine.wrap(function() for i = 1, 50000 do coroutine.yield(i) end end)
		for i = 1, 50000 do s = s + next_one() end
		print(fib(25), s, #t, pcall(error, "x"))
	END
	counted lua ./lua work.lua
}

test_sqlite() {
	sources sqlite3 || return
	cd "$source" || exit 99
	if ! (./configure -q --disable-tcl && make -s sqlite3.c shell.c &&
		gcc $flags -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_FTS5 sqlite3.c shell.c "$counter" "$archive" \
			-o "$scratch/sqlite3" -lm -ldl -lpthread) >"$scratch/log" 2>&1; then
		failed_to_build sqlite3
		return
	fi
	cd "$scratch" || exit 99
	cat >work.sql <<-'END'
		create table t(a integer primary key, b text, c real);
		with recursive n(i) as (select 1 union all select i+1 from n where i<60000)
			insert into t select i, 'row '||i, i*1.5 from n;
		create index tb on t(b);
		select count(*), sum(c), max(b) from t where b like 'row 1%';
		select substr(b,1,5) k, count(*), avg(c) from t group by k order by 2 desc limit 5;
		update t set c=c+1 where a%7=0;
		delete from t where a%11=0;
		create virtual table f using fts5(x);
		insert into f select b from t limit 5000;
		select count(*) from f where f match 'row';
		pragma integrity_check;
	END
	counted sqlite3 ./sqlite3 db '.read work.sql'
}

test_zstd() {
	sources libzstd || return
	cd "$source" || exit 99
	if ! make -s -C programs zstd CFLAGS="$flags -DZSTD_NO_INLINE" LDFLAGS="-pg $counter $archive" HAVE_LZMA=0 HAVE_LZ4=0 \
		HAVE_ZLIB=0 >"$scratch/log" 2>&1; then
		failed_to_build zstd
		return
	fi
	cp programs/zstd "$scratch"
	cd "$scratch" || exit 99
	cat "$source"/lib/*/*.c "$source"/lib/*/*.c >input
	counted "zstd, two threads" ./zstd -q -f -T2 -7 input -o input.zst
	counted "zstd, four threads" ./zstd -q -f -T4 -B100000 -3 input -o input.zst
	counted "zstd -d" ./zstd -q -d -f input.zst -o input.back
}

# The client speaks the protocol's inline form.
test_redis() {
	sources redis || return
	cd "$source" || exit 99
	if ! (make -C deps hiredis linenoise lua hdr_histogram &&
		make -C src redis-server MALLOC=libc BUILD_TLS=no OPTIMIZATION=-O2 REDIS_CFLAGS="$flags" \
			REDIS_LDFLAGS="-pg $counter $archive") >"$scratch/log" 2>&1; then
		failed_to_build redis
		return
	fi
	cp src/redis-server "$scratch"
	cd "$scratch" || exit 99
	rm -f gmon.out counted
	COUNTED=counted GMON='' ./redis-server --port 0 --unixsocket "$scratch/socket" --save '' --io-threads 3 >out 2>&1 &
	server=$!
	until [ -S socket ]; do sleep 0.1; done
	for client in 1 2 3 4; do
		awk -v k=$client 'BEGIN {
			for (i = 0; i < 20000; i++) {
				print "SET k" i % 977, "v" i; print "GET k" i * 7 % 977; print "LPUSH l" k, i
				print "ZADD z", i, "m" i; print "HSET h" i % 50, "f" i, i; print "INCR c"
			}
			print "SORT l" k; print "ZRANGE z 0 500"; print "PING"
		}' | python3 -c 'import socket, sys, threading
s = socket.socket(socket.AF_UNIX); s.connect("socket")
def drain():
    while s.recv(65536): pass
t = threading.Thread(target=drain); t.start()
s.sendall(sys.stdin.buffer.read().replace(b"\n", b"\r\n")); s.shutdown(socket.SHUT_WR); t.join()' &
		clients="${clients-} $!"
	done
	wait $clients
	kill -TERM $server
	wait $server
	compare "redis, four clients, three threads" ./redis-server
}

make_scratch
counter=$scratch/counter.o
gcc -O2 -c "$srcdir/tests/real/counter.c" -o "$counter" || tap_done
test_lua
test_sqlite
test_zstd
test_redis
tap_done
