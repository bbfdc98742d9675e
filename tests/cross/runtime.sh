#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# libgmon on other machines (tests/cross/machines): it is built there, linked with programs in each way,
# and gprof, here, prints exactly the calls that the programs printed.
#
#   runtime.sh [MACHINE...]   only these
# shellcheck disable=SC2317 # for_machines calls
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/cross/lib.sh"
. "$srcdir/tests/runtime/registers-lib.sh"

# What libgmon is built from, in $library_source. The project's own directory does not do where it was built in: configure
# refuses, and make would find this machine's objects there.
make_source() {
	library_source=$scratch/source
	mkdir "$library_source" || exit 99
	for part in Makefile.am Makefile.in aclocal.m4 build-aux config.h.in configure configure.ac doc include src tests; do
		ln -s "$srcdir/$part" "$library_source" || exit 99
	done
	cp -Rp "$srcdir/runtime" "$library_source" || exit 99
	find "$library_source/runtime" \( -name '*.[ao]' -o -name '.deps' -o -name .dirstamp \) -prune -exec rm -rf {} +
}

# In a scratch directory of its own: libgmon for $machine, in $library.
build_library() {
	library=$scratch/$triple
	[ ! -d "$library" ] || return 0
	mkdir "$library" && cd "$library" || exit 99
	"$library_source/configure" --host="$triple" CC="$compiler" --disable-gprof --enable-werror >build.log 2>&1 &&
		MAKEFLAGS='' make >>build.log 2>&1
	tap_check $? "$triple: libgmon is built"
	# Helpers of a compiler's library are fine if they are plain functions: division.
	"$triple-nm" -u runtime/libgmon.o | grep -E ' __(sync|aarch64|atomic)_' >wrong
	for part in count/count count/thread count/table count/count_block count/live_file sample/clock sample/sample \
		sample/tick sample/bins state \
		base/handlers base/sys base/text base/readable unwind/unwind unwind/frame unwind/guess unwind/cfi unwind/ehframe \
		unwind/eh_objects unwind/expression record/modules record/loaded record/strings; do
		object=runtime/$(dirname "$part")/libparts_a-$(basename "$part").o
		"$triple-nm" -u "$object" | grep -E ' mem(set|cpy|move|cmp)$' >>wrong
	done
	if [ -s wrong ]; then
		tap_not_ok "$triple: no library is called for what entry code needs"
		tap_note <wrong
	else
		tap_ok "$triple: no library is called for what entry code needs"
	fi
	test_untouched
	test_property
}

# Where arguments are in vector or floating-point registers at the call, nothing of ours has any.
test_untouched() {
	case $triple in
	i686-*) wrong='%([xyz]mm|mm|st|k)[0-9(]?' ;;
	arm-*) wrong='[[:blank:]]v[a-z]+[.[:blank:]]|[[:blank:],{][sdq][0-9]' ;;
	aarch64-*) wrong='[[:blank:],{][bhsdqvz][0-9]' ;;
	s390x-*) wrong='%[fv][0-9]' ;;
	*) return ;;
	esac
	"$triple-objdump" -d --no-show-raw-insn runtime/libgmon.o |
		grep '^ *[0-9a-f]*:' | cut -f 2- | sed 's/[0-9a-f]* <.*//; s/[;@].*//; s/^/\t/' | grep -E "$wrong" >used
	if [ -s used ]; then
		tap_not_ok "$triple: no vector or floating-point register"
		tap_note <used
	else
		tap_ok "$triple: no vector or floating-point register"
	fi
}

test_property() {
	case $triple in
	i686-*) property='IBT, SHSTK' ;;
	aarch64-*) property=BTI ;;
	*) return ;;
	esac
	"$triple-readelf" -n runtime/libgmon.o | grep -q "feature: $property"
	tap_check $? "$triple: libgmon.o is marked $property"
}

# check_arcs TRUTH: a.out's gmon.out says what is printed there, but if $unknown_caller, who called. In a dynamic program, calls from outside
# come from _start; in a static one, from the library's functions.
check_arcs() {
	"$GPROF" -b -q -z a.out gmon.out >graph &&
		awk -f "$srcdir/tests/differential/callgraph.awk" counts=1 graph >calls || return
	awk -v outside="$outside" '
		FNR == NR { known[$3] = 1; next }
		$1 == "arc" && $3 in known {
			if (outside ? $2 == outside : !($2 in known))
				$2 = "-"
			sum[$2 " " $3] += $4
		}
		END { for (key in sum) print "arc", key, sum[key] }' "$1" calls | sort >got
	awk -v unknown="$unknown_caller" '
		{ sum[(unknown ? "-" : $2) " " $3] += $4 }
		END { for (key in sum) print "arc", key, sum[key] }' "$1" | sort >expected
	[ -s expected ] && cmp -s expected got
}

