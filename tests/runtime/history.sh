#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gprof --history: --versus adds a line of JSON to a file, whole or not at all, and the page has a chart of all lines.
# shellcheck disable=SC2016,SC2034 # words that expect takes
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
cd "$scratch" || exit 99
mkdir build
unset GMON GITHUB_SHA CI_COMMIT_SHA

what='the program that is run in pairs'
must_build build "$CC" -O1 -g "$programs/paired.c" || tap_done
cp build/a.out old
cp build/a.out new

# versus FILE LABEL ARGUMENTS: compares ./old with ./new and adds it to FILE; see run.
versus() {
	# shellcheck disable=SC2086 # words
	run "$GPROF" -b --versus="./old 4,runs=2,seed=1$2" --history="$1" --export=webpage -o page.html --run ./new $3 </dev/null
}

versus h ,label=first 4
expect 'a line is added to a new file' '[ "$status" = 0 ] && [ "$(wc -l <h)" = 1 ] && grep -q "^{\"format\":\"gprof-history\",\"version\":1,\"time\":\"20..-..-..T..:..:..Z\",\"label\":\"first\",\"pairs\":{\"n\":2," h'
cp h before
versus h ',label=<b>"&' 4
expect 'another one after it' '[ "$status" = 0 ] && [ "$(wc -l <h)" = 2 ] && sed -n 1p h | cmp -s before -'
expect 'the chart shows both' 'grep -q "Elapsed time, new / old: 2 comparisons" page.html && grep -q "<title>first, 20" page.html'
expect 'names stay text' 'grep -q "<title>&#60;b&#62;&#34;&#38;, 20" page.html && ! grep -q "<title><b>" page.html'
GITHUB_SHA=0123abc versus h '' 4
expect 'the commit is the label' 'sed -n 3p h | grep -q "\"label\":\"0123abc\""'
if python3 -c 'import json' 2>/dev/null; then
	expect 'each line is JSON of less than 4,000 bytes' 'python3 -c "
import json
for line in open(\"h\"):
    entry = json.loads(line)
    assert len(line) < 4000 and entry[\"pairs\"][\"elapsed\"][\"ratio\"] > 0, line"'
else
	skip 'each line is JSON of less than 4,000 bytes' 'there is no python3'
fi

# Nothing is lost.
cp h before
printf 'no history\n' >other
cp other kept
versus other '' 4
expect 'another file is left alone' '[ "$status" = 1 ] && cmp -s other kept && [ "$(wc -l <err)" = 1 ] && grep -q "other: is another file, not a history" err'
mkfifo pipe
versus pipe '' 4
expect 'a FIFO, too, without waiting' '[ "$status" = 1 ] && grep -q "pipe: is not a regular file" err'
run "$GPROF" -b --versus='./old 1 crash crashed 3,runs=20,seed=1' --history=h --run ./new 1 </dev/null
expect 'pairs that failed are not added' '[ "$status" = 1 ] && cmp -s h before && grep -q "note: h: not added, because" err'
run "$GPROF" --history=h ./new
expect 'without --versus it is refused' '[ "$status" = 1 ] && grep -q -- "--history needs --versus" err'
tap_done
