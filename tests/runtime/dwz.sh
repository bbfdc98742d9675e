#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What dwz has moved from a debug file to a supplementary one, as distributions do, is found by its name in the directory
# .dwz of --debug-path, by build id in the cache of debuginfod's client, and is fetched by debuginfod; one of another build
# is not used.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# shown OPTION...: the names of the program's functions, and whatever gprof says in err.
shown() {
	"$GPROF" -b --inclusive --inlined "$@" kept 2>err | grep -o -e 'inner (inlined)' -e ' outer$' | sort
}

build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }

# keep FILE DIRECTORY: the debug file of a.out in a directory that is built as /usr/lib/debug is.
keep() {
	mkdir -p "$2/.build-id/${id%"$rest"}" && cp "$1" "$2/.build-id/${id%"$rest"}/$rest.debug"
}

make_scratch
cd "$scratch" || exit 99
for program in dwz objcopy strip readelf; do
	command -v $program >/dev/null || tap_skip_all "no $program (Debian packages dwz, binutils)"
done
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY DEBUGINFOD_URLS GPROF_DEBUGINFOD DEBUGINFOD_MAXSIZE
HOME=$scratch/home DEBUGINFOD_CACHE_PATH=$scratch/cache
export HOME DEBUGINFOD_CACHE_PATH
cat >main.c <<-'END_OF_C'
	struct large { int a, b, c; char name[40]; struct large *next; };
	enum kind { ONE, TWO, THREE, FOUR };
	struct larger { struct large x; enum kind kind; double d[3]; };
	static volatile unsigned sink;
	static inline __attribute__((always_inline)) void inner(struct larger *m, enum kind kind)
	{
		for (unsigned i = 0; i < 50000; i++)
			sink = sink * 5 + i + (unsigned)kind + (m != 0);
	}
	__attribute__((noinline)) void outer(struct larger *m, struct large *b) { inner(m, ONE); sink += b != 0; }
	int main(void) { for (int i = 0; i < 4000; i++) outer(0, 0); return 0; }
END_OF_C
"$CC" -O2 -g -Wl,--build-id=sha1 -o a.out main.c 2>log || tap_skip_all "$(head -n 1 log)"
cp a.out twin && cp a.out third && cp a.out fourth
if ! dwz -m common -M /usr/lib/debug/.dwz/gprof-test/common.debug a.out twin 2>log ||
	! readelf -S a.out | grep -q debugaltlink; then
	tap_skip_all 'no dwz that makes supplementary files'
fi
objcopy --only-keep-debug a.out a.debug && strip a.out || exit 99
id=$(build_id a.out) shared=$(build_id common)
rest=${id#??}
run "$GPROF" -b --inclusive -o report --run=keep=kept ./a.out
[ -f kept ] || tap_skip_all 'no call stacks here'

printf '%s\n' ' outer' 'inner (inlined)' | sort >whole
keep a.debug root && mkdir -p root/.dwz/gprof-test && cp common root/.dwz/gprof-test/common.debug
shown --debug-path=root >got
same 'the supplementary file below a root: what was inlined has its name' got whole
keep a.debug lacks
shown --debug-path=lacks >got
expect 'without it: the function alone' '[ "$(cat got)" = " outer" ]'
mkdir -p lacks/.dwz/gprof-test
sed 's/inner/other/' main.c >other.c
"$CC" -O2 -g -Wl,--build-id=sha1 -o b.out other.c && cp b.out b.twin && dwz -m other b.out b.twin 2>log || exit 99
cp other lacks/.dwz/gprof-test/common.debug
shown --debug-path=lacks >got
expect 'that of another build is not used' '[ "$(cat got)" = " outer" ]'
mkdir -p "cache/$shared" && cp common "cache/$shared/debuginfo"
shown --debug-path=lacks >got
same "in the cache of debuginfod's client" got whole

if ! grep -q '^#define HAVE_DEBUGINFOD 1' "$builddir/config.h" || ! command -v python3 >/dev/null; then
	tap_skip 'fetched by debuginfod' 'built without debuginfod, or no python3'
	tap_done
	exit
fi
rm -r cache
mkdir -p "web/buildid/$id" "web/buildid/$shared"
cp a.debug "web/buildid/$id/debuginfo" && cp common "web/buildid/$shared/debuginfo"
python3 -u -m http.server --bind 127.0.0.1 --directory web 0 >port 2>asked &
server=$!
while ! grep -qs ' port ' port && kill -0 $server 2>/dev/null; do
	sleep 0.1
done
DEBUGINFOD_URLS=http://127.0.0.1:$(sed 's/.* port \([0-9]*\).*/\1/' port)
export DEBUGINFOD_URLS
shown --debuginfod=20 >got
if grep -q 'there is no libdebuginfod' err; then
	tap_skip 'fetched by debuginfod' 'no libdebuginfod.so.1: install Debian package libdebuginfod1'
else
	same 'fetched by debuginfod, with the debug file' got whole
	expect 'a line says so' grep -q "note: debuginfod: debug files of a\.out, a\.out's supplement were fetched" err
	rm -r "cache/$shared"
	shown --debuginfod=20 >got
	same 'fetched alone, where the debug file is there' got whole
	expect 'a line says so' grep -q "note: debuginfod: the debug file of a\.out's supplement was fetched" err
	rm -r "cache/$shared" "web/buildid/$shared"
	shown --debuginfod=20 >got
	expect 'no server has it: the function alone' '[ "$(cat got)" = " outer" ]'
	expect 'a line says so' grep -q "not that of a\.out's supplement (no server has it)" err
fi
kill $server
wait $server 2>/dev/null
cd "$builddir" || exit 99
tap_done
