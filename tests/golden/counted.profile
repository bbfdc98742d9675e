# A program and a library whose calls were counted in their code, one of their functions only partly; and a library
# whose calls were not.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym parse 0x401060
sym solve 0x4010a0
sym compare 0x401120
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick parse 98
tick solve 199
tick compare 50
module prog 0x401000 0x401200 0 program
module /lib/libcounted.so.1 0x500000 0x510000 0x500000
module /lib/libother.so.2 0x600000 0x610000 0x600000
thread 4711 shop 3470000000
stack 98 _start main parse
stack 199 _start main solve
stack 50 _start main solve compare
stack 10 _start main solve libcounted.so.1:0x40
stack 5 _start main solve libother.so.2:0x80
call main+4 parse 7
call main+9 solve 1
call solve+8 compare 1000000
call compare+8 compare 2
call solve+16 libcounted.so.1:0x40 12
call solve+24 libother.so.2:0x80 34
site main 5 1 40 1 9
site libcounted.so.1:0 3 0 6 0 0
part compare 1
part parse 6
