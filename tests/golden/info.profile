# What each file contains: one, several or no records of each kind.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 100
tick work 6
arc main work 4
profile
hist 0x401000 0x401040 16 100
hist 0x401040 0x401060 8 100
arc main work 4
arc main work 5
arc work main 0
profile
arc main work 4
profile
hist 0x401000 0x401060 24 100
profile
profile 0
arc main work 2
