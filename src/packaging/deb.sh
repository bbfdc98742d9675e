#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 'make deb': what 'make install' installs, as a Debian package in the current directory, built anew as a release with
# the flags of the distribution (dpkg-buildflags). Its gprof, manual and
# completion stand in for those of binutils and bash-completion, which are kept as gprof.binutils: dpkg diverts
# them while the package is installed.
#
# From make: srcdir, builddir, MAKE, VERSION. From the user, for the package's Maintainer: DEBFULLNAME, DEBEMAIL.

die() {
	echo "make deb: $*" >&2
	exit 1
}

for program in dpkg-architecture dpkg-buildflags dpkg-deb dpkg-shlibdeps strip; do
	command -v $program >/dev/null ||
		die "no $program: install Debian packages dpkg-dev and binutils"
done
umask 022
root=$(pwd)/deb/root
libdir=/usr/lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)
architecture=$(dpkg-architecture -q DEB_HOST_ARCH)
document=$root/usr/share/doc/gprof
maintainer="${DEBFULLNAME:-gprof} <${DEBEMAIL:-${EMAIL:-root@localhost}}>"
# The same sources make the same package.
: "${SOURCE_DATE_EPOCH:=$(date -r "$srcdir/doc/NEWS" +%s)}"
export SOURCE_DATE_EPOCH

# build_anew: in a copy of the sources, as this build is configured but for what a package decides.
build_anew() (
	"$MAKE" -C "$builddir" distdir distdir="$(pwd)/deb/source" || exit
	configured=$("$builddir/config.status" --config)
	cd deb/source || exit
	eval "./configure $configured --without-mpi --enable-release --disable-werror --disable-asan --disable-ubsan --disable-tsan \
		--disable-coverage --disable-valgrind --prefix=/usr --libdir='$libdir' \
		$(DEB_BUILD_MAINT_OPTIONS=hardening=+all dpkg-buildflags --export=configure)" &&
		"$MAKE" -j "$(nproc)" &&
		"$MAKE" install DESTDIR="$root" zsh_completiondir=/usr/share/zsh/vendor-completions AM_UPDATE_INFO_DIR=no
)

rm -rf deb
mkdir deb
if ! build_anew >deb/log 2>&1 </dev/null; then
	tail -n 30 deb/log >&2
	die "the build failed"
fi

binaries=root/usr/bin/gprof
if [ -f "$root$libdir/libgmon.so" ]; then
	strip --strip-unneeded "$root$libdir/libgmon.so"
	strip --strip-debug "$root$libdir/libgmon.a"
	binaries="$binaries root$libdir/libgmon.so"
	chmod 644 "$root$libdir/libgmon.so"
fi
strip --remove-section=.comment "$root/usr/bin/gprof"
mkdir -p "$document" deb/debian "$root/DEBIAN" "$root/usr/share/lintian/overrides"
cat >"$root/usr/share/lintian/overrides/gprof" <<'END'
# A third of the time of a small report would be that of loading libraries.
gprof: embedded-library *
# What programs load or are linked with has one interface, and no package of its own.
gprof: package-name-doesnt-match-sonames *
gprof: shared-library-lacks-version *
# It reads the lists of files, to name the package that has the names of a stripped library's functions.
gprof: uses-dpkg-database-directly *
# The pictures are of the HTML.
gprof: info-document-missing-image-file *
END
{
	echo "gprof ($VERSION) unstable; urgency=low"
	echo
	echo "  * See NEWS.gz."
	echo
	echo " -- $maintainer  $(date -R -u -d "@$SOURCE_DATE_EPOCH")"
} >"$document/changelog"
{
	echo "gprof: Copyright (C) 2026 the gprof project contributors."
	echo
	echo "GPL-3.0-or-later; see /usr/share/common-licenses/GPL-3. libgmon and the headers:"
	echo
	cat "$srcdir/runtime/COPYING"
} >"$document/copyright"
gzip -9n "$document/NEWS" "$document/changelog"
find "$root/usr/share/man" "$root/usr/share/info" -type f -exec gzip -9n {} + 2>/dev/null

# FILE KEPT: of each file that another package may have, and where that is kept meanwhile.
while read -r file kept; do
	[ -f "$root$file" ] && echo "$file $kept"
done >deb/diverted <<'END'
/usr/bin/gprof /usr/bin/gprof.binutils
/usr/share/man/man1/gprof.1.gz /usr/share/man/man1/gprof.binutils.1.gz
/usr/share/info/gprof.info.gz /usr/share/info/gprof.binutils.info.gz
/usr/share/bash-completion/completions/gprof /usr/share/bash-completion/completions/gprof.binutils
END

# divert SCRIPT WHEN OPTION: makes the maintainer's SCRIPT, which calls dpkg-divert when it is called so.
divert() {
	{
		echo '#!/bin/sh'
		echo 'set -e'
		echo "case \$1 in"
		echo "$2)"
		while read -r file kept; do
			printf '\tdpkg-divert --package gprof --rename %s --divert %s %s\n' "$3" "$kept" "$file"
		done <deb/diverted
		printf '\t;;\nesac\n'
	} >"$root/DEBIAN/$1"
	chmod 755 "$root/DEBIAN/$1"
}
divert preinst 'install | upgrade' --add
divert postrm 'remove | disappear | abort-install' --remove
echo 'activate-noawait ldconfig' >"$root/DEBIAN/triggers"

echo 'Source: gprof' >deb/debian/control
# shellcheck disable=SC2086 # a list
depends=$(cd deb && dpkg-shlibdeps -O $binaries) ||
	die "dpkg-shlibdeps failed"
(cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k 2) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<END
Package: gprof
Version: $VERSION
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -ks "$root/usr" | cut -f 1)
Depends: ${depends#shlibs:Depends=}
Section: devel
Priority: optional
Description: shows where a program spent its time, and who called whom
 gprof prints the profiles of programs that were compiled with -pg, as GNU gprof
 does, and replaces it while this package is installed; GNU gprof is called
 gprof.binutils then.
 .
 libgmon is linked into such programs, or preloaded, to count each call in every
 thread.
END
dpkg-deb --root-owner-group --build "$root" . >/dev/null || die "dpkg-deb failed"
rm -rf deb
echo "made gprof_${VERSION}_$architecture.deb"
