#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: markdown
#
# --diff: what the report and the exports say of two builds and of several runs; python3 reckons the same from the
# samples, and `go tool pprof' subtracts our exports.
# shellcheck disable=SC2016,SC2317 # what is evaluated later, and functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
# shellcheck source-path=SCRIPTDIR source=browser.sh
. "$srcdir/tests/export/browser.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/run.sh
. "$srcdir/tests/lib/run.sh"
evidence='err out said'

# side DIR RATE PARSE TABLE...: a build in DIR. Functions are named as gcc and clang name them at other levels; the
# second build has no `gone' and is the only one with `fresh'.
side() {
	mkdir -p "$1"
	cat >side.profile <<-END
		text 0x401000 0x200
		sym main 0x401000
		sym $3 0x401020 local
		sym _ZN5Table4findEi$4 0x401040
		sym $5 0x401060
		sym flat.cold 0x401080 local
		sym flat 0x4010a0
		sym _ZZ4mainENKUliE$6_clEi 0x4010c0 local
		profile
		hist 0x401000 0x401200 256 $2
		tick main 31
		tick 0x401020 $7
		tick 0x401040 $8
		tick 0x401060 $9
		tick 0x401080 4
		tick 0x4010a0 70
		tick 0x4010c0 25
		arc main 0x401020 1000
		arc main 0x401040 30
		arc main 0x401060 $2
		arc 0x401040 0x4010a0 7
	END
	"$TOOLS/mkprofile" side.profile "$1" || exit 99
}

# rows of the CSV in `csv': "verdict matched name".
verdicts() {
	tr -d '"' <csv | awk -F, 'NR > 1 { print $2, $12, $1 }'
}

