#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A debuginfod of elfutils on this machine has the debug files and sources of three stripped programs in an archive: names,
# lines and the text of sources are those that the unstripped programs have.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# serve: a server of what is in repository/, until serve_end.
serve() {
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	debuginfod -d "$scratch/index" -p "$port" -Z .tar "$scratch/repository" >served 2>&1 &
	server=$!
	DEBUGINFOD_URLS=http://127.0.0.1:$port
	export DEBUGINFOD_URLS
	# It answers when it has read the archive.
	python3 - "$1" <<-'END_OF_PYTHON'
		import os, sys, time, urllib.request
		for attempt in range(300):
		    try:
		        urllib.request.urlopen(os.environ["DEBUGINFOD_URLS"] + "/buildid/" + sys.argv[1] + "/debuginfo").read()
		        sys.exit(0)
		    except OSError:
		        time.sleep(0.1)
		sys.exit(1)
	END_OF_PYTHON
}

serve_end() {
	kill $server 2>/dev/null
	wait $server 2>/dev/null
}

build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }

# lines_of OPTION... FILE...: names with their times, and the lines of three functions with their text.
lines_of() { "$GPROF" -b -p --source=inner --source=other --source=outer "$@"; }

make_scratch
cd "$scratch" || exit 99
grep -q '^#define HAVE_DEBUGINFOD 1' "$builddir/config.h" || tap_skip_all 'built without debuginfod'
for program in debuginfod objcopy python3 readelf tar; do
	command -v $program >/dev/null || tap_skip_all "no $program (Debian packages debuginfod, binutils, python3, tar)"
done
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY GPROF_DEBUGINFOD DEBUGINFOD_MAXSIZE DEBUGINFOD_URLS
HOME=$scratch/home DEBUGINFOD_CACHE_PATH=$scratch/cache
export HOME DEBUGINFOD_CACHE_PATH
mkdir home repository debug work full
for name in one two three; do
	cat >work/$name.c <<-END_OF_C
		static volatile unsigned sink;
		#define WORK(n) for (unsigned i = 0; i < (n); i++) sink = sink * 5 + i
		__attribute__((noinline)) static void inner(void) { WORK(4${#name}000); }
		__attribute__((noinline)) static void other(void) { WORK(60000); }
		__attribute__((noinline)) static void outer(void) { WORK(20000); inner(); other(); }
		int main(void) { for (int i = 0; i < 2000; i++) outer(); return 0; }
	END_OF_C
	"$CC" -O1 -g -Wl,--build-id=sha1 -o $name "$PWD/work/$name.c" 2>log || tap_skip_all "$(head -n 1 log)"
	cp $name full/$name && objcopy --only-keep-debug $name debug/$name.debug && strip $name || exit 99
	run "$GPROF" -b -o report --run=keep=kept.$name ./$name
	[ -f kept.$name ] || tap_skip_all 'no call stacks here'
	lines_of full/$name kept.$name >wanted.$name 2>err
done
tar -cf repository/all.tar debug -C / ".$PWD/work" 2>/dev/null || exit 99
mv work away
if ! serve "$(build_id full/three)"; then
	serve_end
	tap_skip_all "debuginfod does not serve: $(tail -n 1 served)"
fi
lines_of --debuginfod=20 kept.one >got 2>err
if grep -q 'there is no libdebuginfod' err; then
	serve_end
	tap_skip_all 'no libdebuginfod.so.1: install Debian package libdebuginfod1'
fi
rm -rf cache
for name in one two three; do
	lines_of kept.$name >got 2>err
	expect "$name: without it functions have no names" 'fails grep -q WORK got'
	lines_of --debuginfod=20 kept.$name >got 2>err
	same "$name: names, lines and sources are those of the unstripped program" got wanted.$name
	expect "$name: lines say what was fetched" \
		'grep -q "note: debuginfod: the debug file of $name was fetched" err && grep -q "note: debuginfod: the source of $name\.c was fetched" err'
	lines_of kept.$name >got 2>err
	same "$name: later without the option" got wanted.$name
done
serve_end
cd "$builddir" || exit 99
tap_done
