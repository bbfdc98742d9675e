#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 'make pictures': takes the manual's pictures, doc/images/*.png, anew. They show lame, an MP3 encoder of a few
# hundred functions without recursion, from Debian's sources, while it encodes the sound that comes with it.
#
# Needs the Debian packages chromium, dpkg-dev, fonts-dejavu-core and pngquant, and a built gprof and libgmon. Look
# at each picture before it is committed.
#
# shellcheck source-path=SCRIPTDIR/.. source=tests/export/browser.sh

die() {
	echo "pictures: $*" >&2
	exit 1
}

srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
. "$srcdir/tests/export/browser.sh"
images=$srcdir/doc/images
gprof=$builddir/gprof

# The sources come from where the system's own packages do, whether or not its lists name sources.
fetch() {
	# shellcheck disable=SC2016 # apt-get's own variables
	apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' 'Component: main' >sources.list
	mkdir -p lists/partial
	for action in update "source --download-only lame"; do
		# shellcheck disable=SC2086 # words
		apt-get -q -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=/dev/null \
			-o Dir::State::lists="$PWD/lists" -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= \
			$action >log 2>&1 || { cat log >&2 && die "apt-get $action failed"; }
	done
	mkdir lame && tar -xf lame_*.orig.tar.* -C lame --strip-components=1
}

# -O1 keeps functions whole; what -O2 splits off is counted with a neighbour.
build() {
	(
		cd lame &&
			./configure -q --disable-shared --disable-nasm --disable-decoder &&
			make CFLAGS="-O1 -g -pg -fdebug-prefix-map=$PWD=/home/you/lame" LIBS="$builddir/libgmon.a -lm"
	) >log 2>&1 || { tail -n 20 log >&2 && die "lame cannot be built"; }
}

# Four hundred times the same quarter of a second, less the 44 bytes of its header.
run() {
	n=0
	while [ $n -lt 400 ]; do
		tail -c +45 testcase.wav
		n=$((n + 1))
	done >sound.raw
	GMON=rate=1000 frontend/lame -r --quiet sound.raw /dev/null || die "lame failed"
}

# shot URL NAME WIDTH,HEIGHT TEXT: in light colours. The page has the TEXT as soon as its rows are there; on a busy machine
# a picture may come before that.
shot() {
	browse_shot "$1" "$scratch/$2.png" "$3" --blink-settings=preferredColorScheme=1
	grep -q "$4" "$scratch/$2.png.dom" || die "$2: the picture is empty, perhaps because the machine is busy"
	pngquant --force --strip --output "$images/$2.png" 64 "$scratch/$2.png" || die "$2: no picture"
}

cd "$scratch" || exit 1
problem=$(find_browser)
[ -z "$problem" ] || die "$problem"
find_browser
command -v pngquant >/dev/null || die "no pngquant (Debian package pngquant)"
for file in gprof libgmon.a; do
	[ -f "$builddir/$file" ] || die "no $file in $builddir: run make first"
done

fetch
build
cd lame || exit 1
run
"$gprof" --export=webpage --export=flamegraph -I libmp3lame frontend/lame gmon.out || die "gprof failed"

mkdir -p "$images"
page=file://$PWD/gprof.html
function=$(browse_dom "$page#/functions" | sed -n 's/.*href="\(#[^"]*\)" title="choose_table_nonMMX".*/\1/p')
[ -n "$function" ] || die "the page has no choose_table_nonMMX"
height=$(sed -n '1,3s/.* height="\([0-9]*\)".*/\1/p' gprof.svg)
shot "$page#/functions" functions 1200,640 'data-row='
shot "$page$function" function 1200,760 'data-f='
shot "file://$PWD/gprof.svg" flamegraph "1200,$height" '<svg x='
ls -l "$images"
