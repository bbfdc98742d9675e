#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 'make install' makes just the files it should, with which a stranger's program is built by pkg-config and
# profiled; 'make uninstall' leaves nothing.
# shellcheck disable=SC2016,SC2086 # commands for sh; a list of words
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

# The makefile as a user runs it, not as part of 'make check'.
unset MAKEFLAGS MFLAGS MAKELEVEL
AM_UPDATE_INFO_DIR=no
export AM_UPDATE_INFO_DIR

# of_makefile VARIABLE: its value in the build's makefile.
of_makefile() {
	printf 'include Makefile\nprint-variable:\n\t@echo $(%s)\n' "$1" |
		(cd "$builddir" && make -s -f - print-variable)
}

# make_quietly ARGUMENT...: what it says only when it fails.
make_quietly() {
	make -C "$builddir" "$@" >make.log 2>&1 || cat make.log
}

# tree DIR: everything in it.
tree() {
	(cd "$1" && find . -type d -exec printf '%s/\n' {} + -o -exec printf '%s\n' {} +) | sed 's|^\./||' | sort
}

# Whatever the build was configured for.
own='prefix=/own exec_prefix=/own bindir=/own/bin libdir=/own/lib includedir=/own/include datarootdir=/own/share'

expected_files() {
	cat <<-END
		bin/gprof
		include/gmon_out.h
		include/gmon_text.h
		share/bash-completion/completions/gprof
		share/doc/gprof/NEWS
		share/doc/gprof/diff-schema.json
		share/doc/gprof/differences.md
		share/doc/gprof/embedded/README
		share/doc/gprof/embedded/gmon_dump.c
		share/doc/gprof/embedded/gmon_embedded.c
		share/doc/gprof/embedded/gmon_embedded.h
		share/doc/gprof/embedded/gmon_ext.h
		share/doc/gprof/embedded/gmon_mcount.c
		share/doc/gprof/embedded/gmon_out.h
		share/doc/gprof/embedded/gmon_stacks.c
		share/doc/gprof/embedded/gmon_state.h
		share/doc/gprof/embedded/gmon_text.h
		share/doc/gprof/embedded/ports/README
		share/doc/gprof/embedded/ports/gmon_nuttx.c
		share/doc/gprof/embedded/ports/gmon_ports.h
		share/doc/gprof/embedded/ports/gmon_zephyr.c
		share/doc/gprof/embedded/ports/nuttx.Kconfig
		share/doc/gprof/embedded/ports/nuttx.mk
		share/doc/gprof/embedded/ports/semihosting.c
		share/doc/gprof/embedded/ports/uart.c
		share/doc/gprof/embedded/ports/zephyr.Kconfig
		share/doc/gprof/embedded/ports/zephyr.cmake
		share/doc/gprof/example/board.c
		share/doc/gprof/example/board.ld
		share/doc/gprof/example/compare.sh
		share/doc/gprof/example/formula.c
		share/doc/gprof/example/pool.c
		share/doc/gprof/example/sum-parallel.sh
		share/doc/gprof/example/sum-slurm.sh
		share/doc/gprof/example/sum-spark.sh
		share/doc/gprof/example/unequal.c
		share/doc/gprof/example/words.c
		share/doc/gprof/export-json.md
		share/doc/gprof/export-schema.json
		share/doc/gprof/performance.md
		share/doc/gprof/top-schema.json
		share/fish/vendor_completions.d/gprof.fish
		share/man/man1/gprof.1
		share/man/man5/gmon.out.5
		share/man/man5/gmon.out.ext.5
		share/zsh/site-functions/_gprof
	END
	if [ -f "$builddir/doc/gprof.info" ] || [ -f "$srcdir/doc/gprof.info" ]; then
		echo share/info/gprof.info
	fi
	if [ -f "$builddir/libgmon.a" ]; then
		cat <<-END
			include/gmon.h
			include/gmon_ext.h
			include/gmon_live.h
			lib/libgmon.a
			lib/libgmon.so
			lib/pkgconfig/libgmon.pc
			share/man/man3/libgmon.3
		END
	fi
	if [ -f "$builddir/libgmon_mpi.a" ]; then
		cat <<-END
			lib/libgmon_mpi.a
			lib/libgmon_mpi.so
			lib/pkgconfig/libgmon_mpi.pc
		END
	fi
}

