# Two threads that change what they do at second 1, with slices of a half second; one sample has no time.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym parse 0x401060
sym solve 0x4010a0
sym worker 0x401120
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick parse 98
tick solve 199
tick worker 150
module prog 0x401000 0x401200 0 program
thread 4711 shop 2970000000
timeline 1790000000000000000 500000000 6
stack 98 _start main parse
slice 0 49
slice 1 48
stack 199 _start main solve
slice 2 50
slice 3 50
slice 4 50
slice 5 49
thread 4712 worker 1500000000 100 300
stack 150 worker
slice 1 50
slice 2 50
slice 3 50
