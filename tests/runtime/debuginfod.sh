#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --debuginfod fetches the debug files of stripped objects with samples from a server on this machine, and a line says what
# was fetched; nothing is fetched unasked. A server that hangs, lies, never ends or refuses costs no more than the limit,
# and the report comes with the names that are there.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# serve HOW: a server that answers like that, until serve_end; it writes each path that it is asked for to `asked'.
serve() {
	rm -f port asked
	: >asked
	python3 - "$1" <<-'END_OF_PYTHON' &
		import http.server, os, sys, threading
		how = sys.argv[1]
		bodies = {"good": "kept.debug", "other": "other.debug"}
		class Server(http.server.BaseHTTPRequestHandler):
		    def log_message(self, *args):
		        pass
		    def do_GET(self):
		        with open("asked", "a") as asked:
		            asked.write(self.path + "\n")
		        answers = how
		        # source-NAME: sources alone are answered in that way, or by that file.
		        if how.startswith("source-"):
		            answers = how[7:] if "/source/" in self.path else "good"
		        elif how == "good" and "/source/" in self.path:
		            answers = "none"
		        if answers == "hang":
		            threading.Event().wait(60)
		        elif answers == "refuse":
		            self.send_error(500)
		        elif answers == "none":
		            self.send_error(404)
		        elif answers == "zeros":
		            self.send_response(200)
		            self.end_headers()
		            try:
		                while True:
		                    self.wfile.write(bytes(1 << 16))
		            except OSError:
		                pass
		        else:
		            body = os.urandom(100000) if answers == "garbage" else open(bodies.get(answers, answers), "rb").read()
		            self.send_response(200)
		            self.send_header("Content-Length", str(len(body)))
		            self.end_headers()
		            self.wfile.write(body)
		server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
		server.daemon_threads = True
		with open("port.new", "w") as port:
		    port.write(str(server.server_port))
		os.rename("port.new", "port")
		server.serve_forever()
	END_OF_PYTHON
	server=$!
	while [ ! -f port ] && kill -0 $server 2>/dev/null; do
		sleep 0.1
	done
	DEBUGINFOD_URLS=http://127.0.0.1:$(cat port)
	export DEBUGINFOD_URLS
	rm -rf cache
}

serve_end() {
	kill $server 2>/dev/null
	wait $server 2>/dev/null
}

# functions OPTION...: "NAME" of those of the library, and whatever gprof says in err.
functions() {
	"$GPROF" -b --inclusive --libraries=show "$@" 2>err | awk '/shown\.so/ && / time / == 0 { print $2, $3, $NF }' | sort -k3
}

# without_names WHAT TEXT OPTION...: two functions are addresses, and a line says why.
without_names() {
	without_what=$1 without_text=$2
	shift 2
	begun=$(date +%s)
	functions "$@" >got
	took=$(($(date +%s) - begun))
	expect "$without_what: the report comes" '[ "$(grep -c "+0x" got)" = 2 ] && [ "$(grep -c @shown.so got)" = 2 ]'
	expect "$without_what: a line says so" '[ "$(grep -c "note: debuginfod: nothing was fetched: .*shown\.so ($without_text)" err)" = 1 ]'
}

make_scratch
cd "$scratch" || exit 99
grep -q '^#define HAVE_DEBUGINFOD 1' "$builddir/config.h" || tap_skip_all 'built without debuginfod'
command -v python3 >/dev/null || tap_skip_all 'no python3: install Debian package python3'
for program in objcopy strip; do
	command -v $program >/dev/null || tap_skip_all "no $program (Debian package binutils)"
done
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY GPROF_DEBUGINFOD DEBUGINFOD_MAXSIZE
HOME=$scratch/home DEBUGINFOD_CACHE_PATH=$scratch/cache
export HOME DEBUGINFOD_CACHE_PATH
mkdir home
cat >shown.c <<-END_OF_C
	static volatile unsigned sink;
	#define WORK(n) for (unsigned i = 0; i < (n); i++) sink = sink * 5 + i
	__attribute__((noinline)) static void inner(void) { WORK(40000); }
	__attribute__((noinline)) static void other(void) { WORK(UNITS); }
	void outer(void) { WORK(20000); inner(); other(); }
	void single(void) { WORK(30000); }
END_OF_C
cat >main.c <<-END_OF_C
	void outer(void), single(void);
	int main(void) { for (int i = 0; i < 6000; i++) { outer(); single(); } return 0; }
END_OF_C
if ! "$CC" -O1 -g -fPIC -shared -Wl,--build-id=sha1 -DUNITS=60001 -o other.so shown.c ||
	! "$CC" -O1 -g -fPIC -shared -Wl,--build-id=sha1 -DUNITS=60000 -o shown.so shown.c ||
	! "$CC" -O1 -pg -o a.out main.c "$archive" ./shown.so -Wl,-rpath,. >log 2>&1; then
	tap_skip_all 'no shared library can be made'
fi
GMON=stacks
run ./a.out
[ -f gmon.out.ext ] || tap_skip_all 'no call stacks here'
functions >wanted
cp shown.so loaded.so
objcopy --only-keep-debug loaded.so kept.debug && objcopy --only-keep-debug other.so other.debug && strip shown.so || exit 99

serve good
functions --debuginfod=20 >got
if grep -q 'there is no libdebuginfod' err; then
	serve_end
	tap_skip_all 'no libdebuginfod.so.1: install Debian package libdebuginfod1'
