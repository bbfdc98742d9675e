#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: speedscope
#
# speedscope shows our files: its offline page, in Chromium. It comes from npm: npm install speedscope in the build
# directory, or SPEEDSCOPE=DIRECTORY with its index.html.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh source=browser.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/build.sh"
. "$srcdir/tests/export/browser.sh"

# load FILE: what the page makes of it. Without a window nobody could answer the box by which it refuses one.
load() {
	{
		echo 'window.alert = (words) => document.body.append("refused: " + words)'
		printf 'speedscope.loadFileFromBase64("%s", "%s")' "$1" "$(base64 -w 0 "$1")"
	} >load.js
	browse_dom "file://$page#localProfilePath=$scratch/load.js" >dom
}

# shows FILE NAME: the page has the profile's name as its title, as it has when it could read it.
shows() {
	load "$1"
	grep -qF "<title>$2 - speedscope</title>" dom
}

# opens FILE NAME
opens() {
	shows "$1" "$2"
	status=$?
	tap_check $status "speedscope shows $1"
	[ $status = 0 ] || sed 's/<[^>]*>/ /g' dom | tr -s ' \n' ' ' | cut -c 1-500 | tap_note
}

make_scratch
cd "$scratch" || exit 99
for page in "$SPEEDSCOPE" "$builddir/node_modules/speedscope/dist/release"; do
	page=$page/index.html
	[ ! -f "$page" ] || break
done
[ -f "$page" ] || tap_skip_all "no speedscope (npm install speedscope, in the build directory)"
find_browser >reason
[ ! -s reason ] || tap_skip_all "$(cat reason)"

make_golden cycles
"$GPROF" --export=speedscope -o cycles.speedscope.json --export=folded -o cycles.folded --export=callgrind \
	-o callgrind.out.cycles --export=pprof -o cycles.pb.gz || exit 99
opens cycles.speedscope.json 'a.out (estimated from call counts)'
opens cycles.folded cycles.folded
opens callgrind.out.cycles callgrind.out.cycles
opens cycles.pb.gz cycles.pb.gz
echo nonsense >nonsense
load nonsense
expect 'and refuses what is none' '! grep -qF "<title>nonsense" dom && grep -q "refused: Unrecognized format" dom'
tap_done
