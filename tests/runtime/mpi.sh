#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=mpi=sum: the profiles of all ranks of MPI programs in one file, equal to what gprof -s makes of their own; and
# whatever goes wrong, each rank's own file, without a hang.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317 # conditions are evaluated later; words
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"
. "$srcdir/tests/lib/mpi.sh"

lacks='no MPI: install Debian packages openmpi-bin and libopenmpi-dev'
[ -f "$builddir/libgmon_mpi.so" ] || tap_skip_all "configure found $lacks"
has_mpi || tap_skip_all "$lacks"

make_scratch
cd "$scratch" || exit 99
summing="-L$builddir -lgmon_mpi -lgmon -Wl,-rpath,$builddir"
recording="-L$builddir -lgmon -Wl,-rpath,$builddir"
C="mpicc -pg -g -O1"
evidence='err log'

# ranks VARIABLE PROGRAM...: runs as many ranks as $n says with that in the environment; files of an earlier run are gone.
n=3
ranks() {
	variable=$1
	shift
	rm -rf gmon.* prof.*
	run env "$variable" mpirun -n $n "$@"
	[ "$status" = 0 ]
}

# files: the names of all profiles, in a line.
files() {
	for file in gmon.* prof.*; do
		[ ! -e "$file" ] || printf '%s ' "$file"
	done
}

# counts PROGRAM PROFILE: how often leaf was called.
counts() {
	"$GPROF" -b -p "$1" "$2" 2>/dev/null | awk '$NF ~ /^leaf_?$/ { print $4 }'
}

# calls_in PROGRAM PROFILE...
calls_in() {
	"$GPROF" -b -q -z "$@" 2>/dev/null | awk -v counts=1 -f "$srcdir/tests/differential/callgraph.awk" | sort
}

# tells TEXT: on standard error, in one line.
tells() {
	[ "$(grep -c "$1" err)" = 1 ]
}

silent() {
	! grep -q libgmon err
}

# In front of all else, where some linkers drop what nothing needs yet.
if command -v pkg-config >/dev/null; then
	first=$(PKG_CONFIG_PATH=$builddir/runtime pkg-config --define-variable=libdir="$builddir" --libs libgmon_mpi)
else
	first=$summing
fi
$C $first -o ranks "$programs/ranks.c" -Wl,-rpath,"$builddir" 2>log || tap_skip_all "mpicc cannot build: $(head -n 1 log)"

expect 'one file for three ranks' 'ranks GMON=mpi=sum ./ranks && [ "$(files)" = "gmon.sum " ] && silent'
expect 'it has the calls of all' '[ "$(counts ranks gmon.sum)" = 600 ]'
calls_in ranks gmon.sum >summed
[ ! -f gmon.sum ] || cp gmon.sum first
expect 'nothing is done that was not asked for' \
	'ranks GMON=file=prof.%r ./ranks && [ "$(files)" = "prof.0 prof.1 prof.2 " ] && silent'
expect 'the sum is what gprof reads from these files' \
	'calls_in ranks prof.* >apart && cmp -s summed apart && [ -s summed ]'
expect 'gprof -s adds the same' '"$GPROF" -s ranks prof.* 2>err && calls_in ranks gmon.sum | cmp -s - summed'
if [ -n "$SYSTEM_GPROF" ]; then
	expect 'GNU gprof reads it' '"$SYSTEM_GPROF" -b -p ranks first >report && grep -q " 600 .* leaf" report'
else
	tap_skip 'GNU gprof reads it' 'no GNU gprof'
fi

expect 'the rank with the most CPU time keeps its own file' \
	'ranks GMON=mpi=sum+1,file=prof.%r ./ranks more && [ "$(files)" = "prof.1 prof.sum " ]'
expect 'which has its calls, and so has the sum' \
	'[ "$(counts ranks prof.1)" = 200 ] && [ "$(counts ranks prof.sum)" = 600 ]'
expect 'its samples are in the sum, too' '"$GPROF" -b -p ranks prof.sum | grep -q "[1-9].* only_one$"'
n=2
expect 'names: the prefix; live files go' 'export GMON_OUT_PREFIX=prof.x && ranks GMON=mpi=sum,crash ./ranks
	unset GMON_OUT_PREFIX
	[ "$(files)" = "prof.x.sum " ]'

