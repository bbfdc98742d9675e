# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced by tests that show a file in a browser: Chromium without a window. Uses $scratch.

# Why no browser can be used; nothing if one can. Sets $browser.
find_browser() {
	for browser in "$BROWSER_PROGRAM" chromium chromium-browser google-chrome; do
		[ -n "$browser" ] || continue
		command -v "$browser" >/dev/null || continue
		mkdir -p "$scratch/browser"
		echo '<p id=x></p><script>x.textContent = "wor" + "ks"</script>' >"$scratch/browser/probe.html"
		browse_dom "file://$scratch/browser/probe.html" 100 2>/dev/null | grep -q '>works<' && return
		echo "$browser does not run here"
		return
	done
	echo "no browser (Debian package chromium)"
}

# browse URL MILLISECONDS OPTION...: what scripts of the page wait for takes no time, up to so many milliseconds.
# A page may read other files of its directory, and nothing of the net.
browse() {
	url=$1
	budget=$2
	shift 2
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--user-data-dir="$scratch/browser/profile" --no-first-run --no-default-browser-check \
		--disable-background-networking --disable-component-update --disable-sync \
		--host-resolver-rules='MAP * ~NOTFOUND' --allow-file-access-from-files \
		--virtual-time-budget="$budget" "$@" "$url" 2>>"$scratch/browser/log"
}

# browse_dom URL [MILLISECONDS [OPTION...]]: the page as its scripts have left it, on stdout.
browse_dom() {
	dom_url=$1
	dom_budget=${2:-8000}
	[ $# -lt 2 ] || shift
	shift
	browse "$dom_url" "$dom_budget" --dump-dom "$@"
}

# browse_shot URL FILE.png [WIDTH,HEIGHT [OPTION...]]: a picture, and in FILE.png.dom the page as it was then. Dark:
# --blink-settings=preferredColorScheme=0
browse_shot() {
	shot_url=$1
	shot_file=$2
	shot_size=${3:-1200,800}
	if [ $# -lt 3 ]; then shift 2; else shift 3; fi
	browse "$shot_url" 8000 --hide-scrollbars --window-size="$shot_size" --screenshot="$shot_file" --dump-dom "$@" \
		>"$shot_file.dom"
}

# watch FILE: shows it for at most $watch_limit (60) seconds of real time, for going back in history takes some, until it says on its console that it is
# done. What it says is in console. A browser that is told to end may take long, so each
# has a profile of its own.
watch() {
	: >console
	timeout -k 1 "${watch_limit:-60}" "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--user-data-dir="$scratch/browser/$(basename "$1")" --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --host-resolver-rules='MAP * ~NOTFOUND' \
		--enable-logging=stderr "file://$1" >/dev/null 2>console &
	watched=$!
	while ! grep -q '"the end", source' console && kill -0 $watched 2>/dev/null; do
		sleep 0.1
	done
	kill $watched 2>/dev/null
	wait $watched 2>/dev/null
}

# allow_scripts PAGE: the page with a policy that lets scripts run which a test adds.
allow_scripts() {
	sed "s/script-src 'sha256[^;]*;/script-src 'unsafe-inline';/" "$1"
}

# use PAGE SCRIPT: shows the page with the script at its end, which its policy is changed to allow; what it reports is this
# test's.
use() {
	case $1 in
	*.html) (allow_scripts "$1" && echo '<script type="module">' && cat "$srcdir/tests/export/web-common.js" "$srcdir/tests/export/$2" && echo '</script>') >"used-$1" ;;
	*.svg) (sed '$d' "$1" && echo '<script><![CDATA[' && cat "$srcdir/tests/export/web-common.js" "$srcdir/tests/export/$2" && echo ']]></script></svg>') >"used-$1" ;;
	esac
	watch "$scratch/used-$1"
	sed -n 's/^.*CONSOLE.*\] "\(ok - .*\|not ok - .*\|# .*\)", source: .*/\1/p' console >results
	grep -q '"the end", source' console || echo "not ok - the script ran to its end" >>results
	while IFS= read -r line; do
		case $line in
		'ok - '*) tap_ok "$1: ${line#ok - }" ;;
		'not ok - '*) tap_not_ok "$1: ${line#not ok - }" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <results
}

# check_policy PAGE WORDS: its own scripts run, also those of pictures in it, and leave WORDS; no others do.
check_policy() {
	log=$scratch/browser/log
	: >"$log"
	browse_dom "file://$scratch/$1" 8000 --enable-logging=stderr >dom
	evidence="dom $log"
	expect "$1: the browser refuses none of its scripts" "[ -s dom ] && ! grep -Eq 'Refused to|directive .script-src' '$log'"
	expect "$1: they have run" "grep -q '$2' dom"
	(cat "$1" && echo '<p id="planted">whole</p><script>planted.textContent = "bro" + "ken"</script><img src="data:," onerror="planted.textContent = &quot;bro&quot; + &quot;ken&quot;">') >planted.html
	browse_dom "file://$scratch/planted.html" 8000 --enable-logging=stderr >dom
	expect "$1: a script that somebody added does not run" \
		"grep -q '>whole<' dom && ! grep -q '>broken<' dom && grep -Eq 'Refused to|directive .script-src' '$log'"
}

# check_rules PAGE HASH...: axe-core, if it is there (npm install axe-core, in the build directory), finds nothing serious.
check_rules() {
	page=$1
	shift
	axe=$builddir/node_modules/axe-core/axe.min.js
	if [ ! -f "$axe" ]; then
		tap_skip "$page: rules of accessibility" 'no axe-core (npm install axe-core, in the build directory)'
		return
	fi
	for hash; do
		echo "\"$hash\""
	done | paste -sd, >hashes
	{
		allow_scripts "$page"
		echo '<script>' && cat "$axe" && echo '</script><script id="hashes" type="application/json">['
		cat hashes && echo ']</script>'
	} >rules.html
	watch_limit=240
	use rules.html web-rules.js
	watch_limit=60
}