# In a place that somebody else uses too.
check_install() {
	mkdir -p there/own/share/zsh/site-functions
	echo mine >there/own/share/zsh/site-functions/_other
	tree there >before
	expected_files | sort >expected
	check "install" "$(make_quietly install DESTDIR="$scratch/there" $own)"
	(cd there/own && find . ! -type d ! -name _other) | sed 's|^\./||' | sort >installed
	check "the files that are installed" "$(diff expected installed)"
	check "uninstall" "$(make_quietly uninstall DESTDIR="$scratch/there" $own)"
	tree there >after
	check "nothing is left, not even a directory" "$(diff before after)"
	check "what was there is as it was" "$(echo mine | cmp - there/own/share/zsh/site-functions/_other 2>&1)"
}

# Where the system and zsh have directories that may be empty, these stay, and no others.
check_usual_place() {
	mkdir -p usual/usr/share/zsh usual/usr/local/share/zsh/site-functions
	usual=$(echo "$own" | sed 's|/own|/usr/local|g')
	mkdir -p usual/usr/local/bin usual/usr/local/include usual/usr/local/lib usual/usr/local/share/man
	tree usual >before
	check "install in /usr/local" "$(make_quietly install DESTDIR="$scratch/usual" $usual)"
	check "uninstall from there" "$(make_quietly uninstall DESTDIR="$scratch/usual" $usual)"
	tree usual >after
	check "nothing is left in /usr/local" "$(diff before after)"
}

# The loader's cache is made anew for the system itself, and not below a DESTDIR.
check_loader() {
	if [ ! -f "$builddir/libgmon.a" ]; then
		tap_skip "the loader's cache" "libgmon is not for this machine"
		return
	fi
	mkdir bin
	printf '#!/bin/sh\necho called "$@" >>%s/ldconfig\necho "libgmon.so => $libraries/libgmon.so"\n' "$scratch" >bin/ldconfig
	chmod +x bin/ldconfig
	make_loaded="env PATH=$scratch/bin:$PATH libraries=$scratch/place/lib make -C $builddir"
	$make_loaded install-exec DESTDIR="$scratch/away" $own >log 2>&1
	check "ldconfig: not below a DESTDIR" "$(cat ldconfig 2>/dev/null; grep LD_PRELOAD log)"
	$make_loaded install-exec prefix="$scratch/place" exec_prefix="$scratch/place" bindir="$scratch/place/bin" \
		libdir="$scratch/place/lib" >log 2>&1
	check "ldconfig: for the system itself" "$(grep -qx called ldconfig || cat log; grep LD_PRELOAD log)"
	$make_loaded install-exec prefix="$scratch/other" exec_prefix="$scratch/other" \
		bindir="$scratch/other/bin" libdir="$scratch/other/lib" >log 2>&1
	check "where the loader does not look, install says what to write" \
		"$(grep -q "LD_PRELOAD=$scratch/other/lib/libgmon.so" log || cat log)"
}

# Before installing, by the directory that has libgmon-uninstalled.pc.
check_uninstalled() {
	if [ ! -f "$builddir/libgmon.a" ] || ! command -v pkg-config >/dev/null; then
		tap_skip "pkg-config before installing" "no libgmon or no pkg-config (Debian package pkgconf)"
		return
	fi
	(
		PKG_CONFIG_PATH=$builddir/runtime && export PKG_CONFIG_PATH
		mkdir early && cp "$srcdir/tests/package/calls.c" early && cd early || exit
		# shellcheck disable=SC2046 # words
		$CC -o calls calls.c $(pkg-config --cflags --libs libgmon) && ./calls && "$GPROF" -b -p calls
	) >report 2>&1
	check "pkg-config before installing" "$(grep -q '2000000 .* square$' report || cat report)"
}

