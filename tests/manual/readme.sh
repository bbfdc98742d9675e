#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The commands of README, each after "    $ ", run in their order in a directory that has what a clone has after
# ./bootstrap; only bootstrap itself is not run. Each must end well, and print or write something.
# shellcheck disable=SC2016,SC2034 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

make_scratch
cd "$scratch" || exit 99
for file in README doc; do
	ln -s "$srcdir/$file" . || exit 99
done
for file in gprof libgmon.so; do
	ln -s "$builddir/$file" . || exit 99
done


# Words after three blanks or more say what a command is for.
sed -n 's/^    \$ //p' README | sed 's/   .*//' >commands
tap_check $? "README has commands: $(grep -c . commands)"
while read -r command; do
	case $command in
	./bootstrap*) continue ;;
	esac
	touch before
	sh -c "$command" >out 2>err </dev/null
	status=$?
	expect "$command" '[ "$status" = 0 ] && { [ -s out ] || [ -s err ] || [ "$(find . -newer before -type f)" ]; }'
done <commands
expect 'there are at least 15 of them' '[ "$(grep -c . commands)" -ge 15 ]'
expect 'the first one of the program that they make is --run' '[ "$(grep -v "^\./bootstrap\|^cc " commands | head -n 1)" = "./gprof --run ./words" ]'
for tool in perf samply uftrace callgrind py-spy gperftools; do
	expect "README says when to take $tool" 'sed -n "/^When to take another tool/,/^Where to go next/p" README | grep -q "^    $tool  "'
done
expect 'where to report what is wrong, where there is a picture, and what cannot be run' \
	'grep -q "to report what is wrong.*doc/CONTRIBUTING" README && [ -s doc/CONTRIBUTING ] &&
	grep -q "doc/images/functions.png" README && [ -s doc/images/functions.png ] && grep -q "linked statically.*$" README && grep -q "setuid" README'
expect 'the archive is whole' 'xz -dc README.xz | cmp -s - README'
tap_done
