# A program that waits for records, with a worker, and a second one that has nothing to do.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym read_record 0x401060
sym parse 0x4010a0
sym worker 0x401120
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick parse 210
tick read_record 20
tick worker 60
arc _start main 1
arc main read_record 2000
arc main parse 2000
module prog 0x401000 0x401200 0 program
module /lib/libc.so.6 0x70200000 0x70300000 0x70200000
kind cpu 100 seconds s
kind off-cpu 1000000 seconds s
thread 4711 shop 2300000000 230 230 120000000 12100000000
kind cpu
stack 210 _start /lib/libc.so.6:0x100 main parse
stack 20 _start /lib/libc.so.6:0x100 main read_record
kind off-cpu
stack 9310000 _start /lib/libc.so.6:0x100 main read_record /lib/libc.so.6:0x200 -:4096
stack 202000 _start /lib/libc.so.6:0x100 main -:4298
thread 4712 worker 600000000 60 60 0 12000000000
kind cpu
stack 60 /lib/libc.so.6:0x100 worker
kind off-cpu
stack 3100000 /lib/libc.so.6:0x100 worker /lib/libc.so.6:0x300 -:4298
thread 4713 worker 0 0 0 0 12000000000
kind off-cpu
stack 11990000 /lib/libc.so.6:0x100 worker /lib/libc.so.6:0x300 -:4298
