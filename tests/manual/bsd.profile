# Data as the first BSD gprof had them.
text 0x401000 0x100
sym main 0x401000
sym load 0x401020
sym parse 0x401040
sym etext 0x401080 notype
profile bsd
hist 0x401000 0x401080 32 100
tick parse 20
tick load 30
arc main parse 7
