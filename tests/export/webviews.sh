#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: webpage
#
# Views of --export=webpage in a browser that need programs of their own: inlined functions, source text.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
# shellcheck source=browser.sh
. "$srcdir/tests/export/browser.sh"

# The functions of --top, as web-inlined.js wants them.
expect_inlined() {
	"$GPROF" --top=10 a.out >top 2>err
	awk 'BEGIN { printf "<script id=\"expected\" type=\"application/json\">{\"rows\": [" }
		/ function / { begun = 1; next }
		begun && $1 ~ /^[0-9.]+$/ { name = $0; sub(/^[ 0-9.]*([nmu]?s )? */, "", name); sub(/ .*/, "", name)
			printf "%s[\"%s\", %s]", (n++ ? ", " : ""), name, (/ inl[.] / ? "true" : "false") }
		END { print "], \"lines\": [" }' top
	"$GPROF" --source=work a.out >listing 2>err
	awk '$1 ~ /^[0-9.]+$/ && $2 ~ /^[0-9.]+$/ && $3 ~ /^[0-9.]+$/ && $4 ~ /^[0-9]+$/ && $5 ~ /^[0-9]+$/ {
		printf "%s[%s, \"%s\", \"%s\"]", (n++ ? ", " : ""), $5, $2, $3 }' listing
	echo ']}</script>'
}

# What --source=NAME,asm has, as web-code.js wants it.
expect_code() {
	echo '<script id="expected" type="application/json">{'
	comma=
	for function in main work; do
		"$GPROF" -b --source=$function,asm a.out 2>err | sed 's/> *\([0-9a-f]\)/ \1/' >listing
		# Calls are behind three numbers, or alone.
		awk -v name=$function '
			function hex(word) { return word ~ /^[0-9a-f]+$/ && length(word) >= 6 }
			/address  instruction/ { has_calls = /calls/; next }
			NF < 2 || /^[^ ]/ { next }
			$1 ~ /^[0-9]+\.[0-9]+$/ && $3 ~ /^[0-9]+\.[0-9]+$/ {
				counted = has_calls && $4 ~ /^[0-9]+$/ && hex($5)
				address = counted ? $5 : $4
				times = times (times == "" ? "" : ", ") "\"" address " " $2 "\""
				if (counted) calls = calls (calls == "" ? "" : ", ") "\"" address " " $4 "\""
				next
			}
			has_calls && $1 ~ /^[0-9]+$/ && hex($2) { calls = calls (calls == "" ? "" : ", ") "\"" $2 " " $1 "\"" }
			END { printf "\"%s\": {\"times\": [%s], \"calls\": [%s]}", name, times, calls }' listing |
			sed "1s/^/$comma/"
		comma=,
	done
	echo '}</script>'
}

# A program whose file, functions, symbols and source text are markup, quotes and bytes that terminals obey, beside lines that
# end. Names of the same lengths are replaced in the program.
make_hostile_code() {
	mkdir hostile && cd hostile || exit 99
	file=$(printf 'x\033[31m<img src=q onerror=window.pwned=1>"&\047.c')
	cat >"$file" <<-'END'
		__attribute__((noinline)) unsigned HOSTILE1_image_of_a_name____________(unsigned x)
		{
			for (int i = 0; i < 300; i++)
				x = x * 1103515245 + (x % 7); /* </script><script>window.pwned=1</script> <img src=q onerror=window.pwned=1> */
			return x;
		}

		__attribute__((noinline)) unsigned HOSTILE2_the_end_of_a_script_____(unsigned x)
		{
			for (int i = 0; i < 300; i++)
				x = x / 3 + i;
			return HOSTILE1_image_of_a_name____________(x);
		}

		__attribute__((noinline)) unsigned HOSTILE3_by_(unsigned x)
		{
			for (int i = 0; i < 200; i++)
				x = x / 5 + i;
			return x;
		}

		int main(void)
		{
			unsigned x = 1;

			for (int i = 0; i < 200000; i++) {
				x = HOSTILE2_the_end_of_a_script_____(x) + HOSTILE3_by_(x);
				for (int k = 0; k < 200; k++)
					x = x / 9 + k;
			}
			return x == 42;
		}
	END
	"$CC" -pg -g -O1 -fno-pie -no-pie -o made "$file" "$builddir/libgmon.a" 2>../said &&
		sed 's/HOSTILE1_image_of_a_name____________/<img src=q onerror=window.pwned=1>\&"/g
			s/HOSTILE2_the_end_of_a_script_____/<\/script><script>pwned=1<\/script>/g
			s/HOSTILE3_by_/\o33[31m\n\o177\o377"\x27$`/g' made >a.out && chmod +x a.out &&
		GMON=stacks,rate=250 ./a.out && [ -s gmon.out.ext ]
	status=$?
	cd .. || exit 99
	return $status
}

make_scratch
cd "$scratch" || exit 99
find_browser >reason
[ ! -s reason ] || tap_skip_all "$(cat reason)"
if make_hostile_code; then
	(cd hostile && "$GPROF" --export=webpage -o ../hostile.html a.out 2>../err)
	check_policy hostile.html 'data-ready='
	use hostile.html web-hostile.js
else
	tap_skip 'hostile names at instructions' "$CC -pg does not work here"
fi
if make_inlined; then
	"$GPROF" --export=webpage -o page.html a.out && (cat page.html && expect_inlined) >inlined.html
	use inlined.html web-inlined.js
	use page.html web-paper.js
	check_rules page.html '#/function/work' '#/function/mixed (inlined)'
	(cat page.html && expect_code) >code.html
	use code.html web-code.js
	"$GPROF" --export=webpage,inlined=no -o page.html --export=speedscope -o page.json --export=csv -o csv \
		--export=flamegraph -o page.svg a.out
	! grep -q "[a-z] (inlined)\"" page.html csv
	tap_check $? 'inlined=no: none are; nor in formats that did not ask'
	grep -q '"mixed (inlined)"' page.json && grep -q 'class="c[0-9]* i.* data-n="mixed"' page.svg
	tap_check $? 'beside it, in those that did'
else
	tap_skip 'inlined functions' "$CC -pg does not work here"
fi
tap_done
