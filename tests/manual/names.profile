# A program in C++.
text 0x401000 0x100
sym main 0x401000
sym _ZN4List4findEi 0x401020
sym _ZN4List6insertEiPKc 0x401040
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 100
tick 0x401020 8
tick 0x401040 2
arc main 0x401020 400
arc main 0x401040 30
