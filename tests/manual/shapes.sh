# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# A program with a library of three functions, with calls between them and call stacks of neither.
cat >shape.c <<'END'
#define SIZE __attribute__((aligned(64), noinline))
SIZE double corner(double x) { return x * 2; }
SIZE double edge(double x) { return corner(x) + corner(x + 1); }
SIZE double area(double x) { return edge(x) * edge(x + 2); }
END
cc -fPIC -shared -Wl,--build-id=0x5ba9e5 -o libshape.so shape.c || exit
at() { echo "/lib/libshape.so:0x$(nm libshape.so | awk -v name="$1" '$3 == name { print $1 }')"; }
cat >shapes.profile <<END
text 0x401000 0x100
sym _start 0x401000
sym main 0x401020
sym draw 0x401060
sym etext 0x401100 notype
profile
hist 0x401000 0x401100 64 100
tick main 2
tick draw 31
arc _start main 1
arc main draw 400
module a.out 0x401000 0x401100 0 program
module /lib/libshape.so 0x70000000 0x70100000 0x70000000 5ba9e5
module /lib/libc.so.6 0x70200000 0x70300000 0x70200000
call /lib/libc.so.6:0x100 main 1
call main+4 draw 400
call draw+4 $(at area) 1200
call $(at area) $(at edge) 2400
call $(at edge) $(at corner) 4800
outside $(at corner) 48
outside $(at edge) 12
outside $(at area) 1
outside /lib/libc.so.6:0x200 6
END
"$TOOLS/mkprofile" shapes.profile . && rm shapes.profile