# stranger WHAT COMMAND [LIBDIR]: the COMMAND builds a program elsewhere, whose profile has all calls of both
# threads. The loader looks in LIBDIR too.
stranger() {
	rm -rf elsewhere && mkdir elsewhere && cp "$srcdir/tests/package/calls.c" elsewhere && cd elsewhere || exit 1
	if sh -c "$2" >log 2>&1 && LD_LIBRARY_PATH=${3-} ./calls 2>>log && "$root$bindir/gprof" -b -p calls \
		>report 2>>log; then
		check "$1" "$(grep -v ": note: " log; awk '$4 == 2000000 && $NF == "square" { n++ }
			END { if (n != 1) print "not 2000000 calls of square" }' report)"
	else
		check "$1" "$(cat log; echo "failed: $2")"
	fi
	cd ..
}

# Below DESTDIR, as packages are made, where libgmon.pc has the build's own prefix.
check_use() {
	root=$scratch/root
	bindir=$(of_makefile bindir)
	libdir=$(of_makefile libdir)
	check "install below DESTDIR" "$(make_quietly install DESTDIR="$root")"
	check "gprof runs" "$("$root$bindir/gprof" --version 2>&1 | grep -vx "gprof $(of_makefile VERSION)" |
		grep -v '^Copyright\|^Licence')"
	check "the manual page is the one that was made" "$(cmp "$root$(of_makefile man1dir)/gprof.1" "$(built_page gprof.1)" 2>&1)"
	if [ ! -f "$builddir/libgmon.a" ]; then
		tap_skip "pkg-config" "libgmon is not for this machine"
		return
	elif ! command -v pkg-config >/dev/null; then
		tap_skip "pkg-config" "no pkg-config (Debian package pkgconf)"
		return
	fi
	PKG_CONFIG_LIBDIR=$root$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
	PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
	export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
	check "the version that pkg-config tells" "$(pkg-config --modversion libgmon 2>&1 | grep -vx "$(of_makefile VERSION)")"
	check "another prefix is followed" "$(pkg-config --define-variable=prefix=/else --variable=includedir libgmon 2>&1 |
		grep -v '^/else/')"
	stranger "a program is built with pkg-config" \
		'$CC -o calls calls.c $(pkg-config --cflags --libs libgmon)' "$root$libdir"
	stranger "in two steps" \
		'$CC $(pkg-config --cflags libgmon) -c calls.c && $CC -o calls calls.o $(pkg-config --libs libgmon)' "$root$libdir"
	stranger "a static program" \
		'$CC -static -o calls calls.c $(pkg-config --static --cflags --libs libgmon)'
	stranger "with the archive only" \
		'$CC -o calls calls.c $(pkg-config --cflags --libs libgmon | sed s/-lgmon/-l:libgmon.a/)'
	if ! grep -q rpath "$PKG_CONFIG_LIBDIR/libgmon.pc"; then
		tap_skip "the loader finds the library" "it looks in $libdir anyway"
		return
	fi
	unset PKG_CONFIG_SYSROOT_DIR
	relocated="--define-variable=libdir=$root$libdir --define-variable=includedir=$root$(of_makefile includedir)"
	export relocated
	stranger "the loader finds the library in an unusual place" \
		'$CC -o calls calls.c $(pkg-config $relocated --cflags --libs libgmon)'
}

[ -f "$builddir/gprof" ] || tap_skip_all "gprof is not built"
make_scratch
cd "$scratch" || exit 1
check_install
check_usual_place
check_loader
check_uninstalled
check_use
tap_done
