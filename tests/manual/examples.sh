#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# examples.sh [--update] [FILE...]: every example in the manual, or in some of its files, shows what happens;
# see README here.
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

here=$srcdir/tests/manual
case $INSTRUMENTED in
'') ;;
*) tap_skip_all "the $INSTRUMENTED build is slow and says more on stderr" ;;
esac

# What an installation would have: programs, the examples, headers and libraries.
make_prefix() {
	prefix=$scratch/prefix
	# The real compiler, which the name cc would otherwise be found as again.
	compiler=$(command -v "${CC%% *}")
	case $CC in *' '*) compiler="$compiler ${CC#* }" ;; esac
	mkdir -p "$prefix/bin" "$prefix/lib/pkgconfig" "$prefix/share/doc/gprof" &&
		ln -s "$GPROF" "$prefix/bin/gprof" &&
		ln -s "$srcdir/doc/example" "$prefix/share/doc/gprof/example" &&
		printf '#!/bin/sh\nexec %s "$@"\n' "$compiler" >"$prefix/bin/cc" &&
		chmod +x "$prefix/bin/cc" || exit 99
	if [ -f "$builddir/libgmon.so" ]; then
		ln -s "$builddir/libgmon.so" "$builddir/libgmon.a" "$prefix/lib" &&
			sed "s|^libdir=.*|libdir=$prefix/lib|; s|^includedir=.*|includedir=$srcdir/include|" \
				"$builddir/runtime/libgmon.pc" >"$prefix/lib/pkgconfig/libgmon.pc" || exit 99
	fi
	if [ -f "$builddir/libgmon_mpi.so" ]; then
		ln -s "$builddir/libgmon_mpi.so" "$builddir/libgmon_mpi.a" "$prefix/lib" || exit 99
	fi
	PATH=$prefix/bin:$PATH
	CPATH=$srcdir/include
	LIBRARY_PATH=$prefix/lib
	LD_LIBRARY_PATH=$prefix/lib
	export PATH CPATH LIBRARY_PATH LD_LIBRARY_PATH
	. "$srcdir/tests/lib/mpi.sh"
	unset GMON GMON_OUT_PREFIX GPROF_PATH NO_COLOR PKG_CONFIG_PATH POSIXLY_CORRECT
}

# fixture NAME: makes $scratch/fixtures/NAME, unless it is there, from NAME.profile or by NAME.sh, or both.
fixture() {
	dir=$scratch/fixtures/$1
	[ ! -d "$dir" ] || return 0
	mkdir -p "$dir" || return
	if [ -f "$here/$1.profile" ]; then
		"$TOOLS/mkprofile" "$here/$1.profile" "$dir" || return
	elif [ "$1" != empty ] && [ ! -f "$here/$1.sh" ]; then
		echo "no fixture $1"
		return 1
	fi
	if [ -f "$here/$1.sh" ]; then
		(cd "$dir" && timeout 600 sh "$here/$1.sh")
	fi
}

# transcript EXAMPLE: runs its commands in this directory, each after a line that shows it. What examples
# before it in the same directory have exported holds.
transcript() {
	{
		cat "$scratch/exports"
		cat <<-'END'
			status=0
			set_status() { return $status; }
			show() {
				printf '$ %s\n' "$1"
				set_status
				eval "$1"
				status=$?
			}
		END
		# A command goes on while its lines end in a backslash.
		awk -v quote="'" '
			/^\$ / || more {
				command = more ? command "\n" $0 : substr($0, 3)
				more = /\\$/
				if (!more) {
					gsub(quote, quote "\\" quote quote, command)
					print "show " quote command quote
				}
			}' "$1"
	} >"$scratch/commands"
	sed -n 's/^\$ \(export \)/\1/p' "$1" >>"$scratch/exports"
	timeout 600 sh "$scratch/commands" </dev/null 2>&1
}

# missing EXAMPLE: what it needs and this machine has not.
missing() {
	if grep -q '^\$ .*\(gmon\.[as]\|lgmon\|GMON=\|libgmon\)' "$1" && [ ! -f "$builddir/libgmon.so" ]; then
		echo "libgmon is not for this machine"
	elif grep -q '^\$ .*lgmon_mpi' "$1" && [ ! -f "$builddir/libgmon_mpi.so" ]; then
		echo "configure found no MPI (Debian packages openmpi-bin, libopenmpi-dev)"
	elif grep -q '^\$ .*mpi\(cc\|run\)' "$1" && ! has_mpi; then
		echo "no mpicc and mpirun (Debian packages openmpi-bin, libopenmpi-dev)"
	elif grep -q '^\$ arm-none-eabi-gcc' "$1" && ! command -v arm-none-eabi-gcc >/dev/null; then
		echo "no arm-none-eabi-gcc (Debian package gcc-arm-none-eabi)"
	elif grep -q '^\$ qemu-system-arm' "$1" && ! command -v qemu-system-arm >/dev/null; then
		echo "no qemu-system-arm (Debian package qemu-system-arm)"
	elif grep -q '^\$ .*pkg-config' "$1" && ! command -v pkg-config >/dev/null; then
		echo "no pkg-config (Debian package pkgconf)"
	fi
}

