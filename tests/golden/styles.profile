# Which reports come, by options and by what was recorded.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 100
tick work 6
arc main work 4
profile
hist 0x401000 0x401060 24 100
tick work 6
profile
arc main work 4
