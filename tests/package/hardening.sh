#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What gprof and libgmon are built with against mistakes of their own, as far as compiler and linker have it; that the
# runtime keeps its own flags whatever CFLAGS say; and that a build has the same bytes wherever it is made.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

[ -f "$builddir/gprof" ] || tap_skip_all "gprof is not built"
[ -z "$INSTRUMENTED" ] || tap_skip_all "the $INSTRUMENTED build has checks of its own"
command -v readelf >/dev/null || tap_skip_all "no readelf (Debian package binutils)"
unset MAKEFLAGS MFLAGS MAKELEVEL

# takes FLAG: whether the compiler knows it.
takes() {
	echo 'int main(void) { return 0; }' | "$CC" -Werror "$1" -xc - -o "$scratch/probe" 2>/dev/null
}

# has WHAT FLAG COMMAND...: that the command succeeds if the compiler knows the flag.
has() {
	what=$1
	flag=$2
	shift 2
	if takes "$flag"; then expect "$what" "$@"; else tap_skip "$what" "$CC does not know $flag"; fi
}

make_scratch
cd "$scratch" || exit 99
# One object stands for all: crt1.o and static libraries may lack what ours have.
object=$builddir/src/base/quote.o
[ -f "$object" ] || object=$builddir/src/base/number.o
readelf -W -d "$builddir/gprof" >gprof.dynamic
readelf -W -d "$builddir/libgmon.so" >gmon.dynamic 2>/dev/null
nm -u "$builddir"/src/*/*.o "$builddir"/src/*/*/*.o >undefined
readelf -W -n "$object" >notes
evidence=gprof.dynamic
has 'gprof: all symbols are bound at the start' -Wl,-z,now grep -q BIND_NOW gprof.dynamic
has 'gprof: guards its stack' -fstack-protector-strong grep -q __stack_chk_fail undefined
case $(uname -m) in
x86_64)
	has 'gprof: marks the targets of its jumps' -fcf-protection grep -q 'x86 feature: .*IBT' notes
	readelf -W -n "$builddir/gprof" >gprof.notes
	has 'gprof: is marked for a shadow stack' -Wl,-z,shstk grep -q 'x86 feature: .*SHSTK' gprof.notes
	if [ -f "$builddir/libgmon.so" ]; then
		readelf -W -n "$builddir/libgmon.so" >gmon.notes
		has 'libgmon: is marked, too, so that programs with it keep theirs' -Wl,-z,shstk grep -q 'x86 feature: .*SHSTK' gmon.notes
	fi
	;;
esac
if echo '#ifdef __OPTIMIZE__' | "$CC" -E - >/dev/null 2>&1 && grep -q '^HARDEN_CPPFLAGS = *$' "$builddir/Makefile"; then
	tap_skip 'gprof: the C library checks bounds' 'the build has its own CPPFLAGS, or no optimizer'
else
	expect 'gprof: the C library checks bounds' grep -q '_chk$' undefined
fi

if [ ! -f "$builddir/libgmon.a" ]; then
	tap_skip 'libgmon' 'libgmon is not for this machine'
	tap_done
fi
has 'libgmon: all symbols are bound at the start' -Wl,-z,now grep -q BIND_NOW gmon.dynamic

# library DIR: libgmon, built in DIR as a release, with a distribution's flags; what is said if it cannot be. The second
# time, configure need not find out again what compiler and tools can do.
library() {
	mkdir "$1"
	if ! (
		make -C "$builddir" distdir distdir="$scratch/$1/tree" && cd "$1" &&
			tree/configure -q --cache-file="$scratch/config.cache" --disable-gprof --enable-release CC="$CC" CPPFLAGS=-D_FORTIFY_SOURCE=2 \
				CFLAGS="-O2 -g -fstack-protector-all" && make libgmon.a libgmon.so
	) >"$1.log" 2>&1; then
		tail -n 20 "$1.log"
	fi
	chmod -R u+w "$1"
}
check "libgmon is built with a distribution's flags" "$(library first)"
check 'libgmon: no guard of the stack, which a caller may lack' "$(nm -u first/libgmon.so first/libgmon.a | grep '_chk')"
check 'libgmon is built elsewhere' "$(library second-time)"
expect 'libgmon.so has the same bytes' cmp first/libgmon.so second-time/libgmon.so
expect 'libgmon.a has the same bytes' cmp first/libgmon.a second-time/libgmon.a
for directory in first second-time; do
	(cd $directory && make dist && mv gprof-*.tar.gz ../$directory.tar.gz) >log 2>&1 || tap_note <log
done
expect 'make dist: the tarball has the same bytes' cmp first.tar.gz second-time.tar.gz
tap_done
