#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof --run of a program that sets LD_PRELOAD for itself, as the wrapper eatmydata does, and becomes the same program
# again: what it has set is in effect there, and it is still recorded.
# shellcheck disable=SC2016 # commands for other shells
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
unset GMON ASAN_OPTIONS
cd "$scratch" || exit 99
what='a library that says that it is there'
cat >said.c <<-'END'
	#include <unistd.h>
	__attribute__((constructor)) static void say(void)
	{
		static const char word[] = "preloaded\n";

		if (write(1, word, sizeof(word) - 1) < 0)
			_exit(99);
	}
END
must_build said "$CC" -shared -fPIC "$scratch/said.c" || tap_done
LIBRARY=$scratch/said/a.out
export LIBRARY
busy='i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
printf '%s\n' "$busy" 'echo "$LD_PRELOAD,$GMON,$ASAN_OPTIONS"' 'exit 7' >second.sh

# becomes VARIABLES [SETTING...]: sh as --run starts it, which sets VARIABLES when it becomes itself; alone, and with all
# that it starts.
becomes() {
	variables=$1
	shift
	rm -f kept* all*
	run env "$@" "$GPROF" -b --inclusive -o - --run=children=no,keep=kept sh -c "$busy; $variables exec sh second.sh"
	mv out alone
	run env "$@" "$GPROF" -b --inclusive -o - --run=keep=all sh -c "$busy; $variables exec sh second.sh"
}

# follows WHAT WORD...: it said these words, and both parts of the run have a profile.
follows() {
	tap_what=$1
	shift
	printf '%s\n' "$@" >wanted
	head -n $# alone >said.words
	expect "$tap_what" 'cmp -s said.words wanted && [ -s kept ] && [ -s kept.1 ]'
	head -n $# out >said.words
	expect "$tap_what, with what it starts" '[ "$status" = 7 ] && cmp -s said.words wanted && [ -s all ] && [ ! -e all.1 ]'
}

evidence='status err said.words wanted'
becomes 'LD_PRELOAD=$LIBRARY'
follows 'its LD_PRELOAD is in effect, and it sees no other' preloaded "$LIBRARY,,"
becomes 'LD_PRELOAD=$LIBRARY' LD_PRELOAD=libm.so.6
follows 'in place of what was there before' preloaded "$LIBRARY,,"
becomes 'LD_PRELOAD="$LD_PRELOAD $LIBRARY"' LD_PRELOAD=libm.so.6
follows 'and beside it' preloaded "libm.so.6 $LIBRARY,,"
becomes 'LD_PRELOAD=' LD_PRELOAD=libm.so.6
follows 'an empty one removes what was there' ',,'
becomes 'ASAN_OPTIONS=color=never' ASAN_OPTIONS=verbosity=0
follows 'so does its ASAN_OPTIONS' ',,color=never'
becomes 'GMON=rate=50' GMON=rate=20
follows 'and its GMON' ',rate=50,'
becomes ''
follows 'without any, there is none' ',,'
tap_done
