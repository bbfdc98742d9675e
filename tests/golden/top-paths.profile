# Time that divides below a function of C++, with recursion, templates of the standard library, and code of libraries.
text 0x401000 0x200
sym main 0x401000
sym _ZN6engine5parseERKSsRNS_5IndexE 0x401020
sym _ZN6engine5Index3addERKSs 0x401040
sym _ZNSt8__detail9_ExecutorIiE6_M_dfsEi 0x401060
sym _ZZ4mainENKUliE_clEi 0x401080
sym alone 0x4010a0
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
module prog 0x401000 0x401200 0 program
module /lib/libc.so.6 0x10000 0x20000 0
module /opt/app/libown.so 0x30000 0x40000 0
thread 100 prog 4000000000
stack 60 main 0x401080 0x401020
stack 90 main 0x401080 0x401020 0x401040 libc.so.6:0x11000
stack 70 main 0x401080 0x401020 0x401060 0x401060 0x401060
stack 40 main 0x401080 0x401020 0x401060 libc.so.6:0x11000
stack 30 main libown.so:0x31000 libc.so.6:0x11000
stack 10 main alone
