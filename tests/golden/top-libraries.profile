# All time is in a library: only call stacks have it, and nothing is wrong with that.
text 0x401000 0x80
sym main 0x401000
sym etext 0x401080 notype
profile
hist 0x401000 0x401080 32 100
module prog 0x401000 0x401080 0 program
module /lib/libm.so.6 0x70000000 0x70100000 0x70000000
thread 100 prog 300000000
stack 400 main /lib/libm.so.6:0x55
