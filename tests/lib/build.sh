# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced, after tap.sh, by the scripts that build programs, or make a program and its profile from text.

# build DIR COMPILER ARGUMENT...: makes a.out in DIR, which is made in $scratch if it is not there. False if it cannot;
# DIR/log has what the compiler said.
build() {
	build_dir=${scratch:?}/$1
	shift
	mkdir -p "$build_dir"
	(cd "$build_dir" && "$@" -o a.out) >"$build_dir/log" 2>&1
}

# package_of PROGRAM: the Debian package that has it.
package_of() {
	case $1 in
	addr2line) echo binutils ;;
	clang*) echo clang ;;
	fpc) echo fp-compiler ;;
	gnatmake) echo gnat ;;
	llvm-addr2line) echo llvm ;;
	musl-gcc) echo musl-tools ;;
	*) echo "$1" ;;
	esac
}

# compiler_32 COMPILER: the words of a command that compiles for 32-bit x86: COMPILER -m32 or, if its programs
# do not run, Debian's cross compiler, whose libraries are in a place of their own. Nothing if neither works.
compiler_32() {
	libraries=/usr/i686-linux-gnu/lib
	for words in "$1 -m32" \
		"i686-linux-gnu-gcc -Wl,--dynamic-linker=$libraries/ld-linux.so.2 -Wl,-rpath=$libraries"; do
		# shellcheck disable=SC2086 # words
		if echo 'int main(void) { return 0; }' | $words -xc - -o "$scratch/probe" 2>/dev/null &&
			"$scratch/probe" 2>/dev/null; then
			echo "$words"
			return
		fi
	done
}

# make_profile [FILE]: in the current directory, a.out, gmon.out, gmon.2 ... from mkprofile's text in FILE or in the
# input. Data files that were there before are removed.
make_profile() {
	rm -f gmon.*
	"$TOOLS/mkprofile" "${1:--}" . || exit 99
}

# make_golden NAME: the same from the golden case of that name.
make_golden() {
	make_profile "$srcdir/tests/golden/$1.profile"
}

# make_called NAME: the same, a small program in which main calls the function NAME.
make_called() {
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym $1 0x401020
		sym etext 0x401080 notype
		profile
		hist 0x401000 0x401060 48 100
		tick 0x401020 30
		arc main 0x401020 5
	END
}
