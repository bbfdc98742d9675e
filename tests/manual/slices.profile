# A program that reads for a second and then works for two, with slices of a half second.
text 0x401000 0x200
sym _start 0x401000
sym main 0x401020
sym parse 0x401060
sym solve 0x4010a0
sym etext 0x401200 notype
profile
hist 0x401000 0x401200 128 100
tick parse 98
tick solve 199
thread 4711 shop 2970000000
timeline 1790000000000000000 500000000 6
stack 98 _start main parse
slice 0 49
slice 1 48
slice 2 1
stack 199 _start main solve
slice 2 49
slice 3 50
slice 4 50
slice 5 50