# qemu-i386 mixes up the thread-local storage of threads, so i686 programs run on the machine itself.
run_on_machine() {
	case $machine in
	i686) timeout 60 "$@" </dev/null ;;
	*) cross_run -E "LD_LIBRARY_PATH=$library" "$@" ;;
	esac
}

# test_program NAME SOURCE ARGUMENT COMPILER...: built by the command, run, and its profile checked.
test_program() {
	what=$1
	source=$2
	argument=$3
	shift 3
	rm -f a.out gmon.out
	# shellcheck disable=SC2086 # a list
	if ! "$@" -o a.out "$srcdir/tests/cross/$source.c" -pthread $libgmon >log 2>&1; then
		tap_not_ok "$what is built"
		tap_note <log
	elif ! run_on_machine ./a.out "$argument" >truth 2>log; then
		tap_not_ok "$what runs"
		tap_note <log
	elif check_arcs truth; then
		tap_ok "$what: $(wc -l <expected) arcs"
	else
		tap_not_ok "$what: $(wc -l <expected) arcs"
		diff expected got | tap_note
	fi
}

# test_links NAME COMPILER...: the programs, linked statically and dynamically.
test_links() {
	name=$1
	shift
	mkdir "$scratch/$name" && cd "$scratch/$name" || exit 99
	outside=
	libgmon=$library/libgmon.a
	test_program "$name, static" arcs 1 "$@" -static
	test_program "$name, static, 2 threads" threads 2 "$@" -static
	outside=_start
	libgmon="-L$library -l:libgmon.so"
	test_program "$name, dynamic" arcs 1 "$@"
	test_program "$name, dynamic, 8 threads" threads 8 "$@"
	cd "$builddir" || exit 99
}

# syscall() passes all on, and ends the recording before a filter of system calls.
test_filters() {
	what="$machine: syscall() with seven arguments, and before a filter"
	mkdir "$scratch/$machine-filters" && cd "$scratch/$machine-filters" || exit 99
	case $machine in
	i686) set -- env "LD_PRELOAD=$library/libgmon.so" ;;
	*) set -- -E "LD_PRELOAD=$library/libgmon.so" ;;
	esac
	# shellcheck disable=SC2086 # a list
	"$compiler" -O1 $flags -o a.out "$srcdir/tests/cross/filters.c" >log 2>&1 && (
		GMON=run,stacks,file=profile
		export GMON
		run_on_machine "$@" ./a.out >got 2>>log
	)
	echo '5 23456 7, -1 EINVAL, none, -1, profile' | cmp - got >>log 2>&1
	tap_check $? "$what"
	cat got log | tap_note
	cd "$builddir" || exit 99
}

# What GMON=crash leaves of a program that is killed.
test_killed() {
	what="$machine: the counts of a program that was killed"
	mkdir "$scratch/$machine-killed" && cd "$scratch/$machine-killed" || exit 99
	outside=
	# shellcheck disable=SC2086 # a list
	"$compiler" -pg -O1 $flags -static -o a.out "$srcdir/tests/cross/killed.c" "$library/libgmon.a" >log 2>&1 && (
		GMON=crash
		export GMON
		run_on_machine ./a.out >truth 2>>log
	)
	if mv gmon.out.live gmon.out && check_arcs truth 2>>log; then
		tap_ok "$what"
	else
		tap_not_ok "$what"
		tap_note <log
	fi
	cd "$builddir" || exit 99
}

# The order of first calls, of four threads; cells of 16 bytes keep it elsewhere than others do. Functions of a static C
# library that call the program are in it, too.
test_first_calls() {
	what="$machine-first-calls"
	mkdir "$scratch/$what" && cd "$scratch/$what" || exit 99
	# shellcheck disable=SC2086 # words
	"$compiler" -pg -O1 $flags -pthread -static -o a.out "$srcdir/tests/runtime/programs/first-calls.c" \
		"$library/libgmon.a" >log 2>&1 && run_on_machine ./a.out 4 >truth 2>>log &&
		"$GPROF" --order=symbols,by=startup -o order 2>>log
	grep -Fxf truth order >names && [ "$(wc -l <names)" -ge 50 ] && cmp names truth >>log 2>&1
	tap_check $? "$what"
	tap_note <log
	cd "$builddir" || exit 99
}

# Arguments survive. Entries: mcount, and __fentry__ where there is one.
test_arguments() {
	entries=-g
	case $machine in
	i686) vectors="-msse2$(registers_vectors) -fno-pie -no-pie" entries='-g -mfentry' ;;
	arm | thumb) vectors=-mfpu=neon ;;
	s390x) vectors=-march=z13 entries='-g -mfentry' ;;
	*) vectors= ;;
	esac
	mkdir "$scratch/$machine-registers" && cd "$scratch/$machine-registers" || exit 99
	registers_make . 1 120
	for level in -O0 -O2; do
		for entry in $entries; do
			# shellcheck disable=SC2086 # lists
			registers_test "$machine $level $entry" 1.c "$library/libgmon.a" run_on_machine \
				"$compiler" -pg $level $entry $flags $vectors -static
		done
	done
	cd "$builddir" || exit 99
}

