# A run whose processes used 1 s of CPU time, as the kernel says, of which samples have 0.4 s.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym work 0x401060
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick work 30
tick main 10
module prog 0x401000 0x401200 0 program
thread 4711 shop 400000000 40 40
kind cpu 100 seconds s
stack 30 _start main work
stack 10 _start main
process 4711 1 1000000000 "" ./shop --all
