#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The completion files name the options of src/run/line/options.def and no others, and the shells really complete with
# them: options, the values of their arguments, files, programs and profiles.
# shellcheck disable=SC2016,SC2317 # programs of other shells; functions whose names are put together
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

completions=$builddir/src/completion
[ -f "$completions/gprof" ] || tap_skip_all "gprof is not built"

# options_of KIND...: the options of these kinds of arguments, "-x" and "--name", one a line.
options_of() {
	for kind; do
		sed -nE "s/^(OPT|OWN)\(('(.)'|0), \"([^\"]*)\", $kind,.*/-\3 --\4/p" "$srcdir/src/run/line/options.def"
	done | tr ' ' '\n' | grep -vx -e - -e -- | sort
}

# offers SHELL LINE WORD...: that the SHELL offers just the words, in any order, at the end of the LINE.
offers() {
	shell=$1
	line=$2
	shift 2
	"complete_$shell" "$line" | sed -e "/^$/d" -e "s,/\$,," | sort -u >offered
	printf '%s\n' "$@" | sed '/^$/d' | sort >wanted
	same "$shell: '$line'" offered wanted
}

# What every shell must offer, in a directory with a program, two profiles, a map and a directory of sources.
common() {
	offers "$1" 'gprof --dem' --demangle
	offers "$1" 'gprof --demangle=gn' "${2}gnu-v3" "${2}gnat"
	offers "$1" 'gprof --export=c' ${2:+"--export="}callgrind ${2:+"--export="}csv
	offers "$1" 'gprof -O ' auto magic bsd 4.4bsd
	offers "$1" 'gprof -b -R m' map
	offers "$1" 'gprof -I ' sources
	offers "$1" 'gprof p' program
	offers "$1" 'gprof -w 100 -b program gm' gmon.out gmon.sum
	offers "$1" 'gprof -e '
}

# keys SHELL OPTION FIRST: keys of options after the first word, or at once where there is none, and their values. The
# shell puts before each the OPTION with its argument up to there, or the FIRST word, if these are not "".
keys() {
	offers "$1" 'gprof --run=verb' "${2:+--run=}verbose"
	offers "$1" 'gprof --run=clock=th' "${2:+--run=clock=}thread"
	offers "$1" 'gprof --ranks=c' "${2:+--ranks=}csv" "${2:+--ranks=}calls"
	offers "$1" 'gprof --diff=base,no' "${2:+--diff=}${3}normalize"
	offers "$1" 'gprof --order=ld,by=c' "${2:+--order=ld,by=}calls"
	offers "$1" 'gprof --diff base,sort=d' "${2:+base,sort=}delta"
	offers "$1" 'gprof --export=csv,table=l' "${2:+--export=csv,table=}lines"
	offers "$1" 'gprof --export=callgrind,'
	offers "$1" 'gprof --diff=base,program=prog' "${2:+--diff=base,program=}program"
}

# In bash, "=" is a word of its own.
complete_bash() {
	bash --norc -c '
		. "$1"
		line=${2//=/ = }
		read -ra COMP_WORDS <<<"$line"
		[[ $line != *" " ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_gprof
		printf "%s\\n" "${COMPREPLY[@]}"' bash "$completions/gprof" "$1" 2>&1
}

complete_zsh() {
	zsh -f "$srcdir/tests/package/complete.zsh" "$completions" "$1" </dev/null 2>&1
}

# Where an argument is optional, fish offers --name and --name=; since 4.0 also what begins otherwise, behind the rest.
complete_fish() {
	fish --no-config -c '
		source $argv[1]
		complete -C $argv[2] | string split -f1 \t' "$completions/gprof.fish" "$1" 2>&1 |
		awk -v word="${1##* }" 'index($0, word) == 1' | sed 's/=$//' | sort -u
}

check_bash() {
	check "bash: the file's syntax" "$(bash -n "$completions/gprof" 2>&1)"
	{
		options_of NONE OPTIONAL
		options_of REQUIRED | sed 's/^--.*/&=/'
	} | sort >options
	complete_bash 'gprof -' | sort >offered
	same "bash: the options, and no others" offered options
	common bash ''
	keys bash '' base,
	offers bash 'gprof -Sm' -Smap
	offers bash 'gprof --file-ordering m' map
	offers bash 'gprof -- program gmon.s' gmon.sum
	offers bash 'gprof --file-ordering map pro' program
	offers bash 'gprof --file-ordering=map pro' program
	offers bash 'gprof --no-such=' ''
}

check_fish() {
	check "fish: the file's syntax" "$(fish --no-execute "$completions/gprof.fish" 2>&1)"
	options_of NONE REQUIRED OPTIONAL >options
	sed -nE 's/^complete -c gprof( -s (.))?( -l ([^ ]*))? .*/-\2 --\4/p' "$completions/gprof.fish" | tr ' ' '\n' |
		grep -vx -e - -e -- | sort >offered
	same "fish: the file has the options, and no others" offered options
	complete_fish 'gprof -' | sort >offered
	same "fish: it offers them" offered options
	common fish --demangle=
	keys fish yes base,
}

check_zsh() {
	check "zsh: the file's syntax" "$(zsh -n "$completions/_gprof" 2>&1)"
	options_of NONE REQUIRED OPTIONAL >options
	sed -nE "s/^	'(\([^)]*\)|\*)(--?[[:alnum:]][[:alnum:]-]*)[=+[-].*/\2/p" "$completions/_gprof" |
		sed -E 's/^(-.)-$/\1/' | sort >offered
	same "zsh: the file has the options, and no others" offered options
	common zsh ''
	keys zsh '' ''
}

# What rows may have: remarks in the list of values, quotes of all kinds, brackets.
check_rows() {
	cat >options.def <<-'END'
		OWN(0, "color", REQUIRED, "WHEN", COLOR, 0, "colours: auto (on a terminal; the default), always or never")
		OWN('o', "output", REQUIRED, "FILE", OUTPUT, 0, "it's a \"file\" [or -]: $1")
	END
	mkdir -p rows
	for file in bash:gprof fish:gprof.fish zsh:_gprof; do
		"${AWK:-awk}" -f "$srcdir/src/completion/fill.awk" options.def "$srcdir/src/completion/${file%:*}.in" >"rows/${file#*:}"
	done
	completions=$scratch/rows
	for shell in $shells; do
		offers "$shell" 'gprof --color ' auto always never
		offers "$shell" 'gprof -o m' map
	done
}

make_scratch
cd "$scratch" || exit 1
mkdir sources
touch gmon.out gmon.sum map notes
printf '#!/bin/sh\n' >program
chmod +x program

shells=
for shell in bash fish zsh; do
	if command -v $shell >/dev/null; then
		check_$shell
		shells="$shells $shell"
	else
		tap_skip "$shell: completes" "no $shell (Debian package $shell)"
	fi
done
check_rows
tap_done
