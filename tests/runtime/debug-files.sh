#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The functions of a stripped library have the names that they had before, wherever these are kept: in .gnu_debugdata, in a
# debug file by build id or by debug link below a directory of --debug-path, in the cache of debuginfod's client. A file of
# another build is not used, one that makes no sense does no harm, and a library that is gone has its debug file's names.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# library FILE UNITS: with a function that other files see, and two that only nm does.
library() {
	cat >shown.c <<-END_OF_C
		static volatile unsigned sink;
		#define WORK(n) for (unsigned i = 0; i < (n); i++) sink = sink * 5 + i
		__attribute__((noinline)) static void inner(void) { WORK(40000); }
		__attribute__((noinline)) static void other(void) { WORK($2); }
		void outer(void) { WORK(20000); inner(); other(); }
		void single(void) { WORK(30000); }
	END_OF_C
	"$CC" -O1 -g -fPIC -shared -Wl,--build-id=sha1 -o "$1" shown.c
}

# functions OPTION...: "INCLUSIVE SELF NAME" of those of the library, and whatever gprof says in err.
functions() {
	"$GPROF" -b --inclusive --libraries=show "$@" 2>err | awk '/shown\.so/ && / time / == 0 { print $2, $3, $NF }' | sort -k3
}

# named WHAT OPTION...: all functions have their names and times, and nothing is said of the library.
named() {
	named_what=$1
	shift
	functions "$@" >got
	same "$named_what" got wanted
	expect "$named_what: nothing is said" fails grep -q shown err
}

# without_names WHAT OPTION...: two functions are addresses.
without_names() {
	without_what=$1
	shift
	functions "$@" >got
	expect "$without_what" '[ "$(grep -c "+0x" got)" = 2 ] && [ "$(grep -c @shown.so got)" = 2 ]'
}

# mini FILE: .gnu_debugdata of loaded.so as gdb's manual makes it: the functions that are not dynamic symbols.
mini() {
	nm -D loaded.so --format=posix --defined-only | awk '{ print $1 }' | sort >dynamic
	nm loaded.so --format=posix --defined-only | awk '$2 ~ /[TtD]/ { print $1 }' | sort >symbols
	comm -13 dynamic symbols >kept
	objcopy --only-keep-debug loaded.so loaded.debug &&
		objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=kept loaded.debug "$1"
}

# packed DATA WHAT: shown.so is stripped and has DATA in .gnu_debugdata.
packed() {
	strip -o shown.so loaded.so
	objcopy --add-section .gnu_debugdata="$1" shown.so
}

# compressors: a program whose time is in two libraries of Debian, about as much in each; these have no names if nobody has
# installed them.
compressors() {
	cat >both.c <<-'END_OF_C'
		#include <lzma.h>
		#include <time.h>
		#include <zlib.h>
		static unsigned char in[1 << 20], out[1 << 21];
		static int done(double seconds) { return clock() / (double)CLOCKS_PER_SEC > seconds; }
		int main(void)
		{
			for (unsigned i = 0, x = 1; i < sizeof(in); i++, x = x * 69069 + 1)
				in[i] = x >> 28;
			while (!done(0.5)) {
				uLongf n = sizeof(out);
				if (compress2(out, &n, in, sizeof(in) / 16, 9) != Z_OK)
					return 1;
			}
			while (!done(1)) {
				size_t n = 0;
				if (lzma_easy_buffer_encode(1, LZMA_CHECK_NONE, 0, in, sizeof(in) / 16, out, &n, sizeof(out)) != LZMA_OK)
					return 1;
			}
			return 0;
		}
	END_OF_C
	"$CC" -O1 -o both both.c -lz -llzma
}

make_scratch
cd "$scratch" || exit 99
for program in objcopy strip nm readelf xz; do
	command -v $program >/dev/null || tap_skip_all "no $program (Debian packages binutils, xz-utils)"
done
library shown.so 60000 || tap_skip_all 'no shared library can be made'
cat >main.c <<-END_OF_C
	void outer(void), single(void);
	int main(void) { for (int i = 0; i < 6000; i++) { outer(); single(); } return 0; }
END_OF_C
"$CC" -O1 -g -pg -o a.out main.c "$archive" ./shown.so -Wl,-rpath,. >log 2>&1 || tap_skip_all "$(head -n 1 log)"
HOME=$scratch/home
export HOME
unset DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME
mv shown.so loaded.so
# The library has a debug link from the start, since one that is added later would change its size, too.
objcopy --only-keep-debug loaded.so shown.debug && objcopy --add-gnu-debuglink=shown.debug loaded.so shown.so || exit 99
mv shown.debug kept.debug
cp shown.so loaded.so
GMON=stacks,verbose
run ./a.out
[ -f gmon.out.ext ] || tap_skip_all 'no call stacks here'
functions >wanted
expect 'the library was sampled, in four functions' '[ "$(grep -c @shown.so wanted)" = 4 ]'
strip -o stripped.so loaded.so
cp stripped.so shown.so
without_names 'stripped: two functions are addresses'