check_builds() {
	side old 100 parse.constprop.0 '' gone '' 400 300 90
	side new 100 parse.isra.0.cold .part.0 fresh 0 600 310 80
	run "$GPROF" --diff=old/gmon.out,program=old/a.out --export=csv -o csv new/a.out new/gmon.out
	expect 'two builds: the report goes with an export to a file' grep -q '^Difference of profiles: ' out
	expect 'how functions were matched' grep -q \
		'^ 6 functions matched (3 by name, 2 without suffixes, 1 but for numbers), 1 new, 1 gone' out
	verdicts >said
	cat >wanted <<-'END'
		more suffix parse.isra.0.cold
		less none gone
		more none fresh
		noise suffix Table::find(int) [clone .part.0]
		noise name flat
		noise name flat.cold
		noise name main
		noise number main::{lambda(int)#2}::operator()(int) const
	END
	same 'what is said of each function' said wanted
	run "$GPROF" -b --diff=old/gmon.out,program=old/a.out,fail=10 new/a.out new/gmon.out
	expect 'fail=: slower by more' [ $status = 3 ]
	run "$GPROF" -b --diff=old/gmon.out,program=old/a.out,fail=30 new/a.out new/gmon.out
	expect 'fail=: not by so much' [ $status = 0 ]
	run "$GPROF" -b --diff=new/gmon.out new/a.out new/gmon.out
	expect 'a profile and itself: nothing' '[ $status = 0 ] && ! grep -q "^[+-] " out'
	expect 'and a note' grep -q 'note: new/gmon.out: --diff compares this file with itself' err
	run "$GPROF" -b --diff=new/gmon.out,fail=0 new/a.out new/gmon.out
	expect 'fail=0: nothing is slower' [ $status = 0 ]
	cp -R new copy
	run "$GPROF" -b --diff=copy/gmon.out,program=copy/a.out new/a.out new/gmon.out
	expect 'a copy: nothing, no note without a build id' '[ $status = 0 ] && ! grep -q "^[+-] " out && [ ! -s err ]'
	run "$GPROF" -b -p --diff=old/gmon.out,program=old/a.out new/a.out new/gmon.out
	expect 'a report that is asked for, too: of the new side' '
		grep -q "^Flat profile" out && grep -q " fresh$" out && ! sed 1,/^Flat/d out | grep -q " gone"'
}

# Both sides' samples, and the rows that python reads.
check_sums() {
	for format in csv json markdown folded; do
		"$GPROF" --diff=old/gmon.out,program=old/a.out --export=$format -o said.$format new/a.out new/gmon.out \
			>/dev/null 2>>err
	done
	expect 'csv: samples add up to both totals' [ "$(tr -d '"' <said.csv | awk -F, 'NR > 1 { b += $8; n += $9 }
		END { print b, n }')" = '920 1120' ]
	expect 'folded: so do paths, in nanoseconds' [ "$(awk '{ b += $(NF - 1); n += $NF }
		END { printf "%.0f %.0f", b, n }' said.folded)" = '9200000000 11200000000' ]
	"$GPROF" --diff=old/gmon.out,program=old/a.out --export=folded,count=samples,mark=no,depth=1 -o said new/a.out \
		new/gmon.out 2>>err >out
	expect 'folded: count=samples, mark=no' grep -q '^main 31 31$' said
	expect 'markdown: a table whose rows have as many cells' [ "$(grep '^|' said.markdown |
		sed 's/\\|//g; s/[^|]//g' | sort | uniq -c | tr -s ' ' '_' | paste -sd' ')" = '_10_||||||| _10_|||||||||||' ]
	expect 'with its mark on top' [ "$(head -n 1 said.markdown)" = '<!-- gprof -->' ]
	"$GPROF" --export=markdown,rows=2 -o said new/a.out new/gmon.out 2>>err
	expect 'markdown without a base, two rows in sight' [ "$(sed '/<details>/q' said | grep -c '^|.*`')" = 2 ]
	make_hostile
	"$GPROF" --export=markdown -o said 2>>err
	expect 'hostile names end no cell and no line' [ "$(grep '^|' said | sed 's/\\|//g; s/[^|]//g' | sort -u)" = \
		'|||||' ]
	expect 'and none is too long' '! grep -q "^.\{400\}" said'
}

# look FILE NAME: the class of a frame, and what its title says.
look() {
	awk -v name="$2" '/<title>/ { class = $0; sub(/.* class="/, "", class); sub(/".*/, "", class)
			shown = $0; sub(/.*<title>/, "", shown) }
		shown == name && !/<title>/ { sub(/<.*/, ""); print class ": " $0 }' "$1"
}

check_pictures() {
	run "$GPROF" --diff=old/gmon.out,program=old/a.out --export=flamegraph -o both.svg new/a.out new/gmon.out
	expect 'two pictures' '[ $status = 0 ] && [ -s both.svg ] && [ -s both.base.svg ]'
	expect 'red, and in words' [ "$(look both.svg '+ parse.isra.0.cold')" = \
		'd m2: 4.00 s before, 6.00 s now: +2.00 s, +50.0 %; more' ]
	expect 'grey, and in words' [ "$(look both.svg 'flat')" = \
		'd same: 700 ms before, 700 ms now: +0 ns, +0.0 %; cannot be told from noise' ]
	expect 'what is gone is in the picture of the base' [ "$(look both.base.svg '- gone')" = \
		'd l3: 900 ms before, 0 ns now: -900 ms, -100.0 %; less' ]
	expect 'and in no other' '! grep -q "<title>- gone" both.svg'
	expect 'what is new is not in it' '! grep -q "<title>+ fresh" both.base.svg && grep -q "<title>+ fresh" both.svg'
	"$GPROF" --diff=old/gmon.out,program=old/a.out --export=flamegraph -o - new/a.out new/gmon.out >said 2>err
	expect 'one picture on standard output' cmp -s said both.svg
	if command -v xmllint >/dev/null; then
		expect 'both are XML' xmllint --noout both.svg both.base.svg
	else
		tap_skip 'both are XML' 'no xmllint (Debian package libxml2-utils)'
	fi
}

# The table without scripts, and with them the picture, the switch, sorting and searching.
check_page() {
	"$GPROF" --diff=old/gmon.out,program=old/a.out --export=webpage -o page.html new/a.out new/gmon.out >out 2>err
	expect 'the page has a row for each function, as markup' [ "$(grep -c '^<tr class="\(more\|less\|noise\)"><td class="name">' page.html)" = 8 ]
	expect 'and two pictures' [ "$(grep -c '<svg .*class="top"' page.html)" = 2 ]
	why=$(find_browser)
	if [ -n "$why" ]; then
		tap_skip 'the page in a browser' "$why"
		return
	fi
	find_browser >log
	allow_scripts page.html | sed 's|^</body>|<script type="module">await new Promise((done) => setTimeout(done, 500)); const at = " " + scrollY + document.activeElement.tagName\
		+ (document.querySelector("iframe").getBoundingClientRect().bottom < innerHeight)\
		+ (document.querySelector("table").getBoundingClientRect().top > document.querySelector("iframe").getBoundingClientRect().bottom);\
		const click = (text) => Array.from(document.querySelectorAll("button"))\
		.find((b) => b.textContent.includes(text)).click();\
		click("function"); click("before, s"); document.getElementById("base").click();\
		document.getElementById("search").value = "fla"; document.getElementById("search").dispatchEvent(new Event("input"));\
		document.title = Array.from(document.querySelectorAll("tbody tr")).filter((r) => !r.hidden)\
		.map((r) => r.cells[2].textContent).join() + document.querySelector("iframe").title + at;</script>&|' >acts.html
	browse_dom "file://$scratch/acts.html" >said
	expect 'sorted, searched, and the picture of the base' grep -q \
		'<title>0.700,0.040Flame graph, widths of the time before 0BODYtruetrue</title>' said
	expect 'nothing was refused' '! grep -q "Refused\|Uncaught" "$scratch/browser/log"'
}

# hot DIR SHORT LONG CALL: a build of a short and a long function.
hot() {
	mkdir "$1" && "$TOOLS/mkprofile" - "$1" <<-END || exit 99
		text 0x401000 0x60
		sym main 0x401000
		sym $2 0x401020
		sym $3 0x401040
		profile
		hist 0x401000 0x401060 24 100
		tick $2 $5
		tick $3 $6
		$4
	END
}

# What differs most: other functions, no calls, hardly any samples.
check_strangers() {
	hot one parse _ZN2ns5TableI25a_name_of_many_charactersS1_S1_E4findEi 'arc main parse 48696955' 300 2
	hot two lex yacc '' 200 100
	hot three parse _ZN2ns5TableI25a_name_of_many_charactersS1_S1_E4findEi '' 2 0
	for format in markdown webpage; do
		run "$GPROF" --diff=one/gmon.out,program=one/a.out --export=$format -o strangers.$format two/a.out two/gmon.out
		expect "two programs with nothing in common: $format says so" \
			grep -q 'Are these versions of one program? Functions that both have took 0 % of the time before, and 0 % now' strangers.$format
		expect 'and so does a note' grep -q 'functions that both programs have took 0 % of the time before, and 0 % now: are these' err
	done
	run "$GPROF" -b --diff=one/gmon.out --export=markdown -o calls.markdown --export=webpage -o calls.html one/a.out three/gmon.out
	expect 'one program is none of two' '! grep -q "versions of one" err calls.markdown'
	expect 'no interval is below -100 %' 'grep -q "^Difference.*(-[0-9.]* %, -100.0 % .. -[0-9.]* %)" out &&
		grep -q ", -100.0 % .. " calls.markdown && grep -q "most likely -100.0 % to " calls.html'
	expect 'a long name is short, and unfolds' grep -q '<details><summary>Table::find</summary><p>ns::Table&#60;a_name_.*::find(int)</p>' calls.html
	expect 'calls that were not counted' 'grep -q "^- .* 48696955 *? .* parse$" out && grep -q "Calls (?) were not counted in new" out &&
		grep -q " 48696955 | not counted |$" calls.markdown && grep -q "<td>48696955</td><td></td>" calls.html &&
		grep -q ">calls now, not counted<" calls.html'
}

check_schema() {
	validator=
	for program in jsonschema /usr/bin/jsonschema; do
		"$program" --version >log 2>&1 && validator=$program
	done
	if [ -z "$validator" ]; then
		tap_skip 'schema' 'no jsonschema (Debian package python3-jsonschema)'
		return
	fi
	PYTHONWARNINGS=ignore "$validator" -i said.json -i runs.json -i whole.json -i waits.json "$srcdir/doc/diff-schema.json" >said 2>err
	expect 'json is as its schema says' [ "$?$(cat err)" = 0 ]
	sed 's/"verdict":"noise"/"verdict":"?"/' said.json >wrong.json
	! "$validator" -i wrong.json "$srcdir/doc/diff-schema.json" >log 2>&1
	tap_check $? 'the schema refuses another verdict'
}

# Three runs of the one, four of the other.
make_runs() {
	mkdir base test
	number=0
	for parse in 400 430 385 455 470 500 440; do
		number=$((number + 1))
		dir=base
		[ $number -le 3 ] || dir="test"
		side run 100 parse '' gone '' $parse $((300 + 7 * number % 31)) $((90 + 11 * number % 17))
		mv run/gmon.out $dir/$number
		mv run/a.out a.out
	done
}

# What python makes of the samples of each run, by the formulas of a quasi-Poisson model.
check_runs() {
	make_runs
	run "$GPROF" -b --diff=base --export=json -o runs.json a.out test
	expect 'runs are counted' grep -q '^Difference of profiles: base 3 runs of .* s, new 4 runs of .* s' out
	expect 'and how much they vary' grep -q '^ Run-to-run variation is [0-9.]* times that of sampling alone' out
	for file in base/* test/*; do
		"$GPROF" --export=csv -o - a.out "$file" | tr -d '"' | awk -F, -v file="$file" 'NR > 1 { print file, $4, $1 }'
	done >samples 2>err
	if ! command -v python3 >/dev/null; then
		tap_skip 'the same by python' 'no python3'
		return
	fi
	python3 - >said 2>err <<-'END'
		import json, math
		d = json.load(open('runs.json'))
		runs = {}
		for line in open('samples'):
		    file, n, name = line.rstrip('\n').split(' ', 2)
		    runs.setdefault(name, {}).setdefault(file.split('/')[0], []).append(int(n))
		x = freedom = 0
		for name, of in runs.items():
		    means = {side: sum(of[side]) / len(of[side]) for side in of}
		    if min(means.values()) >= 5:
		        x += sum((n - means[s])**2 / means[s] for s in of for n in of[s])
		        freedom += 5
		phi = max(1, x / freedom)
		def moments(pairs):                # of a quadratic variance, beyond that of chance
		    beyond = sum(sum((n - sum(r) / len(r))**2 for n in r) - (len(r) - 1) * sum(r) / len(r) for r in pairs)
		    square = sum((len(r) - 1) * (sum(r) / len(r))**2 for r in pairs)
		    return max(0, beyond / square), square**2 / sum((len(r) - 1) * (sum(r) / len(r))**4 for r in pairs)
		every = [of[s] for of in runs.values() for s in of if min(sum(of[t]) / len(of[t]) for t in of) >= 5]
		common = moments([[sum(of[s][i] for of in runs.values()) for i in range(k)] for s, k in (('base', 3), ('test', 4))])[0]
		total, own_freedom = moments(every)
		own = max(0, total - common)
		assert abs(d['spread'] - phi) < 1e-6, (d['spread'], phi)
		def beyond(t, n):                  # both tails of Student's t, by Simpson's rule
		    c = math.exp(math.lgamma((n + 1) / 2) - math.lgamma(n / 2)) / math.sqrt(n * math.pi)
		    f = lambda u: c * (1 + u * u / n)**(-(n + 1) / 2)
		    steps = 20000
		    h = abs(t) / steps
		    return 1 - 2 * h / 3 * sum((1 if i in (0, steps) else 4 if i % 2 else 2) * f(i * h) for i in range(steps + 1))
		p = {}
		for f in d['functions']:
		    b, t = runs[f['name']]['base'], runs[f['name']]['test']
		    assert (f['base']['samples'], f['new']['samples']) == (sum(b), sum(t)), f
		    delta = sum(t) / 400 - sum(b) / 300
		    chance = sum(b) / 300**2 + sum(t) / 400**2
		    squares = (sum(b) / 300)**2 / 3 + (sum(t) / 400)**2 / 4
		    quadratic = chance + (common + own) * squares
		    error = math.sqrt(max(phi * chance, quadratic))
		    df = freedom if phi * chance >= quadratic else int(quadratic**2 / (
		        (common * squares)**2 / 5 + (own * squares)**2 / own_freedom))
		    assert abs(f['delta'] - delta) < 1e-8, f
		    if f['p'] is None:
		        assert max(sum(b), sum(t)) < 5
		        continue
		    assert abs(f['p'] - beyond(delta / error, df)) < 1e-6, (f, beyond(delta / error, df))
		    p[f['name']] = f['p']
		most = -1                          # Holm's procedure
		for i, q in enumerate(sorted(p.values())):
		    if q > 0.05 / (len(p) - i):
		        break
		    most = q
		for f in d['functions']:
		    marked = f['p'] is not None and f['p'] <= most
		    assert (f['verdict'] != 'noise') == marked, f
		print(len(p), 'rows')
	END
	expect 'python has the same spread, differences, p-values and marks' [ "$(cat said)" = '7 rows' ]
	run "$GPROF" -b --diff=base,normalize a.out test
	expect 'shares of several runs' '[ $status = 0 ] && grep -q "% of all" out'
	mkfifo pipe
	cat base/2 >pipe &
	run "$GPROF" -b --diff=base a.out test/4 pipe
	wait
	expect 'a pipe cannot be read twice: a note' 'grep -q "note: test/4: cannot be read again" err &&
		grep -q "^ One run on a side: " out'
	run "$GPROF" -b --diff=base a.out test/4
	expect 'several against one' grep -q '^ One run on a side: ' out
}

check_errors() {
	run "$GPROF" --diff=nosuch a.out test/4
	expect 'no base' '[ "$status" = 1 ] && grep -q "nosuch: No such file" err'
	run "$GPROF" --diff=base/1,program=nosuch a.out test/4
	expect 'no program of the base' '[ "$status" = 1 ] && grep -q "nosuch: No such file" err'
	mkdir empty
	run "$GPROF" --diff=empty a.out test/4
	expect 'an empty directory' '[ "$status" = 1 ] && grep -q "empty: no profile data in this directory" err'
	sed 's/^hist .*/hist 0x401000 0x401200 256 100 bytes b/' side.profile >bytes.profile
	mkdir bytes
	"$TOOLS/mkprofile" bytes.profile bytes
	run "$GPROF" --diff=bytes/gmon.out a.out test/4
	expect 'bytes and seconds' '[ "$status" = 1 ] &&
		grep -q "bytes/gmon.out: its samples are bytes, those of test/4 are seconds: they cannot be compared" err'
	sed '/^hist/d; /^tick/d; s/^arc main 0x401020 .*/arc main 0x401020 5/' side.profile >calls.profile
	mkdir calls
	"$TOOLS/mkprofile" calls.profile calls
	run "$GPROF" -b --diff=calls/gmon.out a.out test/4
	expect 'no samples on a side: calls alone' '[ "$status" = 0 ] && grep -q "no samples" out &&
		grep -q "^+ *5 *1000 *+995 parse" out && grep -q "others: as many calls as before" out'
	strip -o stripped a.out 2>/dev/null || cp a.out stripped
	run "$GPROF" -b --diff=base/1 -l a.out test/4
	expect 'by line' '[ "$status" = 1 ] && grep -q "diff and -l (--line) cannot be combined" err'
	run "$GPROF" -b --diff=base/1 --measured a.out test/4
	expect '--measured without stacks' '[ "$status" = 1 ] && grep -q "no call stacks" err'
	run "$GPROF" --diff=base/1,level=20 a.out test/4
	expect 'a level below 80' '[ "$status" = 1 ] && grep -q "level must be a percentage from 80 to 99.9" err'
	run "$GPROF" --diff=base/1,whatever=1 a.out test/4
	expect 'an unknown key' '[ "$status" = 1 ] && grep -q "no key .whatever.; it knows these keys: program=FILE" err'
	run "$GPROF" --diff=base/1 --export=dot a.out test/4
	expect 'a format that cannot' '[ "$status" = 1 ] && grep -q "use annotations, csv, .* or webpage" err'
	run "$GPROF" --diff=base/1 --export=csv -o base/1 a.out test/4
	expect 'no input is overwritten' '[ "$status" = 1 ] && "$GPROF" -i a.out base/1 >/dev/null'
}

# Times of callees from stacks: f is called by two, and one call is slower.
check_stacks() {
	for slow in 30 75; do
		"$TOOLS/mkprofile" - . <<-END || exit 99
			text 0x401000 0x100
			sym main 0x401000
			sym work 0x401020
			sym f 0x401040
			profile
			hist 0x401000 0x401100 64 100
			tick work 20
			tick f $((40 + slow))
			thread 1 main
			stack 20 main work
			stack 40 main f
			stack $slow main work f
		END
		mkdir stacks-$slow
		mv gmon.out gmon.out.ext stacks-$slow
	done
	run "$GPROF" -b --diff=stacks-30 a.out stacks-75
	expect 'inclusive times from stacks: the caller is slower' grep -q \
		'^~ *0.200  *0.200  *0.000  *0.125  *0.0 + *0.500  *0.950  *+0.450  *0.237  *0.0002  *1.00 work$' out
	expect 'and self time' grep -q \
		'^+ *0.700  *1.150  *+0.450 .* + *0.700  *1.150  *+0.450  *0.267  *0.0009  *0.0009 f$' out
	expect 'and who called that one' grep -q '^~ .* + *0.900  *1.350  *+0.450  *0.295  *0.003  *main$' out
	for format in csv json markdown webpage; do
		"$GPROF" --diff=stacks-30 --export=$format -o whole.$format a.out stacks-75 >/dev/null 2>err
	done
	expect 'csv: the test of inclusive times' grep -q \
		'^"work","*noise"*,.*,more,0.450000000,0.23[0-9]*,0.0001[0-9]*,"work","work"$' whole.csv
	expect 'json: the same' grep -q \
		'"name":"work",.*"verdict":"noise",.*"inclusive":{"verdict":"more","delta":0.45,"margin":0.23[0-9]*,"p":0.00' whole.json
	expect 'markdown: the same' grep -q '^| ~ | `work` | 0.200 .* | \*\*slower\*\* | 0.500 | 0.950 | +0.450 | .* |$' whole.markdown
	expect 'and in sight' grep -q '^| \*\*slower\*\* with callees | `work` | 0.500 | 0.950 | +90.0 | 0.000[0-9]* |$' whole.markdown
	expect 'the page: the same' grep -q '>work</td>.*<td class="more">+</td><td>0.500</td><td>0.950</td><td>+0.450</td>' whole.webpage
	"$GPROF" --diff=stacks-30 --export=folded -o said a.out stacks-75 >/dev/null 2>err
	sort said >got
	printf '%s\n' 'main;f 400000000 400000000' 'main;work 200000000 200000000' 'main;work;f 300000000 750000000' >wanted
	same 'paths as they were seen' got wanted
}

# waits DIR READ SLEEP: a run whose read_record waits for so many microseconds, and so many in another place.
waits() {
	"$TOOLS/mkprofile" - . <<-END || exit 99
		text 0x401000 0x100
		sym main 0x401000
		sym read_record 0x401020
		sym rest 0x401040
		profile
		hist 0x401000 0x401100 64 100
		tick rest 50
		kind cpu 100 seconds s
		kind off-cpu 1000000 seconds s
		thread 1 main 500000000 50 50 0 9000000000
		kind cpu
		stack 50 main rest
		kind off-cpu
		stack $2 main read_record -:4096+0
		stack $3 main rest -:4096+230
	END
	mkdir -p "$1"
	number=$((number + 1))
	mv gmon.out "$1/$number"
	mv gmon.out.ext "$1/$number.ext"
}

# By what three runs a side differ in: the one function waits longer, the other as before.
check_waiting() {
	waits once 1000000 500000
	waits before 1000000 500000
	waits before 1010000 530000
	waits before 995000 490000
	waits after 1310000 520000
	waits after 1290000 480000
	waits after 1300000 515000
	run "$GPROF" -b --diff=before --clock=off --export=json -o waits.json a.out after
	expect 'waiting: the report says so' '[ $status = 0 ] && grep -q "^Difference of waiting: base 3 runs of 1.508 s" out &&
		grep -q "^ Waiting is measured, not sampled: .* CPU time is not compared" out'
	expect 'who waits longer' grep -q '^~ .* + *1.002  *1.300  *+0.298 .* <0.0001 *read_record$' out
	expect 'and who does not' grep -q '^~ .* ~ *0.507  *0.505  *-0.002 .* rest$' out
	expect 'json: the same' 'grep -q "\"clock\":\"off\"" waits.json && grep -q "\"name\":\"read_record\".*\"more\"" waits.json'
	run "$GPROF" -b --diff=before a.out after
	expect 'CPU time, by default' '[ $status = 0 ] && grep -q "base 3 runs of 0.500 s" out && ! grep -q "[+-]  *[0-9].* main" out'
	run "$GPROF" -b --diff=once --clock=off a.out after
	expect 'one run does not tell' '[ $status = 1 ] && grep -q "^[^ ]*: once/[0-9]*: --diff with --clock=off .* two or more runs on each" err'
	run "$GPROF" -b --diff=before --clock=wall a.out after
	expect 'both at once' '[ $status = 1 ] && grep -q "a --clock other than cpu or off cannot be combined" err'
	run "$GPROF" -b --diff=stacks-30 --clock=off a.out stacks-75
	expect 'no waiting there' '[ $status = 1 ] && grep -q "no waiting in stacks-30.*: GMON=clock=wall records it" err'
}

# events DIR ABBREVIATION WORK LEAF: a run's page faults, in a file of their own.
events() {
	mkdir -p "$1"
	number=$((number + 1))
	mkdir events.made && "$TOOLS/mkprofile" - events.made <<-END || exit 99
		text 0x401000 0x60
		sym main 0x401000
		sym work 0x401020
		sym leaf 0x401040
		profile
		hist 0x401000 0x401060 24 1 page-faults $2
		tick main 3
		tick work $3
		tick leaf $4
	END
	mv events.made/gmon.out "$1/$number" && mv events.made/a.out . && rmdir events.made
}

# Where all events were counted, chance has no part in a difference; where every so many were, it has.
check_events() {
	events faults p 1000 50
	events fewer p 1001 48
	run "$GPROF" -b --diff=faults --export=json -o events.json --export=markdown -o events.md --export=csv -o events.csv a.out fewer
	expect 'events: one run a side is compared' '[ $status = 0 ] &&
		grep -q "^Difference of profiles: base 1 run of 1053 page-faults, new 1 run of 1052 page-faults (-0.1 %)$" out &&
		grep -q "^ Events are counted, not sampled: any difference is one of these runs" out'
	expect 'any difference is one' 'grep -q "^+  *1000  *1001  *+1  *0  *+0.1  *work$" out && grep -q "^-  *50  *48  *-2  *0  *-4.0  *leaf$" out'
	expect 'what is the same is not listed' 'grep -q "^  ...  1 other: 3 -> 3, as many as before$" out'
	expect 'json: there is no test' 'grep -q "\"clock\":\"events\",.*\"tested\":false" events.json &&
		grep -q "\"name\":\"work\",.*\"verdict\":\"more\",.*\"p\":null" events.json'
	expect 'markdown: nothing is slower' 'grep -q ": 1 function with more, 1 with fewer$" events.md && ! grep -q "slower\|faster\|samples" events.md'
	expect 'csv: the unit' 'head -n 1 events.csv | grep -q "base (page-faults)"'
	events same p 1000 50
	events same p 1000 50
	events others p 1001 50
	events others p 1001 50
	run "$GPROF" -b --diff=same a.out others
	expect 'runs that never differ leave nothing to chance' 'grep -q "^+  *1000.0  *1001.0  *+1.0  *0.0 .* <0.0001 work$" out &&
		grep -q "^~ .* leaf$" out && grep -q "^ Events are counted, not sampled: what runs differ in tells change" out'
	events others p 950 50
	events same p 1100 50
	run "$GPROF" -b --diff=same a.out others
	expect 'those that do, do' 'grep -q "^~ .* work$" out'
	events sampled P 1000 50
	events sampled-too P 1001 48
	run "$GPROF" -b --diff=sampled a.out sampled-too
	expect 'samples of events are tested' 'grep -q "^~ .* work$" out && grep -q "^~ .* leaf$" out && ! grep -q "Events are counted" out'
}

check_pprof() {
	if ! command -v go >/dev/null; then
		tap_skip 'go tool pprof -diff_base' 'no go (Debian package golang-go)'
		return
	fi
	"$GPROF" --export=pprof -o base.pb.gz old/a.out old/gmon.out 2>err
	"$GPROF" --export=pprof -o new.pb.gz new/a.out new/gmon.out 2>err
	HOME=$scratch timeout 60 go tool pprof -top -nodecount=100 -unit=ms -diff_base=base.pb.gz new.pb.gz >out 2>err
	awk '$1 ~ /ms$/ || $1 == "0" { delta = $1; sub(/ms/, "", delta); $1 = $2 = $3 = $4 = $5 = ""; sub(/^ */, "")
		if (delta != 0) print $0, delta }' out | sed 's/\[clone [^]]*\] *//' | sort >said
	# Of what pprof has under two names, ours has one row.
	tr -d '"' <said.csv | awk -F, 'NR > 1 && $12 == "name" && $5 != 0 { printf "%s %.0f\n", $1, 1000 * $5 }
		NR > 1 && $12 == "none" { printf "%s %.0f\n", $1, 1000 * $5 }' | sort >wanted
	expect 'each difference is that of pprof -diff_base' [ -s wanted -a "$(comm -13 said wanted)" = '' ]
}

make_scratch
cd "$scratch" || exit 99
check_builds
check_pictures
check_page
check_sums
check_strangers
check_runs
check_errors
check_stacks
number=0
check_waiting
check_events
check_schema
check_pprof
tap_done