# What a busy machine adds, as the kernel looks at some thread late.
busy='/^libgmon: [0-9]* ticks more belong to no function: /d'

# run_example NAME KIND WHAT FILE FIRST LAST OPTION
run_example() {
	example=$scratch/examples/$1
	label="$4:$5"
	case $2 in
	none)
		tap_not_ok "$label: the example says how it is run"
		return
		;;
	file)
		sed 's/[[:blank:]]*$//' "$srcdir/$3" | expand >"$scratch/whole"
		awk -v loose=0 -f "$here/match.awk" "$example" "$scratch/whole" >"$scratch/complaint"
		tap_check $? "$label: $3"
		tap_note <"$scratch/complaint"
		return
		;;
	esac
	lack=$(missing "$example")
	if [ -n "$lack" ]; then
		tap_skip "$label" "$lack"
		return
	fi
	if [ "$3" != again ]; then
		: >"$scratch/exports"
		if ! fixture "$3" >"$scratch/complaint" 2>&1; then
			tap_not_ok "$label: fixture $3"
			tap_note <"$scratch/complaint"
			return
		fi
		rm -rf "$scratch/here"
		cp -R "$scratch/fixtures/$3" "$scratch/here"
	fi
	(cd "$scratch/here" && transcript "$example") | expand |
		sed "s|$scratch/fixtures/[a-z-]*|/home/you|g; s|$scratch/here|/home/you|g; $busy" >"$scratch/seen/$1"
	loose=0
	[ "$2" = run ] || loose=1
	unordered=0
	[ "$2" != unordered ] || unordered=1
	awk -v loose=$loose -v unordered=$unordered -f "$here/match.awk" "$example" "$scratch/seen/$1" >"$scratch/complaint"
	tap_check $? "$label: $(sed -n 's/^\$ //p' "$example" | head -n 1)"
	tap_note <"$scratch/complaint"
	[ -s "$scratch/complaint" ] || echo "$1" >>"$scratch/right"
	[ ! -s "$scratch/complaint" ] || tap_note <"$scratch/seen/$1"
}

# update FILE: puts what was seen into its examples that were wrong and show all, times included.
update() {
	awk -v file="${1#"$srcdir"/}" -v list="$scratch/list" -v seen="$scratch/seen" -v examples="$scratch/examples" \
		-v right="$scratch/right" '
	function cut(path,  line, found) {
		while ((getline line <path) > 0) {
			if (line ~ /\.\.\.$/)
				found = 1
		}
		return found
	}
	BEGIN {
		while ((getline line <right) > 0)
			is_right[line] = 1
		while ((getline line <list) > 0) {
			split(line, field, " ")
			if (!(field[1] in is_right) && field[4] == file && field[2] ~ /^(run|session|unordered)$/ && !cut(examples "/" field[1])) {
				from[field[5]] = field[1]
				to[field[5]] = field[6]
			}
		}
	}
	FNR in from {
		until = to[FNR]
		empty = 0
		while ((getline line <(seen "/" from[FNR])) > 0) {
			gsub(/\f/, "", line)
			sub(/ +$/, "", line)
			if (line == "") {
				empty = 1
				continue
			}
			if (empty && line !~ /^\$ /)
				print ""
			empty = 0
			gsub(/[@{}]/, "@&", line)
			print line
		}
	}
	FNR <= until { next }
	{ print }' "$1" >"$scratch/updated" && cat "$scratch/updated" >"$1"
}

updating=false
if [ "$1" = --update ]; then
	updating=true
	shift
	# Without them, all examples would be of files that are not there.
	[ -x "$TOOLS/mkprofile" ] || {
		echo "examples.sh: no $TOOLS/mkprofile; make check TESTS= makes it" >&2
		exit 99
	}
fi
[ $# -gt 0 ] || set -- "$srcdir"/doc/gprof.texi "$srcdir"/doc/manual/*.texi

make_scratch
make_prefix
mkdir "$scratch/examples" "$scratch/seen"
awk -v out="$scratch/examples" -f "$here/extract.awk" "$@" >"$scratch/list"
while read -r name kind what file first last option; do
	run_example "$name" "$kind" "$what" "$file" "$first" "$last" "$option"
done <"$scratch/list"
if $updating; then
	for file; do
		update "$file"
	done
fi
[ -s "$scratch/list" ]
tap_check $? "the manual has examples"
tap_done