# Walks along stacks, of a dynamic and a static program, which works longer between jumps than elsewhere: emulators are slow
# in longjmp(). Nobody describes the code of the RISC-V C library, nor some of
# i386's; AArch64's does not say where swapcontext(), longjmp(), the start of a thread and the
# binding of functions at their first call have put their return addresses.
test_walks() {
	describe='' weak=''
	case $machine in
	arm | thumb) return ;; # libgmon cannot walk there
	aarch64) weak='coroutine jump thread' ;;
	i686) weak='libc system memory coroutine jump' ;;
	riscv64)
		describe=-fasynchronous-unwind-tables
		weak='libm libc memory system signal altstack frames jump coroutine thread'
		;;
	esac
	mkdir "$scratch/$machine-walks" && cd "$scratch/$machine-walks" || exit 99
	for how in -rdynamic -static; do
		# shellcheck disable=SC2086 # lists
		if ! "$compiler" -O2 -DALONE -DNO_LOAD -DJUMP_WORK=500 -Wl,-z,now $describe $flags $how -o a.out "$srcdir/tests/runtime/programs/unwind.c" \
			"$library/runtime/libparts.a" -lm -pthread >log 2>&1; then
			tap_not_ok "$machine: walks, $how: built"
			tap_note <log
		elif ! run_on_machine ./a.out 120 >walks 2>log; then
			tap_not_ok "$machine: walks, $how: run"
			tap_note <log
		elif [ "$(cat walks)" = unknown ]; then
			tap_not_ok "$machine: walks, $how: libgmon cannot"
		else
			# How much time an emulator spends in code that nobody describes differs from run to run.
			awk -v samples=120 -v some=0.05 -v weak="$weak" -v most=90 -v agree=1 -f "$srcdir/tests/runtime/walks.awk" walks >wrong
			[ ! -s wrong ]
			tap_check $? "$machine: walks, $how: $(awk '{ n += $3; c += $5 } END { print c " of " n }' walks)"
			tap_note <wrong
		fi
	done
	cd "$builddir" || exit 99
}

# clang must not inline, and knows no attribute noipa. On s390x it tells mcount nothing of the caller.
test_clang() {
	[ -n "$CLANG" ] || {
		tap_skip "$machine-clang" "no clang"
		return
	}
	set -- "$CLANG" "--target=$triple" -pg -Wno-unknown-attributes -fno-inline -fno-optimize-sibling-calls
	echo 'int main(void) { return 0; }' >"$scratch/probe.c"
	"$@" -o "$scratch/probe" "$scratch/probe.c" 2>/dev/null || [ "${triple%%-*}" = arm ] || {
		tap_skip "$machine-clang" "clang cannot link for $triple"
		return
	}
	# shellcheck disable=SC2086 # a list
	case $machine in
	s390x)
		unknown_caller=1
		test_links s390x-clang "$@" -O1
		unknown_caller=
		test_links s390x-clang-mfentry "$@" -O1 -mfentry
		;;
	arm | thumb)
		test_links "$machine-clang" "$@" $flags -O1
		test_links "$machine-clang-gnu" "$@" $flags -O1 -meabi gnu
		;;
	*)
		test_links "$machine-clang-O0" "$@" $flags -O0
		test_links "$machine-clang" "$@" $flags -O2
		[ "$machine" != aarch64 ] ||
			test_links aarch64-clang-protected "$@" -O2 -mbranch-protection=standard
		;;
	esac
}

test_machine() {
	if [ "$machine" = i686 ]; then
		flags="-Wl,--dynamic-linker=/usr/$triple/lib/ld-linux.so.2 -Wl,-rpath,/usr/$triple/lib:$scratch/$triple"
		# shellcheck disable=SC2086 # a list
		if ! cross_compile "$scratch/probe" "$scratch/probe.c" || ! "$scratch/probe"; then
			tap_skip "$machine" "this machine cannot run such programs"
			return
		fi
	fi
	build_library
	test_first_calls
	test_arguments
	test_killed
	test_filters
	test_walks
	set -- "$compiler" -pg -fno-optimize-sibling-calls
	# shellcheck disable=SC2086 # a list
	for level in -O0 -O2 -Os; do
		test_links "$machine$level" "$@" $flags $level
	done
	# shellcheck disable=SC2086 # a list
	case $machine in
	s390x) test_links s390x-mfentry "$@" -O2 -mfentry ;;
	i686) test_links i686-mfentry "$@" $flags -O2 -mfentry -fno-pie -no-pie ;;
	aarch64) test_links aarch64-protected "$@" -O2 -mbranch-protection=standard ;;
	esac
	test_clang
}

make_scratch
make_source
: "${CLANG=$(command -v clang)}"
unknown_caller=
for_machines test_machine "$@"
tap_done
