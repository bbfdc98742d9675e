# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
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

# browse_dom URL [MILLISECONDS]: the page as its scripts have left it, on stdout.
browse_dom() {
	browse "$1" "${2:-8000}" --dump-dom
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
