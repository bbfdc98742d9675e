# Something else than time was sampled: the call graph says so too.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 100 cycles c
tick main 1
tick work 3
arc main work 4
