# An optimizing compiler took a rare part out of parse and put it behind main.
text 0x401000 0x100
sym main 0x401000
sym parse.cold 0x401020 local
sym parse 0x401040
sym etext 0x401080 notype
profile
hist 0x401000 0x401080 32 100
tick parse 20
tick parse.cold 30
arc main parse 7
