#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: annotations sarif
#
# What became slower, for continuous integration: the functions that are marked and no others, at their source lines;
# names that would begin a command of their own do not.
# shellcheck disable=SC2016,SC2317 # what is evaluated later, and functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/run.sh
. "$srcdir/tests/lib/run.sh"
evidence='err out said'

make_scratch
cd "$scratch" || exit 99

# side DIR TICKS: a build with functions of hostile names, each with so many ticks; `same' has always 300.
side() {
	mkdir -p "$1"
	cat >side.profile <<-END
		text 0x401000 0x200
		sym main 0x401000
		sym same 0x401020
		sym HOSTILE1= 0x401040
		sym ::error::x 0x401060
		sym %0A::error::y 0x401080
		sym HOSTILE2= 0x4010a0
		sym HOSTILE3= 0x4010c0
		profile
		hist 0x401000 0x401200 256 100
		tick same 300
		tick HOSTILE1= $2
		tick 0x401060 $2
		tick 0x401080 $2
		tick 0x4010a0 $2
		tick 0x4010c0 $2
	END
	"$TOOLS/mkprofile" side.profile "$1" || exit 99
	python3 - "$1/a.out" <<-'END'
		import sys
		name = sys.argv[1]
		data = open(name, 'rb').read()
		open(name, 'wb').write(data.replace(b'HOSTILE1=', b'\n::e\r::w=')
			.replace(b'HOSTILE2=', b'##[error]').replace(b'HOSTILE3=', b'##vso[x]y'))
	END
}

if ! command -v python3 >/dev/null; then
	tap_skip_all 'no python3'
fi
side old 100
side new 400
compare="--diff=old/gmon.out,program=old/a.out"
run "$GPROF" --export=annotations -o - "$compare" new/a.out new/gmon.out
expect 'five functions are slower, each in a line' '[ "$status" = 0 ] && [ "$(wc -l <out)" = 5 ]'
expect 'each line is a warning of ours' '[ "$(grep -c "^::warning title=slower function::" out)" = 5 ]'
expect 'with the figures' '[ "$(grep -c " is slower: 1\.000 to 4\.000 s a run, +300\.0 %25, p [0-9.e-]*$" out)" = 5 ]'
expect 'a new line in a name is none in ours' 'grep -q "::%0A::e%0D::w= is slower" out'
expect 'nor is an escaped one undone' 'grep -q "::%250A::error::y is slower" out'
expect 'nothing looks like a command of an older runner' '! grep -qF -e "##" out'
run "$GPROF" --export=annotations -o - --diff=old/gmon.out,program=old/a.out old/a.out old/gmon.out
expect 'no difference, no line' '[ "$status" = 0 ] && [ ! -s out ]'

run "$GPROF" --export=sarif -o said "$compare" new/a.out new/gmon.out
python3 - said >results 2>err <<'END'
import json, sys
log = json.load(open(sys.argv[1]))
assert log["version"] == "2.1.0" and "sarif-2.1.0" in log["$schema"]
[run] = log["runs"]
rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
assert run["tool"]["driver"]["name"] == "gprof"
for result in run["results"]:
    assert rules[result["ruleIndex"]] == result["ruleId"] and result["level"] in ("warning", "error")
    assert result["message"]["text"]
    [place] = result["locations"]
    print(result["ruleId"], round(result["properties"]["percent"]), repr(place["logicalLocations"][0]["name"]))
END
expect 'sarif: the same five' '[ "$(sort results | sed -n "1p;\$p" | tr "\n" " ")" != "" ] && [ "$(grep -c "^slower-function 300 " results)" = 5 ]'
expect 'with names that any reader can have' "grep -qF '##[error]' results"

for format in annotations sarif; do
	run "$GPROF" --export=$format new/a.out
	expect "$format: without a comparison there is nothing to say" '[ "$status" = 1 ] && grep -q "it needs --versus or --diff$" err'
done
tap_done