fi
same 'a server has the debug file: all functions have names' got wanted
expect 'a line says what was fetched' grep -q 'note: debuginfod: the debug file.* shown\.so.* fetched' err
expect 'what has few samples is not fetched' '[ "$(grep -c "/debuginfo$" asked)" -le 2 ]'
functions >got
same 'the cache has it from then on, without the option' got wanted
: >asked
functions --debuginfod >got
expect 'what is there is not fetched again' fails grep -q "$(readelf -n loaded.so | sed -n 's/.*Build ID: //p')" asked
rm -rf cache && : >asked
functions >got
expect 'nothing is fetched unasked' '[ ! -s asked ] && [ "$(grep -c "+0x" got)" = 2 ]'
GPROF_DEBUGINFOD=yes
export GPROF_DEBUGINFOD
functions >got
same 'GPROF_DEBUGINFOD=yes asks' got wanted
unset GPROF_DEBUGINFOD
serve_end

serve none
without_names 'no server has it' 'no server has it' --debuginfod=20
serve_end
serve refuse
without_names 'a server that refuses' '[a-z ]*' --debuginfod=20
serve_end
serve other
without_names 'a server with the file of another build' 'it is of another build' --debuginfod=20
serve_end
serve garbage
without_names 'a server with garbage' 'it is of another build' --debuginfod=20
serve_end
serve hang
without_names 'a server that hangs' 'it takes longer than the limit' --debuginfod=2
expect 'a server that hangs is asked again' '[ ! -f "cache/$(readelf -n loaded.so | sed -n "s/.*Build ID: //p")/debuginfo" ]'
expect 'a server that hangs costs the limit for each object' '[ "$took" -le 30 ]'
serve_end
serve zeros
DEBUGINFOD_MAXSIZE=3000000
export DEBUGINFOD_MAXSIZE
without_names 'a server that never ends' 'it is too large' --debuginfod=20
unset DEBUGINFOD_MAXSIZE
serve_end

# Sources: the file is not here, and is asked for by the build id and its path.
mkdir far && cp shown.c far/text && rm shown.c
asked_for=/buildid/$(readelf -n loaded.so | sed -n 's/.*Build ID: //p')/source$PWD/shown.c

# listing OPTION...: the report of the lines of two functions, in `got'; whatever gprof says in err.
listing() { "$GPROF" -b --libraries=show --source=inner --source=other "$@" >got 2>err; }

# without_source WHAT TEXT OPTION...: lines have no text, and one line says why.
without_source() {
	without_what=$1 without_text=$2
	shift 2
	begun=$(date +%s)
	listing "$@"
	took=$(($(date +%s) - begun))
	expect "$without_what: lines have time, and no text" 'grep -q "^ *[1-9][0-9.]* " got && fails grep -q "WORK(40000)" got'
	expect "$without_what: a line says so" \
		'[ "$(grep -c "note: debuginfod: no source was fetched: not that of shown\.c ($without_text)" err)" = 1 ]'
}

serve source-far/text
listing --debuginfod=20
expect 'a server has the source: lines have their text' 'grep -q "^ *[1-9][0-9.]* .*void inner(void) { WORK(40000); }" got'
expect 'a line says what was fetched' '[ "$(grep -c "note: debuginfod: the source of shown\.c was fetched$" err)" = 1 ]'
expect 'it is asked for by build id and path, once' '[ "$(grep -cxF "$asked_for" asked)" = 1 ]'
expect 'no other source is' '[ "$(grep -c /source/ asked)" = 1 ]'
: >asked
listing
expect 'the cache has it from then on, without the option' 'grep -q "WORK(40000)" got && [ ! -s asked ]'
"$GPROF" -b --libraries=show --export=webpage -o page.html 2>err
expect 'the page has it, too' 'grep -q "WORK(40000)" page.html'
rm -rf cache
"$GPROF" -b --libraries=show --debuginfod=20 --export=webpage -o page.html 2>err
expect 'the page asks for it' 'grep -q "WORK(40000)" page.html && grep -q "the source of .*shown\.c.* fetched" err'
: >asked && rm -rf cache
listing
expect 'no source is fetched unasked' '[ ! -s asked ]'
cp far/text shown.c
listing --debuginfod=20
expect 'a file that is here is not asked for' 'grep -q "WORK(40000)" got && fails grep -q /source/ asked'
rm shown.c
serve_end
serve source-none
without_source 'no server has the source' 'no server has it' --debuginfod=20
serve_end
serve source-refuse
without_source 'a server that refuses the source' '[a-z ]*' --debuginfod=20
serve_end
serve source-hang
without_source 'a server that hangs' 'it takes longer than the limit' --debuginfod=2
expect 'a server that hangs costs the limit once' '[ "$took" -le 15 ]'
serve_end
serve source-zeros
DEBUGINFOD_MAXSIZE=3000000
export DEBUGINFOD_MAXSIZE
without_source 'a source that never ends' 'it is too large' --debuginfod=20
unset DEBUGINFOD_MAXSIZE
serve_end
serve source-garbage
listing --debuginfod=20
expect 'garbage is no source' 'fails grep -q "WORK(40000)" got && grep -q "warning: .*shown\.c: source not shown: it is not text" err'
serve_end
printf '\033[2J\033]0;evil\a\n%.0s' 1 2 3 4 5 6 7 >far/evil
serve source-far/evil
listing --debuginfod=20
expect 'escape sequences are harmless on the page' '"$GPROF" -b --libraries=show --debuginfod=20 --export=webpage -o page.html 2>err && fails grep -q "$(printf "\033")" page.html'
serve_end
unset DEBUGINFOD_URLS
functions --debuginfod >got
expect 'no server is named: a line says so' grep -q 'note: debuginfod: nothing was fetched: DEBUGINFOD_URLS names no server' err
"$GPROF" --debuginfod=no 2>err
expect 'a wrong number of seconds is an error' '[ $? -eq 1 ] || grep -q "debuginfod must be a number of seconds from 1 to 3600" err'
cd "$builddir" || exit 99
tap_done
