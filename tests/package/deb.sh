#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 'make deb' makes a package that has what 'make install' installs, in Debian's places, and diverts what others
# have of it.
# shellcheck disable=SC2016 # variables of pkg-config
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

command -v dpkg-shlibdeps >/dev/null || tap_skip_all "no dpkg-shlibdeps (Debian package dpkg-dev)"
[ -f "$builddir/gprof" ] || tap_skip_all "gprof is not built"
unset MAKEFLAGS MFLAGS MAKELEVEL
make_scratch
cd "$scratch" || exit 1
DEBFULLNAME=Somebody DEBEMAIL=somebody@debian.org
export DEBFULLNAME DEBEMAIL
check "make deb" "$(MAKE=make VERSION=1.2.3 sh "$srcdir/src/packaging/deb.sh" >log 2>&1 || cat log)"
dpkg-deb -R gprof_1.2.3_*.deb package 2>log
check "it can be unpacked" "$(cat log)"

libraries=usr/lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)
{
	cat <<-END
		DEBIAN/control
		DEBIAN/md5sums
		DEBIAN/postrm
		DEBIAN/preinst
		DEBIAN/triggers
		usr/bin/gprof
		usr/include/gmon_out.h
		usr/include/gmon_text.h
		usr/share/bash-completion/completions/gprof
		usr/share/doc/gprof/NEWS.gz
		usr/share/doc/gprof/changelog.gz
		usr/share/doc/gprof/copyright
		usr/share/doc/gprof/diff-schema.json
		usr/share/doc/gprof/differences.md
		usr/share/doc/gprof/embedded/README
		usr/share/doc/gprof/embedded/gmon_dump.c
		usr/share/doc/gprof/embedded/gmon_embedded.c
		usr/share/doc/gprof/embedded/gmon_embedded.h
		usr/share/doc/gprof/embedded/gmon_ext.h
		usr/share/doc/gprof/embedded/gmon_mcount.c
		usr/share/doc/gprof/embedded/gmon_out.h
		usr/share/doc/gprof/embedded/gmon_stacks.c
		usr/share/doc/gprof/embedded/gmon_state.h
		usr/share/doc/gprof/embedded/gmon_text.h
		usr/share/doc/gprof/embedded/ports/README
		usr/share/doc/gprof/embedded/ports/gmon_nuttx.c
		usr/share/doc/gprof/embedded/ports/gmon_ports.h
		usr/share/doc/gprof/embedded/ports/gmon_zephyr.c
		usr/share/doc/gprof/embedded/ports/nuttx.Kconfig
		usr/share/doc/gprof/embedded/ports/nuttx.mk
		usr/share/doc/gprof/embedded/ports/semihosting.c
		usr/share/doc/gprof/embedded/ports/uart.c
		usr/share/doc/gprof/embedded/ports/zephyr.Kconfig
		usr/share/doc/gprof/embedded/ports/zephyr.cmake
		usr/share/doc/gprof/example/board.c
		usr/share/doc/gprof/example/board.ld
		usr/share/doc/gprof/example/compare.sh
		usr/share/doc/gprof/example/formula.c
		usr/share/doc/gprof/example/pool.c
		usr/share/doc/gprof/example/sum-parallel.sh
		usr/share/doc/gprof/example/sum-slurm.sh
		usr/share/doc/gprof/example/sum-spark.sh
		usr/share/doc/gprof/example/unequal.c
		usr/share/doc/gprof/example/words.c
		usr/share/doc/gprof/export-json.md
		usr/share/doc/gprof/export-schema.json
		usr/share/doc/gprof/performance.md
		usr/share/doc/gprof/top-schema.json
		usr/share/fish/vendor_completions.d/gprof.fish
		usr/share/info/gprof.info.gz
		usr/share/lintian/overrides/gprof
		usr/share/man/man1/gprof.1.gz
		usr/share/man/man5/gmon.out.5.gz
		usr/share/man/man5/gmon.out.ext.5.gz
		usr/share/zsh/vendor-completions/_gprof
	END
	if [ -f "$builddir/libgmon.a" ]; then
		cat <<-END
			$libraries/libgmon.a
			$libraries/libgmon.so
			$libraries/pkgconfig/libgmon.pc
			usr/include/gmon.h
			usr/include/gmon_ext.h
			usr/include/gmon_live.h
			usr/share/man/man3/libgmon.3.gz
		END
	fi
} | sort >expected
(cd package && find . -type f) | sed 's|^\./||' | sort >packed
check "its files" "$(diff expected packed)"
check "their sums" "$(cd package && md5sum --quiet -c DEBIAN/md5sums 2>&1)"
check "it depends on the C library" "$(sed -n 's/^Depends: //p' package/DEBIAN/control | grep -v '^libc6\|, libc6')"
check "gprof runs" "$(package/usr/bin/gprof --version 2>&1 >/dev/null)"
check "libgmon.pc is for /usr" "$(grep -v -e '^[A-Z].*:' -e '^$' -e "^libdir=/$libraries\$" -e '^prefix=/usr$' \
	-e '^exec_prefix=\${prefix}$' -e '^includedir=\${prefix}/include$' "package/$libraries/pkgconfig/libgmon.pc"
	grep rpath "package/$libraries/pkgconfig/libgmon.pc")"
check "it is built with the distribution's flags" "$(readelf -W -d package/usr/bin/gprof >dynamic
	grep -q BIND_NOW dynamic || cat dynamic)"
check "it names no directory of the build" "$(grep -rlF -e "$scratch" -e "$srcdir" package)"
if command -v lintian >/dev/null; then
	check "lintian finds nothing" "$(lintian --allow-root gprof_1.2.3_*.deb 2>&1)"
else
	tap_skip "lintian finds nothing" "no lintian (Debian package lintian)"
fi

# The maintainer's scripts, with a dpkg-divert that only says how it is called.
mkdir bin
printf '#!/bin/sh\necho "$*"\n' >bin/dpkg-divert
chmod +x bin/dpkg-divert
PATH=$scratch/bin:$PATH
sh package/DEBIAN/preinst install >added
sh package/DEBIAN/postrm remove >removed
printf '/usr/%s\n' bin/gprof share/bash-completion/completions/gprof share/info/gprof.info.gz \
	share/man/man1/gprof.1.gz >expected
check "what others have is diverted" "$(sed 's/.* //' added | sort | diff expected -)"
check "and given back" "$(sed 's/--add/--remove/' added | diff - removed)"
tap_done
