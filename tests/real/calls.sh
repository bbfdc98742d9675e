#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Calls of real programs, of Debian's sources: lua, sqlite3, zstd and redis are built for -pg and
# -finstrument-functions at once, so that in the same run libgmon counts by mcount and counter.c by the other hook, which
# knows nothing of it. For each function both must say the same. Takes ten minutes: make check-real.
# REAL_SOURCES, if set, is a directory with the unpacked sources, called as below; else apt-get source fetches them, which
# needs deb-src in apt's list of sources.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317 # conditions are evaluated later; words
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/real/lib.sh"

test_lua() {
	get_sources lua5.4 || return
	cd "$source/src" || exit 99
	echo '#define DEB_HOST_MULTIARCH "x"' >lua5.4-deb-multiarch.h
	rm -f luac.c
	gcc $flags -DLUA_COMPAT_5_3 -DLUA_USE_LINUX ./*.c "$counter" "$archive" -o "$scratch/lua" -lm -ldl \
		>"$scratch/log" 2>&1 || {
		failed_to_build lua
		return
	}
	cd "$scratch" || exit 99
	write_lua_work
	count_real lua ./lua work.lua
}

test_sqlite() {
	get_sources sqlite3 || return
	cd "$source" || exit 99
	if ! (./configure -q --disable-tcl && make -s sqlite3.c shell.c &&
		gcc $flags -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_FTS5 sqlite3.c shell.c "$counter" "$archive" \
			-o "$scratch/sqlite3" -lm -ldl -lpthread) >"$scratch/log" 2>&1; then
		failed_to_build sqlite3
		return
	fi
	cd "$scratch" || exit 99
	write_sqlite_work
	count_real sqlite3 ./sqlite3 db '.read work.sql'
}

test_zstd() {
	get_sources libzstd || return
	cd "$source" || exit 99
	if ! make -s -C programs zstd CFLAGS="$flags -DZSTD_NO_INLINE" LDFLAGS="-pg $counter $archive" HAVE_LZMA=0 HAVE_LZ4=0 \
		HAVE_ZLIB=0 >"$scratch/log" 2>&1; then
		failed_to_build zstd
		return
	fi
	cp programs/zstd "$scratch"
	cd "$scratch" || exit 99
	cat "$source"/lib/*/*.c "$source"/lib/*/*.c >input
	count_real "zstd, two threads" ./zstd -q -f -T2 -7 input -o input.zst
	count_real "zstd, four threads" ./zstd -q -f -T4 -B100000 -3 input -o input.zst
	count_real "zstd -d" ./zstd -q -d -f input.zst -o input.back
}

# The client speaks the protocol's inline form.
test_redis() {
	get_sources redis || return
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
	compare_real "redis, four clients, three threads" ./redis-server
}

make_scratch
make_counter gcc
test_lua
test_sqlite
test_zstd
test_redis
tap_done
