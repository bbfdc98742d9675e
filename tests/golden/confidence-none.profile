# Nothing of seconds is known; and all samples are in one function.
text 0x401000 0x80
sym main 0x401000
sym work 0x401020
sym etext 0x401060 notype
profile
hist 0x401000 0x401060 24 0
tick work 3
arc main work 4
profile
hist 0x401000 0x401060 24 0
tick work 1
tick main 2
profile
hist 0x401000 0x401060 24 0
tick work 5