# with_last VARIABLE PROGRAM LAST: two ranks of PROGRAM and a last one of LAST. Not by the colon of mpirun, which is killed by
# SIGSEGV for it in Open MPI 5.0.7, whatever the programs are.
cat >by-rank <<'E2'
case ${OMPI_COMM_WORLD_RANK-$PMI_RANK} in
2) exec "$2" ;;
*) exec "$1" ;;
esac
E2
with_last() {
	n=3
	ranks "$1" sh ./by-rank "$2" "$3"
	ended=$?
	n=2
	return $ended
}

$C -DOTHER=7 -o other "$programs/ranks.c" $summing 2>log
expect 'ranks of another build keep their own' \
	'with_last GMON=mpi=sum ./ranks ./other && [ "$(files)" = "gmon.out.2 gmon.sum " ]'
expect 'a line says how many' 'tells "libgmon: GMON=mpi=sum: 1 of 3 ranks are not in the sum"'

$C -o alone "$programs/ranks.c" $recording 2>log
expect 'a rank without the library: no hang, own files' \
	'with_last GMON=mpi=sum,mpiwait=1 ./ranks ./alone && [ "$(files)" = "gmon.out.0 gmon.out.1 gmon.out.2 " ]'
expect 'a line of each that waited' '[ "$(grep -c "waited 1 s in vain for other ranks" err)" = 2 ]'
expect 'the library is nowhere: own files, one line' \
	'ranks GMON=mpi=sum ./alone && [ "$(files)" = "gmon.out.0 gmon.out.1 " ] && tells "saw no call of MPI_Finalize"'
expect 'call stacks: own files, one line' \
	'ranks GMON=mpi=sum,stacks ./ranks && tells "nothing is added up" && [ -f gmon.out.0.ext ] && [ -f gmon.out.1.ext ] &&
	[ ! -e gmon.sum ]'
expect 'gprof -s adds these up, with their call stacks' '"$GPROF" -s -o all.sum ranks gmon.out.* 2>err && [ ! -s err ] &&
	"$GPROF" -b --ranks=threads ranks all.sum | grep -q "^Ranks: 2 threads of" && "$GPROF" -b -p ranks all.sum | grep -q " 300 .* leaf"'
sum_is_directory() {
	rm -rf gmon.* && mkdir gmon.sum
	run env GMON=mpi=sum mpirun -n 2 ./ranks
	[ "$(files)" = 'gmon.out.0 gmon.out.1 gmon.sum ' ]
}
expect 'the sum cannot be written: own files' 'sum_is_directory && tells "cannot write gmon.sum" && tells "no sum: each"'

$C -o plain "$programs/ranks.c" 2>log
expect 'preloaded' 'ranks GMON=mpi=sum env LD_PRELOAD="$builddir/libgmon_mpi.so $builddir/libgmon.so" ./plain &&
	[ "$(files)" = "gmon.sum " ] && [ "$(counts plain gmon.sum)" = 300 ]'
$C -o archives "$programs/ranks.c" -L"$builddir" -l:libgmon_mpi.a -l:libgmon.a 2>log
expect 'archives' 'ranks GMON=mpi=sum ./archives && [ "$(files)" = "gmon.sum " ] && [ "$(counts archives gmon.sum)" = 300 ]'

# fortran MODULE FLAG...
fortran() {
	module=$1
	shift
	what="Fortran, module $module $*"
	if ! command -v mpif90 >/dev/null || ! mpif90 -pg -cpp -DUSED=$module "$@" -o fortran "$programs/ranks.f90" \
		$summing 2>log; then
		tap_skip "$what" "mpif90 cannot build (Debian packages gfortran, libopenmpi-dev)"
		return
	fi
	expect "$what" 'ranks GMON=mpi=sum ./fortran && [ "$(files)" = "gmon.sum " ] && [ "$(counts fortran gmon.sum)" = 300 ]'
}
fortran mpi
fortran mpi_f08 -DOPTIONAL
tap_done