"$GPROF" -b --top --libraries=show >out 2>err
expect 'the first screen says whose functions have no names' \
	'grep -q "^! stripped: [0-9]* % of the time has no names, in shown\.so, which is stripped" out'

id=$(readelf -n loaded.so | sed -n 's/.*Build ID: //p')
rest=${id#??}
below=.build-id/${id%"$rest"}
mkdir -p "ids/$below" empty && cp kept.debug "ids/$below/$rest.debug"
named '--debug-path, by build id' --debug-path=empty:ids
mkdir -p "links/$PWD" && cp kept.debug "links/$PWD/shown.debug"
named '--debug-path, by debug link' --debug-path=links
mkdir -p "home/.cache/debuginfod_client/$id" "cache/$id" "xdg/debuginfod_client/$id"
cp kept.debug "home/.cache/debuginfod_client/$id/debuginfo"
named "the cache of debuginfod's client"
mv home/.cache/debuginfod_client "cache/$id" && without_names 'the cache is gone'
cp kept.debug "cache/$id/debuginfo"
DEBUGINFOD_CACHE_PATH=$scratch/cache
export DEBUGINFOD_CACHE_PATH
named 'DEBUGINFOD_CACHE_PATH'
unset DEBUGINFOD_CACHE_PATH
cp kept.debug "xdg/debuginfod_client/$id/debuginfo"
XDG_CACHE_HOME=$scratch/xdg
export XDG_CACHE_HOME
named 'XDG_CACHE_HOME'
unset XDG_CACHE_HOME

expect 'with names, the first screen says nothing' \
	'"$GPROF" -b --top --libraries=show --debug-path=ids >out 2>err && fails grep -q "^! stripped" out'
mv shown.so elsewhere.so
named 'the library is gone: the debug file has its names' --debug-path=ids
mv elsewhere.so shown.so
library "another.so" 60001
cp another.so "ids/$below/$rest.debug"
without_names 'a debug file of another build is not used' --debug-path=ids
expect 'and a line says so' '[ "$(grep -c "warning: ids/.* is the debug file of another build than .*shown.so, so it is not used" err)" = 1 ]'
cp another.so "links/$PWD/shown.debug"
without_names 'nor is one by debug link' --debug-path=links
mkfifo "cache/$id/fifo" && mv -f "cache/$id/fifo" "cache/$id/debuginfo"
DEBUGINFOD_CACHE_PATH=cache
export DEBUGINFOD_CACHE_PATH
without_names 'a FIFO in the cache does not block'
rm "cache/$id/debuginfo" && head -c 100000 /dev/urandom >"cache/$id/debuginfo"
without_names 'garbage in the cache does no harm'
: >"cache/$id/debuginfo"
without_names 'nor does an empty file, the mark of what no server has'
unset DEBUGINFOD_CACHE_PATH

what='! stripped: two libraries have their packages, the share is that of both, and the line fits'
if ! grep -q '^#define HAVE_LZMA 1' "$builddir/config.h" || ! dpkg-query -S /usr/bin/dpkg >/dev/null 2>&1; then
	tap_skip "$what" 'no dpkg, or built without liblzma'
elif dpkg-query -W zlib1g-dbgsym liblzma5-dbgsym 2>/dev/null | grep -q .; then
	tap_skip "$what" 'the names of libz or liblzma are installed'
else
	compressors && "$GPROF" --run=keep=both.kept ./both >screen 2>&1 && "$GPROF" -b -p ./both both.kept >flat 2>/dev/null
	expect "$what" 'awk "FILENAME == \"flat\" && /\[lib(z|lzma)\.so.*\+0x/ { nameless += \$1 }
		/^! stripped: .* packages (zlib1g|liblzma5)-dbgsym and (zlib1g|liblzma5)-dbgsym\$/ {
		seen = length(\$0) <= 80; off = \$3 - nameless } END { exit !(seen && off <= 1 && off >= -1) }" flat screen'
fi

if ! grep -q '^#define HAVE_LZMA 1' "$builddir/config.h"; then
	tap_skip '.gnu_debugdata' 'built without liblzma'
	tap_done
	exit
fi
mini mini.elf && xz -c mini.elf >mini.xz || exit 99
packed mini.xz
expect '.gnu_debugdata lacks what dynamic symbols name' 'nm mini.elf | grep -q inner && fails eval "nm mini.elf | grep -q single"'
named '.gnu_debugdata'
"$GPROF" -b --objects 2>err | grep -q '  *full  *shown\.so'
tap_check $? '.gnu_debugdata: its symbols are full'
head -c 200 mini.xz >cut.xz && packed cut.xz
without_names '.gnu_debugdata that is cut does no harm'
packed /dev/null
without_names 'nor does an empty one' 2>/dev/null
head -c 400000000 /dev/zero | xz -0 >bomb.xz && packed bomb.xz
before=$(date +%s)
without_names 'a bomb in .gnu_debugdata is not unpacked'
expect 'and takes no time' '[ $(($(date +%s) - before)) -lt 30 ]'
head -c 100000 /dev/urandom | xz >noise.xz && packed noise.xz
without_names 'garbage in .gnu_debugdata does no harm'
cd "$builddir" || exit 99
tap_done
