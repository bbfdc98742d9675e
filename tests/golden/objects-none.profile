# Time and calls in what is no file: several libraries, one after the other, and the page of the kernel.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick main 6
arc _start main 1
module prog 0x401000 0x401200 0 program
module [unloaded] 0 0 0 several
module linux-vdso.so.1 0x70000000 0x70001000 0x70000000 vdso
call main+4 [unloaded]:0x12345 3
outside [unloaded]:0x12345 4
outside linux-vdso.so.1:0x10 2
